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
mod board;
mod bridge;
mod budget;
mod course;
mod drawing;
pub mod fastest;
mod fixture;
pub mod hardware;
pub mod library;
pub mod load;
pub mod matches;
pub mod metadata;
pub mod names;
pub mod notice;
pub mod octagon;
mod open;
pub mod picture;
mod play_outs;
mod player;
mod problem;
mod real_time;
pub mod realtime;
pub mod reasoner;
mod referee;
mod rules;
mod show;
pub mod sprites;
mod state;
mod steered;
mod table;
pub mod text;
mod typed;
pub mod units;
pub mod video;
mod view;

pub use board::{About, Board, Last, RealTime};
pub use budget::{Budget, StopFlag};
pub use course::{Broken, Match, Refused};
pub use drawing::{Drawing, Frame, Spot, SpriteLook};
pub use fixture::{Entrant, Fixture, Played, play, player_seeds, seats};
pub use open::{Setup, open, open_level, open_network, open_prover, open_rules};
pub use play_outs::{PlayOuts, PlayOutsWanted};
pub use player::{Player, PlayoutFn, choose_in_slices};
pub use problem::{Problem, Result};
pub use real_time::{real_time, seat_seed, tick_budget};
pub use referee::{Seat, referee};
pub use rules::{Playable, Rules};
pub use state::State;
pub use table::table;
pub use view::{Legal, View};
