//! What can be typed about games and their pictures.

use super::{KindOption, RuleOptions, kind, number};
use crate::make::Choice;
use clap::Args;
use clap::Subcommand;
use clap::ValueEnum;
use gamegrove_play::library::Kind;
use gamegrove_play::load::LevelChoice;
use gamegrove_play::units::parse_duration;
use std::path::PathBuf;
use std::time::Duration;

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
