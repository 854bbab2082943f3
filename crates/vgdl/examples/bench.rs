//! Advances, copies and ten-step roll-outs per second of processor time with random actions, beside the figures of
//! the public framework.
//!
//! `bench CORPUS FIGURES [SECONDS] [NAME [MEASURE]]`: the folder of descriptions, the table of the framework's
//! figures (game, sprites, advances, copies, roll-outs per CPU second), time per measurement. Prints Markdown.
#![allow(clippy::print_stdout, reason = "a tool for people")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gamegrove_game::Rng;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::speed::Load;

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
        "| game | bytes | advances/s | framework | times | copies/s | framework | times \
         | roll-outs/s | framework | times |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
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
            println!("| {name} | not in the corpus |");
            continue;
        };
        let only = rest.get(2);
        let wanted = |name: &str| only.is_none_or(|only| only == name);
        let own = [
            if wanted("advances") { rate(&world, limit, Load::advance) } else { 0.0 },
            if wanted("copies") { rate(&world, limit, Load::copy) } else { 0.0 },
            if wanted("rollouts") { rate(&world, limit, Load::rollout) } else { 0.0 },
        ];
        let theirs: Vec<f64> = fields[2..5].iter().filter_map(|f| f.parse().ok()).collect();
        let times: Vec<f64> = own.iter().zip(&theirs).map(|(a, b)| a / b).collect();
        for (all, &one) in ratios.iter_mut().zip(&times) {
            all.push(one);
        }
        let columns: Vec<String> =
            (0..3).map(|n| format!("{:.0} | {:.0} | {:.1}", own[n], theirs[n], times[n])).collect();
        println!("| {name} | {} | {} |", world.start().size(), columns.join(" | "));
    }
    println!();
    for (name, all) in ["advances", "copies", "roll-outs"].iter().zip(&mut ratios) {
        all.sort_by(f64::total_cmp);
        if let (Some(least), Some(median)) = (all.first(), all.get(all.len() / 2)) {
            println!("- {name}: median {median:.1} times, least {least:.1} times");
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

/// Does units of work until the time is over; how many a second of processor time.
///
/// In five slices, of which the fastest counts: other programs on the machine slow a slice down even
/// in processor time, nothing speeds one up. A slice still holds thousands of ticks.
fn rate(world: &Arc<World>, limit: Duration, unit: fn(&mut Load)) -> f64 {
    let mut load = Load::new(world.clone(), Rng::new(1));
    let slices = (0..5).map(|_| {
        let start = Instant::now();
        let before = processor_time(start);
        let mut done = 0u64;
        while start.elapsed() < limit / 5 {
            for _ in 0..64 {
                unit(&mut load);
            }
            done += 64;
        }
        done as f64 / (processor_time(start) - before).as_secs_f64().max(1e-9)
    });
    slices.fold(0.0, f64::max)
}
