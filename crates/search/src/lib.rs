//! Monte-Carlo tree search, composed from small parts.
//!
//! ```text
//! Part (settings) ─ compose ─ Knowledge ─┬─ Core (tree, strategies, learned, run) ─┐
//!                                        └─ States (of nodes)                      ├─ Search ─ Report
//! Game ─────────────────────────────────── Worker (looks at states, plays out) ────┘
//! ```
//!
//! One simulation is one call of `simulate`, whose file shows its eight steps.
//!
//! Every strategy is one file and one line in a registry: [`SELECTIONS`] choose in the tree,
//! [`POLICIES`] below it, [`Learner`]s keep what simulations teach. Strategies declare what must be
//! kept for them ([`Needs`]) and the search keeps only that.
//!
//! # Modules
//!
//! - The part without the game: [`core`] with [`tree`], [`trace`] (a simulation as learners see it),
//!   [`samples`] and [`report`].
//! - The part with the game: [`states`] (of nodes), [`worker`], [`ahead`], [`typed`], [`rating`],
//!   [`root`] (what is kept when the root changes), [`outline`] (the top of the tree as data).
//! - Ways to run simulations: [`simulate`] makes one [`simulation`], [`search`] many, one after another.
//!   [`flight`] keeps hundreds in flight on lanes, [`open_loop`] plays states anew, [`batches`] values a
//!   leaf by many play-outs, [`together`] shares a tree between threads, [`team`] runs searches side by
//!   side.
//! - Strategies, one file and one line in a [`registry`] each: [`select`], [`playout`], [`cutoff`],
//!   [`tactic`], [`endgame`], [`expand`]; [`final_move`] chooses the move to play. [`learn`] has the
//!   tables that strategies share.
//! - Other ways to choose: [`choice`], [`sequential`], [`solver`], [`beliefs`] about opponents,
//!   [`best_line`] of one role.
//! - Settings: [`part`] is settings as data, [`settings`] reads and composes them, [`parameter`] is one
//!   parameter, [`tunables`] and [`tune`] are for tuners. [`budget`] limits a search, [`clocks`]
//!   forecasts how many simulations are to come.
//!
//! # Invariants
//!
//! A strategy reads its parameters from [`Values`] at every decision, so each simulation and role can
//! have its own. A policy keeps nothing of a simulation, so many can be in flight. In every node the
//! visits of each role's moves add up to the node's. Memory stays within its limit because the least
//! visited nodes are dropped.

mod ahead;
mod batches;
mod beliefs;
mod best_line;
mod budget;
mod choice;
mod clocks;
mod core;
mod cutoff;
mod endgame;
mod expand;
mod final_move;
mod flight;
mod learn;
mod no_effect;
mod open_loop;
mod outline;
mod parameter;
mod part;
mod playout;
mod rating;
mod registry;
mod report;
mod root;
mod samples;
mod search;
mod select;
mod sequential;
mod settings;
mod simulate;
mod simulation;
mod solver;
mod states;
mod tactic;
mod team;
mod together;
mod trace;
mod tree;
mod tunables;
mod tune;
mod typed;
mod worker;

pub use ahead::Position;
pub use beliefs::{Beliefs, Modelled, Offer, Update};
pub use budget::{Budget, Meter, Stop};
pub use cutoff::{CUTOFFS, Cutoff, GoalSeries, Worth};
pub use endgame::{Answer, ENDGAMES, Endgame, Walk};
pub use expand::{EXPANSIONS, Expansion};
pub use final_move::FinalMove;
pub use gamegrove_tuning::registry::{STRATEGIES as TUNERS, StrategySpec as TunerSpec};
pub use learn::{Family, FastSettings, FastTable, Handle, Learner, Scale, Tables};
pub use no_effect::NoEffect;
pub use outline::OutlineNode;
pub use parameter::{Declarations, Declared, Kind, Parameter, ParameterId, Values};
pub use part::{Composition, Options, Part, SettingsError, Value, unknown_name};
pub use playout::{POLICIES, Policy, Turn};
pub use rating::{Rating, Weights};
pub use registry::{Entry, build as build_entry, fault as registry_fault};
pub use report::{AmafEntries, MoveReport, Report};
pub use search::Search;
pub use select::{Decision, Outcome, Pick, SELECTIONS, Selection};
pub use settings::{OwnStrategies, PARAMETERS};
pub use simulation::Simulation;
pub use solver::Bounds;
pub use tactic::{TACTICS, Tactic};
pub use team::Team;
pub use trace::{Needs, Trace};
pub use tree::{Facts, MoveMap, Node, NodeId, Shape, Statistic, Tree};
pub use tunables::Tunables;
pub use tune::{Choices, TUNE, TUNE_PARAMETERS, Tuner, Wanted};
pub use typed::TypeView;
