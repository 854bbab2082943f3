//! What can be typed: commands, options and their help.

mod agents;
mod experiments;
mod games;
mod realtime;
mod rules;
mod serve;
mod tune;
mod wires;

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use gamegrove_gdl::Reading;
use gamegrove_play::library::Kind;
use gamegrove_play::units::parse_count;

pub use self::agents::{AgentsArgs, MatchArgs, PlayArgs, SearchArgs};
pub use self::experiments::{
    ExperimentAction, ExperimentArgs, ExperimentChoice, ExperimentsArgs, ReportFormat,
};
pub use self::games::{DrawArgs, DrawingTheme, GamesAction, GamesArgs, GamesFilter};
pub use self::realtime::WatchArgs;
pub use self::rules::{AgreeArgs, BenchArgs, CheckArgs, PerftArgs, PropnetArgs, TraceArgs};
pub use self::serve::ServeArgs;
pub use self::tune::TuneArgs;
pub use self::wires::{PlayerArgs, PlayerChoice, RefereeArgs};

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
Exit codes: 0 fine, 1 the game is broken, 2 wrong usage or an unreadable file, 3 the output could not be
written."
)]
pub struct Cli {
    /// Colours in what people read
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    pub color: Colour,

    /// Reports as one JSON value on standard output, with everything else on standard error
    #[arg(long, global = true)]
    pub json: bool,

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
    /// Compares all reasoners along random games of a rulesheet, for a given time
    Agree(AgreeArgs),
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
    /// Finds the best values of an agent's parameters by matches, and writes the tuned agent
    Tune(Box<TuneArgs>),
    /// Shows an agent playing a video game, records it, shows it again
    Watch(WatchArgs),
    /// Is a GGP player that any game manager can call
    Player(PlayerArgs),
    /// Is a GGP game manager: runs a match between players elsewhere, agents here, or both
    Referee(RefereeArgs),
    /// Lists the experiments that come with Gamegrove: published tables
    Experiments(ExperimentsArgs),
    /// Runs an experiment, shows how far it is, reports it beside the published values
    Experiment(ExperimentArgs),
    /// Is the browser interface: play, watch, look inside, compare
    Serve(ServeArgs),
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
