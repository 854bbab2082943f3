//! What an experiment is: the contents of `experiments/*.toml`.
//!
//! The types follow the file key by key; serde refuses what it does not know, and [`TextError`]
//! adds the key's full name, its place and what was probably meant. Whether names fit each other is
//! checked here too, so that a [`Spec`] in hand is sound.
//!
//! ```toml
//! title = "RAVE against UCT"
//! source = { work = "Sironi (2019)", table = "5.2" }
//! runs = 1000
//! budget = { clock = "1s" }
//! agents = [{ name = "rave" }, { name = "uct" }]
//! columns = [{ label = "RAVE", of = "rave", against = ["uct"] }]
//!
//! [[games]]
//! name = "breakthrough"
//! label = "Breakthrough"
//! simulations_per_second = 1453
//! published = ["66.6 ±2.92"]
//!
//! [profiles.quick]
//! runs = 20
//! budget = { published_seconds = 1, at_most = 300 }
//! ```

mod budget;
mod check;
mod error;
mod limits;
mod published;

use std::collections::BTreeMap;

pub use gamegrove_settings::TextError;
use serde::{Deserialize, Serialize};
use toml::Spanned;

pub use budget::Budget;
pub use published::Published;

/// The largest text that is read, in bytes.
pub const MAX_TEXT: usize = 1 << 20;

/// An experiment as its file says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// What is compared.
    pub title: String,
    /// What it shows, in a sentence.
    #[serde(default)]
    pub sentence: String,
    /// Where it was published.
    #[serde(default)]
    pub source: Source,
    /// What differs from the source, for the report.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Who meets whom.
    #[serde(default)]
    pub layout: Layout,
    /// What a game is worth.
    #[serde(default)]
    pub scoring: Scoring,
    /// Who holds which role.
    #[serde(default)]
    pub assignment: Assignment,
    /// What the random choices depend on.
    #[serde(default = "limits::default_seed")]
    pub seed: u64,
    /// What answers questions about the rules.
    #[serde(default = "limits::default_reasoner")]
    pub reasoner: Spanned<String>,
    /// Games of each cell, at least: rounded up so that every assignment comes up equally often. Also
    /// how many games published values without an interval are taken to be means of.
    #[serde(deserialize_with = "limits::runs")]
    pub runs: u32,
    /// Below which difference to the published value a cell agrees with it, in percent points.
    #[serde(default = "limits::default_margin", deserialize_with = "limits::margin")]
    pub margin: f64,
    /// Steps after which a game is given up.
    #[serde(default = "limits::default_steps", deserialize_with = "limits::steps")]
    pub step_limit: u32,
    /// What a player may spend on a move.
    pub budget: Spanned<Budget>,
    /// Who plays.
    pub agents: Vec<AgentEntry>,
    /// The columns of the table; in layouts that make their own there are none.
    #[serde(default)]
    pub columns: Vec<ColumnEntry>,
    /// The rows of the table.
    pub games: Vec<GameEntry>,
    /// The published last rows.
    #[serde(default)]
    pub summary: Summary,
    /// Smaller or larger versions of the same experiment.
    #[serde(default)]
    pub profiles: BTreeMap<String, Profile>,
}

/// Where an experiment was published.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Author and year.
    #[serde(default)]
    pub work: String,
    /// The number of the table.
    #[serde(default)]
    pub table: String,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// One agent against others in each column.
    #[default]
    Duels,
    /// All pairs; a column for each agent, with its games against all others.
    RoundRobin,
    /// Every agent plays by itself; a column for each.
    Alone,
}

/// What a game is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scoring {
    /// One point, shared by the agents that hold a role with the highest goal; alone, a point for a
    /// goal of 100.
    #[default]
    Win,
    /// The mean goal of the agent's roles, in hundredths.
    Goals,
    /// A point for a win; agents are ranked in every game by wins, then score, then fewest steps,
    /// and get 25, 18, 15, 12, 10, 8, 6, 4, 2, 1.
    FormulaOne,
    /// Not what it ended with, but how fast it went: states per second, the median over its moves.
    Speed,
}

/// Who holds which role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Assignment {
    /// All assignments in which the agents meet, equally often.
    #[default]
    Mixed,
    /// The agents in the order of the column; the last holds all roles that are left.
    AsListed,
}

/// Who plays.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentEntry {
    /// What the file calls it.
    pub name: Spanned<String>,
    /// A named agent, a spec or a TOML file; the name, if it is not given.
    #[serde(default)]
    pub agent: Option<Spanned<String>>,
    /// What the report calls it; the name, if it is not given.
    #[serde(default)]
    pub label: Option<String>,
    /// What answers its questions about the rules, if not what answers everybody's.
    #[serde(default)]
    pub reasoner: Option<Spanned<String>>,
    /// How many times the budget it gets.
    #[serde(default = "limits::one", deserialize_with = "limits::patience")]
    pub patience: u32,
}

