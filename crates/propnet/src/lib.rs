//! Propositional networks: the reasoner that everything fast leans on.
//!
//! ```text
//! Grounding ─ build ─ Network ─ optimise ─ Network ─┬─ evaluators ─ Game
//!              (initialise)                         └─ text, DOT, statistics
//! ```
//!
//! A [`Network`] is immutable and shared; passes make new ones.

mod build;
mod draft;
mod initialise;
pub mod invariants;
mod kind;
mod lists;
mod names;
mod network;
mod optimise;
mod order;
mod rewrite;
pub mod text;

pub use build::{BuildError, build};
pub use draft::Draft;
pub use initialise::initialise;
pub use invariants::Flaw;
pub use kind::Kind;
pub use lists::Lists;
pub use names::{NameId, Names};
pub use network::{GoalLine, MoveLine, Network, NodeId, Part};
pub use optimise::{
    Pass, Sequence, SequenceError, drop_unread, infer_constants, remove_constants, splice_anonymous,
};
pub use order::Order;
