//! Limits on time and memory, checked while work goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

/// How much one piece of work may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Time, if limited.
    pub time: Option<Duration>,
    /// Memory in bytes.
    pub memory: usize,
    /// Elementary steps, if limited: unlike time the same on every machine.
    pub steps: Option<u64>,
    /// Set by another thread to stop the work.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// The steps of [`Limits::default`]: half a minute or so of processor time.
const STEPS: u64 = 60_000_000;

impl Default for Limits {
    /// Sixty million steps for each stage of the work, and 2 GiB. What is done within these is the same
    /// on every machine, however busy it is.
    fn default() -> Self {
        Limits { time: None, memory: 2 << 30, steps: Some(STEPS), cancel: None }
    }
}

impl Limits {
    /// No limits: work is done when it is done.
    pub fn none() -> Limits {
        Limits { time: None, memory: usize::MAX, steps: None, cancel: None }
    }

    /// The time that is left for work that began at `start`.
    pub fn left(&self, start: Instant) -> Limits {
        let time = self.time.map(|time| time.saturating_sub(start.elapsed()));
        Limits { time, ..self.clone() }
    }
}

/// The reason why work stopped before it was done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LimitHit {
    /// Out of time.
    #[error("not done within {} s", .0.as_secs_f64())]
    Time(Duration),
    /// Out of steps.
    #[error("not done within {0} steps")]
    Steps(u64),
    /// Out of memory.
    #[error("not done within {} MiB of memory", .0 >> 20)]
    Memory(usize),
    /// Stopped from outside.
    #[error("stopped")]
    Cancelled,
    /// A term was nested too deeply.
    #[error("not done: terms grow without end")]
    EndlessTerms,
}

/// Watches the limits cheaply: the clock is read once in a few thousand steps.
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    deadline: Option<Instant>,
    countdown: u32,
    steps: u64,
}

const STEPS_PER_LOOK: u32 = 4096;

impl Meter {
    /// A meter that starts now.
    pub fn new(limits: &Limits) -> Meter {
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        Meter { limits: limits.clone(), deadline, countdown: STEPS_PER_LOOK, steps: 0 }
    }

    /// The steps counted so far.
    pub fn used(&self) -> u64 {
        self.steps + u64::from(STEPS_PER_LOOK - self.countdown)
    }

    /// Counts one step; now and then looks at the limits. `memory` is asked only then.
    #[inline]
    pub fn step(&mut self, memory: impl FnOnce() -> usize) -> Result<(), LimitHit> {
        self.countdown -= 1;
        if self.countdown > 0 {
            return Ok(());
        }
        self.countdown = STEPS_PER_LOOK;
        self.steps += u64::from(STEPS_PER_LOOK);
        self.check(memory())
    }

    /// Looks at the limits now, without counting a step.
    #[cold]
    pub fn check(&self, memory: usize) -> Result<(), LimitHit> {
        if let Some(limit) = self.limits.steps
            && self.steps > limit
        {
            return Err(LimitHit::Steps(limit));
        }
        if self.limits.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Err(LimitHit::Cancelled);
        }
        if memory > self.limits.memory {
            return Err(LimitHit::Memory(self.limits.memory));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(LimitHit::Time(self.limits.time.unwrap_or_default()));
        }
        Ok(())
    }
}
