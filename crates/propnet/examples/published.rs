//! Prover and network, with and without the query cache, on the thirteen games of the published speed
//! table [Sironi 2019, 4.3.4], Table 4.3), beside the published figures. States per second of processor
//! time: in random games from the start (the fastest of three slices), or, as published, in whole games
//! that flat Monte-Carlo search plays for all roles, the median over turns. Prints Markdown.
//!
//! `cargo run --release -p gamegrove-propnet --example published -- [turns] [SECONDS] [GAME...]`: seconds for
//! each figure, or for each turn.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use gamegrove_game::{Cached, Game, Move, Player, Rng};
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
    let turns = arguments.next_if(|a| a == "turns").is_some();
    let seconds = arguments.next_if(|a| a.parse::<f64>().is_ok()).and_then(|a| a.parse().ok());
    let time = Duration::from_secs_f64(seconds.unwrap_or(if turns { 0.05 } else { 1.0 }));
    let chosen: Vec<String> = arguments.collect();
    println!(
        "| game | prover | with cache | network | with cache | network / prover | cache: prover | \
         cache: network | ours / published network |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    let mut all = Vec::new();
    for (name, path, published) in GAMES {
        if !chosen.is_empty() && !chosen.iter().any(|wanted| name.contains(wanted.as_str())) {
            continue;
        }
        eprintln!("{name}");
        match measure(&folder.join(path), time, turns) {
            Ok(ours) => {
                let times = ours[2] / published[2];
                println!("| {name} | {} {times:.1} |", figures(ours));
                println!("| {name}, published | {} |", figures(published));
                all.push((ours, published));
            }
            Err(what) => println!("| {name} | {what} |"),
        }
    }
    for (whose, figures) in [
        ("ours", all.iter().map(|(ours, _)| *ours).collect::<Vec<_>>()),
        ("published", all.iter().map(|(_, published)| *published).collect()),
    ] {
        let mean = |change: fn(&[f64; 4]) -> f64| {
            100.0 * figures.iter().map(change).sum::<f64>() / figures.len().max(1) as f64
        };
        let faster =
            |one: usize, other: usize| figures.iter().filter(|f| f[one] > f[other]).count();
        println!(
            "\n{whose}: the network is faster than the prover in {} of {} games, with caches in {}; the \
             cache changes the prover by {:+.1} % and the network by {:+.1} % on average",
            faster(2, 0),
            figures.len(),
            faster(3, 1),
            mean(|f| f[1] / f[0] - 1.0),
            mean(|f| f[3] / f[2] - 1.0),
        );
    }
    ExitCode::SUCCESS
}

/// Four speeds, the network's beside the prover's, and what the cache does to each.
fn figures([prover, cached_prover, network, cached_network]: [f64; 4]) -> String {
    format!(
        "{prover:.0} | {cached_prover:.0} | {network:.0} | {cached_network:.0} | {:.0} | {:.2} | {:.2} |",
        network / prover,
        cached_prover / prover,
        cached_network / network,
    )
}

/// The most states a cache keeps.
const CACHE: usize = 500_000;

fn measure(path: &std::path::Path, time: Duration, turns: bool) -> Result<[f64; 4], String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let sheet = Rulesheet::load(&text).map_err(|found| format!("{} errors", found.len()))?;
    let prover = Prover::new(&sheet.program).map_err(|error| error.to_string())?;
    let basic = build_from_rules(&sheet.program, 0, &Limits::default())
        .map_err(|error| error.to_string())?;
    let network = Arc::new(Sequence::default().run(&basic));
    drop(basic);
    let network: Propnet = Propnet::new(&network).map_err(|flaw| flaw.to_string())?;
    fn measured<G: Game>(game: G, time: Duration, turns: bool) -> f64 {
        if turns { median_of_turns(game, time) } else { speed(game, time) }
    }
    Ok([
        measured(prover.clone(), time, turns),
        measured(Cached::new(prover, CACHE), time, turns),
        measured(network.clone(), time, turns),
        measured(Cached::new(network, CACHE), time, turns),
    ])
}

/// The most turns of a game.
const TURNS: usize = 150;

/// States visited per second in each turn of a game that flat Monte-Carlo search plays for all roles:
/// the median. A random game under way when the time is over is finished.
fn median_of_turns<G: Game>(mut game: G, time: Duration) -> f64 {
    let mut state = game.initial_state();
    let mut player = Player::new(game);
    let mut rng = Rng::new(1);
    let mut speeds = Vec::new();
    while speeds.len() < TURNS && !player.game.is_terminal(&state) {
        let mut worth: Vec<BTreeMap<Move, (f64, f64)>> =
            vec![BTreeMap::new(); player.game.role_count()];
        let (clock, mut states) = (ThreadTime::now(), 0u64);
        while clock.elapsed() < time {
            let mut first = Vec::new();
            let played = player.random_game_with(&state, 500, &mut rng, |_, _, joint| {
                if first.is_empty() {
                    first.extend_from_slice(joint);
                }
            });
            states += u64::from(played.steps);
            for ((worth, mov), goal) in worth.iter_mut().zip(&first).zip(player.goals()) {
                let (sum, count) = worth.entry(*mov).or_default();
                *sum += goal.share();
                *count += 1.0;
            }
        }
        speeds.push(states as f64 / clock.elapsed().as_secs_f64());
        let mean = |&(sum, count): &(f64, f64)| sum / count;
        let best = worth.iter().map(|worth| {
            worth.iter().max_by(|one, other| mean(one.1).total_cmp(&mean(other.1))).map(|(m, _)| *m)
        });
        // A role cannot move: the game is over.
        let Some(joint) = best.collect::<Option<Vec<Move>>>() else { break };
        player.game.advance(&mut state, &joint);
        player.game.end_turn();
    }
    speeds.sort_by(f64::total_cmp);
    speeds.get(speeds.len() / 2).copied().unwrap_or(0.0)
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
