//! A search for one game, one simulation at a time.

use std::time::Duration;

use gamegrove_game::{Account, Game, Move, Rng, Role};

use crate::beliefs::Beliefs;
use crate::budget::{Budget, Meter, Stop};
use crate::core::Core;
use crate::endgame::{Answer, Line, go_on, steps_to_loss};
use crate::flight::Pace;
use crate::parameter::Declared;
use crate::part::{Part, SettingsError};
use crate::report::{self, AmafEntries, Report};
use crate::settings::{OwnStrategies, compose};
use crate::simulate::{Access, Knowledge, Order, simulate};
use crate::simulation::Simulation;
use crate::solver::Bounds;
use crate::tree::{NodeId, Tree};
use crate::worker::Worker;

/// A search for one game. It lives as long as a match: [`set_root`](Search::set_root) before each
/// move keeps what earlier searches found.
pub struct Search<G: Game> {
    /// The settings that it was made from.
    pub(crate) given: Part,
    pub(crate) known: Knowledge<G::State>,
    pub(crate) worker: Worker<G>,
    pub(crate) simulation: Simulation,
    pub(crate) rng: Rng,
    /// The state the root stands for, in open-loop search.
    root_state: Option<G::State>,
    /// The joint move played since the root was set, if it is known.
    played: Vec<Move>,
    /// What a look at all that can follow the root found.
    settled: Settled,
    /// The rest of a line that solves a game of one role, if one was found for an earlier root.
    line: Vec<Move>,
    /// Whether the game plays random games by the batch, and the account that it keeps then.
    has_batches: bool,
    account: Option<Account>,
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

impl<G: Game> Search<G> {
    /// Composes a search from its settings. Equal seeds give equal searches, as long as the budget
    /// is in simulations.
    pub fn new(game: G, settings: &Part, seed: u64) -> Result<Self, SettingsError> {
        Search::with_strategies(game, settings, OwnStrategies::default(), seed)
    }

    /// As [`new`](Search::new), with strategies that are in no registry. Settings must not name the parts that `own`
    /// replaces.
    pub fn with_strategies(
        game: G,
        settings: &Part,
        own: OwnStrategies,
        seed: u64,
    ) -> Result<Self, SettingsError> {
        let known = compose(&game, settings, own, seed)?;
        let simulation = Simulation::new(known.core.default_values());
        let worker = Worker::new(game);
        let (rng, root_state) = (Rng::new(seed), None);
        let (played, settled, pace) = (Vec::new(), Settled::Unknown, Pace::default());
        let (has_batches, account, line) = (false, None, Vec::new());
        Ok(Search {
            given: settings.clone(),
            known,
            worker,
            simulation,
            rng,
            root_state,
            played,
            settled,
            line,
            has_batches,
            account,
            pace,
        })
    }

    /// Sets the role for which the search is; it is the first by default. Only sequential UCT and opponent
    /// models treat that role differently.
    pub fn for_role(mut self, role: Role) -> Self {
        self.known.core.run.searcher = role;
        self
    }

    /// The tunable parameters of this search.
    pub fn parameters(&self) -> &[Declared] {
        &self.known.core.strategies.declared
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.known.core.tree
    }

    /// The state of a node; none in open-loop trees.
    pub fn state(&self, id: NodeId) -> Option<&G::State> {
        self.known.states.of(id)
    }

    /// Makes `state` the root of what follows. Call it once per step of the match, also in steps
    /// without a choice: statistics age by it.
    pub fn set_root(&mut self, state: &G::State) {
        let Search { known, worker, .. } = self;
        known.core.learned.end_clock(&known.core.run.counts, true);
        self.settled = Settled::Unknown;
        worker.game.end_turn();
        self.has_batches = match worker.game.batches() {
            Some(batches) => {
                batches.open_account(&known.core.settings.terms);
                true
            }
            None => false,
        };
        let facts = worker.facts(state);
        if known.core.settings.open_loop {
            known.set_open_root(&self.played, &facts);
            self.played.clear();
            self.root_state = Some(state.clone());
        } else {
            known.set_root(state, &facts);
        }
        self.note_account();
    }

    /// The start clock is over and the clock of the first move begins, with the same root. Strategies
    /// that plan compare both.
    pub fn end_start_clock(&mut self) {
        let Core { learned, run, .. } = &mut self.known.core;
        learned.end_clock(&run.counts, false);
    }

    /// Tells which joint move was played at the root. Open-loop search needs it to keep what it
    /// knows of what follows, opponent models to learn.
    pub fn played(&mut self, joint: &[Move]) {
        let Knowledge { core, states } = &mut self.known;
        let node = core.run.root.and_then(|root| states.of(root));
        if let Some(state) = self.root_state.as_ref().or(node).cloned()
            && let Some(typed) = &mut states.typed
        {
            core.observe_on_board(joint, &mut |role, mov| typed.type_of(&state, role, mov));
        }
        self.played.clear();
        self.played.extend_from_slice(joint);
    }

    /// Searches until the budget is spent.
    pub fn run(&mut self, budget: &Budget<'_>) -> Stop {
        let stop = self.run_until(budget);
        self.defend(budget);
        self.note_account();
        stop
    }

