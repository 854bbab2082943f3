//! `grove player` and `grove referee` as separate processes, over real HTTP.

use std::io::Read;
use std::process::Child;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{command, file, folder, grove};

/// A `grove player` of its own, killed when the test is done with it.
struct Player {
    process: Child,
    address: String,
}

impl Player {
    fn start(more: &[&str]) -> Player {
        let mut args = vec!["player", "--port", "0", "--host", "127.0.0.1", "--json"];
        args.extend(more);
        let mut process = command(&args).spawn().expect("grove starts");
        let stdout = process.stdout.as_mut().expect("it is piped");
        let mut text = String::new();
        let mut byte = [0];
        while !text.ends_with("}\n") && stdout.read(&mut byte).expect("it speaks") == 1 {
            text.push(char::from(byte[0]));
        }
        let report: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        let address = report["address"].as_str().expect("an address").to_owned();
        Player { process, address }
    }

    fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.kill();
    }
}

#[test]
fn two_processes_play_for_a_third() {
    let (one, two) = (Player::start(&["--agent", "grove"]), Player::start(&["--agent", "random"]));
    let record = folder().join("wires-record.jsonl");
    let record = record.to_str().expect("a path");
    let mut args =
        vec!["referee", "tic_tac_toe", "--player", &one.address, "--player", &two.address];
    args.extend(["--start-clock", "1", "--play-clock", "0.5", "--json", "--record", record]);
    for scramble in [false, true] {
        if scramble {
            args.push("--scramble");
        }
        let run = grove(&args);
        assert_eq!(run.code, Some(0), "{run:?}");
        let report = run.json();
        assert_eq!(report["offences"], Value::Array(Vec::new()), "{run:?}");
        assert_eq!(report["ending"], "terminal");
        assert_eq!(report["clocks"]["play_seconds"], 0.5);
        assert_eq!(report["players"][0], one.address.as_str());
        let goals: Vec<f64> = report["goals"]
            .as_array()
            .expect("goals")
            .iter()
            .map(|goal| goal.as_f64().expect("a number"))
            .collect();
        assert!(goals[0] + goals[1] == 100.0 && goals[0] >= 50.0, "{goals:?}");
        let steps = report["steps"].as_array().expect("steps");
        assert!((5..=9).contains(&steps.len()));
        assert!(steps.iter().all(|step| !step["facts"].as_array().expect("facts").is_empty()));
        let written = std::fs::read_to_string(record).expect("the record");
        assert_eq!(serde_json::from_str::<Value>(&written).expect("one object"), report);
    }
}

#[test]
fn a_process_that_is_killed_is_replaced_by_chance() {
    let (one, mut two) = (Player::start(&["--no-ponder"]), Player::start(&["--no-ponder"]));
    let mut args = vec!["referee", "connect_four", "--player", &one.address];
    let address = two.address.clone();
    args.extend(["--player", &address, "--start-clock", "1", "--play-clock", "0.4", "--json"]);
    let referee = command(&args).spawn().expect("grove starts");
    std::thread::sleep(Duration::from_secs(3));
    two.kill();
    let output = referee.wait_with_output().expect("the match ends");
    assert_eq!(output.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&output.stdout).expect("a record");
    assert_eq!(report["ending"], "terminal");
    let role = report["roles"][1].as_str().expect("a role");
    let offences = report["offences"].as_array().expect("offences");
    assert!(offences.iter().all(|offence| offence["role"] == role), "{offences:?}");
    assert!(offences.iter().any(|offence| offence["kind"] == "connection"), "{offences:?}");
    // The other one is free for the next match.
    let next = grove(&[
        "referee",
        "tic_tac_toe",
        "--player",
        &one.address,
        "--player",
        "random",
        "--start-clock",
        "1",
        "--play-clock",
        "0.3",
    ]);
    assert_eq!(next.code, Some(0), "{next:?}");
    assert!(!next.stderr.contains("busy"), "{next:?}");
    assert!(next.stdout.contains("over after"), "{next:?}");
}

#[test]
fn agents_play_in_the_referees_own_process() {
    let since = Instant::now();
    let run = grove(&[
        "referee",
        "tic_tac_toe",
        "-p",
        "uct",
        "-p",
        "random",
        "--start-clock",
        "200ms",
        "--play-clock",
        "200ms",
        "--scramble",
        "--json",
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let report = run.json();
    assert_eq!(report["offences"], Value::Array(Vec::new()), "{run:?}");
    assert_eq!(report["players"][0], "uct");
    let searched = &report["steps"][0]["searches"];
    assert!(searched[0]["simulations"].as_u64() > Some(0), "{run:?}");
    assert_eq!(searched[1], Value::Null, "who plays at random has not searched: {run:?}");
    assert!(since.elapsed() < Duration::from_secs(60));
}

#[test]
fn wrong_use_is_said() {
    let few = grove(&["referee", "tic_tac_toe", "--player", "random"]);
    assert_eq!(few.code, Some(2));
    assert!(few.stderr.contains("1 player for 2 roles"), "{few:?}");
    assert!(few.stderr.contains("give one --player for each of x, o"), "{few:?}");
    let secure = grove(&["referee", "tic_tac_toe", "--player", "https://x"]);
    assert_eq!(secure.code, Some(2));
    assert!(secure.stderr.contains("players speak http, not https"), "{secure:?}");
    let misspelt = grove(&["referee", "tic_tac_toe", "--player", "randm", "--player", "random"]);
    assert!(misspelt.stderr.contains("did you mean `random`?"), "{misspelt:?}");
    let video = grove(&["referee", "zelda", "--player", "random"]);
    assert_eq!(video.code, Some(2), "{video:?}");
    let taken = Player::start(&[]);
    let port = taken.address.rsplit_once(':').expect("a port").1;
    let second = grove(&["player", "--host", "127.0.0.1", "--port", port]);
    assert_eq!(second.code, Some(2));
    assert!(second.stderr.contains("cannot be listened on"), "{second:?}");
    assert_eq!(grove(&["player", "--name", "two words"]).code, Some(2));
}

#[test]
fn nobody_there_is_no_reason_to_stop() {
    let rules = file(
        "wires-tiny.kif",
        "(role a) (init (left 2)) (succ 0 1) (succ 1 2) (legal a one) (legal a two) \
         (<= (next (left ?n)) (true (left ?m)) (succ ?n ?m)) (<= terminal (true (left 0))) (goal a 50)",
    );
    let run = grove(&[
        "referee",
        rules,
        "--player",
        "127.0.0.1:1",
        "--start-clock",
        "1",
        "--play-clock",
        "1",
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("over after 2 steps"), "{run:?}");
    assert!(run.stdout.contains("no connection"), "{run:?}");
}
