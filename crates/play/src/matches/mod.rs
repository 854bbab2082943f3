//! Matches between players, in process.
//!
//! ```text
//! Agents ─ assignments (who plays which role) ─ play_match ─ MatchRecord ─ points ─ Tally
//! ```
//!
//! [`play_match`] asks players in this process one after another; [`referee`] takes any [`Panel`] that
//! knows how to ask them.
//!
//! The referee trusts nobody: a move that is late, missing or illegal is replaced by a random legal
//! one and recorded (search-and-ggp, section 8). Games in real time have a referee of their own
//! ([`realtime`]). Nothing here knows wires, stores or pages.

mod assignment;
mod clock;
mod formula_one;
mod panel;
pub mod realtime;
mod record;
mod referee;
mod score;
mod table;
mod tally;
mod visitor;

pub use assignment::assignments;
pub use clock::{Allowance, Clocks};
pub use formula_one::{FORMULA_ONE_POINTS, Performance, formula_one};
pub use panel::{Answer, Panel, Position};
pub use record::{ClockRecord, Ending, MatchRecord, Offence, SearchRecord, StepRecord, Wrong};
pub use referee::{Terms, play_match, play_uneven_match, play_until_called_off, referee};
pub use score::points;
pub use table::{Chair, MatchRules, Seating, Table, seat_seeds};
pub use tally::{Standing, Tally, add_match, half_width};
pub use visitor::Visitor;
