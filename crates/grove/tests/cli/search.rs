//! `grove agents`, `grove search` and `grove match`.

use super::{command, file, folder, grove};

#[test]
fn agents_are_listed_with_their_parts() {
    let list = grove(&["agents"]);
    assert!(list.stdout.contains("grave_mast"));
    let json = grove(&["agents", "--json"]).json();
    let agents = json["agents"].as_array().expect("a list");
    assert!(agents.iter().any(|agent| agent["name"] == "grove"));
    let parts = json["parts"].as_array().expect("a list");
    assert!(parts.iter().any(|part| part["of"] == "playout" && part["name"] == "mast"));
    let text = grove(&["agents", "--parts"]).stdout;
    for part in [
        "select=grave",
        "expand=groups",
        "endgame=minimax",
        "endgame=proof",
        "endgame=ida_star",
        "tune=ntbea",
        "plan: select=history",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_search_finds_the_winning_move_and_repeats_with_its_seed() {
    // x has two in a row at the top and is to move.
    let moves = "(mark 1 1) (mark 2 2) (mark 1 2) (mark 3 3)";
    let args = [
        "search",
        "tic_tac_toe",
        "--agent",
        "uct",
        "--moves",
        moves,
        "--simulations",
        "500",
        "--json",
    ];
    let json = grove(&args).json();
    assert_eq!(json["best"], "(mark 1 3)");
    assert_eq!(json["role"], "x");
    assert_eq!(json["simulations"], 500);
    let visits = |json: &serde_json::Value| json["moves"].clone();
    assert_eq!(visits(&json), visits(&grove(&args).json()));
    let text = grove(&args[..8]).stdout;
    assert!(text.contains("plays (mark 1 3)") && text.contains("500 simulations"), "{text}");
    assert_eq!(json["stop"], "simulations");
    assert!(json.get("proved").is_none() && json.get("amaf_entries").is_none(), "{json}");
    // The default agent proves that it wins, and then needs no more of them.
    let proved =
        grove(&["search", "tic_tac_toe", "--moves", moves, "--simulations", "500", "--json"]);
    let proved = proved.json();
    assert_eq!(proved["best"], "(mark 1 3)");
    assert!(proved["simulations"].as_u64() < Some(500), "{proved}");
}

#[test]
fn a_search_says_what_is_proved_and_why_it_ended() {
    let moves = "(mark 1 1) (mark 2 2) (mark 1 2) (mark 3 3)";
    let solver = "mcts(select=grave, solver=select)";
    let near_end = ["search", "tic_tac_toe", "--moves", moves, "--simulations", "5000"];
    for agent in [solver, "grove"] {
        let args = [&near_end[..], &["--agent", agent]].concat();
        let json = grove(&[&args[..], &["--json"]].concat()).json();
        assert_eq!(json["stop"], "solved");
        assert_eq!(json["proved"], serde_json::json!({ "low": 100.0, "high": 100.0 }));
        let rows = json["moves"].as_array().expect("a list");
        let best = rows.iter().find(|row| row["move"] == json["best"]).expect("it is legal");
        assert_eq!(best["proved"], serde_json::json!({ "low": 100.0, "high": 100.0 }));
        let text = grove(&args).stdout;
        for part in ["proved: x gets 100", "ended because nothing is left to find out", "proved"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    // Where all is searched nothing is sampled.
    let looked = grove(&[&near_end[..], &["--json"]].concat()).json();
    assert_eq!((&looked["simulations"], &looked["solver_nodes"]), (&0.into(), &0.into()));
    // The solver alone, from the start: bounds, and entries for moves played below nodes.
    let args = ["search", "tic_tac_toe", "--simulations", "2000", "--agent", solver, "--json"];
    let json = grove(&args).json();
    assert!(json["solver_nodes"].as_u64() > Some(10), "{json}");
    let entries = |of: &str| json["amaf_entries"][of].as_f64().expect("grave keeps them");
    assert!(entries("all") >= entries("legal") && entries("legal") > 1.0, "{json}");
}

#[test]
fn the_default_agent_plays_what_it_has_looked_at() {
    for game in ["connect_four", "breakthrough", "othello"] {
        for (simulations, seed) in [("60", "1"), ("60", "2"), ("400", "3"), ("3000", "4")] {
            let args = ["--simulations", simulations, "--seed", seed, "--json"];
            let json = grove(&[&["search", game], &args[..]].concat()).json();
            let rows = json["moves"].as_array().expect("a list");
            let visits = |row: &serde_json::Value| row["visits"].as_u64().expect("a count");
            let most = rows.iter().map(visits).max();
            let played = rows.iter().find(|row| row["move"] == json["best"]).map(visits);
            assert_eq!(played, most, "{game}, {simulations} simulations: {json}");
        }
    }
}

#[test]
fn the_top_of_the_tree_is_drawn() {
    for (name, start) in [("tree.svg", "<svg"), ("tree.dot", "digraph")] {
        let args = ["search", "tic_tac_toe", "--simulations", "300", "--tree", name];
        let run = grove(&args);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let text = std::fs::read_to_string(folder().join(name)).expect("it was written");
        assert!(text.trim_start().starts_with(start) && text.contains("(mark 2 2)"), "{text}");
    }
    let run = grove(&["search", "tic_tac_toe", "--simulations", "9", "--tree", "tree.png"]);
    assert!(run.code == Some(2) && run.stderr.contains(".svg or .dot"), "{}", run.stderr);
}

#[test]
fn a_file_that_cannot_be_written_costs_no_work() {
    file("kept.svg", "no folder");
    let endless = ["--simulations", "1000000000000"];
    let search =
        [&["search", "tic_tac_toe", "--agent", "uct", "--tree", "kept.svg/tree.svg"], &endless[..]];
    let tune = [
        "tune",
        "uct",
        "--parameters",
        "c",
        "--games",
        "tic_tac_toe",
        "--budget",
        "9",
        "-o",
        "kept.svg/a.toml",
    ];
    let watch = ["watch", "aliens", "--record", "kept.svg/record.json"];
    for args in [&search.concat()[..], &[&tune[..], &endless[..]].concat(), &watch] {
        let run = grove(args);
        assert!(run.code == Some(2) && run.stderr.contains("choose another file"), "{run:?}");
    }
}

#[test]
fn a_match_counts_and_records() {
    let records = file("records.jsonl", "");
    let args = [
        "match",
        "tic_tac_toe",
        "uct",
        "random",
        "--runs",
        "6",
        "--simulations",
        "100",
        "--json",
        "--record",
        records,
    ];
    let run = grove(&args);
    let json = run.json();
    assert_eq!(json["runs"], 6);
    assert_eq!(json["agents"][0]["name"], "uct");
    let percent = |at: usize| json["agents"][at]["win_percent"].as_f64().expect("a number");
    assert!(percent(0) > 60.0 && (percent(0) + percent(1) - 100.0).abs() < 1e-9, "{json}");
    let lines = std::fs::read_to_string(folder().join(records)).expect("records were written");
    assert_eq!(lines.lines().count(), 6);
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(first["players"], serde_json::json!(["uct", "random"]));
    let again = grove(&args).json();
    assert_eq!(json["agents"], again["agents"]);
}

#[test]
fn settings_that_exclude_each_other_or_do_nothing_are_named() {
    let search = ["search", "tic_tac_toe", "--simulations", "20", "--agent"];
    let wrong = grove(&[&search[..], &["mcts(solver=select, tree=open)"]].concat());
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert!(wrong.stderr.contains("`solver=select` and `tree=open` of `mcts`"), "{wrong:?}");

    let agent = "mcts(best_line=true, lanes=false)";
    let idle = serde_json::json!([
        {"setting": "best_line=true", "reason": "it is for games of one role"}
    ]);
    let run = grove(&[&search[..], &[agent]].concat());
    let line = "without effect: best_line=true: it is for games of one role";
    assert!(run.stdout.contains(line), "{run:?}");
    let run = grove(&[&search[..], &[agent, "--json"]].concat());
    assert_eq!(run.json()["without_effect"], idle);

    let game = ["match", "tic_tac_toe", "random", agent, "--runs", "2", "--simulations", "5"];
    let run = grove(&[&game[..], &["--json"]].concat());
    assert!(run.stderr.contains(&format!("{agent}: {line}")), "{run:?}");
    assert_eq!(run.json()["without_effect"][agent], idle);
    let run = grove(&[
        "match",
        "tic_tac_toe",
        "random",
        "uct",
        "--runs",
        "2",
        "--simulations",
        "5",
        "--json",
    ]);
    assert_eq!(run.json()["without_effect"], serde_json::Value::Null);
}

#[test]
fn processor_time_is_a_budget_too() {
    let records = file("processor.jsonl", "");
    let by = ["--processor", "20ms", "--record", records, "--json"];
    let run = grove(&[&["match", "tic_tac_toe", "uct", "random", "--runs", "2"][..], &by].concat());
    assert_eq!(run.json()["agents"][0]["runs"], 2);
    let text = std::fs::read_to_string(folder().join(records)).expect("records");
    let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(first["clocks"]["play_seconds"], 0.02);
    assert_eq!(first["offences"], serde_json::json!([]));
    let searched = &first["steps"][0]["searches"][0]["simulations"];
    assert!(searched.as_u64() > Some(10), "{searched}");
}

#[test]
fn trees_are_reported_turn_by_turn() {
    let place = folder().join("trees");
    let _ = std::fs::remove_dir_all(&place);
    let run = grove(&[
        "match",
        "tic_tac_toe",
        "ap",
        "ap_sim_rnd",
        "--simulations",
        "60",
        "--runs",
        "4",
        "--trees",
        "trees",
        "--json",
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let report = run.json();
    let turns = report["trees"][0].as_array().expect("the first agent's turns").clone();
    // Four matches have a first turn; the tree of that turn has 60 nodes or fewer, and a root with
    // nine moves.
    assert_eq!((&turns[0]["turn"], &turns[0]["trees"]), (&1.into(), &4.into()));
    let depth = turns[0]["depth"].as_f64().expect("a number");
    let branching = turns[0]["branching"].as_f64().expect("a number");
    assert!((1.0..=9.0).contains(&depth) && (1.0..=9.0).contains(&branching), "{turns:?}");
    assert_eq!(turns[0]["simulations"], 60.0, "{turns:?}");
    let table = std::fs::read_to_string(place.join("trees.csv")).expect("it is written");
    assert!(
        table.starts_with("agent,turn,trees,depth,branching,simulations\n\"ap\",1,4,"),
        "{table}"
    );
    for chart in ["depth.svg", "branching.svg"] {
        let chart = std::fs::read_to_string(place.join(chart)).expect("it is written");
        assert!(chart.contains("ap_sim_rnd"), "{chart}");
    }
}

#[test]
fn mistakes_are_explained() {
    for (args, wanted) in [
        (&["search", "tron", "--agent", "grov"][..], "did you mean `grove`?"),
        (&["search", "tron", "--agent", "mcts(select=uct(cc=1))"], "did you mean `c`?"),
        (&["search", "tron", "--agent", "no_such.toml"], "no_such.toml"),
        (&["search", "tron", "--agent", "random"], "does not search"),
        (&["search", "tic_tac_toe", "--moves", "(mark 1 9)"], "no legal move of x in step 1"),
        (&["search", "tic_tac_toe", "--moves", "(mark 1"], "without its `)`"),
        (&["search", "tic_tac_toe", "--as", "z"], "the roles are x, o"),
        (&["search", "zelda"], "zelda"),
        (&["match", "tron"], "<AGENT>"),
        (&["match", "tron", "uct", "random", "--runs", "0"], "from 1 to"),
        (&["match", "tron", "uct"], "one agent has no opponent"),
        (&["match", "tron", "uct", "random", "--simulations", "0"], "at least one"),
        (&["match", "tron", "uct", "random", "--sprt", "10,0"], "the smaller first"),
        (&["match", "tron", "uct", "random", "uct_mast", "--sprt", "0,10"], "two agents"),
        (&["match", "aliens", "uct", "random", "--sprt", "0,10"], "video game"),
        (&["match", "tron", "uct", "random", "--resume"], "--record"),
        (&["match", "tron", "uct", "--clock", "1s", "--simulations", "9"], "cannot be used with"),
        (&["match", "tron", "uct", "--clock", "1s", "--processor", "1s"], "cannot be used with"),
    ] {
        let run = grove(args);
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(wanted), "{args:?}: {}", run.stderr);
    }
}

/// The lines of a record as values.
fn records(path: &str) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(folder().join(path)).expect("records were written");
    text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
}

#[test]
fn a_sequential_test_ends_when_it_has_decided() {
    let test = |agents: [&str; 2], threads: &str| {
        let args = ["match", "tic_tac_toe", agents[0], agents[1], "--simulations", "30", "--json"];
        let run = grove(&[&args[..], &["--sprt", "0,60", "--threads", threads]].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        run.json()
    };
    let json = test(["uct", "random"], "1");
    let sprt = &json["sprt"];
    assert_eq!(sprt["decision"], "elo1", "{json}");
    assert!(sprt["llr"].as_f64() >= sprt["upper"].as_f64(), "{sprt}");
    assert!(json["elo"]["low"].as_f64() > Some(60.0), "{json}");
    let pairs: u64 = sprt["pairs"]["counts"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(serde_json::Value::as_u64)
        .sum();
    assert_eq!(json["runs"].as_u64(), Some(2 * pairs));
    // Which match ends first decides nothing.
    let other = test(["uct", "random"], "4");
    assert_eq!((&json["sprt"], &json["agents"]), (&other["sprt"], &other["agents"]));
    assert_eq!(test(["random", "uct"], "2")["sprt"]["decision"], "elo0");
    let text = grove(&[
        "match",
        "tic_tac_toe",
        "uct",
        "uct",
        "--simulations",
        "1",
        "--sprt",
        "0,5",
        "--runs",
        "4",
    ]);
    assert_eq!(text.code, Some(0), "{text:?}");
    for part in ["SPRT [0, 5] in logistic Elo", "(-2.94, 2.94)", "undecided", "uct (2)", "2 pairs"]
    {
        assert!(text.stdout.contains(part), "{part}: {text:?}");
    }
}

#[test]
fn a_suite_plays_each_game_as_if_alone() {
    let run = |games: &str| {
        let args =
            ["match", games, "uct", "random", "--simulations", "20", "--runs", "6", "--json"];
        grove(&args).json()
    };
    let [suite, one, other] = ["tic_tac_toe,tron", "tic_tac_toe", "tron"].map(run);
    assert_eq!(suite["runs"], 12);
    assert_eq!(suite["games"][0]["agents"], one["agents"]);
    assert_eq!(suite["games"][1]["agents"], other["agents"]);
    assert_eq!(suite["agents"][0]["runs"], 12);
}

#[test]
fn an_interrupted_match_is_summarised_and_resumed() {
    let path = file("interrupted.jsonl", "");
    let with = |runs: &str, path: &str| -> Vec<String> {
        let args = ["match", "connect_four", "uct", "random", "--simulations", "60", "--json"];
        let more = ["--runs", runs, "--record", path, "--threads", "2"];
        args.iter().chain(&more).map(|&arg| arg.to_owned()).collect()
    };
    let args = with("1000000", path);
    let child =
        command(&args.iter().map(String::as_str).collect::<Vec<_>>()).spawn().expect("it starts");
    let patience = std::time::Instant::now();
    let written =
        || std::fs::read_to_string(folder().join(path)).map_or(0, |text| text.lines().count());
    while written() < 5 && patience.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill is there").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a summary");
    let played = records(path).len();
    assert!(played >= 5 && json["interrupted"] == true, "{json}");
    assert_eq!(json["runs"].as_u64(), Some(played as u64));
    // Half of a line is what a killed process leaves.
    let mut text = std::fs::read_to_string(folder().join(path)).expect("it is there");
    text.push_str("{\"game\":");
    std::fs::write(folder().join(path), text).expect("it is ours");
    let runs = ((played + 5) / 2 * 2).to_string();
    let resumed = with(&runs, path).into_iter().chain(["--resume".to_owned()]).collect::<Vec<_>>();
    let resumed = grove(&resumed.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(resumed.stderr.contains(&format!("{played} matches of")), "{resumed:?}");
    let whole = file("uninterrupted.jsonl", "");
    let straight = with(&runs, whole);
    let straight = grove(&straight.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(resumed.json()["agents"], straight.json()["agents"]);
    let moves = |path: &str| -> Vec<serde_json::Value> {
        let mut records: Vec<_> =
            records(path).iter().map(|r| serde_json::json!([r["seed"], r["goals"]])).collect();
        records.sort_by_key(ToString::to_string);
        records
    };
    assert_eq!(moves(path), moves(whole));
    // A record of another command is not continued.
    let other = [
        "match",
        "connect_four",
        "uct",
        "random",
        "--simulations",
        "61",
        "--record",
        path,
        "--resume",
    ];
    let other = grove(&other);
    assert!(other.code == Some(2) && other.stderr.contains("another budget"), "{other:?}");
}
