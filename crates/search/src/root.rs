//! The root of the tree: what is kept when it changes, and what is dropped when memory is used up.

use std::hash::Hash;

use gamegrove_game::Move;

use crate::settings::Reuse;
use crate::simulate::Knowledge;
use crate::tree::{Facts, Moved, Node, NodeId};

/// For how many nodes room is made at once.
const MOST_ROOM: u64 = 1 << 15;

impl<S: Clone + Eq + Hash> Knowledge<S> {
    /// Makes a state the root, ages statistics and drops what is out of date.
    pub(crate) fn set_root(&mut self, state: &S, facts: &Facts<'_>) {
        let core = &mut self.core;
        core.new_step();
        let oldest = core.run.step.saturating_sub(core.settings.keep_steps);
        let reuse = core.settings.reuse;
        let known = if reuse == Reuse::Nothing { None } else { self.find_root(state) };
        let core = &mut self.core;
        if let Some(root) = known {
            core.stamp_best_line(root);
        }
        let moved = match (reuse, known) {
            // Where equal states are one node, a root that is not in the table may lead to nodes that are.
            (Reuse::Graph, _) if known.is_some() || core.settings.merge => {
                if let Some(root) = known {
                    core.tree.node_mut(root).stamp = core.run.step;
                }
                core.tree.retain_since(oldest)
            }
            (Reuse::Tree, Some(root)) => core.tree.retain_reachable(root),
            _ => core.tree.clear(),
        };
        self.follow(&moved);
        let root = match known {
            Some(root) => moved.get(root).expect("the root is kept"),
            None => self.add_node(state, facts),
        };
        self.core.start_at(root);
    }

    /// Makes the successor by the joint move `played` the root of an open tree; a new node if there is
    /// none. `facts` are those of its state: its moves can be reported and played before the first
    /// simulation.
    pub(crate) fn set_open_root(&mut self, played: &[Move], facts: &Facts<'_>) {
        let core = &mut self.core;
        core.new_step();
        let known = match core.settings.reuse {
            Reuse::Nothing => None,
            _ => core.run.root.and_then(|root| core.tree.open_child(root, played)),
        };
        let moved = match known {
            Some(known) => core.tree.retain_reachable(known),
            None => core.tree.clear(),
        };
        self.follow(&moved);
        let core = &mut self.core;
        let root = match known {
            Some(known) => moved.get(known).expect("the root is kept"),
            None => core.tree.add_open(core.run.step),
        };
        core.start_at(root);
        core.tree.meet_moves(root, &facts.by_role());
    }

    /// The node of a state, also in trees in which equal states are several nodes: then it is a
    /// successor of the old root.
    fn find_root(&self, state: &S) -> Option<NodeId> {
        if self.core.settings.merge {
            return self.states.find(state);
        }
        let is_it = |id: &NodeId| self.states.of(*id) == Some(state);
        let root = self.core.run.root?;
        let children = self.core.tree.children(root).into_iter().map(|(_, child)| child);
        std::iter::once(root).chain(children).find(is_it)
    }

    fn follow(&mut self, moved: &Moved) {
        self.core.follow(moved);
        self.states.move_nodes(moved);
    }

    /// Makes room for the nodes that so many simulations may add: growing step by step would copy all
    /// nodes again and again.
    pub(crate) fn make_room(&mut self, simulations: u64) {
        let Knowledge { core, states } = self;
        // What the tree may still take has room for many more than these, with states, moves and numbers.
        let left = core.settings.memory.saturating_sub(core.tree.bytes() + states.bytes());
        let fits = left / (16 * size_of::<Node>());
        let nodes = (simulations.min(MOST_ROOM) as usize).min(fits);
        core.tree.reserve(nodes);
        states.reserve(nodes);
    }

    /// Drops the least visited nodes if the memory is used up; says where the others went.
    pub(crate) fn keep_within_memory(&mut self) -> Option<Moved> {
        self.states.fill(self.core.tree.len());
        // Tables count their bytes entry by entry; so not every time.
        if !self.core.run.counts.simulations.is_multiple_of(1024)
            || self.bytes() <= self.core.settings.memory
        {
            return None;
        }
        let core = &mut self.core;
        if core.learned.tables.bytes() > core.settings.memory / 2 {
            core.learned.tables.forget_rare();
        }
        let root = core.run.root.expect("a search has a root");
        let before = core.tree.len();
        let moved = core.tree.drop_least_visited(root, 0.5);
        core.run.root = moved.get(root);
        core.run.counts.dropped += (before - core.tree.len()) as u64;
        self.follow(&moved);
        Some(moved)
    }

    /// The memory of tree, states and tables, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.core.bytes() + self.states.bytes()
    }
}
