//! `grove experiment`: runs, follows and reports experiments.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use gamegrove_lab::report::{Provenance, Report, date};
use gamegrove_lab::{
    Plan, PlanError, RunError, Session, Spec, Status, Store, StoreError, machine, now,
    open_experiment, run as play, venue,
};
use gamegrove_play::agent::read_agent;
use gamegrove_play::units::{plural, time};
use serde::Serialize;

use super::chunks;
use crate::cli::{ExperimentAction, ExperimentArgs, ExperimentChoice, ReportFormat};
use crate::failure::{Failure, Outcome, Result};
use crate::machine::command_line;
use crate::output::{Output, Table};
use crate::progress::Progress;
use gamegrove_game::parallel::cores;

/// Runs the command.
pub fn run(args: &ExperimentArgs, out: &mut Output) -> Result {
    out.only_json();
    match &args.action {
        ExperimentAction::Run { choice, threads, .. } => run_all(choice, *threads, out),
        ExperimentAction::Status { choice, .. } => status(choice, out),
        ExperimentAction::Report { choice, format, output, .. } => {
            report(choice, *format, output.as_deref(), out)
        }
        ExperimentAction::Chunks { choice, size, output, .. } => {
            chunks::write(choice, *size, output, out)
        }
        ExperimentAction::RunChunk { choice, chunk, output, .. } => {
            chunks::play(choice, chunk, output, out)
        }
        ExperimentAction::Merge { choice, rows, .. } => chunks::merge(choice, rows, out),
    }
}

/// Makes the plan of what was asked for.
pub(super) fn plan(choice: &ExperimentChoice) -> Result<Plan> {
    let (name, text) = open_experiment(&choice.file)?;
    let wrong = |problem: String| {
        Failure::usage(format!("{}: {problem}", choice.file), "mend the experiment's file")
    };
    let mut spec = Spec::read(&text).map_err(|error| wrong(error.to_string()))?;
    if let Some(seed) = choice.seed {
        spec.seed = seed;
    }
    let venue = venue(choice.games.as_deref());
    Plan::new(&name, spec, &choice.profile, &read_agent, &*venue).map_err(|error| match error {
        PlanError::Profile { .. } => Failure::usage(error.to_string(), "choose with --profile"),
        _ => wrong(error.to_string()),
    })
}

/// The file with the results of an experiment.
fn store_path(choice: &ExperimentChoice, plan: &Plan) -> PathBuf {
    choice.store.clone().unwrap_or_else(|| PathBuf::from(format!("{}.sqlite", plan.name)))
}

pub(super) fn open_store(choice: &ExperimentChoice, plan: &Plan) -> Result<Store> {
    Store::open(&store_path(choice, plan)).map_err(no_store)
}

/// The store of those who only read: they make none.
fn open_to_read(choice: &ExperimentChoice, plan: &Plan, out: &mut Output) -> Result<Store> {
    let path = store_path(choice, plan);
    if path.exists() {
        return Store::open_to_read(&path).map_err(no_store);
    }
    out.note(format!(
        "there is no file {}, so nothing was played; `grove experiment run` makes it",
        path.display()
    ));
    Store::empty().map_err(no_store)
}

pub(super) fn no_store(error: StoreError) -> Failure {
    Failure::usage(error.to_string(), "choose another file with --store")
}

/// What is reported to tools after a run.
#[derive(Debug, Serialize)]
struct Ran<'a> {
    experiment: &'a str,
    profile: &'a str,
    store: String,
    /// Games played by this run.
    played: u64,
    done: u64,
    total: u64,
    seconds: f64,
    plan: &'a str,
}

