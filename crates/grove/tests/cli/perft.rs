use serde_json::{Value, json};

use super::{file, grove};

fn perft(game: &str, depth: usize) -> Value {
    let run = grove(&["perft", game, "--depth", &depth.to_string(), "--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    run.json()
}

/// Compares the number of paths at every depth from 1 on with counts known from elsewhere.
fn check(game: &str, counts: &[u64]) {
    let json = perft(game, counts.len());
    let found: Vec<u64> = json["depths"]
        .as_array()
        .expect("one entry per depth")
        .iter()
        .filter_map(|row| row["nodes"].as_u64())
        .collect();
    assert_eq!(found, counts, "{game}");
    assert_eq!(json["nodes"].as_u64(), counts.last().copied(), "{game}");
}

#[test]
fn tic_tac_toe_has_255168_games() {
    let json = perft("tic_tac_toe", 9);
    assert_eq!(json["game"], "tic_tac_toe");
    assert_eq!(json["depth"], 9);
    assert_eq!(json["nodes"], 127_872);
    assert_eq!(json["terminals"], 255_168);
    assert_eq!(json["reasoner"], "prover");
}

#[test]
fn tic_tac_toe_has_5478_states() {
    let json = grove(&["perft", "tic_tac_toe", "--distinct", "--depth", "9", "--json"]).json();
    assert_eq!((&json["distinct"], &json["limited"]), (&json!(5478), &json!(false)));
    let run = grove(&["perft", "tic_tac_toe", "--distinct", "--limit", "1_000"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("more than 1,000 different states"), "{run:?}");
}

#[test]
fn connect_four_counts() {
    check("connect_four", &[7, 49, 343, 2401, 16_807, 117_649]);
}

#[test]
fn breakthrough_counts() {
    check("breakthrough", &[22, 484, 11_132]);
}

#[test]
fn chess_counts() {
    check("chess", &[20, 400, 8902]);
}

#[test]
fn checkers_counts() {
    check("checkers", &[7, 49, 302, 1469, 7361]);
}

#[test]
fn tron_counts() {
    check("tron", &[9, 81, 729, 5625]);
}

#[test]
fn eight_puzzle_counts() {
    check("eight_puzzle", &[2, 6, 16, 48, 128]);
}

#[test]
fn people_get_a_table() {
    let run = grove(&["perft", "tic_tac_toe", "--depth", "2", "--threads", "3"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let columns = |line: &str| -> Vec<String> {
        line.split_whitespace().take(3).map(str::to_owned).collect()
    };
    let rows: Vec<Vec<String>> = run.stdout.lines().map(columns).collect();
    assert_eq!(rows, [["depth", "nodes", "terminals"], ["1", "9", "0"], ["2", "72", "0"]]);
}

#[test]
fn depths_beyond_the_end_cost_nothing() {
    let json = perft("tic_tac_toe", 1_000_000);
    assert_eq!((&json["nodes"], &json["terminals"]), (&json!(0), &json!(255_168)));
    assert_eq!(perft("tic_tac_toe", 0)["nodes"], 1);
}

#[test]
fn stuck_states_are_mentioned() {
    let text = "(role r) (init a) (<= (legal r go) (true a)) (<= (next b) (does r go))
        (<= terminal (true c)) (goal r 0)";
    let run = grove(&["perft", file("stuck.kif", text), "--depth", "3", "--json"]);
    assert_eq!(run.code, Some(0));
    assert_eq!(run.json()["stuck"], 1);
    assert!(run.stderr.contains("without a move"), "{run:?}");
}

#[test]
fn bad_options_are_explained() {
    let cases = [
        (&["perft", "chess"][..], "--depth <N>"),
        (&["perft", "chess", "--depth", "-1"], "unexpected argument '-1'"),
        (&["perft", "chess", "--depth", "deep"], "this is not a whole number"),
        (&["perft", "chess", "--depth", "9999999"], "it must be from 0 to 1000000"),
        (&["perft", "chess", "--depth", "2", "--reasoner", "provr"], "did you mean prover?"),
        (&["perft", "chess", "--depth", "2", "--threads", "0"], "it must be from 1 to 1024"),
        (&["perft", "ches", "--depth", "2"], "did you mean chess or chase?"),
        (&["perft", "--depth", "2"], "<GAME>"),
    ];
    for (args, expected) in cases {
        let run = grove(args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(run.stderr.contains(expected), "{args:?}: {run:?}");
    }
}

#[test]
fn reasoners_are_compared_along_random_games() {
    let run = grove(&["agree", "tic_tac_toe", "--time", "1s", "--json"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let json = run.json();
    let rows = json["reasoners"].as_array().expect("a list");
    assert_eq!(rows.len(), 12);
    for row in rows {
        assert!(row["states"].as_u64() > Some(5), "{row}");
        assert!(row.get("difference").is_none() && row.get("missing").is_none(), "{row}");
    }
    let some = ["agree", "connect_four", "--time", "300ms", "--reasoner", "propnet"];
    let text = grove(&some).stdout;
    assert!(text.contains("agrees with the prover") && text.contains("random game"), "{text}");
    assert_eq!(grove(&["agree", "zelda", "--time", "1s"]).code, Some(2));
}
