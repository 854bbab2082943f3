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
