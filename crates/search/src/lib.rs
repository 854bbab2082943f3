//! Monte-Carlo tree search, composed from small parts.
//!
//! ```text
//! Part (settings) ─ compose ─ Core (tree, selection, policy, tables) ─┐
//!                                                                     ├─ Search ─ Report
//! Game ──────────────────── Worker (looks at states, plays out) ──────┘
//! ```
//!
//! Every strategy is one file and one line in a registry: [`SELECTIONS`] choose in the tree,
//! [`POLICIES`] below it, [`Learner`]s keep what simulations teach. Strategies declare what must be
//! kept for them ([`Needs`]) and the search keeps only that.

mod ahead;
mod beliefs;
mod best_line;
mod budget;
mod core;
mod cutoff;
mod device;
mod endgame;
mod expand;
mod extras;
mod final_move;
mod flight;
mod learn;
mod open_loop;
mod outline;
mod parameter;
mod part;
mod plan;
mod playout;
mod rating;
mod registry;
mod report;
mod search;
mod select;
mod sequential;
mod settings;
mod simulation;
mod solver;
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
pub use budget::{Budget, Stop};
pub use cutoff::{CUTOFFS, Cutoff, GoalSeries, Worth};
pub use device::{DEVICE_PARAMETERS, DeviceReport};
pub use endgame::{Answer, ENDGAMES, Endgame, Walk};
pub use expand::{EXPANSIONS, Expansion};
pub use final_move::FinalMove;
pub use gamegrove_tuning::registry::{STRATEGIES as TUNERS, StrategySpec as TunerSpec};
pub use gamegrove_tuning::{OptionKind as TunerOption, OptionSpec as TunerOptionSpec};
pub use learn::{Family, FastSettings, FastTable, Handle, Learner, Scale, Tables};
pub use outline::OutlineNode;
pub use parameter::{Declared, Kind, Parameter, ParameterId, Values};
pub use part::{Options, Part, SettingsError, Value};
pub use plan::{
    Choice, FORMULAS, Formula, GENETIC_PARAMETERS, Genetic, ONE_STEP_PARAMETERS, OneStep,
    PLAN_PARAMETERS, Plan, ROLLOUTS, Rollout, Trial, VALUES, Valuation,
};
pub use playout::{POLICIES, Policy, Turn};
pub use rating::{Rating, Weights};
pub use registry::Entry;
pub use report::{AmafEntries, MoveReport, Report};
pub use search::Search;
pub use select::{Decision, Outcome, Pick, SELECTIONS, Selection};
pub use settings::PARAMETERS;
pub use simulation::Simulation;
pub use solver::Bounds;
pub use tactic::{TACTICS, Tactic};
pub use team::Team;
pub use trace::{Needs, Trace};
pub use tree::{Facts, MoveMap, Node, NodeId, Shape, Statistic, Tree};
pub use tunables::Tunables;
pub use tune::Choices;
pub use typed::TypeView;
