//! The referee with players that are slow, silent, wrong, huge or gone, over real HTTP.

use crate::support;

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::channel;
use std::time::Duration;

use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::matches::{Allowance, Clocks, Ending, MatchRecord, MatchRules, Wrong};
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::{Setup, open};
use gamegrove_protocol::{Contender, Wires};
use support::{config, fake_player, read_message, reply, serve, shipped};

fn remote(address: SocketAddr) -> Contender {
    Contender::Remote(address.to_string().parse().expect("an address"))
}

fn local(agent: &str) -> Contender {
    Contender::Local(Box::new(config(agent)))
}

fn clocks() -> Clocks {
    Clocks {
        start: Allowance::Time(Duration::from_millis(300)),
        play: Allowance::Time(Duration::from_millis(200)),
        // For machines that are busy with other things; silence costs as much in every step.
        grace: Duration::from_millis(400),
        ponder: true,
    }
}

/// Plays tic-tac-toe.
fn play(contenders: Vec<Contender>, scramble: Option<u64>) -> MatchRecord {
    let rules = shipped("tic_tac_toe");
    let source = Source::open("tic_tac_toe").expect("it ships");
    let board = open(&source, &LevelChoice::Number(0), &Setup::new(Reasoner::Prover));
    let match_rules = MatchRules { clocks: clocks(), step_limit: 100, seed: 7, facts: true };
    let mut wires =
        Wires::new("match.1".to_owned(), rules.as_bytes(), contenders, clocks(), scramble)
            .expect("threads");
    let players = vec!["one".to_owned(), "two".to_owned()];
    wires.play(&board.expect("sound rules"), &match_rules, players)
}

/// A match of a sound player against one that does `act`; its offences must be of these kinds.
fn fault(act: impl FnMut(TcpStream) -> bool + Send + 'static, kinds: &[Wrong]) -> MatchRecord {
    let record = play(vec![local("random"), remote(fake_player(act))], None);
    assert_eq!(record.ending, Ending::Terminal);
    assert!(!record.offences.is_empty());
    assert!(record.offences.iter().all(|offence| offence.role == "o"), "{:?}", record.offences);
    for offence in &record.offences {
        assert!(kinds.contains(&offence.kind), "{offence:?} is not of {kinds:?}");
    }
    // One for the start at most, and one for each step in which it was asked.
    assert!(record.offences.len() <= record.steps.len() + 1);
    record
}

/// Answers START as it should be and everything else by `act`.
fn after_start(
    mut act: impl FnMut(&mut TcpStream, &str) + Send + 'static,
) -> impl FnMut(TcpStream) -> bool + Send + 'static {
    move |mut stream| {
        let message = read_message(&mut stream);
        if message.contains("START") {
            reply(&mut stream, "ready");
        } else {
            act(&mut stream, &message);
        }
        true
    }
}

#[test]
fn sound_players_commit_no_offence() {
    for scramble in [None, Some(3)] {
        let record = play(vec![remote(serve(config("random"))), local("uct")], scramble);
        assert_eq!(record.ending, Ending::Terminal);
        assert_eq!(record.offences, []);
        assert!(record.goals.iter().sum::<f32>() == 100.0);
        assert_eq!(record.clocks.play_seconds, Some(0.2));
        assert!(record.steps.iter().all(|step| !step.facts.is_empty() && step.seconds.len() == 2));
    }
}

#[test]
fn a_player_that_is_not_there() {
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.local_addr().expect("it listened")
    };
    let record = play(vec![remote(gone), remote(gone)], None);
    assert_eq!(record.ending, Ending::Terminal);
    assert_eq!(record.offences.len(), 2 * (record.steps.len() + 1));
    assert!(record.offences.iter().all(|offence| offence.kind == Wrong::Connection));
}

#[test]
fn a_player_that_is_silent() {
    let mut kept = Vec::new();
    let record = fault(
        move |stream| {
            kept.push(stream);
            true
        },
        &[Wrong::Late],
    );
    assert_eq!(record.offences.len(), record.steps.len() + 1);
}

#[test]
fn a_player_that_is_slow() {
    let act = after_start(|stream, _| {
        std::thread::sleep(Duration::from_millis(900));
        reply(stream, "noop");
    });
    fault(act, &[Wrong::Late]);
}

#[test]
fn a_player_that_makes_illegal_moves() {
    let record = fault(after_start(|stream, _| reply(stream, "( mark 9 9 )")), &[Wrong::Illegal]);
    assert_eq!(record.offences.len(), record.steps.len());
    assert_eq!(record.offences[0].what, "`( mark 9 9 )` is not a legal move");
}

