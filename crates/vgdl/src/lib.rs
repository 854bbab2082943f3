//! Video games in the Video Game Description Language, compatible with the public GVG-AI framework.
//!
//! A description is [`rules::compile`]d to tables; a level of it becomes a
//! [`World`](level::World), which advances [`State`](state::State)s. States are flat data with
//! their random generator inside, so a copy is a copy of memory and equal states have equal
//! futures.

mod analysis;
mod avatar;
mod behave;
mod bounce;
pub mod chance;
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
pub mod rules;
mod sim;
mod sprite_set;
pub mod state;
pub mod syntax;
pub mod trace;
mod transform;
pub mod types;
pub mod value;

pub use sim::{MAX_WORK, Scratch};
