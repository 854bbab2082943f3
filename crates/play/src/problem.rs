//! Why a game could not be opened or set up, in the user's words.

use thiserror::Error;

use crate::notice::Notice;
use crate::text::SourceText;

/// What opening a game returns.
pub type Result<T> = std::result::Result<T, Problem>;

/// Why a game could not be opened or set up.
#[derive(Debug, Error)]
pub enum Problem {
    /// It was asked for wrongly, or a file could not be read.
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
}

impl Problem {
    /// It was asked for wrongly.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Problem {
        Problem::Usage { message: message.into(), help: help.into() }
    }

    /// The game cannot be worked with.
    pub fn broken(message: impl Into<String>, help: impl Into<String>) -> Problem {
        Problem::Broken { message: message.into(), help: help.into() }
    }

    /// What to do about it; empty if there is nothing to say.
    pub fn help(&self) -> &str {
        match self {
            Problem::Usage { help, .. } | Problem::Broken { help, .. } => help,
            Problem::Rules { .. } => "",
        }
    }
}
