use serde_json::json;

use super::{file, grove, grove_with};

#[test]
fn a_person_plays_to_the_end() {
    let script = b"help\nmoves 1 1\nmark 9 9\n2 2\n99\n(MARK 2 2)\nundo\nundo\nfacts\n5\n1\n1\n1\n";
    let run = grove_with(
        &[
            "play",
            "tic_tac_toe",
            "--reasoner",
            "prover",
            "--agent",
            "random",
            "--as",
            "X",
            "--seed",
            "3",
        ],
        script,
    );
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn agents_play_when_nobody_else_does() {
    let play = |seed: &str| {
        grove(&["play", "tron", "--reasoner", "prover", "--agent", "random", "--seed", seed])
    };
    let run = play("4");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout);
    assert_eq!(play("4").stdout, run.stdout);
    assert_ne!(play("5").stdout, run.stdout);
}

#[test]
fn tools_get_the_record() {
    let run = grove(&[
        "play",
        "tic_tac_toe",
        "--reasoner",
        "prover",
        "--agent",
        "random",
        "--seed",
        "1",
        "--json",
    ]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let json = run.json();
    assert_eq!(json["game"], "tic_tac_toe");
    assert_eq!(json["roles"], json!(["x", "o"]));
    assert_eq!(json["players"], json!(["random", "random"]));
    assert_eq!((&json["seed"], &json["ending"]), (&json!(1), &json!("terminal")));
    let moves = json["moves"].as_array().expect("a list of joint moves");
    assert!((5..=9).contains(&moves.len()));
    assert!(moves.iter().all(|joint| joint.as_array().is_some_and(|joint| joint.len() == 2)));
    let goals: Vec<f64> = json["goals"]
        .as_array()
        .expect("a goal per role")
        .iter()
        .filter_map(serde_json::Value::as_f64)
        .collect();
    assert_eq!(goals.iter().sum::<f64>(), 100.0);
}

#[test]
fn with_json_the_conversation_goes_to_standard_error() {
    let run = grove_with(
        &["play", "tron", "--reasoner", "prover", "--agent", "random", "--as", "red", "--json"],
        b"1\nquit\n",
    );
    assert_eq!(run.code, Some(0));
    let json = run.json();
    assert_eq!((&json["ending"], &json["goals"]), (&json!("left"), &json!(null)));
    assert_eq!(json["players"], json!(["person", "random"]));
    assert_eq!(json["moves"].as_array().map(Vec::len), Some(1));
    assert!(run.stderr.contains("red> "), "{run:?}");
}

#[test]
fn the_seed_is_shown_so_that_a_game_can_be_repeated() {
    let json =
        grove(&["play", "tron", "--reasoner", "prover", "--agent", "random", "--json"]).json();
    let seed = json["seed"].as_u64().expect("a number").to_string();
    assert_eq!(
        grove(&[
            "play",
            "tron",
            "--reasoner",
            "prover",
            "--agent",
            "random",
            "--json",
            "--seed",
            &seed
        ])
        .json(),
        json
    );
}

#[test]
fn several_people_and_several_agents() {
    let roles = ["--as", "red", "--as", "blue"];
    let both =
        [&["play", "tron", "--reasoner", "prover", "--agent", "random", "--json"][..], &roles]
            .concat();
    let run = grove_with(&both, b"1\nundo\n1\n1\nquit\n");
    assert_eq!(run.json()["players"], json!(["person", "person"]));
    assert_eq!(run.json()["moves"].as_array().map(Vec::len), Some(1));
    let agents = ["--agent", "random", "--agent", "random"];
    assert_eq!(grove(&[&["play", "tron"][..], &agents].concat()).code, Some(0));
    let run = grove(&[&["play", "tron", "--as", "red"][..], &agents].concat());
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("2 agents for 1 of 2 roles"), "{run:?}");
}

#[test]
fn the_end_of_input_ends_the_game() {
    for input in [&b""[..], b"1", b"\n\n", &[0; 100_000], b"\xff\xfe\n"] {
        let run = grove_with(
            &["play", "tic_tac_toe", "--reasoner", "prover", "--agent", "random", "--as", "o"],
            input,
        );
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{input:?}");
        assert!(run.stdout.contains("left unfinished"), "{run:?}");
    }
}

#[test]
fn endless_and_broken_games_stop() {
    let endless = "(role x) (init a) (<= (next a) (true a)) (legal x a) (legal x b) (goal x 0)
        (<= terminal (true b))";
    let name = file("endless.kif", endless);
    let run = grove(&[
        "play",
        name,
        "--reasoner",
        "prover",
        "--agent",
        "random",
        "--step-limit",
        "7",
        "--json",
    ]);
    assert_eq!(run.code, Some(0));
    assert_eq!(run.json()["ending"], "step-limit");
    assert_eq!(run.json()["moves"].as_array().map(Vec::len), Some(7));
    let stuck = "(role x) (init a) (<= (legal x a) (true b)) (goal x 0) (<= terminal (true b))";
    let run =
        grove(&["play", file("no_move.kif", stuck), "--reasoner", "prover", "--agent", "random"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("x has no legal move although"), "{run:?}");
}

#[test]
fn bad_options_are_explained() {
    let cases = [
        (
            &["play", "tron", "--reasoner", "prover", "--agent", "random", "--as", "green"][..],
            "the roles are red, blue",
        ),
        (
            &["play", "tron", "--reasoner", "prover", "--agent", "random", "--as", "bleu"],
            "did you mean blue?",
        ),
        (&["play", "tron", "--agent", "randm"], "did you mean `random`?"),
        (&["play", "tronn"], "did you mean tron?"),
        (&["play"], "<GAME>"),
    ];
    for (args, expected) in cases {
        let run = grove(args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(run.stderr.contains(expected), "{args:?}: {run:?}");
    }
}
