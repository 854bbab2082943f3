//! Games of one role: the best line found is never forgotten.
//!
//! When a simulation scores at least as well as the best so far, its entire path is added to the
//! tree (cadiaplayer, section 9). Together with `final=maximum`, which plays the root's move with
//! the greatest return ever, a solution that was found once is played to its end. A line that
//! scores nothing is no solution and is not added.
//!
//! The tree's limits win over this: nodes are not added beyond its depth, and the least visited
//! are dropped when memory is used up.

use std::hash::Hash;

use gamegrove_game::{Game, Role};

use crate::core::{Attached, Core};
use crate::simulation::Simulation;
use crate::tree::NodeId;
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

impl<G: Game> Worker<G> {
    /// Adds the play-out of a finished simulation to the tree if it is as good as the best so far.
    pub(crate) fn keep_best_line(
        &mut self,
        core: &mut Core<G::State>,
        simulation: &mut Simulation,
    ) {
        let score = simulation.trace.goals()[0];
        let keeps = |line: &mut BestLine| line.is_worth_keeping(score);
        if core.roles != 1 || !core.extras.best_line.as_mut().is_some_and(keeps) {
            return;
        }
        while simulation.path.len() < simulation.trace.steps() {
            let Some(at) = simulation.leaf else { return };
            let mov = simulation.trace.joint(simulation.path.len())[0];
            let Some(place) = core.tree.moves(at, Role(0)).iter().position(|&m| m == mov) else {
                return;
            };
            simulation.path.push(at);
            simulation.choices.push(place as u32);
            simulation.leaf = core.tree.child(at, &[place as u32]);
            if simulation.leaf.is_some() {
                continue;
            }
            let Some(state) = core.tree.state(at).cloned() else { return };
            self.game.apply(&state, &[mov], &mut self.state);
            self.look.at(&mut self.game, &self.state);
            let facts = self.look.facts();
            if core.attach(simulation, &self.state, &facts) == Attached::Beyond {
                return;
            }
        }
    }
}

impl<S: Clone + Eq + Hash> Core<S> {
    /// Marks the best line from `root` on as met in this step, so that it is not dropped as old.
    pub(crate) fn stamp_best_line(&mut self, root: NodeId) {
        if self.extras.best_line.is_none() {
            return;
        }
        let mut at = Some(root);
        for _ in 0..self.settings.depth_limit.min(self.tree.len()) {
            let Some(node) = at else { return };
            self.tree.node_mut(node).stamp = self.step;
            let best = self.tree.best(node, Role(0));
            let greatest = best.iter().copied().fold(0.0, f32::max);
            let place = best.iter().position(|&value| value == greatest);
            at = place.and_then(|place| self.tree.child(node, &[place as u32]));
        }
    }
}
