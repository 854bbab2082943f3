//! What matches are about: clocks, records, assignments, points.
//!
//! ```text
//! Agents ─ assignments (who plays which role) ─ play_matches ─ MatchRecord ─ points ─ Tally
//! ```
//!
//! [`crate::Match`] is one match as a state machine. Nothing here knows wires, stores or pages.

mod assignment;
mod clock;
mod formula_one;
mod panel;
pub mod realtime;
mod record;
mod referee;
mod rules;
mod score;
mod tally;

pub use assignment::assignments;
pub use clock::{Allowance, Clocks};
pub use formula_one::{FORMULA_ONE_POINTS, Performance, formula_one};
pub use panel::{Answer, Panel, Position};
pub use record::{ClockRecord, Ending, MatchRecord, Offence, SearchRecord, StepRecord, Wrong};
pub use referee::{Terms, referee};
pub use rules::{MatchRules, seat_seeds};
pub use score::points;
pub use tally::{Standing, Tally, add_match, half_width};
