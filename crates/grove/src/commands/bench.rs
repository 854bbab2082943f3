//! `grove bench`: how fast random games go.

use std::time::{Duration, Instant};

use indicatif::HumanBytes;
use serde::Serialize;

use super::open_video;
use super::rules;
use crate::arcade::overworked;
use crate::cli::BenchArgs;
use crate::failure::{Outcome, Result};
use crate::memory;
use crate::output::{Output, Table};
use crate::progress::Progress;
use gamegrove_inspect::speed;
use gamegrove_play::library::Kind;
use gamegrove_play::load::Source;
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::units::{rate, time};
use gamegrove_play::{Heard, Setup, SpeedWanted, open_rules};

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
    /// Which reasoner was chosen and why, where there was a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<String>,
    /// The limit that ended the measurement early.
    fault: Option<String>,
}

/// What was measured of one level of a video game.
#[derive(Debug, Serialize)]
struct VideoReport {
    game: String,
    level: Option<usize>,
    threads: usize,
    /// Ticks with random actions.
    advances_per_second: f64,
    /// Copies of the first state.
    copies_per_second: f64,
    /// Copies of the first state, each with ten ticks.
    rollouts_per_second: f64,
    /// From the texts to a level ready for its first tick.
    setup_seconds: f64,
    memory_bytes: Option<u64>,
    /// What a copy moves.
    state_bytes: usize,
    seconds: f64,
    seed: u64,
    /// The limit that cut ticks short.
    fault: Option<String>,
}

/// One entry of the report for tools.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Entry {
    Rulesheet(Report),
    Video(VideoReport),
}

/// Runs the command.
pub fn run(args: &BenchArgs, out: &mut Output) -> Result {
    // A name that does not exist is found before minutes are spent on the others.
    let sources: Vec<Source> = args
        .games
        .iter()
        .map(|game| Source::open_as(game, args.kind.kind))
        .collect::<gamegrove_play::Result<_>>()?;
    for source in &sources {
        match source.kind {
            Kind::Gdl => drop(rules(source, args.rules, out)?),
            Kind::Native => drop(source.rules(args.rules.reading.into())?),
            Kind::Vgdl => drop(open_video(source, &args.level, out)?),
        }
    }
    let mut entries = Vec::new();
    for source in &sources {
        if source.kind == Kind::Vgdl {
            entries.push(Entry::Video(measure_video(source, args)?));
            continue;
        }
        let reasoners = match source.kind {
            Kind::Native => &[Reasoner::Native][..],
            _ => &args.reasoner.0,
        };
        for &reasoner in reasoners {
            entries.push(Entry::Rulesheet(measure(source, reasoner, args)?));
        }
    }
    let mut outcome = Outcome::Fine;
    for entry in &entries {
        let report = match entry {
            Entry::Rulesheet(report) => report,
            Entry::Video(report) => {
                if let Some(fault) = &report.fault {
                    out.note(format!("warning: {}: {fault}", report.game));
                }
                continue;
            }
        };
        report.chosen.iter().for_each(|chosen| out.note(chosen));
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
        out.value(&entries)?;
        return Ok(outcome);
    }
    let (mut rulesheets, mut videos) = (Vec::new(), Vec::new());
    for entry in &entries {
        match entry {
            Entry::Rulesheet(report) => rulesheets.push(report),
            Entry::Video(report) => videos.push(report),
        }
    }
    if !rulesheets.is_empty() {
        out.line(table(&rulesheets))?;
    }
    if !rulesheets.is_empty() && !videos.is_empty() {
        out.line("")?;
    }
    if !videos.is_empty() {
        out.line(video_table(&videos))?;
    }
    Ok(outcome)
}

impl BenchArgs {
    fn wanted(&self) -> SpeedWanted {
        let threads = self.threads as usize;
        SpeedWanted { time: self.seconds, threads, seed: self.seed, lanes: false }
    }
}

fn measure_video(source: &Source, args: &BenchArgs) -> Result<VideoReport> {
    memory::forget_peak();
    let start = Instant::now();
    let video = gamegrove_play::video::load(source, &args.level)?;
    let set_up = start.elapsed();
    let wanted = args.wanted();
    let rates = with_progress(&video.name, |heard| speed::measure(&video.world, wanted, heard));
    Ok(VideoReport {
        threads: wanted.threads,
        advances_per_second: rates.advances,
        copies_per_second: rates.copies,
        rollouts_per_second: rates.rollouts,
        setup_seconds: set_up.as_secs_f64(),
        memory_bytes: memory::peak(),
        state_bytes: video.world.start().size(),
        seconds: start.elapsed().as_secs_f64(),
        seed: wanted.seed,
        fault: rates.overworked.then(|| overworked().to_string()),
        game: video.name,
        level: video.level,
    })
}

/// Measures one reasoner.
fn measure(source: &Source, reasoner: Reasoner, args: &BenchArgs) -> Result<Report> {
    memory::forget_peak();
    let start = Instant::now();
    let rules = source.rules(args.rules.reading.into())?;
    let board = open_rules(source, rules, &Setup::new(reasoner))?;
    let set_up = start.elapsed();
    let lanes = reasoner == Reasoner::Lanes;
    let wanted = SpeedWanted { lanes, ..args.wanted() };
    let about = board.about();
    let name = &source.name;
    let what = match lanes {
        true => format!("{name} with {} lanes", about.lanes),
        false => format!("{name} with {reasoner}"),
    };
    let found = with_progress(&what, |heard| board.speed(wanted, heard));
    let per_second = |count: u64| count as f64 / found.time.as_secs_f64().max(1e-9);
    Ok(Report {
        game: name.clone(),
        reasoner,
        threads: wanted.threads,
        states_per_second: per_second(found.states),
        playouts_per_second: per_second(found.playouts),
        setup_seconds: set_up.as_secs_f64(),
        memory_bytes: memory::peak(),
        seconds: found.time.as_secs_f64(),
        states: found.states,
        playouts: found.playouts,
        mean_length: found.mean_length(),
        roles: about.roles.clone(),
        mean_goals: found.mean_goals(),
        seed: wanted.seed,
        chosen: about.remarks.first().cloned(),
        fault: found.fault.as_ref().map(ToString::to_string),
    })
}

/// Measures something, and shows how much of its time is over.
fn with_progress<T>(what: &str, measure: impl FnOnce(Heard<'_>) -> T) -> T {
    let mut progress = Progress::new(Instant::now());
    measure(&mut |done, all| progress.show(done, all, what))
}

fn table(reports: &[&Report]) -> Table {
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

fn video_table(reports: &[&VideoReport]) -> Table {
    let headings = [
        "game",
        ">level",
        ">threads",
        ">advances/s",
        ">copies/s",
        ">roll-outs/s",
        ">state",
        ">set-up",
        ">memory",
    ];
    let mut table = Table::new(&headings);
    for report in reports {
        table.row(vec![
            report.game.clone(),
            report.level.map_or_else(|| "-".to_owned(), |level| level.to_string()),
            report.threads.to_string(),
            rate(report.advances_per_second),
            rate(report.copies_per_second),
            rate(report.rollouts_per_second),
            HumanBytes(report.state_bytes as u64).to_string(),
            time(Duration::from_secs_f64(report.setup_seconds)),
            report.memory_bytes.map_or_else(|| "-".to_owned(), |b| HumanBytes(b).to_string()),
        ]);
    }
    table
}