    /// Looks in a position that is proved to be lost how long each move resists.
    pub(crate) fn defend(&mut self, budget: &Budget<'_>) {
        let Search { known: Knowledge { core, states }, worker, root_state, .. } = self;
        let role = core.run.searcher;
        let lost = core.proved(role).filter(|bounds| bounds.is_exact() && bounds.low < 50.0);
        if let Some(bounds) = lost
            && self.settled == Settled::Open
            && let Some(root) = core.run.root
            && let Some(state) = root_state.as_ref().or(states.of(root))
        {
            let mut line = Line::new(&mut worker.game, state);
            core.run.lost_after = steps_to_loss(&mut line, role, bounds.low as f32, budget);
        }
    }

    fn run_until(&mut self, budget: &Budget<'_>) -> Stop {
        if let Some(stop) = self.settle(budget) {
            return stop;
        }
        let before = self.known.core.run.counts.simulations;
        let mut meter = Meter::new(*budget, Duration::ZERO).careful();
        loop {
            if let Some(stop) = meter.is_spent(self.known.core.run.counts.simulations - before) {
                return stop;
            }
            if let Some(stop) = self.known.core.is_done() {
                return stop;
            }
            if self.has_batches && self.worker.game.batches().is_some_and(|own| own.is_spent()) {
                return Stop::OwnTime;
            }
            let left =
                budget.simulation_limit() - (self.known.core.run.counts.simulations - before);
            self.simulate(left);
        }
    }

    /// Gets ready to spend a budget. Says so if the root needs no search: there is no choice, or all that
    /// can follow was looked at.
    pub(crate) fn settle(&mut self, budget: &Budget<'_>) -> Option<Stop> {
        self.known.core.learned.begin_clock(budget);
        self.known.make_room(budget.simulation_limit());
        let Search { known: Knowledge { core, states }, worker, rng, root_state, line, .. } = self;
        let (role, root) = (core.run.searcher, core.run.root?);
        if !core.settings.ponder && core.tree.moves(root, role).len() <= 1 {
            return Some(Stop::Solved);
        }
        if self.settled == Settled::Unknown {
            let state = root_state.as_ref().or(states.of(root));
            let found = core.strategies.endgame.as_ref().zip(state).and_then(|(rule, state)| {
                let mut walk = Line::new(&mut worker.game, state);
                go_on(&mut walk, line).or_else(|| rule.solve(&mut walk, role, budget, rng))
            });
            *line = found.as_ref().map_or_else(Vec::new, |answer| answer.line.clone());
            self.settled = found.map_or(Settled::Open, Settled::Answered);
        }
        matches!(self.settled, Settled::Answered(_)).then_some(Stop::Solved)
    }

    /// Whether the move to play is known for sure.
    pub(crate) fn is_settled(&self) -> bool {
        matches!(self.settled, Settled::Answered(_)) || self.known.core.is_proved()
    }

    /// What is believed now of a role, if a part of the search needs that.
    pub fn beliefs(&self, role: Role) -> Option<&Beliefs> {
        let core = &self.known.core;
        core.learned.beliefs.get(role.index()).filter(|_| core.believes_of(role))
    }

    /// Notes what the game did, for the report.
    fn note_account(&mut self) {
        // A game that was stopped answers no more: what it told before stands.
        if self.has_batches
            && let Some(batches) = self.worker.game.batches()
        {
            self.account = Some(batches.account());
        }
    }

    /// One simulation [Sironi 2019, 2.5.3], or a batch of them from one leaf: at most `left`.
    pub(crate) fn simulate(&mut self, left: u64) {
        let Search { known, worker, simulation, rng, root_state, has_batches, .. } = self;
        let batch = match root_state {
            None if *has_batches => u64::from(known.core.settings.leaf_playouts).min(left) as u32,
            _ => 0,
        };
        let order = Order { open: root_state.as_ref(), batch };
        simulate(worker, Access::Own(known), simulation, rng, &order);
    }

    /// The move `role` should play, by the final-move rule of the settings; a random one if nothing
    /// was searched, `None` if play is over or no root was set.
    pub fn best_move(&mut self, role: Role) -> Option<Move> {
        let root = self.known.core.run.root?;
        if let Some(answer) = self.answer(role) {
            return Some(answer.mov);
        }
        let moves = self.known.core.tree.moves(root, role);
        if moves.is_empty() {
            return None;
        }
        let place = self.known.core.final_place(root, role, &mut self.rng);
        Some(self.known.core.tree.moves(root, role)[place])
    }

    /// What is proved about the root: bounds of a role's score. `None` if nothing looks for proofs.
    pub fn proved(&self, role: Role) -> Option<Bounds> {
        self.answer(role).map(Answer::bounds).or_else(|| self.known.core.proved(role))
    }

    /// What a look at all that can follow the root found for a role.
    fn answer(&self, role: Role) -> Option<&Answer> {
        match &self.settled {
            Settled::Answered(answer) if role == self.known.core.run.searcher => Some(answer),
            _ => None,
        }
    }

    /// Simulations since the root was set.
    pub fn simulations(&self) -> u64 {
        self.known.core.run.counts.simulations
    }

    /// How many statistics of moves below nodes there are; `None` if none are kept. Looks at all nodes.
    pub fn amaf_entries(&self) -> Option<AmafEntries> {
        report::amaf_entries(&self.known.core)
    }

    /// What the search found out for `role`.
    pub fn report(&self, role: Role) -> Report {
        let Knowledge { core, states } = &self.known;
        let mut report = report::report(core, role, states.bytes());
        report.account.clone_from(&self.account);
        if let Some(answer) = self.answer(role) {
            report.add_answer(answer);
        }
        report
    }
}
