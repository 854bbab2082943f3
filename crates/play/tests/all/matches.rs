//! Whole matches, also with players that break the rules.

use std::sync::Arc;
use std::time::Duration;

use gamegrove_agents::Agent;
use gamegrove_game::{Move, Role};
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::matches::{Allowance, Clocks, Ending, MatchRecord, MatchRules};
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::{
    Board, Budget, Hooks, Player, Seat, Setup, State, StopFlag, View, open, referee,
};

fn tic_tac_toe() -> Arc<dyn Board> {
    let source = Source::open("tic_tac_toe").expect("a shipped game");
    let setup = Setup::new(Reasoner::Prover);
    open(&source, &LevelChoice::Number(0), &setup).expect("a sound game")
}

fn rules(clocks: Clocks) -> MatchRules {
    MatchRules { clocks, step_limit: 100, seed: 1, facts: true }
}

fn players(board: &Arc<dyn Board>, specs: [&str; 2], seed: u64) -> Vec<Seat> {
    let make = |(spec, role): (&str, Role)| {
        let agent = Agent::find(spec).expect("a good spec");
        let player = board.player(&agent, role, seed + u64::from(role.0), &Hooks::default());
        Seat::new(spec, player.expect("a good agent"))
    };
    specs.into_iter().zip(Role::all(2)).map(make).collect()
}

fn play(board: &Arc<dyn Board>, mut seats: Vec<Seat>, clocks: Clocks) -> MatchRecord {
    referee(board, &mut seats, &rules(clocks), &StopFlag::default())
}

#[test]
fn a_match_is_recorded_and_repeats_with_its_seed() {
    let board = tic_tac_toe();
    let play = || {
        let seats = players(&board, ["uct", "random"], 5);
        let mut record = play(&board, seats, Clocks::simulations(200));
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
    let board = tic_tac_toe();
    for ponder in [true, false] {
        let clocks = Clocks { ponder, ..Clocks::simulations(50) };
        let record = play(&board, players(&board, ["uct", "uct"], 5), clocks);
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
    let board = tic_tac_toe();
    let state = board.start(0);
    let mut seats = players(&board, ["uct", "random"], 5).into_iter().map(|seat| seat.player);
    let (Some(mut searcher), Some(mut other)) = (seats.next(), seats.next()) else {
        panic!("two players")
    };
    assert!(!searcher.ponder(&Budget::simulations(5)), "there is no position yet");
    assert_eq!(searcher.favourite(), None);
    assert!(searcher.choose(&state, &Budget::simulations(100)).is_some());
    assert!(searcher.ponder(&Budget::simulations(50)));
    assert_eq!(searcher.report().map(|report| report.simulations), Some(150));
    let Ok(View::Open(legal)) = board.view(&state) else { panic!("play is not over") };
    assert!(searcher.favourite().is_some_and(|mov| legal.of(Role(0)).contains(&mov)));
    assert!(other.choose(&state, &Budget::simulations(0)).is_some());
    assert!(!other.ponder(&Budget::simulations(50)), "nothing to find out");
}

/// Plays what it must not.
struct Cheat(Option<Move>);

impl Player for Cheat {
    fn choose(&mut self, _: &State, _: &Budget) -> Option<Move> {
        self.0
    }
}

/// Thinks longer than it may.
struct Slow;

impl Player for Slow {
    fn choose(&mut self, _: &State, _: &Budget) -> Option<Move> {
        std::thread::sleep(Duration::from_millis(20));
        Some(Move(0))
    }
}

#[test]
fn bad_moves_are_replaced_and_recorded() {
    let board = tic_tac_toe();
    let clocks = Clocks {
        start: Allowance::Nothing,
        play: Allowance::Time(Duration::from_millis(1)),
        grace: Duration::ZERO,
        ponder: true,
    };
    let cheats: [(Box<dyn Player>, &str); 3] = [
        (Box::new(Cheat(None)), "no move"),
        (Box::new(Cheat(Some(Move(0)))), "illegal move"),
        (Box::new(Slow), "s for a move"),
    ];
    for (cheat, what) in cheats {
        let mut seats = players(&board, ["random", "random"], 2);
        seats[1].player = cheat;
        let record = play(&board, seats, clocks);
        assert_eq!(record.ending, Ending::Terminal);
        let all: Vec<&str> = record.offences.iter().map(|o| o.what.as_str()).collect();
        assert!(all.iter().any(|offence| offence.contains(what)), "{what}: {all:?}");
        assert!(record.offences.iter().all(|offence| offence.role == record.roles[1]));
    }
}
