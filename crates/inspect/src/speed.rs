//! Speed of video games.
//!
//! Rates are per second of processor time where the system tells it, as the framework's figures are:
//! what else the machine does must not look like a slow engine.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use gamegrove_game::Rng;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::speed::Load;

use crate::Heard;
use gamegrove_game::parallel::spread;
use gamegrove_play::SpeedWanted;

/// Units of work a second of processor time, all threads together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Ticks with random actions.
    pub advances: f64,
    /// Copies of the first state.
    pub copies: f64,
    /// Copies with ten ticks.
    pub rollouts: f64,
    /// Whether a tick was cut short by the limit on its work.
    pub overworked: bool,
}

/// Measures each of the three for a third of the time.
pub fn measure(world: &Arc<World>, wanted: SpeedWanted, heard: Heard<'_>) -> Rates {
    let wanted = SpeedWanted { time: wanted.time / 3, ..wanted };
    let mut overworked = false;
    let mut rate = |unit: fn(&mut Load)| {
        let (rate, cut) = units_per_second(world, wanted, heard, unit);
        overworked |= cut;
        rate
    };
    let advances = rate(Load::advance);
    let copies = rate(Load::copy);
    let rollouts = rate(Load::rollout);
    Rates { advances, copies, rollouts, overworked }
}

fn units_per_second(
    world: &Arc<World>,
    wanted: SpeedWanted,
    heard: Heard<'_>,
    unit: fn(&mut Load),
) -> (f64, bool) {
    let stream = |thread: usize| Rng::stream(wanted.seed, thread as u64);
    let workers: Vec<Load> =
        (0..wanted.threads).map(|thread| Load::new(world.clone(), stream(thread))).collect();
    let start = Instant::now();
    let (mut rate, mut overworked) = (0.0, false);
    spread(
        workers,
        wanted.threads,
        |load, _| {
            let (count, taken) = until(wanted.time, || unit(load));
            (count as f64 / taken.as_secs_f64().max(1e-9), load.take_overworked())
        },
        |finished| {
            if let Some((_, (one, cut))) = finished {
                rate += one;
                overworked |= cut;
            }
            let millis = |time: Duration| time.as_millis() as u64;
            heard(millis(start.elapsed()), millis(wanted.time));
            ControlFlow::Continue(())
        },
    );
    (rate, overworked)
}

/// Does work until the time is up; how often, and how much time the thread spent on it. Between two
/// looks at the clock lies about a hundredth of the time, or one piece of work that takes longer.
fn until(limit: Duration, mut work: impl FnMut()) -> (u64, Duration) {
    let start = Instant::now();
    let busy = ThreadTime::try_now();
    let (mut count, mut batch) = (0, 1u64);
    loop {
        for _ in 0..batch {
            work();
        }
        count += batch;
        let gone = start.elapsed();
        if gone >= limit {
            let spent = busy.ok().and_then(|busy| busy.try_elapsed().ok());
            return (count, spent.filter(|spent| !spent.is_zero()).unwrap_or(gone));
        }
        let per_unit = gone.as_secs_f64() / count as f64;
        let wanted = limit.as_secs_f64() / 100.0 / per_unit.max(1e-9);
        batch = (wanted as u64).clamp(1, 2 * batch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_counted() {
        let mut done = 0;
        let (count, taken) = until(Duration::from_millis(5), || done += 1);
        assert_eq!(count, done);
        assert!(!taken.is_zero());
        let (count, _) = until(Duration::from_nanos(1), || {
            std::thread::sleep(Duration::from_millis(1));
        });
        assert_eq!(count, 1);
    }
}
