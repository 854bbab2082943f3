//! Strongly connected components, by Tarjan's algorithm with a stack of its own: graphs of ground
//! rules are millions of nodes deep.

/// A directed graph with nodes `0..node_count()`, edges stored flat.
#[derive(Clone, Debug)]
pub struct Graph {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// The graph with `nodes` nodes and the given edges.
    pub fn new(nodes: usize, edges: &[(u32, u32)]) -> Graph {
        let mut starts = vec![0u32; nodes + 1];
        for &(from, _) in edges {
            starts[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut fill = starts.clone();
        let mut targets = vec![0; edges.len()];
        for &(from, to) in edges {
            let slot = &mut fill[from as usize];
            targets[*slot as usize] = to;
            *slot += 1;
        }
        Graph { starts, targets }
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The nodes that `node` has edges to.
    pub fn targets(&self, node: u32) -> &[u32] {
        &self.targets[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// The strongly connected components: a number for each node. A component's number is larger
    /// than those of all components it has edges to.
    pub fn components(&self) -> Components {
        const UNSEEN: u32 = u32::MAX;
        let nodes = self.node_count();
        let mut order = vec![UNSEEN; nodes];
        let mut low = vec![0u32; nodes];
        let mut of = vec![UNSEEN; nodes];
        let mut path: Vec<u32> = Vec::new();
        let mut calls: Vec<(u32, u32)> = Vec::new();
        let (mut clock, mut count) = (0, 0);
        for root in 0..nodes as u32 {
            if order[root as usize] != UNSEEN {
                continue;
            }
            calls.push((root, 0));
            while let Some(&mut (node, ref mut edge)) = calls.last_mut() {
                let n = node as usize;
                if *edge == 0 {
                    order[n] = clock;
                    low[n] = clock;
                    clock += 1;
                    path.push(node);
                }
                if let Some(&target) = self.targets(node).get(*edge as usize) {
                    *edge += 1;
                    let t = target as usize;
                    if order[t] == UNSEEN {
                        calls.push((target, 0));
                    } else if of[t] == UNSEEN {
                        low[n] = low[n].min(order[t]);
                    }
                    continue;
                }
                // A node without edges stays at edge 0; it is popped here before it is seen again.
                calls.pop();
                if let Some(&(parent, _)) = calls.last() {
                    low[parent as usize] = low[parent as usize].min(low[n]);
                }
                if low[n] == order[n] {
                    while let Some(member) = path.pop() {
                        of[member as usize] = count;
                        if member == node {
                            break;
                        }
                    }
                    count += 1;
                }
            }
        }
        Components { of, count: count as usize }
    }
}

/// The strongly connected components of a graph.
#[derive(Clone, Debug)]
pub struct Components {
    /// The component of each node.
    pub of: Vec<u32>,
    /// How many components there are.
    pub count: usize,
}

impl Components {
    /// The nodes of each component.
    pub fn members(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.count];
        for (node, &component) in self.of.iter().enumerate() {
            members[component as usize].push(node as u32);
        }
        members
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_share_a_component_and_targets_come_first() {
        let graph = Graph::new(6, &[(0, 1), (1, 2), (2, 1), (2, 3), (4, 4), (5, 0)]);
        let found = graph.components();
        assert_eq!(found.count, 5);
        assert_eq!(found.of[1], found.of[2]);
        assert!(found.of[3] < found.of[2] && found.of[2] < found.of[0]);
        assert!(found.of[0] < found.of[5]);
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let edges: Vec<_> = (0..300_000).map(|n| (n, n + 1)).collect();
        assert_eq!(Graph::new(300_001, &edges).components().count, 300_001);
    }
}
