//! Exhaustive walks over rulesheets that ship, against the plain walk and known counts.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use gamegrove_game::walk::{count, distinct};
use gamegrove_game::{Game, Perft, perft};
use gamegrove_gdl::{Prover, Rulesheet};

fn rules(text: &str) -> Prover {
    let sheet = Rulesheet::load(text.as_bytes()).expect("a sound rulesheet");
    Prover::new(&sheet.program).expect("a playable game")
}

fn shipped(name: &str) -> Prover {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/gdl");
    let file = folder.join(name).with_extension("kif");
    rules(&std::fs::read_to_string(file).expect("a shipped game"))
}

fn counts(game: &mut Prover, depth: u32, threads: usize) -> Perft {
    let start = game.initial_state();
    count(game, &start, depth, threads, &AtomicBool::new(false), &mut |_, _| ())
        .expect("no limit is hit")
}

#[test]
fn the_counts_equal_those_of_the_plain_walk() {
    let depths =
        [("tic_tac_toe", 7), ("tron", 3), ("eight_puzzle", 9), ("checkers", 4), ("chess", 2)];
    for (name, deepest) in depths {
        let mut game = shipped(name);
        let start = game.initial_state();
        for depth in 0..=deepest {
            let plain = perft(&mut game, &start, depth);
            for threads in [1, 3] {
                assert_eq!(counts(&mut game, depth, threads), plain, "{name}, depth {depth}");
            }
        }
    }
}

#[test]
fn states_without_a_move_are_counted() {
    let stuck = "(role r) (init a) (<= (legal r go) (true a)) (<= (next b) (does r go))
        (<= terminal (true c)) (goal r 0)";
    assert_eq!(counts(&mut rules(stuck), 5, 2), Perft { nodes: 0, terminals: 0, stuck: 1 });
    assert_eq!(counts(&mut rules(stuck), 1, 2), Perft { nodes: 1, terminals: 0, stuck: 0 });
}

#[test]
fn different_states_are_found_up_to_a_depth_and_a_limit() {
    let mut game = shipped("tic_tac_toe");
    let mut found =
        |depth, limit| distinct(&mut game, depth, limit, &mut |_, _| ()).expect("sound");
    let all = found(u32::MAX, 10_000);
    assert_eq!((all.states(), all.terminals(), all.limited), (5478, 958, false));
    let few = found(u32::MAX, 1000);
    assert_eq!((few.states(), few.limited), (1000, true));
    let near = found(1, 10_000);
    assert_eq!((near.states(), near.limited), (10, false));
}

#[test]
fn circles_end() {
    let circle = "(role r) (init (at 0)) (legal r go) (goal r 100) (<= terminal (true (at 9)))
        (after 0 1) (after 1 2) (after 2 0) (<= (next (at ?b)) (true (at ?a)) (after ?a ?b))";
    let found = distinct(&mut rules(circle), u32::MAX, 1000, &mut |_, _| ()).expect("sound");
    assert_eq!((found.states(), found.terminals(), found.limited), (3, 0, false));
}
