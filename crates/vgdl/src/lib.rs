//! Video games in the Video Game Description Language, compatible with the public GVG-AI framework.
//!
//! A description is [`rules::compile`]d to tables; a level of it becomes a
//! [`World`](level::World), which advances [`State`](state::State)s. States are flat data with
//! their random generator inside, so a copy is a copy of memory and equal states have equal
//! futures.
//!
//! ```
//! use gamegrove_vgdl::{Scratch, level::World, ontology::Action, rules::compile};
//!
//! let compiled = compile(
//!     "BasicGame
//!        SpriteSet
//!          goal > Door
//!          avatar > MovingAvatar
//!        InteractionSet
//!          avatar wall > stepBack
//!          goal avatar > killSprite scoreChange=1
//!        TerminationSet
//!          SpriteCounter stype=goal win=True
//!        LevelMapping
//!          g > goal
//!     ",
//! );
//! assert!(compiled.findings.is_empty());
//! let world = World::load(&compiled.rules, "wwwww\nwA gw\nwwwww").world.expect("a level");
//! let mut state = world.start().clone();
//! let mut scratch = Scratch::default();
//! for _ in 0..2 {
//!     world.advance(&mut state, &[Action::Right], &mut scratch);
//! }
//! assert_eq!(state.player(0).win, Some(true));
//! ```
//!
//! # Modules
//!
//! - Text to rules: [`syntax`], [`sprite_set`], [`types`], [`effect`], [`value`], [`rules`], with
//!   findings in [`diagnostic`]. [`ontology`] knows every class and property, [`analysis`] finds what
//!   can never change or meet.
//! - [`level`] makes a world of rules and a level, [`state`] is flat data, [`chance`] its random
//!   numbers.
//! - One tick: [`engine`] calls, in the framework's order, [`avatar`], [`behave`] and [`motion`] (with
//!   [`paths`] and [`bounce`]), then [`events`], [`perform`] and [`transform`], then [`ending`]. [`sim`]
//!   is the tick in the making. [`contacts`] finds once a tick which sprites may touch; it is a superset
//!   of the truth and no part of the state.
//! - [`game`] is a level as a [`Game`](gamegrove_game::Game), [`senses`] and [`observe`] are the views
//!   of agents, [`picture`] that of people, [`words`] the rules in words. [`trace`] is the framework's
//!   recorded form, [`actions`] reads sequences of actions, [`speed`] has the units of benchmarks.
//!
//! # Invariants
//!
//! No text panics or hangs, and a tick has a limit of work. Equality and hash of a state depend on its
//! content only. `World::advance` equals `World::advance_by_reference`, the collision rule as it is
//! written.

pub mod actions;
mod analysis;
mod avatar;
mod behave;
mod bounce;
pub mod chance;
mod contacts;
pub mod diagnostic;
pub mod effect;
pub mod ending;
mod engine;
mod events;
pub mod game;
pub mod level;
mod motion;
pub mod observe;
pub mod ontology;
mod paths;
mod perform;
pub mod picture;
pub mod rules;
mod senses;
mod sim;
pub mod speed;
mod sprite_set;
pub mod state;
pub mod syntax;
pub mod trace;
mod transform;
pub mod types;
pub mod value;
pub mod words;

pub use sim::{MAX_WORK, Scratch};
