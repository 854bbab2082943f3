//! Many simulations in flight: each lane of a reasoner plays out one of them.
//!
//! A lane that is free gets the next simulation: it goes down the tree at once, without asking the
//! reasoner, because nodes hold states and legal moves. The edge it stops at becomes the lane's first
//! joint move, so expansion and play-out are one pass. Simulations under way count as visits without
//! gain (virtual loss), so that those started beside them look elsewhere.
//!
//! How many may be in flight follows the tree: a search with few simulations behind it would be
//! blurred by hundreds that know nothing of each other, so its first ones are made one by one. A step
//! of a few lanes takes nearly as long as one of all, so lanes that would be idle meanwhile may play
//! out leaves once more (`spare_playouts`). Without that, lanes gain little where rules are slow and time is
//! short. Where the rules are fast and the parts of the search are not, lanes
//! gain little, and the blur is what is left of them; so when a clock runs, both ways are measured
//! now and then.

use std::time::Duration;

use cpu_time::ThreadTime;
use gamegrove_game::{
    Driver, Entered, Finish, Game, Lanes, Move, MoveSet, Preference, Rng, Role, Start,
};

use crate::budget::{Budget, Stop};
use crate::core::Core;
use crate::parameter::Values;
use crate::search::Search;
use crate::simulate::Knowledge;
use crate::simulation::Simulation;
use crate::trace::Needs;
use crate::tree::Facts;
use crate::worker::Worker;

/// Simulations that end within the tree are done at once; after so many in a row the lanes get on.
const MOST_WITHOUT_PLAYOUT: usize = 64;

/// Legal moves that all simulations in flight may have noted, as far as is known: some 64 MB. Where moves
/// are many, policies that learn from them fly fewer lanes.
const MOST_NOTED: usize = 1 << 24;

/// How many simulations go down the tree at once: enough to wait for memory together.
const AT_ONCE: usize = 8;

/// Simulations after which lanes get to know what the policy prefers now, or a quarter of those in flight
/// if that is less: as many do not know of each other anyway.
const PREFERRED_FOR: u64 = 64;

/// The share of the time after which lanes are used, however small the tree is.
const ALONE: f64 = 0.1;

/// The share of the time for which single states are tried.
const TRIED: f64 = 0.08;

/// The share of the time after which it is decided whether lanes go on. They are measured in the
/// second half of it: at first few are in flight.
const TRIED_ON_LANES: f64 = 0.2;

/// The least time that is worth trying both.
const WORTH_TRYING: Duration = Duration::from_millis(20);

/// Searches after which both are tried again: play-outs get shorter as a match goes on.
const TRIED_AGAIN: u32 = 6;

/// Which way play-outs go when a clock runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pace {
    /// One state at a time, because lanes gain too little.
    single: bool,
    /// Searches since both were tried; none were at first.
    since: Option<u32>,
}

impl Pace {
    /// Whether both ways are to be tried in a search that has so much time.
    fn is_due(&mut self, time: Option<Duration>) -> bool {
        let due = time.is_some_and(|time| time >= WORTH_TRYING)
            && self.since.is_none_or(|since| since >= TRIED_AGAIN);
        self.since = self.since.map(|since| since + 1);
        due
    }
}

/// Everything in flight.
struct Flight<'a, G: Game> {
    /// Whether the policy chooses, and whether moves are noted.
    chooses: bool,
    watches: bool,
    /// By what the lanes choose, if they can, and the simulations that were finished when that was written.
    preferences: Vec<Preference>,
    preferred_at: u64,
    known: &'a mut Knowledge<G::State>,
    worker: &'a mut Worker<G>,
    budget: &'a Budget<'a>,
    rng: &'a mut Rng,
    lanes: Vec<LaneState>,
    in_flight: usize,
    /// Simulations that stopped at an edge and wait for a lane, and some that are not in use.
    #[expect(clippy::vec_box, reason = "they change places with those of lanes, and are large")]
    ready: Vec<Box<Simulation>>,
    #[expect(clippy::vec_box, reason = "as above")]
    unused: Vec<Box<Simulation>>,
    /// Play-outs so far.
    playouts: u64,
    /// The lane whose leaf gets more play-outs, and how many.
    again: Option<(usize, u32)>,
    flown: Flown,
    finished: u64,
    stop: Option<Stop>,
    trial: Option<Trial>,
    facts: FactBuffer,
    legal: Vec<Move>,
    /// The parameters of the settings.
    values: Values,
}

