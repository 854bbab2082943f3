//! Bounds of roles of which one's gain need not be another's loss: more than two roles, or goals that do
//! not add up to 100 (source: Gamegrove).
//!
//! The lower bound of a role is what it can be sure of whatever the others do, the upper bound what it
//! can get if all others help. Both hold without a guess at what the others want. Where a role chooses
//! alone, both bounds of it are those of its best move; where others choose, it is sure of the least and
//! can hope for the most. Where several choose at once, a role is sure of the best of its moves, each with
//! the worst answers.

use gamegrove_game::Role;
use smallvec::SmallVec;

use super::{Bounds, MoveBounds, Solver, only_chooser};
use crate::tree::{NodeId, Tree};

/// Nodes with more joint moves than this are not worked out: each has to be looked at.
const MOST_JOINT: u64 = 1 << 10;

impl Solver {
    /// Works out the bounds of all roles in a node anew from its successors'.
    pub(super) fn refresh_each(&mut self, tree: &Tree, id: NodeId) {
        match only_chooser(tree, id, self.roles) {
            Some(chooser) => {
                let count = tree.node(id).move_count(chooser);
                let children: SmallVec<[Option<NodeId>; 8]> =
                    (0..count).map(|place| self.after(tree, id, chooser, place)).collect();
                for role in Role::all(self.roles) {
                    let of = |child: &Option<NodeId>| {
                        child.map_or(Bounds::UNKNOWN, |child| self.bounds(child, role))
                    };
                    let lows = children.iter().map(|child| of(child).low);
                    let low = if role == chooser {
                        lows.fold(0.0, f64::max)
                    } else {
                        lows.fold(100.0, f64::min)
                    };
                    let high = children.iter().map(|child| of(child).high).fold(0.0, f64::max);
                    self.set(id, role, Bounds { low, high });
                }
            }
            None => {
                for role in Role::all(self.roles) {
                    let rows = self.rows(tree, id, role);
                    let low = rows.iter().map(|row| row.low).fold(0.0, f64::max);
                    let high = rows.iter().map(|row| row.high).fold(0.0, f64::max);
                    self.set(id, role, Bounds { low, high });
                }
            }
        }
    }

    /// The bounds of each move of a role where others choose too: the least that the worst answers leave,
    /// and the most that the best answers give.
    pub(super) fn rows(&self, tree: &Tree, id: NodeId, role: Role) -> MoveBounds {
        let node = tree.node(id);
        let count = node.move_count(role);
        if node.joint_count() > MOST_JOINT {
            return SmallVec::from_elem(Bounds::UNKNOWN, count);
        }
        let answers = node.joint_count() / count as u64;
        let mut rows: MoveBounds =
            SmallVec::from_elem(Bounds { low: f64::INFINITY, high: 0.0 }, count);
        let mut known = vec![0u64; count];
        for (choice, child) in tree.children(id) {
            let (at, bounds) = (choice[role.index()] as usize, self.bounds(child, role));
            known[at] += 1;
            rows[at].low = rows[at].low.min(bounds.low);
            rows[at].high = rows[at].high.max(bounds.high);
        }
        for (row, known) in rows.iter_mut().zip(known) {
            if known < answers {
                *row = Bounds::UNKNOWN;
            }
        }
        rows
    }
}
