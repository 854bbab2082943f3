//! What a driver asks for is what it gets: starts, first moves, limits, idle lanes, giving up.

use std::collections::BTreeMap;
use std::sync::Arc;

use gamegrove_game::{
    Driver, Ending, Entered, Finish, Game, Goal, Lanes, Move, MoveSet, Rng, Role, Start,
};
use gamegrove_propnet::{Bits, Network, Propnet, PropnetLanes, Width};

use super::{Record, Recorder, play, shipped, uniform};

/// A state, a joint move to begin with, and what follows.
struct Case {
    state: Bits,
    first: Vec<Move>,
    entered: Bits,
    terminal: bool,
    legal: Vec<Vec<Move>>,
    goals: Vec<Goal>,
    steps: u32,
    ending: Ending,
}

const SEED: u64 = 4;

/// Cases along random games; every third starts without a first move.
fn cases(network: &Arc<Network>, count: usize, limit: u32) -> Vec<Case> {
    let mut game: Propnet = Propnet::new(network).expect("a sound network");
    let mut rng = Rng::new(11);
    let mut cases = Vec::new();
    while cases.len() < count {
        let mut state = game.initial_state();
        while !game.is_terminal(&state) && cases.len() < count {
            let mut next = state.clone();
            let mut joint = Vec::new();
            for role in Role::all(game.role_count()) {
                let mut moves = Vec::new();
                game.legal_moves(&state, role, &mut moves);
                joint.push(rng.pick(&moves).expect("a legal move"));
            }
            game.apply(&state, &joint, &mut next);
            let opens = cases.len() % 3 != 0;
            let entered = if opens { next.clone() } else { state.clone() };
            let terminal = game.is_terminal(&entered);
            let mut legal = vec![Vec::new(); game.role_count()];
            for role in Role::all(game.role_count()).filter(|_| !terminal) {
                game.legal_moves(&entered, role, &mut legal[role.index()]);
            }
            let mut numbers = Rng::stream(SEED, cases.len() as u64);
            let rest: Record = play(&mut game, &entered, limit, &mut numbers, uniform);
            cases.push(Case {
                state: state.clone(),
                first: if opens { joint } else { Vec::new() },
                entered,
                terminal,
                legal,
                goals: rest.goals,
                steps: rest.steps + u32::from(opens),
                ending: rest.ending,
            });
            state = next;
        }
    }
    cases
}

struct Checker<'a> {
    cases: &'a [Case],
    limit: u32,
    at: usize,
    running: BTreeMap<usize, (usize, bool)>,
    finished: usize,
}

impl Driver<Bits> for Checker<'_> {
    fn start(&mut self, lane: usize, start: &mut Start<Bits>) -> bool {
        let Some(case) = self.cases.get(self.at) else { return false };
        assert_eq!(start.number, self.at as u64);
        start.state.clone_from(&case.state);
        start.first.clone_from(&case.first);
        start.enter = self.at % 4 != 1;
        start.limit = self.limit;
        assert_eq!(self.running.insert(lane, (self.at, !start.enter)), None);
        self.at += 1;
        true
    }

    fn entered(&mut self, lane: usize, entered: &Entered<'_, Bits>) {
        let (at, told) = self.running.get_mut(&lane).expect("a lane in flight");
        assert!(!*told, "case {at} is told once");
        *told = true;
        let case = &self.cases[*at];
        assert_eq!(*entered.state, case.entered, "case {at}");
        assert_eq!(entered.terminal, case.terminal, "case {at}");
        for (role, legal) in case.legal.iter().enumerate() {
            let seen: Vec<Move> = entered.legal(Role(role as u8)).iter().collect();
            assert_eq!(seen, *legal, "case {at}");
        }
    }

    fn finished(&mut self, lane: usize, finish: &Finish<'_>) {
        let (at, told) = self.running.remove(&lane).expect("a lane in flight");
        let case = &self.cases[at];
        assert!(told, "case {at} was told before it ended");
        assert_eq!(finish.goals, case.goals, "case {at}");
        assert_eq!((finish.steps, finish.ending), (case.steps, case.ending), "case {at}");
        self.finished += 1;
    }
}

