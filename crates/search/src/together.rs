//! Tree parallelism: threads that search one tree together.
//!
//! The tree and what was learned are behind a lock (see [`simulate`](crate::simulate)). Which thread comes first is a matter of chance:
//! unlike all other searches these are not equal for equal seeds.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use gamegrove_game::{Game, Rng};

use crate::budget::{Budget, Stop};
use crate::search::Search;
use crate::simulate::{Access, Key, Order, Shared, simulate};
use crate::simulation::Simulation;
use crate::worker::Worker;

/// The worker, simulation and chance of a thread.
pub(crate) struct Partner<G: Game> {
    worker: Worker<G>,
    simulation: Simulation,
    rng: Rng,
}

impl<G: Game> Search<G> {
    /// A partner that searches in this tree in another thread.
    pub(crate) fn partner(&self, seed: u64) -> Partner<G> {
        Partner {
            worker: Worker::new(self.worker.game.clone()),
            simulation: Simulation::new(self.known.core.default_values()),
            rng: Rng::new(seed),
        }
    }

    /// As [`run`](Search::run), together with others, a thread each.
    pub(crate) fn run_together(&mut self, others: &mut [Partner<G>], budget: &Budget<'_>) -> Stop {
        let Search { known, worker, simulation, rng, .. } = self;
        let shared = Mutex::new(Shared::new(known, others.len() + 1));
        let started = AtomicU64::new(0);
        let (shared, started) = (&shared, &started);
        std::thread::scope(|scope| {
            for (thread, Partner { worker, simulation, rng }) in (1..).zip(others) {
                scope.spawn(move || {
                    let key = || Key::new(shared, thread);
                    work(key, started, budget, (worker, simulation, rng));
                });
            }
            work(|| Key::new(shared, 0), started, budget, (worker, simulation, rng));
        });
        let stop = Key::new(shared, 0).lock().stop.unwrap_or(Stop::Simulations);
        self.defend(budget);
        stop
    }
}

/// Simulates until the budget is spent.
fn work<'a, 'k: 'a, G: Game + 'a>(
    key: impl Fn() -> Key<'a, 'k, G::State>,
    started: &AtomicU64,
    budget: &Budget<'_>,
    (worker, simulation, rng): (&mut Worker<G>, &mut Simulation, &mut Rng),
) where
    G::State: 'k,
{
    loop {
        let stop = budget.is_spent(started.fetch_add(1, Ordering::Relaxed));
        let key = key();
        let mut shared = key.lock();
        shared.stop = shared.stop.or(stop);
        shared.stop = shared.knowledge.core.is_done().or(shared.stop);
        // Another thread may have found the simulations used up while this one still has its last.
        if stop.is_some() || shared.stop.is_some_and(|stop| stop != Stop::Simulations) {
            return;
        }
        drop(shared);
        let order = Order { open: None, batch: 0 };
        simulate(worker, Access::Shared(key), simulation, rng, &order);
    }
}
