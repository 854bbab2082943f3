//! Looks for moves that win a game without chance: our own part for puzzles, where play-outs of ten
//! moves see nothing.
//!
//! Best-first width search: of all states that look different those come first that show something
//! new for their score, then those with more points, then the nearer ones; every other state is taken
//! by its distance alone, so that a puzzle is gone through in full if it is small enough. States of
//! which too many wait are forgotten and played again from the start when their turn comes.
//!
//! While it looks, the player waits, where waiting changes nothing that is seen; else it looks only
//! before the first step. A solution is played through in the model before each of its moves.

use std::collections::{BinaryHeap, VecDeque};

use gamegrove_game::{Game, Move};
use gamegrove_search::Budget;
use rustc_hash::FxHashSet;

use super::Plan;

/// States that are kept; others are played again.
const KEPT: usize = 20_000;
/// States that are told apart; a larger puzzle is given up.
const MOST: usize = 3_000_000;
/// What is noted of each of them takes about so many bytes: tables, queues, and their spare room.
const NOTED: usize = 160;
/// Moves of a state, at most; so many more than the last may be noted.
const MOVES: usize = 16;
/// Longer solutions than this do not fit into a game.
const LONGEST: u32 = 1500;

/// A state that was met.
struct Met {
    before: u32,
    mov: Move,
}

/// One that waits, better ones first.
type Waiting = (i64, std::cmp::Reverse<u32>, std::cmp::Reverse<u32>);

/// The search for a solution, over many steps of a game.
pub(crate) struct Solver<S> {
    root: Option<(u64, S)>,
    met: Vec<Met>,
    states: Vec<Option<Box<S>>>,
    depths: Vec<u32>,
    kept: usize,
    /// How many states may be kept, and how many told apart, within the memory there is.
    most: (usize, usize),
    known: FxHashSet<u64>,
    atoms: FxHashSet<(i64, u64)>,
    promising: BinaryHeap<Waiting>,
    /// The same by distance alone.
    in_order: VecDeque<u32>,
    turn: bool,
    solution: VecDeque<Move>,
    waited: u32,
    restarts: u32,
    /// Whether waiting changes nothing; `None` until it was tried.
    patient: Option<bool>,
    given_up: bool,
}

impl<S> Solver<S> {
    pub(crate) fn new() -> Solver<S> {
        Solver {
            root: None,
            met: Vec::new(),
            states: Vec::new(),
            depths: Vec::new(),
            kept: 0,
            most: (KEPT, MOST),
            known: FxHashSet::default(),
            atoms: FxHashSet::default(),
            promising: BinaryHeap::new(),
            in_order: VecDeque::new(),
            turn: false,
            solution: VecDeque::new(),
            waited: 0,
            restarts: 0,
            patient: None,
            given_up: false,
        }
    }

    fn restart(&mut self) {
        let (waited, restarts, patient) = (self.waited, self.restarts + 1, self.patient);
        *self = Solver { waited, restarts, patient, ..Solver::new() };
    }

    /// Frees what a search that was given up has left. Millions of states take longer to free than is
    /// left at the end of a tick, so this is done when the next one begins.
    pub(crate) fn clear_away(&mut self) {
        if self.given_up && !self.met.is_empty() {
            *self = Solver { given_up: true, ..Solver::new() };
        }
    }

    /// Makes room for all that may be noted: a table that outgrows its room would be made anew at once,
    /// which takes as long as a whole tick.
    fn make_room(&mut self) {
        let most = self.most.1 + MOVES;
        self.known.reserve(most);
        self.met.reserve(most);
        self.states.reserve(most);
        self.depths.reserve(most);
        self.in_order.reserve(most);
        self.promising.reserve(most);
    }

    fn path(&self, mut at: u32) -> VecDeque<Move> {
        let mut moves = VecDeque::new();
        while at != 0 {
            let met = &self.met[at as usize];
            moves.push_front(met.mov);
            at = met.before;
        }
        moves
    }
}

impl<G: Game> Plan<G> {
    /// Whether a solution is looked for.
    pub(super) fn solves(&self) -> bool {
        self.parts.settings.solve && self.is_deterministic() && !self.solver.given_up
    }

    /// The next move of a solution, or waiting while it is worth looking for one.
    pub(super) fn solution(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        if self.solver.solution.is_empty() {
            self.search_solution(state, budget);
        }
        if !self.solver.solution.is_empty() {
            if self.wins(state) {
                return self.solver.solution.pop_front();
            }
            self.solver.restart();
        }
        if self.solver.given_up {
            return None;
        }
        self.solver.waited += 1;
        if self.patient(state) != Some(true)
            || self.solver.waited > self.parts.settings.patience
            || self.solver.restarts > 3
        {
            self.solver.given_up = true;
            return None;
        }
        Some(self.model.senses.waiting())
    }

    /// Whether the solution still wins from `state`.
    fn wins(&mut self, state: &G::State) -> bool {
        self.model.copy(state, &mut self.run.state, &mut self.rng);
        for at in 0..self.solver.solution.len() {
            let mov = self.solver.solution[at];
            self.model.advance(&mut self.run.state, mov, &mut self.rng);
        }
        self.model.senses.verdict(&self.run.state, self.model.role) == Some(true)
    }

