//! Simultaneous choices that must be mixed.

use crate::support::{game_of, mcts};
use gamegrove_game::{Game, Role};
use gamegrove_search::{Budget, Part, Search};

/// One choice each: the first gets 100 if both say a, 50 if both say b, else nothing; the second gets
/// the rest. In equilibrium both say a one time in three, and the first gets a third.
const PENNIES: &str = "
    (role one) (role two) (init start)
    (<= (legal ?r a) (role ?r) (true start))
    (<= (legal ?r b) (role ?r) (true start))
    (<= (next (said ?r ?m)) (does ?r ?m))
    (<= terminal (true (said one a)))
    (<= terminal (true (said one b)))
    (<= (goal one 100) (true (said one a)) (true (said two a)))
    (<= (goal two 0) (true (said one a)) (true (said two a)))
    (<= (goal one 50) (true (said one b)) (true (said two b)))
    (<= (goal two 50) (true (said one b)) (true (said two b)))
    (<= (goal one 0) (true (said one a)) (true (said two b)))
    (<= (goal two 100) (true (said one a)) (true (said two b)))
    (<= (goal one 0) (true (said one b)) (true (said two a)))
    (<= (goal two 100) (true (said one b)) (true (said two a)))";

#[test]
fn stochastic_selections_come_near_the_equilibrium() {
    for name in ["exp3", "regret_matching"] {
        let select = Part::named(name).with("gamma", 0.05);
        let last = Part::named("sampled").with("gamma", 0.05);
        let settings = mcts(select, "random").with("final", last);
        let mut game = game_of(PENNIES.as_bytes());
        let mut search = Search::new(game.clone(), &settings, 2).expect("good settings");
        search.set_root(&game.initial_state());
        search.run(&Budget::simulations(40_000));
        let root = search.tree().ids().next().expect("a root");
        for role in [Role(0), Role(1)] {
            let visits: Vec<f64> =
                search.tree().statistics(root, role).iter().map(|s| f64::from(s.visits)).collect();
            let share = visits[0] / (visits[0] + visits[1]);
            assert!((share - 1.0 / 3.0).abs() < 0.07, "{name} {role:?} {share}");
        }
        // The move to play is drawn, and so differs from time to time.
        let first = search.tree().moves(root, Role(0))[0];
        let drawn = (0..600).filter(|_| search.best_move(Role(0)) == Some(first)).count();
        assert!((120..280).contains(&drawn), "{name} {drawn}");
    }
}
