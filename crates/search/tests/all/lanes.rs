//! Searches with many simulations in flight.

use std::time::{Duration, Instant};

use crate::support::slow_lanes::SlowLanes;
use crate::support::{game, mcts};
use gamegrove_game::{
    BoxedLanes, Driver, Entered, Finish, Game, Lanes, Move, MoveSet, Rng, Role, Start, Tally,
};
use gamegrove_propnet::{Bits, PropnetLanes, Width};
use gamegrove_search::{Budget, MoveReport, Part, Report, Search, Stop};

/// Lanes that count how often they are used.
#[derive(Clone)]
struct Counted<L> {
    lanes: L,
    runs: usize,
}

impl<L: Lanes + Clone + 'static> Lanes for Counted<L> {
    type State = L::State;

    fn duplicate(&self) -> BoxedLanes<L::State> {
        Box::new(self.clone())
    }

    fn width(&self) -> usize {
        self.lanes.width()
    }

    fn run(&mut self, seed: u64, driver: &mut dyn Driver<L::State>) -> Tally {
        self.runs += 1;
        self.lanes.run(seed, driver)
    }
}

fn report(name: &str, settings: &Part, width: usize, simulations: u64) -> (Report, Report) {
    let mut game = game(name);
    let mut lanes = SlowLanes { game: game.clone(), width };
    let settings = settings.clone().with("lanes_from", 0.0);
    let mut search = Search::new(game.clone(), &settings, 3).expect("good settings");
    search.set_root(&game.initial_state());
    let stop = search.run_on(&mut lanes, &Budget::simulations(simulations));
    assert_eq!(stop, Stop::Simulations);
    // Nothing is left under way, and all visits add up.
    let tree = search.tree();
    for id in tree.ids().filter(|&id| !tree.node(id).is_terminal()) {
        assert_eq!(tree.node(id).pending, 0);
        for role in Role::all(game.role_count()) {
            let statistics = tree.statistics(id, role);
            assert!(statistics.iter().all(|s| s.pending == 0));
            assert_eq!(statistics.iter().map(|s| s.visits).sum::<u32>(), tree.node(id).visits);
        }
    }
    (search.report(Role(0)), search.report(Role(1)))
}

#[test]
fn every_simulation_comes_back() {
    for name in ["tic_tac_toe", "connect_four", "tron"] {
        for settings in [mcts("uct", "random"), mcts("grave", "random"), mcts("grave", "mast")] {
            for width in [1, 7, 64] {
                let (first, _) = report(name, &settings, width, 500);
                assert_eq!(first.simulations, 500, "{name} {settings} {width}");
                assert_eq!(first.moves.iter().map(|m| m.visits).sum::<u32>(), 500);
                assert!(first.steps > 1000);
            }
        }
    }
}

#[test]
fn several_playouts_from_a_leaf_count_as_simulations_each() {
    let settings = mcts("grave", "mast").with("leaf_playouts", 4.0);
    let (one, _) = report("connect_four", &settings, 64, 900);
    assert_eq!(one.simulations, 900);
    assert_eq!(one.moves.iter().map(|m| m.visits).sum::<u32>(), 900);
    let (plain, _) = report("connect_four", &mcts("grave", "mast"), 64, 900);
    assert!(one.nodes < plain.nodes, "{} {}", one.nodes, plain.nodes);
}

#[test]
fn lanes_that_would_be_idle_play_out_leaves_again() {
    let settings = mcts("grave", "mast").with("spare_playouts", 16.0);
    let (plain, _) = report("connect_four", &mcts("grave", "mast"), 64, 400);
    let (spare, _) = report("connect_four", &settings, 64, 400);
    assert_eq!(spare.simulations, 400);
    assert_eq!(spare.moves.iter().map(|m| m.visits).sum::<u32>(), 400);
    assert!(spare.nodes < plain.nodes / 2, "{} {}", spare.nodes, plain.nodes);
    // Once as many leaves may be in flight as there are lanes, each gets one play-out.
    let (width, many) = (4, 2_000);
    let (plain, _) = report("connect_four", &mcts("grave", "mast"), width, many);
    let (spare, _) = report("connect_four", &settings, width, many);
    assert!(spare.nodes > plain.nodes * 9 / 10, "{} {}", spare.nodes, plain.nodes);
}

