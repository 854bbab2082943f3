//! Our prover beside a Prolog translation of the same rulesheets: random games from the start,
//! states per second of processor time, one after the other in one run, as a Markdown table.
//!
//! `cargo run --release -p gamegrove-prolog --example speed -- [--seconds S] [FILE...]`
//!
//! Without files: twenty games of the shared corpus. Prolog runs the plain translation: recursive
//! relations tabled, the others not. To even out what else the machine does, the two take turns.

use std::process::ExitCode;

use cpu_time::ProcessTime;
use gamegrove_game::{Game, Player, Rng};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_prolog::{Prolog, Settings};

/// The games compared when none are named.
const GAMES: [&str; 20] = [
    "public/ticTacToe/ticTacToe.kif",
    "public/connectFour/connectFour.kif",
    "public/breakthrough/breakthrough.kif",
    "public/knightThrough/knightThrough.kif",
    "public/reversi/reversi.kif",
    "public/othello-comp2007/othello-comp2007.kif",
    "public/chess/chess.kif",
    "public/checkers/v1/checkers.kif",
    "public/englishDraughts/englishDraughts.kif",
    "public/pentago/v1/pentago.kif",
    "public/eightPuzzle/eightPuzzle.kif",
    "public/chineseCheckers3/v1/chineseCheckers3.kif",
    "public/amazons/v1/amazons.kif",
    "public/skirmish/skirmish.kif",
    "public/battle/battle.kif",
    "public/sheepAndWolf/sheepAndWolf.kif",
    "public/quad_7x7/quad_7x7.kif",
    "public/connect5/v1/connect5.kif",
    "public/tron_10x10/tron_10x10.kif",
    "stanford/hex.kif",
];

/// How often the two take turns.
const TURNS: u32 = 4;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]
fn main() -> ExitCode {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut seconds = 4.0;
    if files.first().is_some_and(|first| first == "--seconds") {
        match files.get(1).and_then(|value| value.parse().ok()) {
            Some(value) => seconds = value,
            None => {
                eprintln!("usage: speed [--seconds S] [FILE...]");
                return ExitCode::FAILURE;
            }
        }
        files = files.split_off(files.len().min(2));
    }
    if files.is_empty() {
        let Some(corpus) = gamegrove_testdata::shared("corpus/gdl") else {
            return ExitCode::FAILURE;
        };
        files = GAMES.iter().map(|game| corpus.join(game).display().to_string()).collect();
    }
    println!("| rulesheet | mean length | Prolog, states/s | prover, states/s | ratio |");
    println!("|---|---:|---:|---:|---:|");
    let mut ratios = Vec::new();
    for file in &files {
        match measure(file, seconds) {
            Ok((length, theirs, ours)) => {
                let name = file.rsplit_once("gdl/").map_or(file.as_str(), |(_, name)| name);
                let ratio = ours / theirs;
                println!("| {name} | {length:.1} | {theirs:.0} | {ours:.0} | {ratio:.1} |");
                ratios.push(ratio);
            }
            Err(error) => eprintln!("{file}: {error}"),
        }
    }
    ratios.sort_by(f64::total_cmp);
    if let (Some(least), Some(greatest)) = (ratios.first(), ratios.last()) {
        let middle = (ratios[(ratios.len() - 1) / 2] + ratios[ratios.len() / 2]) / 2.0;
        println!("\nmedian ratio {middle:.1}, least {least:.1}, greatest {greatest:.1}");
    }
    if ratios.len() == files.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Mean length of our games, Prolog's and our states per second.
fn measure(file: &str, seconds: f64) -> Result<(f64, f64, f64), String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    let sheet = Rulesheet::load(&bytes).map_err(|found| format!("{} findings", found.len()))?;
    let prover = Prover::new(&sheet.program).map_err(|error| error.to_string())?;
    let settings = Settings { memory: 4096, ..Settings::default() };
    let mut prolog = Prolog::start(&String::from_utf8_lossy(&bytes), settings)
        .map_err(|error| error.to_string())?;
    let mut player = Player::new(prover);
    let start = player.game.initial_state();
    let mut rng = Rng::new(1);
    let (mut our_states, mut our_games, mut our_seconds) = (0u64, 0u64, 0.0);
    let (mut their_states, mut their_seconds) = (0.0, 0.0);
    let slice = seconds / f64::from(TURNS);
    for turn in 0..TURNS {
        let speed =
            prolog.random_games(slice, u64::from(turn)).map_err(|error| error.to_string())?;
        their_states += speed.states_per_second() * slice;
        their_seconds += slice;
        let clock = ProcessTime::now();
        while clock.elapsed().as_secs_f64() < slice {
            our_states += u64::from(player.random_game(&start, 10_000, &mut rng).steps);
            our_games += 1;
        }
        our_seconds += clock.elapsed().as_secs_f64();
    }
    let length = our_states as f64 / our_games as f64;
    Ok((length, their_states / their_seconds, our_states as f64 / our_seconds))
}
