//! Steps a second of a batch with facts, legal actions, goals and ends written in every step. Prints
//! Markdown.
//!
//! `cargo run --release -p gamegrove-propnet --example batch -- SECONDS GAMES FILE...`

use std::process::ExitCode;
use std::sync::Arc;

use cpu_time::ThreadTime;
use gamegrove_game::{Actions, BatchSetup, BatchView, Lanes, Restart};
use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_propnet::{PropnetLanes, Sequence, build_from_rules};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]
fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().and_then(|seconds| seconds.parse::<f64>().ok());
    let games = arguments.next().and_then(|games| games.parse::<usize>().ok());
    let (Some(seconds), Some(games)) = (seconds, games) else {
        eprintln!("usage: batch SECONDS GAMES FILE...");
        return ExitCode::FAILURE;
    };
    println!(
        "| rules | actions | facts | random steps/s | given steps/s |\n|---|---:|---:|---:|---:|"
    );
    for path in arguments {
        match measure(&path, games, seconds) {
            Ok(line) => println!("| {path} | {line} |"),
            Err(what) => println!("| {path} | {what} |"),
        }
    }
    ExitCode::SUCCESS
}

fn measure(path: &str, games: usize, seconds: f64) -> Result<String, String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let sheet = Rulesheet::load(&text).map_err(|found| format!("{} errors", found.len()))?;
    let basic = build_from_rules(&sheet.program, 0, &Limits::default())
        .map_err(|error| error.to_string())?;
    let network = Arc::new(Sequence::default().run(&basic));
    let lanes = PropnetLanes::new(&network).map_err(|flaw| flaw.to_string())?;
    let setup = BatchSetup { games, limit: u32::MAX, restart: Restart::NextStep, threads: 1 };
    let mut rates = Vec::new();
    let mut batch = lanes.batch(setup).map_err(|error| error.to_string())?;
    let choosers = games * batch.choosers();
    let mut facts = vec![0; games * batch.facts()];
    let mut legal = vec![0; choosers * batch.actions().len()];
    let mut goals = vec![0.0; games * batch.roles()];
    let (mut terminated, mut truncated) = (vec![0; games], vec![0; games]);
    let mut chosen = vec![0; choosers];
    for given in [false, true] {
        let mut random = lanes.batch(setup).map_err(|error| error.to_string())?;
        random.reset(1, BatchView::default()).map_err(|error| error.to_string())?;
        batch.reset(1, BatchView::default()).map_err(|error| error.to_string())?;
        let (mut steps, mut spent) = (0u64, 0.0);
        while spent < seconds {
            // What is to be given is made by another batch, whose time does not count.
            if given {
                let view = BatchView { chosen: &mut chosen, ..BatchView::default() };
                random.step(Actions::AtRandom, view).map_err(|error| error.to_string())?;
            }
            let clock = ThreadTime::now();
            let actions = if given { Actions::Given(&chosen) } else { Actions::AtRandom };
            let view = BatchView {
                facts: &mut facts,
                legal: &mut legal,
                goals: &mut goals,
                terminated: &mut terminated,
                truncated: &mut truncated,
                ..BatchView::default()
            };
            batch.step(actions, view).map_err(|error| error.to_string())?;
            steps += games as u64;
            spent += clock.elapsed().as_secs_f64();
        }
        rates.push(steps as f64 / spent);
    }
    let (actions, facts) = (batch.actions().len(), batch.facts());
    Ok(format!("{actions} | {facts} | {:.0} | {:.0}", rates[0], rates[1]))
}
