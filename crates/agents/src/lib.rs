//! Players from data.
//!
//! ```text
//! name ─ library (agents/*.toml) ─┐
//! TOML text ─────── file ─────────┼─ Agent ─ player ─ Box<dyn Player<G>>
//! one-line spec ─────────────────┘
//! ```
//!
//! An [`Agent`] is a description: a name and a [`Part`] with options. [`Agent::player`] makes
//! a player of one role of one game from it. The registries of crate `search` and [`KINDS`] list the
//! parts; this crate reads and names them.

mod agent;
mod file;
mod kinds;
mod library;
#[cfg(test)]
mod parameters_page;
mod parts;
mod player;

pub use agent::{Agent, AgentError, Maker};
pub use gamegrove_search::{
    AmafEntries, Bounds, Budget, MoveReport, NoEffect, OutlineNode, Report, Stop, Tunables,
};
pub use gamegrove_settings::spec::{SpecError, parse};
pub use gamegrove_settings::{Part, SettingsError, Value};
pub use kinds::{KINDS, Kind};
pub use parts::{PartRecord, parts};
pub use player::{Outline, Player};
