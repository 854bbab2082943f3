//! A search for one game, one simulation at a time.

use std::time::Duration;

use gamegrove_game::{Game, Move, Rng, Role};
use gamegrove_tuning::Rewards;

use crate::beliefs::Beliefs;
use crate::budget::{Budget, Meter, Stop};
use crate::core::{Attached, Core, Counts, Reached};
use crate::endgame::{Answer, Line};
use crate::flight::Pace;
use crate::parameter::Declared;
use crate::part::{Part, SettingsError};
use crate::report::{self, AmafEntries, Report};
use crate::settings::{Reuse, compose};
use crate::simulation::Simulation;
use crate::solver::Bounds;
use crate::tree::{Facts, Moved, Node, NodeId, Statistic, Tree};
use crate::tune::Tuner;
use crate::worker::Worker;

/// A search for one game. It lives as long as a match: [`set_root`](Search::set_root) before each
/// move keeps what earlier searches found.
pub struct Search<G: Game> {
    pub(crate) core: Core<G::State>,
    pub(crate) worker: Worker<G>,
    pub(crate) simulation: Simulation,
    pub(crate) rng: Rng,
    /// The state the root stands for, in open-loop search.
    root_state: Option<G::State>,
    /// The joint move played since the root was set, if somebody told.
    played: Vec<Move>,
    /// What a look at all that can follow the root found.
    settled: Settled,
    /// Whether lanes are worth it, as far as this search has found out.
    pub(crate) pace: Pace,
}

/// Whether the root needs no search.
#[derive(Clone, Debug, PartialEq)]
enum Settled {
    /// Not looked at yet.
    Unknown,
    /// It does.
    Open,
    /// This is what there is to know.
    Answered(Answer),
}

/// The stream of random numbers that tuners get.
const TUNING: u64 = 1 << 40;

/// For how many nodes room is made at once.
const MOST_ROOM: u64 = 1 << 15;

impl<G: Game> Search<G> {
    /// Composes a search from its settings. Equal seeds give equal searches, as long as the budget
    /// is in simulations.
    pub fn new(game: G, settings: &Part, seed: u64) -> Result<Self, SettingsError> {
        let (mut core, tune) = compose(&game, settings)?;
        if core.needs.features {
            core.introduce(&game)?;
        }
        if let Some(wanted) = tune {
            // A stream of its own, so that tuning does not shift what the search draws.
            let seed = Rng::stream(seed, TUNING).next_u64();
            let (declared, selection) = (&core.declared, Some(&*core.selection));
            let tuner = Tuner::new(&wanted, declared, core.roles, seed, Rewards::GOALS, selection)?;
            core.tuner = Some(tuner);
        }
        core.introduce_types(&game)?;
        core.introduce_groups(&game, seed)?;
        core.introduce_rating(&game)?;
        let simulation = Simulation::new(core.default_values());
        let worker = Worker::new(game);
        let (rng, root_state) = (Rng::new(seed), None);
        let (played, settled, pace) = (Vec::new(), Settled::Unknown, Pace::default());
        Ok(Search { core, worker, simulation, rng, root_state, played, settled, pace })
    }

    /// Says for which role the search is; the first if nobody does. Only sequential UCT and opponent
    /// models treat that role differently.
    pub fn for_role(mut self, role: Role) -> Self {
        self.core.searcher = role;
        self
    }

    /// The tunable parameters of this search.
    pub fn parameters(&self) -> &[Declared] {
        &self.core.declared
    }

    /// The tree.
    pub fn tree(&self) -> &Tree<G::State> {
        &self.core.tree
    }

    /// Makes `state` the root of what follows. Call it once per step of the match, also in steps
    /// without a choice: statistics age by it.
    pub fn set_root(&mut self, state: &G::State) {
        self.core.begin_turn();
        self.settled = Settled::Unknown;
        self.worker.game.end_turn();
        let before = self.worker.game.device_use();
        self.set_root_to(state);
        self.core.counts.device = before.map(|before| (before, before));
        self.note_device();
    }

    fn set_root_to(&mut self, state: &G::State) {
        if self.core.settings.open_loop {
            self.core.set_open_root(&self.played);
            self.played.clear();
            self.root_state = Some(state.clone());
            // So that moves can be reported and played before the first simulation.
            let facts = self.worker.facts(state);
            self.core.meet_root(&facts);
            return;
        }
        let facts = self.worker.facts(state);
        self.core.set_root(state, &facts);
    }

