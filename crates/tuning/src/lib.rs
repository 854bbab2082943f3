//! Optimisers that pick a combination of parameter values under noise, and randomisers.
//!
//! A [`Space`] says which parameters there are and which of their values go together. A
//! [`Strategy`] proposes a [`Combination`] for the next sample and learns the reward; the
//! [`registry`] makes one from a name and options. [`PerRole`] keeps one problem per role of a game,
//! [`Randomiser`] draws values without learning. What a sample is (a simulation inside a search, a
//! whole match) and what a parameter does is not known here.
//!
//! ```
//! use std::sync::Arc;
//! use gamegrove_game::Rng;
//! use gamegrove_tuning::{Rewards, published, registry};
//!
//! let space = Arc::new(published::AP_4.space());
//! let mut rng = Rng::new(2);
//! let mut tuner = registry::build("ntbea", &[("c", "0.2")], &space, Rewards::GOALS, &rng)?;
//! for _ in 0..2_000 {
//!     let combination = tuner.next(&mut rng);
//!     // Some noisy sample; here K = 250 wins twice as often as other values.
//!     let likely = if space.describe(&combination).contains("k=250") { 0.8 } else { 0.4 };
//!     tuner.update(&combination, if rng.unit() < likely { 100.0 } else { 0.0 });
//! }
//! let best = tuner.best().map(|best| space.describe(&best));
//! assert!(best.is_some_and(|best| best.contains("k=250")));
//! # Ok::<(), gamegrove_tuning::BuildError>(())
//! ```
//!
//! Specification: on-line search-control parameter tuning and parameter randomisation.

mod bandit;
mod bracket;
mod cma;
mod combination;
mod error;
mod landscape;
mod nearest;
mod number;
mod options;
mod parameter;
mod per_role;
pub mod published;
mod randomise;
pub mod registry;
mod rewards;
mod space;
pub mod strategies;
mod strategy;
mod value;
mod vary;

pub use combination::{Combination, Index, Indices};
pub use error::SpaceError;
pub use options::{Kind as OptionKind, OptionSpec};
pub use parameter::{Domain, Parameter};
pub use per_role::PerRole;
pub use randomise::{Draw, Moment, Randomiser, Redraw};
pub use registry::BuildError;
pub use rewards::Rewards;
pub use space::{Rule, Space};
pub use strategy::Strategy;
pub use value::{Kind, Value};
