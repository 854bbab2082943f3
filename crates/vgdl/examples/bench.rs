//! Advances, copies and ten-step roll-outs per second of processor time with random actions, beside the figures of
//! the public framework.
//!
//! `bench CORPUS FIGURES [SECONDS] [NAME [MEASURE]]`: the folder of descriptions, the table of the framework's
//! figures (game, sprites, advances, copies, roll-outs per CPU second), processor time per measurement. Prints
//! Markdown.
#![allow(clippy::print_stdout, reason = "a tool for people")]

#[path = "../tests/all/support/mod.rs"]
mod support;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
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
    let mut ratios: [(Vec<f64>, Vec<f64>); 3] = Default::default();
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
            if wanted("advances") { rate(&world, limit, Load::advance) } else { Rate::default() },
            if wanted("copies") { rate(&world, limit, Load::copy) } else { Rate::default() },
            if wanted("rollouts") { rate(&world, limit, Load::rollout) } else { Rate::default() },
        ];
        let theirs: Vec<f64> = fields[2..5].iter().filter_map(|f| f.parse().ok()).collect();
        for (n, (all, fastest)) in ratios.iter_mut().enumerate() {
            all.push(own[n].mean / theirs[n]);
            fastest.push(own[n].fastest / theirs[n]);
        }
        let columns: Vec<String> = (0..3)
            .map(|n| {
                let (mean, theirs) = (own[n].mean, theirs[n]);
                format!("{mean:.0} | {theirs:.0} | {:.1}", mean / theirs)
            })
            .collect();
        println!("| {name} | {} | {} |", world.start().size(), columns.join(" | "));
    }
    println!();
    for (name, (all, fastest)) in ["advances", "copies", "roll-outs"].iter().zip(&mut ratios) {
        all.sort_by(f64::total_cmp);
        fastest.sort_by(f64::total_cmp);
        let middle = all.len() / 2;
        if let (Some(least), Some(fast)) = (all.first(), fastest.first()) {
            println!(
                "- {name}: median {:.1} times, least {least:.1} times; by the fastest slices {:.1} and {fast:.1}",
                all[middle], fastest[middle]
            );
        }
    }
}

/// Units of work a second of processor time: over the whole time, and in the fastest of five slices.
#[derive(Clone, Copy, Default)]
struct Rate {
    mean: f64,
    fastest: f64,
}

/// Does units of work until the time is over.
///
/// Other programs on the machine slow a slice down even in processor time, nothing speeds one up: on
/// a machine that is not quiet the truth is nearer to the fastest slice.
fn rate(world: &Arc<World>, limit: Duration, unit: fn(&mut Load)) -> Rate {
    let mut load = Load::new(world.clone(), Rng::new(1));
    let (mut all, mut taken, mut fastest) = (0u64, 0.0, 0.0);
    for _ in 0..5 {
        let start = ProcessTime::now();
        let mut done = 0u64;
        while start.elapsed() < limit / 5 {
            for _ in 0..256 {
                unit(&mut load);
            }
            done += 256;
        }
        let time = start.elapsed().as_secs_f64();
        fastest = f64::max(fastest, done as f64 / time);
        all += done;
        taken += time;
    }
    Rate { mean: all as f64 / taken, fastest }
}
