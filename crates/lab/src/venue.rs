//! The seam between experiments and games.
//!
//! A [`Venue`] knows games by name and plays whole games of them. Board games for several roles, video games
//! and anything else that ends with goals fit in alike.

use gamegrove_agents::Agent;
use gamegrove_play::matches::Ending;
use serde::{Deserialize, Serialize};

use crate::plan::Bout;

/// What has to be known of a game to plan with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// How many roles it has.
    pub roles: usize,
    /// Differs where rules differ, and is the same on every machine.
    pub fingerprint: String,
}

/// Where games are found and played. Problems are sentences for people.
pub trait Venue: Sync {
    /// What is known of a game, without making it ready.
    fn look(&self, game: &str) -> Result<Facts, String>;

    /// Whether agents can play a game with the reasoner called that: their settings may ask for what the
    /// game does not have.
    fn admit(&self, game: &str, reasoner: &str, agents: &[&Agent]) -> Result<(), String>;

    /// Plays one game. Equal bouts with budgets in simulations have equal outcomes.
    fn play(&self, reasoner: &str, bout: &Bout<'_>) -> Result<Played, String>;
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// How it ended: the same whenever the bout is the same.
    pub outcome: Outcome,
    /// What it took: differs from run to run.
    pub cost: Cost,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// What its random choices depended on.
    pub seed: u64,
    /// Who of the matchup held each role.
    pub seats: Vec<usize>,
    /// What the end was worth to each role, from 0 to 100.
    pub goals: Vec<f32>,
    /// The score of each role, where there is one besides goals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<f64>,
    /// Steps or ticks.
    pub steps: u32,
    /// Why it stopped.
    pub ending: Ending,
    /// Moves that had to be replaced.
    pub offences: u32,
}

/// What a game took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Seconds of the clock.
    pub seconds: f64,
    /// Of each role: the median over its moves of simulations per second, or of states if the bout
    /// says so; nothing for players that did not search.
    pub speeds: Vec<Option<f64>>,
}

/// A game in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The cell's identity.
    pub cell: String,
    /// The game's number in the cell.
    pub run: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// What it took.
    pub cost: Cost,
    /// When it ended, in seconds since 1970.
    pub finished: u64,
}

impl Row {
    /// What cannot be true of any game, if somebody else wrote the row. Such numbers would spoil
    /// every mean they are part of.
    pub(crate) fn impossible(&self) -> Option<&'static str> {
        let Row { outcome, cost, .. } = self;
        let amount = |number: f64| number.is_finite() && number >= 0.0;
        if !outcome.goals.iter().all(|goal| (0.0..=100.0).contains(goal)) {
            return Some("goals are numbers from 0 to 100");
        }
        if !outcome.scores.iter().all(|score| score.is_finite()) {
            return Some("scores are finite numbers");
        }
        if !amount(cost.seconds) || !cost.speeds.iter().flatten().all(|&speed| amount(speed)) {
            return Some("seconds and speeds are finite numbers from 0");
        }
        None
    }
}