#[test]
fn a_player_that_talks_nonsense() {
    for nonsense in ["", "( mark", ") noop (", "a b c", "\u{0}\u{1b}[2J"] {
        fault(
            after_start(move |stream, _| reply(stream, nonsense)),
            &[Wrong::Unreadable, Wrong::Illegal],
        );
    }
}

#[test]
fn a_player_that_does_not_speak_http() {
    let act = after_start(|stream, _| {
        let _ = stream.write_all(b"\xff\xfe\x00 what? \r\n\r\n noop");
    });
    fault(act, &[Wrong::Connection]);
}

#[test]
fn a_player_that_refuses() {
    let act = |mut stream: TcpStream| {
        read_message(&mut stream);
        let _ = stream.write_all(b"HTTP/1.0 500 No\r\nContent-length: 4\r\n\r\nnoop");
        true
    };
    fault(act, &[Wrong::Unreadable]);
}

#[test]
fn a_player_that_sends_half_a_reply() {
    let act = after_start(|stream, _| {
        let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-length: 100\r\n\r\n( mark 1");
    });
    fault(act, &[Wrong::Connection]);
    let act = after_start(|stream, _| {
        let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nCont");
    });
    fault(act, &[Wrong::Connection]);
}

#[test]
fn a_player_that_sends_megabytes() {
    let act = after_start(|stream, _| {
        let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\n\r\n");
        // Until the connection is closed.
        while stream.write_all(&[b'x'; 1 << 16]).is_ok() {}
    });
    fault(act, &[Wrong::Unreadable]);
    let act = after_start(|stream, _| {
        // A head without end.
        let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n");
        while stream.write_all(b"X-Header: endless\r\n").is_ok() {}
    });
    fault(act, &[Wrong::Connection]);
}

#[test]
fn a_player_that_goes_in_the_middle_of_the_match() {
    let mut messages = 0;
    let act = move |mut stream: TcpStream| {
        messages += 1;
        let message = read_message(&mut stream);
        reply(&mut stream, if message.contains("START") { "ready" } else { "noop" });
        messages < 2
    };
    let record = fault(act, &[Wrong::Connection]);
    assert_eq!(record.offences.len(), record.steps.len() - 1, "the first noop was in order");
}

#[test]
fn every_player_is_told_what_the_protocol_says() {
    let (sender, heard) = channel();
    let act = move |mut stream: TcpStream| {
        let message = read_message(&mut stream);
        reply(&mut stream, if message.contains("START") { "READY" } else { "NOOP" });
        sender.send(message).is_ok()
    };
    let record = play(vec![local("random"), remote(fake_player(act))], None);
    // The player hands a message on after it has answered, so the last one may come a little later.
    let next = || heard.recv_timeout(Duration::from_secs(5)).ok();
    let messages: Vec<String> = std::iter::from_fn(next).take(record.steps.len() + 2).collect();
    assert!(heard.try_recv().is_err(), "nothing is said twice");
    let start = &messages[0];
    assert!(start.starts_with("( START match.1 o ( (role x) (role o) "), "{start}");
    assert!(start.ends_with(" ) 0.3 0.2 )"), "{start}");
    assert_eq!(messages[1], "( PLAY match.1 NIL )");
    assert_eq!(messages.len(), record.steps.len() + 2);
    for (message, step) in messages[2..].iter().zip(&record.steps) {
        let moves: Vec<String> =
            step.moves.iter().map(|mov| mov.replace('(', "( ").replace(')', " )")).collect();
        let word = if message.contains("STOP") { "STOP" } else { "PLAY" };
        assert_eq!(*message, format!("( {word} match.1 ( {} ) )", moves.join(" ")));
    }
    assert!(messages.last().is_some_and(|last| last.contains("STOP")));
}

#[test]
fn scrambled_rules_hide_every_word() {
    let (sender, heard) = channel();
    let act = move |mut stream: TcpStream| {
        let message = read_message(&mut stream);
        reply(&mut stream, if message.contains("START") { "ready" } else { "noop" });
        sender.send(message).is_ok()
    };
    let record = play(vec![local("random"), remote(fake_player(act))], Some(1));
    // It said `noop`, which means nothing to it any more.
    assert!(record.offences.iter().all(|offence| offence.kind == Wrong::Illegal));
    assert_eq!(record.offences.len(), record.steps.len());
    for message in heard.try_iter() {
        let mut words = message.split(['(', ')', ' ']);
        assert!(
            !words.any(|word| ["mark", "noop", "cell", "x", "o", "b"].contains(&word)),
            "{message}"
        );
    }
}
