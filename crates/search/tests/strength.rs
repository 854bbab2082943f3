//! Play that is known to be right.

mod support;

use gamegrove_game::{Game, Goal, Move, Rng, Role};
use gamegrove_search::{Budget, Part, Search};
use support::{game, mcts};

/// Plays a match of a search as `role` against random moves; returns its goal.
fn against_random(name: &str, settings: &Part, role: Role, seed: u64, simulations: u64) -> Goal {
    let mut game = game(name);
    let mut search = Search::new(game.clone(), settings, seed).expect("good settings");
    let mut rng = Rng::stream(seed, 1);
    let mut state = game.initial_state();
    let mut next = state.clone();
    let mut moves = Vec::new();
    while !game.is_terminal(&state) {
        search.set_root(&state);
        search.run(&Budget::simulations(simulations));
        let joint: Vec<Move> = Role::all(game.role_count())
            .map(|each| {
                if each == role {
                    search.best_move(role).expect("play goes on")
                } else {
                    game.legal_moves(&state, each, &mut moves);
                    rng.pick(&moves).expect("a legal move")
                }
            })
            .collect();
        game.apply(&state, &joint, &mut next);
        std::mem::swap(&mut state, &mut next);
    }
    let mut goals = vec![Goal::default(); game.role_count()];
    game.goals(&state, &mut goals);
    goals[role.index()]
}

#[test]
fn never_loses_tic_tac_toe_against_random_moves() {
    for select in ["uct", "rave", "grave", "hrave"] {
        for playout in ["random", "mast"] {
            for seed in 0..6 {
                let role = Role((seed % 2) as u8);
                let goal = against_random("tic_tac_toe", &mcts(select, playout), role, seed, 1000);
                assert!(goal >= Goal(50.0), "{select} {playout} {seed}: {goal}");
            }
        }
    }
}

#[test]
fn beats_random_moves_at_connect_four() {
    // search-and-ggp, section 15, check 16
    let lost = (0..10)
        .filter(|&seed| {
            let role = Role((seed % 2) as u8);
            against_random("connect_four", &mcts("uct", "random"), role, seed, 1000) < Goal(50.0)
        })
        .count();
    assert_eq!(lost, 0);
}
