//! `grove agree`: whether all reasoners give the same answers along random games of any rulesheet, for a
//! given time [Sironi 2019, 4.3.1: 60 s a game].

use std::time::{Duration, Instant};

use gamegrove_inspect::agree::{self, Agreement};
use gamegrove_play::library::Kind;
use gamegrove_play::load::Source;
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::units::{grouped, plural};
use gamegrove_play::{Rules, Setup, open_rules, video};
use serde::Serialize;

use super::{no_lanes, rules};
use crate::cli::AgreeArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::{Output, Table};
use crate::progress::Progress;

/// Those that are compared unless others are named: all that need no other program, and every published
/// sequence of passes.
const ALL: [&str; 12] = [
    "cached_prover",
    "propnet",
    "cached_propnet",
    "propnet_basic",
    "propnet_0",
    "propnet_1",
    "propnet_2",
    "propnet_3",
    "propnet_12",
    "propnet_102",
    "propnet_13",
    "propnet_1023",
];

/// What is reported to tools.
#[derive(Debug, Serialize)]
struct Report {
    game: String,
    seed: u64,
    #[serde(flatten)]
    found: Agreement,
}

/// Runs the command.
pub fn run(args: &AgreeArgs, out: &mut Output) -> Result {
    out.only_json();
    let source = Source::open(&args.game)?;
    video::require(&source, Kind::Gdl)?;
    let sheet = rules(&source, args.rules, out)?;
    // Long enough for nearly every rulesheet: the time of the comparison comes on top.
    let patience = Duration::from_secs(60);
    let ready = |reasoner| {
        let setup = Setup { patience, ..Setup::new(reasoner) };
        no_lanes(reasoner)?;
        Ok(open_rules(&source, Rules::Sheet(Box::new(sheet.clone())), &setup)?)
    };
    let prover = ready(Reasoner::Prover)?;
    let wanted: Vec<Reasoner> = match &args.reasoner[..] {
        [] => ALL.iter().map(|name| name.parse().expect("they exist")).collect(),
        named => named.to_vec(),
    };
    let others = wanted.into_iter().map(|reasoner| {
        (reasoner, ready(reasoner).map_err(|failure: Failure| failure.to_string()))
    });
    let setup =
        agree::Setup { seed: args.seed, step_limit: args.step_limit as usize, time: args.time };
    let others = others.collect();
    let mut progress = Progress::new(Instant::now());
    let mut heard = |games| progress.show(0, 0, &plural(games as usize, "game"));
    let found = agree::agree(&*prover, others, setup, &mut heard);
    drop(progress);
    let report = Report { game: source.name, seed: args.seed, found };
    show(&report, out)?;
    if out.is_json() {
        out.value(&report)?;
    }
    let broken = report.found.reasoners.iter().any(|row| row.difference.is_some());
    Ok(if broken { Outcome::Broken } else { Outcome::Fine })
}

fn show(report: &Report, out: &mut Output) -> Result<()> {
    let mut table = Table::new(&["reasoner", ">states", ""]);
    for row in &report.found.reasoners {
        let verdict = match (&row.missing, &row.difference) {
            (Some(missing), _) => format!("not set up: {missing}"),
            (None, Some(difference)) => format!("differs {difference}"),
            (None, None) => "agrees with the prover".to_owned(),
        };
        table.row(vec![row.reasoner.name().to_owned(), grouped(row.states), verdict]);
    }
    out.line(table)?;
    out.line(format!(
        "{} of {} in {:.1} s",
        plural(report.found.games as usize, "random game"),
        report.game,
        report.found.seconds
    ))
}
