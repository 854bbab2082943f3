//! From text to rules that can be reasoned about.

use std::sync::Arc;

use crate::check::check;
use crate::diagnostic::Diagnostic;
use crate::parse::parse;
use crate::program::Program;
use crate::stratify::stratify;

/// A rulesheet without errors.
#[derive(Clone, Debug)]
pub struct Rulesheet {
    /// Its rules.
    pub program: Arc<Program>,
    /// What is doubtful about it.
    pub warnings: Vec<Diagnostic>,
}

impl Rulesheet {
    /// Reads and checks a rulesheet. The error holds all findings, warnings too.
    pub fn load(text: &[u8]) -> Result<Rulesheet, Vec<Diagnostic>> {
        let mut parsed = parse(text);
        let mut found = std::mem::take(&mut parsed.diagnostics);
        found.extend(check(&parsed.sentences, &parsed.symbols));
        found.sort_by_key(|d| (d.span, d.code));
        if found.iter().any(Diagnostic::is_error) {
            return Err(found);
        }
        let sentences =
            stratify(&parsed.sentences, &mut parsed.symbols).unwrap_or(parsed.sentences);
        match Program::new(&sentences, &parsed.symbols) {
            Ok(program) => Ok(Rulesheet { program: Arc::new(program), warnings: found }),
            Err(problem) => {
                found.push(problem);
                Err(found)
            }
        }
    }
}
