//! The sequence of values that matches are played with.
//!
//! The values of match `n` are proposed when the strategy knows the results of all matches before
//! `n - ahead + 1`, in order, and no others. So up to `ahead` matches are under way at a time, and
//! which of them ends first changes nothing.

use std::collections::VecDeque;

use gamegrove_game::Rng;
use gamegrove_tuning::{BuildError, Combination, Strategy};

use super::Task;

/// What to do next.
#[derive(Debug)]
pub(super) enum Next {
    /// Play match number `.0` with these values.
    Match(u32, Combination),
    /// Some result is awaited.
    Wait,
    /// All results are there.
    Over,
}

/// The strategy at work.
pub(super) struct Driver {
    strategy: Box<dyn Strategy>,
    rng: Rng,
    matches: u32,
    ahead: usize,
    /// How many were proposed.
    proposed: u32,
    /// What was proposed and not yet learnt from, with its points once they are known.
    flight: VecDeque<(Combination, Option<f64>)>,
    /// What was learnt from, in order.
    pub(super) trials: Vec<(Combination, f64)>,
}

impl Driver {
    pub(super) fn new(task: &Task) -> Result<Driver, BuildError> {
        Ok(Driver {
            strategy: task.strategy()?,
            rng: Rng::stream(task.order.seed, 1),
            matches: task.order.matches,
            ahead: task.order.ahead.max(1) as usize,
            proposed: 0,
            flight: VecDeque::new(),
            trials: Vec::new(),
        })
    }

    /// The next match, if there is one to play now.
    pub(super) fn next(&mut self) -> Next {
        if self.proposed == self.matches {
            while self.learn_first() {}
            return if self.flight.is_empty() { Next::Over } else { Next::Wait };
        }
        if self.flight.len() == self.ahead && !self.learn_first() {
            return Next::Wait;
        }
        let combination = self.strategy.next(&mut self.rng);
        self.flight.push_back((combination.clone(), None));
        self.proposed += 1;
        Next::Match(self.proposed - 1, combination)
    }

    /// Learns from the first match in flight, if its points are known.
    fn learn_first(&mut self) -> bool {
        let Some((_, Some(points))) = self.flight.front() else { return false };
        let points = *points;
        if let Some((combination, _)) = self.flight.pop_front() {
            self.strategy.update(&combination, points);
            self.trials.push((combination, points));
        }
        true
    }

    /// Match number `number` is over.
    pub(super) fn finished(&mut self, number: u32, points: f64) {
        let first = self.proposed as usize - self.flight.len();
        let place = (number as usize).checked_sub(first).and_then(|at| self.flight.get_mut(at));
        if let Some((_, known)) = place {
            *known = Some(points);
        }
    }

    /// What the strategy recommends.
    pub(super) fn best(&self) -> Option<Combination> {
        self.strategy.best()
    }
}
