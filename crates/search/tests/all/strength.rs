//! Play that is known to be right.

use std::collections::HashMap;

use crate::support::{game, mcts};
use gamegrove_game::{Game, Goal, Move, Rng, Role};
use gamegrove_propnet::Propnet;
use gamegrove_search::{Budget, Part, Search};

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

/// The worst that can happen to a search that answers every way of playing against it.
fn worst(
    game: &mut Propnet,
    state: &<Propnet as Game>::State,
    role: Role,
    settings: &Part,
    known: &mut HashMap<<Propnet as Game>::State, Goal>,
) -> Goal {
    if let Some(&goal) = known.get(state) {
        return goal;
    }
    let goal = if game.is_terminal(state) {
        let mut goals = vec![Goal::default(); game.role_count()];
        game.goals(state, &mut goals);
        goals[role.index()]
    } else {
        let mut search = Search::new(game.clone(), settings, 5).expect("good settings");
        search.set_root(state);
        search.run(&Budget::simulations(2_000));
        let own = search.best_move(role).expect("play goes on");
        let other = Role(1 - role.0);
        let mut replies = Vec::new();
        game.legal_moves(state, other, &mut replies);
        let mut worst_goal = Goal::BEST;
        for reply in replies {
            let mut joint = [own, reply];
            joint[other.index()] = reply;
            joint[role.index()] = own;
            let mut next = state.clone();
            game.apply(state, &joint, &mut next);
            let goal = worst(game, &next, role, settings, known);
            if goal < worst_goal {
                worst_goal = goal;
            }
        }
        worst_goal
    };
    known.insert(state.clone(), goal);
    goal
}

#[test]
fn never_loses_tic_tac_toe_whatever_is_played_against_it() {
    for settings in [mcts("uct", "random"), mcts("grave", "mast").with("solver", "select")] {
        for role in [Role(0), Role(1)] {
            let mut game = game("tic_tac_toe");
            let start = game.initial_state();
            let goal = worst(&mut game, &start, role, &settings, &mut HashMap::new());
            assert!(goal >= Goal(50.0), "{settings} as {role:?}: {goal}");
        }
    }
}

#[test]
fn beats_random_moves_at_connect_four() {
    // [Sironi 2019, 5]
    let lost = (0..10)
        .filter(|&seed| {
            let role = Role((seed % 2) as u8);
            against_random("connect_four", &mcts("uct", "random"), role, seed, 1000) < Goal(50.0)
        })
        .count();
    assert_eq!(lost, 0);
}
