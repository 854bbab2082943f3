//! What a player may spend on a move.

use std::time::Duration;

use crate::budget::Budget;

/// What a player may spend on one move, or before the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// Nothing: it must answer at once.
    Nothing,
    /// So many simulations, however long they take.
    Simulations(u64),
    /// So much time.
    Time(Duration),
    /// So much processor time of the thread that plays, so that what else the machine does takes
    /// nothing away. Players with several threads go by the clock on the wall.
    Processor(Duration),
}

impl Allowance {
    /// So many times as much.
    pub fn times(self, count: u32) -> Allowance {
        match self {
            Allowance::Nothing => Allowance::Nothing,
            Allowance::Simulations(each) => {
                Allowance::Simulations(each.saturating_mul(u64::from(count)))
            }
            Allowance::Time(each) => Allowance::Time(each.saturating_mul(count)),
            Allowance::Processor(each) => Allowance::Processor(each.saturating_mul(count)),
        }
    }

    /// The same as a budget whose clock starts when the work does.
    pub fn plan(self) -> Budget {
        match self {
            Allowance::Nothing => Budget::nothing(),
            Allowance::Simulations(count) => Budget::simulations(count),
            Allowance::Time(time) => Budget::time(time),
            Allowance::Processor(time) => Budget::processor(time),
        }
    }
}

/// The clocks of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Before the first move. Players that count simulations get none: start clock and first move
    /// share one budget.
    pub start: Allowance,
    /// For each move.
    pub play: Allowance,
    /// How much later than its time a move may come before it counts as late.
    pub grace: Duration,
    /// Whether players think in every step, also where they have nothing to choose: in games with
    /// turns that is the opponent's time [Sironi 2019, 3.1.4]. If not, they answer at once there.
    pub ponder: bool,
}

impl Clocks {
    /// So many simulations for each move.
    pub fn simulations(count: u64) -> Clocks {
        Clocks {
            start: Allowance::Nothing,
            play: Allowance::Simulations(count),
            grace: Duration::MAX,
            ponder: true,
        }
    }

    /// So much processor time for each move. No answer is late: a search answers only when it is over.
    pub fn processor(play: Duration) -> Clocks {
        Clocks {
            start: Allowance::Nothing,
            play: Allowance::Processor(play),
            grace: Duration::MAX,
            ponder: true,
        }
    }

    /// So much time before the first move and for each move. A player notices the end of its time
    /// after the simulation it is in; the grace is for that.
    pub fn time(start: Duration, play: Duration) -> Clocks {
        let start = if start.is_zero() { Allowance::Nothing } else { Allowance::Time(start) };
        Clocks { start, play: Allowance::Time(play), grace: Duration::from_secs(1), ponder: true }
    }
}
