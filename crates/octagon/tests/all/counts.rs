//! Counts known from outside [Fernandes 2013, 2.2]: sequences of unique moves from the
//! empty board.

use crate::support;

use gamegrove_game::{Game, count_paths, perft};

#[test]
fn unique_moves_to_four_plies() {
    for (board, counts) in [
        ("small", [36, 1_476, 58_824, 2_639_832]),
        ("medium", [68, 5_004, 362_680, 28_353_144]),
        ("large", [96, 9_776, 984_856, 105_068_608]),
    ] {
        // The counts are said to hold under either reading of cannons and of 2-pieces.
        for options in ["", "cannon=line_shift", "two_piece=right_angle"] {
            let mut game = support::game(&format!("{board}, stock=unlimited, {options}"));
            let start = game.initial_state();
            for (depth, count) in (1..).zip(counts) {
                assert_eq!(count_paths(&mut game, &start, depth), count, "{board} {options}");
            }
        }
    }
}

#[test]
fn no_game_of_four_plies_is_over() {
    let mut game = support::game("small");
    let start = game.initial_state();
    let found = perft(&mut game, &start, 3);
    assert_eq!((found.nodes, found.terminals), (58_824, 0));
}
