//! Speed of random games from the initial state with lanes, and what the program looks like. Prints
//! Markdown.
//!
//! `cargo run --release -p gamegrove-propnet --example lanes -- SECONDS [--all] [--threads N] FILE...`

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use gamegrove_game::{Lanes, Sample, Sums, Tally};
use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_propnet::{Bits, PropnetLanes, Sequence, Width, build_from_rules};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]
fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(seconds) = arguments.next().and_then(|s| s.parse::<f64>().ok()) else {
        eprintln!("usage: lanes SECONDS [--all] [--threads N] FILE...");
        return ExitCode::FAILURE;
    };
    let (mut all, mut threads, mut files) = (false, 1, Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--all" => all = true,
            "--threads" => {
                threads = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
            }
            _ => files.push(argument),
        }
    }
    println!(
        "| rules | width | set-up s | components | instructions | runs | slots | states/s | \
         play-outs/s | mean length | mean goals |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|"
    );
    for path in files {
        let widths = if all { Width::all() } else { vec![Width::best()] };
        for width in widths {
            match measure(&path, width, threads, Duration::from_secs_f64(seconds)) {
                Ok(line) => println!("| {path} | {width} | {line} |"),
                Err(what) => println!("| {path} | {width} | {what} |"),
            }
        }
    }
    ExitCode::SUCCESS
}

fn measure(path: &str, width: Width, threads: usize, time: Duration) -> Result<String, String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let sheet = Rulesheet::load(&text).map_err(|found| format!("{} errors", found.len()))?;
    let basic = build_from_rules(&sheet.program, 0, &Limits::default())
        .map_err(|error| error.to_string())?;
    let network = Arc::new(Sequence::default().run(&basic));
    let lanes = PropnetLanes::new(&network).map_err(|flaw| flaw.to_string())?.with_width(width);
    let setup = start.elapsed().as_secs_f64();
    let runs: Vec<(Sums, Duration)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                let (mut lanes, start) = (lanes.clone(), Bits::initial(&network));
                scope.spawn(move || {
                    let clock = ThreadTime::now();
                    let sample = Sample { state: start.clone(), limit: 500, count: u64::MAX };
                    let sums =
                        lanes.sample(thread as u64 + 1, &sample, &mut || clock.elapsed() >= time);
                    (sums, clock.elapsed())
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("no thread panics")).collect()
    });
    let rate = |count: fn(&Tally) -> u64| -> f64 {
        runs.iter().map(|(sums, time)| count(&sums.tally) as f64 / time.as_secs_f64()).sum()
    };
    let total = |count: fn(&Sums) -> u64| -> u64 { runs.iter().map(|(sums, _)| count(sums)).sum() };
    let (playouts, states) = (total(|sums| sums.tally.playouts), total(|sums| sums.tally.states));
    let terminal = total(|sums| sums.terminal);
    let goals: Vec<String> = (0..runs[0].0.goals.len())
        .map(|role| runs.iter().map(|(sums, _)| sums.goals[role]).sum::<f64>() / terminal as f64)
        .map(|mean| format!("{mean:.2}"))
        .collect();
    Ok(format!(
        "{setup:.3} | {} | {} | {} | {} | {:.0} | {:.0} | {:.2} | {}",
        network.len(),
        lanes.instructions(),
        lanes.runs(),
        lanes.slots(),
        rate(|tally| tally.states),
        rate(|tally| tally.playouts),
        states as f64 / playouts as f64,
        goals.join(" "),
    ))
}
