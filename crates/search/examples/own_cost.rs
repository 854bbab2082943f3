//! Searches again and again from the first state of a game: what does the search itself cost?
//!
//! ```sh
//! cargo build --release -p gamegrove-search --example own_cost
//! perf record -e cpu-clock target/release/examples/own_cost uct SIMULATIONS ROUNDS GAME.kif [lanes]
//! ```
//! The searches are `uct`, `grave_mast` and `grove`; without `lanes` they play one state at a time. Prints
//! microseconds of processor time a simulation; `perf report` says how much of it was spent in
//! `gamegrove_propnet`. Nothing else takes time here: no report is made and nothing is drawn.

#![allow(clippy::print_stdout, reason = "a program")]

use std::sync::Arc;

use cpu_time::ThreadTime;
use gamegrove_game::{Game, Lanes};
use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_propnet::{Propnet, PropnetLanes, Sequence, build_from_rules};
use gamegrove_search::{Budget, Part, Search};

/// The settings of a search.
fn settings(name: &str) -> Result<Part, String> {
    let mcts = Part::named("mcts");
    let grave = Part::named("grave");
    let ppa = Part::named("ppa").with("mode", "payoff").with("alpha", 0.32);
    Ok(match name {
        "uct" => mcts.with("select", "uct").with("playout", "random"),
        "grave_mast" => mcts.with("select", grave).with("playout", "mast"),
        "grove" => mcts
            .with("select", grave)
            .with("playout", ppa)
            .with("solver", "select")
            .with("final", "mean"),
        _ => return Err(format!("no search is called `{name}`")),
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [name, simulations, rounds, path, rest @ ..] = args.as_slice() else {
        return Err("usage: own_cost SEARCH SIMULATIONS ROUNDS GAME.kif [lanes]".into());
    };
    let settings = settings(name)?;
    let (simulations, rounds): (u64, u64) = (simulations.parse()?, rounds.parse()?);
    let sheet = Rulesheet::load(&std::fs::read(path)?).map_err(|_| "the rulesheet has errors")?;
    let network = build_from_rules(&sheet.program, 0, &Limits::default())?;
    let network = Arc::new(Sequence::default().run(&network));
    let mut game: Propnet = Propnet::new(&network)?;
    let mut lanes = PropnetLanes::new(&network)?;
    let state = game.initial_state();
    let (mut seconds, mut made) = (0.0, 0);
    for seed in 0..rounds {
        let mut search = Search::new(game.clone(), &settings, seed)?;
        let clock = ThreadTime::now();
        search.set_root(&state);
        match rest {
            [] => search.run(&Budget::simulations(simulations)),
            _ => search.run_on(&mut lanes, &Budget::simulations(simulations)),
        };
        seconds += clock.elapsed().as_secs_f64();
        made += search.simulations();
    }
    let way = if rest.is_empty() { 1 } else { lanes.width() };
    let made = made.max(1) as f64;
    println!("{name}, {way} at a time: {:.3} µs a simulation", 1e6 * seconds / made);
    Ok(())
}
