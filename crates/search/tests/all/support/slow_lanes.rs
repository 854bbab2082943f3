//! Lanes the slow way: many games side by side, one state at a time.

use gamegrove_game::{
    BoxedLanes, Driver, Ending, Entered, Finish, Game, Goal, Lanes, Move, MoveSet, Rng, Role,
    Start, Tally,
};

/// Plays `width` games side by side on a game that knows one state at a time.
#[derive(Clone)]
pub struct SlowLanes<G> {
    pub game: G,
    pub width: usize,
}

struct Lane<S> {
    state: S,
    first: Vec<Move>,
    enter: bool,
    limit: u32,
    steps: u32,
    /// The moves that were chosen here, for a driver that watches.
    played: Vec<Move>,
    rng: Rng,
}

impl<G: Game> SlowLanes<G> {
    fn sets(&mut self, state: &G::State) -> Vec<Vec<u64>> {
        let mut moves = Vec::new();
        Role::all(self.game.role_count())
            .map(|role| {
                self.game.legal_moves(state, role, &mut moves);
                let mut words = vec![0u64; self.game.move_bound(role).div_ceil(64)];
                for mov in &moves {
                    words[mov.index() / 64] |= 1 << (mov.index() % 64);
                }
                words
            })
            .collect()
    }

    /// One step of a lane; whether it goes on.
    fn step(
        &mut self,
        at: usize,
        lane: &mut Lane<G::State>,
        driver: &mut dyn Driver<G::State>,
        tally: &mut Tally,
    ) -> bool {
        let mut joint = std::mem::take(&mut lane.first);
        if joint.is_empty() {
            let sets = self.sets(&lane.state);
            let terminal = self.game.is_terminal(&lane.state);
            let stuck = sets.iter().position(|set| MoveSet::new(set).is_empty());
            if std::mem::take(&mut lane.enter) {
                driver.entered(at, &Entered::new(&lane.state, terminal, &sets));
            }
            let ending = match (terminal, lane.limit, stuck) {
                (true, ..) => Some(Ending::Terminal),
                (false, 0, _) => Some(Ending::TooLong),
                (false, _, Some(role)) => Some(Ending::Stuck(Role(role as u8))),
                (false, _, None) => None,
            };
            if let Some(ending) = ending {
                let mut goals = vec![Goal::default(); sets.len()];
                self.game.goals(&lane.state, &mut goals);
                let (steps, moves) = (lane.steps, &*lane.played);
                driver.finished(at, &Finish { goals: &goals, steps, ending, moves });
                tally.playouts += 1;
                tally.states += u64::from(lane.steps);
                return false;
            }
            for (role, set) in Role::all(sets.len()).zip(&sets) {
                let set = MoveSet::new(set);
                let several = set.count() > 1;
                joint.push(if several && driver.chooses() {
                    driver.choose(at, role, set, &mut lane.rng)
                } else {
                    set.pick(&mut lane.rng).expect("not stuck")
                });
            }
            match driver.watches() {
                true if driver.chooses() => driver.moved(at, &joint),
                true => lane.played.extend_from_slice(&joint),
                false => {}
            }
            lane.limit -= 1;
        }
        let mut next = lane.state.clone();
        self.game.apply(&lane.state, &joint, &mut next);
        lane.state = next;
        lane.steps += 1;
        true
    }
}

impl<G: Game + 'static> Lanes for SlowLanes<G> {
    type State = G::State;

    fn duplicate(&self) -> BoxedLanes<G::State> {
        Box::new(self.clone())
    }

    fn width(&self) -> usize {
        self.width
    }

    fn run(&mut self, seed: u64, driver: &mut dyn Driver<G::State>) -> Tally {
        let mut tally = Tally::default();
        let mut lanes: Vec<Option<Lane<G::State>>> = (0..self.width).map(|_| None).collect();
        let state = self.game.initial_state();
        let mut start =
            Start { state, first: Vec::new(), enter: false, limit: u32::MAX, number: 0 };
        loop {
            for (at, lane) in lanes.iter_mut().enumerate().filter(|(_, lane)| lane.is_none()) {
                if !driver.start(at, &mut start) {
                    break;
                }
                *lane = Some(Lane {
                    state: start.state.clone(),
                    first: start.first.clone(),
                    enter: start.enter,
                    limit: start.limit,
                    steps: 0,
                    played: Vec::new(),
                    rng: Rng::stream(seed, start.number),
                });
            }
            if lanes.iter().all(Option::is_none) || driver.give_up() {
                return tally;
            }
            for (at, slot) in lanes.iter_mut().enumerate() {
                if let Some(lane) = slot
                    && !self.step(at, lane, driver, &mut tally)
                {
                    *slot = None;
                }
            }
            tally.sweeps += 1;
        }
    }
}