    /// Whether the world stays as it is while the avatar waits.
    fn patient(&mut self, state: &G::State) -> Option<bool> {
        if self.solver.patient.is_none() {
            let role = self.model.role;
            let seen = self.model.senses.likeness(state, role);
            self.model.copy(state, &mut self.run.state, &mut self.rng);
            let waiting = self.model.senses.waiting();
            let mut same = true;
            for _ in 0..self.parts.settings.patience.min(200) {
                self.model.advance(&mut self.run.state, waiting, &mut self.rng);
                same &= self.model.senses.likeness(&self.run.state, role) == seen;
            }
            self.solver.patient = Some(same);
        }
        self.solver.patient
    }

    /// Goes on looking while the budget lasts.
    pub(super) fn search_solution(&mut self, state: &G::State, budget: &Budget<'_>) {
        self.model.survey(state);
        let likeness = self.model.senses.likeness(state, self.model.role);
        match &self.solver.root {
            Some((seen, _)) if *seen == likeness => {}
            Some(_) => {
                self.solver.restart();
                self.start_solver(likeness, state);
            }
            None => self.start_solver(likeness, state),
        }
        let settings = &self.parts.settings;
        let simulations = budget.simulation_limit().saturating_mul(u64::from(self.depth()));
        let limit = self.model.advances.saturating_add(simulations.min(budget.advance_limit()));
        let buffer = settings.buffer_ms / 1e3 + 0.001;
        while self.model.advances < limit {
            if budget.remaining().is_some_and(|left| left.as_secs_f64() < buffer) {
                return;
            }
            if !self.expand() {
                self.solver.given_up = self.solver.solution.is_empty();
                return;
            }
        }
    }

    fn start_solver(&mut self, likeness: u64, state: &G::State) {
        let solver = &mut self.solver;
        solver.root = Some((likeness, state.clone()));
        solver.known.insert(likeness);
        solver.met.push(Met { before: 0, mov: self.model.senses.waiting() });
        solver.states.push(Some(Box::new(state.clone())));
        solver.depths.push(0);
        solver.kept = 1;
        // Half for the states that are kept, half for what is noted of all.
        let half = self.parts.settings.memory / 2;
        let size = self.model.senses.bytes(state).max(1);
        solver.most = (KEPT.min(half / size), MOST.min(half / NOTED));
        solver.make_room();
        solver.promising.push((0, std::cmp::Reverse(0), std::cmp::Reverse(0)));
    }

    /// Looks at what follows one more state; `false` once there is nothing left to look at.
    fn expand(&mut self) -> bool {
        self.solver.turn = !self.solver.turn;
        let promising =
            |solver: &mut Solver<G::State>| solver.promising.pop().map(|found| found.2.0);
        let next = if self.solver.turn {
            promising(&mut self.solver).or_else(|| self.solver.in_order.pop_front())
        } else {
            let first = self.solver.in_order.pop_front();
            first.or_else(|| promising(&mut self.solver))
        };
        let Some(at) = next else { return false };
        let depth = self.solver.depths[at as usize];
        // Both lists know every state; the second to come finds it looked at.
        if depth == u32::MAX {
            return true;
        }
        self.solver.depths[at as usize] = u32::MAX;
        let from = match self.solver.states[at as usize].take() {
            Some(state) => {
                self.solver.kept -= 1;
                state
            }
            None => Box::new(self.replay(at)),
        };
        let full = self.solver.met.len() >= self.solver.most.1;
        if depth >= LONGEST || full {
            return !full;
        }
        let mut legal = std::mem::take(&mut self.run.legal);
        self.model.moves(&from, &mut legal);
        for &mov in &legal {
            self.run.state.clone_from(&from);
            self.model.advance(&mut self.run.state, mov, &mut self.rng);
            if self.met(at, mov, depth + 1) {
                self.run.legal = legal;
                return false;
            }
        }
        self.run.legal = legal;
        true
    }

    /// Takes note of the state of the run; whether it is won.
    fn met(&mut self, before: u32, mov: Move, depth: u32) -> bool {
        let role = self.model.role;
        let verdict = self.model.senses.verdict(&self.run.state, role);
        let likeness = self.model.senses.likeness(&self.run.state, role);
        if verdict != Some(true)
            && (self.model.game.is_terminal(&self.run.state) || !self.solver.known.insert(likeness))
        {
            return false;
        }
        let id = self.solver.met.len() as u32;
        self.solver.met.push(Met { before, mov });
        if verdict == Some(true) {
            self.solver.solution = self.solver.path(id);
            return true;
        }
        let score = (4.0 * self.model.senses.score(&self.run.state, role)).round() as i64;
        self.model.atoms(&self.run.state, &mut self.run.atoms);
        let mut new = false;
        for &atom in &self.run.atoms {
            new |= self.solver.atoms.insert((score, atom));
        }
        self.solver.depths.push(depth);
        let keep = self.solver.kept < self.solver.most.0;
        self.solver.kept += usize::from(keep);
        self.solver.states.push(keep.then(|| Box::new(self.run.state.clone())));
        // Something new counts as much as many points.
        let worth = score + if new { 1 << 20 } else { 0 };
        self.solver.promising.push((worth, std::cmp::Reverse(depth), std::cmp::Reverse(id)));
        self.solver.in_order.push_back(id);
        false
    }

    /// Plays to a state that was forgotten.
    fn replay(&mut self, at: u32) -> G::State {
        let mut state = self.solver.root.as_ref().map(|(_, root)| root.clone()).expect("a start");
        for mov in self.solver.path(at) {
            self.model.advance(&mut state, mov, &mut self.rng);
        }
        state
    }
}
