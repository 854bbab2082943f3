//! Several searches side by side.

use crate::support::slow_lanes::SlowLanes;
use crate::support::{game, mcts};
use gamegrove_game::{BoxedLanes, Game, Role};
use gamegrove_propnet::Bits;
use gamegrove_search::{Budget, Part, Report, Search, Stop, Team};

fn team(name: &str, settings: &Part, lanes: usize) -> Report {
    let mut game = game(name);
    let own = || -> BoxedLanes<Bits> { Box::new(SlowLanes { game: game.clone(), width: 16 }) };
    let mut lanes: Vec<_> = (0..lanes).map(|_| own()).collect();
    let mut team = Team::new(&game, settings, 3).expect("good settings");
    team.set_root(&game.initial_state());
    assert_eq!(team.run(&mut lanes, &Budget::simulations(1001)), Stop::Simulations);
    assert!(team.best_move(Role(0)).is_some());
    team.report(Role(0))
}

#[test]
fn one_member_is_a_plain_search() {
    let settings = mcts("grave", "mast");
    let mut game = game("connect_four");
    let mut search = Search::new(game.clone(), &settings, 3).expect("good settings");
    search.set_root(&game.initial_state());
    search.run(&Budget::simulations(1001));
    assert_eq!(search.report(Role(0)), team("connect_four", &settings, 0));
}

#[test]
fn simulations_are_shared_out_and_pooled() {
    for lanes in [0, 3] {
        let settings = mcts("uct", "random").with("threads", 3.0);
        let report = team("connect_four", &settings, lanes);
        assert_eq!(report.simulations, 1001);
        assert_eq!(report.moves.iter().map(|found| found.visits).sum::<u32>(), 1001);
        // Threads come and go as they like, results do not.
        assert_eq!(report, team("connect_four", &settings, lanes));
    }
}

/// Threads that share a tree: nothing is lost or counted twice, whatever the parts and the memory.
#[test]
fn threads_share_one_tree() {
    let informed = mcts("grave", "mast").with("cutoff", Part::named("length").with("steps", 9.0));
    for settings in [
        mcts("uct", "random"),
        informed,
        mcts("uct", "random").with("memory", 1.0),
        mcts("uct", "random").with("transpositions", "uct3"),
    ] {
        let settings = settings.with("threads", 3.0).with("parallel", "tree");
        let report = team("connect_four", &settings, 0);
        assert_eq!(report.simulations, 1001, "{settings}");
        assert_eq!(report.moves.iter().map(|found| found.visits).sum::<u32>(), 1001, "{settings}");
        assert!(report.nodes > 500, "one tree, not three: {settings}");
    }
}

#[test]
fn threads_that_share_a_tree_keep_to_their_memory() {
    let settings = mcts("uct", "random").with("memory", 1.0);
    let settings = settings.with("threads", 3.0).with("parallel", "tree");
    let mut game = game("breakthrough");
    let mut team = Team::new(&game, &settings, 3).expect("good settings");
    team.set_root(&game.initial_state());
    team.run(&mut [], &Budget::simulations(8_000));
    let report = team.report(Role(0));
    assert!(report.dropped > 0 && report.simulations == 8_000, "{report:?}");
}

#[test]
fn threads_that_share_a_tree_prove_together() {
    let settings = mcts("uct", "random").with("solver", "select");
    let settings = settings.with("threads", 2.0).with("parallel", "tree");
    let mut game = game("tic_tac_toe");
    let mut team = Team::new(&game, &settings, 3).expect("good settings");
    team.set_root(&game.initial_state());
    let stop = team.run(&mut [], &Budget::simulations(200_000));
    assert_eq!(stop, Stop::Solved);
}