    /// Tells which joint move was played at the root. Open-loop search needs it to keep what it
    /// knows of what follows, opponent models to learn.
    pub fn played(&mut self, joint: &[Move]) {
        let node = self.core.root.and_then(|root| self.core.tree.state(root));
        if self.core.typed.is_some()
            && let Some(state) = self.root_state.as_ref().or(node).cloned()
        {
            self.core.observe(&state, joint);
        }
        self.played.clear();
        self.played.extend_from_slice(joint);
    }

    /// Searches until the budget is spent.
    pub fn run(&mut self, budget: &Budget<'_>) -> Stop {
        if let Some(stop) = self.settle(budget) {
            return stop;
        }
        let before = self.core.counts.simulations;
        let mut meter = Meter::new(*budget, Duration::ZERO).careful();
        loop {
            if let Some(stop) = meter.is_spent(self.core.counts.simulations - before) {
                return stop;
            }
            if self.core.is_solved() || self.core.extras.is_solved() {
                return Stop::Solved;
            }
            if self.core.counts.steps >= self.core.settings.expansions {
                return Stop::Expansions;
            }
            if self.device_is_spent() {
                return Stop::Device;
            }
            let left = budget.simulation_limit() - (self.core.counts.simulations - before);
            match self.root_state.take() {
                Some(state) => {
                    self.simulate_open(&state);
                    self.root_state = Some(state);
                }
                None => self.simulate(left),
            }
            self.note_device();
            self.core.keep_within_memory();
        }
    }

    /// Gets ready to spend a budget. Says so if the root needs no search: there is no choice, or all that
    /// can follow was looked at.
    pub(crate) fn settle(&mut self, budget: &Budget<'_>) -> Option<Stop> {
        self.core.note_budget(budget);
        self.core.make_room(budget.simulation_limit());
        let (role, root) = (self.core.searcher, self.core.root?);
        if !self.core.settings.ponder && self.core.tree.moves(root, role).len() <= 1 {
            return Some(Stop::Solved);
        }
        if self.settled == Settled::Unknown {
            let Search { core, worker, rng, root_state, .. } = self;
            let state = root_state.as_ref().or(core.tree.state(root));
            let found = core.extras.endgame.as_ref().zip(state).and_then(|(rule, state)| {
                rule.solve(&mut Line::new(&mut worker.game, state), role, budget, rng)
            });
            self.settled = found.map_or(Settled::Open, Settled::Answered);
        }
        matches!(self.settled, Settled::Answered(_)).then_some(Stop::Solved)
    }

    /// Whether the move to play is known for sure.
    pub(crate) fn is_settled(&self) -> bool {
        matches!(self.settled, Settled::Answered(_)) || self.core.is_solved()
    }

    /// What is believed now of a role, if a part of the search needs that.
    pub fn beliefs(&self, role: Role) -> Option<&Beliefs> {
        self.core.beliefs.get(role.index()).filter(|_| self.core.believes_of(role))
    }

    /// Notes what the game's device did.
    fn note_device(&mut self) {
        if let Some((_, now)) = &mut self.core.counts.device {
            *now = self.worker.game.device_use().unwrap_or(*now);
        }
    }

    /// Whether the device's time for this root is used up.
    fn device_is_spent(&self) -> bool {
        let used = self.core.counts.device.map(|(before, now)| now - before);
        used.is_some_and(|used| self.core.settings.device.is_spent(used))
    }

    /// One simulation (search-and-ggp, section 6.2), or a batch of them from one leaf: at most `left`.
    pub(crate) fn simulate(&mut self, left: u64) {
        let Search { core, worker, simulation, rng, .. } = self;
        core.begin(simulation);
        let batch = u64::from(core.settings.leaf_playouts).min(left) as u32;
        loop {
            match core.descend(simulation, rng) {
                Reached::End(node) => {
                    simulation.trace.leave_tree();
                    let goals = core.tree.goals(node).expect("ended nodes have goals");
                    simulation.trace.finish(goals.iter().map(|goal| f64::from(goal.0)));
                    break;
                }
                Reached::Limit(node) => {
                    simulation.trace.leave_tree();
                    let state = core.tree.state(node).expect("closed nodes have states");
                    worker.finish_with(state, simulation);
                    break;
                }
                Reached::Solved(node) => {
                    simulation.trace.leave_tree();
                    core.finish_solved(node, simulation);
                    break;
                }
                Reached::Edge => {
                    let from = *simulation.path.last().expect("an edge starts somewhere");
                    let state = core.tree.state(from).expect("closed nodes have states");
                    worker.step_from(state, simulation);
                    if core.attach(simulation, &worker.state, &worker.seen()) != Attached::Known {
                        simulation.trace.leave_tree();
                        if worker.look.ended
                            || !core.takes_batches()
                            || !worker.play_batch(batch, simulation, rng)
                        {
                            worker.play_out(core, simulation, rng);
                            worker.keep_best_line(core, simulation);
                        }
                        break;
                    }
                }
            }
        }
        core.back_up(simulation);
        worker.sample_goals(core, simulation);
    }

