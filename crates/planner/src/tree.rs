//! The tree of a plan: nodes are sequences of moves; in closed loop they keep a state as well.

use gamegrove_game::Move;

use super::stat::{Bounds, Stat};

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// Trees with more nodes than this are thinned when they are used again.
const LARGE: usize = 10_000;

/// A move at a node.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub mov: Move,
    pub child: u32,
    pub stat: Stat,
    /// Sum of squares of payoffs on the unit interval.
    pub squares: f64,
    /// Kept out by safety.
    pub unsafe_: bool,
    /// Whether it brings anything new, once that was tested.
    pub novel: Option<bool>,
}

#[derive(Clone, Debug)]
pub(crate) struct Node<S> {
    pub arms: Vec<Arm>,
    /// Visits.
    pub visits: f64,
    /// The state of the node, in closed loop.
    pub state: Option<Box<S>>,
    /// The features of the state when it was added, if novelty is of interest.
    pub atoms: Box<[u64]>,
    /// It was added when the score rose or play ended.
    pub eventful: bool,
    /// The payoffs seen, for comparisons within a node.
    pub bounds: Bounds,
}

#[derive(Clone, Debug)]
pub(crate) struct Tree<S> {
    pub nodes: Vec<Node<S>>,
}

impl<S: Clone> Tree<S> {
    pub(crate) fn new() -> Tree<S> {
        Tree { nodes: Vec::new() }
    }

    pub(crate) fn add(&mut self, moves: &[Move], bounds: Bounds) -> u32 {
        let arm = |&mov: &Move| Arm {
            mov,
            child: NONE,
            stat: Stat::EMPTY,
            squares: 0.0,
            unsafe_: false,
            novel: None,
        };
        self.nodes.push(Node {
            arms: moves.iter().map(arm).collect(),
            visits: 0.0,
            state: None,
            atoms: Box::default(),
            eventful: false,
            bounds,
        });
        (self.nodes.len() - 1) as u32
    }

    /// Keeps only what hangs below `root`, which becomes node 0; everything counts less by `decay`. A
    /// large tree loses what counts less than one visit by then: growing without end would cost more
    /// time than a tick has.
    pub(crate) fn descend_to(&mut self, root: u32, decay: f64) {
        let mut old: Vec<Option<Node<S>>> =
            std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        let large = old.len() > LARGE;
        self.nodes.reserve(LARGE);
        let mut order = vec![root];
        let mut at = 0;
        // Breadth first: children get their places in the order they are met.
        while at < order.len() {
            let Some(mut node) = old[order[at] as usize].take() else { break };
            node.visits *= decay;
            for arm in &mut node.arms {
                arm.stat.decay(decay);
                arm.squares *= decay;
                if large && arm.stat.visits < 1.0 {
                    arm.child = NONE;
                }
                if arm.child != NONE {
                    order.push(arm.child);
                    arm.child = (order.len() - 1) as u32;
                }
            }
            self.nodes.push(node);
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stat::{Payoff, Scale};

    #[test]
    fn a_subtree_becomes_the_tree() {
        let mut tree: Tree<()> = Tree::new();
        let moves = [Move(1), Move(2)];
        let ids: Vec<u32> = (0..4).map(|_| tree.add(&moves, Bounds::new(Scale::Huge))).collect();
        for (parent, arm, child) in [(0, 0, 1), (0, 1, 2), (2, 0, 3)] {
            tree.nodes[parent].arms[arm].child = ids[child];
            tree.nodes[parent].arms[arm].stat.add(&Payoff::default(), 1.0);
        }
        tree.nodes[2].visits = 1.0;
        tree.descend_to(2, 0.6);
        assert_eq!(tree.nodes.len(), 2);
        assert_eq!((tree.nodes[0].arms[0].child, tree.nodes[0].arms[1].child), (1, NONE));
        assert_eq!((tree.nodes[0].visits, tree.nodes[0].arms[0].stat.visits), (0.6, 0.6));
    }

    #[test]
    fn a_large_tree_loses_what_hardly_counts() {
        let mut tree: Tree<()> = Tree::new();
        for at in 0..=LARGE {
            tree.add(&[Move(1)], Bounds::new(Scale::Huge));
            tree.nodes[at].arms[0].child = if at < LARGE { at as u32 + 1 } else { NONE };
            // Twice visited down to the third node, once below it.
            (0..if at < 3 { 2 } else { 1 })
                .for_each(|_| tree.nodes[at].arms[0].stat.add(&Payoff::default(), 1.0));
        }
        tree.descend_to(1, 0.6);
        assert_eq!(tree.nodes.len(), 3);
        assert_eq!(tree.nodes[2].arms[0].child, NONE);
    }
}
