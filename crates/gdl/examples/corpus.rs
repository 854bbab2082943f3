//! What becomes of every rulesheet below a folder: loaded, loaded with warnings, or refused; twenty
//! random games of each; and whether its rules can be grounded, and how. Prints Markdown.
//!
//! `cargo run --release -p gamegrove-gdl --example corpus -- FOLDER`

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use gamegrove_game::{Ending, Game, Player, Rng};
use gamegrove_gdl::{Limits, Prover, Rulesheet, Way, ground};
use gamegrove_testdata::files_below;

const GAMES: u32 = 20;
const STEP_LIMIT: u32 = 2_000;

#[derive(Default)]
struct Tally {
    clean: u32,
    warned: u32,
    warnings: BTreeMap<&'static str, (u32, u32)>,
    refused: Vec<String>,
    games: u32,
    troubles: Vec<String>,
    grounded: u32,
    ungrounded: Vec<String>,
    /// Those that are not grounded in the usual way.
    otherwise: Vec<String>,
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]
fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: corpus FOLDER");
        return ExitCode::FAILURE;
    };
    let folder = Path::new(&folder);
    let files = files_below(folder, "kif");
    let mut tally = Tally::default();
    for (number, path) in files.iter().enumerate() {
        let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
        eprintln!("{}/{} {name}", number + 1, files.len());
        match std::fs::read(path) {
            Ok(text) => look_at(&name, &text, &mut tally),
            Err(error) => tally.refused.push(format!("{name}: {error}")),
        }
    }
    let Tally { clean, warned, games, grounded, .. } = tally;
    println!("| outcome | rulesheets |\n|---|---:|");
    println!("| loaded, nothing to remark | {clean} |");
    println!("| loaded with warnings | {warned} |");
    println!("| refused | {} |", tally.refused.len());
    println!("| **all** | **{}** |", files.len());
    list("Refused", &tally.refused);
    println!("\n| warning | rulesheets | places |\n|---|---:|---:|");
    for (code, (sheets, places)) in &tally.warnings {
        println!("| `{code}` | {sheets} | {places} |");
    }
    println!(
        "\nRandom games that ended in a terminal state: {games} of {}.",
        (clean + warned) * GAMES
    );
    list("Troubles", &tally.troubles);
    println!("\nGrounded within 60 s and 8 GiB: {grounded} of {}.", clean + warned);
    list("Not grounded", &tally.ungrounded);
    list("Not of condensed rules in full", &tally.otherwise);
    ExitCode::SUCCESS
}

#[expect(clippy::print_stdout, reason = "a program for the terminal")]
fn list(title: &str, items: &[String]) {
    if !items.is_empty() {
        println!("\n{title}:\n");
        items.iter().for_each(|item| println!("- {item}"));
    }
}

fn look_at(name: &str, text: &[u8], tally: &mut Tally) {
    let sheet = match Rulesheet::load(text) {
        Ok(sheet) => sheet,
        Err(found) => {
            let reasons: Vec<_> =
                found.iter().filter(|d| d.is_error()).map(ToString::to_string).collect();
            tally.refused.push(format!("`{name}`: {}", reasons.join("; ")));
            return;
        }
    };
    if sheet.warnings.is_empty() {
        tally.clean += 1;
    } else {
        tally.warned += 1;
    }
    let mut seen = Vec::new();
    for warning in &sheet.warnings {
        let (sheets, places) = tally.warnings.entry(warning.code.name()).or_default();
        *places += 1;
        if !seen.contains(&warning.code) {
            seen.push(warning.code);
            *sheets += 1;
        }
    }
    match Prover::new(&sheet.program) {
        Ok(prover) => {
            let mut player = Player::new(prover);
            let start = player.game.initial_state();
            let mut rng = Rng::new(7);
            for _ in 0..GAMES {
                let played = player.random_game(&start, STEP_LIMIT, &mut rng);
                match (played.ending, player.game.take_fault()) {
                    (Ending::Terminal, None) => tally.games += 1,
                    (ending, fault) => {
                        tally.troubles.push(format!("`{name}`: {ending:?} {fault:?}"));
                    }
                }
            }
        }
        Err(error) => tally.troubles.push(format!("`{name}`: {error}")),
    }
    let limits =
        Limits { time: Some(Duration::from_secs(60)), memory: 8 << 30, ..Limits::default() };
    let clock = Instant::now();
    match ground(&sheet.program, &limits) {
        Ok((grounding, way)) => {
            tally.grounded += 1;
            if way != Way::Condensed {
                let (seconds, rules) = (clock.elapsed().as_secs_f64(), grounding.rule_count());
                tally.otherwise.push(format!("`{name}`: {way}; {rules} rules, {seconds:.2} s"));
            }
        }
        Err(hit) => {
            let seconds = clock.elapsed().as_secs_f64();
            tally.ungrounded.push(format!("`{name}`: {hit} ({seconds:.0} s)"));
        }
    }
}
