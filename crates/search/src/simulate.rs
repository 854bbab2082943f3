//! One simulation, and the ways of a worker to the knowledge of the search.
//!
//! [`simulate`] makes the eight steps of a simulation (see [`Core`]) with one state at a time. Whether the
//! tree is the worker's own or shared by threads is a matter of its [`Access`]: threads hold a lock while
//! they go down, attach and back up, which is short, and let go of it while the game is asked. Simulations
//! under way in a shared tree count as visits without gain, as on lanes, so that threads look at different
//! lines.

use std::hash::Hash;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamegrove_game::{Game, Rng};

use crate::batches::takes_batches;
use crate::budget::Stop;
use crate::core::{Core, Reached};
use crate::cutoff::GoalSeries;
use crate::simulation::Simulation;
use crate::states::States;
use crate::tree::{Facts, Moved, NodeId};
use crate::worker::Worker;

/// The knowledge of a search: the core, and the states of its nodes.
pub(crate) struct Knowledge<S> {
    pub(crate) core: Core,
    pub(crate) states: States<S>,
}

/// The outcome of attaching a state to the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attached {
    /// It is a new node.
    New,
    /// It was there, reached by another path.
    Known,
    /// It lies beyond the depth the tree may have.
    Beyond,
}

/// Where a simulation starts, and what it may do.
pub(crate) struct Order<'s, S> {
    /// The state that the root of an open tree stands for. In a closed tree nodes have states.
    pub(crate) open: Option<&'s S>,
    /// The most play-outs that may value the leaf at once; 0 if the game does not play by the batch.
    pub(crate) batch: u32,
}

/// Makes one simulation, or one batch of play-outs from one leaf.
pub(crate) fn simulate<G: Game>(
    worker: &mut Worker<G>,
    access: Access<'_, '_, G::State>,
    simulation: &mut Simulation,
    rng: &mut Rng,
    order: &Order<'_, G::State>,
) {
    // Step 1. The simulation gets its values.
    let mut known = access.begin(simulation);
    // The state it begins in: with chance drawn anew in an open tree.
    let mut begun = None;
    let plays_out = match order.open {
        // Steps 2 to 5 in one, because every edge is played anew.
        Some(root) => {
            worker.draw_chance(root, rng);
            begun = known.core.strategies.wants_goals().then(|| worker.state.clone());
            known.descend_open(worker, simulation, rng);
            true
        }
        None => loop {
            // Step 2. It goes down the tree.
            let reached = known.descend(simulation, rng);
            // Step 3. It may end there.
            if known.finish_in_tree(reached, simulation, worker) {
                break false;
            }
            // Step 4. The game plays the edge that leads out.
            known = known.play_edge(worker, simulation);
            // Step 5. The state beyond becomes a node.
            if known.attach(simulation, &worker.state, &worker.seen()) != Attached::Known {
                break true;
            }
            known.come_back(simulation);
        },
    };
    // Step 6. The game plays out.
    if plays_out {
        simulation.trace.leave_tree();
        let batch = order.batch > 0 && !worker.look.ended && takes_batches(&known.core);
        if !(batch && worker.play_batch(order.batch, simulation, rng)) {
            let mut outside = known.leave();
            worker.play_out(&mut outside, simulation, rng);
            known = outside.enter(simulation);
            known.come_back(simulation);
            known.keep_best_line(worker, simulation);
        }
    }
    // Step 7. Actions on the path get the result.
    known.core.back_up(simulation);
    // Step 8. All that learn see the simulation.
    known.core.learn(simulation);
    known.show_goals(worker, begun, simulation);
    known.keep_within_memory();
}

impl<S: Clone + Eq + Hash> Knowledge<S> {
    /// Step 2: goes down from the simulation's leaf until it leaves the tree or play is over.
    pub(crate) fn descend(&mut self, simulation: &mut Simulation, rng: &mut Rng) -> Reached {
        self.core.descend(simulation, &mut self.states, rng)
    }

