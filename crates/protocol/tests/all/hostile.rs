//! What clients, rules and a busy machine can do to a player: other matches and messages go on.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gamegrove_protocol::{Seat, SeatConfig, Server};

use crate::support::{ask, config, read_reply, say, serve, shipped};

/// A connection on which `beginning` was sent and nothing after it.
fn begun(player: SocketAddr, beginning: &str) -> TcpStream {
    let mut stream = TcpStream::connect(player).expect("it listens");
    stream.write_all(beginning.as_bytes()).expect("it listens");
    stream
}

const CHUNKED: &str = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";

#[test]
fn silent_and_chunked_messages_delay_nobody() {
    let player = serve(config("random"));
    let long = format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{}",
        "x".repeat(90_000)
    );
    let slow: Vec<TcpStream> =
        (0..8).flat_map(|_| [begun(player, CHUNKED), begun(player, &long)]).collect();
    let start = Instant::now();
    let rules = shipped("tic_tac_toe") + &" ".repeat(90_000);
    assert_eq!(say(player, &format!("( START m x ( {rules} ) 5 1 )")), "ready");
    let mut play = begun(player, CHUNKED);
    for part in ["( PLAY", " m NIL )"] {
        play.write_all(format!("{:x}\r\n{part}\r\n", part.len()).as_bytes()).expect("it listens");
    }
    play.write_all(b"0\r\n\r\n").expect("it listens");
    assert!(read_reply(play).1.contains("mark"));
    // Messages without an end are given up after half a minute.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    drop(slow);
}

#[test]
fn idle_connections_make_room_for_new_ones() {
    let player = serve(config("random"));
    let idle: Vec<TcpStream> = (0..640).map(|_| begun(player, "")).collect();
    let start = Instant::now();
    assert!(say(player, "( INFO )").contains("available"));
    // An idle connection is closed after ten seconds.
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
    drop(idle);
}

/// Status, headers in lower case and body of the answer to a request.
fn exchange(player: SocketAddr, request: &str) -> (u16, String) {
    let mut stream = begun(player, request);
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.expect("a status"), answer.to_ascii_lowercase())
}

#[test]
fn pages_of_other_sites_are_refused_unless_their_origin_is_trusted() {
    let server = Server::bind("127.0.0.1:0", Seat::new(config("random"))).expect("a free port");
    let server = server.trusting(&["https://manager.example".to_owned()]);
    let player = server.address().expect("it listens");
    std::thread::spawn(move || server.run());
    let request = |method: &str, path: &str, headers: &str| {
        let body = if method == "POST" { "( INFO )" } else { "" };
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.1\r\nContent-Length: {length}\r\n{headers}\r\n");
        exchange(player, &(head + body))
    };
    let local = "Host: 127.0.0.1:9147\r\n";
    let evil = format!("{local}Origin: http://evil.example\r\n");
    let trusted = format!("{local}Origin: https://manager.example\r\n");
    let plain = "Content-Type: text/plain\r\n";
    assert_eq!(request("POST", "/", local).0, 200);
    assert_eq!(request("POST", "/", "Host: evil.example\r\n").0, 403);
    assert_eq!(request("POST", "/", &evil).0, 403);
    assert_eq!(request("POST", "/", &format!("{local}{plain}")).0, 415);
    assert_eq!(request("OPTIONS", "/", &evil).0, 403);
    assert_eq!(request("GET", "/(INFO)", local).0, 405, "any page can show a picture from there");
    let (status, answer) = request("OPTIONS", "/", &trusted);
    assert_eq!(status, 204);
    assert!(answer.contains("access-control-allow-origin: https://manager.example"), "{answer}");
    assert!(answer.contains("access-control-allow-methods: post, get, options"), "{answer}");
    for (method, path, headers) in
        [("POST", "/", trusted.clone() + plain), ("GET", "/%28%20INFO+)", trusted.clone())]
    {
        let (status, answer) = request(method, path, &headers);
        assert_eq!(status, 200, "{answer}");
        assert!(answer.contains("( status available )"), "{answer}");
        assert!(answer.contains("access-control-allow-origin"), "{answer}");
    }
}

/// A million legal moves in every state, and a state as large as the clock allows.
fn million_moves() -> String {
    let digits: String = (0..10).map(|n| format!("(d {n}) ")).collect();
    format!(
        "(role x) {digits} (<= (legal x (m ?a ?b ?c ?d ?e ?f)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f)) \
         (init (step 0)) (<= (next (done)) (does x (m 1 2 3 4 5 6))) (<= terminal (true (done))) \
         (<= (goal x 100) (true (done))) (<= (goal x 0) (not (true (done))))"
    )
}

