//! The move that is proved best, where all that can follow can be searched.
//!
//! Depth-first search to the end with alpha-beta bounds and a table of positions (source: Gamegrove). It
//! is for two roles whose goals add up to 100, as long as one of them chooses at a time. In games of one role
//! it looks for a [`line`] to the best end, also far from the end. In other games the others are taken to leave the player the least, and only a proof that it gets everything
//! counts.
//!
//! Among moves with the same worth, it plays one that wins soonest or loses last: a score is a
//! goal and the steps to it. Every move of the player is searched with a full window, so that what each
//! is worth can be reported.
//!
//! A few random lines tell first how many positions there may be: the product of the numbers of moves
//! along the way, of which alpha-beta needs the root at best. More than `nodes` are not tried.

use gamegrove_game::{Move, Rng, Role};

use super::{Answer, Endgame, Walk, chooser, line};
use crate::budget::Budget;
use crate::parameter::Parameter;
use crate::registry::Entry;
use crate::solver::Bounds;

const NODES: Parameter = Parameter::whole(
    "nodes",
    50_000.0,
    (1.0, 1e9),
    "positions that may be looked at; no more than simulations where those are counted",
);
const SHARE: Parameter =
    Parameter::real("share", 0.05, (0.0, 1.0), "the share of the time that it may take");

pub(super) const ENTRY: Entry<dyn Endgame> = Entry {
    name: "proof",
    sentence: "near the end the move is played that a search of all that can follow proves best; games of one role are solved as a whole if possible",
    source: "Gamegrove",
    parameters: &[NODES, SHARE],
    build: |options| {
        Ok(Box::new(Proof { nodes: options.number(&NODES)?, share: options.number(&SHARE)? }))
    },
};

/// The most steps that may be left.
const PLIES: u32 = 100;

/// Random lines that are played to see how much there is to look at.
const LINES: usize = 4;

struct Proof {
    nodes: f64,
    share: f64,
}

impl Endgame for Proof {
    fn solve(
        &self,
        walk: &mut dyn Walk,
        role: Role,
        budget: &Budget<'_>,
        rng: &mut Rng,
    ) -> Option<Answer> {
        if walk.ended().is_some() || walk.legal(role).len() < 2 {
            return None;
        }
        if walk.roles() == 1 {
            return line::find(walk, budget);
        }
        let mut joint = Vec::new();
        if chooser(walk, &mut joint)? != Some(role) {
            return None;
        }
        let most = match budget.is_counted() {
            true => self.nodes.min(budget.simulation_limit() as f64),
            false => self.nodes,
        };
        let budget = budget.share(self.share);
        if !is_small(walk, most, &budget, rng) {
            return None;
        }
        let mut lines = Lines {
            role,
            opposed: walk.roles() <= 2,
            looked: 0,
            most: most as u64,
            budget: &budget,
            known: Vec::new(),
        };
        let moves = walk.legal(role).to_vec();
        let mut scores = Vec::with_capacity(moves.len());
        for &mov in &moves {
            joint[role.index()] = mov;
            scores.push(lines.after(walk, &joint, (FLOOR, CEILING), 1)?);
        }
        let top = scores.iter().copied().max()?;
        if !lines.opposed && goal_of(top) < 100.0 {
            return None;
        }
        let best: Vec<Move> = moves
            .iter()
            .zip(&scores)
            .filter(|&(_, &score)| score == top)
            .map(|(&m, _)| m)
            .collect();
        let bounds = |score: i64| {
            let low = goal_of(score);
            Bounds { low, high: if lines.opposed { low } else { 100.0 } }
        };
        Some(Answer {
            mov: rng.pick(&best)?,
            moves: moves.iter().zip(&scores).map(|(&mov, &score)| (mov, bounds(score))).collect(),
            line: Vec::new(),
        })
    }
}

/// Whether a proof may need no more positions than `most`, by a few random lines. A line is left as soon
/// as it says no: in most positions that is after a few steps.
fn is_small(walk: &mut dyn Walk, most: f64, budget: &Budget<'_>, rng: &mut Rng) -> bool {
    let limit = 2.0 * most.ln();
    for _ in 0..LINES {
        let (mut steps, mut logarithm) = (0, 0.0);
        while walk.ended().is_none() && steps < PLIES && logarithm <= limit {
            if budget.is_late() {
                break;
            }
            let joint: Vec<Move> = Role::all(walk.roles())
                .map(|role| {
                    let legal = walk.legal(role);
                    logarithm += (legal.len() as f64).ln();
                    legal[rng.below(legal.len())]
                })
                .collect();
            walk.play(&joint);
            steps += 1;
        }
        let small = walk.ended().is_some() && logarithm <= limit;
        (0..steps).for_each(|_| walk.take_back());
        if small {
            return true;
        }
    }
    false
}

