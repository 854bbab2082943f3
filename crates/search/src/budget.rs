//! How long a search may go on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// When a search stops: at whichever limit it reaches first. Without any it would not stop, so a
/// budget always has one.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    simulations: u64,
    deadline: Option<Instant>,
    stop: Option<&'a AtomicBool>,
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All simulations were made.
    Simulations,
    /// The time was over.
    Time,
    /// Someone else asked for it.
    Asked,
    /// The position is decided: nothing is left to find out.
    Solved,
}

impl Budget<'static> {
    /// So many simulations.
    pub fn simulations(count: u64) -> Self {
        Budget { simulations: count, deadline: None, stop: None }
    }

    /// Until a moment.
    pub fn until(deadline: Instant) -> Self {
        Budget { simulations: u64::MAX, deadline: Some(deadline), stop: None }
    }
}

impl<'a> Budget<'a> {
    /// At most so many simulations, besides the other limits.
    pub fn and_simulations(self, count: u64) -> Self {
        Budget { simulations: self.simulations.min(count), ..self }
    }

    /// At most until a moment, besides the other limits.
    pub fn and_until(self, deadline: Instant) -> Self {
        let deadline = self.deadline.map_or(deadline, |own| own.min(deadline));
        Budget { deadline: Some(deadline), ..self }
    }

    /// Also when `stop` becomes true.
    pub fn and_unless(self, stop: &AtomicBool) -> Budget<'_> {
        Budget { stop: Some(stop), simulations: self.simulations, deadline: self.deadline }
    }

    /// The number of simulations allowed.
    pub fn simulation_limit(&self) -> u64 {
        self.simulations
    }

    /// Whether simulations are all that limits it.
    pub fn is_counted(&self) -> bool {
        self.simulations < u64::MAX && self.deadline.is_none()
    }

    /// Whether the time is over or someone asked to stop, whatever was done.
    pub fn is_late(&self) -> bool {
        Budget { simulations: u64::MAX, ..*self }.is_spent(0).is_some()
    }

    /// Whether to stop after `done` simulations, and why.
    #[inline]
    pub fn is_spent(&self, done: u64) -> Option<Stop> {
        if done >= self.simulations {
            return Some(Stop::Simulations);
        }
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Stop::Asked);
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        late.then_some(Stop::Time)
    }
}
