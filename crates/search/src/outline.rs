//! The top of the tree as data, for drawings.

use gamegrove_game::{Game, Move, Role};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::core::Core;
use crate::search::Search;
use crate::tree::NodeId;

/// A node of an outline.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlineNode {
    /// The moves that lead here, of roles that had a choice; none for the root.
    pub moves: Vec<(Role, Move)>,
    /// Simulations that came here.
    pub visits: u64,
    /// Their mean goal for the role the outline is for, from 0 to 100.
    pub mean: Option<f64>,
    /// The step of the match in which it was last met.
    pub step: u32,
    /// Its successors, by their places in the outline, the most visited first.
    pub children: Vec<usize>,
}

impl<G: Game> Search<G> {
    /// The tree down to `depth` steps below the root, with at most `width` successors of each node;
    /// the first node is the root. Open-loop trees have no outline but their root.
    pub fn outline(&self, role: Role, depth: usize, width: usize) -> Vec<OutlineNode> {
        let core = &self.known.core;
        let Some(root) = core.run.root else { return Vec::new() };
        let mut nodes = vec![outline_node(core, root, role, Vec::new())];
        // The places of nodes whose successors are still to come.
        let mut level = vec![(0, root)];
        for _ in 0..depth {
            let mut next = Vec::new();
            for (place, at) in level {
                let mut below = if core.tree.node(at).is_terminal() || core.settings.open_loop {
                    Vec::new()
                } else {
                    core.tree.children(at)
                };
                below.sort_by_key(|(_, child)| std::cmp::Reverse(passages(core, *child)));
                for (choice, child) in below.into_iter().take(width) {
                    let moves =
                        Role::all(core.run.roles).zip(&choice).filter_map(|(each, &place)| {
                            let moves = core.tree.moves(at, each);
                            (moves.len() > 1).then(|| (each, moves[place as usize]))
                        });
                    let node = outline_node(core, child, role, moves.collect());
                    let number = nodes.len();
                    nodes[place].children.push(number);
                    next.push((nodes.len(), child));
                    nodes.push(node);
                }
            }
            level = next;
        }
        nodes
    }

    /// The most visited part of the tree, `most` nodes of it at most, each after its parent; the first
    /// node is the root. Open-loop trees have no outline but their root.
    pub fn most_visited(&self, role: Role, most: usize) -> Vec<OutlineNode> {
        let core = &self.known.core;
        let Some(root) = core.run.root else { return Vec::new() };
        let mut nodes = vec![outline_node(core, root, role, Vec::new())];
        // Nodes that could come next, by visits; of equals the one found first.
        let mut open = BinaryHeap::new();
        let mut found = 0u64;
        let (mut place, mut at) = (0, root);
        loop {
            if !core.tree.node(at).is_terminal() && !core.settings.open_loop {
                for (choice, child) in core.tree.children(at) {
                    found += 1;
                    open.push((passages(core, child), Reverse(found), place, at, choice, child));
                }
            }
            let Some((_, _, parent, from, choice, child)) = open.pop() else { return nodes };
            if nodes.len() >= most {
                return nodes;
            }
            let moves = Role::all(core.run.roles).zip(&choice).filter_map(|(each, &place)| {
                let moves = core.tree.moves(from, each);
                (moves.len() > 1).then(|| (each, moves[place as usize]))
            });
            place = nodes.len();
            at = child;
            nodes[parent].children.push(place);
            nodes.push(outline_node(core, child, role, moves.collect()));
        }
    }
}

/// Simulations that came to a node: those that went on from it and the one that added it.
fn passages(core: &Core, id: NodeId) -> u64 {
    u64::from(core.tree.node(id).visits) + u64::from(Some(id) != core.run.root)
}

fn outline_node(core: &Core, id: NodeId, role: Role, moves: Vec<(Role, Move)>) -> OutlineNode {
    let mean = match core.tree.goals(id) {
        Some(goals) => Some(f64::from(goals[role.index()].0)),
        None => {
            let statistics = core.tree.statistics(id, role);
            let visits: u32 = statistics.iter().map(|statistic| statistic.visits).sum();
            let sum: f64 = statistics.iter().map(|statistic| statistic.sum).sum();
            (visits > 0).then(|| sum / f64::from(visits))
        }
    };
    let step = core.tree.node(id).stamp;
    OutlineNode { moves, visits: passages(core, id), mean, step, children: Vec::new() }
}
