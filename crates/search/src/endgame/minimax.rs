//! The best move against the best replies, where all lines end soon.
//!
//! Decisive moves [Fernandes 2013, 5.3.2]: if at most `plies` moves are left and the player has
//! fewer than `moves` of them, the move to play is that of a full minimax search, equals at random. How
//! many moves are left is not known of a game in general: a line that does not end within `plies` shows
//! that there are too many, and the first one looked at does so at once.
//!
//! The player gets the most it can, all others leave it the least (so it is exact for two players with
//! opposite aims). Where several roles choose at once nothing is found. Lines that cannot matter are
//! left out (alpha-beta).

use gamegrove_game::{Move, Rng, Role};

use super::{Answer, Endgame, Walk, chooser};
use crate::budget::Budget;
use crate::parameter::Parameter;
use crate::registry::Entry;

const PLIES: Parameter =
    Parameter::whole("plies", 3.0, (1.0, 16.0), "the most steps that may be left");
const MOVES: Parameter = Parameter::whole(
    "moves",
    f64::INFINITY,
    (1.0, f64::INFINITY),
    "the player must have fewer moves than this",
);
const NODES: Parameter = Parameter::whole(
    "nodes",
    1e6,
    (1.0, f64::INFINITY),
    "positions that may be looked at; also the most that (moves now) ^ (steps left) may be",
);

pub(super) const ENTRY: Entry<dyn Endgame> = Entry {
    name: "minimax",
    sentence: "near the end all lines are looked at and the best move is played",
    source: "[Fernandes 2013, 5.3.2]",
    parameters: &[PLIES, MOVES, NODES],
    build: |options| {
        Ok(Box::new(Minimax {
            plies: options.number(&PLIES)? as u32,
            moves: options.number(&MOVES)?,
            nodes: options.number(&NODES)?,
        }))
    },
};

struct Minimax {
    plies: u32,
    moves: f64,
    nodes: f64,
}

impl Endgame for Minimax {
    fn solve(
        &self,
        walk: &mut dyn Walk,
        role: Role,
        budget: &Budget<'_>,
        rng: &mut Rng,
    ) -> Option<Answer> {
        if walk.ended().is_some() {
            return None;
        }
        let count = walk.legal(role).len() as f64;
        let left = steps_left(walk, self.plies)?;
        if count < 2.0 || count >= self.moves || count.powi(left as i32) > self.nodes {
            return None;
        }
        let mut lines = Lines { role, looked: 0, most: self.nodes, budget };
        let mut joint = Vec::new();
        if chooser(walk, &mut joint)? != Some(role) {
            return None;
        }
        let moves = walk.legal(role).to_vec();
        let (mut best, mut equals, mut top): (Option<Move>, _, _) = (None, 0, f32::NEG_INFINITY);
        for mov in moves {
            joint[role.index()] = mov;
            // Just below the best so far, so that equals are told from worse.
            let floor = top.next_down();
            let worth = lines.after(walk, &joint, self.plies - 1, (floor, f32::INFINITY))?;
            if worth > top {
                (best, equals, top) = (Some(mov), 1, worth);
            } else if worth == top {
                equals += 1;
                if rng.below(equals) == 0 {
                    best = Some(mov);
                }
            }
        }
        Some(Answer { mov: best?, moves: Vec::new(), line: Vec::new() })
    }
}

/// How many steps the first line has until play is over; `None` if more than `plies`.
fn steps_left(walk: &mut dyn Walk, plies: u32) -> Option<u32> {
    let mut steps = 0;
    while walk.ended().is_none() && steps < plies {
        let joint: Vec<Move> = Role::all(walk.roles()).map(|role| walk.legal(role)[0]).collect();
        walk.play(&joint);
        steps += 1;
    }
    let ended = walk.ended().is_some();
    (0..steps).for_each(|_| walk.take_back());
    ended.then_some(steps)
}

/// Lines from one position.
struct Lines<'b> {
    role: Role,
    /// Positions looked at so far, and how many may be.
    looked: u64,
    most: f64,
    budget: &'b Budget<'b>,
}

impl Lines<'_> {
    /// What a position is worth after a joint move, within a window; `None` if that cannot be found
    /// out. It calls itself no deeper than there are plies, of which there are few.
    fn after(
        &mut self,
        walk: &mut dyn Walk,
        joint: &[Move],
        plies: u32,
        window: (f32, f32),
    ) -> Option<f32> {
        self.looked += 1;
        let looks_at_clock = self.looked.is_multiple_of(256);
        if self.looked as f64 > self.most || looks_at_clock && self.budget.is_late() {
            return None;
        }
        walk.play(joint);
        let worth = self.worth(walk, plies, window);
        walk.take_back();
        worth
    }

    fn worth(&mut self, walk: &mut dyn Walk, plies: u32, window: (f32, f32)) -> Option<f32> {
        let (mut floor, mut ceiling) = window;
        if let Some(goals) = walk.ended() {
            return Some(goals[self.role.index()].0);
        }
        let plies = plies.checked_sub(1)?;
        let mut joint = Vec::new();
        let Some(chooser) = chooser(walk, &mut joint)? else {
            return self.after(walk, &joint, plies, window);
        };
        let own = chooser == self.role;
        let mut best = if own { f32::NEG_INFINITY } else { f32::INFINITY };
        for at in 0..walk.legal(chooser).len() {
            joint[chooser.index()] = walk.legal(chooser)[at];
            let worth = self.after(walk, &joint, plies, (floor, ceiling))?;
            if own {
                best = best.max(worth);
                floor = floor.max(best);
            } else {
                best = best.min(worth);
                ceiling = ceiling.min(best);
            }
            if floor >= ceiling {
                break;
            }
        }
        Some(best)
    }
}