#[test]
fn a_small_search_is_the_one_without_lanes_and_a_clock_does_not_wait_for_it() {
    let mut game = game("connect_four");
    let start = game.initial_state();
    let settings = mcts("grave", "mast");
    let mut on_lanes = Search::new(game.clone(), &settings, 3).expect("good settings");
    let mut alone = Search::new(game.clone(), &settings, 3).expect("good settings");
    let mut lanes = SlowLanes { game: game.clone(), width: 64 };
    on_lanes.set_root(&start);
    alone.set_root(&start);
    let budget = Budget::simulations(900);
    assert_eq!(on_lanes.run_on(&mut lanes, &budget), alone.run(&budget));
    assert_eq!(on_lanes.report(Role(0)), alone.report(Role(0)));
    // The rest of a longer one is made on lanes, and all are counted.
    assert_eq!(on_lanes.run_on(&mut lanes, &budget), Stop::Simulations);
    assert_eq!(on_lanes.report(Role(0)).simulations, 1800);

    let slow = settings.with("lanes_from", 1e9);
    let mut search = Search::new(game.clone(), &slow, 3).expect("good settings");
    search.set_root(&start);
    let mut lanes = Counted { lanes: SlowLanes { game, width: 64 }, runs: 0 };
    search.run_on(&mut lanes, &Budget::until(Instant::now() + Duration::from_millis(200)));
    assert!(lanes.runs > 0, "a tenth of the time was over");
}

#[test]
fn lanes_that_gain_too_little_are_left_alone_when_a_clock_runs() {
    let mut game = game("connect_four");
    let start = game.initial_state();
    let clock = || Budget::until(Instant::now() + Duration::from_millis(100));
    // In how many of seven searches lanes are left alone. On a busy machine time may be over before
    // anything is tried, so single searches say little.
    let left_alone = |gain: f64| {
        let settings = mcts("grave", "mast").with("lanes_gain", gain);
        let mut search = Search::new(game.clone(), &settings, 3).expect("good settings");
        search.set_root(&start);
        let mut lanes = Counted { lanes: SlowLanes { game: game.clone(), width: 64 }, runs: 0 };
        let mut used = |budget: &Budget<'_>| {
            let before = lanes.runs;
            search.run_on(&mut lanes, budget);
            lanes.runs > before
        };
        let unused = (0..7).filter(|_| !used(&clock())).count();
        assert!(used(&Budget::simulations(2000)), "what is counted does not depend on the clock");
        unused
    };
    assert!(left_alone(1e6) >= 4, "nothing gains a million times");
    assert!(left_alone(1e-6) <= 3);
    assert!(left_alone(0.0) <= 3);
}

#[test]
fn equal_seeds_give_equal_searches() {
    let settings = mcts("grave", "mast");
    assert_eq!(
        report("connect_four", &settings, 64, 800),
        report("connect_four", &settings, 64, 800)
    );
}

#[test]
fn the_winning_move_is_found() {
    // x has two in a row: only taking the third cell wins at once.
    let mut game = game("tic_tac_toe");
    let moves = ["(mark 1 1)", "(mark 2 2)", "(mark 1 2)", "(mark 3 3)"];
    let state = crate::support::after(&mut game, &moves);
    for width in [1, 64] {
        let mut lanes = SlowLanes { game: game.clone(), width };
        let settings = mcts("uct", "random").with("lanes_from", 0.0);
        let mut search = Search::new(game.clone(), &settings, 1).expect("settings");
        search.set_root(&state);
        search.run_on(&mut lanes, &Budget::simulations(2000));
        let best = search.best_move(Role(0)).expect("a move");
        assert_eq!(gamegrove_game::Describe::move_name(&game, Role(0), best), "(mark 1 3)");
    }
}

#[test]
fn a_limit_of_memory_is_kept_in_flight() {
    let mut game = game("connect_four");
    let mut lanes = SlowLanes { game: game.clone(), width: 64 };
    let settings = mcts("grave", "mast").with("memory", 3.0);
    let mut search = Search::new(game.clone(), &settings, 1).expect("good settings");
    search.set_root(&game.initial_state());
    search.run_on(&mut lanes, &Budget::simulations(20_000));
    let report = search.report(Role(0));
    assert!(report.dropped > 0 && report.bytes < 5_000_000, "{report:?}");
    assert_eq!(report.simulations, 20_000);
}

