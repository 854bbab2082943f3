//! Strategies that must be the same search under other names, and what holds in every tree.

mod support;

use gamegrove_game::{Game, Move, Role};
use gamegrove_search::{Budget, Part, Search};
use support::{game, mcts};

/// Visits and sums of all nodes after a short match of searches.
fn fingerprint(name: &str, settings: &Part) -> Vec<(u32, Vec<(u32, u64)>)> {
    let mut game = game(name);
    let mut search = Search::new(game.clone(), settings, 7).expect("good settings");
    let mut state = game.initial_state();
    for _ in 0..3 {
        search.set_root(&state);
        search.run(&Budget::simulations(400));
        let joint: Vec<Move> = Role::all(game.role_count())
            .map(|role| search.best_move(role).expect("play goes on"))
            .collect();
        let mut next = state.clone();
        game.apply(&state, &joint, &mut next);
        state = next;
    }
    let tree = search.tree();
    let of = |id| {
        let all = Role::all(game.role_count()).flat_map(|role| tree.statistics(id, role));
        (tree.node(id).visits, all.map(|s| (s.visits, s.sum.to_bits())).collect())
    };
    tree.ids().map(of).collect()
}

const GAMES: [&str; 4] = ["tic_tac_toe", "connect_four", "breakthrough", "tron"];

#[track_caller]
fn same(one: &Part, other: &Part) {
    for name in GAMES {
        assert!(fingerprint(name, one) == fingerprint(name, other), "{name}: {one} and {other}");
    }
}

#[test]
fn equal_seeds_give_equal_trees() {
    let grave = mcts("grave", "mast");
    same(&grave, &grave.clone());
}

#[test]
fn grave_without_reference_visits_is_rave() {
    // search-and-ggp, section 15, check 5
    same(&mcts(Part::named("grave").with("ref", 0.0), "random"), &mcts("rave", "random"));
}

#[test]
fn grave_with_infinite_reference_visits_is_hrave() {
    let grave = Part::named("grave").with("ref", f64::INFINITY);
    same(&mcts(grave, "mast"), &mcts("hrave", "mast"));
}

#[test]
fn rave_without_weight_is_uct() {
    let uct = mcts(Part::named("uct").with("c", 0.3), "random");
    for name in ["rave", "grave", "hrave"] {
        let other = Part::named(name).with("c", 0.3).with("k", 0.0).with("unvisited_fpu", true);
        same(&mcts(other, "random"), &uct);
    }
}

#[test]
fn different_seeds_and_settings_differ() {
    let uct = fingerprint("connect_four", &mcts("uct", "random"));
    assert!(uct != fingerprint("connect_four", &mcts("rave", "random")));
    assert!(uct != fingerprint("connect_four", &mcts("uct", "mast")));
}

#[test]
fn visits_add_up_in_every_node() {
    // search-and-ggp, section 15, check 7
    for name in GAMES {
        for settings in [mcts("uct", "random"), mcts("grave", "mast")] {
            let mut game = game(name);
            let mut search = Search::new(game.clone(), &settings, 1).expect("good settings");
            search.set_root(&game.initial_state());
            search.run(&Budget::simulations(1000));
            let tree = search.tree();
            for id in tree.ids().filter(|&id| !tree.node(id).is_terminal()) {
                for role in Role::all(game.role_count()) {
                    let sum: u32 = tree.statistics(id, role).iter().map(|s| s.visits).sum();
                    assert_eq!(sum, tree.node(id).visits);
                }
            }
            let report = search.report(Role(0));
            assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u32>(), 1000);
            assert_eq!(report.simulations, 1000);
        }
    }
}

#[test]
fn a_limit_of_memory_is_kept() {
    let mut game = game("connect_four");
    let settings = mcts("grave", "random").with("memory", 3.0);
    let mut search = Search::new(game.clone(), &settings, 1).expect("good settings");
    search.set_root(&game.initial_state());
    search.run(&Budget::simulations(20_000));
    let report = search.report(Role(0));
    assert!(report.dropped > 0 && report.nodes > 100, "{report:?}");
    // Between two checks the tree grows by at most 1024 nodes.
    assert!(report.bytes < 5_000_000, "{}", report.bytes);
}
