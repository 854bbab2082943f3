//! How long a search may go on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

/// When a search stops: at whichever limit it reaches first. Without any it would not stop, so a
/// budget always has one.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    simulations: u64,
    advances: u64,
    deadline: Option<Instant>,
    /// Since when processor time is counted, and how much of it there is.
    processor: Option<(Duration, Duration)>,
    /// When the clock ends that this budget is only a slice of.
    clock_ends: Option<Instant>,
    stop: Option<&'a AtomicBool>,
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All simulations were made.
    Simulations,
    /// The time was over.
    Time,
    /// The stop flag was set.
    Asked,
    /// The position is decided: nothing is left to find out.
    Solved,
    /// The simulations have generated as many states as they may.
    Expansions,
    /// The game has no more time of its own for this search.
    OwnTime,
}

impl Budget<'static> {
    /// So many simulations.
    pub fn simulations(count: u64) -> Self {
        Budget { simulations: count, ..Budget::ENDLESS }
    }

    /// Until a moment.
    pub fn until(deadline: Instant) -> Self {
        Budget { deadline: Some(deadline), ..Budget::ENDLESS }
    }

    /// So many steps of the game, tried one after another. A search that does not count them stops
    /// after as many simulations, since each takes at least one.
    pub fn advances(count: u64) -> Self {
        Budget { simulations: count, advances: count, ..Budget::ENDLESS }
    }

    /// So much processor time of the thread that calls this, whatever else the machine does. Another
    /// thread must not be given this budget: its time would not count.
    pub fn processor(time: Duration) -> Self {
        // A thread that waits uses no processor; nothing real waits as long as this.
        let deadline = Instant::now() + time.saturating_mul(100) + Duration::from_secs(1);
        Budget {
            processor: Some((thread_time(), time)),
            deadline: Some(deadline),
            ..Budget::ENDLESS
        }
    }

    const ENDLESS: Budget<'static> = Budget {
        simulations: u64::MAX,
        advances: u64::MAX,
        deadline: None,
        processor: None,
        clock_ends: None,
        stop: None,
    };
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
        let Budget { simulations, advances, deadline, processor, clock_ends, .. } = self;
        Budget { simulations, advances, deadline, processor, clock_ends, stop: Some(stop) }
    }

    /// A slice of a clock that goes on until a moment: what is planned for the clock is planned for
    /// all of it.
    pub fn of_clock_until(self, end: Instant) -> Self {
        Budget { clock_ends: Some(end), ..self }
    }

    /// How long the clock is that this budget is all or a slice of: in simulations if they are
    /// counted, else in seconds; 0 if nothing limits it but being asked to stop.
    pub(crate) fn clock_length(&self) -> f64 {
        if self.is_counted() {
            return self.simulations as f64;
        }
        let whole = self.clock_ends.map(|at| at.saturating_duration_since(Instant::now()));
        self.remaining().max(whole).unwrap_or_default().as_secs_f64()
    }

    /// A share of the time that is left, if a clock is running.
    pub fn share(self, share: f64) -> Self {
        match (self.remaining().map(|left| left.mul_f64(share)), self.processor) {
            (Some(time), Some(_)) => Budget { processor: Some((thread_time(), time)), ..self },
            (Some(time), None) => self.and_until(Instant::now() + time),
            (None, _) => self,
        }
    }

    /// The same for several threads at once: processor time belongs to one thread, so what is left of
    /// it becomes time on the wall.
    pub fn for_threads(self) -> Self {
        match (self.processor, self.remaining()) {
            (Some(_), Some(left)) => {
                Budget { processor: None, ..self }.and_until(Instant::now() + left)
            }
            _ => self,
        }
    }

    /// The same without its clocks.
    fn without_time(self) -> Self {
        Budget { deadline: None, processor: None, ..self }
    }

    /// The number of steps of the game allowed.
    pub fn advance_limit(&self) -> u64 {
        self.advances
    }

    /// The time that is left; `None` if no clock is running.
    pub fn remaining(&self) -> Option<Duration> {
        let own = self
            .processor
            .map(|(since, time)| time.saturating_sub(thread_time().saturating_sub(since)));
        let wall = self.deadline.map(|at| at.saturating_duration_since(Instant::now()));
        own.into_iter().chain(wall).min()
    }

    /// The number of simulations allowed.
    pub fn simulation_limit(&self) -> u64 {
        self.simulations
    }

    /// Whether simulations are all that limits it.
    pub fn is_counted(&self) -> bool {
        self.simulations < u64::MAX && self.deadline.is_none()
    }

    /// Whether the time is over or the stop flag is set, whatever was done.
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
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self
                .processor
                .is_some_and(|(since, time)| thread_time().saturating_sub(since) >= time);
        late.then_some(Stop::Time)
    }
}

/// How fast a search that makes one simulation (or one batch of them) after the other gets on with its
/// budget, so that it stops before one that would not fit.
pub struct Meter<'a> {
    budget: Budget<'a>,
    /// The time there was, if a clock is running.
    full: Option<Duration>,
    /// The time to keep in any case.
    buffer: Duration,
    /// How often it was asked: simulations or batches that were begun.
    rounds: u64,
    /// What was left when it was asked last, and how long the longest round took.
    before: Duration,
    longest: Duration,
    /// Whether one as long as the longest must fit, or a tenth of the time: longer ones are rare, and may
    /// have waited for others.
    careful: bool,
}

