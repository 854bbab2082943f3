//! Two agents play The Octagon Theory on one core, with the processor time each of them takes.
//!
//! `octagon_duel AGENT AGENT GAMES SIMULATIONS SEED [SETTINGS]`: colours in turn, so many simulations a
//! move. `grove match octagon` does the same on all cores; this one is for simulations per second.
#![allow(clippy::print_stdout, reason = "a tool for people")]

use std::error::Error;

use cpu_time::ThreadTime;
use gamegrove_agents::{Agent, Player};
use gamegrove_game::{Game, Move, Rng, Role};
use gamegrove_octagon::{Config, Octagon};
use gamegrove_search::Budget;

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [one, other, games, simulations, seed, settings @ ..] = given.as_slice() else {
        return Err("octagon_duel AGENT AGENT GAMES SIMULATIONS SEED [SETTINGS]".into());
    };
    let agents = [Agent::find(one)?, Agent::find(other)?];
    let (games, simulations, seed): (u64, u64, u64) =
        (games.parse()?, simulations.parse()?, seed.parse()?);
    let rules = Config::shipped().rules(&settings.join(","))?;
    let mut game = Octagon::new(rules)?;
    // Won, drawn and lost by the first agent, and by the side that moves first.
    let (mut results, mut first) = ([0u32; 3], [0u32; 3]);
    let (mut seconds, mut counts) = ([0.0; 2], [0u64; 2]);
    for number in 0..games {
        let seats = if number % 2 == 0 { [0, 1] } else { [1, 0] };
        let mut players: Vec<Box<dyn Player<Octagon>>> = Vec::new();
        for (role, agent) in Role::all(2).zip(seats) {
            let seed = Rng::stream(seed, number * 2 + u64::from(role.0)).next_u64();
            players.push(agents[agent].player(game.clone(), role, seed)?);
        }
        let mut state = game.initial_state();
        while !game.is_terminal(&state) {
            let mut joint: Vec<Move> = Vec::new();
            for (player, agent) in players.iter_mut().zip(seats) {
                let clock = ThreadTime::now();
                let chosen = player.choose(&state, &Budget::simulations(simulations));
                joint.push(chosen.ok_or("an agent found no move")?);
                seconds[agent] += clock.elapsed().as_secs_f64();
                counts[agent] += player.report().map_or(0, |report| report.simulations);
            }
            players.iter_mut().for_each(|player| player.played(&joint));
            let before = state;
            game.apply(&before, &joint, &mut state);
        }
        let [x, o] = state.score();
        let result = 1 - x.cmp(&o) as i8;
        first[result as usize] += 1;
        results[if seats[0] == 0 { result } else { 2 - result } as usize] += 1;
    }
    let [won, drawn, lost] = results.map(f64::from);
    let mean = (won + 0.5 * drawn) / games as f64;
    let variance = (won + 0.25 * drawn) / games as f64 - mean * mean;
    let error = 1.96 * (variance / games as f64).sqrt();
    println!("{one} against {other}: {won} won, {lost} lost, {drawn} drawn");
    println!("points {:.1} ± {:.1} %", 100.0 * mean, 100.0 * error);
    println!("the side that moves first: {} won, {} lost, {} drawn", first[0], first[2], first[1]);
    for (name, at) in [(one, 0), (other, 1)] {
        println!("{name}: {:.0} simulations/s of processor time", counts[at] as f64 / seconds[at]);
    }
    Ok(())
}
