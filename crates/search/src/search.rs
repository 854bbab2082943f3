//! A search for one game, one simulation at a time.

use gamegrove_game::{Game, Move, Rng, Role};

use crate::budget::{Budget, Stop};
use crate::core::{Attached, Core, Counts, Reached};
use crate::parameter::Declared;
use crate::part::{Part, SettingsError};
use crate::report::{self, Report};
use crate::settings::{Reuse, compose};
use crate::simulation::Simulation;
use crate::tree::Tree;
use crate::worker::Worker;

/// A search for one game. It lives as long as a match: [`set_root`](Search::set_root) before each
/// move keeps what earlier searches found.
pub struct Search<G: Game> {
    pub(crate) core: Core<G::State>,
    pub(crate) worker: Worker<G>,
    simulation: Simulation,
    rng: Rng,
}

impl<G: Game> Search<G> {
    /// Composes a search from its settings. Equal seeds give equal searches, as long as the budget
    /// is in simulations.
    pub fn new(game: G, settings: &Part, seed: u64) -> Result<Self, SettingsError> {
        let mut core = compose(&game, settings)?;
        if core.needs.features {
            core.introduce(&game)?;
        }
        let simulation = Simulation::new(core.default_values());
        Ok(Search { core, worker: Worker::new(game), simulation, rng: Rng::new(seed) })
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
        let facts = self.worker.facts(state);
        self.core.set_root(state, &facts);
    }

    /// Searches until the budget is spent.
    pub fn run(&mut self, budget: &Budget<'_>) -> Stop {
        let before = self.core.counts.simulations;
        loop {
            if let Some(stop) = budget.is_spent(self.core.counts.simulations - before) {
                return stop;
            }
            if self.core.extras.is_solved() {
                return Stop::Solved;
            }
            self.simulate();
            self.core.keep_within_memory();
        }
    }

    /// One simulation (search-and-ggp, section 6.2).
    fn simulate(&mut self) {
        let Search { core, worker, simulation, rng } = self;
        core.begin(simulation);
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
                    let state =
                        core.tree.node(node).state.clone().expect("closed nodes have states");
                    worker.finish_with(&state, simulation);
                    break;
                }
                Reached::Edge => {
                    let from = *simulation.path.last().expect("an edge starts somewhere");
                    let state =
                        core.tree.node(from).state.as_ref().expect("closed nodes have states");
                    worker.step_from(state, simulation);
                    if core.attach(simulation, &worker.state, &worker.seen()) != Attached::Known {
                        simulation.trace.leave_tree();
                        worker.play_out(core, simulation, rng);
                        worker.keep_best_line(core, simulation);
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
        let moves = self.core.tree.moves(root, role);
        if moves.is_empty() {
            return None;
        }
        let statistics = self.core.tree.statistics(root, role);
        let best = self.core.tree.best(root, role);
        Some(moves[self.core.settings.final_move.choose(statistics, best, &mut self.rng)])
    }

    /// What the search found out for `role`.
    pub fn report(&self, role: Role) -> Report {
        report::report(&self.core, role)
    }
}

impl<S: Clone + Eq + std::hash::Hash> Core<S> {
    /// Makes a state the root, ages statistics and drops what is out of date.
    pub(crate) fn set_root(&mut self, state: &S, facts: &crate::tree::Facts<'_>) {
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
            (Reuse::Graph, Some(root)) => {
                self.tree.node_mut(root).stamp = self.step;
                Some((root, self.tree.retain(|tree, id| tree.node(id).stamp >= oldest)))
            }
            (Reuse::Tree, Some(root)) => Some((root, self.tree.retain_reachable(root))),
            (_, None) | (Reuse::Nothing, _) => {
                self.tree.retain(|_, _| false);
                None
            }
        };
        let root = match moved {
            Some((root, moved)) => moved.get(root).expect("the root is kept"),
            None => self.tree.add(Some(state.clone()), facts, self.step),
        };
        self.root = Some(root);
        if self.settings.tree_decay < 1.0 {
            self.tree.decay(self.settings.tree_decay);
        }
        self.root_samples.reset(self.roles);
        self.counts = Counts::default();
    }

    /// The node of a state, also in trees in which equal states are several nodes: then it is a
    /// successor of the old root.
    fn find_root(&self, state: &S) -> Option<crate::tree::NodeId> {
        if self.settings.merge {
            return self.tree.find(state);
        }
        let is_it = |id: &crate::tree::NodeId| self.tree.node(*id).state.as_ref() == Some(state);
        let root = self.root?;
        let children = self.tree.children(root).into_iter().map(|(_, child)| child);
        std::iter::once(root).chain(children).find(is_it)
    }

    /// Drops the least visited nodes if the memory is used up.
    pub(crate) fn keep_within_memory(&mut self) {
        // Counting bytes walks all nodes when they keep moves played below; so not every time.
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
        self.counts.dropped += (before - self.tree.len()) as u64;
    }
}
