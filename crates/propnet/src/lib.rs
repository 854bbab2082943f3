//! Propositional networks: the reasoner that everything fast leans on.
//!
//! ```text
//! Program ─ condense, ground ─ build ─ Network ─ optimise ─ Network ─┬─ Circuit ─ evaluators ─ Game
//!               (gdl)         (initialise)                           └─ text, DOT, statistics
//! ```
//!
//! A [`Network`] is immutable and shared; passes make new ones. [`build_from_rules`], a
//! [`Sequence`] and [`Propnet::new`] are the whole way from rules to a game.

mod auto;
mod build;
mod circuit;
mod dot;
mod draft;
mod evaluate;
mod game;
mod initialise;
pub mod invariants;
mod kind;
mod lanes;
mod lists;
mod names;
mod network;
mod optimise;
mod order;
mod rewrite;
mod state;
mod statistics;
pub mod text;
mod watch;

pub use auto::{
    Auto, Best, Codec, Disagreement, MoveError, Rates, Status, WhyNot, WithGame, compare,
    step_by_names,
};
pub use build::{BuildError, build, build_from_rules};
pub use circuit::{Circuit, Gate, Signal, Turn};
pub use dot::write_dot;
pub use draft::Draft;
pub use evaluate::{Evaluator, Forward, Settings, Sweep};
pub use game::Propnet;
pub use gamegrove_gdl::ground;
pub use initialise::{initialise, initialise_within};
pub use invariants::Flaw;
pub use kind::Kind;
pub use lanes::{PropnetLanes, Sample, Sums, Width};
pub use lists::Lists;
pub use names::{NameId, Names};
pub use network::{GoalLine, MoveLine, Network, NodeId, Part};
pub use optimise::{
    Pass, Sequence, SequenceError, drop_unread, infer_constants, remove_constants, splice_anonymous,
};
pub use order::Order;
pub use state::Bits;
pub use statistics::Statistics;
