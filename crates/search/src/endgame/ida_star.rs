//! IDA* with a table of positions, for games of one role: the single-agent search of CadiaPlayer in 2007
//! [Finnsson 2012, 3.5.3; Reinefeld and Marsland 1994].
//!
//! Lines of one step are looked at, then of two, and so on, until one ends with 100. So it is a shortest
//! solution, and its first move is played; the search for the next move starts one step nearer. The table
//! has for each position how many steps were left when it was last looked at in vain: with no more of
//! them it need not be looked at again. Nothing is known of how far a position is from a solution, so the
//! estimate that A* adds is that of every game: a step, unless play is over.
//!
//! Where no line is cut off any more all have been looked at, and the best goal of any is proved best. If
//! the time or the number of positions does not suffice for either, the position is searched as ever.

use gamegrove_game::{Move, Rng, Role};

use super::{Answer, Endgame, Walk};
use crate::budget::Budget;
use crate::parameter::Parameter;
use crate::registry::Entry;
use crate::solver::Bounds;

const NODES: Parameter = Parameter::whole(
    "nodes",
    2e6,
    (1.0, 1e9),
    "positions that may be looked at; no more than simulations where those are counted",
);
const SHARE: Parameter =
    Parameter::real("share", 0.5, (0.0, 1.0), "the share of the time that it may take");

pub(super) const ENTRY: Entry<dyn Endgame> = Entry {
    name: "ida_star",
    sentence: "in games of one role ever longer lines are looked at until one solves the game",
    source: "Finnsson (2012), section 3.5.3",
    parameters: &[NODES, SHARE],
    build: |options| {
        Ok(Box::new(IdaStar { nodes: options.number(&NODES)?, share: options.number(&SHARE)? }))
    },
};

/// The longest lines that are looked at.
const LONGEST: u32 = 500;

struct IdaStar {
    nodes: f64,
    share: f64,
}

impl Endgame for IdaStar {
    fn solve(
        &self,
        walk: &mut dyn Walk,
        role: Role,
        budget: &Budget<'_>,
        _: &mut Rng,
    ) -> Option<Answer> {
        if walk.roles() != 1 || walk.ended().is_some() || walk.legal(role).len() < 2 {
            return None;
        }
        let most = match budget.is_counted() {
            true => self.nodes.min(budget.simulation_limit() as f64),
            false => self.nodes,
        };
        let budget = budget.share(self.share);
        let mut lines = Lines {
            role,
            looked: 0,
            most: most as u64,
            budget: &budget,
            in_vain: Vec::new(),
            cut: false,
            best: None,
        };
        for longest in 1..=LONGEST {
            lines.cut = false;
            lines.look(walk, longest, None)?;
            if !lines.cut || lines.is_solved() {
                if !lines.is_solved() && budget.is_late() {
                    // A game that was stopped ends everywhere.
                    return None;
                }
                let (goal, mov) = lines.best?;
                let goal = f64::from(goal);
                return Some(Answer {
                    mov,
                    moves: vec![(mov, Bounds { low: goal, high: goal })],
                    line: Vec::new(),
                });
            }
        }
        None
    }
}

/// All lines of some length from one position.
struct Lines<'b> {
    role: Role,
    /// Positions looked at so far, and how many may be.
    looked: u64,
    most: u64,
    budget: &'b Budget<'b>,
    /// By number of the position, the steps that were left when it was looked at in vain.
    in_vain: Vec<u32>,
    /// Whether a line was longer than what was looked at.
    cut: bool,
    /// The best goal of any line, and the first move of that line.
    best: Option<(f32, Move)>,
}

impl Lines<'_> {
    fn is_solved(&self) -> bool {
        self.best.is_some_and(|(goal, _)| goal >= 100.0)
    }

    /// Looks at all lines of at most so many steps, until one solves the game; `None` if there is too
    /// much to look at. It calls itself once a step.
    fn look(&mut self, walk: &mut dyn Walk, left: u32, first: Option<Move>) -> Option<()> {
        for at in 0..walk.legal(self.role).len() {
            let mov = walk.legal(self.role)[at];
            self.looked += 1;
            let looks_at_clock = self.looked.is_multiple_of(64);
            if self.looked > self.most || looks_at_clock && self.budget.is_late() {
                return None;
            }
            walk.play(&[mov]);
            let found = self.after(walk, left - 1, first.unwrap_or(mov));
            walk.take_back();
            found?;
            if self.is_solved() {
                break;
            }
        }
        Some(())
    }

    fn after(&mut self, walk: &mut dyn Walk, left: u32, first: Move) -> Option<()> {
        if let Some(goals) = walk.ended() {
            let goal = goals[self.role.index()].0;
            if self.best.is_none_or(|(best, _)| goal > best) {
                self.best = Some((goal, first));
            }
            return Some(());
        }
        let number = walk.number() as usize;
        if self.in_vain.len() <= number {
            self.in_vain.resize(number + 1, 0);
        }
        if left == 0 {
            // What was looked at before is reached with more steps left on another way.
            self.cut |= self.in_vain[number] == 0;
        } else if self.in_vain[number] < left {
            self.look(walk, left, Some(first))?;
            self.in_vain[number] = left;
        }
        Some(())
    }
}
