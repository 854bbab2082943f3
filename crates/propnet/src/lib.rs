//! Propositional networks: the reasoner that everything fast leans on.
//!
//! ```text
//! Program ─ condense, ground ─ build ─ Network ─ optimise ─ Network ─┬─ Circuit ─ evaluators ─ Game
//!               (gdl)         (initialise)                           └─ text, DOT, statistics
//! ```
//!
//! A [`Network`] is immutable and shared; passes make new ones. [`build_from_rules`], a
//! [`Sequence`] and [`Propnet::new`] are the whole way from rules to a game.
//!
//! # Modules
//!
//! - [`mod@build`] makes a [`draft`] from ground rules, [`mod@initialise`] brings it into the form of a
//!   [`network`], [`invariants`] says what that form is. [`kind`], [`names`] and [`lists`] are parts of
//!   a network.
//! - [`optimise`] has one pass per file; [`rewrite`] applies what a pass wants. [`order`] finds levels
//!   and cycles.
//! - [`circuit`] is the form that evaluators and lanes are made from.
//! - [`evaluate`] has the evaluators for one state; `evaluate/sweep` is the slow twin of
//!   `evaluate/forward`. [`game`] plays on either, [`state`] is a state as bits.
//! - [`lanes`] plays hundreds of games at a time. Its inner loops are in `lanes/kernel`, in safe code
//!   and once for each kind of processor; `lanes/kernel/x86` has all `unsafe` code.
//! - [`auto`] gives the best reasoner at any time: `auto/attempt` builds within limits, `auto/compare`
//!   holds the network against the prover, `auto/rates` measures both, `auto/codec` carries states over
//!   by name.
//! - [`text`], [`dot`] and [`statistics`] show networks. [`watch`] is the limit on work.
//!
//! # Invariants
//!
//! A network is immutable and shared; values belong to each worker. Cycles get their least fixpoint from
//! every evaluator. Settings change speed, never answers. Every width of lanes gives the play-outs that
//! the one-state reasoner gives with the same streams of random numbers.

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
    Auto, Best, Codec, Disagreement, MoveError, Rates, Status, WhyNot, compare, step_by_names,
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
pub use lanes::{PropnetLanes, Width};
pub use lists::Lists;
pub use names::{NameId, Names};
pub use network::{GoalLine, MoveLine, Network, NodeId, Part};
pub use optimise::{
    Pass, Sequence, SequenceError, drop_unread, infer_constants, remove_constants, splice_anonymous,
};
pub use order::Order;
pub use state::Bits;
pub use statistics::Statistics;
