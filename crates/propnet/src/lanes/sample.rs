//! Random play-outs of which only sums are wanted: all start in one state, so lanes are given their
//! starts and their ends are counted for all lanes at once.

use std::sync::Arc;

use gamegrove_game::{Driver, Finish, Sample, Start, Sums};

use super::kernel::{Machine, Offsets, index, read};
use super::stream::{Buffers, Stream, holds, lanes, remove};
use crate::state::Bits;

/// Sweeps after which it is asked whether to give up.
const PATIENCE: u64 = 16;

/// A driver that is never asked, because a sample has none.
struct NoDriver;

impl Driver<Bits> for NoDriver {
    fn start(&mut self, _lane: usize, _start: &mut Start<Bits>) -> bool {
        false
    }

    fn finished(&mut self, _lane: usize, _finish: &Finish<'_>) {}
}

impl Buffers {
    /// Plays a sample to its end, or until it is given up.
    pub fn sample<const N: usize, M: Machine<N>>(
        &mut self,
        seed: u64,
        sample: &Sample<Bits>,
        give_up: &mut dyn FnMut() -> bool,
    ) -> Sums {
        let shared = Arc::clone(&self.shared);
        let ops = Offsets::new(&shared.program);
        let mut driver = NoDriver;
        let mut stream = self.stream::<N>(&shared, seed, &mut driver);
        stream.common.clone_from(&sample.state);
        // The sweep with which each lane's play-out started.
        let mut since = vec![0; 64 * N];
        let mut sums = Sums { goals: vec![0.0; shared.goal_values.len()], ..Sums::default() };
        loop {
            stream.start_all(sample, &mut since);
            stream.advance::<M>();
            if stream.active == [0; N] || stream.tally.sweeps.is_multiple_of(PATIENCE) && give_up()
            {
                break;
            }
            stream.look::<M>(&ops);
            stream.count::<M>(sample, &since, &mut sums);
            if stream.on_rows() {
                stream.choose_on_rows::<M>();
            } else {
                stream.turn_to_lanes::<M>();
                stream.choose::<M>();
                stream.turn_to_rows::<M>();
            }
            stream.tally.states += M::count(&stream.active);
            stream.play::<M>(&ops);
        }
        let under_way = lanes(stream.active).map(|lane| stream.tally.sweeps - since[lane]);
        stream.tally.states -= under_way.sum::<u64>();
        Sums { tally: stream.tally, ..sums }
    }
}

impl<const N: usize> Stream<'_, N> {
    /// Gives every idle lane the next play-out.
    fn start_all(&mut self, sample: &Sample<Bits>, since: &mut [u64]) {
        let left = usize::try_from(sample.count - self.started).unwrap_or(usize::MAX);
        for lane in lanes(self.active.map(|active| !active)).take(left) {
            self.bank.start(index::<N>(lane), self.started);
            self.started += 1;
            since[lane] = self.tally.sweeps;
            self.active[lane / 64] |= 1 << (lane % 64);
            self.fresh[lane / 64] |= 1 << (lane % 64);
        }
        // Later starts have later limits.
        if self.next_limit == u64::MAX {
            self.next_limit = self.tally.sweeps.saturating_add(u64::from(sample.limit));
        }
    }

    /// Counts what is over, and frees its lanes.
    fn count<M: Machine<N>>(&mut self, sample: &Sample<Bits>, since: &[u64], sums: &mut Sums) {
        let terminal: [u64; N] = std::array::from_fn(|at| self.terminal[at] & self.active[at]);
        let mut over = terminal;
        for can_move in &self.can_move {
            for at in 0..N {
                over[at] |= self.active[at] & !can_move[at];
            }
        }
        if self.tally.sweeps >= self.next_limit {
            self.next_limit = u64::MAX;
            for lane in lanes(self.active) {
                let until = since[lane].saturating_add(u64::from(sample.limit));
                if until <= self.tally.sweeps {
                    over[lane / 64] |= 1 << (lane % 64);
                } else {
                    self.next_limit = self.next_limit.min(until);
                }
            }
        }
        remove(&mut self.active, &over);
        self.tally.playouts += M::count(&over);
        if terminal == [0; N] {
            return;
        }
        sums.terminal += M::count(&terminal);
        let answers = &self.shared.program.answers.goals;
        for (role, sum) in sums.goals.iter_mut().enumerate() {
            let goals = || answers[role].iter().zip(&self.shared.goal_values[role]);
            let (mut once, mut twice, mut total) = ([0; N], [0; N], 0.0);
            for (&pin, &value) in goals() {
                let mut holds = read(self.slots, pin);
                for at in 0..N {
                    holds[at] &= terminal[at];
                    twice[at] |= once[at] & holds[at];
                    once[at] |= holds[at];
                }
                total += f64::from(value) * M::count(&holds) as f64;
            }
            // Several goals at once count as their mean.
            for lane in lanes(twice) {
                let here = |&(&pin, _): &(_, _)| holds(&read(self.slots, pin), lane);
                let (values, count) = goals()
                    .filter(here)
                    .fold((0.0, 0.0), |(values, count), (_, value)| (values + value, count + 1.0));
                total += f64::from(values / count) - f64::from(values);
            }
            *sum += total;
        }
    }
}
