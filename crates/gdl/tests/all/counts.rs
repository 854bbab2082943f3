//! Numbers known from outside, on the rulesheets of our own.
//!
//! Tic-tac-toe, chess, connect four and checkers (English draughts, where the first sequences of
//! jumps come at depth seven): published counts. Breakthrough, tron, the eight puzzle and amazons: the
//! programs in `independent.rs`. Skirmish has the counts of chess as long as no side can give check.

use std::path::Path;

use gamegrove_game::{Describe, Game, Perft, Role, count_paths, perft};
use gamegrove_gdl::{Prover, Rulesheet};

fn game(name: &str) -> Prover {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../games/gdl/{name}.kif"));
    let text = std::fs::read(&path).expect("a shipped rulesheet");
    let sheet = Rulesheet::load(&text).unwrap_or_else(|found| panic!("{name}: {found:?}"));
    assert_eq!(sheet.warnings, [], "{name}");
    Prover::new(&sheet.program).expect("a playable game")
}

/// Checks the number of move sequences of each length from 1 on.
fn check(name: &str, expected: &[u64]) {
    let mut game = game(name);
    let start = game.initial_state();
    let found: Vec<u64> =
        (1..=expected.len() as u32).map(|depth| count_paths(&mut game, &start, depth)).collect();
    assert_eq!(found, expected, "{name}");
    assert_eq!(game.take_fault(), None);
}

#[test]
fn tic_tac_toe() {
    let mut game = game("tic_tac_toe");
    let start = game.initial_state();
    assert_eq!(perft(&mut game, &start, 9), Perft { nodes: 127_872, terminals: 255_168, stuck: 0 });
    assert_eq!(game.facts(&start).len(), 10);
    assert_eq!((game.move_bound(Role(0)), game.move_bound(Role(1))), (10, 10));
}

#[test]
fn connect_four() {
    check("connect_four", &[7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]);
}

#[test]
fn breakthrough() {
    check("breakthrough", &[22, 484, 11_132, 256_036]);
}

#[test]
fn chess() {
    check("chess", &[20, 400, 8_902, 197_281]);
}

#[test]
fn checkers() {
    check("checkers", &[7, 49, 302, 1_469, 7_361, 36_768]);
}

#[test]
fn eight_puzzle() {
    check("eight_puzzle", &[2, 6, 16, 48, 128, 384, 1_024, 3_072, 8_192, 24_576]);
}

#[test]
fn tron() {
    check("tron", &[9, 81, 729, 5_625, 35_649]);
}

#[test]
fn amazons() {
    check("amazons", &[2_176, 4_307_152]);
}

#[test]
fn skirmish() {
    check("skirmish", &[20, 400, 8_902]);
}
