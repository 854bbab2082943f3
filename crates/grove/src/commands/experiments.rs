//! `grove experiments`: the published tables that come with Gamegrove.

use gamegrove_lab::{Spec, shipped};
use serde::Serialize;

use crate::cli::ExperimentsArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::{Output, Table};

/// What is reported to tools.
#[derive(Debug, Serialize)]
struct Listed {
    name: &'static str,
    title: String,
    sentence: String,
    work: String,
    table: String,
    agents: Vec<String>,
    columns: Vec<String>,
    games: Vec<String>,
    runs: u32,
    profiles: Vec<String>,
}

/// Runs the command.
pub fn run(_: &ExperimentsArgs, out: &mut Output) -> Result {
    out.only_json();
    let mut listed = Vec::new();
    for experiment in shipped() {
        let spec = Spec::read(experiment.text).map_err(|error| {
            Failure::broken(
                format!("{}.toml, {error}", experiment.name),
                "mend the file and build anew",
            )
        })?;
        listed.push(Listed {
            name: experiment.name,
            agents: spec.agents.iter().map(|agent| agent.agent().to_owned()).collect(),
            columns: spec.column_labels().iter().map(ToString::to_string).collect(),
            games: spec.games.iter().map(|game| game.name.get_ref().clone()).collect(),
            runs: spec.runs,
            profiles: spec.profile_names().iter().map(ToString::to_string).collect(),
            title: spec.title,
            sentence: spec.sentence,
            work: spec.source.work,
            table: spec.source.table,
        });
    }
    let mut table = Table::new(&["name", "table", ">games", ">columns", ">runs", "title"]);
    for one in &listed {
        table.row(vec![
            one.name.to_owned(),
            format!("{}, {}", one.work, one.table),
            one.games.len().to_string(),
            one.columns.len().to_string(),
            one.runs.to_string(),
            one.title.clone(),
        ]);
    }
    out.line(table)?;
    out.line("\n`grove experiment run NAME --profile quick` plays one")?;
    if out.is_json() {
        out.value(&listed)?;
    }
    Ok(Outcome::Fine)
}
