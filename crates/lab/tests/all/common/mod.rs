//! A venue whose games are drawn from their seeds, so that tests of experiments take no time.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::path::{Path, PathBuf};

use gamegrove_agents::Agent;
use gamegrove_game::Rng;
use gamegrove_lab::report::Provenance;
use gamegrove_lab::{
    Bout, Cost, Facts, Outcome, Plan, Played, Row, Session, Spec, Store, Venue, named_agent,
};
use gamegrove_play::matches::Ending;

/// Games of chance: who holds a role draws a number, the highest wins; agents with more letters in
/// their names have more luck. Games whose names start with `three` have three roles.
pub struct Casino;

impl Venue for Casino {
    fn look(&self, game: &str) -> Result<Facts, String> {
        if game == "closed" {
            return Err("there is no such game".to_owned());
        }
        let roles = if game.starts_with("three") {
            3
        } else if game.starts_with("solo") {
            1
        } else {
            2
        };
        Ok(Facts { roles, fingerprint: format!("rules of {game}") })
    }

    fn admit(&self, game: &str, _: &str, _: &[&Agent]) -> Result<(), String> {
        if game == "broken" { Err("it broke".to_owned()) } else { Ok(()) }
    }

    fn play(&self, _: &str, bout: &Bout<'_>) -> Result<Played, String> {
        let mut rng = Rng::new(bout.seed);
        let draw = |agent: &&Agent| (4.0 * rng.unit()).floor() + agent.name.len() as f64 / 3.0;
        let luck: Vec<f64> = bout.agents.iter().map(draw).collect();
        let best = luck.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let goal = |&luck: &f64| if luck == best { 100.0 } else { 0.0 };
        let goals = match luck.as_slice() {
            // Alone, a win is a matter of level and luck.
            [alone] => vec![if *alone > 2.0 { 100.0 } else { 0.0 }],
            _ => luck.iter().map(goal).collect(),
        };
        let steps = 10 + rng.below(5) as u32;
        // Long names are quick, where states are counted.
        let speed = |agent: &Agent| {
            Some(if bout.counts_states { 5000.0 * agent.name.len() as f64 } else { 1000.0 })
        };
        Ok(Played {
            outcome: Outcome {
                seed: bout.seed,
                seats: bout.seats.to_vec(),
                goals,
                scores: luck,
                steps,
                ending: Ending::Terminal,
                offences: 0,
            },
            cost: Cost { seconds: 0.25, speeds: bout.agents.iter().map(|a| speed(a)).collect() },
        })
    }
}

pub fn plan(text: &str, profile: &str) -> Plan {
    let spec = Spec::read(text).unwrap_or_else(|error| panic!("{error}"));
    Plan::new("test", spec, profile, &named_agent, &Casino).unwrap_or_else(|e| panic!("{e}"))
}

pub fn session(threads: usize) -> Session {
    Session {
        started: 1_700_000_000,
        profile: "full".to_owned(),
        command: "grove experiment run test".to_owned(),
        machine: "a machine, 2 cores".to_owned(),
        version: "0.0.0".to_owned(),
        threads,
    }
}

pub fn provenance() -> Provenance {
    Provenance {
        command: "grove experiment report test".to_owned(),
        date: "2026-01-02 03:04:05 UTC".to_owned(),
        machine: "a machine, 2 cores".to_owned(),
        version: "0.0.0".to_owned(),
    }
}

/// A path for a store that is not there yet.
pub fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder.join("store.sqlite")
}

/// Everything that must not depend on who played when.
pub fn outcomes(plan: &Plan, store: &Store) -> Vec<(String, u32, Outcome)> {
    let rows = plan.cells.iter().flat_map(|cell| store.rows(&cell.id, cell.runs).unwrap());
    rows.map(|Row { cell, run, outcome, .. }| (cell, run, outcome)).collect()
}

/// Two columns, a game for two and one for three.
pub const DUELS: &str = r#"
title = "Luck against less of it"
sentence = "Longer names win."
source = { work = "Nobody (2000)", table = "1.1" }
notes = ["All numbers are drawn."]
runs = 50
budget = { simulations = 10 }
agents = [
    { name = "hrave", label = "HRAVE" },
    { name = "grave_mast", label = "GRAVE-MAST" },
    { name = "uct", label = "UCT" },
]
columns = [
    { label = "HRAVE", of = "hrave", against = ["uct"] },
    { label = "GRAVE-MAST", of = "grave_mast", against = ["uct"] },
]

[summary]
average = ["70.0 ±5.00", "80.0 ±5.00"]
robustness = [2, 2]

[[games]]
name = "dice"
label = "Dice"
published = ["66.0 ±4.16", "12.0 ±2.85"]

[[games]]
name = "three_dice"
label = "Dice | for <three>"
published = ["", "60.0 ±1.00"]

[profiles.smoke]
runs = 2
games = ["dice"]

[profiles.mixed]
runs = 20
by_game = { three_dice = { runs = 6, budget = { simulations = 5 } } }
"#;
