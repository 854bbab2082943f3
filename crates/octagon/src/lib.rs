//! The Octagon Theory: two players place directional pieces that shove the enemy's over the edge
//! of an octagonal board or into the hole in its centre.
//!
//! [`Config`] reads the data file `games/octagon.toml`, where every choice that the published rules leave open
//! is a key; [`Config::rules`] picks one set of [`Rules`] from it; [`Octagon`] is the game, to be
//! played through [`Game`](gamegrove_game::Game). Moves have types
//! ([`TypedMoves`](gamegrove_game::TypedMoves)), states have a
//! canonical form under the symmetries of the board, and people can read both.
//!
//! ```
//! use gamegrove_game::{Game, Role};
//! use gamegrove_octagon::{Config, Octagon};
//!
//! let rules = Config::shipped().rules("small").unwrap();
//! let mut game = Octagon::new(rules).unwrap();
//! let start = game.initial_state();
//! let mut moves = Vec::new();
//! game.legal_moves(&start, Role(0), &mut moves);
//! assert_eq!(moves.len(), 36);
//! ```
//!
//! # Modules
//!
//! - [`config`] and [`section`] read the data file, [`rules`] is one choice from it.
//! - [`board`], [`piece`], [`state`], [`symmetry`] and [`canonical`] are the material. A set of
//!   positions is a `u128` with a spare bit per row, so that a step off the board never lands on it.
//! - [`octagon`] is the game. [`shove`] finds the successful pushes of all positions at once, [`menu`]
//!   the placements to list.
//! - For searches: [`move_type`], [`groups`] (moves so alike that one is enough), [`weights`],
//!   [`random_player`]. For people: [`describe`], [`draw`], [`svg`], [`outcome`].
//!
//! # Invariants
//!
//! No choice of rules has a default in code. A move is `position * placements + placement`. The test
//! `twin` holds the game against the rules in words.

pub mod board;
mod canonical;
mod config;
mod describe;
mod draw;
mod groups;
mod menu;
mod move_type;
mod octagon;
mod outcome;
mod piece;
mod random_player;
mod rules;
mod shove;
mod state;
mod svg;
pub mod symmetry;
mod weights;

pub use board::{Board, Position, Shape, ShapeError};
pub use canonical::Canonical;
pub use config::{BoardConfig, Config};
pub use draw::PictureError;
pub use groups::{Images, Likeness, MAX_RADIUS};
pub use move_type::MoveType;
pub use octagon::Octagon;
pub use outcome::{Outcome, Shift};
pub use piece::{Piece, Placements, QUIET, TwoPiece};
pub use random_player::Preferences;
pub use rules::{Amount, Cannon, Choice, Listing, MAX_TURNS, Rules, Stock};
pub use state::State;
pub use svg::Colours;
