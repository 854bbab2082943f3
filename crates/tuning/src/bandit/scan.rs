//! A bandit with many arms that looks at all of them for every choice: UCB1 as it is written.
//!
//! The published agent does this, and it is what makes it slow [Sironi 2019, Tables 6.7 and E.1].
//! [`Field`](super::field::Field) chooses the same without looking at all arms and is tested against it.

use gamegrove_game::Rng;

use super::field::Choice;
use super::{Ucb, reach};
use crate::rewards::cautious;

/// The arms.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    ucb: Ucb,
    arms: Vec<Arm>,
    /// Samples finished or in flight, those of arms without a finished sample not counted.
    samples: u64,
    /// The arms with the highest value, of the last choice.
    best: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Arm {
    sum: f64,
    done: u32,
    pending: u32,
}

impl Scan {
    /// A bandit with `arms` arms.
    pub fn new(ucb: Ucb, arms: u32) -> Self {
        Scan { ucb, arms: vec![Arm::default(); arms as usize], samples: 0, best: Vec::new() }
    }

    /// Samples finished or in flight.
    #[cfg(test)]
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// UCB1 of an arm; `reach` is the factor that all arms share.
    pub fn value(&self, arm: u32, reach: f64) -> f64 {
        let Arm { sum, done, pending } = self.arms[arm as usize];
        match done {
            0 => self.ucb.fpu,
            _ => {
                let visits = f64::from(done) + f64::from(pending);
                sum / f64::from(done) + self.ucb.c * reach / visits.sqrt()
            }
        }
    }

    /// The arm of the highest UCB1, for `proposals` samples; equals are equally likely.
    pub fn choose(&mut self, proposals: u32, rng: &mut Rng) -> Choice {
        let reach = reach(self.samples);
        let mut highest = f64::NEG_INFINITY;
        self.best.clear();
        for arm in 0..self.arms.len() as u32 {
            let value = self.value(arm, reach);
            if value > highest {
                highest = value;
                self.best.clear();
            }
            if value == highest {
                self.best.push(arm);
            }
        }
        let arm = rng.pick(&self.best).unwrap_or(0);
        let counted = self.arms.get(arm as usize).is_some_and(|arm| arm.done > 0);
        if counted {
            self.count(arm, proposals);
        }
        Choice { arm, counted }
    }

    /// Counts `proposals` of a tried arm as in flight, as [`Scan::choose`] does with what it chooses.
    pub fn count(&mut self, arm: u32, proposals: u32) {
        let own = &mut self.arms[arm as usize];
        own.pending = own.pending.saturating_add(proposals);
        self.samples += u64::from(proposals);
    }

    /// Learns a finished sample; `counted` if the proposal was counted as in flight.
    pub fn learn(&mut self, arm: u32, reward: f64, counted: bool) {
        let own = &mut self.arms[arm as usize];
        own.sum += reward;
        own.done = own.done.saturating_add(1);
        if counted && own.pending > 0 {
            own.pending -= 1;
        } else {
            self.samples += 1;
        }
    }

    /// Takes back a proposal that was counted as in flight.
    pub fn cancel(&mut self, arm: u32) {
        let own = &mut self.arms[arm as usize];
        if own.pending > 0 {
            own.pending -= 1;
            self.samples -= 1;
        }
    }

    /// The arm to recommend.
    pub fn best(&self) -> Option<u32> {
        let worth = |arm: &Arm| cautious(arm.sum / f64::from(arm.done), f64::from(arm.done));
        let tried = (0u32..).zip(&self.arms).filter(|(_, arm)| arm.done > 0);
        tried.max_by(|(_, a), (_, b)| worth(a).total_cmp(&worth(b))).map(|(arm, _)| arm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_value_is_chosen_and_equals_equally_often() {
        let mut rng = Rng::new(1);
        let mut scan = Scan::new(Ucb { c: 0.7, fpu: 1.0 }, 4);
        let mut counts = [0u32; 4];
        (0..4_000).for_each(|_| counts[scan.choose(1, &mut rng).arm as usize] += 1);
        assert!(counts.iter().all(|&count| count.abs_diff(1000) < 150), "{counts:?}");
        // Means 0.5 and 0.6 after nine samples each: 0.1 is more than visits make up for.
        let mut scan = Scan::new(Ucb { c: 0.1, fpu: 0.0 }, 3);
        for (arm, reward) in [(0, 0.5), (1, 0.6)] {
            (0..9).for_each(|_| scan.learn(arm, reward, false));
        }
        assert_eq!(scan.choose(1, &mut rng), Choice { arm: 1, counted: true });
        assert_eq!((scan.samples(), scan.best()), (19, Some(1)));
        scan.cancel(1);
        assert_eq!(scan.samples(), 18);
    }
}
