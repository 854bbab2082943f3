//! The addresses under `/api`: games, matches, records, trees, live events.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use crate::support::Grove;
use gamegrove_agents::Agent;
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::matches::{Clocks, MatchRecord, MatchRules, StepRecord};
use gamegrove_play::{Entrant, Match, Played, Setup, StopFlag, open, play, seats};
use gamegrove_web::Limits;
use hyper::StatusCode;
use serde_json::{Value, json};

fn over(state: &Value) -> bool {
    !state["over"].is_null()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gallery_has_every_game_with_a_drawing() {
    let grove = Grove::start(Limits::default());
    let games = grove.get("/api/games").await.good();
    let games = games.as_array().expect("a list");
    assert_eq!(games.len(), gamegrove_play::library::games().len());
    for name in ["tic_tac_toe", "chess", "zelda", "octagon"] {
        assert!(games.iter().any(|game| game["name"] == name), "{name}");
        let drawing = grove.get(&format!("/api/games/{name}/drawing")).await.good();
        assert!(
            drawing["kind"] == "video" || drawing["svg"].as_str().is_some_and(|s| s.contains("<g"))
        );
        assert!(!drawing["svg"].as_str().unwrap_or_default().contains("<style"), "{name}");
    }
    let page = grove.get("/api/games/chess").await.good();
    assert!(page["rules"].as_str().is_some_and(|rules| rules.contains("(role")));
    assert!(page["description"].as_array().is_some_and(|lines| lines.len() > 2));
    assert!(grove.get("/api/agents").await.good().as_array().is_some_and(|all| all.len() > 10));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_is_played_undone_recorded_and_replayed() {
    let grove = Grove::start(Limits::default());
    let id = grove
        .start_match(json!({"game": "tic_tac_toe", "players": ["person", "random"], "clock": 0.05, "seed": 3}))
        .await;
    let mine = |state: &Value| over(state) || state["legal"][0].is_array();
    let mut state = grove.until(&id, mine).await;
    assert_eq!(state["legal"][0].as_array().map(Vec::len), Some(9));
    assert_eq!(state["legal"][0][0]["spots"].as_array().map(Vec::len), Some(1), "a cell to click");
    let at = format!("/api/matches/{id}");
    let wrong = grove.post(&format!("{at}/move"), json!({"role": 0, "move": "(mark 9 9)"})).await;
    assert!(wrong.refused(StatusCode::CONFLICT).contains("is not legal here"));
    let wrong = grove.post(&format!("{at}/move"), json!({"role": 1, "move": "noop"})).await;
    assert!(wrong.refused(StatusCode::CONFLICT).contains("no person plays that role"));
    let mut undone = false;
    while !over(&state) {
        let choice = state["legal"][0][0]["name"].clone();
        let name = choice.as_str().expect("a name").replace(' ', "%20");
        let preview = grove.get(&format!("{at}/preview?role=0&move={name}")).await.good();
        assert!(preview["svg"].is_string());
        let before = state["ply"].as_u64().expect("a number");
        grove.post(&format!("{at}/move"), json!({"role": 0, "move": choice})).await.good();
        state = grove.until(&id, |state| mine(state) && state["ply"].as_u64() > Some(before)).await;
        if !undone && !over(&state) {
            undone = true;
            grove.post(&format!("{at}/undo"), json!({})).await.good();
            state = grove.until(&id, mine).await;
            assert_eq!(state["ply"], before);
        }
    }
    let record = grove.get(&format!("{at}/record")).await;
    assert!(
        record.headers["content-disposition"].to_str().is_ok_and(|it| it.starts_with("attachment"))
    );
    let record = record.good();
    assert_eq!(record["ending"], "terminal");
    assert_eq!(record["steps"].as_array().map(Vec::len), state["moves"].as_array().map(Vec::len));
    let replay = grove.post("/api/replays", record.clone()).await.good();
    let id = replay["id"].as_str().expect("a name");
    let plies = record["steps"].as_array().map_or(0, Vec::len);
    let end = grove.get(&format!("/api/matches/{id}/positions/{plies}")).await.good();
    assert_eq!(end["goals"], record["goals"]);
    assert_eq!(end["over"], "terminal");
    let beyond = grove.get(&format!("/api/matches/{id}/positions/{}", plies + 1)).await;
    assert!(beyond.refused(StatusCode::NOT_FOUND).contains("steps so far"));
    let mut other = record;
    other["steps"][1]["moves"][0] = json!("(mark 7 7)");
    let refused = grove.post("/api/replays", other).await.refused(StatusCode::BAD_REQUEST);
    assert!(refused.contains("step 2 of the record"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_comes_with_its_search_and_tree() {
    let grove = Grove::start(Limits::default());
    let id = grove
        .start_match(json!({"game": "connect_four", "players": ["person", "random"], "seed": 1}))
        .await;
    let at = format!("/api/matches/{id}");
    assert!(grove.get(&format!("{at}/tree")).await.refused(StatusCode::NOT_FOUND).contains("hint"));
    grove.post(&format!("{at}/hint"), json!({"role": 0})).await.good();
    let state = grove.until(&id, |state| !state["hint"].is_null()).await;
    let hint = state["hint"]["move"].as_str().expect("a move");
    let legal = state["legal"][0].as_array().expect("moves");
    assert!(legal.iter().any(|choice| choice["name"] == hint));
    let root = grove.get(&format!("{at}/tree")).await.good();
    let children = root["children"].as_array().expect("children");
    assert_eq!(children.len(), legal.len());
    let visits: Vec<u64> = children.iter().filter_map(|child| child["visits"].as_u64()).collect();
    assert!(visits.is_sorted_by(|a, b| a >= b), "the most visited first: {visits:?}");
    let node = children[0]["node"].as_u64().expect("a number");
    let opened = grove.get(&format!("{at}/tree?ply=0&role=0&node={node}")).await.good();
    assert_eq!(opened["path"].as_array().map(Vec::len), Some(2));
    assert_ne!(opened["drawing"]["svg"], root["drawing"]["svg"]);
    grove.get(&format!("{at}/tree?node=999999")).await.refused(StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_octagon_theory_and_a_video_game_are_played() {
    let grove = Grove::start(Limits::default());
    let id = grove
        .start_match(json!({"game": "octagon(small)", "players": ["person", "random"], "seed": 1}))
        .await;
    let state = grove.until(&id, |state| state["legal"][0].is_array()).await;
    let choice = &state["legal"][0][0];
    assert!(choice["words"].as_str().is_some_and(|words| words.contains("-piece on")));
    let made = json!({"role": 0, "move": choice["name"]});
    grove.post(&format!("/api/matches/{id}/move"), made).await.good();
    grove.until(&id, |state| state["ply"].as_u64() >= Some(2)).await;

    let wanted = json!({"game": "aliens", "players": ["person"], "tick": 40, "seed": 1});
    let id = grove.start_match(wanted).await;
    let listening = listen(&grove, &id);
    let state = grove.until(&id, |state| state["ply"].as_u64() >= Some(5)).await;
    assert_eq!(state["drawing"]["kind"], "video");
    let key = json!({"role": 0, "action": "JUGGLE", "down": true});
    grove.post(&format!("/api/matches/{id}/key"), key).await.refused(StatusCode::BAD_REQUEST);
    let key = json!({"role": 0, "action": "RIGHT", "down": true});
    grove.post(&format!("/api/matches/{id}/key"), key).await.good();
    let now = state["ply"].as_u64().unwrap_or(0);
    grove.until(&id, |state| state["ply"].as_u64() > Some(now + 2)).await;
    let record = grove.get(&format!("/api/matches/{id}/record")).await.good();
    let steps = record["steps"].as_array().expect("steps");
    assert!(steps.iter().any(|step| step["moves"][0] == "RIGHT"));
    drop(listening);
    let replay = grove.post("/api/replays", record.clone()).await.good();
    let replayed = replay["id"].as_str().expect("a name");
    let state = grove.get(&format!("/api/matches/{replayed}")).await.good();
    assert_eq!(state["ply"].as_u64(), Some(steps.len() as u64));
}

/// The match that agents with this name play on the command line.
fn on_the_command_line(game: &str, agent: &str, seed: u64, steps: usize) -> Vec<Vec<String>> {
    let source = Source::open(game).expect("it ships");
    let setup = Setup::default();
    let board = open(&source, &LevelChoice::Number(0), &setup).expect("it is sound");
    let agent = Agent::find(agent).expect("it ships");
    let entrants = vec![Entrant::new(agent); board.about().roles.len()];
    let clocks = Clocks::simulations(1);
    let rules = MatchRules { clocks, step_limit: steps, seed, facts: false };
    let mut seats = seats(&board, &entrants, seed).expect("they can play");
    match play(&board, &mut seats, &rules, None, &StopFlag::default()) {
        Played::Board(record) => record.steps.into_iter().map(|step| step.moves).collect(),
        Played::Video(record) => record.moves,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_seeds_give_the_match_of_the_command_line() {
    let grove = Grove::start(Limits::default());
    for (game, players, steps) in
        [("tic_tac_toe", json!(["random", "random"]), 9), ("aliens", json!(["random"]), 25)]
    {
        let wanted = json!({"game": game, "players": players, "tick": 40, "seed": 5});
        let id = grove.start_match(wanted).await;
        let listening = listen(&grove, &id);
        let done = |state: &Value| over(state) || state["ply"].as_u64() >= Some(steps);
        grove.until(&id, done).await;
        drop(listening);
        let record = grove.get(&format!("/api/matches/{id}/record")).await.good();
        let record: MatchRecord = serde_json::from_value(record).expect("a record of play");
        let expected = on_the_command_line(game, "random", 5, 1000);
        let moves: Vec<Vec<String>> = record.steps.into_iter().map(|step| step.moves).collect();
        let played = moves.len().min(steps as usize);
        assert!(played >= 5, "{game}");
        assert_eq!(moves[..played], expected[..played], "{game}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_video_game_replayed_here_is_the_one_of_the_command_line() {
    let moves = on_the_command_line("aliens", "random", 7, 60);
    let source = Source::open("aliens").expect("it ships");
    let board = open(&source, &LevelChoice::Number(0), &Setup::default()).expect("it is sound");
    let clocks = Clocks::simulations(0);
    let rules = MatchRules { clocks, step_limit: 1000, seed: 7, facts: false };
    let mut course = Match::new(Arc::clone(&board), rules);
    for moves in &moves {
        let step = StepRecord { moves: moves.clone(), ..StepRecord::default() };
        course.replay(&step).expect("it was played");
    }
    let grove = Grove::start(Limits::default());
    let record = serde_json::to_value(course.record(vec!["random".to_owned()])).expect("JSON");
    let replay = grove.post("/api/replays", record).await.good();
    let id = replay["id"].as_str().expect("a name");
    for ply in [1, 20, 60] {
        let there = grove.get(&format!("/api/matches/{id}/positions/{ply}")).await.good();
        let here = board.draw(&course.state_after(ply), None);
        let here = serde_json::to_value(here).expect("JSON");
        assert_eq!(there["drawing"], here, "after {ply} ticks");
    }
}

/// Listens to the live events of a match.
fn listen(grove: &Grove, id: &str) -> TcpStream {
    let mut stream = TcpStream::connect(grove.address).expect("it listens");
    let host = grove.address;
    let request = format!("GET /api/matches/{id}/events HTTP/1.1\r\nHost: {host}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("sent");
    stream
}

/// The first event of a kind that comes.
async fn hear(mut stream: TcpStream, kind: &'static str) -> Value {
    let hear = move || {
        let (mut heard, mut part) = (String::new(), vec![0; 1 << 16]);
        let mark = format!("event: {kind}\ndata: ");
        loop {
            let whole = heard.split_once(&mark).and_then(|(_, rest)| rest.split_once("\n\n"));
            if let Some((event, _)) = whole {
                return serde_json::from_str(event).expect("JSON");
            }
            let count = stream.read(&mut part).expect("events");
            assert!(count > 0, "the stream goes on");
            heard.push_str(&String::from_utf8_lossy(&part[..count]));
        }
    };
    tokio::task::spawn_blocking(hear).await.expect("heard")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_default_agent_plans_in_video_games_and_remembers() {
    let grove = Grove::start(Limits::default());
    let wanted = json!({"game": "aliens", "players": ["grove"], "tick": 50, "seed": 1});
    let id = grove.start_match(wanted).await;
    let insight = hear(listen(&grove, &id), "insight").await;
    assert_eq!(insight["agent"], "grove");
    let moves = insight["moves"].as_array().expect("moves");
    assert!(moves.len() > 1);
    // A search of board games would also try to do nothing; a planner leaves that out.
    assert!(moves.iter().all(|found| found["move"] != "NIL"), "{moves:?}");
    let _listening = listen(&grove, &id);
    grove.until(&id, |state| state["ply"].as_u64() >= Some(6)).await;
    let state = grove.get(&format!("/api/matches/{id}")).await.good();
    assert!(state["trouble"].is_null(), "{}", state["trouble"]);
    assert_eq!(grove.get("/api/status").await.good()["minds"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_forget_when_a_match_is_over_or_left() {
    let limits = Limits { mind_idle: Duration::from_millis(50), ..Limits::default() };
    let grove = Grove::start(limits);
    let minds = async || grove.get("/api/status").await.good()["minds"].as_u64();
    let play = async || {
        let players = json!(["person", "grove"]);
        let wanted = json!({"game": "connect_four", "players": players, "clock": 0.1, "seed": 1});
        let id = grove.start_match(wanted).await;
        let state = grove.until(&id, |state| state["legal"][0].is_array()).await;
        let made = json!({"role": 0, "move": state["legal"][0][0]["name"]});
        grove.post(&format!("/api/matches/{id}/move"), made).await.good();
        let state = grove.until(&id, |state| state["ply"].as_u64() >= Some(2)).await;
        assert!(state["reasoner"].as_str().is_some_and(|by| by.contains("network")), "{state}");
        id
    };
    let id = play().await;
    assert_eq!(minds().await, Some(1));
    grove.post(&format!("/api/matches/{id}/resign"), json!({"role": 0})).await.good();
    assert_eq!(minds().await, Some(0), "it is over");
    play().await;
    assert_eq!(minds().await, Some(1));
    // The sweeper comes by every ten seconds.
    while minds().await != Some(0) {
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_in_a_video_game_stops_the_clock_and_has_several_moves() {
    let grove = Grove::start(Limits::default());
    let wanted = json!({"game": "zelda", "players": ["person"], "tick": 40, "seed": 1});
    let id = grove.start_match(wanted).await;
    let _listening = listen(&grove, &id);
    grove.until(&id, |state| state["ply"].as_u64() >= Some(3)).await;
    grove.post(&format!("/api/matches/{id}/hint"), json!({"role": 0})).await.good();
    let state = grove.until(&id, |state| !state["hint"].is_null()).await;
    assert_eq!(state["paused"], true);
    assert!(state["hint"]["move"].is_string());
    assert_eq!(state["hint"]["after"].as_array().map(Vec::len), Some(9));
    let at = state["ply"].as_u64();
    let key = json!({"role": 0, "action": state["hint"]["move"], "down": true});
    grove.post(&format!("/api/matches/{id}/key"), key).await.good();
    let state = grove.until(&id, |state| state["ply"].as_u64() > at.map(|at| at + 20)).await;
    assert_eq!((&state["paused"], &state["hint"]), (&json!(false), &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_plays_on_before_a_hint_comes_can_ask_for_another() {
    let grove = Grove::start(Limits::default());
    let wanted = json!({"game": "connect_four", "players": ["person", "random"], "seed": 1});
    let id = grove.start_match(wanted).await;
    grove.until(&id, |state| state["legal"][0].is_array()).await;
    grove.post(&format!("/api/matches/{id}/hint"), json!({"role": 0})).await.good();
    let state = grove.get(&format!("/api/matches/{id}")).await.good();
    assert_eq!(state["hinting"], true);
    let made = json!({"role": 0, "move": state["legal"][0][0]["name"]});
    grove.post(&format!("/api/matches/{id}/move"), made).await.good();
    let state = grove.until(&id, |state| state["ply"].as_u64() >= Some(2)).await;
    assert_eq!(state["hinting"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn watchers_hear_states_and_what_agents_think() {
    let grove = Grove::start(Limits::default());
    let wanted = json!({"game": "tic_tac_toe", "players": ["uct", "uct"], "clock": 0.6, "seed": 1});
    let id = grove.start_match(wanted).await;
    let mut stream = listen(&grove, &id);
    let hear = move || {
        let (mut heard, mut part) = (String::new(), vec![0; 1 << 16]);
        while !(heard.contains("event: insight") && heard.matches("event: state").count() >= 3) {
            let count = stream.read(&mut part).expect("events");
            assert!(count > 0, "the stream goes on");
            heard.push_str(&String::from_utf8_lossy(&part[..count]));
        }
        heard
    };
    let heard = tokio::task::spawn_blocking(hear).await.expect("heard");
    assert!(heard.contains("text/event-stream"));
    let insight = heard.split("event: insight\ndata: ").nth(1).and_then(|rest| rest.lines().next());
    let insight: Value = serde_json::from_str(insight.expect("an insight")).expect("JSON");
    assert!(insight["simulations"].as_u64() > Some(0));
    assert!(insight["moves"][0]["visits"].as_u64() > Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_wait_while_nobody_watches() {
    let grove = Grove::start(Limits::default());
    let wanted = json!({"game": "tic_tac_toe", "players": ["random", "random"], "seed": 1});
    let id = grove.start_match(wanted).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let state = grove.get(&format!("/api/matches/{id}")).await.good();
    assert_eq!(state["ply"], 0, "nobody is there to see it");
    let _listening = listen(&grove, &id);
    grove.until(&id, |state| state["ply"].as_u64() >= Some(1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_have_names_and_are_typed_and_a_match_goes_on_after_moves() {
    let grove = Grove::start(Limits::default());
    let wanted = json!({"game": "breakthrough", "players": ["person", "person"], "seed": 1});
    let id = grove.start_match(wanted.clone()).await;
    let state = grove.until(&id, |state| state["legal"][0].is_array()).await;
    let choice = &state["legal"][0][0];
    assert_eq!(choice["name"].as_str().map(|name| name.starts_with("(move ")), Some(true));
    assert!(choice["short"].as_str().is_some_and(|name| name.len() == 5 && name.contains('-')));
    for (role, typed) in [(0, "e2e3"), (1, "D7-D6"), (0, "(move 5 3 4 4)")] {
        let made = json!({"role": role, "move": typed});
        grove.post(&format!("/api/matches/{id}/move"), made).await.good();
        grove.until(&id, |state| state["legal"][1 - role].is_array()).await;
    }
    let state = grove.until(&id, |state| state["ply"] == 3).await;
    assert_eq!(state["names"], json!([["e2-e3", "noop"], ["noop", "d7-d6"], ["e3-d4", "noop"]]));
    let at = |ply: u64| format!("/api/matches/{id}/positions/{ply}");
    assert_eq!(grove.get(&at(1)).await.good()["names"][0], "e2-e3");

    let mut again = wanted;
    again["moves"] = state["moves"].clone();
    let other = grove.start_match(again.clone()).await;
    let same = grove.until(&other, |state| state["ply"] == 3).await;
    assert_eq!(same["drawing"], state["drawing"]);
    again["moves"][1][1] = json!("(move 1 1 9 9)");
    let refused = grove.post("/api/matches", again).await.refused(StatusCode::BAD_REQUEST);
    assert!(refused.contains("step 2"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn others_change_a_match_only_with_its_key() {
    let grove = Grove::start(Limits::default());
    let wanted = json!({"game": "tic_tac_toe", "players": ["person", "person"], "seed": 1});
    let made = grove.post("/api/matches", wanted).await.good();
    let (id, key) = (made["id"].as_str().expect("a name"), made["key"].as_str().expect("a key"));
    let other = grove.as_visitor("fedcba9876543210");
    other.get(&format!("/api/matches/{id}")).await.good();
    for (what, body) in [
        ("move", json!({"role": 0, "move": "b2"})),
        ("undo", json!({})),
        ("resign", json!({"role": 0})),
        ("hint", json!({"role": 0})),
        ("pause", json!({"paused": true})),
    ] {
        let refused = other.post(&format!("/api/matches/{id}/{what}"), body).await;
        assert!(refused.refused(StatusCode::FORBIDDEN).contains("Another visitor"), "{what}");
    }
    let body = json!({"role": 0, "move": "b2"}).to_string().into_bytes();
    let mut request = other.request(hyper::Method::POST, &format!("/api/matches/{id}/move"), body);
    request.headers_mut().insert("x-match-key", key.parse().expect("a header"));
    other.send(request).await.good();
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_compressed_for_those_who_take_it_and_pictures_are_named_by_their_content() {
    let grove = Grove::start(Limits::default());
    let id = grove.start_match(json!({"game": "chess", "players": ["person", "person"]})).await;
    let ask = |name: &'static str, value: String, path: String| {
        let mut request = grove.request(hyper::Method::GET, &path, Vec::new());
        request.headers_mut().insert(name, value.parse().expect("a header"));
        grove.send(request)
    };
    let path = format!("/api/matches/{id}");
    let packed = ask("accept-encoding", "br, gzip".to_owned(), path.clone()).await;
    assert_eq!(packed.headers["content-encoding"], "gzip");
    let plain = grove.get(&path).await;
    assert!(!plain.headers.contains_key("content-encoding"));
    let length = |answer: &crate::support::Answer| {
        answer.headers["content-length"].to_str().ok().and_then(|text| text.parse::<usize>().ok())
    };
    assert!(length(&packed) < Some(10_000), "{:?}", length(&packed));
    assert!(length(&plain) > Some(20_000));
    let picture = "/api/games/chess/drawing";
    let first = grove.get(picture).await;
    let tag = first.headers["etag"].to_str().expect("text").to_owned();
    let again = ask("if-none-match", tag, picture.to_owned()).await;
    assert_eq!((again.status, again.text.len()), (StatusCode::NOT_MODIFIED, 0));
    let changed = ask("if-none-match", "W/\"other\"".to_owned(), picture.to_owned()).await;
    assert_eq!(changed.status, StatusCode::OK);
}
