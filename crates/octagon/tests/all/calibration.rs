//! Size of the game tree under random play, against the estimates of [Fernandes 2013, 2.3], and the
//! advantage of the second player. The example
//! `calibrate` does the same over many more games, beside the published powers of ten.

use crate::support;

use gamegrove_game::{Game, Goal, Rng, TypedMoves};
use gamegrove_octagon::Config;

/// Mean logarithm of the tree's size, and how often each player won, over typed random games.
fn play(description: &str, games: u32, rng: &mut Rng) -> (f64, [u32; 2]) {
    let preferences = Config::shipped().random_player;
    let mut game = support::game(description);
    let (mut moves, mut types) = (Vec::new(), Vec::new());
    let (mut log, mut wins) = (0.0, [0; 2]);
    for _ in 0..games {
        let mut state = game.initial_state();
        while !game.is_terminal(&state) {
            let mover = state.mover();
            game.typed_moves(&state, mover, &mut moves, &mut types);
            log += (moves.len() as f64).log10();
            let mut joint = [game.noop(); 2];
            joint[mover.index()] = preferences.pick(&moves, &types, rng).unwrap();
            let before = state;
            game.apply(&before, &joint, &mut state);
        }
        let mut goals = [Goal::default(); 2];
        game.goals(&state, &mut goals);
        for (wins, goal) in wins.iter_mut().zip(goals) {
            *wins += u32::from(goal == Goal::BEST);
        }
    }
    (log / f64::from(games), wins)
}

#[test]
fn tree_sizes_match_the_readings() {
    let mut rng = Rng::new(41);
    for (options, expected) in [
        ("cannon=last_piece, stock=unlimited", [68.1, 117.7, 281.3]),
        ("cannon=last_piece, stock=large", [68.0, 117.4, 276.7]),
        ("cannon=line_shift, stock=unlimited", [68.2, 118.4, 294.6]),
        ("cannon=line_shift, stock=large", [68.2, 118.1, 289.6]),
    ] {
        for (board, expected) in ["small", "medium", "large"].into_iter().zip(expected) {
            let (log, _) = play(&format!("{board}, {options}"), 300, &mut rng);
            // The estimates stem from 1,000 games; a game's deviation is below 5, so the mean of
            // 300 is within 1 of theirs.
            assert!((log - expected).abs() < 1.0, "{board} {options}: {log} {expected}");
        }
    }
}

#[test]
fn the_second_player_wins_more() {
    let mut rng = Rng::new(42);
    for board in ["small", "medium", "large"] {
        let (_, [first, second]) = play(board, 1_000, &mut rng);
        assert!(second > first + 50, "{board}: {first} {second}");
    }
}
