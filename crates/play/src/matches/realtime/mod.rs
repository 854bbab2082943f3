//! Games in real time [Sironi 2019, 3.2.2]: a tick goes by whether somebody has decided or not.
//!
//! ```text
//! Agents ─ players ─ real_time (1 s to set up, then so much a tick) ─ RealTimeRecord ─ RealTimeTally
//! ```
//!
//! A player gets a copy of the state in which chance is drawn anew, so nobody sees the real future.
//! Time is counted as the processor time of the playing thread unless a wall clock is wanted: games
//! that run side by side then do not disturb each other's clocks. With budgets in iterations or
//! advances there is no clock, and equal seeds give equal games.

mod record;
mod rules;
mod tally;

pub use record::RealTimeRecord;
pub(crate) use record::median;
pub(crate) use rules::{DISQUALIFIED, Stopwatch};
pub use rules::{Lateness, RealTimeRules, Spending, Timer};
pub use tally::{RealTimeStanding, RealTimeTally};
