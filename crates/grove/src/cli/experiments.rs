//! What can be typed about experiments.

use super::number;
use clap::Args;
use clap::Subcommand;
use clap::ValueEnum;
use std::path::PathBuf;

/// What `grove experiments` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove experiments
  grove experiments --json")]
pub struct ExperimentsArgs {}

/// What `grove experiment` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove experiment run sironi_2019_table_5_2 --profile quick
  grove experiment plan sironi_2019_table_5_2 --profile quick
  grove experiment run sironi_2019_table_5_2 --profile quick --hours 6
  grove experiment status sironi_2019_table_5_2
  grove experiment report sironi_2019_table_5_2 --output docs/results
  grove experiment run my_experiment.toml --profile full --threads 8

FILE is the name of a shipped experiment or the path of a TOML file. Results are kept in one file; what
is stopped or killed goes on where it was, and several processes may work on one experiment at once.

A ledger is a compact text of finished games that lies beside a report; a run on another machine goes on
from it:
  grove experiment run my.toml --ledger results/my.ledger

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

        /// Plays beyond the number of runs, until the interval of every cell is so many percent points to
        /// each side, like 4 or ±4; first the cells whose verdict is open
        #[arg(long, value_name = "POINTS", value_parser = points)]
        until: Option<f64>,

        /// Plays beyond the number of runs, for so many hours; first the cells whose verdict is open
        #[arg(long, value_name = "HOURS", value_parser = hours)]
        hours: Option<f64>,
    },
    /// Says how long each cell takes on this machine: plays a game of each cell that has none, and keeps it
    Plan {
        #[command(flatten)]
        choice: ExperimentChoice,

        /// Games at a time [default: as many as the machine has cores]
        #[arg(long, short, value_name = "T", value_parser = number::<1, 1024>)]
        threads: Option<u32>,
    },
    /// Shows how far it is
    Status {
        #[command(flatten)]
        choice: ExperimentChoice,
    },
    /// Shows the results so far beside the published values
    Report {
        #[command(flatten)]
        choice: ExperimentChoice,

        /// The form of what is shown
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ReportFormat::Markdown)]
        format: ReportFormat,

        /// Writes all forms into this folder instead: NAME.md, .csv, .json, .html and .tex, and the finished games
        /// as NAME.ledger; games that a ledger there has already count too
        #[arg(long, short, value_name = "DIR")]
        output: Option<PathBuf>,
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
    },
    /// Merges results of chunks, and ledgers; a game that was played twice counts once
    Merge {
        #[command(flatten)]
        choice: ExperimentChoice,

        /// The results
        #[arg(required = true, value_name = "ROWS")]
        rows: Vec<PathBuf>,
    },
}

/// Reads half the width of an interval.
fn points(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_start_matches('±').parse().ok();
    let number = number.filter(|points| (0.1..=50.0).contains(points));
    number.ok_or_else(|| "write percent points from 0.1 to 50, like 4 or ±4".to_owned())
}

/// Reads a number of hours.
fn hours(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|hours| (0.0..=10_000.0).contains(hours));
    number.ok_or_else(|| "write hours from 0 to 10000, like 6 or 0.5".to_owned())
}

/// Which experiment, how large, and where its results are.
#[derive(Clone, Debug, Args)]
pub struct ExperimentChoice {
    /// A shipped experiment's name, or the path of a TOML file
    pub file: String,

    /// smoke (seconds), quick (minutes), full (as published), or another of the file's profiles [default:
    /// quick; of a file without it, its only profile, or full]
    #[arg(long, value_name = "PROFILE")]
    pub profile: Option<String>,

    /// The file with the results [default: NAME.sqlite in the current folder]
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,

    /// A ledger of finished games, which count as well; `run` adds its games to it
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,

    /// What the random choices depend on [default: as the file says]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,

    /// A folder with the rules to play by, NAME.txt or NAME.kif, in place of the games that ship
    #[arg(long, value_name = "FOLDER")]
    pub games: Option<PathBuf>,
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
    /// Tables for a paper and its appendix
    Latex,
}
