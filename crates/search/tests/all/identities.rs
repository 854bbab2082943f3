//! Strategies that must be the same search under other names, and what holds in every tree.

use crate::support::{game, mcts};
use gamegrove_game::{Game, Move, Role};
use gamegrove_search::{Budget, Part, Search};

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
    // [Sironi 2019, 5]
    same(&mcts(Part::named("grave").with("ref", 0.0), "random"), &mcts("rave", "random"));
}

#[test]
fn grave_with_infinite_reference_visits_is_hrave() {
    let grave = Part::named("grave").with("ref", f64::INFINITY);
    same(&mcts(grave, "mast"), &mcts("hrave", "mast"));
}

#[test]
fn without_transpositions_uct3_is_uct0() {
    // In a tree, what a node is worth by its successors is the mean of what went through it.
    // Both round differently, so no two values may lie just a band apart.
    let uct = Part::named("uct").with("vo", 0.012_345_678);
    let uct0 = mcts(uct, "random").with("table", false).with("reuse", "tree");
    same(&uct0.clone().with("transpositions", "uct3"), &uct0);
}

#[test]
fn with_transpositions_the_three_valuings_differ() {
    let with =
        |name| fingerprint("connect_four", &mcts("uct", "random").with("transpositions", name));
    let [one, two, three] = ["uct1", "uct2", "uct3"].map(with);
    assert!(one != two && two != three && one != three);
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
    // [Sironi 2019, 5]
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

#[test]
fn nst_of_single_moves_is_mast() {
    // [Sironi et al. 2021, 4]
    for when in ["move", "batch", "simulation"] {
        let options = |name: &str| Part::named(name).with("decay_when", when).with("decay", 0.5);
        same(&mcts("uct", options("nst").with("l", 1.0)), &mcts("uct", options("mast")));
    }
    let informed = Part::named("uct").with("informed_tries", true);
    let gibbs = |name: &str| Part::named(name).with("sample", "gibbs");
    same(&mcts(informed.clone(), gibbs("nst").with("l", 1.0)), &mcts(informed, gibbs("mast")));
}

#[test]
fn nppa_of_single_moves_is_ppa() {
    // [Sironi et al. 2021, 4]
    let both = |mode: &str, alpha: f64| {
        let options = |name: &str| Part::named(name).with("mode", mode).with("alpha", alpha);
        same(&mcts("uct", options("nppa").with("l", 1.0)), &mcts("uct", options("ppa")));
    };
    both("single_winner", 1.0);
    both("payoff", 0.32);
    both("all_winners_losers", 0.32);
}

#[test]
fn the_order_of_turns_is_the_order_of_roles_where_turns_alternate() {
    // And where the role to move always has a choice: a forced move looks like waiting.
    let nst = |order: &str| mcts("uct", Part::named("nst").with("order", order));
    let of = |order: &str| fingerprint("breakthrough", &nst(order));
    assert!(of("roles") == of("turns"));
}

#[test]
fn progressive_history_without_weight_is_uct() {
    let history = Part::named("progressive_history").with("c", 0.4).with("w", 0.0);
    same(&mcts(history, "mast"), &mcts(Part::named("uct").with("c", 0.4), "mast"));
}

#[test]
fn mixed_strategies_of_pure_exploration_are_the_same() {
    let all = |name: &str| mcts(Part::named(name).with("gamma", 1.0), "random");
    same(&all("exp3"), &all("regret_matching"));
}

#[test]
fn a_sum_without_weight_is_its_base() {
    let mast = || Part::named("mast").with("decay", 1.0).with("unknown", 50.0);
    let sum = Part::named("sum").with("base", mast()).with("w", 0.0);
    same(&mcts("uct", sum), &mcts("uct", mast().with("sample", "gibbs")));
}

#[test]
fn fast_without_a_board_is_random() {
    for name in ["connect_four", "tron"] {
        let fast = fingerprint(name, &mcts("uct", "fast"));
        assert!(fast == fingerprint(name, &mcts("uct", "random")), "{name}");
    }
}

#[test]
fn cutting_nothing_off_changes_nothing() {
    let plain = mcts("uct", "mast");
    let long = Part::named("length").with("steps", 1e9);
    same(&plain.clone().with("cutoff", long), &plain);
    // A rule that only watches must not disturb what it watches.
    let watching = Part::named("early").with("samples", 1e6);
    same(&plain.clone().with("cutoff", watching), &plain);
}

#[test]
fn moves_that_never_repeat_count_once_anyway() {
    // No cell of tic-tac-toe is marked twice, and passes are no choice.
    let once = Part::named("rave").with("once", true);
    let plain = fingerprint("tic_tac_toe", &mcts("rave", "random"));
    assert!(plain == fingerprint("tic_tac_toe", &mcts(once.clone(), "random")));
    let plain = fingerprint("connect_four", &mcts("rave", "random"));
    assert!(plain != fingerprint("connect_four", &mcts(once, "random")));
}

#[test]
fn the_new_strategies_are_not_the_old_ones() {
    let mast = fingerprint("breakthrough", &mcts("uct", "mast"));
    for policy in ["nst", "ppa", "nppa", "past", "fast", "sum"] {
        assert!(mast != fingerprint("breakthrough", &mcts("uct", policy)), "{policy}");
    }
    let uct = fingerprint("breakthrough", &mcts("uct", "random"));
    for select in
        ["ucb1_tuned", "progressive_history", "epsilon_greedy", "exp3", "regret_matching", "random"]
    {
        assert!(uct != fingerprint("breakthrough", &mcts(select, "random")), "{select}");
    }
    let uct = fingerprint("tic_tac_toe", &mcts("uct", "random"));
    let tactic = mcts("uct", "random").with("tactic", "decisive");
    assert!(uct != fingerprint("tic_tac_toe", &tactic));
}