fn run_all(choice: &ExperimentChoice, threads: Option<u32>, out: &mut Output) -> Result {
    let since = Instant::now();
    let plan = plan(choice)?;
    let mut store = open_store(choice, &plan)?;
    let path = store_path(choice, &plan).display().to_string();
    let session = Session {
        started: now(),
        profile: plan.profile.clone(),
        command: command_line(),
        machine: machine(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        threads: threads.map_or_else(cores, |threads| threads as usize),
    };
    let interrupts = listen_for_interrupts(2);
    let mut told = false;
    let mut progress = Progress::new(since);
    let done = play(&plan, &mut store, &*venue(choice.games.as_deref()), &session, |status| {
        let left = status.seconds_left.and_then(|left| Duration::try_from_secs_f64(left).ok());
        let games = format!("{} of {} games", status.done, status.total);
        progress.show_with(status.done, status.total, &games, left);
        if interrupts.load(Ordering::Relaxed) == 0 {
            return ControlFlow::Continue(());
        }
        if !told {
            told = true;
            out.note("finishing the games under way; once more to stop at once, nothing is lost");
        }
        ControlFlow::Break(())
    })
    .map_err(|error| match error {
        RunError::Store(error) => no_store(error),
        RunError::Game { .. } => Failure::broken(
            error.to_string(),
            "what was played so far is kept; mend the experiment's file and run it again",
        ),
    })?;
    drop(progress);
    let status = &done.status;
    out.line(format!(
        "{} played, {} of {} done; results in {path}",
        plural(done.played as usize, "game"),
        status.done,
        status.total
    ))?;
    if status.done < status.total {
        out.line("the same command goes on where this one stopped")?;
    }
    if out.is_json() {
        out.value(&Ran {
            experiment: &plan.name,
            profile: &plan.profile,
            store: path,
            played: done.played,
            done: status.done,
            total: status.total,
            seconds: since.elapsed().as_secs_f64(),
            plan: &plan.hash,
        })?;
    }
    Ok(if told && status.done < status.total { Outcome::Interrupted } else { Outcome::Fine })
}

/// Counts interrupts from now on. The first asks for a tidy end; that of number `last` ends the process:
/// what is kept in files survives it.
pub(super) fn listen_for_interrupts(last: u32) -> Arc<AtomicU32> {
    let count = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&count);
    // Without a handler an interrupt ends the process at once, which loses nothing either.
    let _ = ctrlc::set_handler(move || {
        if counter.fetch_add(1, Ordering::Relaxed) + 1 >= last {
            std::process::exit(130);
        }
    });
    count
}

fn status(choice: &ExperimentChoice, out: &mut Output) -> Result {
    let plan = plan(choice)?;
    let mut store = open_to_read(choice, &plan, out)?;
    store.drop_dead_claims().map_err(no_store)?;
    let status = Status::read(&plan, &store).map_err(no_store)?;
    let mut table = Table::new(&["game", "agents", ">done", ">of", ">seconds a game"]);
    for cell in &status.cells {
        let each = cell.seconds / f64::from(cell.done.max(1));
        table.row(vec![
            cell.game.clone(),
            cell.agents.join(" - "),
            cell.done.to_string(),
            cell.runs.to_string(),
            if cell.done == 0 { "-".to_owned() } else { format!("{each:.2}") },
        ]);
    }
    out.line(table)?;
    let mut line =
        format!("{} of {} games done, {} under way", status.done, status.total, status.playing);
    let in_words = |seconds: Option<f64>| {
        seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).map(time)
    };
    if status.done < status.total {
        if let Some(left) = in_words(status.seconds_left) {
            line.push_str(&format!(", about {left} left"));
        } else if let Some(work) = in_words(status.work_seconds) {
            line.push_str(&format!(", about {work} of work left for one core"));
        }
    }
    out.line(line)?;
    if out.is_json() {
        out.value(&status)?;
    }
    Ok(Outcome::Fine)
}

fn report(
    choice: &ExperimentChoice,
    format: ReportFormat,
    output: Option<&Path>,
    out: &mut Output,
) -> Result {
    let plan = plan(choice)?;
    let store = open_to_read(choice, &plan, out)?;
    let made = Provenance {
        command: command_line(),
        date: date(now()),
        machine: machine(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let report = Report::new(&plan, &store, made).map_err(no_store)?;
    let json = || {
        let text = serde_json::to_string_pretty(&report).map_err(std::io::Error::from);
        text.map(|text| text + "\n")
    };
    if let Some(folder) = output {
        let unwritable = |error: std::io::Error| {
            Failure::usage(format!("{}: {error}", folder.display()), "choose another folder")
        };
        std::fs::create_dir_all(folder).map_err(unwritable)?;
        let texts = [
            ("md", report.markdown()),
            ("csv", report.csv()),
            ("json", json()?),
            ("html", report.html()),
        ];
        for (extension, text) in texts {
            let path = folder.join(format!("{}.{extension}", plan.name));
            std::fs::write(&path, text).map_err(unwritable)?;
            out.line(path.display())?;
        }
    } else if !out.is_json() {
        out.text(&match format {
            ReportFormat::Markdown => report.markdown(),
            ReportFormat::Csv => report.csv(),
            ReportFormat::Json => json()?,
            ReportFormat::Html => report.html(),
        })?;
    }
    if out.is_json() {
        out.value(&report)?;
    }
    Ok(Outcome::Fine)
}
