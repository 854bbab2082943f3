//! A line to the best end, in games of one role (source: Gamegrove).
//!
//! First all positions are met, those near the root before those further away. If one with 100 points is met
//! the line to it is a shortest one, and if there are no more positions the best end is proved best. Where there
//! are too many for that, lines are followed to their ends, over moves that leave the fewest moves first
//! (Warnsdorff's rule for the knight's tour), then in the order of the game; positions all of whose lines were
//! followed in vain are not looked at again.

use gamegrove_game::{Move, Role};

use super::{Answer, Walk};
use crate::budget::Budget;
use crate::solver::Bounds;

/// Positions that are met at most, before and after lines are followed.
const POSITIONS: u64 = 2_000_000;

/// The share of the time that all takes, and that meeting all positions takes of it.
const SHARE: f64 = 0.8;
const BREADTH: f64 = 0.6;

/// The longest lines that are followed.
const LONGEST: usize = 500;

/// The line of the only role to an end with 100 points, or to the best if that is proved.
pub(super) fn find(walk: &mut dyn Walk, budget: &Budget<'_>) -> Option<Answer> {
    let most = match budget.is_counted() {
        true => POSITIONS.min(budget.simulation_limit()),
        false => POSITIONS,
    };
    let budget = budget.share(SHARE);
    match breadth(walk, most, &budget.share(BREADTH)) {
        Breadth::Best(found) => Some(found),
        Breadth::TooMany => {
            let orders = [Order::FewestFirst, Order::AsListed];
            orders.into_iter().find_map(|order| {
                let mut lines = Lines {
                    order,
                    left: most / 2,
                    budget: &budget,
                    vain: Vec::new(),
                    line: Vec::new(),
                };
                let found = lines.follow(walk)?;
                found.then(|| answer(lines.line, 100.0))
            })
        }
    }
}

/// The answer that plays a line to an end with a goal.
fn answer(mut line: Vec<Move>, goal: f64) -> Answer {
    let mov = line.remove(0);
    Answer { mov, moves: vec![(mov, Bounds { low: goal, high: goal })], line }
}

/// What meeting positions by their distance has found.
enum Breadth {
    /// A line to the best end.
    Best(Answer),
    /// There are too many positions.
    TooMany,
}

/// Meets positions by their distance from the one of `walk`, which it leaves as it was.
fn breadth(walk: &mut dyn Walk, most: u64, budget: &Budget<'_>) -> Breadth {
    let role = Role(0);
    let root = walk.number();
    // How each position was first met, by its number; numbers are given in the order of meeting.
    let mut from: Vec<(u32, Move)> = vec![(root, Move(0)); root as usize + 1];
    let mut best: Option<(f32, u32)> = None;
    let mut at = root;
    let mut looked = 0;
    'all: while (at as usize) < from.len() {
        walk.go_to(at);
        for place in 0..if walk.ended().is_some() { 0 } else { walk.legal(role).len() } {
            looked += 1;
            if looked > most || looked.is_multiple_of(64) && budget.is_late() {
                walk.go_to(root);
                return Breadth::TooMany;
            }
            let mov = walk.legal(role)[place];
            walk.play(&[mov]);
            let number = walk.number();
            if number as usize == from.len() {
                from.push((at, mov));
                if let Some(goals) = walk.ended()
                    && best.is_none_or(|(goal, _)| goals[0].0 > goal)
                {
                    best = Some((goals[0].0, number));
                }
            }
            walk.take_back();
            if best.is_some_and(|(goal, _)| goal >= 100.0) {
                break 'all;
            }
        }
        at += 1;
    }
    walk.go_to(root);
    // A game that was stopped ends everywhere.
    let Some((goal, mut at)) = best.filter(|_| !budget.is_late()) else { return Breadth::TooMany };
    let mut line = Vec::new();
    while at != root {
        let (before, mov) = from[at as usize];
        line.push(mov);
        at = before;
    }
    line.reverse();
    Breadth::Best(answer(line, f64::from(goal)))
}

/// Which moves of a line are followed first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    FewestFirst,
    AsListed,
}

/// Lines that are followed to their ends.
struct Lines<'b> {
    order: Order,
    /// Positions that may still be met.
    left: u64,
    budget: &'b Budget<'b>,
    /// By number, whether all lines of a position were followed in vain.
    vain: Vec<bool>,
    line: Vec<Move>,
}

impl Lines<'_> {
    /// Whether a line from here ends with 100 points, which is then in `line`; `None` if there are too many
    /// positions. It calls itself at most [`LONGEST`] deep.
    fn follow(&mut self, walk: &mut dyn Walk) -> Option<bool> {
        if let Some(goals) = walk.ended() {
            return Some(goals[0].0 >= 100.0);
        }
        let number = walk.number() as usize;
        if self.vain.len() <= number {
            self.vain.resize(number + 1, false);
        }
        if self.vain[number] {
            return Some(false);
        }
        if self.line.len() >= LONGEST {
            return None;
        }
        let mut moves: Vec<(usize, Move)> = Vec::new();
        for place in 0..walk.legal(Role(0)).len() {
            let mov = walk.legal(Role(0))[place];
            let open = match self.order {
                Order::FewestFirst => self.open_moves_after(walk, mov)?,
                Order::AsListed => 0,
            };
            moves.push((open, mov));
        }
        moves.sort_by_key(|&(open, _)| open);
        for (_, mov) in moves {
            self.count()?;
            walk.play(&[mov]);
            self.line.push(mov);
            let found = self.follow(walk);
            walk.take_back();
            if found? {
                return Some(true);
            }
            self.line.pop();
        }
        self.vain[number] = true;
        Some(false)
    }

    /// How many moves after a move do not end in vain.
    fn open_moves_after(&mut self, walk: &mut dyn Walk, mov: Move) -> Option<usize> {
        walk.play(&[mov]);
        let count = if walk.ended().is_some() { 0 } else { walk.legal(Role(0)).len() };
        let mut open = 0;
        for place in 0..count {
            if self.count().is_none() {
                walk.take_back();
                return None;
            }
            let next = walk.legal(Role(0))[place];
            walk.play(&[next]);
            open += usize::from(walk.ended().is_none_or(|goals| goals[0].0 >= 100.0));
            walk.take_back();
        }
        walk.take_back();
        Some(open)
    }

    fn count(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let looks_at_clock = self.left.is_multiple_of(64);
        (!looks_at_clock || !self.budget.is_late()).then_some(())
    }
}
