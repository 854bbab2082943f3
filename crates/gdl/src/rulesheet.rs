//! From text to rules that can be reasoned about.

use std::sync::Arc;

use crate::check::check;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::parse::parse;
use crate::program::Program;
use crate::reading::left_to_right;
use crate::stratify::stratify;

/// How the order of conditions is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// As the language defines it: order means nothing.
    #[default]
    Logical,
    /// As systems do that run rules as Prolog programs: a variable that has no value yet when a
    /// negation is reached belongs to that negation alone.
    LeftToRight,
}

/// A rulesheet without errors.
#[derive(Clone, Debug)]
pub struct Rulesheet {
    /// Its rules.
    pub program: Arc<Program>,
    /// Doubtful places in it.
    pub warnings: Vec<Diagnostic>,
}

impl Rulesheet {
    /// Reads and checks a rulesheet. The error holds all findings, warnings too.
    pub fn load(text: &[u8]) -> Result<Rulesheet, Vec<Diagnostic>> {
        Rulesheet::load_as(text, Reading::Logical)
    }

    /// As [`load`](Rulesheet::load), with a choice of reading.
    pub fn load_as(text: &[u8], reading: Reading) -> Result<Rulesheet, Vec<Diagnostic>> {
        let mut parsed = parse(text);
        let mut found = std::mem::take(&mut parsed.diagnostics);
        let whole = !found.iter().any(Diagnostic::is_error);
        found.extend(check(&parsed.sentences, &parsed.symbols).into_iter().filter(|finding| {
            // What seems to be missing may stand in a sentence that could not be read.
            whole || !matches!(finding.code, Code::Missing | Code::Role | Code::Undefined)
        }));
        found.sort_by_key(|d| (d.span, d.code));
        if found.iter().any(Diagnostic::is_error) {
            return Err(found);
        }
        if reading == Reading::LeftToRight {
            parsed.sentences = left_to_right(&parsed.sentences, &mut parsed.symbols);
        }
        let Some(sentences) = stratify(&parsed.sentences, &mut parsed.symbols) else {
            // The other reading can bring negation into a cycle that the written rules do not have.
            found.push(
                Diagnostic::error(
                    Code::Unstratified,
                    Span::new(0, 0),
                    "read from left to right, a relation is defined through its own negation",
                )
                .help("read the rules as the language defines them"),
            );
            return Err(found);
        };
        match Program::new(&sentences, &parsed.symbols) {
            Ok(program) => Ok(Rulesheet { program: Arc::new(program), warnings: found }),
            Err(problem) => {
                found.push(problem);
                Err(found)
            }
        }
    }
}
