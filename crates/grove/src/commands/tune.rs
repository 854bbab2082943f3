//! `grove tune`: finds values for an agent's parameters by matches.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use gamegrove_lab::report::{Provenance, date};
use gamegrove_lab::tune::{Order, Task, TuneError, TuneReport, run as tune};
use gamegrove_lab::{Boards, Session, Store, machine, now};
use serde::Serialize;

use super::experiment::{listen_for_interrupts, no_store};
use crate::cli::TuneArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::machine::command_line;
use crate::output::{Output, Table};
use crate::progress::Progress;
use crate::target::Target;
use gamegrove_game::parallel::cores;

/// What is reported to tools.
#[derive(Debug, Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    report: &'a TuneReport,
    /// What the check says.
    verdict: String,
    /// The tuned agent's file, once it is written.
    output: Option<String>,
    store: String,
    seconds: f64,
}

/// Runs the command.
pub fn run(args: &TuneArgs, out: &mut Output) -> Result {
    out.only_json();
    let since = Instant::now();
    let output = args.output.clone().unwrap_or_else(|| args.file("toml"));
    if output.extension().is_none_or(|extension| extension != "toml") {
        return Err(Failure::usage(
            format!("{} is no name for an agent's file", output.display()),
            "agents are taken from files whose name ends in .toml",
        ));
    }
    if args.agent.part.name == "plan" {
        let message = format!("agent {} plans in video games", args.agent.name);
        return Err(Failure::usage(message, "matches of board games tune an agent that searches"));
    }
    let task = Task::new(order(args), &Boards::default()).map_err(failure)?;
    let agent_to = Target::open(&output)?;
    let report_to = args.report.as_deref().map(Target::open).transpose()?;
    let store_path = args.store.clone().unwrap_or_else(|| args.file("sqlite"));
    let mut store = Store::open(&store_path).map_err(no_store)?;
    let threads = args.threads.map_or_else(cores, |threads| threads as usize);
    let session = Session {
        started: now(),
        profile: "tune".to_owned(),
        command: command_line(),
        machine: machine(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        threads: threads.min(args.ahead as usize),
    };
    let interrupts = listen_for_interrupts(2);
    let mut told = false;
    let mut progress = Progress::new(since);
    let tuned = tune(&task, &mut store, &Boards::default(), &session, |heard| {
        let left = heard.seconds_left.and_then(|left| Duration::try_from_secs_f64(left).ok());
        let best = heard.best.as_deref().unwrap_or("nothing yet");
        let what = format!("{} of {} matches, best: {best}", heard.done, heard.total);
        progress.show_with(heard.done, heard.total, &what, left);
        if interrupts.load(Ordering::Relaxed) == 0 {
            return ControlFlow::Continue(());
        }
        if !told {
            told = true;
            out.note("finishing the matches under way; once more to stop at once, nothing is lost");
        }
        ControlFlow::Break(())
    })
    .map_err(failure)?;
    drop(progress);
    let made = Provenance {
        command: command_line(),
        date: date(now()),
        machine: machine(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let report = TuneReport::new(&task, &tuned, made);
    let agent = task.tuned_agent(&tuned).filter(|_| report.complete);
    if let Some(agent) = &agent {
        agent_to.write(&agent.to_toml())?;
    }
    if let Some(target) = report_to {
        target.write(&report.markdown())?;
    }
    show(&report, agent.is_some().then_some(output.as_path()), args.report.as_deref(), out)?;
    if out.is_json() {
        out.value(&Told {
            verdict: report.verdict(),
            report: &report,
            output: agent.map(|_| output.display().to_string()),
            store: store_path.display().to_string(),
            seconds: since.elapsed().as_secs_f64(),
        })?;
    }
    Ok(if told && !report.complete { Outcome::Interrupted } else { Outcome::Fine })
}

fn order(args: &TuneArgs) -> Order {
    Order {
        agent: args.agent.clone(),
        parameters: args.parameters.iter().map(|name| name.trim().to_owned()).collect(),
        opponent: args.against.clone(),
        games: args.games.iter().map(|name| name.trim().to_owned()).collect(),
        clocks: args.allowance.clocks(),
        reasoner: args.reasoner.to_string(),
        strategy: args.strategy.clone(),
        matches: args.budget,
        checks: args.check,
        ahead: args.ahead,
        step_limit: args.step_limit,
        seed: args.seed,
    }
}

fn failure(error: TuneError) -> Failure {
    match error {
        TuneError::Store(error) => no_store(error),
        TuneError::Order(_) => {
            Failure::usage(error.to_string(), "`grove agents --parts` lists parameters and values")
        }
        TuneError::Game { .. } => {
            Failure::usage(error.to_string(), "choose other games; what was played is kept")
        }
    }
}

fn show(
    report: &TuneReport,
    output: Option<&Path>,
    written: Option<&Path>,
    out: &mut Output,
) -> Result<()> {
    let mut table = Table::new(&["parameter", ">before", ">tuned"]);
    for parameter in &report.parameters {
        let tuned = parameter.tuned.clone().unwrap_or_else(|| "-".to_owned());
        table.row(vec![parameter.name.clone(), parameter.before.clone(), tuned]);
    }
    out.line(table)?;
    let mut table = Table::new(&["candidate", ">matches", ">points %", ">95 % interval"]);
    for one in report.candidates.iter().take(8) {
        table.row(vec![
            one.values.clone(),
            one.matches.to_string(),
            format!("{:.1}", one.win_percent),
            format!("{:.1} to {:.1}", one.interval.0, one.interval.1),
        ]);
    }
    out.line(format!("\n{table}"))?;
    out.line(format!("\n{}", report.verdict()))?;
    if let Some(output) = output {
        out.line(format!("the tuned agent is {}", output.display()))?;
    } else {
        let (done, total) = report.matches;
        out.line(format!("{done} of {total} matches; the same command goes on from here"))?;
    }
    if let Some(written) = written {
        out.line(format!("the report is {}", written.display()))?;
    }
    Ok(())
}
