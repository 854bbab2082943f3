//! What must not work, and what must not take the server down.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::support::Grove;
use gamegrove_web::Limits;
use hyper::{Method, StatusCode};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn no_path_leads_out_of_the_page() {
    let grove = Grove::start(Limits::default());
    for path in [
        "/assets/../../../etc/passwd",
        "/../../etc/passwd",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..%2f..%2fetc%2fpasswd",
        "/api/games/..%2f..%2fetc%2fpasswd",
        "/api/games/%2fetc%2fpasswd",
        "/api/experiments/..%2f..%2fetc%2fpasswd",
        "/api/matches/..%2f..%2fetc",
    ] {
        let answer = grove.get(path).await;
        assert!(!answer.text.contains("root:"), "{path}");
    }
    assert_eq!(grove.get("/assets/nothing.js").await.status, StatusCode::NOT_FOUND);
    assert_eq!(grove.get("/api/nothing").await.status, StatusCode::NOT_FOUND);
    let file = std::env::current_dir().expect("a folder").join("Cargo.toml");
    let wanted = json!({"game": file.to_string_lossy()});
    let refused = grove.post("/api/matches", wanted).await.refused(StatusCode::NOT_FOUND);
    assert!(refused.contains("no game is called"), "files of the machine are not games: {refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn other_names_and_other_pages_get_nothing() {
    let grove = Grove::start(Limits::default());
    let mut request = grove.request(Method::GET, "/api/games", Vec::new());
    request.headers_mut().insert("host", "evil.example".parse().expect("a value"));
    let refused = grove.send(request).await.refused(StatusCode::FORBIDDEN);
    assert!(refused.contains("--allow-host"), "{refused}");
    let body = json!({"game": "tic_tac_toe"}).to_string().into_bytes();
    let mut request = grove.request(Method::POST, "/api/matches", body.clone());
    request.headers_mut().insert("origin", "http://evil.example".parse().expect("a value"));
    grove.send(request).await.refused(StatusCode::FORBIDDEN);
    let mut request = grove.request(Method::POST, "/api/matches", body);
    request.headers_mut().insert("content-type", "text/plain".parse().expect("a value"));
    grove.send(request).await.refused(StatusCode::BAD_REQUEST);
    let answer = grove.get("/").await;
    let policy = answer.headers["content-security-policy"].to_str().expect("text");
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(answer.headers["x-content-type-options"], "nosniff");
}

#[tokio::test(flavor = "multi_thread")]
async fn broken_requests_are_told_what_is_wrong() {
    let grove = Grove::start(Limits::default());
    for (path, body) in [
        ("/api/matches", "{"),
        ("/api/matches", "[]"),
        ("/api/matches", "{\"game\": 7}"),
        ("/api/check", "null"),
        ("/api/replays", "{\"game\": \"tic_tac_toe\"}"),
    ] {
        let request = grove.request(Method::POST, path, body.as_bytes().to_vec());
        let refused = grove.send(request).await.refused(StatusCode::BAD_REQUEST);
        assert!(refused.contains("cannot be read"), "{path}: {refused}");
    }
    let deep = "[".repeat(100_000);
    let request = grove.request(Method::POST, "/api/check", deep.into_bytes());
    grove.send(request).await.refused(StatusCode::BAD_REQUEST);
    for wanted in [
        json!({"game": "tic_tac_toe", "clock": 1e9}),
        json!({"game": "tic_tac_toe", "clock": -1}),
        json!({"game": "tic_tac_toe", "players": ["person", "nobody"]}),
        json!({"game": "tic_tac_toe", "players": ["mcts(threads=256)", "random"]}),
        json!({"game": "tic_tac_toe", "players": ["random", "random", "random"]}),
        json!({"game": "tic_tac_toe", "players": ["octagon_grove", "random"]}),
        json!({"game": "zelda", "level": 99}),
        json!({"game": "octagon(nonsense)"}),
    ] {
        let refused = grove.post("/api/matches", wanted.clone()).await;
        assert!(refused.status.is_client_error(), "{wanted}: {}", refused.text);
        assert!(refused.json()["error"].is_string());
    }
    let large = json!({"rules": "x".repeat(300 << 10)});
    let refused = grove.post("/api/check", large).await.refused(StatusCode::PAYLOAD_TOO_LARGE);
    assert!(refused.contains("kB"), "{refused}");
    // Reading ends with the first byte too many. No more is sent: a connection closed over unread bytes
    // would lose the answer.
    let (host, most) = (grove.address, 2 * Limits::default().rules_bytes + 4096);
    let announced = format!(
        "POST /api/check HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Content-Length: 8388608\r\n\r\n"
    );
    let ask = move || {
        let mut stream = TcpStream::connect(host).expect("it listens");
        stream.write_all(announced.as_bytes()).expect("sent");
        stream.write_all(&vec![b' '; most + 1]).expect("sent");
        let mut head = [0; 12];
        stream.read_exact(&mut head).expect("an answer");
        String::from_utf8_lossy(&head).into_owned()
    };
    let head = tokio::task::spawn_blocking(ask).await.expect("asked");
    assert_eq!(head, "HTTP/1.1 413");
}

#[tokio::test(flavor = "multi_thread")]
async fn findings_have_their_places() {
    let grove = Grove::start(Limits::default());
    // The place is counted as pages count: in UTF-16.
    let rules = "(role x) ; \u{1f333}\n(role";
    let checked = grove.post("/api/check", json!({"rules": rules})).await.good();
    assert_eq!(checked["playable"], false);
    let first = &checked["findings"][0];
    assert_eq!((first["severity"].as_str(), first["line"].as_u64()), (Some("error"), Some(2)));
    assert_eq!(first["start"], 14);
    let refused = grove.post("/api/own-games", json!({"rules": rules})).await;
    assert!(refused.json()["findings"].as_array().is_some_and(|found| !found.is_empty()));
    let video = "BasicGame\n    SpriteSet\n        avatar > MovingAvatar\n";
    let checked = grove.post("/api/check", json!({"rules": video})).await.good();
    assert_eq!(
        (checked["kind"].as_str(), checked["playable"].as_bool()),
        (Some("vgdl"), Some(false))
    );
    assert!(checked["missing"].as_str().is_some_and(|text| text.contains("level")));
}

/// A game whose first question never ends, and one whose legal moves explode.
const HOSTILE: [&str; 3] = [
    // Counts through all numbers of many digits to see whether play is over.
    "(role x) (init (go)) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
     (<= (all ?a ?b ?c ?e ?f ?g ?h ?i) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (d ?g) (d ?h) (d ?i) (true (go)))
     (<= terminal (all ?a ?b ?c ?e ?f ?g ?h ?i) (true (never ?a ?b ?c ?e ?f ?g ?h ?i)))
     (legal x noop) (<= (next (go)) (true (go))) (goal x 50)",
    // Has more legal moves than can be listed.
    "(role x) (init (go)) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
     (<= (legal x (m ?a ?b ?c ?e ?f ?g)) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (d ?g) (true (go)))
     (<= (next (go)) (true (go))) (<= terminal (true (never))) (goal x 50)",
    // Builds terms without end.
    "(role x) (init (n (s 0))) (legal x noop) (<= (big ?x) (true (n ?x))) (<= (big (s ?x)) (big ?x))
     (<= (next (n ?x)) (big ?x)) (<= terminal (big done)) (goal x 50)",
];

#[tokio::test(flavor = "multi_thread")]
async fn hostile_rules_cost_patience_and_nothing_else() {
    let limits = Limits {
        network_patience: (Duration::from_secs(8), Duration::from_secs(1)),
        network_bytes: (256 << 20, 32 << 20),
        prover_work: 500_000,
        prover_bytes: 8 << 20,
        search_grace: Duration::from_millis(200),
        ..Limits::default()
    };
    let grove = Grove::start(limits);
    for rules in HOSTILE {
        let kept = grove.post("/api/own-games", json!({"rules": rules})).await;
        if kept.status != StatusCode::OK {
            assert!(kept.json()["error"].is_string(), "{}", kept.text);
            continue;
        }
        let name = kept.json()["name"].clone();
        let players = json!(["grove"]);
        let wanted = json!({"game": name, "players": players, "clock": 0.1});
        let made = grove.post("/api/matches", wanted).await;
        assert!(made.status == StatusCode::OK || made.json()["error"].is_string(), "{}", made.text);
    }
    // Other visitors play on.
    let id =
        grove.start_match(json!({"game": "tic_tac_toe", "players": ["person", "random"]})).await;
    grove.until(&id, |state| state["legal"][0].is_array()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_and_games_of_a_visitor_are_limited() {
    let limits = Limits {
        matches: (2, 3),
        own_games: (1, 2),
        match_evictable: (Duration::from_secs(600), Duration::from_secs(600)),
        ..Limits::default()
    };
    let grove = Grove::start(limits);
    let wanted = json!({"game": "tic_tac_toe", "players": ["person", "random"]});
    let first = grove.start_match(wanted.clone()).await;
    grove.start_match(wanted.clone()).await;
    let refused = grove.post("/api/matches", wanted.clone()).await;
    assert!(refused.refused(StatusCode::TOO_MANY_REQUESTS).contains("2 matches under way"));
    let other = grove.as_visitor("fedcba9876543210");
    other.start_match(wanted.clone()).await;
    let third = grove.as_visitor("00000000000000aa");
    let refused = third.post("/api/matches", wanted).await;
    assert!(refused.refused(StatusCode::SERVICE_UNAVAILABLE).contains("too many matches"));
    assert_eq!(grove.get(&format!("/api/matches/{first}")).await.status, StatusCode::OK);

    let sheet = |goal: u32| {
        json!({"rules": format!(
            "(role x) (init (n)) (legal x go) (<= terminal (true (m))) (<= (next (m)) (true (n)))
             (goal x {goal})"
        )})
    };
    let one = grove.post("/api/own-games", sheet(1)).await.good();
    let two = grove.post("/api/own-games", sheet(2)).await.good();
    let name = |made: &serde_json::Value| made["name"].as_str().expect("a name").to_owned();
    let gone = grove.get(&format!("/api/games/{}", name(&one))).await;
    assert!(gone.refused(StatusCode::NOT_FOUND).contains("paste it again"));
    let kept = grove.get(&format!("/api/games/{}", name(&two))).await.good();
    assert_eq!(kept["own"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_nobody_is_at_make_room_for_others() {
    let limits =
        |idle| Limits { rooms: (2, 1), match_evictable: (idle, idle), ..Limits::default() };
    let wanted = |game: &str| json!({"game": game, "players": ["person", "random"]});
    let busy = Grove::start(limits(Duration::from_secs(600)));
    busy.start_match(wanted("tic_tac_toe")).await;
    busy.start_match(wanted("connect_four")).await;
    let refused = busy.post("/api/matches", wanted("breakthrough")).await;
    assert!(refused.refused(StatusCode::SERVICE_UNAVAILABLE).contains("different games"));
    busy.start_match(wanted("tic_tac_toe")).await;
    let left = Grove::start(limits(Duration::ZERO));
    let first = left.start_match(wanted("tic_tac_toe")).await;
    left.start_match(wanted("connect_four")).await;
    left.start_match(wanted("breakthrough")).await;
    left.get(&format!("/api/matches/{first}")).await.refused(StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_refusal_is_json() {
    let grove = Grove::start(Limits::default());
    for path in ["/api/games/zelda?level=-1", "/api/games/zelda/drawing?level=x"] {
        let refused = grove.get(path).await.refused(StatusCode::BAD_REQUEST);
        assert!(refused.contains("level"), "{refused}");
    }
    let id =
        grove.start_match(json!({"game": "tic_tac_toe", "players": ["person", "random"]})).await;
    grove.get(&format!("/api/matches/{id}/positions/minus")).await.refused(StatusCode::BAD_REQUEST);
    let deleted = grove.request(Method::DELETE, &format!("/api/matches/{id}"), Vec::new());
    grove.send(deleted).await.refused(StatusCode::METHOD_NOT_ALLOWED);
    let long = grove.request(Method::POST, "/api/matches/0/move", vec![b' '; 20 << 10]);
    grove.send(long).await.refused(StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_that_nobody_is_at_are_forgotten() {
    let limits = Limits { match_idle: Duration::from_millis(50), ..Limits::default() };
    let grove = Grove::start(limits);
    let id =
        grove.start_match(json!({"game": "tic_tac_toe", "players": ["person", "random"]})).await;
    // The sweeper comes by every ten seconds.
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let status = grove.get("/api/status").await.good();
        if status["matches"] == 0 {
            break;
        }
    }
    assert_eq!(grove.get(&format!("/api/matches/{id}")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_clients_are_cut_off_and_others_get_their_places() {
    let limits = Limits {
        connections: (2, 4),
        request_time: Duration::from_millis(400),
        answer_time: Duration::from_millis(400),
        ..Limits::default()
    };
    let grove = Grove::start(limits);
    let host = grove.address;
    let begin = move |text: String| {
        let mut stream = TcpStream::connect(host).expect("it listens");
        stream.write_all(text.as_bytes()).expect("sent");
        stream
    };
    // Clients that never end their first line take all places; the next one waits.
    let slow: Vec<TcpStream> = (0..4).map(|_| begin("GET / HT".to_owned())).collect();
    assert_eq!(grove.get("/api/status").await.status, StatusCode::OK);
    drop(slow);
    // A body that never comes is not waited for either.
    let late = move || {
        let head = "Content-Type: application/json\r\nContent-Length: 100";
        let mut stream =
            begin(format!("POST /api/check HTTP/1.1\r\nHost: {host}\r\n{head}\r\n\r\n"));
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    };
    assert_eq!(tokio::task::spawn_blocking(late).await.expect("asked"), "HTTP/1.1 408");
    // Streams may stay open for longer.
    let id =
        grove.start_match(json!({"game": "tic_tac_toe", "players": ["person", "random"]})).await;
    let _listening =
        begin(format!("GET /api/matches/{id}/events HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(grove.get("/api/status").await.good()["listeners"], 1);
}

/// A million facts after one move, as drawings and layouts would have to look at.
const EXPLODING: &str = "(role x) (legal x a) (legal x b) (init (step 0))
    (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
    (<= (next (f ?a ?b ?c ?d ?e ?f)) (does x a) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f))
    (<= (next (f ?a ?b ?c ?d ?e ?f)) (true (f ?b ?a ?c ?d ?e ?f)))
    (<= terminal (true (done))) (<= (goal x 100) (true (done))) (<= (goal x 0) (not (true (done))))";

#[tokio::test(flavor = "multi_thread")]
async fn shipped_games_never_wait_behind_pasted_ones() {
    // One pasted game at a time is set up, and a question to its rules may take long.
    let limits = Limits {
        prover_work: 1_000_000_000,
        network_patience: (Duration::from_secs(8), Duration::from_secs(20)),
        setup_time: (Duration::from_secs(55), Duration::from_secs(5)),
        ..Limits::default()
    };
    let grove = Grove::start(limits);
    let pasting: Vec<_> = (0..6)
        .map(|number| {
            let grove = grove.as_visitor(&format!("00000000000000b{number}"));
            let rules = json!({"rules": HOSTILE[0]});
            tokio::spawn(async move { grove.post("/api/own-games", rules).await.status })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(500)).await;
    let wanted = json!({"game": "tic_tac_toe", "players": ["person", "random"]});
    grove.start_match(wanted).await;
    // All of them take half a minute, one after another.
    assert!(pasting.iter().any(|pasted| !pasted.is_finished()));
    for pasted in pasting {
        assert_ne!(pasted.await.expect("an answer"), StatusCode::INTERNAL_SERVER_ERROR);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn exploding_rules_are_refused_or_played_in_bounded_memory() {
    let grove = Grove::start(Limits::default());
    let name = |n: usize| format!("{n}{}", "x".repeat(2_000));
    let names: String = (0..10).map(|n| format!("(d {}) ", name(n))).collect();
    let bomb = format!(
        "(role x) (legal x a) (init (step 0)) {names} (<= terminal (true (done))) (goal x 0)
         (<= (next (f ?a ?b ?c ?d ?e)) (does x a) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e))"
    );
    let memory = || {
        let page = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak = page.lines().find(|line| line.starts_with("VmHWM:"));
        peak.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) >> 10
    };
    let before = memory();
    for rules in [EXPLODING, &bomb] {
        let kept = grove.post("/api/own-games", json!({"rules": rules})).await;
        assert!(kept.status == StatusCode::OK || kept.json()["error"].is_string());
    }
    // Other tests of this process run at the same time. Without limits it was gigabytes.
    assert!(memory() < before + 1_000, "{before} MiB before, {} MiB after", memory());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_only_watched_makes_room_in_the_end_and_visitors_have_quotas() {
    let limits = Limits {
        rooms: (2, 1),
        rooms_each: (2, 1),
        match_quiet: Duration::from_millis(700),
        match_evictable: (Duration::from_secs(600), Duration::from_secs(600)),
        listeners: (2, 10),
        ..Limits::default()
    };
    let grove = Grove::start(limits);
    let wanted = |game: &str| json!({"game": game, "players": ["person", "random"]});
    let host = grove.address;
    let watch = |id: &str| {
        let mut stream = TcpStream::connect(host).expect("it listens");
        let cookie = "Cookie: grove-visitor=00000000000000cc";
        let head =
            format!("GET /api/matches/{id}/events HTTP/1.1\r\nHost: {host}\r\n{cookie}\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("sent");
        let mut status = [0; 12];
        stream.read_exact(&mut status).expect("an answer");
        (stream, String::from_utf8_lossy(&status).into_owned())
    };
    let mut streams = Vec::new();
    for (number, game) in ["tic_tac_toe", "connect_four"].into_iter().enumerate() {
        let visitor = grove.as_visitor(&format!("00000000000000d{number}"));
        let id = visitor.start_match(wanted(game)).await;
        let (stream, status) = watch(&id);
        assert_eq!(status, "HTTP/1.1 200");
        streams.push((id, stream));
    }
    let (_third, status) = watch(&streams[0].0);
    assert_eq!(status, "HTTP/1.1 429", "two streams each");
    let refused = grove.post("/api/matches", wanted("breakthrough")).await;
    assert!(refused.refused(StatusCode::SERVICE_UNAVAILABLE).contains("different games"));
    tokio::time::sleep(Duration::from_millis(900)).await;
    let id = grove.start_match(wanted("breakthrough")).await;
    grove.get(&format!("/api/matches/{id}")).await.good();
    let long = Duration::from_secs(600);
    let limits = Limits {
        rooms: (4, 2),
        rooms_each: (2, 1),
        match_quiet: long,
        match_evictable: (long, long),
        ..Limits::default()
    };
    let grove = Grove::start(limits);
    grove.start_match(wanted("tic_tac_toe")).await;
    grove.start_match(wanted("connect_four")).await;
    let refused = grove.post("/api/matches", wanted("breakthrough")).await;
    assert!(refused.refused(StatusCode::TOO_MANY_REQUESTS).contains("2 different games"));
    grove.as_visitor("00000000000000ee").start_match(wanted("breakthrough")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_slow_nobody_down() {
    let grove = Grove::start(Limits { connections: (200, 40), ..Limits::default() });
    let host = grove.address;
    let chunked = format!(
        "POST /api/check HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n"
    );
    let silent: Vec<TcpStream> = ["GET / HT", "", &chunked]
        .iter()
        .cycle()
        .take(120)
        .map(|beginning| {
            let mut stream = TcpStream::connect(host).expect("it listens");
            // One that made room for others may be closed by now.
            let _ = stream.write_all(beginning.as_bytes());
            stream
        })
        .collect();
    let started = std::time::Instant::now();
    assert_eq!(grove.get("/api/status").await.status, StatusCode::OK);
    // A silent connection is closed after fifteen seconds.
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    drop(silent);
}
