//! Random games against the clock, hundreds at a time.

use std::time::{Duration, Instant};

use gamegrove_game::{Driver, Ending, Finish, Lanes, Rng, Start};
use gamegrove_propnet::{Bits, PropnetLanes};

use super::{LONGEST, Setup, Tally, until_time_is_up};
use crate::Heard;

/// Counts the games of one thread.
struct Counter {
    end: Instant,
    tally: Tally,
}

impl Driver<Bits> for Counter {
    fn start(&mut self, _lane: usize, start: &mut Start<Bits>) -> bool {
        start.limit = LONGEST;
        true
    }

    fn finished(&mut self, _lane: usize, finish: &Finish<'_>) {
        let tally = &mut self.tally;
        tally.playouts += 1;
        tally.steps += u64::from(finish.steps);
        tally.states += u64::from(finish.steps) + 1;
        if finish.ending == Ending::Terminal {
            tally.finished += 1;
            tally.goals.resize(finish.goals.len(), 0.0);
            let goals = finish.goals.iter().map(|goal| f64::from(goal.0));
            tally.goals.iter_mut().zip(goals).for_each(|(sum, goal)| *sum += goal);
        }
    }

    fn give_up(&mut self) -> bool {
        Instant::now() >= self.end
    }
}

/// Plays random games until the time is up; what was counted and how long it took. Games that were
/// not over by then are not counted.
pub fn measure(lanes: &PropnetLanes, setup: Setup, heard: Heard<'_>) -> (Tally, Duration) {
    let workers: Vec<PropnetLanes> = (0..setup.threads).map(|_| lanes.clone()).collect();
    until_time_is_up(workers, setup, heard, |lanes, thread, end| {
        let mut counter = Counter { end, tally: Tally::default() };
        // Each thread has its own seed, as each has its own stream elsewhere.
        let seed = Rng::stream(setup.seed, thread as u64).next_u64();
        lanes.run(seed, &mut counter);
        counter.tally
    })
}
