//! `grove games make`: a rulesheet of any size.

use std::path::Path;

use serde::Serialize;

use crate::failure::{Failure, Outcome, Result};
use crate::make::Choice;
use crate::output::Output;
use gamegrove_play::text::printable;

/// What tools get.
#[derive(Debug, Serialize)]
struct Made {
    family: &'static str,
    /// The arguments that were given.
    arguments: Vec<(&'static str, String)>,
    /// The rulesheet.
    rules: String,
}

/// Runs the command.
pub fn run(choice: &Choice, file: Option<&Path>, out: &mut Output) -> Result {
    let Choice { family, arguments } = choice;
    let given: Vec<(&str, &str)> =
        arguments.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let rules = family.make(&given).map_err(|error| {
        let help = format!("`grove games make {} --help` says what there is", family.name);
        Failure::usage(printable(&error.to_string()), help)
    })?;
    if let Some(file) = file {
        std::fs::write(file, &rules).map_err(|error| {
            let name = printable(&file.to_string_lossy());
            Failure::usage(format!("{name} could not be written: {error}"), "check the path")
        })?;
    }
    if out.is_json() {
        let arguments = arguments.clone();
        out.value(&Made { family: family.name, arguments, rules })?;
    } else if file.is_none() {
        out.text(&rules)?;
    }
    Ok(Outcome::Fine)
}
