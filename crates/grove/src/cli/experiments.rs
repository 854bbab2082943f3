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

        /// Writes all forms into this folder instead: NAME.md, .csv, .json and .html
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
    /// Merges results of chunks; a game that was played twice counts once
    Merge {
        #[command(flatten)]
        choice: ExperimentChoice,

        /// The results
        #[arg(required = true, value_name = "ROWS")]
        rows: Vec<PathBuf>,
    },
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
}
