//! The games that ship with Gamegrove, and how a name or a file becomes a game ready to play.
//!
//! ```text
//! name or path ─ Source::open ─ Source ─ rulesheet ─ Rulesheet ─ with_game (reasoner) ─ Work
//!                (load, library)                                 table ─ Box<dyn Table>
//! ```
//!
//! Everything that offers games to people (commands, experiments, pages) opens them here, so that a
//! game has one name and a mistake one message.

pub mod agent;
pub mod any;
pub mod fastest;
pub mod hardware;
pub mod library;
pub mod load;
pub mod matches;
pub mod metadata;
pub mod names;
pub mod notice;
pub mod octagon;
pub mod picture;
mod problem;
pub mod realtime;
pub mod reasoner;
mod rules;
pub mod sprites;
mod table;
pub mod text;
pub mod units;
pub mod video;

pub use problem::{Problem, Result};
pub use rules::{Playable, Rules};
pub use table::table;
