//! What can be typed about agents: playing, searching, matches.

use super::realtime::RealTimeOptions;
use super::{KindOption, RuleOptions, number};
use clap::Args;
use gamegrove_agents::Agent;
use gamegrove_lab::stats::Sprt;
use gamegrove_play::agent::read_agent;
use gamegrove_play::load::LevelChoice;
use gamegrove_play::matches::Allowance;
use gamegrove_play::matches::Clocks;
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::units::parse_count;
use gamegrove_play::units::parse_duration;
use std::time::Duration;

/// What `grove play` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove play tic_tac_toe --as x
  grove play checkers --as black --as white      two people at one keyboard
  grove play chess --seed 7                      without a terminal: agents among themselves
  grove play my_game.kif --as robot --json       with the record of the match at the end
  grove play zelda --level 2                     a video game in the terminal
  grove play my_game.vgdl --level my_level.txt --turns
  grove play zelda --agent grove                 watch an agent; `grove watch` does more

At the prompt: a move or its number, or help, moves, look, facts, undo, quit.
In video games: arrow keys and space, p pause, r again, q quit; a second person has w a s d and f.")]
pub struct PlayArgs {
    /// A shipped game's name or a rulesheet's path
    pub game: String,

    /// The role you play; repeat it to play several
    ///
    /// Without it you are asked at a terminal; elsewhere agents play all roles.
    #[arg(long = "as", value_name = "ROLE")]
    pub roles: Vec<String>,

    /// Who plays the other roles; repeat it to give each, in order, its own; the last plays all
    /// that are left [default: grove]
    #[arg(long, value_name = "AGENT", value_parser = read_agent)]
    pub agent: Vec<Agent>,

    #[command(flatten)]
    pub budget: BudgetOptions,

    /// Of video games: the level, a number or a file [default: 0]
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<LevelChoice>,

    /// Of video games in the terminal: the time of a tick [default: 100ms]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub tick: Option<Duration>,

    /// Of video games in the terminal: time stands still until you do something; . waits a tick
    #[arg(long, conflicts_with = "tick")]
    pub turns: bool,

    #[command(flatten)]
    pub kind: KindOption,

    /// What answers questions about the rules: prover, propnet or auto
    #[arg(long, value_name = "REASONER", default_value_t = Reasoner::Auto)]
    pub reasoner: Reasoner,

    /// What the agents' choices depend on [default: differs every time, and is shown]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,

    /// Gives the game up after so many steps
    #[arg(
        long, value_name = "STEPS", default_value = "10000",
        value_parser = number::<1, 1_000_000>
    )]
    pub step_limit: u32,

    #[command(flatten)]
    pub rules: RuleOptions,
}

/// What agents may spend on a move.
#[derive(Clone, Copy, Debug, Args)]
pub struct BudgetOptions {
    /// Time for each move: 1s, 200ms [default: 1s; of video games 40ms]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, conflicts_with = "simulations")]
    pub clock: Option<Duration>,

    /// Processor time for each move, instead of time on the wall: what else the machine does takes
    /// nothing away from anybody
    #[arg(long, value_name = "TIME", value_parser = parse_duration,
          conflicts_with_all = ["clock", "simulations"])]
    pub processor: Option<Duration>,

    /// Simulations for each move, instead of time; then equal seeds give equal play
    #[arg(long, value_name = "N", value_parser = some)]
    pub simulations: Option<u64>,
}

/// Reads a count of at least one.
fn some(text: &str) -> Result<u64, String> {
    let count = parse_count(text)?;
    if count == 0 { Err("give at least one".to_owned()) } else { Ok(count) }
}

/// Reads the two differences of a sequential test.
fn read_sprt(text: &str) -> Result<Sprt, String> {
    let numbers: Vec<Option<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match numbers.as_slice() {
        &[Some(elo0), Some(elo1)] if elo0 < elo1 && elo0 >= -1000.0 && elo1 <= 1000.0 => {
            Ok(Sprt { elo0, elo1 })
        }
        _ => {
            Err("write two Elo differences from -1000 to 1000, the smaller first, like 0,10"
                .to_owned())
        }
    }
}

impl BudgetOptions {
    /// What a player may spend on a move.
    pub fn allowance(&self) -> Allowance {
        match self.simulations {
            Some(count) => Allowance::Simulations(count),
            None => self.processor.map_or_else(
                || Allowance::Time(self.clock.unwrap_or(Duration::from_secs(1))),
                Allowance::Processor,
            ),
        }
    }

    /// The clocks of a match without a start clock.
    pub fn clocks(&self) -> Clocks {
        match self.allowance() {
            Allowance::Time(time) => Clocks::time(Duration::ZERO, time),
            Allowance::Processor(time) => Clocks::processor(time),
            Allowance::Simulations(count) => Clocks::simulations(count),
            Allowance::Nothing => Clocks::simulations(0),
        }
    }
}

/// What `grove agents` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove agents
  grove agents --parts
  grove search connect_four --agent 'mcts(select=grave(ref=50), playout=mast)'")]
pub struct AgentsArgs {
    /// Lists the parts that agents can be made of, with their options and defaults
    #[arg(long)]
    pub parts: bool,
}