/// Lanes on trial: they must make enough steps a second.
struct Trial {
    /// The steps a second that one play-out of each leaf would have to make.
    least: f64,
    /// What is left of the time when measuring begins, and when it ends.
    from: Duration,
    until: Duration,
    /// What there was when it began.
    measured: Option<Measured>,
    /// Sweeps of all lanes so far.
    steps: u64,
    failed: bool,
}

struct Measured {
    since: ThreadTime,
    steps: u64,
    flown: Flown,
}

/// Simulations of a flight so far.
#[derive(Clone, Copy, Debug, Default)]
struct Flown {
    /// Those started, with those that ended within the tree.
    started: u64,
    /// Those of them that went down the tree by themselves.
    leaves: u64,
    /// Play-outs that came to their end.
    landed: u64,
}

/// Sweeps of a play-out that are no steps of it below its leaf: its first joint move, and the one in which
/// its end is seen.
const NO_STEPS: u64 = 2;

impl Trial {
    fn new(least: f64, time: Duration) -> Trial {
        let left = |share: f64| time.mul_f64(1.0 - share);
        let (from, until) = (left(TRIED_ON_LANES / 2.0), left(TRIED_ON_LANES));
        Trial { least, from, until, measured: None, steps: 0, failed: false }
    }

    /// Looks at the clock after a step of so many lanes; whether it is over.
    fn is_over(&mut self, left: Duration, lanes: usize, flown: Flown) -> bool {
        self.steps += lanes as u64;
        let Some(before) = &self.measured else {
            if left <= self.from {
                let (since, steps) = (ThreadTime::now(), self.steps);
                self.measured = Some(Measured { since, steps, flown });
            }
            return false;
        };
        if left > self.until {
            return false;
        }
        let seconds = before.since.elapsed().as_secs_f64().max(1e-9);
        let Flown { started, leaves, landed } = before.flown;
        let idle = NO_STEPS * (flown.landed - landed);
        let rate = (self.steps - before.steps).saturating_sub(idle) as f64 / seconds;
        // Two play-outs from one leaf tell less than from two: as much as the square root of their
        // number, by the error of their mean.
        let leaves = (flown.leaves - leaves).max(1) as f64;
        let playouts = ((flown.started - started) as f64 / leaves).max(1.0);
        self.failed = rate / playouts.sqrt() < self.least;
        true
    }
}

/// What a lane plays.
struct LaneState {
    simulation: Box<Simulation>,
    busy: bool,
    /// Its first joint move was made.
    entered: bool,
    /// The state after the first joint move is over, and its goals come with the end.
    ends_at_once: bool,
    /// What each role can choose from in the current state, if a learner needs that; nothing for
    /// roles without a choice.
    offers: Vec<Vec<Move>>,
}

#[derive(Default)]
struct FactBuffer {
    moves: Vec<Move>,
    ends: Vec<u32>,
}

impl<G: Game> Search<G> {
    /// Whether the parts of this search can play out on lanes, and should.
    pub fn suits_lanes(&self) -> bool {
        self.no_lanes().is_none()
    }

    /// As [`run`](Search::run), with play-outs on the lanes of a reasoner of the same game.
    pub fn run_on(&mut self, lanes: &mut dyn Lanes<State = G::State>, budget: &Budget<'_>) -> Stop {
        if !self.suits_lanes() {
            return self.run(budget);
        }
        let stop = self.run_with(lanes, budget);
        self.defend(budget);
        stop
    }

    fn run_with(&mut self, lanes: &mut dyn Lanes<State = G::State>, budget: &Budget<'_>) -> Stop {
        if let Some(stop) = self.settle(budget) {
            return stop;
        }
        let before = self.known.core.run.counts.simulations;
        if let Some(stop) = self.start_alone(budget) {
            return stop;
        }
        match budget.simulation_limit() {
            u64::MAX => self.go_the_better_way(lanes, budget),
            // What counts simulations must not depend on the machine.
            limit => {
                let done = self.known.core.run.counts.simulations - before;
                self.take_off(lanes, &budget.and_simulations(limit - done), None).0
            }
        }
    }

