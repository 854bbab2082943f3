//! What players of a game in real time may spend, and what happens to those who spend more.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use crate::matches::clock::{Allowance, Clocks};

/// What a player may spend on one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spending {
    /// So much time.
    Time(Duration),
    /// So many iterations of its search, however long they take.
    Iterations(u64),
    /// So many steps of the forward model.
    Advances(u64),
}

/// How time is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timer {
    /// Processor time of the thread that plays: what else the machine does makes no difference.
    #[default]
    Processor,
    /// The clock on the wall.
    Wall,
}

/// What happens to an answer that comes too late [Sironi 2019, 3.2.2].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lateness {
    /// It does not count and nothing is done in its place; who is later than the grace allows is out
    /// of the game, which is lost.
    Contest {
        /// How much later than its time an answer may come without the player being out.
        grace: Duration,
    },
    /// It counts all the same.
    Lenient,
}

/// Score of a player that is out.
pub(crate) const DISQUALIFIED: f64 = -1000.0;

/// The rules of a game in real time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealTimeRules {
    /// Time before the first tick; none if decisions are not timed.
    pub setup: Duration,
    /// What each decision may cost.
    pub tick: Spending,
    /// How time is measured.
    pub timer: Timer,
    /// What becomes of late answers.
    pub lateness: Lateness,
    /// Ticks after which the game is given up, besides its own limit.
    pub tick_limit: u32,
}

impl RealTimeRules {
    /// The rules of the competition: 1 s to set up, 40 ms a tick, out after 50 ms, 2000 ticks.
    pub const COMPETITION: RealTimeRules = RealTimeRules {
        setup: Duration::from_secs(1),
        tick: Spending::Time(Duration::from_millis(40)),
        timer: Timer::Processor,
        lateness: Lateness::Contest { grace: Duration::from_millis(10) },
        tick_limit: 2000,
    };

    /// The same with another budget a tick; what is not timed has no time to set up either.
    pub fn with(self, tick: Spending) -> RealTimeRules {
        let timed = matches!(tick, Spending::Time(_));
        RealTimeRules { tick, setup: if timed { self.setup } else { Duration::ZERO }, ..self }
    }

    /// The rules that clocks mean: late answers count all the same.
    pub fn of_clocks(clocks: &Clocks, step_limit: usize) -> RealTimeRules {
        let tick = match clocks.play {
            // Time is the thread's processor time there anyway.
            Allowance::Time(time) | Allowance::Processor(time) => Spending::Time(time),
            Allowance::Simulations(count) => Spending::Iterations(count),
            Allowance::Nothing => Spending::Iterations(0),
        };
        let setup = match clocks.start {
            Allowance::Time(time) | Allowance::Processor(time) => time,
            Allowance::Nothing | Allowance::Simulations(_) => Duration::from_secs(1),
        };
        let tick_limit = u32::try_from(step_limit).unwrap_or(u32::MAX);
        let rules = RealTimeRules::COMPETITION;
        RealTimeRules { setup, lateness: Lateness::Lenient, tick_limit, ..rules }.with(tick)
    }
}

/// A clock that runs since it was made.
pub(crate) struct Stopwatch {
    timer: Timer,
    wall: Instant,
    processor: Duration,
}

impl Stopwatch {
    pub(crate) fn start(timer: Timer) -> Stopwatch {
        let processor = match timer {
            Timer::Processor => ThreadTime::now().as_duration(),
            Timer::Wall => Duration::ZERO,
        };
        Stopwatch { timer, wall: Instant::now(), processor }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        match self.timer {
            Timer::Processor => ThreadTime::now().as_duration().saturating_sub(self.processor),
            Timer::Wall => self.wall.elapsed(),
        }
    }
}
