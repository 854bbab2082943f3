//! Prover and network, with and without the query cache, on the thirteen games of the published speed
//! table (`propnets.md` 9.3, Table 4.3), beside the published figures. Random games from the start,
//! states per second of processor time, the fastest of three slices. Prints Markdown.
//!
//! `cargo run --release -p gamegrove-propnet --example published -- [SECONDS_PER_FIGURE] [GAME...]`

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use gamegrove_game::{Cached, Game, Player, Rng};
use gamegrove_gdl::{Limits, Prover, Rulesheet};
use gamegrove_propnet::{Propnet, Sequence, build_from_rules};
use gamegrove_testdata::shared;

/// Name, path below the public rulesheets, and what was published: the prover and the network, each
/// without and with the cache.
const GAMES: [(&str, &str, [f64; 4]); 13] = [
    ("Amazons", "amazons/v1/amazons.kif", [7.0, 7.0, 28.0, 29.0]),
    ("Battle", "battle/battle.kif", [43.0, 44.0, 44260.0, 39945.0]),
    ("Breakthrough", "breakthrough/breakthrough.kif", [233.0, 238.0, 58763.0, 53945.0]),
    (
        "Chin.Checkers1P",
        "chineseCheckers1/v1/chineseCheckers1.kif",
        [2281.0, 538_930.0, 536_264.0, 921_637.0],
    ),
    (
        "Chin.Checkers2P",
        "chineseCheckers2/v1/chineseCheckers2.kif",
        [1456.0, 3205.0, 170_609.0, 213_181.0],
    ),
    (
        "Chin.Checkers3P",
        "chineseCheckers3/v1/chineseCheckers3.kif",
        [1105.0, 1296.0, 127_493.0, 99527.0],
    ),
    (
        "Chin.Checkers4P",
        "chineseCheckers4/v1/chineseCheckers4.kif",
        [544.0, 659.0, 87252.0, 88167.0],
    ),
    (
        "Chin.Checkers6P",
        "chineseCheckers6/v2/chineseCheckers6.kif",
        [608.0, 682.0, 61627.0, 55242.0],
    ),
    ("Connect Four", "connect4/connect4.kif", [180.0, 217.0, 132_211.0, 177_567.0]),
    ("Othello", "othello-comp2007/othello-comp2007.kif", [3.0, 3.0, 611.0, 643.0]),
    ("Pentago", "pentago/v1/pentago.kif", [150.0, 152.0, 99338.0, 81016.0]),
    ("Skirmish", "skirmish/skirmish.kif", [23.0, 24.0, 3007.0, 3036.0]),
    ("Tic Tac Toe", "ticTacToe/ticTacToe.kif", [1709.0, 323_599.0, 224_083.0, 568_255.0]),
];

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]
fn main() -> ExitCode {
    let Some(folder) = shared("corpus/gdl/public") else {
        return ExitCode::FAILURE;
    };
    let mut arguments = std::env::args().skip(1).peekable();
    let seconds = arguments.next_if(|a| a.parse::<f64>().is_ok()).and_then(|a| a.parse().ok());
    let time = Duration::from_secs_f64(seconds.unwrap_or(1.0));
    let chosen: Vec<String> = arguments.collect();
    println!(
        "| game | prover | with cache | network | with cache | network / prover | published network | \
         ours / published |\n|---|---:|---:|---:|---:|---:|---:|---:|"
    );
    for (name, path, published) in GAMES {
        if !chosen.is_empty() && !chosen.iter().any(|wanted| name.contains(wanted.as_str())) {
            continue;
        }
        eprintln!("{name}");
        match measure(&folder.join(path), time) {
            Ok(ours) => println!(
                "| {name} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {:.1} |",
                ours[0],
                ours[1],
                ours[2],
                ours[3],
                ours[2] / ours[0],
                published[2],
                ours[2] / published[2]
            ),
            Err(what) => println!("| {name} | {what} |"),
        }
    }
    ExitCode::SUCCESS
}

/// The most states a cache keeps.
const CACHE: usize = 500_000;

fn measure(path: &std::path::Path, time: Duration) -> Result<[f64; 4], String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let sheet = Rulesheet::load(&text).map_err(|found| format!("{} errors", found.len()))?;
    let prover = Prover::new(&sheet.program).map_err(|error| error.to_string())?;
    let basic = build_from_rules(&sheet.program, 0, &Limits::default())
        .map_err(|error| error.to_string())?;
    let network = Arc::new(Sequence::default().run(&basic));
    drop(basic);
    let network: Propnet = Propnet::new(&network).map_err(|flaw| flaw.to_string())?;
    Ok([
        speed(prover.clone(), time),
        speed(Cached::new(prover, CACHE), time),
        speed(network.clone(), time),
        speed(Cached::new(network, CACHE), time),
    ])
}

/// States visited per second, one per joint move made: the fastest of three slices.
fn speed<G: Game>(mut game: G, time: Duration) -> f64 {
    let start = game.initial_state();
    let mut player = Player::new(game);
    let mut rng = Rng::new(1);
    let mut fastest = 0.0f64;
    for _ in 0..3 {
        // Other programs on the machine do not count, except for what they do to the caches.
        let (clock, mut states) = (ThreadTime::now(), 0u64);
        while clock.elapsed() < time / 3 {
            states += u64::from(player.random_game(&start, 500, &mut rng).steps);
            player.goals();
        }
        fastest = fastest.max(states as f64 / clock.elapsed().as_secs_f64());
    }
    fastest
}
