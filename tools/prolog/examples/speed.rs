//! Prints how fast Prolog plays random games of the given rulesheets, as a table.
//!
//! `cargo run --release -p gamegrove-prolog --example speed -- [--seconds S] FILE...`

use std::process::ExitCode;

/// Prolog's memory limit, in mebibytes.
const MEMORY: usize = 1024;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]
fn main() -> ExitCode {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut seconds = 5.0;
    if files.first().is_some_and(|first| first == "--seconds") {
        match files.get(1).and_then(|value| value.parse().ok()) {
            Some(value) => seconds = value,
            None => files.clear(),
        }
        files = files.split_off(files.len().min(2));
    }
    if files.is_empty() {
        eprintln!("usage: speed [--seconds S] FILE...");
        return ExitCode::FAILURE;
    }
    println!("| rulesheet | states/s | games | mean length | mean goals | tabling |");
    println!("|---|---:|---:|---:|---|---|");
    let mut all_well = true;
    for file in &files {
        let speed = std::fs::read(file).map_err(|error| error.to_string()).and_then(|bytes| {
            let rulesheet = String::from_utf8_lossy(&bytes);
            gamegrove_prolog::fastest(&rulesheet, seconds, 1, MEMORY)
                .map_err(|error| error.to_string())
        });
        match speed {
            Ok(speed) => {
                let goals: Vec<String> =
                    speed.mean_goals.iter().map(|goal| format!("{goal:.1}")).collect();
                println!(
                    "| {file} | {:.0} | {} | {:.1} | {} | {:?} |",
                    speed.states_per_second(),
                    speed.games,
                    speed.mean_length,
                    goals.join(" "),
                    speed.tabling
                );
            }
            Err(error) => {
                all_well = false;
                eprintln!("{file}: {error}");
            }
        }
    }
    if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