    /// The move `role` should play, by the final-move rule of the settings; a random one if nothing
    /// was searched, `None` if play is over or no root was set.
    pub fn best_move(&mut self, role: Role) -> Option<Move> {
        let root = self.core.root?;
        if let Some(answer) = self.answer(role) {
            return Some(answer.mov);
        }
        let moves = self.core.tree.moves(root, role);
        if moves.is_empty() {
            return None;
        }
        let place = self.core.final_place(root, role, &mut self.rng);
        Some(self.core.tree.moves(root, role)[place])
    }

    /// What is proved about the root: bounds of a role's score. `None` if nothing looks for proofs.
    pub fn proved(&self, role: Role) -> Option<Bounds> {
        self.answer(role).map(Answer::bounds).or_else(|| self.core.proved(role))
    }

    /// What a look at all that can follow the root found for a role.
    fn answer(&self, role: Role) -> Option<&Answer> {
        match &self.settled {
            Settled::Answered(answer) if role == self.core.searcher => Some(answer),
            _ => None,
        }
    }

    /// Simulations since the root was set.
    pub fn simulations(&self) -> u64 {
        self.core.counts.simulations
    }

    /// How many statistics of moves below nodes there are; `None` if none are kept. Looks at all nodes.
    pub fn amaf_entries(&self) -> Option<AmafEntries> {
        report::amaf_entries(&self.core)
    }

    /// What the search found out for `role`.
    pub fn report(&self, role: Role) -> Report {
        let mut report = report::report(&self.core, role);
        if let Some(answer) = self.answer(role) {
            report.add_answer(answer);
        }
        report
    }
}

impl<S: Clone + Eq + std::hash::Hash> Core<S> {
    /// Makes a state the root, ages statistics and drops what is out of date.
    pub(crate) fn set_root(&mut self, state: &S, facts: &Facts<'_>) {
        if self.root.is_some() {
            self.tables.new_step();
        }
        self.step += 1;
        let oldest = self.step.saturating_sub(self.settings.keep_steps);
        let known = match self.settings.reuse {
            Reuse::Nothing => None,
            _ => self.find_root(state),
        };
        if let Some(root) = known {
            self.stamp_best_line(root);
        }
        let moved = match (self.settings.reuse, known) {
            // Where equal states are one node, a root that is not in the table may lead to nodes that are.
            (Reuse::Graph, _) if known.is_some() || self.settings.merge => {
                if let Some(root) = known {
                    self.tree.node_mut(root).stamp = self.step;
                }
                Some(self.tree.retain(|tree, id| tree.node(id).stamp >= oldest))
            }
            (Reuse::Tree, Some(root)) => Some(self.tree.retain_reachable(root)),
            _ => {
                self.tree.retain(|_, _| false);
                None
            }
        };
        if let Some(solver) = &mut self.solver {
            match &moved {
                Some(moved) => solver.move_nodes(moved),
                None => *solver = solver.emptied(),
            }
        }
        if let Some(worth) = &mut self.worth {
            match &moved {
                Some(moved) => worth.move_nodes(moved, self.tree.len()),
                None => *worth = worth.emptied(),
            }
        }
        let kept = known.zip(moved).map(|(root, moved)| moved.get(root).expect("the root is kept"));
        let root = match kept {
            Some(root) => root,
            None => self.add_node(state, facts),
        };
        self.root = Some(root);
        if self.settings.tree_decay < 1.0 {
            self.tree.decay(self.settings.tree_decay);
        }
        self.root_samples.reset(self.roles);
        self.counts = Counts::default();
    }

    /// Makes the successor by the joint move `played` the root of an open-loop tree; a new node if
    /// there is none.
    fn set_open_root(&mut self, played: &[Move]) {
        if self.root.is_some() {
            self.tables.new_step();
        }
        self.step += 1;
        let known = match self.settings.reuse {
            Reuse::Nothing => None,
            _ => self.root.and_then(|root| self.tree.open_child(root, played)),
        };
        self.root = known.map(|known| {
            let moved = self.tree.retain_reachable(known);
            moved.get(known).expect("the root is kept")
        });
        if self.root.is_none() {
            self.tree.retain(|_, _| false);
            self.root = Some(self.tree.add_open(self.step));
        }
        if self.settings.tree_decay < 1.0 {
            self.tree.decay(self.settings.tree_decay);
        }
        self.root_samples.reset(self.roles);
        self.counts = Counts::default();
    }