// A score is a goal in small units, times `STEPS`, and the steps to it: fewer are better above half of
// the points, more below. So scores are compared as numbers.

/// Units of a goal: what a goal can be told apart by.
const UNITS: f64 = (1 << 17) as f64;
const STEPS: i64 = 256;
/// Less and more than any score.
const FLOOR: i64 = -1 << 60;
const CEILING: i64 = 1 << 60;

fn score_of(goal: f32) -> i64 {
    (f64::from(goal) * UNITS).round() as i64 * STEPS
}

fn units_of(score: i64) -> i64 {
    (score + STEPS / 2).div_euclid(STEPS)
}

fn goal_of(score: i64) -> f64 {
    units_of(score) as f64 / UNITS
}

/// By how much a score changes with each step that there is to go before it.
fn change(score: i64) -> i64 {
    -(units_of(score) - units_of(score_of(50.0))).signum()
}

/// A score, one step before it.
fn before(score: i64) -> i64 {
    score + change(score)
}

/// A score, one step after it.
fn behind(score: i64) -> i64 {
    score - change(score)
}

/// All lines from one position.
struct Lines<'b> {
    role: Role,
    /// Whether the goals of all ends that were met add up to 100.
    opposed: bool,
    /// Positions looked at so far, and how many may be.
    looked: u64,
    most: u64,
    budget: &'b Budget<'b>,
    /// Bounds of the score of each position, by its number.
    known: Vec<(i64, i64)>,
}

impl Lines<'_> {
    /// The score of a position after a joint move, exactly within the window, otherwise a bound that
    /// lies outside; `None` if there is too much to look at. It calls itself at most [`PLIES`] deep.
    fn after(
        &mut self,
        walk: &mut dyn Walk,
        joint: &[Move],
        (floor, ceiling): (i64, i64),
        ply: u32,
    ) -> Option<i64> {
        self.looked += 1;
        let looks_at_clock = self.looked.is_multiple_of(64);
        if self.looked > self.most || ply > PLIES || looks_at_clock && self.budget.is_late() {
            return None;
        }
        walk.play(joint);
        let score = self.worth(walk, (behind(floor), behind(ceiling)), ply);
        walk.take_back();
        score.map(before)
    }

    fn worth(&mut self, walk: &mut dyn Walk, window: (i64, i64), ply: u32) -> Option<i64> {
        if let Some(goals) = walk.ended() {
            let sum: f32 = goals.iter().map(|goal| goal.0).sum();
            self.opposed &= goals.len() < 2 || (sum - 100.0).abs() < 1e-4;
            return Some(score_of(goals[self.role.index()].0));
        }
        let number = walk.number() as usize;
        if self.known.len() <= number {
            // Play goes on for a step at least.
            let all = (before(score_of(0.0)), before(score_of(100.0)));
            self.known.resize(number + 1, all);
        }
        let (low, high) = self.known[number];
        let (floor, ceiling) = (window.0.max(low), window.1.min(high));
        if floor >= ceiling {
            return Some(if low >= window.1 { low } else { high });
        }
        let mut joint = Vec::new();
        let chooser = chooser(walk, &mut joint)?;
        let (own, count) = match chooser {
            Some(chooser) => (chooser == self.role, walk.legal(chooser).len()),
            None => (true, 1),
        };
        let (mut from, mut to) = (floor, ceiling);
        let mut best = if own { FLOOR } else { CEILING };
        for at in 0..count {
            if let Some(chooser) = chooser {
                joint[chooser.index()] = walk.legal(chooser)[at];
            }
            let score = self.after(walk, &joint, (from, to), ply + 1)?;
            if own {
                best = best.max(score);
                from = from.max(best);
            } else {
                best = best.min(score);
                to = to.min(best);
            }
            if from >= to {
                break;
            }
        }
        let known = &mut self.known[number];
        if best > floor {
            known.0 = known.0.max(best);
        }
        if best < ceiling {
            known.1 = known.1.min(best);
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_ordered_by_goal_and_then_by_steps() {
        let aged = |goal: f32, steps: u32| (0..steps).fold(score_of(goal), |s, _| before(s));
        let order = [
            aged(0.0, 1),
            aged(0.0, 9),
            aged(49.5, 0),
            aged(49.5, 100),
            aged(50.0, 3),
            aged(75.0, 100),
            aged(75.0, 2),
            aged(100.0, 7),
            aged(100.0, 3),
        ];
        assert!(order.is_sorted() && order.windows(2).all(|pair| pair[0] < pair[1]), "{order:?}");
        assert_eq!(aged(50.0, 3), aged(50.0, 90));
        for score in order {
            assert_eq!((behind(before(score)), before(behind(score))), (score, score));
        }
        assert_eq!(goal_of(aged(33.25, 60)), 33.25);
    }
}
