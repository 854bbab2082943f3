//! Whole matches, also with players that break the rules.

use std::time::Duration;

use gamegrove_agents::{Agent, Budget, Player};
use gamegrove_game::{Game, Move, Role};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_play::matches::{Allowance, Clocks, Ending, Terms, play_match};

fn tic_tac_toe() -> Prover {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/gdl/tic_tac_toe.kif");
    let sheet =
        Rulesheet::load(&std::fs::read(path).expect("the game ships")).expect("it is sound");
    Prover::new(&sheet.program).expect("it has roles")
}

fn terms(clocks: Clocks) -> Terms {
    Terms {
        game: "tic_tac_toe".to_owned(),
        players: vec!["a".to_owned(), "b".to_owned()],
        clocks,
        step_limit: 100,
        seed: 1,
        facts: true,
    }
}

fn players(game: &Prover, specs: [&str; 2], seed: u64) -> Vec<Box<dyn Player<Prover>>> {
    let make = |(spec, role): (&str, Role)| {
        let agent = Agent::find(spec).expect("a good spec");
        agent.player(game.clone(), role, seed + u64::from(role.0)).expect("a good agent")
    };
    specs.into_iter().zip(Role::all(2)).map(make).collect()
}

#[test]
fn a_match_is_recorded_and_repeats_with_its_seed() {
    let mut game = tic_tac_toe();
    let terms = terms(Clocks::simulations(200));
    let mut play = || {
        let mut seats = players(&game.clone(), ["uct", "random"], 5);
        let mut record = play_match(&mut game, &mut seats, &terms);
        for step in &mut record.steps {
            step.seconds.clear();
            for search in step.searches.iter_mut().flatten() {
                search.simulations_per_second = 0.0;
                search.states_per_second = 0.0;
            }
        }
        record
    };
    let record = play();
    assert_eq!(record, play());
    assert_eq!(record.ending, Ending::Terminal);
    assert!(record.offences.is_empty());
    assert!(record.goals == [100.0, 0.0] || record.goals == [50.0, 50.0], "{:?}", record.goals);
    assert_eq!(record.steps[0].searches[0].as_ref().map(|search| search.simulations), Some(200));
    assert!(record.steps.iter().all(|step| !step.facts.is_empty()));
}

#[test]
fn whether_to_think_in_the_opponents_time_is_a_choice() {
    let mut game = tic_tac_toe();
    for ponder in [true, false] {
        let terms = terms(Clocks { ponder, ..Clocks::simulations(50) });
        let mut seats = players(&game.clone(), ["uct", "uct"], 5);
        let record = play_match(&mut game, &mut seats, &terms);
        for (number, step) in record.steps.iter().enumerate() {
            let made = |role: usize| step.searches[role].as_ref().map_or(0, |s| s.simulations);
            let (mover, waiting) = (number % 2, 1 - number % 2);
            // The last square is no choice either.
            assert!(number == 8 || made(mover) == 50);
            assert_eq!(made(waiting), if ponder { 50 } else { 0 }, "step {number}");
        }
    }
}

#[test]
fn searches_go_on_while_others_think() {
    let game = tic_tac_toe();
    let state = game.clone().initial_state();
    let mut seats = players(&game, ["uct", "random"], 5);
    let [searcher, other] = &mut seats[..] else { panic!("two players") };
    assert!(!searcher.ponder(&Budget::simulations(5)), "there is no position yet");
    assert_eq!(searcher.favourite(), None);
    assert!(searcher.choose(&state, &Budget::simulations(100)).is_some());
    assert!(searcher.ponder(&Budget::simulations(50)));
    assert_eq!(searcher.report().map(|report| report.simulations), Some(150));
    let mut legal = Vec::new();
    game.clone().legal_moves(&state, Role(0), &mut legal);
    assert!(searcher.favourite().is_some_and(|mov| legal.contains(&mov)));
    assert!(other.choose(&state, &Budget::simulations(0)).is_some());
    assert!(!other.ponder(&Budget::simulations(50)), "nothing to find out");
}

/// Plays what it must not.
struct Cheat(Option<Move>);

impl<G: Game> Player<G> for Cheat {
    fn choose(&mut self, _: &G::State, _: &Budget<'_>) -> Option<Move> {
        self.0
    }
}

/// Thinks longer than it may.
struct Slow;

impl<G: Game> Player<G> for Slow {
    fn choose(&mut self, _: &G::State, _: &Budget<'_>) -> Option<Move> {
        std::thread::sleep(Duration::from_millis(20));
        Some(Move(0))
    }
}

#[test]
fn bad_moves_are_replaced_and_recorded() {
    let mut game = tic_tac_toe();
    let clocks = Clocks {
        start: Allowance::Nothing,
        play: Allowance::Time(Duration::from_millis(1)),
        grace: Duration::ZERO,
        ponder: true,
    };
    let cheats: [(Box<dyn Player<Prover>>, &str); 3] = [
        (Box::new(Cheat(None)), "no move"),
        (Box::new(Cheat(Some(Move(0)))), "illegal move"),
        (Box::new(Slow), "s for a move"),
    ];
    for (cheat, what) in cheats {
        let mut seats = players(&game.clone(), ["random", "random"], 2);
        seats[1] = cheat;
        let record = play_match(&mut game, &mut seats, &terms(clocks));
        assert_eq!(record.ending, Ending::Terminal);
        let all: Vec<&str> = record.offences.iter().map(|o| o.what.as_str()).collect();
        assert!(all.iter().any(|offence| offence.contains(what)), "{what}: {all:?}");
        assert!(record.offences.iter().all(|offence| offence.role == record.roles[1]));
    }
}
