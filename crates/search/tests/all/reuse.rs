//! What is kept from one step of a match to the next.

use crate::support::{after, game, mcts};
use gamegrove_game::{Game, Role};
use gamegrove_search::{Budget, Part, Search};

/// The nodes after a search of the first position, and after each of the positions that follow,
/// none of which is searched.
fn nodes(settings: &Part, positions: &[&[&str]]) -> Vec<usize> {
    let mut game = game("tic_tac_toe");
    let mut search = Search::new(game.clone(), settings, 5).expect("good settings");
    search.set_root(&game.initial_state());
    search.run(&Budget::simulations(30));
    let mut nodes = vec![search.tree().len()];
    for moves in positions {
        let state = after(&mut game, moves);
        assert!(search.tree().ids().all(|id| search.state(id) != Some(&state)));
        search.set_root(&state);
        nodes.push(search.tree().len());
    }
    nodes
}

/// Three steps to positions that no simulation has met.
const UNKNOWN: [&[&str]; 3] = [
    &["(mark 1 1)", "(mark 1 2)", "(mark 1 3)", "(mark 2 1)"],
    &["(mark 1 1)", "(mark 1 2)", "(mark 1 3)", "(mark 2 1)", "(mark 2 2)"],
    &["(mark 1 1)", "(mark 1 2)", "(mark 1 3)", "(mark 2 1)", "(mark 2 2)", "(mark 2 3)"],
];

#[test]
fn a_root_that_is_not_in_the_table_leaves_the_table_as_it_is() {
    // [Sironi 2019, 2.5.4]: only what no simulation met in the last two steps is dropped.
    let found = nodes(&mcts("uct", "random"), &UNKNOWN);
    assert_eq!(found[1], found[0] + 1, "{found:?}");
    assert_eq!(found[2], found[0] + 2, "{found:?}");
    assert!(found[3] <= 3, "{found:?}");
}

#[test]
fn without_a_table_nothing_leads_from_a_new_root_to_old_nodes() {
    for settings in [
        mcts("uct", "random").with("table", false),
        mcts("uct", "random").with("reuse", "tree"),
        mcts("uct", "random").with("reuse", "nothing"),
    ] {
        assert_eq!(nodes(&settings, &UNKNOWN[..1])[1], 1, "{settings}");
    }
}

#[test]
fn what_was_proved_outlives_a_root_that_is_not_in_the_table() {
    let mut game = game("tic_tac_toe");
    let settings = mcts("uct", "random").with("solver", "select");
    let mut search = Search::new(game.clone(), &settings, 5).expect("good settings");
    let near_end =
        ["(mark 1 1)", "(mark 1 2)", "(mark 1 3)", "(mark 2 1)", "(mark 2 2)", "(mark 2 3)"];
    search.set_root(&after(&mut game, &near_end));
    search.run(&Budget::simulations(1_000));
    let proved = search.proved(Role(0)).expect("there is a solver");
    assert!(proved.is_exact());
    // Another position, then back to the first: its value needs no simulation.
    search.set_root(&after(&mut game, &["(mark 3 3)", "(mark 3 2)"]));
    search.set_root(&after(&mut game, &near_end));
    assert_eq!(search.proved(Role(0)).expect("there is a solver"), proved);
    assert!(search.best_move(Role(0)).is_some());
}
