//! Advances, copies and ten-step roll-outs per second of processor time with random actions, beside the figures of
//! the public framework.
//!
//! `bench CORPUS FIGURES [SECONDS] [NAME [MEASURE]]`: the folder of descriptions, the table of the framework's
//! figures (game, sprites, advances, copies, roll-outs per CPU second), time per measurement.
#![allow(clippy::print_stdout, reason = "a tool for people")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use gamegrove_game::Rng;
use gamegrove_vgdl::Scratch;
use gamegrove_vgdl::chance::Chance;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::ontology::Action;
use gamegrove_vgdl::state::State;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [corpus, figures, rest @ ..] = arguments.as_slice() else {
        println!("usage: bench CORPUS FIGURES [SECONDS] [NAME [MEASURE]]");
        return;
    };
    let seconds = rest.first().and_then(|s| s.parse().ok()).unwrap_or(0.3);
    let limit = Duration::from_secs_f64(seconds);
    let table = std::fs::read_to_string(figures).expect("a table of figures");
    println!(
        "{:18} {:>8} {:>11} {:>11} {:>10} {:>7} {:>7} {:>7}",
        "game", "bytes", "advances", "copies", "roll-outs", "x", "x", "x"
    );
    let mut ratios: [Vec<f64>; 3] = Default::default();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        if rest.get(1).is_some_and(|name| name != fields[0]) {
            continue;
        }
        let folder = Path::new(corpus).join("gridphysics");
        let name = fields[0];
        let description = folder.join(format!("{name}.txt"));
        let level = folder.join(format!("{name}_lvl0.txt"));
        let Ok(world) = support::load(&description, &level) else {
            println!("{name:18} not in the corpus");
            continue;
        };
        let only = rest.get(2);
        let wanted = |name: &str| only.is_none_or(|only| only == name);
        let own = [
            if wanted("advances") { advances(&world, limit) } else { 0.0 },
            if wanted("copies") { copies(&world, limit) } else { 0.0 },
            if wanted("rollouts") { rollouts(&world, limit) } else { 0.0 },
        ];
        let theirs: Vec<f64> = fields[2..5].iter().filter_map(|f| f.parse().ok()).collect();
        let times: Vec<f64> = own.iter().zip(&theirs).map(|(a, b)| a / b).collect();
        for (all, &one) in ratios.iter_mut().zip(&times) {
            all.push(one);
        }
        println!(
            "{name:18} {:8} {:11.0} {:11.0} {:10.0} {:7.1} {:7.1} {:7.1}",
            world.start().size(),
            own[0],
            own[1],
            own[2],
            times[0],
            times[1],
            times[2]
        );
    }
    for (name, all) in ["advances", "copies", "roll-outs"].iter().zip(&mut ratios) {
        all.sort_by(f64::total_cmp);
        if let (Some(least), Some(median)) = (all.first(), all.get(all.len() / 2)) {
            println!("{name}: median {median:.1} times, least {least:.1} times");
        }
    }
}

/// Processor time of this process where the system tells it, else the time of the wall.
fn processor_time(start: Instant) -> Duration {
    std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse().ok())
        .map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// Calls `work` until the time is over; how often a second of processor time it happened.
fn rate(limit: Duration, mut work: impl FnMut() -> u64) -> f64 {
    let start = Instant::now();
    let before = processor_time(start);
    let mut done = 0;
    while start.elapsed() < limit {
        for _ in 0..64 {
            done += work();
        }
    }
    done as f64 / (processor_time(start) - before).as_secs_f64()
}

fn act(world: &World, state: &mut State, rng: &mut Rng, scratch: &mut Scratch) {
    let actions = [0, 1].map(|player| {
        if player < world.rules.players {
            rng.pick(world.actions(state, player)).unwrap_or_default()
        } else {
            Action::Nil
        }
    });
    world.advance(state, &actions[..world.rules.players], scratch);
}

fn advances(world: &World, limit: Duration) -> f64 {
    let (mut rng, mut scratch) = (Rng::new(1), Scratch::default());
    let mut state = world.start().clone();
    state.set_chance(Chance::fast(1));
    rate(limit, || {
        if state.is_over() {
            state.clone_from(world.start());
            state.set_chance(Chance::fast(rng.next_u64()));
        }
        act(world, &mut state, &mut rng, &mut scratch);
        1
    })
}

fn copies(world: &World, limit: Duration) -> f64 {
    let state = world.start();
    let mut target = state.clone();
    rate(limit, || {
        target.clone_from(black_box(state));
        black_box(&mut target);
        1
    })
}

fn rollouts(world: &World, limit: Duration) -> f64 {
    let (mut rng, mut scratch) = (Rng::new(1), Scratch::default());
    let mut state = world.start().clone();
    rate(limit, || {
        state.clone_from(world.start());
        state.set_chance(Chance::fast(rng.next_u64()));
        for _ in 0..10 {
            act(world, &mut state, &mut rng, &mut scratch);
        }
        1
    })
}
