//! What a decision may cost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gamegrove_agents::Budget as Running;

/// A flag that ends long work when it is set.
pub type StopFlag = Arc<AtomicBool>;

/// The limits of one decision: simulations, steps of the game, time on the wall, processor time. It is a
/// plan: its clocks start with [`begin`](Budget::begin), on the thread that does the work, so a budget can
/// be kept, copied and handed to other threads. It carries the flag that ends the work early.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    simulations: Option<u64>,
    advances: Option<u64>,
    time: Option<Duration>,
    processor: Option<Duration>,
    until: Option<Instant>,
    clock_until: Option<Instant>,
    stop: Option<StopFlag>,
}

impl Budget {
    /// No limit but the stop flag.
    pub fn endless() -> Budget {
        Budget::default()
    }

    /// Nothing: the player must answer at once.
    pub fn nothing() -> Budget {
        Budget::simulations(0)
    }

    /// This many simulations, however long they take.
    pub fn simulations(count: u64) -> Budget {
        Budget { simulations: Some(count), ..Budget::default() }
    }

    /// This many steps of the forward model.
    pub fn advances(count: u64) -> Budget {
        Budget { advances: Some(count), ..Budget::default() }
    }

    /// This much time on the wall.
    pub fn time(time: Duration) -> Budget {
        Budget { time: Some(time), ..Budget::default() }
    }

    /// This much processor time of the thread that begins.
    pub fn processor(time: Duration) -> Budget {
        Budget { processor: Some(time), ..Budget::default() }
    }

    /// Ends at this moment.
    pub fn until(deadline: Instant) -> Budget {
        Budget { until: Some(deadline), ..Budget::default() }
    }

    /// At most this many simulations, besides the other limits.
    pub fn and_simulations(self, count: u64) -> Budget {
        let simulations = Some(self.simulations.map_or(count, |own| own.min(count)));
        Budget { simulations, ..self }
    }

    /// At most this much time on the wall, besides the other limits.
    pub fn and_time(self, time: Duration) -> Budget {
        Budget { time: Some(self.time.map_or(time, |own| own.min(time))), ..self }
    }

    /// A slice of a clock that goes on until a moment: what is planned for the clock is planned for all of
    /// it.
    pub fn of_clock_until(self, end: Instant) -> Budget {
        Budget { clock_until: Some(end), ..self }
    }

    /// Also ends when `stop` is set.
    pub fn with_stop(self, stop: &StopFlag) -> Budget {
        Budget { stop: Some(Arc::clone(stop)), ..self }
    }

    /// The same limits, this many times as large; a deadline stays.
    pub fn times(self, count: u32) -> Budget {
        let longer = |time: Duration| time.saturating_mul(count);
        let more = |each: u64| each.saturating_mul(u64::from(count));
        Budget {
            simulations: self.simulations.map(more),
            advances: self.advances.map(more),
            time: self.time.map(longer),
            processor: self.processor.map(longer),
            ..self
        }
    }

    /// The number of simulations allowed, if they are counted.
    pub fn simulation_limit(&self) -> Option<u64> {
        self.simulations
    }

    /// The time allowed from now, if there is a clock; processor time counts as time.
    pub fn time_limit(&self) -> Option<Duration> {
        let left = self.until.map(|at| at.saturating_duration_since(Instant::now()));
        self.time.into_iter().chain(self.processor).chain(left).min()
    }

    /// Whether the work was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// The flag that ends the work, if there is one.
    pub fn stop(&self) -> Option<&StopFlag> {
        self.stop.as_ref()
    }

    /// Starts the clocks, for the thread that calls this.
    pub fn begin(&self) -> Running<'_> {
        let mut running = match (self.processor, self.advances) {
            (Some(time), _) => Running::processor(time),
            (None, Some(count)) => Running::advances(count),
            (None, None) => Running::simulations(u64::MAX),
        };
        if let Some(count) = self.simulations {
            running = running.and_simulations(count);
        }
        if let Some(end) = self.time.and_then(|time| Instant::now().checked_add(time)) {
            running = running.and_until(end);
        }
        if let Some(end) = self.until {
            running = running.and_until(end);
        }
        if let Some(end) = self.clock_until {
            running = running.of_clock_until(end);
        }
        match &self.stop {
            Some(stop) => running.and_unless(stop),
            None => running,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_add_up_and_the_flag_ends_the_work() {
        let stop = StopFlag::default();
        let budget = Budget::simulations(10).and_simulations(4).with_stop(&stop).times(3);
        assert_eq!(budget.simulation_limit(), Some(12));
        assert_eq!(budget.begin().simulation_limit(), 12);
        assert!(budget.begin().is_spent(11).is_none());
        assert!(budget.begin().is_spent(12).is_some());
        stop.store(true, Ordering::Relaxed);
        assert!(budget.is_stopped() && budget.begin().is_late());
        assert!(Budget::time(Duration::ZERO).begin().is_late());
        assert!(!Budget::endless().begin().is_late());
        assert_eq!(Budget::nothing().begin().simulation_limit(), 0);
    }

    #[test]
    fn clocks_start_with_the_work() {
        let budget = Budget::time(Duration::from_secs(60)).and_time(Duration::from_secs(50));
        std::thread::sleep(Duration::from_millis(5));
        let left = budget.begin().remaining().expect("a clock runs");
        assert!(left > Duration::from_millis(49_999), "{left:?}");
    }
}
