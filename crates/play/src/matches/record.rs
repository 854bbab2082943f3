//! The record of a match, as people and tools read it.

use gamegrove_agents::Report;
use serde::{Deserialize, Serialize};

use crate::matches::clock::{Allowance, Clocks};

/// Why a match stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The game was over.
    Terminal,
    /// A role had no legal move although the game was not over.
    NoLegalMove,
    /// The limit of steps was reached.
    StepLimit,
    /// The reasoner hit a limit.
    Fault,
    /// No player was left in the game, in real time.
    Disqualified,
    /// The match was called off, or is not over yet.
    #[serde(alias = "unfinished")]
    Stopped,
    /// A role gave up.
    Resigned,
}

/// One match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchRecord {
    /// What the match was called among its players, if it had a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The game.
    pub game: String,
    /// What players could spend.
    #[serde(default)]
    pub clocks: ClockRecord,
    /// The names of the roles.
    pub roles: Vec<String>,
    /// The player of each role.
    pub players: Vec<String>,
    /// What the random choices depended on.
    pub seed: u64,
    /// The facts of the first state.
    #[serde(default)]
    pub initial: Vec<String>,
    /// All steps.
    pub steps: Vec<StepRecord>,
    /// Why it stopped.
    pub ending: Ending,
    /// What the last state was worth to each role.
    pub goals: Vec<f32>,
    /// Moves that were late, missing or illegal.
    #[serde(default)]
    pub offences: Vec<Offence>,
}

/// What players could spend, in seconds or simulations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClockRecord {
    /// Seconds before the first move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_seconds: Option<f64>,
    /// Seconds for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play_seconds: Option<f64>,
    /// Simulations for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play_simulations: Option<u64>,
}

impl From<Clocks> for ClockRecord {
    fn from(clocks: Clocks) -> ClockRecord {
        let seconds = |allowance| match allowance {
            Allowance::Time(time) | Allowance::Processor(time) => Some(time.as_secs_f64()),
            Allowance::Nothing | Allowance::Simulations(_) => None,
        };
        let play_simulations = match clocks.play {
            Allowance::Simulations(count) => Some(count),
            Allowance::Nothing | Allowance::Time(_) | Allowance::Processor(_) => None,
        };
        ClockRecord {
            start_seconds: seconds(clocks.start),
            play_seconds: seconds(clocks.play),
            play_simulations,
        }
    }
}

/// One step of a match.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The move of each role.
    pub moves: Vec<String>,
    /// The time each player took, in seconds.
    #[serde(default)]
    pub seconds: Vec<f64>,
    /// What each player's search found, for those that searched.
    #[serde(default)]
    pub searches: Vec<Option<SearchRecord>>,
    /// The facts of the state after it; empty if they were not asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
}

/// What a player's search found before a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchRecord {
    /// Simulations.
    pub simulations: u64,
    /// Simulations per second.
    pub simulations_per_second: f64,
    /// States that these simulations went through, per second.
    #[serde(default)]
    pub states_per_second: f64,
    /// Nodes in the tree.
    pub nodes: usize,
    /// Steps that simulations went within the tree, at most.
    pub depth: usize,
    /// The shortest way from the root to the farthest node.
    #[serde(default)]
    pub tree_depth: usize,
    /// The mean number of actions tried in a node.
    #[serde(default)]
    pub branching: f64,
    /// The mean goal of the move played, from 0 to 100.
    pub mean: Option<f64>,
    /// How often it was visited.
    pub visits: u32,
}

impl SearchRecord {
    /// What a report says about the move that was played after so many seconds.
    pub fn new(report: &Report, played: gamegrove_game::Move, seconds: f64) -> SearchRecord {
        let own = report.moves.iter().find(|found| found.mov == played);
        let per_second = |count: u64| count as f64 / seconds.max(1e-9);
        SearchRecord {
            simulations: report.simulations,
            simulations_per_second: per_second(report.simulations),
            states_per_second: per_second(report.steps),
            nodes: report.nodes,
            depth: report.depth,
            tree_depth: report.shape.depth,
            branching: report.shape.branching,
            mean: own.and_then(|found| found.mean),
            visits: own.map_or(0, |found| found.visits),
        }
    }
}

/// What was wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wrong {
    /// It came too late or never.
    Late,
    /// It was no legal move.
    Illegal,
    /// The player had none.
    Missing,
    /// The player could not be reached, or was lost on the way.
    Connection,
    /// It could not be read.
    Unreadable,
}

/// A move that had to be replaced, or another answer that was not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offence {
    /// The step, from 0.
    pub step: usize,
    /// The role.
    pub role: String,
    /// What kind of mistake.
    pub kind: Wrong,
    /// What was wrong, in words.
    pub what: String,
}
