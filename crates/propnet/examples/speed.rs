//! States per second of processor time of the evaluators in random games from the initial state, and what it took to
//! get there. Prints Markdown.
//!
//! `cargo run --release -p gamegrove-propnet --example speed -- SECONDS FILE...`

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use gamegrove_game::{Game, Player, Rng};
use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_propnet::{
    Circuit, Evaluator, Forward, Network, Propnet, Sequence, Settings, Sweep, build_from_rules,
};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]
fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(seconds) = arguments.next().and_then(|s| s.parse::<f64>().ok()) else {
        eprintln!("usage: speed SECONDS FILE...");
        return ExitCode::FAILURE;
    };
    let time = Duration::from_secs_f64(seconds);
    println!(
        "| rules | set-up s | components | gates | inputs | sweep | followed | guards | effects | both | tuned | picks |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|"
    );
    for path in arguments {
        match measure(&path, time) {
            Ok(line) => println!("| {path} | {line} |"),
            Err(what) => println!("| {path} | {what} |"),
        }
    }
    ExitCode::SUCCESS
}

fn measure(path: &str, time: Duration) -> Result<String, String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let sheet = Rulesheet::load(&text).map_err(|found| format!("{} errors", found.len()))?;
    let basic = build_from_rules(&sheet.program, 0, &Limits::default())
        .map_err(|error| error.to_string())?;
    let network = Arc::new(Sequence::default().run(&basic));
    let circuit = Circuit::new(&network).map_err(|flaw| flaw.to_string())?;
    let setup = start.elapsed().as_secs_f64();
    let with = |effects: bool, guard_from: Option<usize>| {
        let settings = Settings { effects, guard_from, ..Settings::default() };
        let evaluator = Forward::with_settings(&circuit, &settings);
        speed(Propnet::with_evaluator(&network, evaluator), time)
    };
    let tuned: Propnet = Propnet::new(&network).map_err(|flaw| flaw.to_string())?;
    let picks = tuned.evaluator().settings();
    let picks = format!("effects {}, {}", picks.effects, tuned.evaluator().guard_count());
    Ok(format!(
        "{setup:.3} | {} | {} | {} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {picks}",
        network.len(),
        circuit.gates.len(),
        circuit.input_count(),
        net_speed::<Sweep>(&network, time / 20)?,
        with(false, None),
        with(false, Some(12)),
        with(true, None),
        with(true, Some(12)),
        speed(tuned, time),
    ))
}

fn net_speed<E: Evaluator>(network: &Arc<Network>, time: Duration) -> Result<f64, String> {
    let game: Propnet<E> = Propnet::new(network).map_err(|flaw| flaw.to_string())?;
    Ok(speed(game, time))
}

/// States visited per second, one per joint move made.
fn speed<G: Game>(mut game: G, time: Duration) -> f64 {
    let start = game.initial_state();
    let mut player = Player::new(game);
    let mut rng = Rng::new(1);
    // Other programs on the machine do not count.
    let (clock, mut states) = (ThreadTime::now(), 0u64);
    while clock.elapsed() < time {
        states += u64::from(player.random_game(&start, 500, &mut rng).steps);
        player.goals();
    }
    states as f64 / clock.elapsed().as_secs_f64()
}
