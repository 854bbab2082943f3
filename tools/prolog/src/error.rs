//! What can go wrong between a rulesheet and Prolog's answer.

use std::time::Duration;

/// The reason why the oracle gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The rulesheet, a fact or a move cannot be read.
    #[error("line {line}: {message}")]
    Syntax {
        /// Line of the text, from 1.
        line: usize,
        /// The problem there.
        message: String,
    },
    /// `swipl` could not be started.
    #[error("cannot start swipl ({0}); install SWI-Prolog (Debian: swi-prolog-nox)")]
    Start(std::io::Error),
    /// Prolog raised an exception while it worked out the answer.
    #[error("Prolog: {0}")]
    Raised(String),
    /// No answer within the time limit.
    #[error("no answer from Prolog within {0:?}")]
    Timeout(Duration),
    /// The process ended, or wrote something that is not an answer.
    #[error("the Prolog process is gone: {0}")]
    Gone(String),
}