/// What `grove search` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove search connect_four
  grove search tic_tac_toe --moves '(mark 2 2) (mark 1 1)' --simulations 10k
  grove search my_game.kif --agent grave_mast --clock 5s --json
  grove search connect_four --tree tree.svg

Means are goals from 0 to 100; ± is half the width of their 95 % interval. Moves of roles that have no
choice may be left out of --moves.")]
pub struct SearchArgs {
    /// A shipped game's name, a rulesheet's path, or -
    pub game: String,

    /// Who searches: a named agent, a TOML file, or a spec
    #[arg(long, value_name = "AGENT", default_value = "grove", value_parser = read_agent)]
    pub agent: Agent,

    /// The moves that lead from the start to the position
    #[arg(long, value_name = "MOVES", default_value = "")]
    pub moves: String,

    /// The role whose moves are reported [default: the first that has a choice]
    #[arg(long = "as", value_name = "ROLE")]
    pub role: Option<String>,

    #[command(flatten)]
    pub budget: BudgetOptions,

    /// Draws the top of the tree: FILE.svg or FILE.dot
    #[arg(long, value_name = "FILE")]
    pub tree: Option<String>,

    /// With --tree: steps below the root that are drawn
    #[arg(long, value_name = "N", default_value = "3", value_parser = number::<1, 20>)]
    pub tree_depth: u32,

    /// With --tree: successors of each node that are drawn
    #[arg(long, value_name = "N", default_value = "4", value_parser = number::<1, 100>)]
    pub tree_width: u32,

    /// What answers questions about the rules: auto, prover, propnet, lanes or hardware
    ///
    /// Options in parentheses choose more: prover(cache=true), propnet(passes=12),
    /// propnet(cache=true), hardware(backend=verilator).
    #[arg(long, value_name = "REASONER", default_value_t = Reasoner::Auto)]
    pub reasoner: Reasoner,

    /// What the random choices depend on
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    #[command(flatten)]
    pub rules: RuleOptions,
}

/// What `grove match` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove match connect_four uct_mast uct --runs 200 --simulations 1000
  grove match breakthrough grove cadia_2008 --clock 200ms --record matches.jsonl
  grove match connect_four,quad uct_mast uct --simulations 500 --sprt 0,10 --record matches.jsonl
  grove match tic_tac_toe 'mcts(playout=mast)' random --json
  grove match aliens grove vanilla_mcts --runs 25
  grove match zelda kb_fast_evo --level 0 --simulations 100

Agents take turns in all roles. A match gives one point, shared by those with the highest goal. Matches run
side by side, each on one core. An interrupt shows what was played so far.
Video games are played alone, --runs times by each agent, with 40ms of processor time a tick.")]
pub struct MatchArgs {
    /// A shipped game's name, a rulesheet's path, or -; several games with commas between them
    pub game: String,

    /// Who plays: named agents, TOML files, or specs
    #[arg(required = true, value_name = "AGENT", num_args = 1..=16, value_parser = read_agent)]
    pub agents: Vec<Agent>,

    /// Matches of each game; more if that is needed to share the roles fairly [default: 100; with --sprt
    /// as many as it takes]
    #[arg(long, value_name = "N", value_parser = number::<1, 10_000_000>)]
    pub runs: Option<u32>,

    /// Plays until it is shown, with errors of 5 %, whether the first agent is stronger than the second by
    /// ELO0 or by ELO1 points of logistic Elo: the sequential test of engine testers, over pairs of matches
    /// with swapped roles
    #[arg(long, value_name = "ELO0,ELO1", value_parser = read_sprt, allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,

    #[command(flatten)]
    pub budget: BudgetOptions,

    #[command(flatten)]
    pub realtime: RealTimeOptions,

    /// Time before the first move [default: none; of video games 1s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, conflicts_with = "simulations")]
    pub start_clock: Option<Duration>,

    /// Answers at once where there is nothing to choose, and does not think in the opponent's time
    #[arg(long)]
    pub no_ponder: bool,

    /// Matches at a time [default: as many as the machine has cores]
    #[arg(long, short, value_name = "T", value_parser = number::<1, 1024>)]
    pub threads: Option<u32>,

    /// Writes the record of every match to a file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub record: Option<String>,

    /// Goes on from the matches that the record already has
    #[arg(long, requires = "record")]
    pub resume: bool,

    /// Writes the depth and the branching of the search trees, and simulations, turn by turn into a folder: a table
    /// and two charts; not of video games
    #[arg(long, value_name = "FOLDER")]
    pub trees: Option<String>,

    /// Gives a match up after so many steps
    #[arg(
        long, value_name = "STEPS", default_value = "10000",
        value_parser = number::<1, 1_000_000>
    )]
    pub step_limit: u32,

    /// What answers questions about the rules: auto, prover, propnet, lanes or hardware
    ///
    /// Options in parentheses choose more: prover(cache=true), propnet(passes=12),
    /// propnet(cache=true), hardware(backend=verilator).
    #[arg(long, value_name = "REASONER", default_value_t = Reasoner::Auto)]
    pub reasoner: Reasoner,

    /// What the random choices depend on
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    #[command(flatten)]
    pub rules: RuleOptions,
}

impl MatchArgs {
    /// What players may spend before the first move.
    pub fn start_allowance(&self) -> Allowance {
        self.start_clock.map_or(Allowance::Nothing, Allowance::Time)
    }
}