    /// Gives the root of an open-loop tree the moves that are legal in its state.
    fn meet_root(&mut self, facts: &Facts<'_>) {
        let (mut from, root) = (0, self.root.expect("a root was set"));
        let legal: Vec<&[Move]> = facts
            .ends
            .iter()
            .map(|&end| &facts.moves[std::mem::replace(&mut from, end as usize)..end as usize])
            .collect();
        self.tree.meet_moves(root, &legal);
    }

    /// What is proved about the score of a role at the root.
    pub(crate) fn proved(&self, role: Role) -> Option<Bounds> {
        Some(self.solver.as_ref()?.bounds(self.root?, role))
    }

    /// Whether the score of the searching role at the root is proved.
    pub(crate) fn is_solved(&self) -> bool {
        self.proved(self.searcher).is_some_and(Bounds::is_exact)
    }

    /// Ends a simulation at a node whose worth is proved.
    pub(crate) fn finish_solved(&self, node: NodeId, simulation: &mut Simulation) {
        let solver = self.solver.as_ref().expect("only a solver proves");
        let scores = solver.scores(node).expect("the node is solved");
        simulation.trace.finish(scores);
    }

    /// The place of the move to play: a proved one, else by the final-move rule among those that
    /// are not proved to be worse than others.
    fn final_place(&self, root: NodeId, role: Role, rng: &mut Rng) -> usize {
        let rule = self.settings.final_move;
        let statistics = self.tree.statistics(root, role);
        let best = self.tree.best(root, role);
        let Some(solver) = &self.solver else { return rule.choose(statistics, best, rng) };
        if let Some(proved) = solver.proved_move(&self.tree, root, role, rng) {
            return proved;
        }
        let mut open = Vec::new();
        if !solver.open_moves(&self.tree, root, role, &mut open) {
            return rule.choose(statistics, best, rng);
        }
        let left: Vec<Statistic> = open.iter().map(|&place| statistics[place as usize]).collect();
        let best: Vec<f32> = match best {
            [] => Vec::new(),
            _ => open.iter().map(|&place| best[place as usize]).collect(),
        };
        open[rule.choose(&left, &best, rng)] as usize
    }

    /// The node of a state, also in trees in which equal states are several nodes: then it is a
    /// successor of the old root.
    fn find_root(&self, state: &S) -> Option<NodeId> {
        if self.settings.merge {
            return self.tree.find(state);
        }
        let is_it = |id: &NodeId| self.tree.state(*id) == Some(state);
        let root = self.root?;
        let children = self.tree.children(root).into_iter().map(|(_, child)| child);
        std::iter::once(root).chain(children).find(is_it)
    }

    /// Makes room for the nodes that so many simulations may add: growing step by step would copy all
    /// nodes again and again.
    pub(crate) fn make_room(&mut self, simulations: u64) {
        // What the tree may still take has room for many more than these, with states, moves and numbers.
        let fits =
            self.settings.memory.saturating_sub(self.tree.bytes()) / (16 * size_of::<Node>());
        self.tree.reserve((simulations.min(MOST_ROOM) as usize).min(fits));
    }

    /// Drops the least visited nodes if the memory is used up.
    pub(crate) fn keep_within_memory(&mut self) {
        self.keep_within_memory_with(|_| {});
    }

    /// As [`keep_within_memory`](Core::keep_within_memory); `follow` is told where nodes went.
    pub(crate) fn keep_within_memory_with(&mut self, follow: impl FnOnce(&Moved)) {
        // Tables count their bytes entry by entry; so not every time.
        if !self.counts.simulations.is_multiple_of(1024) || self.bytes() <= self.settings.memory {
            return;
        }
        if self.tables.bytes() > self.settings.memory / 2 {
            self.tables.forget_rare();
        }
        let root = self.root.expect("a search has a root");
        let before = self.tree.len();
        let moved = self.tree.drop_least_visited(root, 0.5);
        self.root = moved.get(root);
        if let Some(solver) = &mut self.solver {
            solver.move_nodes(&moved);
        }
        if let Some(worth) = &mut self.worth {
            worth.move_nodes(&moved, self.tree.len());
        }
        follow(&moved);
        self.counts.dropped += (before - self.tree.len()) as u64;
    }
}