impl<'a> Meter<'a> {
    /// Measures a search that begins now and keeps `buffer` of its time unused.
    pub fn new(budget: Budget<'a>, buffer: Duration) -> Meter<'a> {
        let full = budget.remaining();
        let (before, longest) = (full.unwrap_or_default(), Duration::ZERO);
        Meter { full, budget, buffer, rounds: 0, before, longest, careful: false }
    }

    /// For a search whose simulations go to the end of the game: some take much longer than the mean.
    pub fn careful(self) -> Self {
        Meter { careful: true, ..self }
    }

    /// Whether to stop after `done` simulations, and why; asked before each one or each batch. Also
    /// stops where two more as long as the mean would not fit.
    #[inline]
    pub fn is_spent(&mut self, done: u64) -> Option<Stop> {
        let Some(full) = self.full else { return self.budget.is_spent(done) };
        if let Some(stop) = self.budget.without_time().is_spent(done) {
            return Some(stop);
        }
        let left = self.budget.remaining()?;
        let mean = full.saturating_sub(left).as_secs_f64() / self.rounds.max(1) as f64;
        self.rounds += 1;
        self.longest = self.longest.max(self.before.saturating_sub(left));
        self.before = left;
        let late = left.is_zero()
            || left < self.buffer
            || left.as_secs_f64() < 2.0 * mean
            || self.careful && left < self.longest.min(full / 10);
        late.then_some(Stop::Time)
    }
}

/// Processor time that this thread has used.
fn thread_time() -> Duration {
    ThreadTime::now().as_duration()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_ends_a_search() {
        assert_eq!(Budget::simulations(3).is_spent(2), None);
        assert_eq!(Budget::simulations(3).is_spent(3), Some(Stop::Simulations));
        assert_eq!(Budget::advances(5).is_spent(5), Some(Stop::Simulations));
        assert_eq!(Budget::advances(5).advance_limit(), 5);
        assert_eq!(Budget::simulations(3).remaining(), None);
        assert_eq!(Budget::processor(Duration::ZERO).is_spent(0), Some(Stop::Time));
        let long = Budget::processor(Duration::from_secs(3600));
        assert_eq!(long.is_spent(0), None);
        assert!(long.remaining().is_some_and(|left| left > Duration::from_secs(3000)));
        let soon = long.and_until(Instant::now() + Duration::from_secs(60));
        assert!(soon.remaining().is_some_and(|left| left <= Duration::from_secs(60)));
    }

    #[test]
    fn a_share_of_processor_time_is_processor_time_and_threads_get_time_on_the_wall() {
        let budget = Budget::processor(Duration::from_secs(3600));
        let shares = [budget.share(0.5), budget.share(0.5).share(0.5)];
        for (budget, seconds) in shares.into_iter().zip([1800, 900]) {
            assert!(budget.processor.is_some());
            let left = budget.remaining().expect("a clock");
            assert!(
                left.as_secs_f64() <= f64::from(seconds) && left.as_secs() >= seconds as u64 - 60
            );
        }
        let wall = budget.for_threads();
        let left = wall.remaining().expect("a clock").as_secs();
        assert!(wall.processor.is_none() && (3000..=3600).contains(&left), "{left}");
    }

    #[test]
    fn a_search_stops_before_a_simulation_that_would_not_fit() {
        let spin = |time: Duration| {
            let budget = Budget::processor(time);
            while budget.is_spent(0).is_none() {}
        };
        let time = Duration::from_millis(60);
        let budget = Budget::processor(time);
        let mut meter = Meter::new(budget, Duration::ZERO);
        let mut done = 0;
        while meter.is_spent(done).is_none() {
            spin(Duration::from_millis(10));
            done += 1;
        }
        // Beside the fifth there would be no room for a sixth.
        assert!((3..=5).contains(&done), "{done}");
        assert!(budget.remaining().is_some_and(|left| !left.is_zero()));
        // One simulation was long, and another such would not fit.
        let budget = Budget::processor(time);
        let mut meter = Meter::new(budget, Duration::ZERO).careful();
        assert_eq!(meter.is_spent(0), None);
        spin(Duration::from_millis(20));
        while meter.is_spent(1).is_none() {}
        assert!(budget.remaining().is_some_and(|left| left > Duration::from_millis(3)));
        let mut counted = Meter::new(Budget::simulations(3), time);
        assert_eq!(counted.is_spent(2), None);
        assert_eq!(counted.is_spent(3), Some(Stop::Simulations));
    }

    #[test]
    fn a_slice_knows_the_length_of_its_clock() {
        let soon = Instant::now() + Duration::from_secs(60);
        let slice = Budget::until(soon);
        let whole = slice.of_clock_until(soon + Duration::from_secs(3600));
        assert!((50.0..=60.0).contains(&slice.clock_length()));
        assert!((3650.0..=3660.0).contains(&whole.clock_length()));
        let stop = AtomicBool::new(false);
        assert!(whole.and_unless(&stop).clock_length() > 3650.0);
        assert_eq!(Budget::simulations(300).clock_length(), 300.0);
    }

    #[test]
    fn processor_time_ends_after_work_and_not_after_waiting() {
        let budget = Budget::processor(Duration::from_millis(20));
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(budget.is_spent(0), None, "nobody worked");
        let mut sum = 0u64;
        while budget.is_spent(0).is_none() {
            sum = std::hint::black_box(sum.wrapping_mul(3).wrapping_add(1));
        }
        assert_eq!(budget.remaining(), Some(Duration::ZERO));
    }
}
