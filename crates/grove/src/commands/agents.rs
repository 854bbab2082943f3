//! `grove agents`: who can play.

use gamegrove_agents::{Agent, PartRecord, parts};
use gamegrove_settings::Parameter;
use serde::Serialize;

use crate::cli::AgentsArgs;
use crate::failure::{Outcome, Result};
use crate::output::{Output, Table};

/// What is reported to tools.
#[derive(Debug, Serialize)]
struct Report<'a> {
    agents: Vec<AgentReport<'a>>,
    parts: Vec<PartReport>,
}

#[derive(Debug, Serialize)]
struct AgentReport<'a> {
    name: &'a str,
    title: &'a str,
    sentence: &'a str,
    source: &'a str,
    spec: String,
}

/// A strategy that agents can be made of.
#[derive(Debug, Serialize)]
struct PartReport {
    /// The option it is a value of.
    of: &'static str,
    name: &'static str,
    sentence: &'static str,
    source: &'static str,
    parameters: Vec<ParameterReport>,
}

#[derive(Debug, Serialize)]
struct ParameterReport {
    name: &'static str,
    sentence: &'static str,
    default: String,
    /// What it may be, if it is one of a few words.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    words: &'static [&'static str],
    least: String,
    greatest: String,
}

/// Runs the command.
pub fn run(args: &AgentsArgs, out: &mut Output) -> Result {
    let agents = Agent::all().iter().map(|agent| AgentReport {
        name: &agent.name,
        title: &agent.title,
        sentence: &agent.sentence,
        source: &agent.source,
        spec: agent.part.to_string(),
    });
    let agents: Vec<_> = agents.collect();
    let parts: Vec<PartReport> = parts().into_iter().map(report).collect();
    out.only_json();
    if args.parts {
        show_parts(&parts, out)?;
    } else {
        let mut table = Table::new(&["name", "what it does", "source"]);
        for agent in &agents {
            let cells = [agent.name, agent.sentence, agent.source];
            table.row(cells.map(str::to_owned).to_vec());
        }
        out.line(table)?;
        out.line("")?;
        out.line("An agent can also be composed: `grove agents --parts` lists the parts.")?;
    }
    if out.is_json() {
        out.value(&Report { agents, parts })?;
    }
    Ok(Outcome::Fine)
}

fn show_parts(parts: &[PartReport], out: &mut Output) -> Result<()> {
    for part in parts {
        let place = if part.of == "agent" { String::new() } else { format!("{}=", part.of) };
        out.line(format!("{place}{}: {}", part.name, part.sentence))?;
        for parameter in &part.parameters {
            let ParameterReport { name, sentence, default, words, .. } = parameter;
            let values = if words.is_empty() { default.clone() } else { words.join(" | ") };
            out.line(format!("    {name:<15} {sentence} [{values}]"))?;
        }
    }
    out.line("")?;
    out.line("Example: mcts(select=grave(c=0.2, ref=50), playout=mast(epsilon=0.4), t=10)")
}

fn report(part: PartRecord) -> PartReport {
    let PartRecord { of, name, sentence, source, parameters: records } = part;
    PartReport { of, name, sentence, source, parameters: parameters(records) }
}

fn parameters(parameters: &'static [Parameter]) -> Vec<ParameterReport> {
    // As text, because JSON has no infinity.
    let report = |parameter: &'static Parameter| ParameterReport {
        name: parameter.name,
        sentence: parameter.sentence,
        default: parameter.default_text(),
        words: parameter.words(),
        least: parameter.least.to_string(),
        greatest: parameter.greatest.to_string(),
    };
    parameters.iter().map(report).collect()
}
