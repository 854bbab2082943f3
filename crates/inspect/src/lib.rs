//! What games and matches are like, found out by playing.
//!
//! [`compare`] says whether two rulesheets are one game, [`mod@agree`] whether reasoners agree, [`trial`]
//! what random games show to be wrong with rules, [`speed`] how fast a video game is, [`statistics`] what a
//! game is in numbers, [`trees`] how the trees of searches grow in matches. All return data. Long work tells
//! a [`Heard`] how far it is.

pub mod agree;
pub mod compare;
pub mod connect_four;
pub mod fingerprint;
pub mod follow;
pub mod speed;
pub mod statistics;
pub mod trees;
pub mod trial;

pub use gamegrove_play::Heard;

/// The result of an inspection of a game that has to be opened first.
pub type Result<T> = std::result::Result<T, gamegrove_play::Problem>;
