//! What can be typed about rules and those who reason about them.

use super::{KindOption, RuleOptions, number};
use clap::Args;
use gamegrove_hardware::Family;
use gamegrove_play::load::LevelChoice;
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::units::parse_count;
use gamegrove_play::units::parse_duration;
use gamegrove_propnet::Sequence;
use std::path::PathBuf;
use std::time::Duration;

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
}

/// What `grove agree` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove agree my_game.kif                        60 s, all reasoners
  grove agree chess --time 10m --seed 2
  grove agree tic_tac_toe --reasoner propnet --reasoner hardware

The prover plays random games; the others follow and must give its answers about every state: whether
play is over, the goals, the legal moves, the facts.
Exit codes: 0 no difference, 1 a difference, 2 wrong usage or an unreadable file.")]
pub struct AgreeArgs {
    /// A shipped game's name, a rulesheet's path, or -
    pub game: String,

    /// How long to compare, besides the time that networks take to build
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    pub time: Duration,

    /// A reasoner to compare with the prover; repeat it for several [default: the network after each
    /// published sequence of passes, and prover and network with a cache]
    #[arg(long, value_name = "REASONER")]
    pub reasoner: Vec<Reasoner>,

    /// Gives a random game up after so many steps
    #[arg(
        long, value_name = "STEPS", default_value = "1000", value_parser = number::<1, 1_000_000>
    )]
    pub step_limit: u32,

    /// What the random choices depend on; equal seeds give equal games
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    #[command(flatten)]
    pub rules: RuleOptions,
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

    /// What answers questions about the rules: prover, propnet, lanes, hardware or auto; several with
    /// commas
    ///
    /// propnet(passes=13) is the network after passes 1 and 3, propnet(passes=none) as it was built; so
    /// with 0, 1, 2, 3, 12, 102, 13 and 1023. prover(cache=true) and propnet(cache=true) remember their
    /// answers; hardware is the exported circuit, emulated or, with backend=verilator, simulated.
    #[arg(long, value_name = "REASONER", value_parser = Reasoners::read, default_value = "prover")]
    pub reasoner: Reasoners,

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
}

fn parse_sequence(digits: &str) -> Result<Sequence, String> {
    let digits = if digits == "-" { "" } else { digits };
    digits.parse().map_err(|error: gamegrove_propnet::SequenceError| error.to_string())
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
}

/// Reasoners with commas between them.
#[derive(Clone, Debug)]
pub struct Reasoners(pub Vec<Reasoner>);

impl Reasoners {
    fn read(text: &str) -> Result<Reasoners, String> {
        Reasoner::list(text).map(Reasoners)
    }
}
