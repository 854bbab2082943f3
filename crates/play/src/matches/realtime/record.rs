//! The record of a game in real time. `grove trace` reads it as a file of actions and `grove watch`
//! shows it again: seed and moves are all a game depends on.

use serde::{Deserialize, Serialize};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// By its rules.
    Terminal,
    /// The limit of ticks was reached.
    TickLimit,
    /// Nobody was left who could play.
    Disqualified,
    /// The game hit a limit of work.
    Fault,
    /// Somebody left.
    Left,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RealTimeRecord {
    /// The game.
    pub game: String,
    /// The level's number, if it has one.
    #[serde(default)]
    pub level: Option<usize>,
    /// The level's name.
    #[serde(default)]
    pub level_name: String,
    /// What the game's chance depended on.
    pub seed: u64,
    /// The names of the roles.
    pub roles: Vec<String>,
    /// Who played each role.
    pub players: Vec<String>,
    /// Ticks played.
    pub ticks: u32,
    /// How it ended.
    pub ending: Ended,
    /// The points of each role.
    pub scores: Vec<f64>,
    /// Whether each role has won; nothing for those who have neither won nor lost.
    pub won: Vec<Option<bool>>,
    /// Late answers of each role.
    #[serde(default)]
    pub late: Vec<u32>,
    /// The tick in which a role was put out of the game.
    #[serde(default)]
    pub disqualified: Vec<Option<u32>>,
    /// The median over ticks of each role's iterations; nothing for players that do not search.
    #[serde(default)]
    pub iterations: Vec<Option<f64>>,
    /// The longest decision of each role, in milliseconds.
    #[serde(default)]
    pub slowest_ms: Vec<f64>,
    /// What each role did, tick by tick.
    pub moves: Vec<Vec<String>>,
}

/// The median of some numbers.
pub(crate) fn median(numbers: &mut [f64]) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => None,
        count if count % 2 == 1 => Some(numbers[middle]),
        _ => Some((numbers[middle - 1] + numbers[middle]) / 2.0),
    }
}
