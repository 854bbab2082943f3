//! A search that may generate only so many states.

use crate::support::{game, mcts};
use gamegrove_game::Game;
use gamegrove_search::{Budget, Search, Stop, Team};

#[test]
fn a_search_ends_with_the_simulation_that_reaches_its_number_of_states() {
    let mut game = game("connect_four");
    let state = game.initial_state();
    let settings = mcts("uct", "random").with("expansions", 3_000.0);
    let mut search = Search::new(game.clone(), &settings, 4).expect("good settings");
    for _ in 0..2 {
        search.set_root(&state);
        assert_eq!(search.run(&Budget::simulations(1_000_000)), Stop::Expansions);
        let report = search.report(gamegrove_game::Role(0));
        // A game of connect four has at most 42 moves.
        assert!((3_000..3_042).contains(&report.steps), "{}", report.steps);
        // More time brings no more of them for the same root.
        assert_eq!(search.run(&Budget::simulations(1_000_000)), Stop::Expansions);
        assert_eq!(search.report(gamegrove_game::Role(0)).steps, report.steps);
    }
    search.set_root(&state);
    assert_eq!(search.run(&Budget::simulations(3)), Stop::Simulations);
    let shared = settings.with("threads", 2.0).with("parallel", "tree");
    let mut team = Team::new(&game, &shared, 4).expect("good settings");
    team.set_root(&state);
    assert_eq!(team.run(&mut [], &Budget::simulations(1_000_000)), Stop::Expansions);
    assert!(team.report(gamegrove_game::Role(0)).steps < 3_200);
}
