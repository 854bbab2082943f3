//! What matches are about: clocks, records, assignments, points.
//!
//! ```text
//! Agents ─ assignments (of agents to roles) ─ play_matches ─ MatchRecord ─ points ─ Tally ─ Estimate
//! ```
//!
//! [`crate::Match`] is one match as a state machine. Nothing here knows wires, stores or pages.

mod answer;
mod assignment;
mod clock;
mod estimate;
mod formula_one;
pub mod realtime;
mod record;
mod rules;
mod score;
mod tally;

pub use answer::Answer;
pub use assignment::{assignments, group};
pub use clock::{Allowance, Clocks};
pub use estimate::{Estimate, Proportion, Score, Z95};
pub use formula_one::{FORMULA_ONE_POINTS, Performance, formula_one};
pub use record::{ClockRecord, Ending, MatchRecord, Offence, SearchRecord, StepRecord, Wrong};
pub use rules::{MatchRules, seat_seeds};
pub use score::points;
pub use tally::{Standing, Tally, add_match};
