//! Matches of every named agent, played with counted budgets and compared with recorded digests.
//!
//! `frozen_matches.txt` has one line per agent and setting: the digest of all moves and search
//! results, or `refused` where the agent cannot play the game. A change that is meant to keep
//! behaviour leaves the file as it is. Another one runs this test with `GROVE_FREEZE=yes`, which
//! writes the file anew, and says so in its commit message.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::{folder, grove};

/// A game and how it is played. Steps and simulations are few: what counts is that every part of
/// an agent is reached, not that it plays well.
struct Setting {
    game: &'static str,
    reasoner: &'static str,
    simulations: &'static str,
    steps: &'static str,
    /// `uct` takes the other role.
    opponent: bool,
}

const fn board(
    game: &'static str,
    reasoner: &'static str,
    simulations: &'static str,
    steps: &'static str,
) -> Setting {
    Setting { game, reasoner, simulations, steps, opponent: true }
}

const fn alone(game: &'static str, simulations: &'static str, steps: &'static str) -> Setting {
    Setting { game, reasoner: "auto", simulations, steps, opponent: false }
}

const SETTINGS: [Setting; 8] = [
    board("tic_tac_toe", "prover", "40", "10"),
    board("connect_four", "propnet", "60", "6"),
    // Few simulations are in flight, whatever the width of the machine's lanes.
    board("breakthrough", "lanes", "120", "3"),
    board("tron", "propnet", "40", "4"),
    board("octagon", "auto", "12", "4"),
    alone("eight_puzzle", "60", "4"),
    alone("aliens", "10", "12"),
    alone("zelda", "10", "12"),
];

/// Parts that no named agent has.
const SPECS: [&str; 12] = [
    "mcts(select=uct, playout=random, tree=open)",
    "mcts(select=uct, playout=mast, lanes=true)",
    "mcts(select=grave, playout=ppa, lanes=true)",
    "mcts(select=uct, playout=random, threads=2, parallel=root)",
    "mcts(select=uct, playout=fast)",
    "mcts(select=uct, playout=past)",
    "mcts(select=uct, playout=nst, cutoff=early)",
    "mcts(select=uct, playout=random, solver=select, transpositions=uct3)",
    "mcts(select=uct, playout=mast, simultaneous=sequential)",
    "mcts(select=ucb1_tuned, playout=mast(sample=gibbs), tactic=decisive)",
    "mcts(select=exp3, playout=random)",
    "mcts(select=regret_matching, playout=nppa)",
];

fn named_agents() -> Vec<String> {
    let listed = grove(&["agents", "--json"]).json();
    let agents = listed["agents"].as_array().expect("a list of agents");
    agents.iter().map(|agent| agent["name"].as_str().expect("a name").to_owned()).collect()
}

/// Plays and digests what was recorded, apart from times.
fn digest(number: usize, agent: &str, setting: &Setting) -> String {
    let record = format!("frozen_{number}.jsonl");
    let path = folder().join(&record);
    let _ = std::fs::remove_file(&path);
    let mut args = vec!["match", setting.game, agent];
    if setting.opponent {
        args.push("uct");
    }
    args.extend(["--runs", "1", "--seed", "7", "--threads", "1"]);
    args.extend(["--simulations", setting.simulations, "--step-limit", setting.steps]);
    args.extend(["--record", &record]);
    if setting.reasoner != "auto" {
        args.extend(["--reasoner", setting.reasoner]);
    }
    let run = grove(&args);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let _ = std::fs::remove_file(&path);
    if run.code != Some(0) {
        return "refused".to_owned();
    }
    // FNV-1a: the same on every machine and in every version.
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).expect("a record is JSON");
        let mut bytes = String::new();
        without_times(&value, &mut bytes);
        for byte in bytes.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

/// Writes a value without the keys that depend on the clock.
fn without_times(value: &Value, out: &mut String) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                if !key.contains("second") && !key.contains("late") && !key.contains("_ms") {
                    out.push_str(key);
                    without_times(value, out);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| without_times(value, out)),
        _ => write!(out, "{value};").expect("a string can be written"),
    }
}

#[test]
fn agents_play_as_recorded() {
    let names = named_agents();
    let agents: Vec<&str> = names.iter().map(String::as_str).chain(SPECS).collect();
    let jobs: Vec<(&Setting, &str)> = SETTINGS
        .iter()
        .flat_map(|setting| agents.iter().map(move |&agent| (setting, agent)))
        .collect();
    let (next, lines) = (AtomicUsize::new(0), Mutex::new(vec![String::new(); jobs.len()]));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&(setting, agent)) = jobs.get(at) else { return };
                    let digest = digest(at, agent, setting);
                    let line = format!("{digest} {} {} {agent}", setting.game, setting.reasoner);
                    lines.lock().expect("no thread panics")[at] = line;
                }
            });
        }
    });
    let found = lines.into_inner().expect("no thread panics").join("\n") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/frozen_matches.txt");
    if std::env::var_os("GROVE_FREEZE").is_some() {
        std::fs::write(&path, found).expect("the record can be written");
        return;
    }
    let recorded = std::fs::read_to_string(&path).expect("the record can be read");
    let differing: Vec<String> = found
        .lines()
        .zip(recorded.lines())
        .filter(|(found, recorded)| found != recorded)
        .map(|(found, recorded)| format!("now {found}, recorded {recorded}"))
        .collect();
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
    assert_eq!(found.lines().count(), recorded.lines().count(), "agents were added or removed");
}
