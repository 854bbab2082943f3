//! Open-loop trees: nodes without states, whose actions grow as they are met.

use std::hash::BuildHasher;

use gamegrove_game::{Move, Role};
use rustc_hash::FxBuildHasher;
use smallvec::smallvec;

use super::{Facts, NO_NUMBERS, NodeId, Tree};

impl Tree {
    /// Adds a node in which no move has been met yet.
    pub(crate) fn add_open(&mut self, step: u32) -> NodeId {
        let none = vec![0; self.roles];
        self.add(&Facts { ended: None, moves: &[], ends: &none }, step)
    }

    /// Makes sure that a node has all of these moves, one list per role. New ones go to the end, so
    /// places stay what they are.
    pub(crate) fn meet_moves(&mut self, id: NodeId, legal: &[&[Move]]) {
        let is_new = |tree: &Self, role: Role, mov: &Move| !tree.moves(id, role).contains(mov);
        let roles = Role::all(self.roles);
        if !roles
            .clone()
            .zip(legal)
            .any(|(role, moves)| moves.iter().any(|m| is_new(self, role, m)))
        {
            return;
        }
        // The old range is left behind until nodes are dropped the next time.
        let start = self.actions.moves.len() as u32;
        let numbers = self.actions.statistics.len() as u32;
        let mut ends = smallvec![];
        for (role, legal) in roles.zip(legal) {
            let new: Vec<Move> =
                legal.iter().copied().filter(|mov| is_new(self, role, mov)).collect();
            let (old_moves, old_numbers) = (self.node(id).moves(role), self.node(id).numbers(role));
            self.actions.moves.extend_from_within(old_moves);
            self.actions.moves.extend_from_slice(&new);
            if let Some(old) = old_numbers {
                self.actions.copy_own_numbers(old);
                let end = self.actions.moves.len();
                self.actions.add_numbers(end - new.len()..end);
            }
            ends.push(self.actions.moves.len() as u32 - start);
        }
        let node = self.node_mut(id);
        node.start = start;
        if node.numbers != NO_NUMBERS {
            node.numbers = numbers;
        }
        node.ends = ends;
        let count = node.action_count();
        self.actions.make_blank(count);
    }

    /// The successor of a node by a joint move.
    pub(crate) fn open_child(&self, id: NodeId, joint: &[Move]) -> Option<NodeId> {
        self.joint_links.get(&(id, joint_key(joint))).copied()
    }

    /// Links a node to its successor by a joint move.
    pub(crate) fn link_open(&mut self, id: NodeId, joint: &[Move], child: NodeId) {
        self.joint_links.insert((id, joint_key(joint)), child);
    }
}

/// A joint move as a key: exact for one or two roles, a hash for more.
fn joint_key(joint: &[Move]) -> u64 {
    match joint {
        [one] => u64::from(one.0),
        [one, two] => u64::from(one.0) | u64::from(two.0) << 32,
        all => FxBuildHasher.hash_one(all),
    }
}
