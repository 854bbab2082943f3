//! Why a command could not do its work, and the exit code that says so.
//!
//! 0: all is well. 1: a game is broken or could not be worked out. 2: the command was used wrongly,
//! or a file could not be read. 3: the output could not be written. 130: it was interrupted before its work was done.

use std::io;

use gamegrove_play::Problem;
use thiserror::Error;

/// What a command that ran to its end found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Nothing wrong.
    Fine = 0,
    /// A game is broken.
    Broken = 1,
    /// A file could not be read.
    Unreadable = 2,
    /// It was interrupted; what was done so far is kept.
    Interrupted = 130,
}

/// What a command returns.
pub type Result<T = Outcome> = std::result::Result<T, Failure>;

/// Why a command stopped.
#[derive(Debug, Error)]
pub enum Failure {
    /// A game could not be opened, or what was asked for makes no sense.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The output could not be written.
    #[error("the output could not be written: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// The command was used wrongly.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Problem::usage(message, help).into()
    }

    /// The game cannot be worked with.
    pub fn broken(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Problem::broken(message, help).into()
    }

    /// What to do about it; empty if there is nothing to say.
    pub fn help(&self) -> &str {
        match self {
            Failure::Problem(problem) => problem.help(),
            Failure::Output(_) => "",
        }
    }

    /// Whether the reader of the output has gone away, which is no failure: `grove games | head`.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            _ if self.is_closed_pipe() => 0,
            Failure::Problem(Problem::Usage { .. }) => 2,
            Failure::Problem(_) => 1,
            Failure::Output(_) => 3,
        }
    }
}
