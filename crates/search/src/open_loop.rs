//! Open-loop search: nodes stand for sequences of moves, not for states (search-and-ggp, section
//! 2.4).
//!
//! For games of chance. The state is carried down and every edge is played anew, each simulation
//! with its own chance. The actions of a node are the union of those that were ever legal there; only
//! what is legal in the concrete state is chosen from.

use std::hash::Hash;

use gamegrove_game::{Game, Move, Rng, Role};

use crate::core::Core;
use crate::search::Search;
use crate::simulation::Simulation;
use crate::tree::{Facts, NodeId};
use crate::worker::Worker;

impl<G: Game> Search<G> {
    /// One simulation from `state`, which the root stands for.
    pub(crate) fn simulate_open(&mut self, state: &G::State) {
        let Search { core, worker, simulation, rng, .. } = self;
        core.begin(simulation);
        worker.state.clone_from(state);
        worker.game.resample(&mut worker.state, rng);
        // Only this state has the chance that the simulation meets.
        let begun = core.extras.wants_goals().then(|| worker.state.clone());
        worker.look_again();
        descend(core, worker, simulation, rng);
        simulation.trace.leave_tree();
        worker.play_out(core, simulation, rng);
        core.back_up(simulation);
        if let Some(begun) = begun {
            worker.sample_goals_from(&begun, core, simulation);
        }
    }
}

/// Goes down until play is over or a node was added.
fn descend<G: Game>(
    core: &mut Core<G::State>,
    worker: &mut Worker<G>,
    simulation: &mut Simulation,
    rng: &mut Rng,
) {
    let mut at = simulation.leaf.expect("a simulation begins at the root");
    loop {
        let too_deep = simulation.trace.steps() >= core.settings.depth_limit;
        if worker.seen().ended.is_some() || too_deep {
            return;
        }
        core.note_features(simulation, &worker.state);
        core.choose_open(simulation, at, &worker.seen(), rng);
        core.observe_in_state(simulation, &worker.state);
        let last = simulation.trace.steps() - 1;
        worker.advance_and_look(simulation.trace.joint(last));
        let known = core.tree.open_child(at, simulation.trace.joint(last));
        match known {
            Some(child) => {
                core.tree.node_mut(child).stamp = core.step;
                simulation.leaf = Some(child);
                at = child;
            }
            None => {
                simulation.leaf = None;
                if simulation.path.len() <= core.settings.tree_depth {
                    let child = core.tree.add_open(core.step);
                    core.tree.link_open(at, simulation.trace.joint(last), child);
                    simulation.leaf = Some(child);
                }
                return;
            }
        }
    }
}

impl<S: Clone + Eq + Hash> Core<S> {
    /// Notes the features of a state in which roles choose, if a part needs them.
    fn note_features(&mut self, simulation: &mut Simulation, state: &S) {
        if self.needs.features
            && let Some(features) = &mut self.features
        {
            features.read(state, &mut self.state_features);
            simulation.trace.note_features(&self.state_features);
        }
    }

    /// Lets every role choose among what is legal now.
    fn choose_open(
        &mut self,
        simulation: &mut Simulation,
        at: NodeId,
        facts: &Facts<'_>,
        rng: &mut Rng,
    ) {
        let mut from = 0;
        let legal: Vec<&[Move]> = facts
            .ends
            .iter()
            .map(|&end| &facts.moves[std::mem::replace(&mut from, end as usize)..end as usize])
            .collect();
        self.tree.meet_moves(at, &legal);
        self.redraw_values(simulation);
        let mut joint = Vec::with_capacity(self.roles);
        let visits = f64::from(self.tree.node(at).visits + self.tree.node(at).pending);
        for (role, legal) in Role::all(self.roles).zip(legal) {
            self.refer(simulation, at, role, visits);
            if self.needs.legal {
                simulation.trace.note_legal(legal);
            }
            let place = self.choose_among(simulation, at, role, legal, rng);
            simulation.choices.push(place);
            joint.push(self.tree.moves(at, role)[place as usize]);
        }
        simulation.path.push(at);
        simulation.trace.push(&joint);
    }
}
