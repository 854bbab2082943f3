//! Many play-outs at once.
//!
//! A reasoner that steps hundreds of states in one pass runs a *stream* of play-outs: each lane
//! plays one, and as soon as it ends the lane gets the next. A [`Driver`] asks for
//! play-outs: it hands out starts and gets the results. What a driver does not ask for costs nothing.
//!
//! ```text
//! start ─ (first joint move) ─ entered ─ choose, moved ─ choose, moved ─ ... ─ finished ─ start ...
//! ```

use crate::{Batch, BatchError, BatchSetup, Ending, Goal, Move, MoveSet, Rng, Role};

/// A game that plays many games at once. As with [`crate::Game`], a value is a worker: clones share
/// the rules and own their buffers.
///
/// States and move numbers are those of the [`crate::Game`] it stands beside.
pub trait Lanes: Send {
    /// A position.
    type State;

    /// Another worker.
    fn duplicate(&self) -> BoxedLanes<Self::State>;

    /// How many play-outs can be in flight.
    fn width(&self) -> usize;

    /// Runs play-outs until none is in flight and the driver starts none, or it gives up.
    ///
    /// Play-out `n` takes its random numbers from [`Rng::stream`]`(seed, n)`, one for each choice
    /// among several moves, so what happens in it depends neither on the width nor on what else is
    /// in flight.
    fn run(&mut self, seed: u64, driver: &mut dyn Driver<Self::State>) -> Tally;

    /// Plays a sample to its end, or until `give_up`, which is asked now and then, says so.
    fn sample(
        &mut self,
        seed: u64,
        sample: &Sample<Self::State>,
        give_up: &mut dyn FnMut() -> bool,
    ) -> Sums
    where
        Self::State: Clone,
    {
        let mut adder = Adder { sample, give_up, started: 0, sums: Sums::default() };
        let Tally { sweeps, .. } = self.run(seed, &mut adder);
        let Sums { tally, .. } = adder.sums;
        Sums { tally: Tally { sweeps, ..tally }, ..adder.sums }
    }

    /// Games that are stepped with moves from outside.
    fn batch(&self, _setup: BatchSetup) -> Result<Box<dyn Batch>, BatchError> {
        Err(BatchError::Unsupported)
    }
}

/// Lanes of some reasoner whose states are `S`.
pub type BoxedLanes<S> = Box<dyn Lanes<State = S>>;

impl<S> Clone for BoxedLanes<S> {
    fn clone(&self) -> Self {
        self.duplicate()
    }
}

/// Uniformly random play-outs from one state.
#[derive(Clone, Debug)]
pub struct Sample<S> {
    /// Where they start.
    pub state: S,
    /// How many joint moves each may have.
    pub limit: u32,
    /// How many there are at most. Number `n` takes its random numbers from stream `n` of the seed.
    pub count: u64,
}

/// Results of a [`Sample`]. Play-outs that were in flight when it was given up do not count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sums {
    /// Play-outs, their joint moves, and steps of all lanes.
    pub tally: Tally,
    /// The play-outs that ended in a terminal state; the others reached the limit or were stuck.
    pub terminal: u64,
    /// Their goals added up, one per role.
    pub goals: Vec<f64>,
}

/// Where a play-out starts. The values stay from the last start of any lane; the driver changes
/// what it wants different.
#[derive(Clone, Debug)]
pub struct Start<S> {
    /// The state to start from; at first the initial state.
    pub state: S,
    /// The first move of each role; empty if the choice is free. Must be legal in `state`.
    pub first: Vec<Move>,
    /// Whether [`Driver::entered`] is to be called.
    pub enter: bool,
    /// How many joint moves may follow the first one; at first there is no limit.
    pub limit: u32,
    /// The play-out's number, which says what random numbers it takes: how many were started before
    /// in this run, unless the driver writes something else.
    pub number: u64,
}

/// The state a play-out entered by its first joint move (or started from, if it had none).
#[derive(Clone, Copy, Debug)]
pub struct Entered<'a, S> {
    /// The state.
    pub state: &'a S,
    /// Whether play is over in it; then [`Driver::finished`] follows.
    pub terminal: bool,
    sets: &'a [Vec<u64>],
}

impl<'a, S> Entered<'a, S> {
    /// A state and one set of legal moves per role.
    pub fn new(state: &'a S, terminal: bool, sets: &'a [Vec<u64>]) -> Self {
        Entered { state, terminal, sets }
    }

