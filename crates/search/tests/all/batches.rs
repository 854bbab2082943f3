//! Searches whose leaves are valued by batches of play-outs on hardware.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{after, game};
use gamegrove_game::{Cached, Game, Role};
use gamegrove_hardware::{
    Driver, DriverError, Emulation, Hardware, HardwareGame, Scores, Successors,
};
use gamegrove_propnet::Bits;
use gamegrove_search::{Budget, Part, Search, Stop};

/// Hardware that counts what it is asked.
struct Counted {
    emulation: Emulation,
    asked: Arc<Mutex<Asked>>,
}

#[derive(Default)]
struct Asked {
    states: HashMap<Bits, u32>,
    batches: Vec<u32>,
    broken: bool,
}

impl Driver for Counted {
    fn initial_state(&mut self) -> Result<Bits, DriverError> {
        self.emulation.initial_state()
    }

    fn next_states(&mut self, state: &Bits) -> Result<Successors, DriverError> {
        let mut asked = self.asked.lock().expect("no thread panics here");
        if asked.broken {
            return Err(DriverError::Busy(3));
        }
        *asked.states.entry(state.clone()).or_default() += 1;
        self.emulation.next_states(state)
    }

    fn scores(&mut self, state: &Bits, playouts: u32) -> Result<Scores, DriverError> {
        self.asked.lock().expect("no thread panics here").batches.push(playouts);
        self.emulation.scores(state, playouts)
    }

    fn seed(&mut self, seed: u64) -> Result<(), DriverError> {
        self.emulation.seed(seed)
    }
}

fn hardware(name: &str) -> (HardwareGame, Arc<Mutex<Asked>>) {
    let names = game(name);
    let emulation = Hardware::new(name, names.network()).expect("small").emulation;
    let asked = Arc::default();
    let driver = Counted { emulation, asked: Arc::clone(&asked) };
    (HardwareGame::driven(names, driver), asked)
}

fn batches(count: f64) -> Part {
    Part::named("mcts").with("leaf_playouts", count)
}

fn search<G: Game>(mut game: G, settings: &Part, budget: u64) -> (Search<G>, Stop) {
    let mut search = Search::new(game.clone(), settings, 5).expect("good settings");
    search.set_root(&game.initial_state());
    let stop = search.run(&Budget::simulations(budget));
    (search, stop)
}

#[test]
fn every_node_is_asked_about_once_and_every_playout_counts() {
    for name in ["connect_four", "tron"] {
        for count in [1, 7, 64] {
            let (game, asked) = hardware(name);
            let (search, stop) = search(game, &batches(f64::from(count)), 500);
            let (report, asked) = (search.report(Role(0)), asked.lock().expect("no panic"));
            assert_eq!((stop, report.simulations), (Stop::Simulations, 500), "{name}");
            let visits: u32 = report.moves.iter().map(|found| found.visits).sum();
            assert_eq!(visits, 500, "{name}");
            assert!(asked.states.values().all(|&times| times == 1), "{name}");
            assert_eq!(asked.states.len(), search.tree().len(), "{name}");
            let (last, full) = asked.batches.split_last().expect("play-outs");
            assert!(*last <= count && full.iter().all(|&batch| batch == count), "{name}");
            let account = report.account.expect("an account");
            assert_eq!(
                account.count("calls") as usize,
                asked.states.len() + asked.batches.len(),
                "{name}"
            );
            assert!(account.count("cycles") > 5 * 500 && report.steps > 500, "{name}");
        }
    }
}

#[test]
fn the_time_of_the_device_ends_a_search() {
    let board = Part::named("board").with("time", 0.01).with("clock", 50.0).with("latency", 20.0);
    for count in [1.0, 100.0] {
        let settings = batches(count).with("device", board.clone());
        let (search, stop) = search(hardware("connect_four").0, &settings, 1_000_000);
        let account = search.report(Role(0)).account.expect("an account");
        assert_eq!(stop, Stop::OwnTime);
        let micros = account.count("calls") as f64 * 20.0 + account.count("cycles") as f64 / 50.0;
        assert!((account.time.as_secs_f64() * 1e6 - micros).abs() < 1.0);
        let (least, most) = (Duration::from_millis(10), Duration::from_millis(11));
        assert!((least..most).contains(&account.time), "{:?}", account.time);
    }
}

#[test]
fn what_others_ask_of_the_device_changes_nothing() {
    let (shared, _) = hardware("tic_tac_toe");
    let found = |game: HardwareGame| search(game, &batches(8.0), 400).0.report(Role(0));
    let first = found(shared.clone());
    assert_eq!(found(shared.clone()), first);
    assert_eq!(found(hardware("tic_tac_toe").0), first);
    // A cache around it hands batches on.
    assert_eq!(found_in_cache(&shared), first.moves.len());
}

fn found_in_cache(game: &HardwareGame) -> usize {
    let (search, _) = search(Cached::new(game.clone(), 1000), &batches(8.0), 400);
    let report = search.report(Role(0));
    let account = report.account.expect("an account behind the cache");
    assert!(account.count("calls") < 400 && report.simulations == 400);
    report.moves.len()
}

#[test]
fn batches_find_the_move_that_wins() {
    let moves = ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"];
    let state = after(&mut game("tic_tac_toe"), &moves);
    for count in [1.0, 32.0] {
        let (game, _) = hardware("tic_tac_toe");
        let mut search = Search::new(game.clone(), &batches(count), 1).expect("good settings");
        search.set_root(&state);
        search.run(&Budget::simulations(640));
        let best = search.best_move(Role(0)).expect("a move");
        let name = gamegrove_game::Describe::move_name(&game, Role(0), best);
        assert_eq!(name, "(mark 1 3)");
    }
}

#[test]
fn policies_of_the_search_play_one_state_at_a_time() {
    let (game, asked) = hardware("tic_tac_toe");
    let (search, _) = search(game, &batches(8.0).with("playout", "mast"), 50);
    assert!(asked.lock().expect("no panic").batches.is_empty());
    assert_eq!(search.report(Role(0)).simulations, 50);
}

#[test]
fn a_device_that_does_not_answer_ends_play_and_says_so() {
    let (mut game, asked) = hardware("tic_tac_toe");
    let start = game.initial_state();
    asked.lock().expect("no panic").broken = true;
    assert!(game.is_terminal(&start));
    let fault = game.take_fault().expect("a fault").to_string();
    assert!(fault.contains("still busy after 3 questions"), "{fault}");
    asked.lock().expect("no panic").broken = false;
    let (search, _) = search(game, &batches(4.0), 40);
    assert_eq!(search.report(Role(0)).simulations, 40);
}
