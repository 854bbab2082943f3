use serde_json::json;

use super::grove;

#[test]
fn shipped_games_are_listed() {
    let run = grove(&["games"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for name in
        ["breakthrough", "checkers", "chess", "connect_four", "eight_puzzle", "tic_tac_toe", "tron"]
    {
        assert!(run.stdout.lines().any(|line| line.starts_with(name)), "{name}: {run:?}");
    }
}

#[test]
fn tools_get_the_list_as_one_array() {
    let json = grove(&["games", "--json"]).json();
    let games = json.as_array().expect("an array");
    assert!(games.len() >= 7);
    let tron = games.iter().find(|game| game["name"] == "tron").expect("tron is shipped");
    assert_eq!(
        *tron,
        json!({
            "name": "tron",
            "kind": "gdl",
            "roles": ["red", "blue"],
            "title": "Tron, 10 x 10",
            "tags": ["two-player", "simultaneous"],
        })
    );
    for game in games {
        assert!(game["title"].as_str().is_some_and(|title| !title.is_empty()), "{game}");
        assert!(game["roles"].as_array().is_some_and(|roles| !roles.is_empty()), "{game}");
    }
}

#[test]
fn a_game_is_shown_in_words() {
    let run = grove(&["games", "show", "tic-tac-toe"]);
    assert_eq!(run.code, Some(0));
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn a_game_is_shown_to_tools() {
    let json = grove(&["games", "show", "tic_tac_toe", "--json"]).json();
    assert_eq!(json["roles"], json!(["x", "o"]));
    assert_eq!(json["initial_facts"].as_array().map(Vec::len), Some(10));
    let [x, o] = [&json["initial_moves"][0], &json["initial_moves"][1]];
    assert_eq!(x["moves"].as_array().map(Vec::len), Some(9));
    assert_eq!(*o, json!({ "role": "o", "moves": ["noop"] }));
    assert!(json["rules"].as_str().is_some_and(|rules| rules.starts_with(";;; Tic-tac-toe")));
}

#[test]
fn unknown_games_are_refused() {
    let run = grove(&["games", "show", "ches"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("did you mean chess or chase?"), "{run:?}");
}
