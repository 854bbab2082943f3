//! How many simulations are to come, from those of the clocks that are over [Sironi 2019, formula 6.2].
//!
//! ```text
//! game = simulations of the start clock / start clock * play clock * turns
//! move = simulations of the last clock / last clock * play clock
//! ```
//!
//! `turns` is the mean length of the simulations of the start clock; the factor kappa of the formula is an
//! option of the strategy that plans. Clocks have a length in seconds, or in simulations where these are
//! what the budget counts. Where there is no start clock the first clock that had simulations stands for it.

use crate::budget::Budget;

/// The pace of a match: simulations and lengths of its clocks so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Clocks {
    /// Whether clocks count simulations.
    counted: bool,
    /// The length of the clock that is running, if one is.
    running: Option<f64>,
    /// Simulations of the present root that belong to clocks before, and their steps.
    before: (u64, u64),
    /// Simulations in a unit of time, in the last clock that had any.
    pace: Option<f64>,
    /// The same in the first clock that had any, and the mean length of its simulations.
    first: Option<(f64, f64)>,
}

/// Simulations to expect of a clock that begins, and of a game of such clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Expected {
    /// Simulations of the clock.
    pub clock: Option<f64>,
    /// Simulations of a game: those of a turn, and how many turns there are.
    pub game: Option<(f64, f64)>,
}

impl Clocks {
    /// A budget is there to be spent. If it is the first of its clock, says what to expect.
    pub(crate) fn begin(&mut self, budget: &Budget<'_>) -> Option<Expected> {
        if self.running.is_some() {
            return None;
        }
        let (counted, length) = (budget.is_counted(), budget.clock_length());
        if counted && length == 0.0 {
            // A step without a choice: nothing can be spent, and the clock that counts is another one.
            return None;
        }
        if counted != self.counted {
            *self = Clocks { counted, before: self.before, ..Clocks::default() };
        }
        self.running = Some(length);
        let unmeasured = counted.then_some(1.0);
        Some(Expected {
            clock: self.pace.or(unmeasured).map(|pace| pace * length),
            game: self.first.map(|(pace, turns)| (pace * length, turns)),
        })
    }

    /// The clock is over, after so many simulations of the present root with so many steps in all.
    pub(crate) fn end(&mut self, simulations: u64, steps: u64) {
        let made = simulations.saturating_sub(self.before.0);
        let steps_made = steps.saturating_sub(self.before.1);
        self.before = (simulations, steps);
        let Some(length) = self.running.take().filter(|&length| length > 0.0 && made > 0) else {
            return;
        };
        let pace = made as f64 / length;
        self.pace = Some(pace);
        self.first.get_or_insert((pace, steps_made as f64 / made as f64));
    }

    /// Another root: simulations are counted from 0 again.
    pub(crate) fn new_root(&mut self) {
        self.before = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn seconds(seconds: u64) -> Budget<'static> {
        Budget::until(Instant::now() + Duration::from_secs(seconds))
    }

    fn close(own: Option<f64>, worked: f64) {
        assert!(own.is_some_and(|own| (own / worked - 1.0).abs() < 0.01), "{own:?} {worked}");
    }

    #[test]
    fn formula_6_2_by_hand() {
        // 5000 simulations of 40 steps in a start clock of 1000 s, play clocks of 100 s.
        let mut clocks = Clocks::default();
        let start = clocks.begin(&seconds(1_000)).expect("a clock begins");
        assert_eq!((start.clock, start.game), (None, None));
        assert_eq!(clocks.begin(&seconds(500)), None, "the same clock");
        clocks.end(5_000, 200_000);
        let first = clocks.begin(&seconds(100)).expect("a clock begins");
        close(first.clock, 500.0);
        let (turn, turns) = first.game.expect("the start clock is over");
        close(Some(turn * turns), 5_000.0 / 1_000.0 * 100.0 * 40.0);
        // The same root: 800 simulations more, shorter ones. Then another root.
        clocks.end(5_800, 208_000);
        clocks.new_root();
        let second = clocks.begin(&seconds(200)).expect("a clock begins");
        close(second.clock, 1_600.0);
        let (turn, turns) = second.game.expect("known");
        close(Some(turn), 1_000.0);
        assert_eq!(turns, 40.0, "the length is that of the start clock");
    }

    #[test]
    fn counted_clocks_have_as_many_simulations_as_they_count() {
        let mut clocks = Clocks::default();
        let budget = Budget::simulations(200);
        let first = clocks.begin(&budget).expect("a clock begins");
        assert_eq!(first, Expected { clock: Some(200.0), game: None });
        // A turn without a choice has no simulations and says nothing.
        clocks.end(0, 0);
        clocks.new_root();
        clocks.begin(&budget);
        clocks.end(200, 1_500);
        clocks.new_root();
        let next = clocks.begin(&budget).expect("a clock begins");
        assert_eq!(next, Expected { clock: Some(200.0), game: Some((200.0, 7.5)) });
        // From simulations to time: nothing that was measured says anything.
        clocks.end(200, 1_000);
        assert_eq!(clocks.begin(&seconds(1)).and_then(|expected| expected.game), None);
    }
}