impl AgentEntry {
    /// What to look for among agents.
    pub fn agent(&self) -> &str {
        self.agent.as_ref().unwrap_or(&self.name).get_ref()
    }

    /// What the report calls it.
    pub fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(self.name.get_ref())
    }
}

/// A column of the table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnEntry {
    /// Its heading.
    pub label: Spanned<String>,
    /// The agent whose points it shows.
    pub of: Spanned<String>,
    /// The agents it plays against.
    #[serde(default)]
    pub against: Vec<Spanned<String>>,
}

/// A row of the table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameEntry {
    /// A shipped game's name, or a path.
    pub name: Spanned<String>,
    /// What the source calls it; the name, if it is not given.
    #[serde(default)]
    pub label: Option<String>,
    /// Why it cannot be played; then it only shows the published values.
    #[serde(default)]
    pub missing: Option<String>,
    /// Of video games: the levels, which come up equally often.
    #[serde(default)]
    pub levels: Vec<u32>,
    /// Simulations per second of the source's program, for budgets in published seconds.
    #[serde(default, deserialize_with = "limits::speed")]
    pub simulations_per_second: Option<f64>,
    /// What a player may spend on a move of this game.
    #[serde(default)]
    pub budget: Option<Spanned<Budget>>,
    /// The published values, one for each column; `""` where there is none.
    #[serde(default, deserialize_with = "published::row")]
    pub published: Vec<Option<Published>>,
}

impl GameEntry {
    /// What the report calls it.
    pub fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(self.name.get_ref())
    }
}

/// The published last rows.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// What the source calls the average.
    #[serde(default)]
    pub label: Option<String>,
    /// The average over the games, one for each column.
    #[serde(default, deserialize_with = "published::row")]
    pub average: Vec<Option<Published>>,
    /// The robustness, one for each column.
    #[serde(default)]
    pub robustness: Vec<i32>,
    /// Of speeds: the agent with which each column is compared; the first column if not given.
    #[serde(default)]
    pub times: Vec<Spanned<String>>,
}

/// What a profile changes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Games of each cell, at least.
    #[serde(default, deserialize_with = "limits::some_runs")]
    pub runs: Option<u32>,
    /// What a player may spend on a move, in all games.
    #[serde(default)]
    pub budget: Option<Spanned<Budget>>,
    /// The games that are played.
    #[serde(default)]
    pub games: Option<Vec<Spanned<String>>>,
    /// The columns that are played, by label.
    #[serde(default)]
    pub columns: Option<Vec<Spanned<String>>>,
    /// What is otherwise for single games, mostly slow ones.
    #[serde(default)]
    pub by_game: BTreeMap<Spanned<String>, GameProfile>,
}

/// What a profile changes for one game.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameProfile {
    /// Games of each cell, at least.
    #[serde(default, deserialize_with = "limits::some_runs")]
    pub runs: Option<u32>,
    /// What a player may spend on a move.
    #[serde(default)]
    pub budget: Option<Spanned<Budget>>,
}

impl Profile {
    /// What is otherwise for a game.
    pub(crate) fn of_game(&self, name: &str) -> Option<&GameProfile> {
        self.by_game.iter().find(|(known, _)| known.get_ref() == name).map(|(_, profile)| profile)
    }
}

impl Spec {
    /// Reads an experiment.
    pub fn read(text: &str) -> Result<Spec, TextError> {
        if text.len() > MAX_TEXT {
            let problem = format!("the file has {} bytes; at most {MAX_TEXT} are read", text.len());
            return Err(TextError::at(text, 0, problem));
        }
        let spec = error::read(text)?;
        check::check(text, &spec)?;
        Ok(spec)
    }

    /// The names of the profiles: those of the file, and `full`, which is the file as it stands.
    pub fn profile_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.profiles.keys().map(String::as_str).collect();
        if !names.contains(&"full") {
            names.push("full");
        }
        names
    }

    /// The profile that is meant where none is named: `quick`, or the only one, or `full`.
    pub fn usual_profile(&self) -> &str {
        let mut names = self.profiles.keys();
        match (self.profiles.contains_key("quick"), names.next(), names.next()) {
            (true, ..) => "quick",
            (false, Some(only), None) => only,
            _ => "full",
        }
    }

    /// The headings of the table's columns.
    pub fn column_labels(&self) -> Vec<&str> {
        match self.layout {
            Layout::Duels => self.columns.iter().map(|column| &**column.label.get_ref()).collect(),
            Layout::RoundRobin | Layout::Alone => {
                self.agents.iter().map(AgentEntry::label).collect()
            }
        }
    }
}
