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
//! use gamegrove_settings::Part;
//! use gamegrove_tuning::{Rewards, published, registry};
//!
//! let space = Arc::new(published::AP_4.space());
//! let mut rng = Rng::new(2);
//! let mut tuner = registry::build(&Part::named("ntbea").with("c", 0.2), &space, Rewards::GOALS, &rng)?;
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
//! Sources: [Sironi 2019, 6.2] and [Sironi 2019, 6.3] (tuning), [Sironi 2019, 7.2] (randomisation).
//!
//! # Modules
//!
//! - [`value`], [`parameter`], [`space`]: the record of a parameter, and which values go together.
//!   [`number`] counts, numbers and draws legal [`combination`]s without listing them; [`vary`] mutates
//!   and crosses them and repairs the result. [`published`] has the parameters and sets of the
//!   experiments.
//! - [`strategy`] is the trait. [`strategies`] has one file each, [`registry`] one line each;
//!   [`options`] reads and checks their settings.
//! - [`per_role`] runs one problem per role, [`randomise`] says when to draw values anew, [`rewards`]
//!   scales rewards.
//! - Used by several strategies: [`bandit`] (UCB1), [`bracket`] (sequential halving), [`landscape`] (the
//!   model of NTBEA), [`cma`].
//!
//! # Invariants
//!
//! Every proposal is legal. [`Strategy::next`] never waits: any number of proposals may be in flight,
//! and rewards come in any order. Equal seeds and equal rewards give equal proposals. Rewards are scaled
//! once, by [`Rewards`].

mod bandit;
mod bracket;
mod cma;
mod combination;
mod error;
mod landscape;
mod number;
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
pub use parameter::{Domain, Parameter};
pub use per_role::PerRole;
pub use randomise::{Draw, Moment, Randomiser, Redraw};
pub use registry::BuildError;
pub use rewards::Rewards;
pub use space::{Rule, Space};
pub use strategy::Strategy;
pub use value::{Kind, Value};