    /// Goes on until the time is over, on lanes or one by one, whatever is worth more.
    fn go_the_better_way(
        &mut self,
        lanes: &mut dyn Lanes<State = G::State>,
        budget: &Budget<'_>,
    ) -> Stop {
        let gain = self.known.core.settings.lanes_gain;
        if gain > 0.0 && self.pace.is_due(budget.remaining()) {
            let (before, since) = (self.known.core.run.counts.steps_below, ThreadTime::now());
            let stop = self.one_by_one(&budget.share(TRIED));
            if stop != Stop::Time || budget.is_late() {
                return stop;
            }
            let steps = (self.known.core.run.counts.steps_below - before) as f64;
            let rate = steps / since.elapsed().as_secs_f64().max(1e-9);
            let trial = budget.remaining().map(|left| Trial::new(gain * rate, left));
            let (stop, failed) = self.take_off(lanes, budget, trial);
            self.pace = Pace { single: failed, since: Some(0) };
            if !failed {
                return stop;
            }
        }
        match self.pace.single {
            true => self.one_by_one(budget),
            false => self.take_off(lanes, budget, None).0,
        }
    }

    /// Goes on with one state at a time.
    fn one_by_one(&mut self, budget: &Budget<'_>) -> Stop {
        self.alone(budget, |_| false).unwrap_or(Stop::Time)
    }

    /// Goes on with play-outs on lanes; says also whether they have failed their trial.
    fn take_off(
        &mut self,
        lanes: &mut dyn Lanes<State = G::State>,
        budget: &Budget<'_>,
        trial: Option<Trial>,
    ) -> (Stop, bool) {
        let Core { settings, strategies, learned, .. } = &self.known.core;
        let Needs { amaf, legal, .. } = strategies.needs;
        let watches = amaf || legal || !learned.tables.is_empty() || settings.discount != 1.0;
        // Learners of legal moves are told what there was to choose from where it is chosen.
        let chooses = !strategies.policy.is_uniform() || legal;
        self.fly(lanes, (chooses, watches || chooses), budget, trial)
    }

    /// The first simulations, one state at a time: as long as a tree is small, each simulation tells
    /// much about where the next should go, and hundreds that do not know of each other would blur
    /// it. Where the rules are slow this would take long, so a clock ends it early.
    fn start_alone(&mut self, budget: &Budget<'_>) -> Option<Stop> {
        let time = budget.remaining();
        let left = |time: Duration| budget.remaining().map_or(time, |left| left.min(time));
        let over = |time: Duration| left(time) < time.mul_f64(1.0 - ALONE);
        let before = self.known.core.run.counts.simulations;
        self.alone(budget, |core| {
            let done = core.run.counts.simulations - before;
            core.root_visits() >= core.settings.lanes_from
                || done.is_multiple_of(8) && time.is_some_and(over)
        })
    }

    /// Simulations one by one until it is `enough`; why they ended if that was not it.
    fn alone(&mut self, budget: &Budget<'_>, enough: impl Fn(&Core) -> bool) -> Option<Stop> {
        let before = self.known.core.run.counts.simulations;
        while !enough(&self.known.core) {
            if let Some(stop) = budget.is_spent(self.known.core.run.counts.simulations - before) {
                return Some(stop);
            }
            if self.known.core.is_solved() {
                return Some(Stop::Solved);
            }
            self.simulate(1);
        }
        None
    }

    fn fly(
        &mut self,
        lanes: &mut dyn Lanes<State = G::State>,
        (chooses, watches): (bool, bool),
        budget: &Budget<'_>,
        trial: Option<Trial>,
    ) -> (Stop, bool) {
        let seed = self.rng.next_u64();
        let (values, roles) = (self.known.core.default_values(), self.known.core.run.roles);
        let idle = || LaneState {
            simulation: Box::new(Simulation::new(values.clone())),
            busy: false,
            entered: false,
            ends_at_once: false,
            offers: vec![Vec::new(); roles],
        };
        let mut flight = Flight {
            chooses,
            watches,
            preferences: vec![Preference::default(); roles],
            preferred_at: 0,
            known: &mut self.known,
            worker: &mut self.worker,
            budget,
            rng: &mut self.rng,
            lanes: (0..lanes.width()).map(|_| idle()).collect(),
            in_flight: 0,
            ready: Vec::new(),
            unused: Vec::new(),
            playouts: 0,
            again: None,
            flown: Flown::default(),
            finished: 0,
            stop: None,
            trial,
            facts: FactBuffer::default(),
            legal: Vec::new(),
            values: values.clone(),
        };
        if !flight.prefer() {
            flight.preferences.clear();
        }
        // The lanes return when all are idle; that may be because few are allowed at first.
        while flight.stop.is_none() {
            lanes.run(seed, &mut flight);
            // Simulations may all end within the tree, where the budget is not looked at.
            flight.stop = flight.stop.or(budget.is_spent(flight.finished));
        }
        flight.abandon();
        let failed = flight.trial.is_some_and(|trial| trial.failed);
        (flight.stop.unwrap_or(Stop::Simulations), failed)
    }
}

