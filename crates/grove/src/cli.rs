//! What can be typed: commands, options and their help.

mod wires;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use gamegrove_gdl::Reading;
use gamegrove_propnet::Sequence;
use gamegrove_propnet::verilog::Family;

use gamegrove_agents::Agent;
use gamegrove_arena::{Allowance, Clocks};

pub use self::wires::{PlayerArgs, PlayerChoice, RefereeArgs};
use crate::make::Choice;
use gamegrove_shelf::agent::read_agent;
use gamegrove_shelf::library::Kind;
use gamegrove_shelf::load::LevelChoice;
use gamegrove_shelf::reasoner::Reasoner;
use gamegrove_shelf::units::{parse_count, parse_duration};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Plays games from their rules alone.
///
/// Gamegrove reads the rules of a game it has never seen, written in the Game Description Language
/// (GDL) or the Video Game Description Language (VGDL), says what is wrong with them, and plays.
#[derive(Debug, Parser)]
#[command(
    name = "grove",
    version,
    styles = STYLES,
    arg_required_else_help = true,
    subcommand_required = true,
    max_term_width = 100,
    after_help = "\
Examples:
  grove games                      what there is to play
  grove play tic_tac_toe --as x    play it
  grove play zelda                 a video game: arrow keys and space
  grove check my_game.kif          find what is wrong with your own rules

GAME is the name of a shipped game, the path of a file with rules, or - for standard input.
Exit codes: 0 fine, 1 the game is broken, 2 wrong usage or an unreadable file."
)]
pub struct Cli {
    /// Colours in what people read
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    pub color: Colour,

    #[command(subcommand)]
    pub command: Command,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// At a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Checks rulesheets: shows every mistake, why it is one, and how to mend it
    Check(CheckArgs),
    /// Draws a position of a game as text or SVG
    Draw(DrawArgs),
    /// Lists the games that come with Gamegrove, or shows one
    Games(GamesArgs),
    /// Counts the joint-move paths of a game: the numbers that prove a reasoner right
    Perft(PerftArgs),
    /// Measures random games: states and play-outs per second
    Bench(BenchArgs),
    /// Builds the network of a game: how large it is, what each optimisation does, a picture
    Propnet(PropnetArgs),
    /// Plays a game: you against agents, or agents among themselves
    Play(PlayArgs),
    /// Lists the agents that can play, and the parts new ones can be made of
    Agents(AgentsArgs),
    /// Searches one position and explains what was found
    Search(SearchArgs),
    /// Lets agents play against each other and counts, with 95 % intervals
    Match(MatchArgs),
    /// Is a GGP player that any game manager can call
    Player(PlayerArgs),
    /// Is a GGP game manager: runs a match between players elsewhere, agents here, or both
    Referee(RefereeArgs),
    /// Lists the experiments that come with Gamegrove: published tables
    Experiments(ExperimentsArgs),
    /// Runs an experiment, shows how far it is, reports it beside the published values
    Experiment(ExperimentArgs),
    /// Replays actions in a video game and prints what happened, tick by tick
    Trace(TraceArgs),
}

/// The language of a game, where it cannot be told.
#[derive(Clone, Copy, Debug, Args)]
pub struct KindOption {
    /// The language of the rules [default: by the file's extension, else by its first word]
    #[arg(long, value_parser = kind(), value_name = "KIND")]
    pub kind: Option<Kind>,
}

/// Options of everything that reads rules.
#[derive(Clone, Copy, Debug, Args)]
pub struct RuleOptions {
    /// How the order of conditions is read
    ///
    /// In GDL's definition order means nothing. Some rulesheets were written for systems that read
    /// conditions from left to right; `grove check` warns where that makes a difference.
    #[arg(long, value_enum, default_value_t = ReadingOption::Logic, value_name = "READING")]
    pub reading: ReadingOption,
}

/// How the order of conditions is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReadingOption {
    /// As the language defines it: order means nothing
    Logic,
    /// A variable without a value belongs to the negation that first names it
    LeftToRight,
}

impl From<ReadingOption> for Reading {
    fn from(option: ReadingOption) -> Reading {
        match option {
            ReadingOption::Logic => Reading::Logical,
            ReadingOption::LeftToRight => Reading::LeftToRight,
        }
    }
}

