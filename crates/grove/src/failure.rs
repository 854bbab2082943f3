//! Why a command could not do its work, and the exit code that says so.
//!
//! 0: all is well. 1: a game is broken or could not be worked out. 2: the command was used wrongly,
//! or a file could not be read.

use std::io;

use thiserror::Error;

use crate::notice::Notice;
use crate::text::SourceText;

/// What a command that ran to its end found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Nothing wrong.
    Fine = 0,
    /// A game is broken.
    Broken = 1,
    /// A file could not be read.
    Unreadable = 2,
}

/// What a command returns.
pub type Result<T = Outcome> = std::result::Result<T, Failure>;

/// Why a command stopped.
#[derive(Debug, Error)]
pub enum Failure {
    /// The command was used wrongly.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do instead; may be empty.
        help: String,
    },
    /// The game cannot be worked with.
    #[error("{message}")]
    Broken {
        /// What is wrong.
        message: String,
        /// What to do about it; may be empty.
        help: String,
    },
    /// The rules or the level have errors.
    #[error("{} cannot be played: it has errors", .text.name)]
    Rules {
        /// What `grove check` has to be given to show all.
        game: String,
        /// The text.
        text: Box<SourceText>,
        /// All findings about it.
        found: Vec<Notice>,
    },
    /// The output could not be written.
    #[error("the output could not be written: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// The command was used wrongly.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Usage { message: message.into(), help: help.into() }
    }

    /// The game cannot be worked with.
    pub fn broken(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Broken { message: message.into(), help: help.into() }
    }

    /// What to do about it; empty if there is nothing to say.
    pub fn help(&self) -> &str {
        match self {
            Failure::Usage { help, .. } | Failure::Broken { help, .. } => help,
            Failure::Rules { .. } | Failure::Output(_) => "",
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
            Failure::Usage { .. } => 2,
            Failure::Broken { .. } | Failure::Rules { .. } | Failure::Output(_) => 1,
        }
    }
}