#[test]
fn one_of_a_million_legal_moves_is_found_in_time() {
    let player = serve(config("grove"));
    assert_eq!(say(player, &format!("( START m x ( {} ) 1 1 )", million_moves())), "ready");
    let mut last = "NIL".to_owned();
    for step in 0..3 {
        let start = Instant::now();
        let reply = say(player, &format!("( PLAY m {last} )"));
        assert!(start.elapsed() < Duration::from_secs(2), "step {step}: {:?}", start.elapsed());
        assert!(reply.starts_with("( m "), "step {step}: {reply}");
        last = format!("( {reply} )");
    }
    assert_eq!(say(player, "( ABORT m )"), "aborted");
}

/// So many rules that setting them up takes longer than the clock.
fn many_rules(count: usize) -> String {
    let mut rules = String::from(
        "(role x) (legal x a) (legal x b) (init (c 0)) (goal x 50) (<= terminal (true (c 9))) ",
    );
    for n in 0..count {
        rules += &format!("(<= (next (c {})) (does x a) (true (c {n}))) ", n + 1);
    }
    rules
}

#[test]
fn starts_and_aborts_in_any_order_leave_nothing_running() {
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let seat = Seat::new(config("grove"));
        let send = async |message: String| seat.answer(Instant::now(), message.into_bytes()).await;
        let rules = many_rules(60_000);
        for n in 0..4 {
            send(format!("( START m{n} x ( {rules} ) 0.5 1 )")).await;
            send("( ABORT other )".to_owned()).await;
            send(format!("( ABORT m{n} )")).await;
            send(format!("( STOP m{n} NIL )")).await;
        }
        let info = async || send("( INFO )".to_owned()).await.text;
        let waited = Instant::now();
        while !seat.is_idle() {
            assert!(waited.elapsed() < Duration::from_secs(20), "threads go on");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(info().await.contains("available"));
        let rules = shipped("tic_tac_toe");
        assert_eq!(send(format!("( START m x ( {rules} ) 1 1 )")).await.text, "ready");
        assert!(info().await.contains("busy"));
    });
}

#[test]
fn every_move_is_legal_and_in_time_while_all_cores_are_busy() {
    let stop = Arc::new(AtomicBool::new(false));
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let busy: Vec<_> = (0..2 * cores)
        .map(|_| {
            let stop = Arc::clone(&stop);
            std::thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            })
        })
        .collect();
    let rules = shipped("tic_tac_toe");
    let players: Vec<SocketAddr> = (0..2).map(|_| serve(config("grove"))).collect();
    let (mut asked, mut late) = (0, 0);
    for round in 0..15 {
        for (player, role) in players.iter().zip(["x", "o"]) {
            assert_eq!(
                say(*player, &format!("( START m{round} {role} ( {rules} ) 1 1 )")),
                "ready"
            );
        }
        let (mut last, mut free) = ("NIL".to_owned(), vec![true; 9]);
        // Some steps of each match, so that starts are as frequent as they are in a tournament.
        for step in 0..5 {
            let message = format!("( PLAY m{round} {last} )");
            let replies: Vec<(String, Duration)> = std::thread::scope(|scope| {
                let one = |&player: &SocketAddr| {
                    let message = &message;
                    scope.spawn(move || {
                        let start = Instant::now();
                        (say(player, message), start.elapsed())
                    })
                };
                let asked: Vec<_> = players.iter().map(one).collect();
                asked.into_iter().map(|thread| thread.join().expect("a reply")).collect()
            });
            let (mover, waiter) = (&replies[step % 2].0, &replies[1 - step % 2].0);
            assert_eq!(waiter, "noop", "round {round}, step {step}");
            let cell: Option<usize> = mover
                .split(' ')
                .map(str::parse::<usize>)
                .filter_map(Result::ok)
                .reduce(|a, b| 3 * a + b - 4);
            let cell = cell.unwrap_or_else(|| panic!("{mover} in round {round}, step {step}"));
            assert!(
                std::mem::replace(&mut free[cell], false),
                "{mover} in round {round}, step {step}"
            );
            asked += replies.len();
            late += replies.iter().filter(|(_, time)| *time > Duration::from_secs(1)).count();
            last = format!("( {} {} )", replies[0].0, replies[1].0);
        }
        for player in &players {
            assert_eq!(say(*player, &format!("( ABORT m{round} )")), "aborted");
        }
    }
    stop.store(true, Ordering::Relaxed);
    busy.into_iter().for_each(|thread| thread.join().expect("it ends"));
    assert_eq!((asked, late), (150, 0));
}

#[test]
fn clocks_are_capped() {
    let config = SeatConfig {
        longest_think: Duration::from_millis(200),
        patience: Duration::from_millis(100),
        ..config("random")
    };
    let player = serve(config);
    let rules = shipped("tic_tac_toe");
    assert_eq!(say(player, &format!("( START m x ( {rules} ) 3000 3000 )")), "ready");
    let waited = Instant::now();
    while say(player, "( INFO )").contains("busy") {
        assert!(waited.elapsed() < Duration::from_secs(30), "the seat is kept");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(ask(player, "( INFO )").0, 200);
}
