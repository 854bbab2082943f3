//! The handle that always has a reasoner: when it changes over, when it does not, and what it says.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gamegrove_game::{Describe, Game, Move, Rng, Role};
use gamegrove_gdl::{Limits, Program, Prover, Rulesheet};
use gamegrove_propnet::{
    Auto, Best, Codec, MoveError, Propnet, Sequence, Status, build_from_rules, compare,
};
use gamegrove_testdata::shared;

/// Two players take turns to take one or two of nine stones; the player that takes the last one wins.
const STONES: &str = "(role a) (role b) (init (heap 9)) (init (control a)) (init board)
    (less 9 8) (less 8 7) (less 7 6) (less 6 5) (less 5 4) (less 4 3) (less 3 2) (less 2 1) (less 1 0)
    (<= (after one ?x ?y) (less ?x ?y))
    (<= (after two ?x ?z) (less ?x ?y) (less ?y ?z))
    (<= (legal ?r ?m) (true (control ?r)) (true (heap ?x)) (after ?m ?x ?y))
    (<= (legal a wait) (true (control b)))
    (<= (legal b wait) (true (control a)))
    (<= (next (heap ?y)) (does ?r ?m) (true (heap ?x)) (after ?m ?x ?y))
    (<= (next (control b)) (true (control a)))
    (<= (next (control a)) (true (control b)))
    (next board)
    (<= terminal (true (heap 0)))
    (<= (goal a 100) (true (control b)))
    (<= (goal a 0) (true (control a)))
    (<= (goal b 100) (true (control a)))
    (<= (goal b 0) (true (control b)))";