#[test]
fn playouts_start_anywhere_with_a_first_move() {
    for (name, limit) in [("connect_four", 500), ("breakthrough", 20), ("tron", 500)] {
        let network = shipped(name);
        let cases = cases(&network, 700, limit);
        assert!(cases.iter().any(|case| case.terminal), "{name}: some first move ends the game");
        let lanes = PropnetLanes::new(&network).expect("a sound network");
        for width in Width::all() {
            let running = BTreeMap::new();
            let mut checker = Checker { cases: &cases, limit, at: 0, running, finished: 0 };
            let tally = lanes.with_width(width).run(SEED, &mut checker);
            assert_eq!(checker.finished, cases.len(), "{name}, {width}");
            assert_eq!(tally.playouts, cases.len() as u64);
            let steps: u64 = cases.iter().map(|case| u64::from(case.steps)).sum();
            assert_eq!(tally.states, steps, "{name}, {width}");
        }
    }
}

#[test]
fn a_limit_ends_playouts() {
    let network = shipped("breakthrough");
    let mut lanes = PropnetLanes::new(&network).expect("a sound network");
    for limit in [0, 1, 7] {
        let mut recorder = Recorder::new(1000, limit);
        lanes.run(1, &mut recorder);
        let ends = |record: &Record| (record.steps, record.ending) == (limit, Ending::TooLong);
        assert!(recorder.seen.values().all(ends), "limit {limit}");
        assert_eq!(recorder.seen.len(), 1000);
    }
}

/// Keeps few lanes in flight, more and more of them.
struct Shy {
    flying: usize,
    most: usize,
    peak: usize,
    left: u32,
}

impl Driver<Bits> for Shy {
    fn start(&mut self, _lane: usize, _start: &mut Start<Bits>) -> bool {
        if self.flying == self.most || self.left == 0 {
            return false;
        }
        self.flying += 1;
        self.peak = self.peak.max(self.flying);
        self.left -= 1;
        true
    }

    fn finished(&mut self, _lane: usize, _finish: &Finish<'_>) {
        self.flying -= 1;
        self.most = (self.most + 1).min(90);
    }
}

#[test]
fn lanes_may_stay_idle_for_a_while() {
    let lanes = PropnetLanes::new(&shipped("tic_tac_toe")).expect("a sound network");
    for width in Width::all() {
        let mut shy = Shy { flying: 0, most: 1, peak: 0, left: 1000 };
        let tally = lanes.with_width(width).run(2, &mut shy);
        assert_eq!((tally.playouts, shy.flying, shy.left), (1000, 0, 0), "{width}");
        assert_eq!(shy.peak, 90.min(width.lanes()), "{width}");
    }
}

/// Gives up after some sweeps.
struct Hasty(u32);

impl Driver<Bits> for Hasty {
    fn start(&mut self, _lane: usize, _start: &mut Start<Bits>) -> bool {
        true
    }

    fn finished(&mut self, _lane: usize, _finish: &Finish<'_>) {}

    fn give_up(&mut self) -> bool {
        self.0 -= 1;
        self.0 == 0
    }
}

#[test]
fn a_driver_can_give_up_and_start_again() {
    let mut lanes = PropnetLanes::new(&shipped("tic_tac_toe")).expect("a sound network");
    let fresh = lanes.clone();
    assert_eq!(lanes.run(1, &mut Hasty(4)).sweeps, 3);
    // What was left in flight does not show in the next run.
    let [mut after, mut before] = [Recorder::new(300, 100), Recorder::new(300, 100)];
    lanes.run(8, &mut after);
    fresh.clone().run(8, &mut before);
    assert_eq!(after.seen, before.seen);
}

/// Always answers with the same move, legal or not.
struct Stubborn(Vec<Move>);

impl Driver<Bits> for Stubborn {
    fn chooses(&self) -> bool {
        true
    }

    fn watches(&self) -> bool {
        true
    }

    fn start(&mut self, _lane: usize, start: &mut Start<Bits>) -> bool {
        start.number == 0
    }

    fn choose(&mut self, _lane: usize, _role: Role, legal: MoveSet<'_>, _rng: &mut Rng) -> Move {
        self.0.push(legal.nth(0).expect("a legal move"));
        Move(u32::MAX)
    }

    fn moved(&mut self, _lane: usize, joint: &[Move]) {
        if let Some(mov) = self.0.pop() {
            assert!(joint.contains(&mov), "{joint:?} for {mov:?}");
        }
    }

    fn finished(&mut self, _lane: usize, finish: &Finish<'_>) {
        assert_eq!(finish.ending, Ending::Terminal);
    }
}

#[test]
fn an_illegal_answer_counts_as_the_first_legal_move() {
    for name in ["tic_tac_toe", "breakthrough"] {
        let mut lanes = PropnetLanes::new(&shipped(name)).expect("a sound network");
        assert_eq!(lanes.run(1, &mut Stubborn(Vec::new())).playouts, 1);
    }
}