    /// Step 3: ends a simulation within the tree, unless it has reached an edge that leads out.
    pub(crate) fn finish_in_tree<G: Game<State = S>>(
        &mut self,
        reached: Reached,
        simulation: &mut Simulation,
        worker: &mut Worker<G>,
    ) -> bool {
        match reached {
            Reached::Edge => return false,
            Reached::End(node) => self.core.finish_ended(node, simulation),
            Reached::Solved(node) => self.core.finish_solved(node, simulation),
            Reached::Limit(node) => worker.finish_with(self.state_of(node), simulation),
        }
        simulation.trace.leave_tree();
        true
    }

    /// Step 5: puts the state beyond the last edge of a simulation into the tree.
    pub(crate) fn attach(
        &mut self,
        simulation: &mut Simulation,
        state: &S,
        facts: &Facts<'_>,
    ) -> Attached {
        if simulation.path.len() > self.core.settings.tree_depth {
            return Attached::Beyond;
        }
        // Another simulation under way may have come first.
        let known = self.core.tree.child(simulation.edge(), simulation.last_choice());
        let (node, attached) = match known.or_else(|| self.states.find(state)) {
            Some(known) => {
                self.core.run.counts.merged += 1;
                self.core.tree.node_mut(known).stamp = self.core.run.step;
                (known, Attached::Known)
            }
            None => (self.add_node(state, facts), Attached::New),
        };
        self.core.enter(simulation, node);
        attached
    }

    /// Adds a node for a state, with those of its moves that are worth a look.
    pub(crate) fn add_node(&mut self, state: &S, facts: &Facts<'_>) -> NodeId {
        let Knowledge { core, states } = self;
        let node = match &mut states.narrowing {
            Some(narrowing) if facts.ended.is_none() => {
                core.tree.add(&narrowing.narrow(state, facts), core.run.step)
            }
            _ => core.tree.add(facts, core.run.step),
        };
        states.put(node, state);
        node
    }

    /// The state of a node of a closed tree.
    pub(crate) fn state_of(&self, node: NodeId) -> &S {
        self.states.of(node).expect("closed nodes have states")
    }

    /// Part of step 8: plays a finished simulation again and shows its goals to the rule that asks for
    /// them. `begun` is the state it began in, if that is not the root's.
    fn show_goals<G: Game<State = S>>(
        &mut self,
        worker: &mut Worker<G>,
        begun: Option<S>,
        simulation: &Simulation,
    ) {
        if !self.core.strategies.wants_goals() {
            return;
        }
        let root = self.core.run.root.and_then(|root| self.states.of(root)).cloned();
        let Some(begun) = begun.or(root) else { return };
        let mut series = GoalSeries { roles: self.core.run.roles, ..GoalSeries::default() };
        worker.show_goals(begun, simulation, &mut series);
        if let Some(cutoff) = &mut self.core.strategies.cutoff {
            cutoff.sample(&series);
        }
    }
}

/// A worker's way to the knowledge of a search: its own, or one that threads share.
pub(crate) enum Access<'a, 'k, S> {
    Own(&'a mut Knowledge<S>),
    Shared(Key<'a, 'k, S>),
}

/// A thread's way to what is shared.
pub(crate) struct Key<'a, 'k, S> {
    lock: &'a Mutex<Shared<'k, S>>,
    /// The number of the thread.
    thread: usize,
}

/// Knowledge behind a lock, with news for the threads that share it.
pub(crate) struct Shared<'k, S> {
    pub(crate) knowledge: &'k mut Knowledge<S>,
    /// For each thread, where nodes went since it last had the lock.
    moved: Vec<Vec<Arc<Moved>>>,
    pub(crate) stop: Option<Stop>,
}

impl<'k, S> Shared<'k, S> {
    pub(crate) fn new(knowledge: &'k mut Knowledge<S>, threads: usize) -> Self {
        Shared { knowledge, moved: vec![Vec::new(); threads], stop: None }
    }
}