// One simulation at a time, because lanes may hand out and end play-outs of one step in any order.
#[test]
fn the_network_s_lanes_make_the_same_searches_as_the_slow_way() {
    for name in ["tic_tac_toe", "connect_four", "breakthrough", "tron"] {
        // MAST is no example: the network's lanes choose by its order of moves themselves.
        for settings in [mcts("uct", "random"), mcts("grave", "random"), mcts("grave", "nst")] {
            let settings = settings.with("counted_share", 0.0).with("lanes_from", 0.0);
            let mut game = game(name);
            let fast = PropnetLanes::new(game.network()).expect("a sound network");
            let mut slow = SlowLanes { game: game.clone(), width: 64 };
            let mut fast = fast.with_width(Width::Plain64);
            assert_eq!(gamegrove_game::Lanes::width(&fast), 64);
            let state = game.initial_state();
            let search = || {
                let mut search = Search::new(game.clone(), &settings, 9).expect("good settings");
                search.set_root(&state);
                search
            };
            let (mut one, mut other) = (search(), search());
            one.run_on(&mut fast, &Budget::simulations(600));
            other.run_on(&mut slow, &Budget::simulations(600));
            assert_eq!(one.report(Role(0)), other.report(Role(0)), "{name} {settings}");
        }
    }
}

#[test]
fn lanes_that_choose_by_themselves_find_what_the_policy_finds() {
    // A driver that does not tell lanes what it prefers is asked for every choice.
    struct Asked<'a, S>(&'a mut dyn Driver<S>);

    impl<S> Driver<S> for Asked<'_, S> {
        fn chooses(&self) -> bool {
            self.0.chooses()
        }
        fn watches(&self) -> bool {
            self.0.watches()
        }
        fn start(&mut self, lane: usize, start: &mut Start<S>) -> bool {
            self.0.start(lane, start)
        }
        fn entered(&mut self, lane: usize, entered: &Entered<'_, S>) {
            self.0.entered(lane, entered);
        }
        fn choose(&mut self, lane: usize, role: Role, legal: MoveSet<'_>, rng: &mut Rng) -> Move {
            self.0.choose(lane, role, legal, rng)
        }
        fn moved(&mut self, lane: usize, joint: &[Move]) {
            self.0.moved(lane, joint);
        }
        fn finished(&mut self, lane: usize, finish: &Finish<'_>) {
            self.0.finished(lane, finish);
        }
        fn give_up(&mut self) -> bool {
            self.0.give_up()
        }
    }

    #[derive(Clone)]
    struct Asking(PropnetLanes);

    impl Lanes for Asking {
        type State = Bits;

        fn duplicate(&self) -> BoxedLanes<Bits> {
            Box::new(self.clone())
        }
        fn width(&self) -> usize {
            self.0.width()
        }
        fn run(&mut self, seed: u64, driver: &mut dyn Driver<Bits>) -> Tally {
            self.0.run(seed, &mut Asked(driver))
        }
    }

    for (name, policy) in [("connect_four", "mast"), ("breakthrough", "mast"), ("tron", "mast")] {
        let mut game = game(name);
        let settings = mcts("uct", policy).with("lanes_from", 0.0).with("tree_depth", 1.0);
        let mut own = PropnetLanes::new(game.network()).expect("a sound network");
        let mut asked = Asking(own.clone());
        let state = game.initial_state();
        let found = |lanes: &mut dyn Lanes<State = Bits>, seed| {
            let mut search = Search::new(game.clone(), &settings, seed).expect("good settings");
            search.set_root(&state);
            search.run_on(lanes, &Budget::simulations(2_000));
            let report = search.report(Role(0));
            let visits: f64 = report.moves.iter().map(|found| f64::from(found.visits)).sum();
            let value = |m: &MoveReport| m.mean.unwrap_or(0.0) * f64::from(m.visits) / visits;
            let mean = report.moves.iter().map(value).sum::<f64>();
            (report.steps as f64 / visits, mean)
        };
        // Means over searches that learn by themselves, and how far they may differ: by five standard errors.
        let mut all = [Vec::new(), Vec::new()];
        for seed in 0..24 {
            all[0].push(found(&mut own, seed));
            all[1].push(found(&mut asked, 100 + seed));
        }
        let numbers = |of: fn(&(f64, f64)) -> f64| {
            all.each_ref().map(|found| {
                let n = found.len() as f64;
                let mean = found.iter().map(of).sum::<f64>() / n;
                let square = found.iter().map(|one| (of(one) - mean).powi(2)).sum::<f64>();
                (mean, square / (n - 1.0) / n)
            })
        };
        for of in [|found: &(f64, f64)| found.0, |found: &(f64, f64)| found.1] {
            let [(one, error), (other, its)] = numbers(of);
            assert!((one - other).abs() < 5.0 * (error + its).sqrt(), "{name}: {one} {other}");
        }
    }
}
