//! Tree parallelism: threads that search one tree together.
//!
//! The tree and what was learned are one [`Core`] behind a lock. A thread holds it while it goes down,
//! attaches its leaf and backs its result up, which is short; play-outs run outside, and ask for the
//! lock only where an informed policy chooses. Simulations under way count as visits without gain, as
//! on lanes, so that threads look at different lines. Which thread comes first is a matter of chance:
//! unlike all other searches these are not equal for equal seeds.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamegrove_game::{Game, Rng};

use crate::budget::{Budget, Stop};
use crate::core::{Attached, Core, Reached};
use crate::search::Search;
use crate::simulation::Simulation;
use crate::tree::Moved;
use crate::worker::{Guide, Worker};

/// What a thread owns.
pub(crate) struct Partner<G: Game> {
    worker: Worker<G>,
    simulation: Simulation,
    rng: Rng,
}

/// What threads share.
struct Shared<'a, S> {
    core: &'a mut Core<S>,
    /// For each thread, where nodes went since it last had the lock.
    moved: Vec<Vec<Arc<Moved>>>,
    stop: Option<Stop>,
}

/// A thread's way to the core.
struct Access<'a, 'c, S> {
    shared: &'a Mutex<Shared<'c, S>>,
}

impl<'c, S> Access<'_, 'c, S> {
    fn lock(&self) -> MutexGuard<'_, Shared<'c, S>> {
        // A thread that panics takes the search down with it when the scope ends.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S> Guide<S> for Access<'_, '_, S> {
    fn with<R>(&mut self, what: impl FnOnce(&mut Core<S>) -> R) -> R {
        what(self.lock().core)
    }
}

impl<G: Game> Search<G> {
    /// Someone to search with.
    pub(crate) fn partner(&self, seed: u64) -> Partner<G> {
        Partner {
            worker: Worker::new(self.worker.game.clone()),
            simulation: Simulation::new(self.core.default_values()),
            rng: Rng::new(seed),
        }
    }

    /// As [`run`](Search::run), together with others, a thread each.
    pub(crate) fn run_together(&mut self, others: &mut [Partner<G>], budget: &Budget<'_>) -> Stop {
        let Search { core, worker, simulation, rng, .. } = self;
        let shared =
            Mutex::new(Shared { core, moved: vec![Vec::new(); others.len() + 1], stop: None });
        let started = AtomicU64::new(0);
        let (shared, started) = (&shared, &started);
        std::thread::scope(|scope| {
            for (number, Partner { worker, simulation, rng }) in (1..).zip(others) {
                scope.spawn(move || {
                    let access = Access { shared };
                    work(access, number, started, budget, (worker, simulation, rng));
                });
            }
            work(Access { shared }, 0, started, budget, (worker, simulation, rng));
        });
        let stop = shared.lock().unwrap_or_else(PoisonError::into_inner).stop;
        stop.unwrap_or(Stop::Simulations)
    }
}

/// Simulates until the budget is spent.
fn work<G: Game>(
    mut access: Access<'_, '_, G::State>,
    number: usize,
    started: &AtomicU64,
    budget: &Budget<'_>,
    (worker, simulation, rng): (&mut Worker<G>, &mut Simulation, &mut Rng),
) {
    loop {
        let stop = budget.is_spent(started.fetch_add(1, Ordering::Relaxed));
        let mut shared = access.lock();
        shared.moved[number].clear();
        shared.stop = shared.stop.or(stop);
        if shared.core.is_solved() || shared.core.extras.is_solved() {
            shared.stop = Some(Stop::Solved);
        }
        if shared.core.counts.steps >= shared.core.settings.expansions {
            shared.stop = Some(Stop::Expansions);
        }
        // Another thread may have found the simulations used up while this one still has its last.
        if stop.is_some() || shared.stop.is_some_and(|stop| stop != Stop::Simulations) {
            return;
        }
        shared.core.begin(simulation);
        let mut pending = false;
        loop {
            match shared.core.descend(simulation, rng) {
                Reached::End(node) => {
                    simulation.trace.leave_tree();
                    let goals = shared.core.tree.goals(node).expect("ended nodes have goals");
                    simulation.trace.finish(goals.iter().map(|goal| f64::from(goal.0)));
                    break;
                }
                Reached::Limit(node) => {
                    simulation.trace.leave_tree();
                    let state = shared.core.tree.state(node).cloned();
                    worker.finish_with(&state.expect("closed nodes have states"), simulation);
                    break;
                }
                Reached::Solved(node) => {
                    simulation.trace.leave_tree();
                    shared.core.finish_solved(node, simulation);
                    break;
                }
                Reached::Edge => {
                    let from = *simulation.path.last().expect("an edge starts somewhere");
                    let state = shared.core.tree.state(from).cloned();
                    shared.core.mark_pending(simulation);
                    drop(shared);
                    worker.step_from(&state.expect("closed nodes have states"), simulation);
                    shared = relock(&access, number, simulation);
                    let core = &mut *shared.core;
                    if core.attach(simulation, &worker.state, &worker.seen()) == Attached::Known {
                        core.unmark_pending(simulation);
                        continue;
                    }
                    drop(shared);
                    pending = true;
                    simulation.trace.leave_tree();
                    worker.play_out(&mut access, simulation, rng);
                    shared = relock(&access, number, simulation);
                    worker.keep_best_line(shared.core, simulation);
                    break;
                }
            }
        }
        let Shared { core, moved, .. } = &mut *shared;
        if pending {
            core.unmark_pending(simulation);
        }
        core.back_up(simulation);
        worker.sample_goals(core, simulation);
        core.keep_within_memory_with(|nodes| {
            let nodes = Arc::new(nodes.clone());
            for (other, moved) in moved.iter_mut().enumerate() {
                if other != number {
                    moved.push(Arc::clone(&nodes));
                }
            }
        });
    }
}

/// Takes the lock again with a simulation under way, whose nodes may have moved meanwhile.
fn relock<'a, 'c, S>(
    access: &'a Access<'_, 'c, S>,
    number: usize,
    simulation: &mut Simulation,
) -> MutexGuard<'a, Shared<'c, S>> {
    let mut shared = access.lock();
    for moved in shared.moved[number].drain(..) {
        simulation.move_nodes(&moved);
    }
    shared
}
