//! Multi-armed bandits by UCB1 (specification, section 3.1), the part that most strategies share.
//!
//! ```text
//! UCB1(a) = mean(a) + c * sqrt(ln(n) / n(a))
//! ```
//!
//! Means are on the unit interval. An arm without a finished sample is worth `fpu`; equal values
//! are told apart at random. A sample in flight counts as a visit in `n` and `n(a)` but not in the
//! mean, so that many proposals at once spread over the arms; with one proposal at a time there is
//! no difference to the formula.
//!
//! [`Arm`] and [`choose`] are for the few values of one parameter; [`field::Field`] is for the
//! many arms of whole combinations, where a scan of all would cost more than the simulation.

pub(crate) mod field;
mod kinetic;

use gamegrove_game::Rng;

use crate::Index;

/// The settings of a bandit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ucb {
    /// How much it explores.
    pub c: f64,
    /// The value of an arm without samples; `inf` tries every arm once before any arm twice.
    pub fpu: f64,
}

/// The factor that all arms' exploration shares: `sqrt(ln(n))`.
pub(crate) fn reach(samples: u64) -> f64 {
    (samples.max(1) as f64).ln().sqrt()
}

/// The statistics of one arm.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Arm {
    pub sum: f64,
    pub done: u32,
    pub pending: u32,
    mean: f64,
    /// `1 / sqrt(n(a))`.
    width: f64,
}

impl Arm {
    /// A proposal of this arm is in flight.
    pub fn propose(&mut self) {
        self.pending += 1;
        self.refresh();
    }

    /// A proposal will not come back.
    pub fn cancel(&mut self) {
        self.pending = self.pending.saturating_sub(1);
        self.refresh();
    }

    /// A sample is finished; `proposed` if it was counted as in flight.
    pub fn learn(&mut self, reward: f64, proposed: bool) {
        self.sum += reward;
        self.done = self.done.saturating_add(1);
        self.mean = self.sum / f64::from(self.done);
        if proposed && self.pending > 0 {
            // As many samples as before: one more is finished, one fewer in flight.
            self.pending -= 1;
        } else {
            self.refresh();
        }
    }

    fn refresh(&mut self) {
        self.width = (f64::from(self.done) + f64::from(self.pending)).max(1.0).sqrt().recip();
    }

    /// UCB1 of this arm where `scaled` is the constant times [`reach`].
    fn value(&self, ucb: Ucb, scaled: f64) -> f64 {
        if self.done == 0 { ucb.fpu } else { self.mean + scaled * self.width }
    }
}

/// The arm of the highest UCB1 among those that `allowed` lets through; the first if it lets
/// nothing through. `scaled` is the constant times [`reach`].
pub(crate) fn choose(
    arms: &[Arm],
    scaled: f64,
    ucb: Ucb,
    allowed: impl Fn(Index) -> bool,
    rng: &mut Rng,
) -> Index {
    let (mut best, mut value, mut ties) = (0, f64::NEG_INFINITY, 0);
    for (index, arm) in arms.iter().enumerate() {
        if !allowed(index as Index) {
            continue;
        }
        let other = arm.value(ucb, scaled);
        if other > value || ties == 0 {
            (best, value, ties) = (index, other, 1);
        } else if other == value {
            ties += 1;
            if rng.below(ties) == 0 {
                best = index;
            }
        }
    }
    best as Index
}

/// The allowed arm that a recommendation takes: surely worth the most.
pub(crate) fn recommend(arms: &[Arm], allowed: impl Fn(Index) -> bool) -> Option<Index> {
    let worth = |arm: &Arm| crate::rewards::cautious(arm.mean, f64::from(arm.done));
    let sampled = (0..arms.len()).filter(|&i| arms[i].done > 0 && allowed(i as Index));
    sampled.max_by(|&a, &b| worth(&arms[a]).total_cmp(&worth(&arms[b]))).map(|i| i as Index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(rewards: &[f64]) -> Arm {
        let mut arm = Arm::default();
        rewards.iter().for_each(|&reward| arm.learn(reward, false));
        arm
    }

    #[test]
    fn an_arm_visited_once_beats_unvisited_ones_from_eight_samples_on() {
        // Specification, section 3.1: with C = 0.7 and fpu = 1, whatever the reward.
        let ucb = Ucb { c: 0.7, fpu: 1.0 };
        let arms = [arm(&[0.0]), Arm::default()];
        let pick = |samples| choose(&arms, 0.7 * reach(samples), ucb, |_| true, &mut Rng::new(1));
        assert!((1..8).all(|samples| pick(samples) == 1));
        assert!((8..1000).all(|samples| pick(samples) == 0));
    }

    #[test]
    fn ties_are_random_and_the_forbidden_is_not_chosen() {
        let ucb = Ucb { c: 1.0, fpu: 1.0 };
        let arms = [arm(&[1.0]), arm(&[0.5]), arm(&[1.0]), arm(&[1.0])];
        let mut counts = [0u32; 4];
        let mut rng = Rng::new(2);
        for _ in 0..9_000 {
            counts[usize::from(choose(&arms, reach(4), ucb, |arm| arm != 3, &mut rng))] += 1;
        }
        assert_eq!((counts[1], counts[3]), (0, 0));
        assert!(counts[0].abs_diff(4500) < 300, "{counts:?}");
    }

    #[test]
    fn samples_in_flight_spread_proposals() {
        let ucb = Ucb { c: 0.7, fpu: 1.0 };
        let mut arms = [arm(&[0.6; 5]), arm(&[0.5; 5])];
        let mut rng = Rng::new(3);
        let mut counts = [0; 2];
        for proposal in 0..10 {
            let scaled = 0.7 * reach(10 + proposal);
            let pick = usize::from(choose(&arms, scaled, ucb, |_| true, &mut rng));
            arms[pick].propose();
            counts[pick] += 1;
        }
        assert!(counts[0] > counts[1] && counts[1] > 0, "{counts:?}");
        for (arm, &count) in arms.iter_mut().zip(&counts) {
            (0..count).for_each(|_| arm.cancel());
            assert_eq!(arm.pending, 0);
        }
    }
}
