//! How long a role can hold out in a lost position.
//!
//! A proof says that a role gets no more than a score, not how soon: the line that was proved first need
//! not be the shortest. So the lines from the root are looked at again, all of one length before any of
//! the next, until they lose or enough positions were looked at (source: Gamegrove).

use gamegrove_game::{Move, Role};

use super::{Walk, chooser};
use crate::budget::Budget;

/// Positions that may be looked at.
const POSITIONS: u32 = 20_000;

/// The most steps that are looked at.
const STEPS: u16 = 32;

/// After how many steps each move of a role loses against the best replies. A loss is an end with at most
/// `worst`. `None` for a move that was not seen to lose: it resists longer than the others, or as long.
pub(crate) fn steps_to_loss(
    walk: &mut dyn Walk,
    role: Role,
    worst: f32,
    budget: &Budget<'_>,
) -> Vec<Option<u16>> {
    let moves = walk.legal(role).to_vec();
    let mut found = vec![None; moves.len()];
    let mut joint = Vec::new();
    if chooser(walk, &mut joint) != Some(Some(role)) {
        return found;
    }
    let mut lines = Lines { role, worst, left: POSITIONS, budget };
    for steps in 1..=STEPS {
        for at in 0..moves.len() {
            if found[at].is_none() {
                joint[role.index()] = moves[at];
                let Some(loses) = lines.loses_after(walk, &joint, steps) else { return found };
                found[at] = loses.then_some(steps);
            }
        }
        if found.iter().all(Option::is_some) {
            break;
        }
    }
    found
}

struct Lines<'b> {
    role: Role,
    worst: f32,
    left: u32,
    budget: &'b Budget<'b>,
}

impl Lines<'_> {
    /// Whether the role loses within so many steps, of which the joint move is the first; `None` if
    /// there is too much to look at. It calls itself at most [`STEPS`] deep.
    fn loses_after(&mut self, walk: &mut dyn Walk, joint: &[Move], steps: u16) -> Option<bool> {
        if self.left == 0 || self.left.is_multiple_of(64) && self.budget.is_late() {
            return None;
        }
        self.left -= 1;
        walk.play(joint);
        let loses = self.loses(walk, steps - 1);
        walk.take_back();
        loses
    }

    fn loses(&mut self, walk: &mut dyn Walk, steps: u16) -> Option<bool> {
        if let Some(goals) = walk.ended() {
            return Some(goals[self.role.index()].0 <= self.worst);
        }
        let mut joint = Vec::new();
        let Some(chooser) = chooser(walk, &mut joint) else { return Some(false) };
        if steps == 0 {
            return Some(false);
        }
        let Some(chooser) = chooser else { return self.loses_after(walk, &joint, steps) };
        let own = chooser == self.role;
        for at in 0..walk.legal(chooser).len() {
            joint[chooser.index()] = walk.legal(chooser)[at];
            let loses = self.loses_after(walk, &joint, steps)?;
            if loses != own {
                return Some(loses);
            }
        }
        Some(own)
    }
}
