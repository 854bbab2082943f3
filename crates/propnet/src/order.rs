//! In which order components can be evaluated.
//!
//! A base proposition starts from the state, not from its transition, so the only cycles left are
//! those of recursive relations [Sironi 2019, 4.1.1]. Components that depend on each other form one
//! group; groups come after what they read.

use gamegrove_gdl::Graph;

use crate::kind::Kind;
use crate::network::{Network, NodeId};

/// The components of a network, grouped and ordered.
#[derive(Clone, Debug)]
pub struct Order {
    nodes: Vec<NodeId>,
    starts: Vec<u32>,
    cyclic: Vec<bool>,
    group_of: Vec<u32>,
}

impl Order {
    /// The order of a network's components.
    pub fn new(network: &Network) -> Order {
        let mut edges = Vec::with_capacity(network.edge_count());
        for node in network.nodes().filter(|&node| network.kind(node) != Kind::Base) {
            edges.extend(network.inputs(node).iter().map(|input| (node.0, input.0)));
        }
        let found = Graph::new(network.len(), &edges).components();
        // Groups are numbered so that what is read comes first: counting sort by number.
        let mut starts = vec![0u32; found.count + 1];
        for &group in &found.of {
            starts[group as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut fill = starts.clone();
        let mut nodes = vec![NodeId(0); network.len()];
        for (node, &group) in found.of.iter().enumerate() {
            nodes[fill[group as usize] as usize] = NodeId(node as u32);
            fill[group as usize] += 1;
        }
        let mut cyclic: Vec<bool> = starts.windows(2).map(|at| at[1] - at[0] > 1).collect();
        for &(from, _) in edges.iter().filter(|(from, to)| from == to) {
            cyclic[found.of[from as usize] as usize] = true;
        }
        Order { nodes, starts, cyclic, group_of: found.of }
    }

    /// How many groups there are.
    pub fn group_count(&self) -> usize {
        self.cyclic.len()
    }

    /// The groups in order, each with whether its components depend on each other.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = (&[NodeId], bool)> {
        (0..self.group_count())
            .map(|group| (self.members(group as u32), self.is_cyclic(group as u32)))
    }

    /// The components of a group.
    pub fn members(&self, group: u32) -> &[NodeId] {
        let group = group as usize;
        &self.nodes[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// Whether the components of a group depend on each other.
    pub fn is_cyclic(&self, group: u32) -> bool {
        self.cyclic[group as usize]
    }

    /// The group of a component.
    pub fn group(&self, node: NodeId) -> u32 {
        self.group_of[node.index()]
    }

    /// All components in order.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The longest way from a source to each component, in components that take time: gates. The
    /// members of a cyclic group share a level.
    pub fn levels(&self, network: &Network) -> Vec<u32> {
        let mut levels = vec![0u32; network.len()];
        for (members, cyclic) in self.groups() {
            let mut level = 0;
            let mut gate = cyclic;
            for &node in members {
                let kind = network.kind(node);
                gate |= matches!(kind, Kind::And | Kind::Or | Kind::Not);
                if kind != Kind::Base {
                    let inputs = network.inputs(node).iter();
                    level = inputs.map(|input| levels[input.index()]).max().unwrap_or(0).max(level);
                }
            }
            members.iter().for_each(|node| levels[node.index()] = level + u32::from(gate));
        }
        levels
    }
}
