//! Random games against the clock, hundreds at a time.

use std::time::{Duration, Instant};

use gamegrove_game::Rng;
use gamegrove_propnet::{PropnetLanes, Sample};

use super::{LONGEST, Setup, Tally, until_time_is_up};
use crate::Heard;

/// Plays random games until the time is up; what was counted and how long it took. Games that were
/// not over by then are not counted.
pub fn measure(lanes: &PropnetLanes, setup: Setup, heard: Heard<'_>) -> (Tally, Duration) {
    let start = lanes.initial();
    let workers: Vec<PropnetLanes> = (0..setup.threads).map(|_| lanes.clone()).collect();
    until_time_is_up(workers, setup, heard, |lanes, thread, end| {
        // Each thread has its own seed, as each has its own stream elsewhere.
        let seed = Rng::stream(setup.seed, thread as u64).next_u64();
        let sample = Sample { state: start.clone(), limit: LONGEST, count: u64::MAX };
        let sums = lanes.sample(seed, &sample, &mut || Instant::now() >= end);
        Tally {
            states: sums.tally.states + sums.tally.playouts,
            playouts: sums.tally.playouts,
            steps: sums.tally.states,
            finished: sums.terminal,
            goals: sums.goals,
            fault: None,
        }
    })
}
