//! The Octagon Theory by its name, in every command that plays.

use serde_json::json;

use super::{file, grove, grove_with};

#[test]
fn it_is_listed_and_shown_with_its_settings() {
    let list = grove(&["games", "--kind", "octagon", "--json"]).json();
    let entry = &list[0];
    assert_eq!((&entry["name"], &entry["kind"]), (&json!("octagon"), &json!("octagon")));
    assert_eq!(entry["roles"], json!(["first", "second"]));
    assert_eq!(entry["title"], "The Octagon Theory");
    assert_eq!(entry["tags"], json!(["two-player", "turn-taking"]));
    let run = grove(&["games", "show", "octagon(small)"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for words in ["20 turns each", "First moves of first: 36", "pushes to the north-east"] {
        assert!(run.stdout.contains(words), "{}", run.stdout);
    }
    let details = grove(&["games", "show", "octagon(cannon=line_shift)", "--json"]).json();
    assert_eq!(details["settings"]["cannon"], "line_shift");
    assert_eq!(details["settings"]["board"], "large");
}

#[test]
fn counts_are_those_of_the_specification() {
    for (game, nodes) in [("octagon", 9776), ("octagon(small)", 1476), ("Octagon(medium)", 5004)] {
        let report = grove(&["perft", game, "--depth", "2", "--json"]).json();
        assert_eq!((&report["nodes"], &report["reasoner"]), (&json!(nodes), &json!("native")));
    }
}

#[test]
fn settings_that_do_not_exist_are_named() {
    let run = grove(&["perft", "octagon(borad=small)", "--depth", "1"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("did you mean `board`?"), "{}", run.stderr);
    let run = grove(&["perft", "octagon(smal)", "--depth", "1"]);
    assert!(run.stderr.contains("did you mean `small`?"), "{}", run.stderr);
    let run = grove(&["bench", "octagon", "--reasoner", "propnet", "--seconds", "0.05"]);
    assert_eq!(run.code, Some(0), "there is one way to play it: {}", run.stderr);
    let run = grove(&["search", "octagon", "--reasoner", "lanes", "--simulations", "9"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("leave --reasoner out"), "{}", run.stderr);
}

#[test]
fn a_person_plays_looks_ahead_and_names_any_piece() {
    // d1 is in the bottom row; O answers somewhere.
    let script = b"help\nlook d1\nlook nonsense\nd1-8\nquit\n";
    let arguments = ["play", "octagon(small)", "--agent", "random", "--as", "first", "--seed", "3"];
    let run = grove_with(&arguments, script);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for words in [
        "a 1-piece on d4 that pushes to the north-east",
        "d1: a 1-piece on d1, pushes nothing",
        "that is no legal move",
        // An 8-piece that pushes nothing is the quiet placement, by the weakest piece.
        "1. first d1, second noop",
        "X: 1 on the board",
        "X to place",
    ] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
}

#[test]
fn agents_play_each_other_and_explain_themselves() {
    let report = grove(&[
        "match",
        "octagon(small)",
        "octagon_uct_om",
        "octagon_greedy",
        "--runs",
        "2",
        "--simulations",
        "40",
        "--json",
    ])
    .json();
    assert_eq!((&report["runs"], &report["offences"]), (&json!(2), &json!(0)));
    assert_eq!(report["reasoner"], "native");
    let report = grove(&[
        "search",
        "octagon",
        "--agent",
        "octagon_uct_l_ma",
        "--simulations",
        "200",
        "--json",
    ])
    .json();
    // One free move for each class of positions.
    assert_eq!(report["moves"].as_array().map(Vec::len), Some(16));
    assert_eq!(report["simulations"], 200);
}

#[test]
fn positions_are_drawn() {
    let moves = ["draw", "octagon(small)", "--moves", "d1", "d2-1s"];
    let run = grove(&moves);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    // The piece on d1 fell off the board.
    assert!(run.stdout.contains("X: 0 on the board"), "{}", run.stdout);
    let json = grove(&[&moves[..], &["--svg", "-", "--json"]].concat()).json();
    assert_eq!(json["board"], true);
    assert!(json["svg"].as_str().is_some_and(|svg| svg.contains("<polygon")));
}

#[test]
fn its_data_file_is_checked() {
    assert_eq!(grove(&["check", "octagon", "--play", "3"]).code, Some(0));
    let text = include_str!("../../../../games/octagon.toml");
    let path = file("wrong.toml", text.replace("turns = 20", "turns = 200").as_bytes());
    let run = grove(&["check", path]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(run.stdout.contains("`boards.small.turns` is 200"), "{}", run.stdout);
    let path = file("own.toml", text.replace("board = \"large\"", "board = \"small\"").as_bytes());
    let report = grove(&["perft", path, "--depth", "1", "--json"]).json();
    assert_eq!(report["nodes"], 36);
}

#[test]
fn speed_is_measured() {
    let report = grove(&["bench", "octagon", "--seconds", "0.1", "--json"]).json();
    assert_eq!(report[0]["reasoner"], "native");
    assert!(report[0]["playouts"].as_u64().is_some_and(|count| count > 0));
}
