//! How the players of a match are asked: one after another in this process, or in ways that other
//! crates know.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gamegrove_agents::Player;
use gamegrove_game::{Describe, Move, Role};

use crate::matches::clock::{Allowance, Clocks};
use crate::matches::record::{Ending, SearchRecord, Wrong};

/// A position of a match, for those who are to move in it.
#[derive(Debug)]
pub struct Position<'a, S> {
    /// Steps made before it.
    pub step: usize,
    /// The state.
    pub state: &'a S,
    /// What each role may do.
    pub legal: &'a [Vec<Move>],
    /// The joint move that led to it; empty at the start.
    pub last: &'a [Move],
}

/// What a player answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Its move, which the referee has yet to check; or why there is none, in words too.
    pub choice: Result<Move, (Wrong, String)>,
    /// How long it took.
    pub taken: Duration,
    /// What its search found, if that is known.
    pub search: Option<SearchRecord>,
}

/// All players of a match, and the way they are asked.
pub trait Panel<G: Describe> {
    /// The match starts in `state`. Returns what went wrong, with the role.
    fn start(&mut self, game: &mut G, state: &G::State) -> Vec<(Role, Wrong, String)>;

    /// Everybody's answer, in the order of the roles.
    fn ask(&mut self, game: &mut G, position: &Position<'_, G::State>) -> Vec<Answer>;

    /// Whether the match is to end at once. Its record is then of no use.
    fn is_called_off(&self) -> bool {
        false
    }

    /// The match is over; `last` is its last joint move, if there was one.
    fn finish(&mut self, game: &mut G, last: &[Move], ending: Ending);
}

/// Players in this process, asked one after another so that each has the processor for itself.
pub(crate) struct InTurn<'a, G: Describe> {
    pub(crate) players: &'a mut [Box<dyn Player<G>>],
    pub(crate) clocks: Clocks,
    /// How many times the allowance of the clocks each player gets; one, where there is nothing.
    pub(crate) patience: &'a [u32],
    /// Calls the match off when it is set.
    pub(crate) stop: &'a AtomicBool,
}

impl<G: Describe> InTurn<'_, G> {
    fn tell(&mut self, joint: &[Move]) {
        if !joint.is_empty() {
            self.players.iter_mut().for_each(|player| player.played(joint));
        }
    }

    fn allowance(&self, player: usize, allowance: Allowance) -> Allowance {
        allowance.times(self.patience.get(player).copied().unwrap_or(1))
    }

    fn is_late(&self, player: usize, taken: Duration) -> bool {
        match self.allowance(player, self.clocks.play) {
            Allowance::Time(time) => taken > time.saturating_add(self.clocks.grace),
            Allowance::Nothing | Allowance::Simulations(_) | Allowance::Processor(_) => false,
        }
    }
}

impl<G: Describe> Panel<G> for InTurn<'_, G> {
    fn start(&mut self, _: &mut G, state: &G::State) -> Vec<(Role, Wrong, String)> {
        if self.clocks.start != Allowance::Nothing {
            for at in 0..self.players.len() {
                let budget = self.allowance(at, self.clocks.start).budget();
                self.players[at].prepare(state, &budget.and_unless(self.stop));
            }
        }
        Vec::new()
    }

    fn ask(&mut self, _: &mut G, position: &Position<'_, G::State>) -> Vec<Answer> {
        self.tell(position.last);
        let mut answers = Vec::with_capacity(self.players.len());
        for at in 0..self.players.len() {
            let forced = position.legal[at].len() == 1 && !self.clocks.ponder;
            let allowance = if forced { Allowance::Nothing } else { self.clocks.play };
            let allowance = self.allowance(at, allowance);
            let start = Instant::now();
            let player = &mut self.players[at];
            let budget = allowance.budget();
            let chosen = player.choose(position.state, &budget.and_unless(self.stop));
            let taken = start.elapsed();
            let report = player.report();
            let search = chosen.zip(report);
            let search =
                search.map(|(mov, report)| SearchRecord::new(&report, mov, taken.as_secs_f64()));
            let choice = match chosen {
                None => Err((Wrong::Missing, "no move".to_owned())),
                Some(mov) if position.legal[at].contains(&mov) && self.is_late(at, taken) => {
                    Err((Wrong::Late, format!("{:.3} s for a move", taken.as_secs_f64())))
                }
                Some(mov) => Ok(mov),
            };
            answers.push(Answer { choice, taken, search });
        }
        answers
    }

    fn is_called_off(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn finish(&mut self, _: &mut G, last: &[Move], _: Ending) {
        self.tell(last);
    }
}