impl<G: Game> Flight<'_, G> {
    /// Writes by what the lanes choose; `false` if the policy must be asked for each choice.
    fn prefer(&mut self) -> bool {
        let Core { strategies, learned, .. } = &self.known.core;
        if !self.chooses || strategies.needs.legal || learned.tuner.is_some() {
            return false;
        }
        let values = &self.values;
        let Worker { game, .. } = &*self.worker;
        self.preferred_at = self.finished;
        (0..).map(Role).zip(&mut self.preferences).all(|(role, preference)| {
            let moves = game.move_bound(role);
            strategies.policy.prefer(&learned.tables, values, role, moves, preference)
        })
    }

    /// Forgets what is still in flight.
    fn abandon(&mut self) {
        for lane in self.lanes.iter_mut().filter(|lane| lane.busy) {
            self.known.core.unmark_pending(&lane.simulation);
            self.known.core.learned.forget_values(&lane.simulation);
            lane.busy = false;
        }
        for simulation in &self.ready {
            self.known.core.unmark_pending(simulation);
            self.known.core.learned.forget_values(simulation);
        }
        self.in_flight = 0;
    }

    /// How many lanes may be in flight now, and how many play-outs a new leaf gets.
    fn allowed(&self) -> (usize, u32) {
        let settings = &self.known.core.settings;
        let known = self.known.core.root_visits();
        let room = (MOST_NOTED / self.known.core.run.most_noted.max(1)).clamp(1, self.lanes.len());
        let share = match self.budget.is_counted() {
            true => settings.counted_share,
            false => settings.flight_share,
        };
        let lanes = ((known * share) as usize).clamp(1, room);
        let spare = (room / lanes).min(settings.spare_playouts as usize);
        (lanes * spare, settings.leaf_playouts * spare as u32)
    }

    /// Starts another play-out from the leaf that was reached last, if it is to get more of them:
    /// the way down is not gone again (leaf parallelism; [Finnsson 2012, 3.3.6]).
    fn start_again(&mut self, lane: usize, start: &mut Start<G::State>) -> bool {
        let Some((from, left @ 1..)) = self.again else { return false };
        // The lane it came from may be playing something else by now.
        if !self.lanes[from].busy
            || self.lanes[from].entered
            || self.flown.started >= self.budget.simulation_limit()
        {
            self.again = None;
            return false;
        }
        self.again = Some((from, left - 1));
        self.flown.started += 1;
        self.playouts += 1;
        start.number = self.playouts;
        let [from, to] = self
            .lanes
            .get_disjoint_mut([from, lane])
            .expect("a lane that is free is not one that is busy");
        to.simulation.copy(&from.simulation);
        to.busy = true;
        to.entered = false;
        self.known.core.mark_pending(&to.simulation);
        self.in_flight += 1;
        true
    }

    /// Sends so many simulations down the tree, in step with each other, until there is one at an edge. Those
    /// that end within the tree are done.
    fn descend(&mut self, count: usize) {
        let mut ended = 0;
        while self.ready.is_empty() && ended < MOST_WITHOUT_PLAYOUT && self.stop.is_none() {
            let left = self.budget.simulation_limit().saturating_sub(self.flown.started);
            let count = count.min(usize::try_from(left).unwrap_or(usize::MAX));
            if count == 0 {
                return;
            }
            let mut going: Vec<Box<Simulation>> = Vec::with_capacity(count);
            for _ in 0..count {
                let fresh = || Box::new(Simulation::new(self.values.clone()));
                let mut simulation = self.unused.pop().unwrap_or_else(fresh);
                self.known.core.begin(&mut simulation);
                simulation.marked = true;
                going.push(simulation);
            }
            self.flown.started += count as u64;
            self.flown.leaves += count as u64;
            while !going.is_empty() {
                for at in (0..going.len()).rev() {
                    let Knowledge { core, states } = &mut *self.known;
                    let Some(reached) = core.go_down(&mut going[at], states, self.rng) else {
                        continue;
                    };
                    let mut simulation = going.swap_remove(at);
                    if self.known.finish_in_tree(reached, &mut simulation, self.worker) {
                        self.known.core.back_up(&simulation);
                        self.known.core.learn(&simulation);
                        self.unused.push(simulation);
                        (ended, self.finished) = (ended + 1, self.finished + 1);
                    } else {
                        self.ready.push(simulation);
                    }
                }
                self.known.core.fetch_leaves(going.iter().map(|simulation| &**simulation));
            }
            if self.known.core.is_solved() {
                self.stop = Some(Stop::Solved);
            }
        }
    }

    /// Takes the result of a lane's simulation into the tree.
    fn land(&mut self, lane: usize) {
        let state = &mut self.lanes[lane];
        state.busy = false;
        self.in_flight -= 1;
        self.known.core.back_up(&state.simulation);
        self.known.core.learn(&state.simulation);
        self.finished += 1;
        if self.known.core.is_solved() {
            self.stop = Some(Stop::Solved);
        }
        if let Some(moved) = self.known.keep_within_memory() {
            let lanes = self.lanes.iter_mut().filter(|lane| lane.busy);
            let under_way = lanes.map(|lane| &mut lane.simulation).chain(&mut self.ready);
            under_way.for_each(|simulation| simulation.move_nodes(&moved));
        }
    }
}

