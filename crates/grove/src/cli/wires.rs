//! What `grove player` and `grove referee` take.

use std::time::Duration;

use clap::Args;
use gamegrove_agents::Agent;
use gamegrove_play::agent::read_agent;
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::units::parse_duration;
use gamegrove_protocol::{Address, AddressError, DEFAULT_PORT};

use super::{RuleOptions, number};

/// What `grove player` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove player
  grove player --port 9148 --agent uct_mast --no-ponder
  grove player --host 0.0.0.0 --longest-clock 1m

Listens for the messages of a GGP game manager (INFO, PREVIEW, START, PLAY, STOP, ABORT) until it is
stopped, and plays one match at a time. `grove referee` is such a manager. Whatever the rules and the
clock, every PLAY is answered in time: with the best move found so far, else with any legal one.")]
pub struct PlayerArgs {
    /// Who plays: a named agent, a TOML file, or a spec
    #[arg(long, value_name = "AGENT", default_value = "grove", value_parser = read_agent)]
    pub agent: Agent,

    /// The port to listen on; 0 is any that is free
    #[arg(long, value_name = "PORT", default_value_t = DEFAULT_PORT)]
    pub port: u16,

    /// The address to listen on: 127.0.0.1 hears this machine only, 0.0.0.0 every machine
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub host: String,

    /// An origin whose pages may send messages, for game managers that run in a browser; may be repeated
    #[arg(long = "trust-origin", value_name = "ORIGIN", value_parser = origin)]
    pub trusted: Vec<String>,

    /// Clocks longer than this count as this
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_duration)]
    pub longest_clock: Duration,

    /// What to keep back of every clock for the way there and back [default: 500ms, at most a fifth]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub margin: Option<Duration>,

    /// Thinks only when it is asked, not while others think
    #[arg(long)]
    pub no_ponder: bool,

    /// Does not search during the start clock
    #[arg(long)]
    pub no_start_search: bool,

    /// What it calls itself
    #[arg(long, value_name = "NAME", default_value = "gamegrove", value_parser = one_word)]
    pub name: String,

    /// What the random choices depend on
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

/// What `grove referee` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove referee connect_four --player http://localhost:9147 --player grove
  grove referee chess --player 10.0.0.5:9147 --player 10.0.0.6:9147 --start-clock 60 --play-clock 10
  grove referee tic_tac_toe --player localhost:9147 --player random --scramble --record match.jsonl

One --player for each role, in the order of the rules: the address of a GGP player, or an agent that plays
in this process. Players are asked at the same time. A move that is late, missing or illegal is replaced by
a random legal one and reported.")]
pub struct RefereeArgs {
    /// A shipped game's name, a rulesheet's path, or -
    pub game: String,

    /// Who plays the next role: http://HOST:PORT, HOST:PORT, or an agent
    #[arg(
        long = "player", short, required = true, value_name = "URL_or_AGENT",
        value_parser = PlayerChoice::read
    )]
    pub players: Vec<PlayerChoice>,

    /// Time before the first move: 30, 500ms, 1m
    #[arg(long, value_name = "TIME", default_value = "30", value_parser = parse_duration)]
    pub start_clock: Duration,

    /// Time for each move
    #[arg(long, value_name = "TIME", default_value = "10", value_parser = parse_duration)]
    pub play_clock: Duration,

    /// How much later an answer may come
    #[arg(long, value_name = "TIME", default_value = "1", value_parser = parse_duration)]
    pub grace: Duration,

    /// Gives every player other words for the words of the rules, as competitions do
    #[arg(long)]
    pub scramble: bool,

    /// What the match is called [default: made from the game and the time]
    #[arg(long, value_name = "NAME", value_parser = one_word)]
    pub id: Option<String>,

    /// Writes the record of the match to a file, as one JSON object in a line
    #[arg(long, value_name = "FILE")]
    pub record: Option<String>,

    /// Gives the match up after so many steps
    #[arg(
        long, value_name = "STEPS", default_value = "10000",
        value_parser = number::<1, 1_000_000>
    )]
    pub step_limit: u32,

    /// What answers the referee's questions about the rules
    #[arg(long, value_name = "REASONER", default_value_t = Reasoner::Prover)]
    pub reasoner: Reasoner,

    /// What replaced moves, scrambled words and local agents depend on
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    #[command(flatten)]
    pub rules: RuleOptions,
}

/// Somebody who can play for the referee.
#[derive(Clone, Debug)]
pub enum PlayerChoice {
    /// Somewhere else.
    Remote(Address),
    /// In this process.
    Local(Box<Agent>),
}

impl PlayerChoice {
    fn read(text: &str) -> Result<PlayerChoice, String> {
        let has_port = text.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        if text.contains("://") || has_port {
            return text
                .parse()
                .map(PlayerChoice::Remote)
                .map_err(|error: AddressError| error.to_string());
        }
        match read_agent(text) {
            Ok(agent) => Ok(PlayerChoice::Local(Box::new(agent))),
            Err(error) => Err(format!("{error}; players elsewhere are written http://HOST:PORT")),
        }
    }

    /// What the record calls it.
    pub fn name(&self) -> String {
        match self {
            PlayerChoice::Remote(address) => address.to_string(),
            PlayerChoice::Local(agent) => agent.name.clone(),
        }
    }
}

/// Reads an origin as browsers send it: scheme, host and port, without a path.
fn origin(text: &str) -> Result<String, String> {
    let place = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let is_place = |place: &str| !place.is_empty() && !place.contains(['/', '*', ' ', ',']);
    match place.is_some_and(is_place) {
        true => Ok(text.to_ascii_lowercase()),
        false => Err("an origin is written https://HOST or http://HOST:PORT".to_owned()),
    }
}

/// Reads a word that can stand in a message.
fn one_word(text: &str) -> Result<String, String> {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    match !text.is_empty() && text.len() <= 100 && text.chars().all(is_fine) {
        true => Ok(text.to_owned()),
        false => Err("one word of letters, digits, dots, dashes and underscores".to_owned()),
    }
}