    /// The legal moves of a role; none where play is over.
    pub fn legal(&self, role: Role) -> MoveSet<'a> {
        MoveSet::new(&self.sets[role.index()])
    }
}

/// How a play-out ended.
#[derive(Clone, Copy, Debug)]
pub struct Finish<'a> {
    /// The worth of the last state to each role.
    pub goals: &'a [Goal],
    /// How many joint moves were made, the first one included.
    pub steps: u32,
    /// The reason for its end.
    pub ending: Ending,
    /// The joint moves that the lanes chose by themselves, role by role within each, for a driver that
    /// [`watches`](Driver::watches).
    pub moves: &'a [Move],
}

/// By what lanes choose for one role where a driver leaves that to them: a random move with some
/// probability, else the most preferred of the legal ones, equals at random.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preference {
    /// The probability of a random move.
    pub random: f64,
    /// All moves of the role, the most preferred first.
    pub order: Vec<Preferred>,
}

/// A move in an order of preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preferred {
    /// The move.
    pub mov: Move,
    /// Whether the next one is preferred less; otherwise it is an equal.
    pub last: bool,
}

/// Asks for play-outs and gets their results.
pub trait Driver<S> {
    /// Whether [`choose`](Driver::choose) is to be called; otherwise all moves are equally likely.
    /// Asked once at the start of a run, as is [`watches`](Driver::watches).
    fn chooses(&self) -> bool {
        false
    }

    /// By what lanes may choose instead of calling [`choose`](Driver::choose), for each role; `None` if
    /// they must call it. Lanes that cannot do so do not ask; others ask before each step, and if the
    /// first answer of a run is not `None`, no later one may be.
    fn preferences(&mut self) -> Option<&[Preference]> {
        None
    }

    /// Whether the driver is to know the moves of play-outs: by [`moved`](Driver::moved) those that it
    /// chose, with the end of the play-out those that the lanes chose.
    fn watches(&self) -> bool {
        false
    }

    /// Says where a free lane's next play-out starts; `false` leaves it idle for now. Idle lanes are
    /// offered again after each step of the others, one at a time until one is refused.
    fn start(&mut self, lane: usize, start: &mut Start<S>) -> bool;

    /// A play-out has made its first joint move.
    fn entered(&mut self, _lane: usize, _entered: &Entered<'_, S>) {}

    /// Picks a move for a role that has several. A move that is not legal counts as the first that
    /// is.
    fn choose(&mut self, _lane: usize, _role: Role, legal: MoveSet<'_>, rng: &mut Rng) -> Move {
        legal.pick(rng).unwrap_or(Move(0))
    }

    /// A play-out makes a joint move of which [`choose`](Driver::choose) was asked; the start's first one
    /// is not told again.
    fn moved(&mut self, _lane: usize, _joint: &[Move]) {}

    /// A play-out is over.
    fn finished(&mut self, lane: usize, finish: &Finish<'_>);

    /// Asked once per step of all lanes: whether to drop what is in flight and return at once.
    fn give_up(&mut self) -> bool {
        false
    }
}

/// Hands out the starts of a sample and adds up the ends.
struct Adder<'a, S> {
    sample: &'a Sample<S>,
    give_up: &'a mut dyn FnMut() -> bool,
    started: u64,
    sums: Sums,
}

impl<S: Clone> Driver<S> for Adder<'_, S> {
    fn start(&mut self, _lane: usize, start: &mut Start<S>) -> bool {
        if self.started == self.sample.count {
            return false;
        }
        if self.started == 0 {
            start.state.clone_from(&self.sample.state);
            start.limit = self.sample.limit;
        }
        self.started += 1;
        true
    }

    fn finished(&mut self, _lane: usize, finish: &Finish<'_>) {
        self.sums.tally.playouts += 1;
        self.sums.tally.states += u64::from(finish.steps);
        self.sums.goals.resize(finish.goals.len(), 0.0);
        if matches!(finish.ending, Ending::Terminal) {
            self.sums.terminal += 1;
            let goals = self.sums.goals.iter_mut().zip(finish.goals);
            goals.for_each(|(sum, goal)| *sum += f64::from(goal.0));
        }
    }

    fn give_up(&mut self) -> bool {
        (self.give_up)()
    }
}

/// The counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Play-outs that ended.
    pub playouts: u64,
    /// Joint moves made in them.
    pub states: u64,
    /// Steps of all lanes together.
    pub sweeps: u64,
}