/// Grounds to a hundred million rules.
const WIDE: &str = "(role r) (goal r 0) (<= terminal (true done)) (init (p 0 0 0 0))
    (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
    (<= (legal r (m ?a ?b ?c ?d)) (d ?a) (d ?b) (d ?c) (d ?d))
    (<= (next (p ?a ?b ?c ?d)) (does r (m ?a ?b ?c ?d)))
    (<= (next done) (does r (m ?a ?b ?c ?d)) (true (p ?e ?f ?g ?h)) (distinct ?a ?e)
        (distinct ?b ?f) (distinct ?c ?g) (distinct ?d ?h) (or (distinct ?a ?h) (distinct ?b ?g)))";

fn program(text: &str) -> Arc<Program> {
    Rulesheet::load(text.as_bytes()).expect("a sound rulesheet").program
}

const LONG: Duration = Duration::from_secs(60);

/// A random joint move by name; `None` where play is over.
fn pick(best: Best<'_>, rng: &mut Rng) -> Option<Vec<String>> {
    match best {
        Best::Prover(game, state) => pick_in(game, state, rng),
        Best::Network(game, state) => pick_in(game, state, rng),
    }
}

fn pick_in<G: Describe>(game: &mut G, state: &G::State, rng: &mut Rng) -> Option<Vec<String>> {
    if game.is_terminal(state) {
        return None;
    }
    let mut moves: Vec<Move> = Vec::new();
    let names = Role::all(game.role_count()).map(|role| {
        game.legal_moves(state, role, &mut moves);
        let mut names: Vec<String> = moves.iter().map(|&m| game.move_name(role, m)).collect();
        names.sort();
        names[rng.below(names.len())].clone()
    });
    Some(names.collect())
}

#[test]
fn the_network_takes_over_in_the_middle_of_a_game() {
    let program = program(STONES);
    let mut auto = Auto::new(&program, &Limits::default()).expect("a playable game");
    let mut prover = Prover::new(&program).expect("a playable game");
    let mut state = prover.initial_state();
    let mut rng = Rng::new(3);
    assert_eq!(*auto.status(), Status::Building);
    assert_eq!(auto.status().to_string(), "the prover, while the network is built");
    for step in 0.. {
        assert_eq!(auto.facts(), prover.facts(&state));
        // One move on whatever there is; after the second the network is waited for.
        if step == 2 {
            auto.best_within(LONG);
            assert!(matches!(auto.status(), Status::Network { .. }), "{}", auto.status());
            assert!(auto.network().is_some());
        }
        let Some(joint) = pick(auto.best(), &mut rng) else { break };
        auto.advance(&joint).expect("a legal move");
        let moves: Vec<Move> = Role::all(2)
            .zip(&joint)
            .map(|(role, name)| {
                prover.legal_moves(&state, role, &mut Vec::new());
                prover.find_move(role, name).expect("a move that was met")
            })
            .collect();
        let mut next = state.clone();
        prover.apply(&state, &moves, &mut next);
        state = next;
    }
    assert!(prover.is_terminal(&state));
    let told = auto.status().to_string();
    assert!(told.starts_with("the network: "), "{told}");
    auto.restart();
    let start = prover.initial_state();
    assert_eq!(auto.facts(), prover.facts(&start));
}

#[test]
fn positions_are_carried_over_by_name() {
    let mut auto = Auto::new(&program(STONES), &Limits::default()).expect("a playable game");
    let names = |facts: [&str; 3]| facts.map(str::to_owned);
    let there = names(["(control b)", "(heap 4)", "board"]);
    assert!(auto.go_to(&there));
    assert_eq!(auto.facts(), there);
    auto.best_within(LONG);
    assert!(matches!(auto.status(), Status::Network { .. }), "{}", auto.status());
    assert_eq!(auto.facts(), there);
    let wrong = auto.advance(&["one".to_owned(), "two".to_owned()]);
    let illegal = MoveError::Illegal { role: "a".to_owned(), name: "one".to_owned() };
    assert_eq!(wrong, Err(illegal));
    assert_eq!(auto.advance(&[]), Err(MoveError::Count { found: 0, roles: 2 }));
    assert_eq!(auto.advance(&["wait".to_owned(), "two".to_owned()]).map(drop), Ok(()));
    assert_eq!(auto.facts(), names(["(control a)", "(heap 2)", "board"]));
    // Words the rules do not have.
    assert!(!auto.go_to(&["(heap many)".to_owned()]));
    assert_eq!(auto.facts(), names(["(control a)", "(heap 2)", "board"]));
    // No play leads to a state without the board: the prover knows it nevertheless.
    assert!(auto.go_to(&["(heap 4)".to_owned()]));
    assert_eq!(auto.facts(), ["(heap 4)"]);
    let told = auto.status().to_string();
    assert_eq!(told, "the prover: the position is none that play from the start leads to");
}

#[test]
fn the_prover_goes_on_where_the_network_does_not_fit() {
    let limits = [
        Limits { time: Some(Duration::from_millis(50)), ..Limits::default() },
        Limits { time: Some(Duration::ZERO), ..Limits::default() },
        Limits { memory: 1 << 20, ..Limits::default() },
        Limits { steps: Some(100_000), ..Limits::default() },
    ];
    let reasons = ["0.05 s", "0 s", "1 MiB", "100000 steps"];
    for (limits, reason) in limits.iter().zip(reasons) {
        let mut auto = Auto::new(&program(WIDE), limits).expect("a playable game");
        auto.best_within(LONG);
        let told = auto.status().to_string();
        assert!(told.starts_with("the prover: the network was not done within"), "{told}");
        assert!(told.contains(reason), "{told}");
        let joint = pick(auto.best(), &mut Rng::new(1)).expect("the game has just begun");
        assert_eq!(auto.advance(&joint).map(drop), Ok(()));
    }
}

#[test]
fn dropping_the_handle_stops_the_thread() {
    let cancel = Arc::new(AtomicBool::new(false));
    let limits = Limits { time: None, cancel: Some(Arc::clone(&cancel)), ..Limits::default() };
    let program = program(WIDE);
    let auto = Auto::new(&program, &limits).expect("a playable game");
    drop(auto);
    // Without the flag it would take minutes.
    let start = Instant::now();
    while Arc::strong_count(&program) > 1 {
        assert!(start.elapsed() < LONG, "the thread runs on");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!cancel.load(Ordering::Relaxed), "the flag of the limits belongs to the caller");
}

#[test]
fn the_flag_of_the_limits_ends_the_waiting() {
    let cancel = Arc::new(AtomicBool::new(false));
    let limits =
        Limits { time: None, steps: None, cancel: Some(Arc::clone(&cancel)), ..Limits::default() };
    let mut auto = Auto::new(&program(WIDE), &limits).expect("a playable game");
    cancel.store(true, Ordering::Relaxed);
    let start = Instant::now();
    auto.best_within(LONG);
    assert!(start.elapsed() < LONG);
    assert_eq!(*auto.status(), Status::Building);
}

#[test]
fn hostile_rules_leave_the_prover_in_charge() {
    let endless = "(role r) (legal r a) (goal r 0) (init (n 0)) (<= terminal (true never))
        (<= (next (n (s ?x))) (true (n ?x)))";
    let mut auto = Auto::new(&program(endless), &Limits::default()).expect("a playable game");
    auto.best_within(LONG);
    assert!(matches!(auto.status(), Status::Prover(_)), "{}", auto.status());
    for _ in 0..3 {
        auto.advance(&["a".to_owned()]).expect("a legal move");
    }
    assert_eq!(auto.facts(), ["(n (s (s (s 0))))"]);
}

#[test]
fn a_network_of_other_rules_is_found_out() {
    let cases = [
        ("(next board)", "(<= (next board) (true (heap 9)))", "facts"),
        ("(<= terminal (true (heap 0)))", "(<= terminal (true (heap 9)))", "the end"),
        ("(goal a 100)", "(goal a 99)", "goals"),
        ("(legal a wait)", "(legal a pass)", "legal moves"),
    ];
    let mut prover = Prover::new(&program(STONES)).expect("a playable game");
    for (from, to, expected) in cases {
        let other = STONES.replacen(from, to, 1);
        assert_ne!(other, STONES);
        let basic = build_from_rules(&program(&other), 0, &Limits::none()).expect("a small game");
        let network = Arc::new(Sequence::default().run(&basic));
        let mut game: Propnet = Propnet::new(&network).expect("a sound network");
        let (facts, bits) = (prover.initial_state(), game.initial_state());
        let found = (0..20).find_map(|seed| {
            let mut rng = Rng::new(seed);
            compare(&mut prover, &facts, &mut game, &bits, &mut rng, |step| step < 50).err()
        });
        assert_eq!(found.map(|found| found.what), Some(expected));
    }
}

#[test]
fn bits_and_names_are_the_same_state() {
    let basic = build_from_rules(&program(STONES), 0, &Limits::none()).expect("a small game");
    for name in Sequence::PUBLISHED {
        let sequence: Sequence = name.parse().expect("digits");
        let network = Arc::new(sequence.run(&basic));
        let codec = Codec::new(&network);
        let mut game: Propnet = Propnet::new(&network).expect("a sound network");
        let state = game.initial_state();
        let facts = game.facts(&state);
        assert_eq!(codec.bits(&facts), Some(state));
        assert_eq!(codec.bits(&["(heap 77)".to_owned()]), None);
    }
}

/// Its paths would be a million rules; those that the rules ask about are a few thousand.
#[test]
fn what_nobody_asks_for_is_not_grounded() {
    let Some(corpus) = shared("corpus/gdl/public") else { return };
    let text = std::fs::read(corpus.join("crisscross/crisscross.kif")).expect("a readable file");
    let program = Rulesheet::load(&text).expect("a sound rulesheet").program;
    let mut auto = Auto::new(&program, &Limits::default()).expect("a playable game");
    auto.best_within(LONG);
    let told = auto.status().to_string();
    assert!(told.starts_with("the network: "), "{told}");
    assert!(
        told.ends_with("; with those parts of wide relations that the rules ask for"),
        "{told}"
    );
}

/// Rulesheets that are not ground in a moment (`docs/corpus.md`), with a clock of a quarter of a
/// second: a move is made with what there is.
#[test]
fn public_rulesheets_that_do_not_ground_are_played() {
    let Some(corpus) = shared("corpus/gdl/public") else { return };
    let names = ["chess/chess", "laikLee_hex/laikLee_hex", "slaughter/slaughter"];
    let limits = Limits { time: Some(Duration::from_millis(250)), ..Limits::default() };
    for name in names {
        let text = std::fs::read(corpus.join(format!("{name}.kif"))).expect("a readable rulesheet");
        let program = Rulesheet::load(&text).expect("a sound rulesheet").program;
        let mut auto = Auto::new(&program, &limits).expect("a playable game");
        auto.best_within(LONG);
        assert!(matches!(auto.status(), Status::Prover(_)), "{name}: {}", auto.status());
        let joint = pick(auto.best(), &mut Rng::new(1)).expect("the game has just begun");
        assert_eq!(auto.advance(&joint).map(drop), Ok(()), "{name}");
    }
}
