//! The words every crate of Gamegrove speaks.
//!
//! A [`Game`] answers five questions about states: where play starts, whether it is over, what each
//! [`Role`] may do, what a joint move leads to, and what the end is worth. Reasoners implement it,
//! searches and matches use it, and neither knows the other. Everything random comes from the one
//! generator [`Rng`], so equal seeds give equal games.
//!
//! # Modules
//!
//! - [`game`] has the trait, [`ids`] roles, moves and goals, [`describe`] names for people, [`move_set`]
//!   sets of moves as bits.
//! - [`lanes`] is the interface to reasoners that play hundreds of games at a time, [`batch`] to many
//!   games that are stepped from outside, [`batches`] to random games in bulk.
//! - Optional abilities of a game: [`features`] of states, [`move_types`], [`evaluation`], [`senses`].
//! - [`cache`] is a wrapper of any game that remembers answers.
//! - [`playout`] plays random games, [`walk`] counts exhaustively, [`parallel`] spreads work over
//!   threads. [`rng`] is the generator, [`rng_bank`] steps many of them together.

mod batch;
mod batches;
mod cache;
mod describe;
mod evaluation;
mod features;
mod game;
mod ids;
mod lanes;
mod move_set;
mod move_types;
pub mod parallel;
mod playout;
mod rng;
mod rng_bank;
mod senses;
pub mod walk;

pub use batch::{Actions, Batch, BatchError, BatchSetup, BatchView, Restart};
pub use batches::{Account, Batches};
pub use cache::Cached;
pub use describe::Describe;
pub use evaluation::Evaluation;
pub use features::{FeatureNames, Features};
pub use game::{Fault, Game};
pub use ids::{Goal, Move, Role};
pub use lanes::{
    BoxedLanes, Driver, Entered, Finish, Lanes, Preference, Preferred, Sample, Start, Sums, Tally,
};
pub use move_set::{MoveSet, nth_bit};
pub use move_types::{MAX_MOVE_TYPES, TypedMoves};
pub use playout::{Ending, Player, Playout};
pub use rng::Rng;
pub use rng_bank::RngBank;
pub use senses::{Avatar, Category, Senses};
pub use walk::{Perft, count_paths, joint_moves, perft};
