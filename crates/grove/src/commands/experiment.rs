//! `grove experiment`: runs, follows and reports experiments.

use std::io::Read as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use gamegrove_lab::report::{Provenance, Report, date};
use gamegrove_lab::{
    Agenda, Ledger, LedgerError, Plan, PlanError, RunError, Session, Spec, Status, Store,
    StoreError, machine, now, open_experiment, run as play, venue,
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
use crate::target::unwritable;
use gamegrove_game::parallel::cores;

/// Runs the command.
pub fn run(args: &ExperimentArgs, out: &mut Output) -> Result {
    out.only_json();
    match &args.action {
        ExperimentAction::Run { choice, threads, until, hours } => {
            let agenda = match (until, hours) {
                (None, None) => Agenda::All,
                _ => Agenda::Open { until: *until },
            };
            run_all(choice, *threads, agenda, *hours, out)
        }
        ExperimentAction::Plan { choice, threads } => measure(choice, *threads, out),
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
    let profile = choice.profile.clone().unwrap_or_else(|| spec.usual_profile().to_owned());
    Plan::new(&name, spec, &profile, &read_agent, &*venue).map_err(|error| match error {
        PlanError::Profile { .. } => Failure::usage(error.to_string(), "choose with --profile"),
        _ => wrong(error.to_string()),
    })
}

/// The file with the results of an experiment.
fn store_path(choice: &ExperimentChoice, plan: &Plan) -> PathBuf {
    choice.store.clone().unwrap_or_else(|| PathBuf::from(format!("{}.sqlite", plan.name)))
}

pub(super) fn open_store(choice: &ExperimentChoice, plan: &Plan) -> Result<Store> {
    let mut store = Store::open(&store_path(choice, plan)).map_err(no_store)?;
    if let Some(path) = &choice.ledger {
        ledger_at(path)?.keep(plan, &mut store).map_err(|error| bad_ledger(path, error))?;
    }
    Ok(store)
}

/// The largest ledger that is read, in bytes: millions of games.
const MOST_LEDGER: u64 = 256 << 20;

/// The ledger in a file; an empty one if there is no file.
pub(super) fn ledger_at(path: &Path) -> Result<Ledger> {
    let mut text = String::new();
    let read = std::fs::File::open(path)
        .and_then(|file| file.take(MOST_LEDGER + 1).read_to_string(&mut text));
    match read {
        Ok(bytes) if bytes as u64 > MOST_LEDGER => {
            let message =
                format!("{}: a ledger has at most {} MiB", path.display(), MOST_LEDGER >> 20);
            Err(Failure::usage(message, "name another file with --ledger"))
        }
        Ok(_) => Ledger::read(&text).map_err(|error| bad_ledger(path, error)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Ledger::default()),
        Err(error) => Err(unwritable(path, &error)),
    }
}

fn bad_ledger(path: &Path, error: LedgerError) -> Failure {
    Failure::usage(format!("{}: {error}", path.display()), "name another file with --ledger")
}

/// Writes the games of a plan into a ledger, beside those that it has. Under another name until it is
/// whole, so that nothing is lost if the process is killed.
fn write_ledger(path: &Path, plan: &Plan, store: &Store) -> Result<()> {
    let mut ledger = ledger_at(path)?;
    ledger.merge(Ledger::of(plan, store).map_err(no_store)?);
    let part = path.with_extension("ledger.part");
    std::fs::write(&part, ledger.text())
        .and_then(|()| std::fs::rename(&part, path))
        .map_err(|error| unwritable(path, &error))
}

/// The store of those who only read: they make none.
fn open_to_read(choice: &ExperimentChoice, plan: &Plan, out: &mut Output) -> Result<Store> {
    let path = store_path(choice, plan);
    if path.exists() {
        return match &choice.ledger {
            Some(ledger) if ledger.exists() => open_store(choice, plan),
            _ => Store::open_to_read(&path).map_err(no_store),
        };
    }
    let mut store = Store::empty().map_err(no_store)?;
    let kept = match &choice.ledger {
        Some(path) => {
            ledger_at(path)?.keep(plan, &mut store).map_err(|error| bad_ledger(path, error))?
        }
        None => 0,
    };
    if kept == 0 {
        out.note(format!(
            "there is no file {}, so nothing was played; `grove experiment run` makes it",
            path.display()
        ));
    }
    Ok(store)
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

fn run_all(
    choice: &ExperimentChoice,
    threads: Option<u32>,
    agenda: Agenda,
    hours: Option<f64>,
    out: &mut Output,
) -> Result {
    let since = Instant::now();
    let over = hours.map(|hours| Duration::from_secs_f64(3600.0 * hours));
    let plan = plan(choice)?;
    let mut store = open_store(choice, &plan)?;
    let path = store_path(choice, &plan).display().to_string();
    let session = session(&plan, threads);
    let interrupts = listen_for_interrupts(2);
    let mut told = false;
    let mut progress = Progress::new(since);
    let venue = venue(choice.games.as_deref());
    let done = play(&plan, &mut store, &*venue, &session, agenda, |status| {
        let left = status.seconds_left.and_then(|left| Duration::try_from_secs_f64(left).ok());
        let games = format!("{} of {} games", status.done, status.total);
        progress.show_with(status.done, status.total, &games, left);
        if over.is_some_and(|over| since.elapsed() >= over) {
            return ControlFlow::Break(());
        }
        if interrupts.load(Ordering::Relaxed) == 0 {
            return ControlFlow::Continue(());
        }
        if !told {
            told = true;
            out.note("finishing the games under way; once more to stop at once, nothing is lost");
        }
        ControlFlow::Break(())
    })
    .map_err(run_failed)?;
    drop(progress);
    if let Some(path) = &choice.ledger {
        write_ledger(path, &plan, &store)?;
    }
    let status = &done.status;
    out.line(format!(
        "{} played, {} of {} done; results in {path}",
        plural(done.played as usize, "game"),
        status.done,
        status.total
    ))?;
    if status.done < status.total && agenda == Agenda::All {
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

/// This process, as the store knows it.
fn session(plan: &Plan, threads: Option<u32>) -> Session {
    Session {
        started: now(),
        profile: plan.profile.clone(),
        command: command_line(),
        machine: machine(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        threads: threads.map_or_else(cores, |threads| threads as usize),
    }
}

fn run_failed(error: RunError) -> Failure {
    match error {
        RunError::Store(error) => no_store(error),
        RunError::Game { .. } => Failure::broken(
            error.to_string(),
            "what was played so far is kept; mend the experiment's file and run it again",
        ),
    }
}

/// What is told to tools about how long a plan takes.
#[derive(Debug, Serialize)]
struct Measured<'a> {
    /// Games at a time.
    threads: usize,
    /// How long all that is left takes, so many games at a time.
    seconds: Option<f64>,
    status: &'a Status,
}

/// Says how long each cell takes, from a game of each at least.
fn measure(choice: &ExperimentChoice, threads: Option<u32>, out: &mut Output) -> Result {
    let since = Instant::now();
    let plan = plan(choice)?;
    let mut store = open_store(choice, &plan)?;
    let session = session(&plan, threads);
    let interrupts = listen_for_interrupts(2);
    let mut progress = Progress::new(since);
    let venue = venue(choice.games.as_deref());
    let done = play(&plan, &mut store, &*venue, &session, Agenda::Sample, |status| {
        let measured = status.cells.iter().filter(|cell| cell.done > 0).count();
        progress.show(measured as u64, status.cells.len() as u64, "one game of each cell");
        match interrupts.load(Ordering::Relaxed) {
            0 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    });
    let status = done.map_err(run_failed)?.status;
    drop(progress);
    let mut table = Table::new(&["game", "agents", ">done", ">of", ">seconds a game", ">left"]);
    let in_words =
        |seconds: f64| Duration::try_from_secs_f64(seconds).map_or_else(|_| "-".to_owned(), time);
    for cell in &status.cells {
        let each = cell.seconds / f64::from(cell.done.max(1));
        let measured = |words: String| if cell.done == 0 { "-".to_owned() } else { words };
        table.row(vec![
            cell.game.clone(),
            cell.agents.join(" - "),
            cell.done.to_string(),
            cell.runs.to_string(),
            measured(format!("{each:.2}")),
            measured(in_words(each * f64::from(cell.runs - cell.done))),
        ]);
    }
    out.line(table)?;
    let seconds = status.work_seconds.map(|work| work / session.threads as f64);
    if let Some(seconds) = seconds {
        out.line(format!(
            "{} of {} games done; the rest takes about {}, {} at a time, on {}",
            status.done,
            status.total,
            in_words(seconds),
            plural(session.threads, "game"),
            session.machine
        ))?;
    }
    if out.is_json() {
        out.value(&Measured { threads: session.threads, seconds, status: &status })?;
    }
    let measured = status.cells.iter().all(|cell| cell.done > 0);
    Ok(if measured { Outcome::Fine } else { Outcome::Interrupted })
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
    let mut choice = choice.clone();
    if let (None, Some(folder)) = (&choice.ledger, output) {
        choice.ledger = Some(folder.join(format!("{}.ledger", plan.name)));
    }
    let store = open_to_read(&choice, &plan, out)?;
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
            ("tex", report.latex()),
        ];
        for (extension, text) in texts {
            let path = folder.join(format!("{}.{extension}", plan.name));
            std::fs::write(&path, text).map_err(unwritable)?;
            out.line(path.display())?;
        }
        let path = folder.join(format!("{}.ledger", plan.name));
        write_ledger(&path, &plan, &store)?;
        out.line(path.display())?;
    } else if !out.is_json() {
        out.text(&match format {
            ReportFormat::Markdown => report.markdown(),
            ReportFormat::Csv => report.csv(),
            ReportFormat::Json => json()?,
            ReportFormat::Html => report.html(),
            ReportFormat::Latex => report.latex(),
        })?;
    }
    if out.is_json() {
        out.value(&report)?;
    }
    Ok(Outcome::Fine)
}
