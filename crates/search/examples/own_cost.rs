//! Plain UCT again and again from the first state of a game, one state at a time: what does the search
//! itself cost?
//!
//! ```sh
//! cargo build --release -p gamegrove-search --example own_cost
//! perf record -e cpu-clock target/release/examples/own_cost SIMULATIONS ROUNDS GAME.kif
//! ```
//! Prints microseconds of processor time a simulation; `perf report` says how much of it was spent in
//! `gamegrove_propnet`. Nothing else takes time here: no report is made and nothing is drawn.

#![allow(clippy::print_stdout, reason = "a program")]

use std::sync::Arc;

use cpu_time::ThreadTime;
use gamegrove_game::Game;
use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_propnet::{Propnet, Sequence, build_from_rules};
use gamegrove_search::{Budget, Part, Search};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [simulations, rounds, path] = args.as_slice() else {
        return Err("usage: own_cost SIMULATIONS ROUNDS GAME.kif".into());
    };
    let (simulations, rounds): (u64, u64) = (simulations.parse()?, rounds.parse()?);
    let sheet = Rulesheet::load(&std::fs::read(path)?).map_err(|_| "the rulesheet has errors")?;
    let network = build_from_rules(&sheet.program, 0, &Limits::default())?;
    let mut game: Propnet = Propnet::new(&Arc::new(Sequence::default().run(&network)))?;
    let state = game.initial_state();
    let settings = Part::named("mcts").with("select", "uct").with("playout", "random");
    let (mut seconds, mut made) = (0.0, 0);
    for seed in 0..rounds {
        let mut search = Search::new(game.clone(), &settings, seed)?;
        let clock = ThreadTime::now();
        search.set_root(&state);
        search.run(&Budget::simulations(simulations));
        seconds += clock.elapsed().as_secs_f64();
        made += search.simulations();
    }
    println!("{:.3} µs a simulation", 1e6 * seconds / made.max(1) as f64);
    Ok(())
}
