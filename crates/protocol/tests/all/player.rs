//! The player as a manager meets it, over real HTTP. The manager here is written from the wire format
//! alone and knows tic-tac-toe by itself.

use crate::support;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use gamegrove_game::{Describe, Game, Move, Role};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_protocol::{Seat, SeatConfig};
use support::{ask, config, read_reply, say, serve, shipped};

/// The usual rules of tic-tac-toe.
#[derive(Default)]
struct Board {
    /// 0 is empty, 1 is x, 2 is o.
    cells: [[u8; 3]; 3],
    made: usize,
}

impl Board {
    /// The cell that `( mark COLUMN ROW )` means, if it may be marked.
    fn free_cell(&self, reply: &str) -> Option<(usize, usize)> {
        let words: Vec<&str> = reply.split_whitespace().collect();
        let ["(", "mark", one, two, ")"] = words[..] else { return None };
        let (one, two): (usize, usize) = (one.parse().ok()?, two.parse().ok()?);
        let free = *self.cells.get(one - 1)?.get(two - 1)? == 0;
        free.then_some((one - 1, two - 1))
    }

    fn winner(&self) -> Option<u8> {
        let at = |(one, two): (usize, usize)| self.cells[one][two];
        let mut lines: Vec<[(usize, usize); 3]> =
            vec![[(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]];
        for one in 0..3 {
            lines.push([(one, 0), (one, 1), (one, 2)]);
            lines.push([(0, one), (1, one), (2, one)]);
        }
        let same = |line: &[(usize, usize); 3]| {
            at(line[0]) > 0 && line.iter().all(|&cell| at(cell) == at(line[0]))
        };
        lines.iter().find(|line| same(line)).map(|line| at(line[0]))
    }
}

/// Plays a match as a manager does: all players are asked at the same time.
fn manage(players: [SocketAddr; 2], id: &str, clock: &str) -> Board {
    let rules = shipped("tic_tac_toe");
    let everybody = |messages: [String; 2]| -> Vec<String> {
        std::thread::scope(|scope| {
            let asked: Vec<_> = players
                .into_iter()
                .zip(&messages)
                .map(|(player, message)| scope.spawn(move || say(player, message)))
                .collect();
            asked.into_iter().map(|thread| thread.join().expect("a reply")).collect()
        })
    };
    let start = |role: &str| format!("( START {id} {role} ( {rules} ) {clock} {clock} )");
    assert_eq!(everybody([start("x"), start("o")]), ["ready", "ready"]);
    let mut board = Board::default();
    let mut last = "NIL".to_owned();
    while board.winner().is_none() && board.made < 9 {
        let message = format!("( PLAY {id} {last} )");
        let asked = Instant::now();
        let replies = everybody([message.clone(), message]);
        let limit = clock.parse::<f64>().expect("a number") + 1.0;
        assert!(asked.elapsed().as_secs_f64() < limit, "late: {:?}", asked.elapsed());
        let mover = board.made % 2;
        let (one, two) = board
            .free_cell(&replies[mover])
            .unwrap_or_else(|| panic!("no legal move: {} in step {}", replies[mover], board.made));
        assert_eq!(replies[1 - mover], "noop");
        board.cells[one][two] = mover as u8 + 1;
        board.made += 1;
        last = format!("( {} )", replies.join(" "));
    }
    let stop = format!("( STOP {id} {last} )");
    assert_eq!(everybody([stop.clone(), stop]), ["done", "done"]);
    board
}

#[test]
fn two_players_play_for_an_independent_manager() {
    let players = [serve(config("grove")), serve(config("random"))];
    // The better one begins; it may draw, it does not lose.
    for id in ["first.1", "first.2"] {
        let board = manage(players, id, "0.3");
        assert_ne!(board.winner(), Some(2), "{:?}", board.cells);
    }
}

#[test]
fn one_match_at_a_time_and_only_that() {
    let player = serve(SeatConfig { ponder: false, ..config("random") });
    let rules = shipped("tic_tac_toe");
    let start = |id: &str| format!("( START {id} o ( {rules} ) 5 5 )");
    assert_eq!(say(player, "( INFO )"), "( ( name gamegrove ) ( status available ) )");
    assert_eq!(say(player, "( PREVIEW ( (role x) ) 5 )"), "ready");
    assert_eq!(say(player, "( PLAY a NIL )"), "busy");
    assert_eq!(say(player, "( STOP a NIL )"), "busy");
    assert_eq!(say(player, "( ABORT a )"), "busy");
    assert_eq!(say(player, &start("a")), "ready");
    assert_eq!(say(player, "( info )"), "( ( name gamegrove ) ( status busy ) )");
    assert_eq!(say(player, "( PREVIEW ( (role x) ) 5 )"), "busy");
    assert_eq!(say(player, &start("b")), "busy");
    assert_eq!(say(player, &start("a")), "ready", "the same message again");
    assert_eq!(say(player, "( PLAY b NIL )"), "busy");
    assert_eq!(say(player, "( Play A nil )"), "noop");
    assert_eq!(say(player, "( STOP b NIL )"), "busy");
    assert_eq!(say(player, "( Abort a )"), "aborted");
    assert_eq!(say(player, "( PLAY a NIL )"), "busy");
    assert_eq!(say(player, &start("b")), "ready");
    assert_eq!(say(player, "( STOP b NIL )"), "done");
    assert_eq!(say(player, "( INFO )"), "( ( name gamegrove ) ( status available ) )");
}

#[test]
fn a_request_that_comes_again_is_no_second_step() {
    let player = serve(config("random"));
    let rules = shipped("tic_tac_toe");
    assert_eq!(say(player, &format!("( START m x ( {rules} ) 5 5 )")), "ready");
    let first = say(player, "( PLAY m NIL )");
    assert_eq!(say(player, "( PLAY m NIL )"), first);
    let joint = format!("( PLAY m ( {first} noop ) )");
    assert_eq!(say(player, &joint), "noop");
    assert_eq!(say(player, &joint), "noop");
    let third = say(player, "( PLAY m ( noop ( mark 3 3 ) ) )");
    if first != "( mark 3 3 )" {
        assert_eq!(say(player, "( PLAY m ( noop ( mark 3 3 ) ) )"), third);
        assert_ne!(third, "noop", "it is x's turn");
        assert_ne!(third, first);
        assert_ne!(third, "( mark 3 3 )");
    }
}

#[test]
fn moves_come_back_in_the_spelling_of_the_rules() {
    let player = serve(config("random"));
    let rules = "(ROLE Robot) (INIT Zero) (LEGAL Robot (Go 1)) (<= (NEXT One) (DOES Robot (Go 1))) \
                 (<= TERMINAL (TRUE One)) (GOAL Robot 100)";
    assert_eq!(say(player, &format!("( START m ROBOT ( {rules} ) 1 1 )")), "ready");
    assert_eq!(say(player, "( PLAY m NIL )"), "( Go 1 )");
}

#[test]
fn what_is_no_message_harms_nobody() {
    let player = serve(config("random"));
    let (status, reply) = ask(player, "hello");
    assert_eq!(status, 400, "{reply}");
    for garbage in ["", "( PLAY", "()", "( ( ( )", "( START m x ( (role x) ) )", "\u{0}\u{1}"] {
        assert_eq!(ask(player, garbage).0, 400, "{garbage:?}");
    }
    assert_eq!(ask(player, &"(".repeat(100_000)).0, 400);
    assert_eq!(ask(player, &"x".repeat((16 << 20) + 1)).0, 413);
    for rules in ["(role x)", "(role x", "(next (f ?x))", "", "(role x) (init y) (legal x a)"] {
        let (status, reply) = ask(player, &format!("( START m x ( {rules} ) 1 1 )"));
        assert!(status == 400 || reply == "ready", "{rules}: {status} {reply}");
        ask(player, "( ABORT m )");
    }
    let rules = shipped("tic_tac_toe");
    let (status, reply) = ask(player, &format!("( START m nobody ( {rules} ) 1 1 )"));
    assert_eq!((status, &*reply), (400, "the rules have no role nobody"));
    // Not HTTP, no end, no beginning.
    for garbage in [&b"\x00\xff\xfe garbage\r\n\r\n"[..], b"POST / HTTP/1.1\r\n", b""] {
        let mut stream = TcpStream::connect(player).expect("it listens");
        stream.write_all(garbage).expect("it listens");
        drop(stream);
    }
    let mut other = TcpStream::connect(player).expect("it listens");
    other.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it listens");
    assert_eq!(read_reply(other).0, 405);
    assert_eq!(say(player, "( INFO )"), "( ( name gamegrove ) ( status available ) )");
}

/// Eight counters of thirty values each: a relation over all of them has more rows than any machine
/// can ground, while only one of them ever holds.
fn ungroundable() -> String {
    let mut rules = String::from("(role robot) (init (age 0)) ");
    for value in 0..30 {
        rules += &format!("(value {value}) (succ {value} {}) ", value + 1);
    }
    for slot in "abcdefgh".chars() {
        rules += &format!(
            "(init ({slot} 0)) (<= (legal robot (set {slot} ?v)) (value ?v) (not (true ({slot} ?v)))) \
             (<= (next ({slot} ?v)) (does robot (set {slot} ?v))) \
             (<= (next ({slot} ?v)) (true ({slot} ?v)) (not (changes {slot}))) \
             (<= (changes {slot}) (does robot (set {slot} ?v))) "
        );
    }
    rules += "(<= (next (seen ?a ?b ?c ?d ?e ?f ?g ?h)) (true (a ?a)) (true (b ?b)) (true (c ?c)) \
              (true (d ?d)) (true (e ?e)) (true (f ?f)) (true (g ?g)) (true (h ?h))) \
              (<= (next (seen ?a ?b ?c ?d ?e ?f ?g ?h)) (true (seen ?a ?b ?c ?d ?e ?f ?g ?h))) \
              (<= (next (age ?n)) (true (age ?m)) (succ ?m ?n)) (<= terminal (true (age 20))) \
              (<= (goal robot 100) (true (seen ?a ?b ?c ?d ?e ?f ?g 7))) \
              (<= (goal robot 0) (not (true (seen 7 7 7 7 7 7 7 7))))";
    rules
}

/// A game whose end and goals take longer to work out than any clock.
fn endless_questions() -> String {
    let mut rules = String::from("(role robot) (init (age 0)) ");
    for value in 0..40 {
        rules += &format!("(value {value}) (succ {value} {}) ", value + 1);
    }
    rules += "(legal robot left) (legal robot right) (<= (legal robot (jump ?n)) (true (age ?n))) \
              (<= (next (age ?n)) (true (age ?m)) (succ ?m ?n)) \
              (<= (riddle ?a ?b ?c ?d ?e ?f ?g) (value ?a) (value ?b) (value ?c) (value ?d) (value ?e) \
              (value ?f) (value ?g) (true (answer ?a ?b ?c ?d ?e ?f ?g))) \
              (<= (solved) (value ?a) (value ?b) (value ?c) (value ?d) (value ?e) (value ?f) (value ?g) \
              (distinct ?a ?b) (not (true (age ?a))) (not (open ?a ?b ?c ?d ?e ?f ?g))) \
              (<= (open ?a ?b ?c ?d ?e ?f ?g) (value ?a) (value ?b) (value ?c) (value ?d) (value ?e) \
              (value ?f) (value ?g) (not (riddle ?a ?b ?c ?d ?e ?f ?g))) \
              (<= terminal (solved)) (<= (goal robot 100) (solved)) \
              (<= (goal robot 0) (not (solved))) (<= (next (answer 1 1 1 1 1 1 1)) (true (age 39)))";
    rules
}

/// Plays steps of a game with one role and checks every move with a reasoner.
fn check_moves(rules: &str, role: &str, steps: usize, clock: f64) {
    let player = serve(config("grove"));
    let sheet = Rulesheet::load(rules.as_bytes()).expect("sound rules");
    let mut game = Prover::new(&sheet.program).expect("it has roles");
    let mut state = game.initial_state();
    let timed = |message: &str| {
        let start = Instant::now();
        let reply = say(player, message);
        // A second more is what managers grant; the player means to need none of it.
        assert!(start.elapsed() < Duration::from_secs_f64(clock + 1.0), "{:?}", start.elapsed());
        reply
    };
    assert_eq!(timed(&format!("( START m {role} ( {rules} ) {clock} {clock} )")), "ready");
    let mut last = "NIL".to_owned();
    for step in 0..steps {
        let reply = timed(&format!("( PLAY m {last} )"));
        let name = reply.replace("( ", "(").replace(" )", ")");
        let mut legal: Vec<Move> = Vec::new();
        game.legal_moves(&state, Role(0), &mut legal);
        let mov = game.find_move(Role(0), &name).filter(|mov| legal.contains(mov));
        let mov = mov.unwrap_or_else(|| panic!("{reply} is not legal in step {step}"));
        let mut next = state.clone();
        game.apply(&state, &[mov], &mut next);
        state = next;
        last = format!("( {reply} )");
    }
    assert_eq!(say(player, "( ABORT m )"), "aborted");
}

#[test]
fn a_game_that_cannot_be_grounded_is_played_all_the_same() {
    check_moves(&ungroundable(), "robot", 5, 1.0);
}

#[test]
fn a_game_whose_questions_take_for_ever_is_played_all_the_same() {
    check_moves(&endless_questions(), "robot", 4, 1.0);
}

#[test]
fn it_finds_the_one_good_move() {
    let mut rules = String::from("(role robot) (init (at start)) ");
    for number in 0..40 {
        rules += &format!("(legal robot (dig {number})) ");
    }
    rules += "(<= (next (at ?n)) (does robot (dig ?n))) (<= terminal (not (true (at start)))) \
              (<= (goal robot 100) (true (at 23))) (<= (goal robot 0) (not (true (at 23))))";
    for agent in ["grove", "uct", "flat_mc"] {
        let player = serve(config(agent));
        assert_eq!(say(player, &format!("( START m robot ( {rules} ) 1 1 )")), "ready");
        assert_eq!(say(player, "( PLAY m NIL )"), "( dig 23 )", "{agent}");
    }
}

#[test]
fn clocks_shorter_than_a_second_are_enough_for_large_games() {
    for (game, role) in [("chess", "white"), ("checkers", "white")] {
        let player = serve(config("grove"));
        let rules = shipped(game);
        let start = Instant::now();
        let (status, reply) = ask(player, &format!("( START m {role} ( {rules} ) 1 0.3 )"));
        if status == 400 {
            // The role has another name.
            assert!(reply.contains("no role"), "{game}: {reply}");
            continue;
        }
        assert_eq!(reply, "ready");
        let mov = say(player, "( PLAY m NIL )");
        assert!(start.elapsed() < Duration::from_secs(4));
        let sheet = Rulesheet::load(rules.as_bytes()).expect("sound rules");
        let mut prover = Prover::new(&sheet.program).expect("it has roles");
        let state = prover.initial_state();
        let mut legal = Vec::new();
        let role = Role::all(2).find(|&r| prover.role_name(r) == role).expect("the role");
        prover.legal_moves(&state, role, &mut legal);
        let name = mov.replace("( ", "(").replace(" )", ")");
        let found = prover.find_move(role, &name);
        assert!(found.is_some_and(|found| legal.contains(&found)), "{game}: {mov}");
    }
}

#[test]
fn a_match_that_nobody_goes_on_with_is_given_up() {
    let config = SeatConfig { patience: Duration::from_millis(100), ..config("random") };
    let player = serve(config);
    let rules = shipped("tic_tac_toe");
    assert_eq!(say(player, &format!("( START m x ( {rules} ) 0.1 0.1 )")), "ready");
    assert_eq!(say(player, "( INFO )"), "( ( name gamegrove ) ( status busy ) )");
    let waited = Instant::now();
    while say(player, "( INFO )").contains("busy") {
        assert!(waited.elapsed() < Duration::from_secs(30), "still busy");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_client_that_never_comes_to_an_end_is_sent_away() {
    let player = serve(config("random"));
    let mut clients = Vec::new();
    for beginning in ["", "POST / HTTP/1.1\r\nHost: x\r\n"] {
        let mut stream = TcpStream::connect(player).expect("it listens");
        stream.write_all(beginning.as_bytes()).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(40))).expect("a socket");
        clients.push(stream);
    }
    // Others are heard meanwhile.
    assert!(say(player, "( INFO )").contains("available"));
    for mut stream in clients {
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).expect("the connection is closed");
        assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 408"), "{rest:?}");
    }
}

#[test]
fn nothing_runs_on_after_the_match() {
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        for rules in [shipped("chess"), ungroundable(), endless_questions()] {
            let seat = Seat::new(config("grove"));
            let role = if rules.contains("(role white)") { "white" } else { "robot" };
            let send =
                async |message: String| seat.answer(Instant::now(), message.into_bytes()).await;
            let reply = send(format!("( START m {role} ( {rules} ) 1 1 )")).await;
            assert!(reply.is_ok, "{reply:?}");
            assert!(!seat.is_idle());
            assert!(send("( PLAY m NIL )".to_owned()).await.is_ok);
            assert!(send("( ABORT m )".to_owned()).await.is_ok);
            let waited = Instant::now();
            while !seat.is_idle() {
                assert!(waited.elapsed() < Duration::from_secs(20), "threads go on");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    });
}