impl<G: Game> Driver<G::State> for Flight<'_, G> {
    fn chooses(&self) -> bool {
        self.chooses
    }

    fn watches(&self) -> bool {
        self.watches
    }

    fn preferences(&mut self) -> Option<&[Preference]> {
        let old = self.finished - self.preferred_at;
        if !self.preferences.is_empty() && old >= PREFERRED_FOR.min(self.in_flight as u64 / 4) {
            self.prefer();
        }
        Some(&*self.preferences).filter(|preferences| !preferences.is_empty())
    }

    fn start(&mut self, lane: usize, start: &mut Start<G::State>) -> bool {
        let (allowed, playouts) = self.allowed();
        if self.in_flight >= allowed {
            return false;
        }
        if self.start_again(lane, start) {
            return true;
        }
        if self.ready.is_empty() {
            let leaves = (allowed - self.in_flight).div_ceil(playouts.max(1) as usize);
            self.descend(leaves.min(AT_ONCE));
        }
        let Some(simulation) = self.ready.pop() else {
            let all_started = self.flown.started >= self.budget.simulation_limit();
            if all_started && self.in_flight == 0 {
                self.stop = self.stop.or(Some(Stop::Simulations));
            }
            return false;
        };
        // The lane plays the edge as its first joint move (steps 4 to 6).
        start.state.clone_from(self.known.state_of(simulation.edge()));
        start.first.clear();
        let steps = simulation.trace.steps();
        start.first.extend_from_slice(simulation.trace.joint(steps - 1));
        start.enter = true;
        self.playouts += 1;
        start.number = self.playouts;
        let left = self.known.core.settings.depth_limit - steps;
        start.limit = u32::try_from(left).unwrap_or(u32::MAX);
        let state = &mut self.lanes[lane];
        (state.busy, state.entered) = (true, false);
        self.unused.push(std::mem::replace(&mut state.simulation, simulation));
        self.in_flight += 1;
        self.again = Some((lane, playouts - 1));
        true
    }

    fn entered(&mut self, lane: usize, entered: &Entered<'_, G::State>) {
        let LaneState { simulation, ends_at_once, offers, entered: made, .. } =
            &mut self.lanes[lane];
        *made = true;
        offers.iter_mut().for_each(Vec::clear);
        simulation.trace.leave_tree();
        *ends_at_once = entered.terminal;
        if entered.terminal {
            return;
        }
        let FactBuffer { moves, ends } = &mut self.facts;
        moves.clear();
        ends.clear();
        for role in Role::all(self.known.core.run.roles) {
            let before = moves.len();
            moves.extend(entered.legal(role).iter());
            ends.push(moves.len() as u32);
            if moves.len() == before {
                // No role can move here: the play-out ends at once too.
                *ends_at_once = true;
                return;
            }
        }
        let facts = Facts { ended: None, moves, ends };
        self.known.attach(simulation, entered.state, &facts);
    }

    fn choose(&mut self, lane: usize, role: Role, legal: MoveSet<'_>, rng: &mut Rng) -> Move {
        let lane = &mut self.lanes[lane];
        let core = &mut self.known.core;
        core.learned.redraw_values(&mut lane.simulation);
        let notes = core.strategies.needs.legal;
        if !notes && let Some(mov) = core.choose_in_set(&lane.simulation, role, legal, rng) {
            return mov;
        }
        let offer = if notes { &mut lane.offers[role.index()] } else { &mut self.legal };
        offer.clear();
        offer.extend(legal.iter());
        let place = core.choose_by_policy(&lane.simulation, role, offer, rng);
        offer[place]
    }

    fn moved(&mut self, lane: usize, joint: &[Move]) {
        let LaneState { simulation, offers, .. } = &mut self.lanes[lane];
        if self.known.core.strategies.needs.legal {
            for (offer, mov) in offers.iter_mut().zip(joint) {
                match offer.as_slice() {
                    [] => simulation.trace.note_legal(std::slice::from_ref(mov)),
                    moves => simulation.trace.note_legal(moves),
                }
                offer.clear();
            }
        }
        simulation.trace.push(joint);
    }

    fn finished(&mut self, lane: usize, finish: &Finish<'_>) {
        let LaneState { simulation, ends_at_once, .. } = &mut self.lanes[lane];
        if *ends_at_once {
            // No lane tells the state of an end, so it is played once more.
            self.worker.step_from(self.known.state_of(simulation.edge()), simulation);
            let facts = Facts { ended: Some(finish.goals), moves: &[], ends: &[] };
            self.known.attach(simulation, &self.worker.state, &facts);
        }
        simulation.trace.extend(finish.moves);
        simulation.trace.finish(finish.goals.iter().map(|goal| f64::from(goal.0)));
        if !self.watches {
            // The trace ends with the first of these steps.
            self.known.core.run.counts.steps += u64::from(finish.steps.saturating_sub(1));
        }
        self.flown.landed += 1;
        self.land(lane);
    }

    fn give_up(&mut self) -> bool {
        if self.stop.is_none()
            && self.budget.is_spent(0).is_some_and(|stop| stop != Stop::Simulations)
        {
            self.stop = self.budget.is_spent(0);
        }
        let flown = self.flown;
        if let Some(trial) = &mut self.trial
            && let Some(left) = self.budget.remaining()
            && trial.is_over(left, self.in_flight, flown)
        {
            if trial.failed {
                self.stop = self.stop.or(Some(Stop::Time));
            } else {
                self.trial = None;
            }
        }
        self.stop.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether lanes that make 1,000 steps a sweep, from so many leaves, pass.
    fn passes(least: f64, started: u64, leaves: u64, landed: u64) -> bool {
        let ms = Duration::from_millis;
        let mut trial = Trial::new(least, ms(100));
        let none = Flown::default();
        let half = Flown { started: started / 2, leaves: leaves / 2, landed: landed / 2 };
        assert!(!trial.is_over(ms(95), 1_000, none), "few are in flight yet");
        assert!(!trial.is_over(ms(89), 1_000, none), "measuring begins");
        assert!(!trial.is_over(ms(85), 1_000, half));
        assert!(trial.is_over(ms(79), 1_000, Flown { started, leaves, landed }));
        !trial.failed
    }

    #[test]
    fn lanes_are_measured_once_they_are_in_flight_and_must_gain_enough() {
        assert!(passes(0.0, 100, 100, 100));
        assert!(!passes(f64::INFINITY, 100, 100, 100));
        // Much less than a fifth of a second of work for 2,000 steps; but a leaf's play-outs count by
        // the root of their number.
        assert!(passes(1e4, 100, 100, 100));
        assert!(!passes(1e4, 1_000_000_000_000_000_000, 1, 100));
        // Play-outs of no step at all make none, however many.
        assert!(!passes(1.0, 1_000, 1_000, 1_000));
    }
}
