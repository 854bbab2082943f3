//! `grove bench`: how fast random games go.

use std::time::{Duration, Instant};

use gamegrove_game::{Describe, Role};
use indicatif::HumanBytes;
use serde::Serialize;

use super::rules;
use crate::cli::BenchArgs;
use crate::failure::{Outcome, Result};
use crate::load::Source;
use crate::measure::{Setup, Tally, measure};
use crate::memory;
use crate::output::{Output, Table};
use crate::reasoner::{Reasoner, Work, with_game};
use crate::units::{rate, time};

/// What was measured of one game with one reasoner.
#[derive(Debug, Serialize)]
struct Report {
    game: String,
    reasoner: Reasoner,
    threads: usize,
    states_per_second: f64,
    playouts_per_second: f64,
    /// From the text of the rules to a game ready for its first question.
    setup_seconds: f64,
    /// The most that the process held in memory; none where the system does not tell.
    memory_bytes: Option<u64>,
    seconds: f64,
    states: u64,
    playouts: u64,
    mean_length: Option<f64>,
    roles: Vec<String>,
    mean_goals: Option<Vec<f64>>,
    seed: u64,
    /// The limit that ended the measurement early.
    fault: Option<String>,
}

/// Runs the command.
pub fn run(args: &BenchArgs, out: &mut Output) -> Result {
    // A name that does not exist is found before minutes are spent on the others.
    let sources: Vec<Source> =
        args.games.iter().map(|game| Source::open(game)).collect::<Result<_>>()?;
    for source in &sources {
        rules(source, args.rules, out)?;
    }
    let mut reports = Vec::new();
    for source in &sources {
        for &reasoner in &args.reasoner {
            memory::forget_peak();
            let start = Instant::now();
            let sheet = source.rulesheet(args.rules.reading.into())?;
            let setup =
                Setup { time: args.seconds, threads: args.threads as usize, seed: args.seed };
            let work = Measure { source, reasoner, setup, start };
            reports.push(with_game(&source.name, &sheet, reasoner, work)?);
        }
    }
    let mut outcome = Outcome::Fine;
    for report in &reports {
        if let Some(fault) = &report.fault {
            out.note(format!("error: {} could not be measured to the end: {fault}", report.game));
            outcome = Outcome::Broken;
        } else if report.mean_goals.is_none() {
            let reason = if report.playouts == 0 {
                "no game came to an end in the time; give it more with --seconds"
            } else {
                "no game reached a terminal state; `grove check --play` says more"
            };
            out.note(format!("warning: {}: {reason}", report.game));
        }
    }
    if out.is_json() {
        out.value(&reports)?;
    } else {
        out.line(table(&reports))?;
    }
    Ok(outcome)
}

/// Measures whatever reasoner.
struct Measure<'a> {
    source: &'a Source,
    reasoner: Reasoner,
    setup: Setup,
    /// When setting up began.
    start: Instant,
}

impl Work for Measure<'_> {
    type Output = Report;

    fn run<G: Describe>(self, game: G) -> Report {
        let set_up = self.start.elapsed();
        let what = format!("{} with {}", self.source.name, self.reasoner);
        let (tally, taken) = measure(&game, self.setup, &what);
        let roles = Role::all(game.role_count()).map(|role| game.role_name(role)).collect();
        self.report(roles, set_up, taken, &tally)
    }
}

impl Measure<'_> {
    fn report(
        &self,
        roles: Vec<String>,
        set_up: Duration,
        taken: Duration,
        tally: &Tally,
    ) -> Report {
        let per_second = |count: u64| count as f64 / taken.as_secs_f64().max(1e-9);
        Report {
            game: self.source.name.clone(),
            reasoner: self.reasoner,
            threads: self.setup.threads,
            states_per_second: per_second(tally.states),
            playouts_per_second: per_second(tally.playouts),
            setup_seconds: set_up.as_secs_f64(),
            memory_bytes: memory::peak(),
            seconds: taken.as_secs_f64(),
            states: tally.states,
            playouts: tally.playouts,
            mean_length: tally.mean_length(),
            roles,
            mean_goals: tally.mean_goals(),
            seed: self.setup.seed,
            fault: tally.fault.as_ref().map(ToString::to_string),
        }
    }
}

fn table(reports: &[Report]) -> Table {
    let headings = [
        "game",
        "reasoner",
        ">threads",
        ">states/s",
        ">playouts/s",
        ">length",
        ">set-up",
        ">memory",
        "goals",
    ];
    let mut table = Table::new(&headings);
    for report in reports {
        let goals = report.mean_goals.iter().flatten().zip(&report.roles);
        let goals: Vec<String> = goals.map(|(goal, role)| format!("{role} {goal:.1}")).collect();
        table.row(vec![
            report.game.clone(),
            report.reasoner.to_string(),
            report.threads.to_string(),
            rate(report.states_per_second),
            rate(report.playouts_per_second),
            report.mean_length.map_or_else(|| "-".to_owned(), |length| format!("{length:.1}")),
            time(Duration::from_secs_f64(report.setup_seconds)),
            report.memory_bytes.map_or_else(|| "-".to_owned(), |b| HumanBytes(b).to_string()),
            goals.join(", "),
        ]);
    }
    table
}
