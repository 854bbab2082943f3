//! Parameters that are tuned or drawn while the search runs.

use crate::support::slow_lanes::SlowLanes;
use crate::support::{game, mcts};
use gamegrove_game::{Game, Role};
use gamegrove_propnet::Propnet;
use gamegrove_search::{Budget, Part, Report, Search, SettingsError, Value};

const STRATEGIES: [&str; 13] = [
    "mab",
    "he",
    "nmc",
    "lsi",
    "ea",
    "ntbea",
    "cma-es",
    "local",
    "game-rnd",
    "turn-rnd",
    "sim-rnd",
    "state-rnd",
    "move-rnd",
];

fn tuned(strategy: &str, parameters: &[&str]) -> Part {
    let names = parameters.iter().map(|&name| Value::from(name)).collect();
    mcts("grave", "mast").with("tune", Part::named(strategy).with("parameters", Value::List(names)))
}

/// Two turns of a search; what it found out in the second.
fn search(settings: &Part, lanes: bool) -> Report {
    let mut game = game("connect_four");
    let settings = settings.clone().with("lanes_from", 0.0);
    let mut search = Search::new(game.clone(), &settings, 3).unwrap_or_else(|e| panic!("{e}"));
    let mut own = SlowLanes { game: game.clone(), width: 16 };
    for _ in 0..2 {
        search.set_root(&game.initial_state());
        let budget = Budget::simulations(200);
        if lanes {
            search.run_on(&mut own, &budget)
        } else {
            search.run(&budget)
        };
    }
    search.report(Role(0))
}

#[test]
fn every_strategy_serves_every_simulation() {
    for strategy in STRATEGIES {
        // Only some parameters have published ranges; those are all that a continuous one can tune.
        for lanes in [false, true] {
            let settings = tuned(strategy, &["c", "epsilon", "k", "ref"]);
            let report = search(&settings, lanes);
            assert_eq!(report.simulations, 200, "{strategy}");
            assert_eq!(report, search(&settings, lanes), "{strategy}: equal seeds, equal searches");
            if let Some(values) = &report.tuned {
                assert!(values.contains("epsilon="), "{strategy}: {values}");
            }
        }
    }
}

#[test]
fn values_matter_and_tuners_recommend() {
    let plain = search(&mcts("grave", "mast"), false);
    for strategy in ["ntbea", "sim-rnd", "state-rnd", "move-rnd"] {
        assert!(search(&tuned(strategy, &["c", "k"]), false).moves != plain.moves, "{strategy}");
    }
    assert_eq!(plain.tuned, None);
    assert!(search(&tuned("ntbea", &["c"]), false).tuned.is_some());
}

#[test]
fn parameters_of_the_whole_search_can_be_tuned_too() {
    assert_eq!(search(&tuned("nmc", &["vo", "t"]), false).simulations, 200);
    assert_eq!(search(&tuned("nmc", &["select.c", "playout.epsilon"]), false).simulations, 200);
}

#[test]
fn mistakes_name_the_remedy() {
    let message = |settings: &Part| {
        let game: Propnet = game("tic_tac_toe");
        let error: SettingsError = match Search::new(game, settings, 0) {
            Ok(_) => panic!("{settings} was accepted"),
            Err(error) => error,
        };
        error.to_string()
    };
    assert!(message(&tuned("ntbae", &["c"])).contains("did you mean `ntbea`?"));
    assert!(message(&tuned("ntbea", &["epsilo"])).contains("did you mean `epsilon`?"));
    assert!(message(&tuned("ntbea", &[])).contains("a list of names"));
    assert!(message(&tuned("ntbea", &["c", "c"])).contains('c'));
    let odd = Part::named("ntbea").with("parameters", "c").with("neighbors", 3.0);
    assert!(message(&mcts("uct", "random").with("tune", odd)).contains("neighbors"));
    let odd = Part::named("sim-rnd").with("parameters", "c").with("neighbours", 3.0);
    let odd = message(&mcts("uct", "random").with("tune", odd));
    assert!(odd.contains("has no option `neighbours`"), "{odd}");
    let untunable = Part::named("mab").with("parameters", "fpu");
    assert!(
        message(&mcts("uct", "random").with("tune", untunable)).contains("a domain to tune over")
    );
}
