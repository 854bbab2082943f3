//! What can be typed about tuning before play.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use gamegrove_agents::{Agent, Part};
use gamegrove_play::agent::read_agent;
use gamegrove_play::reasoner::Reasoner;

use super::agents::BudgetOptions;
use super::number;

/// What `grove tune` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove tune ap --parameters c,k,ref,epsilon --games connect_four,quad --budget 1000 --simulations 500
  grove tune grove --parameters c --games my_game.kif --budget 200 --strategy halving --clock 200ms
  grove tune sp --parameters c,epsilon --games breakthrough --budget 500 --against ap --report sp.md

A match gives the candidate one point, or a half in a draw. When the budget is spent, the best values play
against the original on new seeds, and the agent with these values is written as a TOML file, which every
command takes as an AGENT. Every finished match is kept: what was stopped or killed goes on where it was
with the same command.")]
pub struct TuneArgs {
    /// The agent to tune: a named agent, a TOML file, or a spec
    #[arg(value_name = "AGENT", value_parser = read_agent)]
    pub agent: Agent,

    /// The parameters to tune, with commas between
    #[arg(
        long, required = true, value_name = "NAMES", value_delimiter = ',',
        value_parser = NonEmptyStringValueParser::new()
    )]
    pub parameters: Vec<String>,

    /// The games to play, with commas between: shipped ones by name, others by their path
    #[arg(
        long, required = true, value_name = "GAMES", value_delimiter = ',',
        value_parser = NonEmptyStringValueParser::new()
    )]
    pub games: Vec<String>,

    /// Matches to tune with
    #[arg(long, required = true, value_name = "N", value_parser = number::<1, 10_000_000>)]
    pub budget: u32,

    /// How values are chosen: ntbea, halving, or another strategy, with options: 'ntbea(c=0.5)'
    #[arg(long, value_name = "STRATEGY", default_value = "ntbea", value_parser = strategy)]
    pub strategy: Part,

    /// Who plays against the candidates [default: the agent as it is]
    #[arg(long, value_name = "AGENT", value_parser = read_agent)]
    pub against: Option<Agent>,

    #[command(flatten)]
    pub allowance: BudgetOptions,

    /// Matches of the tuned agent against the original afterwards, on new seeds
    #[arg(long, value_name = "N", default_value = "100", value_parser = number::<0, 10_000_000>)]
    pub check: u32,

    /// Matches that may be under way before the first one's result is known; the result depends on it
    #[arg(long, value_name = "N", default_value = "8", value_parser = number::<1, 1024>)]
    pub ahead: u32,

    /// Matches at a time, at most --ahead [default: as many as the machine has cores]
    #[arg(long, short, value_name = "T", value_parser = number::<1, 1024>)]
    pub threads: Option<u32>,

    /// The file for the tuned agent [default: AGENT_tuned.toml]
    #[arg(long, short, value_name = "FILE.toml")]
    pub output: Option<PathBuf>,

    /// Writes a report in Markdown: candidates, single values and the check, with intervals
    #[arg(long, value_name = "FILE.md")]
    pub report: Option<PathBuf>,

    /// The file with the matches [default: AGENT_tuned.sqlite]
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,

    /// Gives a match up after so many steps
    #[arg(
        long, value_name = "STEPS", default_value = "10000",
        value_parser = number::<1, 1_000_000>
    )]
    pub step_limit: u32,

    /// What answers questions about the rules; auto chooses by the clock, so repeating needs another
    #[arg(long, value_name = "REASONER", default_value_t = Reasoner::Propnet)]
    pub reasoner: Reasoner,

    /// What the random choices depend on
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

impl TuneArgs {
    /// A file of this task: the agent's name with an ending.
    pub fn file(&self, ending: &str) -> PathBuf {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        let name = &self.agent.name;
        let stem = if name.chars().all(is_plain) { name.as_str() } else { "agent" };
        PathBuf::from(format!("{stem}_tuned.{ending}"))
    }
}

/// Reads a strategy with options; whether they exist is checked with the parameters.
fn strategy(text: &str) -> Result<Part, String> {
    gamegrove_agents::parse(text).map_err(|error| error.to_string())
}