/// What `grove check` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove check my_game.kif
  grove check games/*.kif --play 20      also play 20 random games of each
  grove check my_game.vgdl --level my_level.txt
  grove check chess --json               for tools; shipped games work too
  cat my_game.kif | grove check -

Exit codes: 0 no errors (warnings do not count), 1 errors, 2 a file could not be read.")]
pub struct CheckArgs {
    /// Files with rules, names of shipped games, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,

    /// Of video games: the level to check, a number or a file; repeat it for several [default: all
    /// levels that belong to the game]
    #[arg(long, value_name = "LEVEL")]
    pub level: Vec<LevelChoice>,

    #[command(flatten)]
    pub kind: KindOption,

    /// Also plays N random games of each and reports what goes wrong in them
    ///
    /// Errors: a state without a legal move for a role, no goal or several at the end, goals
    /// outside 0 to 100. Warnings: games longer than the step limit, queries larger than the limit
    /// of the prover.
    #[arg(long, value_name = "N", value_parser = number::<1, 1_000_000>)]
    pub play: Option<u32>,

    /// With --play: what answers questions about the rules: prover, propnet or auto
    ///
    /// A network knows no goals that are not numbers: it reports them as missing.
    #[arg(long, value_name = "REASONER", default_value_t = Reasoner::Prover)]
    pub reasoner: Reasoner,

    /// Gives a random game up after so many steps [default: 1000; of video games more than any has]
    #[arg(long, value_name = "STEPS", value_parser = number::<1, 1_000_000>)]
    pub step_limit: Option<u32>,

    /// Games played at a time [default: as many as the machine has cores]
    #[arg(long, value_name = "T", value_parser = number::<1, 1024>)]
    pub threads: Option<u32>,

    /// What the random choices depend on; equal seeds give equal games
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    #[command(flatten)]
    pub rules: RuleOptions,

    /// Reports as one JSON value on standard output
    #[arg(long)]
    pub json: bool,
}

/// What `grove games` takes.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = false,
    after_help = "\
Examples:
  grove games
  grove games --tag line --players 2     which have this tag, for two players
  grove games --kind vgdl --json
  grove games show checkers
  grove games show zelda --level 2
  grove games show checkers --rules > my_checkers.kif
  grove games make connect --width 9 --height 9 --line 5 > mine.kif
  grove games compare mine.kif other.kif
  grove games table --output games.md    a page about all of them"
)]
pub struct GamesArgs {
    #[command(subcommand)]
    pub action: Option<GamesAction>,

    #[command(flatten)]
    pub filter: GamesFilter,

    /// Reports as one JSON value on standard output
    #[arg(long, global = true)]
    pub json: bool,
}

/// Which games are listed.
#[derive(Debug, Args)]
pub struct GamesFilter {
    /// Only games with this tag; repeat it for games with all of several
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<String>,

    /// Only games for so many players
    #[arg(long, value_name = "N", value_parser = number::<1, 255>)]
    pub players: Option<u32>,

    /// Only games in this language
    #[arg(long, value_parser = kind(), value_name = "KIND")]
    pub kind: Option<Kind>,
}

#[derive(Debug, Subcommand)]
pub enum GamesAction {
    /// Shows one game: its rules in words, its roles, how it starts
    #[command(after_help = "\
Examples:
  grove games show tron
  grove games show tron --rules          the rulesheet itself
  grove games show my_game.kif --json")]
    Show {
        /// A shipped game's name, a rulesheet's path, or -
        game: String,

        /// Prints the rulesheet itself and nothing else
        #[arg(long)]
        rules: bool,

        /// Of video games: the level to draw, a number or a file [default: the first]
        #[arg(long, value_name = "LEVEL")]
        level: Option<LevelChoice>,

        #[command(flatten)]
        kind: KindOption,
    },

    /// Writes a page about all shipped games: their numbers in tables, and a drawing of each
    #[command(after_help = "\
Examples:
  grove games table --output docs/games.md --drawings docs/games
  grove games --players 3 table          only some of them
  grove games table --json > games.json")]
    Table {
        /// Writes the page to this file instead of standard output
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,

        /// Also draws a position of each board game into this folder, as SVG, and shows it on the page
        #[arg(long, value_name = "FOLDER")]
        drawings: Option<PathBuf>,

        /// Time for each game's network, and for its random games
        #[arg(long, value_name = "TIME", default_value = "60", value_parser = parse_duration)]
        seconds: Duration,
    },

    /// Finds out whether two rulesheets are the same game under other names
    #[command(after_help = "\
Examples:
  grove games compare breakthrough other/breakthrough.kif
  grove games compare tic_tac_toe my_game.kif --seconds 5 --games 500

Three ways: the trees of all games, depth by depth as far as the time goes (exact, whatever facts and
moves are called); random games of the first followed in the second, keeping all states that may be
the counterpart (exact on the way); and random games of both to their end (how long they are, how
many moves there are, what they are worth). Roles are matched in order. Exit codes: 0 no difference,
1 a difference.")]
    Compare {
        /// A shipped game's name, a rulesheet's path, or -
        game: String,

        /// Another one
        other: String,

        /// Time for the trees of each game, and for following
        #[arg(long, value_name = "TIME", default_value = "10", value_parser = parse_duration)]
        seconds: Duration,

        /// Random games of each
        #[arg(long, value_name = "N", default_value = "2000", value_parser = number::<0, 1_000_000>)]
        games: u32,

        /// What the random games depend on
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
    },

    /// Writes the rules of a game of any size: races, Goofspiel, connect, breakthrough and others
    #[command(after_help = "\
Examples:
  grove games make shock-step --width 5 --length 10
  grove games make connect --width 9 --height 9 --line 5 --gravity off > five.kif
  grove games make goofspiel --cards 6 --output goofspiel_6.kif
  grove games make punishment --help     what can be chosen")]
    Make {
        #[command(subcommand)]
        choice: Choice,

        /// Writes to this file instead of standard output
        #[arg(long, short, value_name = "FILE", global = true)]
        output: Option<PathBuf>,
    },
}

/// What `grove draw` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove draw chess
  grove draw tic_tac_toe --moves '(mark 2 2)' '(mark 1 1)'
  grove draw checkers --random 20 --seed 7 --svg checkers.svg
  grove draw my_game.kif --svg - --theme dark > my_game.svg

Each of --moves is one step: the move of the role that has a choice. Where several have, their moves
stand in the order of the roles with | between them. A file my_game.toml beside the rules can say how
the board looks, in its table [board].")]
pub struct DrawArgs {
    /// A shipped game's name, a rulesheet's path, or -
    pub game: String,

    /// The moves that lead to the position, step by step
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub moves: Vec<String>,

    /// Plays so many random steps behind them
    #[arg(long, value_name = "STEPS", default_value = "0", value_parser = number::<0, 100_000>)]
    pub random: u32,

    /// What the random steps depend on
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Writes an SVG drawing to a file, or to standard output for -
    #[arg(long, value_name = "FILE")]
    pub svg: Option<String>,

    /// Colours of the SVG drawing
    #[arg(long, value_enum, default_value_t = DrawingTheme::Auto)]
    pub theme: DrawingTheme,

    #[command(flatten)]
    pub kind: KindOption,

    #[command(flatten)]
    pub rules: RuleOptions,

    /// Reports as one JSON value on standard output
    #[arg(long)]
    pub json: bool,
}

/// Colours of drawings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DrawingTheme {
    /// What the reader prefers.
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// What `grove perft` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove perft chess --depth 3
  grove perft tic_tac_toe --depth 9 --json
  grove perft tic_tac_toe --distinct             how many different states there are
  grove perft eight_puzzle --distinct --depth 20 --limit 2M

A path is a sequence of joint moves. \"nodes\" are the paths of exactly that depth, \"terminals\" the
paths of at most that depth that end the game.")]
pub struct PerftArgs {
    /// A shipped game's name, a rulesheet's path, or -
    pub game: String,

    /// Joint moves from the start
    #[arg(
        long, short, value_name = "N", required_unless_present = "distinct",
        value_parser = number::<0, 1_000_000>
    )]
    pub depth: Option<u32>,

    /// What answers questions about the rules: prover, propnet or auto
    #[arg(long, value_name = "REASONER", default_value_t = Reasoner::Prover)]
    pub reasoner: Reasoner,

    /// Counts different states instead of paths
    #[arg(long)]
    pub distinct: bool,

    /// With --distinct: stops after so many states
    #[arg(
        long, value_name = "STATES", default_value = "1M", value_parser = parse_count,
        requires = "distinct"
    )]
    pub limit: u64,

    /// Threads [default: as many as the machine has cores]
    #[arg(long, short, value_name = "T", value_parser = number::<1, 1024>)]
    pub threads: Option<u32>,

    /// Taken for uniformity; counting leaves nothing to chance
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    #[command(flatten)]
    pub rules: RuleOptions,

    /// Reports as one JSON value on standard output
    #[arg(long)]
    pub json: bool,
}

/// What `grove bench` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove bench connect_four
  grove bench chess checkers --seconds 10 --threads 2
  grove bench connect_four --reasoner prover,propnet,lanes
  grove bench my_game.kif --json
  grove bench zelda aliens --level 1

Random games from the start. A state counts once each time play reaches it, the first and the last
of a game included. Memory is the most that the process held while the game was measured; for an
exact figure measure one game per run.

Of video games: ticks with random actions (advances), copies of the first state, and roll-outs: a copy
and ten ticks. Each takes a third of the time.")]
pub struct BenchArgs {
    /// Shipped games' names, rulesheets' paths, or -
    #[arg(required = true, value_name = "GAME")]
    pub games: Vec<String>,

    /// Of video games: the level, a number or a file
    #[arg(long, value_name = "LEVEL", default_value = "0")]
    pub level: LevelChoice,

    #[command(flatten)]
    pub kind: KindOption,

    /// What answers questions about the rules: prover, propnet, lanes or auto; several with commas
    #[arg(long, value_name = "REASONER", value_delimiter = ',', default_value = "prover")]
    pub reasoner: Vec<Reasoner>,

    /// How long each game is measured: 2, 500ms, 1m
    #[arg(long, short, value_name = "TIME", default_value = "3", value_parser = parse_duration)]
    pub seconds: Duration,

    /// Threads that play at the same time
    #[arg(
        long, short, value_name = "T", default_value = "1",
        value_parser = number::<1, 1024>
    )]
    pub threads: u32,

    /// What the random choices depend on
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    #[command(flatten)]
    pub rules: RuleOptions,

    /// Reports as one JSON value on standard output
    #[arg(long)]
    pub json: bool,
}

/// What `grove propnet` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove propnet connect_four
  grove propnet chess --stats                    components by kind, before and after each pass
  grove propnet tic_tac_toe --dot net.dot        a picture: dot -Tsvg net.dot -o net.svg
  grove propnet my_game.kif --optimise 12 --json
  grove propnet connect_four --verilog hardware  --simulate 100 and --synthesise ecp5 go with it

The digits of --optimise are passes, in the order they are run: 0 removes constants, 1 splices
propositions without a meaning of their own, 2 infers what is constant in all reachable states, 3 drops
what nobody reads. 1023 is the default; - is the network as built.")]
pub struct PropnetArgs {
    /// A shipped game's name, a rulesheet's path, or -
    pub game: String,

    /// The passes, by their digits
    #[arg(long, value_name = "DIGITS", default_value = "1023", value_parser = parse_sequence)]
    pub optimise: Sequence,

    /// Shows how many components there are of each kind
    #[arg(long)]
    pub stats: bool,

    /// Writes the network as a Graphviz graph
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,

    /// Writes the network as hardware: Verilog, test bench, and what its bits mean
    #[arg(long, value_name = "DIR")]
    pub verilog: Option<PathBuf>,

    /// Simulates so many random games on that hardware with Verilator
    #[arg(long, value_name = "GAMES", value_parser = number::<1, 1_000_000_000>)]
    pub simulate: Option<u32>,

    /// Synthesises it with Yosys and nextpnr: ecp5, or cyclonev (cells only)
    #[arg(long, value_name = "FAMILY")]
    pub synthesise: Option<Family>,

    /// Stops Verilator, Yosys or nextpnr after this time
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = parse_duration)]
    pub tool_time: Duration,

    /// Gives up after this time: 30, 500ms, 2m
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = parse_duration)]
    pub time_limit: Duration,

    /// Permutes the rules; sizes hardly depend on it
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,

    #[command(flatten)]
    pub rules: RuleOptions,

    /// Reports as one JSON value on standard output
    #[arg(long)]
    pub json: bool,
}

fn parse_sequence(digits: &str) -> Result<Sequence, String> {
    let digits = if digits == "-" { "" } else { digits };
    digits.parse().map_err(|error: gamegrove_propnet::SequenceError| error.to_string())
}

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
  grove play zelda --agent random                watch an agent

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
    /// that are left [default: grove; of video games random]
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

    /// Reports the record of the match as one JSON value on standard output
    #[arg(long)]
    pub json: bool,
}

/// What agents may spend on a move.
#[derive(Clone, Copy, Debug, Args)]
pub struct BudgetOptions {
    /// Time for each move: 1s, 200ms [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, conflicts_with = "simulations")]
    pub clock: Option<Duration>,

    /// Simulations for each move, instead of time; then equal seeds give equal play
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub simulations: Option<u64>,
}

impl BudgetOptions {
    /// What a player may spend on a move.
    pub fn allowance(&self) -> Allowance {
        match self.simulations {
            Some(count) => Allowance::Simulations(count),
            None => Allowance::Time(self.clock.unwrap_or(Duration::from_secs(1))),
        }
    }

    /// The clocks of a match without a start clock.
    pub fn clocks(&self) -> Clocks {
        match self.allowance() {
            Allowance::Time(time) => Clocks::time(Duration::ZERO, time),
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

    /// Reports as one JSON value on standard output
    #[arg(long)]
    pub json: bool,
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

    /// What answers questions about the rules
    #[arg(long, value_name = "REASONER", default_value_t = Reasoner::Auto)]
    pub reasoner: Reasoner,

    /// What the random choices depend on
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    #[command(flatten)]
    pub rules: RuleOptions,

    /// Reports as one JSON value on standard output
    #[arg(long)]
    pub json: bool,
}

/// What `grove match` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove match connect_four uct_mast uct --runs 200 --simulations 1000
  grove match breakthrough grove cadia_2008 --clock 200ms --record matches.jsonl
  grove match tic_tac_toe 'mcts(playout=mast)' random --json

Agents take turns in all roles. A match gives one point, shared by those with the highest goal; ± is half
the width of the 95 % interval of the mean. Matches run side by side, each on one core.")]
pub struct MatchArgs {
    /// A shipped game's name, a rulesheet's path, or -
    pub game: String,

    /// Who plays: named agents, TOML files, or specs
    #[arg(required = true, value_name = "AGENT", num_args = 1..=16, value_parser = read_agent)]
    pub agents: Vec<Agent>,

    /// Matches; more if that is needed to share the roles fairly
    #[arg(long, value_name = "N", default_value = "100", value_parser = number::<1, 10_000_000>)]
    pub runs: u32,

    #[command(flatten)]
    pub budget: BudgetOptions,

    /// Time before the first move
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

    /// Gives a match up after so many steps
    #[arg(
        long, value_name = "STEPS", default_value = "10000",
        value_parser = number::<1, 1_000_000>
    )]
    pub step_limit: u32,

    /// What answers questions about the rules
    #[arg(long, value_name = "REASONER", default_value_t = Reasoner::Auto)]
    pub reasoner: Reasoner,

    /// What the random choices depend on
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    #[command(flatten)]
    pub rules: RuleOptions,

    /// Reports as one JSON value on standard output
    #[arg(long)]
    pub json: bool,
}

impl MatchArgs {
    /// What players may spend before the first move.
    pub fn start_allowance(&self) -> Allowance {
        self.start_clock.map_or(Allowance::Nothing, Allowance::Time)
    }
}

/// What `grove experiments` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove experiments
  grove experiments --json")]
pub struct ExperimentsArgs {
    /// Reports as one JSON value on standard output
    #[arg(long)]
    pub json: bool,
}

/// What `grove experiment` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove experiment run sironi_2019_table_5_2 --profile quick
  grove experiment status sironi_2019_table_5_2
  grove experiment report sironi_2019_table_5_2 --output docs/results
  grove experiment run my_experiment.toml --profile full --threads 8

FILE is the name of a shipped experiment or the path of a TOML file. Results are kept in one file; what
is stopped or killed goes on where it was, and several processes may work on one experiment at once.

On many machines:
  grove experiment chunks my.toml --profile full --size 50 --output chunks
  grove experiment run-chunk my.toml --profile full chunks/my-001.json --output rows-001.jsonl
  grove experiment merge my.toml --profile full rows-*.jsonl")]
pub struct ExperimentArgs {
    #[command(subcommand)]
    pub action: ExperimentAction,
}

/// What to do with an experiment.
#[derive(Debug, Subcommand)]
pub enum ExperimentAction {
    /// Plays all games that are not played yet
    Run {
        #[command(flatten)]
        choice: ExperimentChoice,

        /// Games at a time [default: as many as the machine has cores]
        #[arg(long, short, value_name = "T", value_parser = number::<1, 1024>)]
        threads: Option<u32>,

        /// Reports as one JSON value on standard output
        #[arg(long)]
        json: bool,
    },
    /// Shows how far it is
    Status {
        #[command(flatten)]
        choice: ExperimentChoice,

        /// Reports as one JSON value on standard output
        #[arg(long)]
        json: bool,
    },
    /// Shows the results so far beside the published values
    Report {
        #[command(flatten)]
        choice: ExperimentChoice,

        /// The form of what is shown
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ReportFormat::Markdown)]
        format: ReportFormat,

        /// Writes all forms into this folder instead: NAME.md, .csv, .json and .html
        #[arg(long, short, value_name = "DIR")]
        output: Option<PathBuf>,

        /// Reports as one JSON value on standard output
        #[arg(long)]
        json: bool,
    },
    /// Writes the games as chunks, for machines that share nothing but files
    Chunks {
        #[command(flatten)]
        choice: ExperimentChoice,

        /// Games of a chunk, at most
        #[arg(long, value_name = "N", default_value = "50", value_parser = number::<1, 1_000_000>)]
        size: u32,

        /// The folder for the chunks
        #[arg(long, short, value_name = "DIR")]
        output: PathBuf,

        /// Reports as one JSON value on standard output
        #[arg(long)]
        json: bool,
    },
    /// Plays a chunk and writes its results, one JSON object a line
    RunChunk {
        #[command(flatten)]
        choice: ExperimentChoice,

        /// The chunk, or -
        chunk: String,

        /// The file for the results
        #[arg(long, short, value_name = "FILE")]
        output: PathBuf,

        /// Reports as one JSON value on standard output
        #[arg(long)]
        json: bool,
    },
    /// Merges results of chunks; a game that was played twice counts once
    Merge {
        #[command(flatten)]
        choice: ExperimentChoice,

        /// The results
        #[arg(required = true, value_name = "ROWS")]
        rows: Vec<PathBuf>,

        /// Reports as one JSON value on standard output
        #[arg(long)]
        json: bool,
    },
}

impl ExperimentArgs {
    /// Whether the report is for tools.
    pub fn json(&self) -> bool {
        match self.action {
            ExperimentAction::Run { json, .. }
            | ExperimentAction::Status { json, .. }
            | ExperimentAction::Report { json, .. }
            | ExperimentAction::Chunks { json, .. }
            | ExperimentAction::RunChunk { json, .. }
            | ExperimentAction::Merge { json, .. } => json,
        }
    }
}

/// Which experiment, how large, and where its results are.
#[derive(Clone, Debug, Args)]
pub struct ExperimentChoice {
    /// A shipped experiment's name, or the path of a TOML file
    pub file: String,

    /// smoke (seconds), quick (minutes), full (as published), or another of the file's profiles
    #[arg(long, value_name = "PROFILE", default_value = "quick")]
    pub profile: String,

    /// The file with the results [default: NAME.sqlite in the current folder]
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,

    /// What the random choices depend on [default: as the file says]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people and repositories
    Markdown,
    /// One line a cell
    Csv,
    /// Everything
    Json,
    /// A page with charts
    Html,
}

/// What `grove trace` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove trace zelda --level 2 --actions my_actions.txt
  grove trace my_game.vgdl --level my_level.txt --actions my_actions.txt --seed 7
  grove play zelda --json > played.json; grove trace zelda --actions played.json --seed SEED

The actions: one line a tick, with an action per player (NIL, UP, LEFT, DOWN, RIGHT, USE); # starts a
comment. Also taken: JSON lists of them, the record of `grove play --json`, and recorded lines with \"a\".

One JSON object a line. The first tells the types, the order in which they are updated and the actions;
then comes one a tick, t = -1 being the start: score, over, win (-1 nobody yet, 0 lost, 1 won), av (the
avatars), sp (the sprites, by type: only of types whose list changed since the line before).")]
pub struct TraceArgs {
    /// A shipped video game's name, a description's path, or -
    pub game: String,

    /// The level: a number, or a file
    #[arg(long, value_name = "LEVEL", default_value = "0")]
    pub level: LevelChoice,

    /// The file with the actions, or -
    #[arg(long, value_name = "FILE")]
    pub actions: String,

    /// The seed of the public framework's generator
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Leaves the first line out
    #[arg(long)]
    pub no_header: bool,

    /// Taken for uniformity; the lines are JSON anyway
    #[arg(long)]
    pub json: bool,
}

/// Reads the language of a game.
fn kind() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).try_map(|name| name.parse::<Kind>())
}

/// Reads a whole number from `LEAST` to `MOST`, also written like 5k or 5_000.
fn number<const LEAST: u32, const MOST: u32>(text: &str) -> Result<u32, String> {
    let number = parse_count(text)?;
    u32::try_from(number)
        .ok()
        .filter(|number| (LEAST..=MOST).contains(number))
        .ok_or_else(|| format!("it must be from {LEAST} to {MOST}"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_commands_are_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Examples:\n  grove "), "{}", command.get_name());
        }
    }
}
