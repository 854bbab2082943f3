//! Games of one role: the best line found is never forgotten.
//!
//! When a simulation scores at least as well as the best so far, its entire path is added to the
//! tree [Finnsson 2012, 3.3.5]. Together with `final=maximum`, which plays the root's move with
//! the greatest return ever, a solution that was found once is played to its end. A line that
//! scores nothing is no solution and is not added.
//!
//! The tree's limits win over this: nodes are not added beyond its depth, and the least visited
//! are dropped when memory is used up.

use std::hash::Hash;

use gamegrove_game::{Game, Role};

use crate::core::Core;
use crate::simulate::{Attached, Knowledge};
use crate::simulation::Simulation;
use crate::worker::Worker;

/// The best score so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BestLine {
    best: f64,
}

impl BestLine {
    /// Whether nothing better can be found.
    pub(crate) fn is_solved(&self) -> bool {
        self.best >= 100.0
    }

    /// Whether a line with this score is to be kept.
    fn is_worth_keeping(&mut self, score: f64) -> bool {
        let worth = score > 0.0 && score >= self.best;
        if worth {
            self.best = score;
        }
        worth
    }
}

impl<S: Clone + Eq + Hash> Knowledge<S> {
    /// Adds the play-out of a finished simulation to the tree if it is as good as the best so far.
    pub(crate) fn keep_best_line<G: Game<State = S>>(
        &mut self,
        worker: &mut Worker<G>,
        simulation: &mut Simulation,
    ) {
        let score = simulation.trace.goals()[0];
        let keeps = |line: &mut BestLine| line.is_worth_keeping(score);
        let Core { run, learned, .. } = &mut self.core;
        if run.roles != 1 || !learned.best_line.as_mut().is_some_and(keeps) {
            return;
        }
        while simulation.path.len() < simulation.trace.steps() {
            let Some(at) = simulation.leaf else { return };
            let tree = &self.core.tree;
            let mov = simulation.trace.joint(simulation.path.len())[0];
            let Some(place) = tree.moves(at, Role(0)).iter().position(|&m| m == mov) else {
                return;
            };
            simulation.path.push(at);
            simulation.choices.push(place as u32);
            simulation.leaf = tree.child(at, &[place as u32]);
            if simulation.leaf.is_some() {
                continue;
            }
            let Some(state) = self.states.of(at) else { return };
            worker.go_and_look(state, &[mov]);
            if self.attach(simulation, &worker.state, &worker.seen()) == Attached::Beyond {
                return;
            }
        }
    }
}