impl<'a, 'k, S> Key<'a, 'k, S> {
    pub(crate) fn new(lock: &'a Mutex<Shared<'k, S>>, thread: usize) -> Self {
        Key { lock, thread }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'a, Shared<'k, S>> {
        // A thread that panics takes the search down with it when the scope ends.
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The knowledge of a search while no other thread can change it.
pub(crate) enum AtHand<'a, 'k, S> {
    Own(&'a mut Knowledge<S>),
    Shared(MutexGuard<'a, Shared<'k, S>>, Key<'a, 'k, S>),
}

impl<'a, 'k, S: Clone + Eq + Hash> Access<'a, 'k, S> {
    /// Calls `what` with the knowledge of the search.
    #[inline]
    pub(crate) fn with<R>(&mut self, what: impl FnOnce(&mut Knowledge<S>) -> R) -> R {
        match self {
            Access::Own(knowledge) => what(knowledge),
            Access::Shared(key) => what(key.lock().knowledge),
        }
    }

    /// Step 1: begins a simulation.
    fn begin(self, simulation: &mut Simulation) -> AtHand<'a, 'k, S> {
        let mut known = match self {
            Access::Own(knowledge) => AtHand::Own(knowledge),
            Access::Shared(key) => {
                let mut guard = key.lock();
                guard.moved[key.thread].clear();
                AtHand::Shared(guard, key)
            }
        };
        known.core.begin(simulation);
        known
    }

    /// Goes on with a simulation, whose nodes may have moved meanwhile.
    fn enter(self, simulation: &mut Simulation) -> AtHand<'a, 'k, S> {
        match self {
            Access::Own(knowledge) => AtHand::Own(knowledge),
            Access::Shared(key) => {
                let mut guard = key.lock();
                for moved in guard.moved[key.thread].drain(..) {
                    simulation.move_nodes(&moved);
                }
                AtHand::Shared(guard, key)
            }
        }
    }
}

impl<'a, 'k, S: Clone + Eq + Hash> AtHand<'a, 'k, S> {
    /// Unlocks the knowledge.
    fn leave(self) -> Access<'a, 'k, S> {
        match self {
            AtHand::Own(knowledge) => Access::Own(knowledge),
            AtHand::Shared(_, key) => Access::Shared(key),
        }
    }

    /// Step 4: the worker goes to the state beyond the last edge, and looks. In a shared tree the
    /// simulation is marked as under way until [`come_back`](AtHand::come_back).
    fn play_edge<G: Game<State = S>>(
        self,
        worker: &mut Worker<G>,
        simulation: &mut Simulation,
    ) -> Self {
        match self {
            AtHand::Own(knowledge) => {
                worker.step_from(knowledge.state_of(simulation.edge()), simulation);
                AtHand::Own(knowledge)
            }
            AtHand::Shared(mut guard, key) => {
                worker.keep(guard.knowledge.state_of(simulation.edge()));
                guard.knowledge.core.mark_pending(simulation);
                drop(guard);
                worker.step_from_kept(simulation);
                Access::Shared(key).enter(simulation)
            }
        }
    }

    /// Takes back the mark of a simulation under way in a shared tree.
    fn come_back(&mut self, simulation: &Simulation) {
        if let AtHand::Shared(guard, _) = self {
            guard.knowledge.core.unmark_pending(simulation);
        }
    }

    /// Drops nodes if memory is used up, and lets the other threads know.
    fn keep_within_memory(self) {
        match self {
            AtHand::Own(knowledge) => {
                knowledge.keep_within_memory();
            }
            AtHand::Shared(mut guard, key) => {
                let Some(moved) = guard.knowledge.keep_within_memory().map(Arc::new) else {
                    return;
                };
                for (thread, others) in guard.moved.iter_mut().enumerate() {
                    if thread != key.thread {
                        others.push(Arc::clone(&moved));
                    }
                }
            }
        }
    }
}

impl<S> Deref for AtHand<'_, '_, S> {
    type Target = Knowledge<S>;

    #[inline]
    fn deref(&self) -> &Knowledge<S> {
        match self {
            AtHand::Own(knowledge) => knowledge,
            AtHand::Shared(guard, _) => guard.knowledge,
        }
    }
}

impl<S> DerefMut for AtHand<'_, '_, S> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Knowledge<S> {
        match self {
            AtHand::Own(knowledge) => knowledge,
            AtHand::Shared(guard, _) => guard.knowledge,
        }
    }
}
