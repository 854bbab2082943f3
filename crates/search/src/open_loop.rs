//! Open-loop search: nodes stand for sequences of moves, not for states [Sironi 2019, 2.3.1].
//!
//! For games of chance. The state is carried down and every edge is played anew, each simulation
//! with its own chance. The actions of a node are the union of those that were ever legal there; the
//! choice is among those that are legal in the concrete state.

use std::hash::Hash;

use gamegrove_game::{Game, Rng, Role};

use crate::core::Core;
use crate::simulate::Knowledge;
use crate::simulation::Simulation;
use crate::tree::{Facts, NodeId};
use crate::worker::Worker;

impl<S: Clone + Eq + Hash> Knowledge<S> {
    /// Steps 2 to 5 in an open tree: goes down from the root, for which the worker's state stands, until
    /// play is over or a node was added.
    pub(crate) fn descend_open<G: Game<State = S>>(
        &mut self,
        worker: &mut Worker<G>,
        simulation: &mut Simulation,
        rng: &mut Rng,
    ) {
        let mut at = simulation.leaf.expect("a simulation begins at the root");
        loop {
            let too_deep = simulation.trace.steps() >= self.core.settings.depth_limit;
            if worker.seen().ended.is_some() || too_deep {
                return;
            }
            self.note_features(simulation, &worker.state);
            self.core.choose_open(simulation, at, &worker.seen(), rng);
            if let Some(typed) = &mut self.states.typed {
                let types = &mut |role, mov| typed.type_of(&worker.state, role, mov);
                self.core.observe(simulation, types);
            }
            let last = simulation.trace.steps() - 1;
            worker.advance_and_look(simulation.trace.joint(last));
            let Core { tree, run, settings, .. } = &mut self.core;
            match tree.open_child(at, simulation.trace.joint(last)) {
                Some(child) => {
                    tree.node_mut(child).stamp = run.step;
                    simulation.leaf = Some(child);
                    at = child;
                }
                None => {
                    simulation.leaf = None;
                    if simulation.path.len() <= settings.tree_depth {
                        let child = tree.add_open(run.step);
                        tree.link_open(at, simulation.trace.joint(last), child);
                        simulation.leaf = Some(child);
                    }
                    return;
                }
            }
        }
    }

    /// Notes the features of a state in which roles choose, if a part needs them.
    fn note_features(&mut self, simulation: &mut Simulation, state: &S) {
        if self.core.strategies.needs.features
            && let Some(features) = &mut self.states.features
        {
            features.read(state, &mut self.core.run.features);
            simulation.trace.note_features(&self.core.run.features);
        }
    }
}

impl Core {
    /// Lets every role choose among what is legal now.
    fn choose_open(
        &mut self,
        simulation: &mut Simulation,
        at: NodeId,
        facts: &Facts<'_>,
        rng: &mut Rng,
    ) {
        let legal = facts.by_role();
        self.tree.meet_moves(at, &legal);
        self.learned.redraw_values(simulation);
        let mut joint = Vec::with_capacity(self.run.roles);
        let visits = f64::from(self.tree.node(at).visits + self.tree.node(at).pending);
        for (role, legal) in Role::all(self.run.roles).zip(legal) {
            self.refer(simulation, at, role, visits);
            if self.strategies.needs.legal {
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
