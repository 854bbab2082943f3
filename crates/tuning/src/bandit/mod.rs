//! Multi-armed bandits by UCB1 [Sironi 2019, 6.3.1], the part that most strategies share.
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
//! [`Arms`] are for the few values of one parameter; [`field::Field`] is for the
//! many arms of whole combinations, where a scan of all would cost more than the simulation.

pub(crate) mod field;
mod kinetic;
pub(crate) mod scan;

use std::ops::Range;
use std::sync::LazyLock;

use gamegrove_game::Rng;

use crate::Index;
use crate::space::Legal;

/// The settings of a bandit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ucb {
    /// How much it explores.
    pub c: f64,
    /// The value of an arm without samples; `inf` tries every arm once before any arm twice.
    pub fpu: f64,
}

/// The factor that all arms' exploration shares: `sqrt(ln(n))`.
#[inline]
pub(crate) fn reach(samples: u64) -> f64 {
    match usize::try_from(samples).ok().and_then(|n| REACHES.get(n)) {
        Some(&known) => known,
        None => plain_reach(samples),
    }
}

fn plain_reach(samples: u64) -> f64 {
    (samples.max(1) as f64).ln().sqrt()
}

/// [`reach`] of the first whole numbers: logarithms cost more than all else in a choice among ten arms.
/// A bandit reads its entries one after the other, so only few of them are in use at a time.
pub(crate) static REACHES: LazyLock<Vec<f64>> =
    LazyLock::new(|| (0..1 << 17).map(plain_reach).collect());

/// `1 / sqrt(n)`, and 1 for no samples. No other instruction waits for it, so a table would gain nothing.
#[inline]
pub(crate) fn width(samples: u32) -> f64 {
    f64::from(samples.max(1)).sqrt().recip()
}

/// The arms of one or several bandits, each bandit a range of them. What a choice reads lies side by
/// side.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arms {
    /// The mean reward, [`Ucb::fpu`] before there is one.
    means: Vec<f64>,
    /// `1 / sqrt(n(a))`, 0 before there is a reward.
    widths: Vec<f64>,
    counts: Vec<Counts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    sum: f64,
    done: u32,
    pending: u32,
}

impl Arms {
    /// Adds `count` arms without samples and returns the number of the first.
    pub fn add(&mut self, ucb: Ucb, count: usize) -> usize {
        let first = self.counts.len();
        self.means.resize(first + count, ucb.fpu);
        self.widths.resize(first + count, 0.0);
        self.counts.resize(first + count, Counts::default());
        first
    }

    /// A proposal of this arm is in flight.
    #[inline]
    pub fn propose(&mut self, arm: usize) {
        self.counts[arm].pending += 1;
        self.refresh(arm);
    }

    /// A proposal will not come back.
    pub fn cancel(&mut self, arm: usize) {
        self.counts[arm].pending = self.counts[arm].pending.saturating_sub(1);
        self.refresh(arm);
    }

    /// A sample is finished; `proposed` if it was counted as in flight.
    #[inline]
    pub fn learn(&mut self, arm: usize, reward: f64, proposed: bool) {
        let counts = &mut self.counts[arm];
        counts.sum += reward;
        counts.done = counts.done.saturating_add(1);
        self.means[arm] = counts.sum / f64::from(counts.done);
        let first = counts.done == 1;
        if proposed && counts.pending > 0 {
            // As many samples as before: one more is finished, one fewer in flight.
            counts.pending -= 1;
            if !first {
                return;
            }
        }
        self.refresh(arm);
    }

    fn refresh(&mut self, arm: usize) {
        let Counts { done, pending, .. } = self.counts[arm];
        if done > 0 {
            self.widths[arm] = width(done.saturating_add(pending));
        }
    }

    /// How many samples of this arm are in flight.
    pub fn pending(&self, arm: usize) -> u32 {
        self.counts[arm].pending
    }

    /// The arm of the highest UCB1 among those of the bandit `of` that `legal` lets through, as its
    /// place in the bandit; the first if nothing is let through. `scaled` is the constant times
    /// [`reach`]. Equals are equally likely.
    #[inline]
    pub fn choose(&self, of: Range<usize>, scaled: f64, legal: Legal, rng: &mut Rng) -> Index {
        let end = match legal {
            Legal::All => of.end,
            Legal::Below(bound) => of.start + usize::from(bound),
            Legal::Only(only) => return only,
            Legal::Listed(bits) if bits.is_power_of_two() => return bits.trailing_zeros() as Index,
            Legal::Listed(_) => return self.choose_listed(of, scaled, legal, rng),
        };
        let (means, widths) = (&self.means[of.start..end], &self.widths[of.start..end]);
        choose(means, widths, scaled, rng)
    }

    /// [`Arms::choose`] arm by arm.
    fn choose_listed(&self, of: Range<usize>, scaled: f64, legal: Legal, rng: &mut Rng) -> Index {
        let (means, widths) = (&self.means[of.clone()], &self.widths[of]);
        let values = (0..).zip(means.iter().zip(widths)).map(|(at, (mean, width))| {
            if legal.contains(at) { mean + scaled * width } else { f64::NEG_INFINITY }
        });
        let best = values.clone().fold(f64::NEG_INFINITY, f64::max);
        one_of(best, values, rng)
    }

    /// The allowed arm of the bandit `of` that a recommendation takes: surely worth the most.
    pub fn recommend(&self, of: Range<usize>, legal: Legal) -> Option<Index> {
        let worth = |at: usize| {
            let arm = of.start + at;
            crate::rewards::cautious(self.means[arm], f64::from(self.counts[arm].done))
        };
        let sampled = (0..of.len())
            .filter(|&at| self.counts[of.start + at].done > 0 && legal.contains(at as Index));
        sampled.max_by(|&a, &b| worth(a).total_cmp(&worth(b))).map(|at| at as Index)
    }
}

/// The place of the highest `mean + scaled * width`, one of the equally high ones at random. The processor
/// cannot predict which one, so branches would cost more than they save: there are none.
#[inline]
fn choose(means: &[f64], widths: &[f64], scaled: f64, rng: &mut Rng) -> Index {
    let values = means.iter().zip(widths).map(|(mean, width)| mean + scaled * width);
    let (mut best, mut second, mut place) = (f64::NEG_INFINITY, f64::NEG_INFINITY, 0);
    for (at, value) in (0u64..).zip(values.clone()) {
        let higher = value > best;
        let lower = if value < best { value } else { best };
        second = if lower > second { lower } else { second };
        place = if higher { at } else { place };
        best = if value > best { value } else { best };
    }
    if second < best { place as Index } else { one_of(best, values, rng) }
}

/// The place of one of the values that are `best`, each equally likely; 0 if that is nothing.
fn one_of(best: f64, values: impl Iterator<Item = f64> + Clone, rng: &mut Rng) -> Index {
    let count: usize = values.clone().map(|value| usize::from(value == best)).sum();
    if best == f64::NEG_INFINITY || count == 0 {
        return 0;
    }
    let mut wanted = if count == 1 { 0 } else { rng.below(count) };
    for (at, value) in (0..).zip(values) {
        if value == best {
            if wanted == 0 {
                return at;
            }
            wanted -= 1;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bandit(ucb: Ucb, rewards: &[&[f64]]) -> Arms {
        let mut arms = Arms::default();
        arms.add(ucb, rewards.len());
        for (arm, rewards) in rewards.iter().enumerate() {
            rewards.iter().for_each(|&reward| arms.learn(arm, reward, false));
        }
        arms
    }

    #[test]
    fn an_arm_visited_once_beats_unvisited_ones_from_eight_samples_on() {
        // [Sironi 2019, 6.3.1]: with C = 0.7 and fpu = 1, whatever the reward.
        let arms = bandit(Ucb { c: 0.7, fpu: 1.0 }, &[&[0.0], &[]]);
        let pick = |samples| arms.choose(0..2, 0.7 * reach(samples), Legal::All, &mut Rng::new(1));
        assert!((1..8).all(|samples| pick(samples) == 1));
        assert!((8..1000).all(|samples| pick(samples) == 0));
    }

    #[test]
    fn ties_are_random_and_the_forbidden_is_not_chosen() {
        let rewards: [&[f64]; 4] = [&[1.0], &[0.5], &[1.0], &[1.0]];
        let arms = bandit(Ucb { c: 1.0, fpu: 1.0 }, &rewards);
        let mut counts = [0u32; 4];
        let mut rng = Rng::new(2);
        for _ in 0..9_000 {
            counts[usize::from(arms.choose(0..4, reach(4), Legal::Listed(0b111), &mut rng))] += 1;
        }
        assert_eq!((counts[1], counts[3]), (0, 0));
        assert!(counts[0].abs_diff(4500) < 300, "{counts:?}");
    }

    #[test]
    fn samples_in_flight_spread_proposals() {
        let mut arms = bandit(Ucb { c: 0.7, fpu: 1.0 }, &[&[0.6; 5], &[0.5; 5]]);
        let mut rng = Rng::new(3);
        let mut counts = [0; 2];
        for proposal in 0..10 {
            let scaled = 0.7 * reach(10 + proposal);
            let pick = usize::from(arms.choose(0..2, scaled, Legal::All, &mut rng));
            arms.propose(pick);
            counts[pick] += 1;
        }
        assert!(counts[0] > counts[1] && counts[1] > 0, "{counts:?}");
        for (arm, &count) in counts.iter().enumerate() {
            (0..count).for_each(|_| arms.cancel(arm));
            assert_eq!(arms.pending(arm), 0);
        }
    }

    /// The formula as it is written, arm by arm.
    fn plain_values(ucb: Ucb, rewards: &[Vec<f64>], pending: &[u32], samples: u64) -> Vec<f64> {
        let value = |(rewards, pending): (&Vec<f64>, &u32)| {
            if rewards.is_empty() {
                return ucb.fpu;
            }
            let mean = rewards.iter().sum::<f64>() / rewards.len() as f64;
            let n = rewards.len() as f64 + f64::from(*pending);
            mean + ucb.c * (samples.max(1) as f64).ln().sqrt() * n.sqrt().recip()
        };
        rewards.iter().zip(pending).map(value).collect()
    }

    #[test]
    fn the_same_as_the_formula_and_a_plain_scan() {
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            // Small, and too large for a word.
            let count = if seed % 4 == 0 { 90 } else { 1 + rng.below(12) };
            let fpu = [1.0, f64::INFINITY, 0.0][rng.below(3)];
            let ucb = Ucb { c: 0.5 * rng.below(3) as f64, fpu };
            let mut arms = Arms::default();
            arms.add(ucb, 3);
            let first = arms.add(ucb, count);
            let of = first..first + count;
            let (mut rewards, mut pending) = (vec![Vec::new(); count], vec![0; count]);
            for _ in 0..300 {
                let samples: u64 = rewards.iter().map(|of| of.len() as u64).sum::<u64>()
                    + pending.iter().map(|&n| u64::from(n)).sum::<u64>();
                let unset = rng.below(count) as Index;
                let legal = match rng.below(4) {
                    0 => Legal::All,
                    1 => Legal::Only(unset),
                    2 => Legal::Below(unset.max(1)),
                    _ => Legal::Listed(rng.next_u64() | 1 << (unset & 63)),
                };
                let values = plain_values(ucb, &rewards, &pending, samples);
                let mut other = rng.clone();
                let chosen = arms.choose(of.clone(), ucb.c * reach(samples), legal, &mut rng);
                let places = || (0..count).filter(|&at| legal.contains(at as Index));
                let best = places().map(|at| values[at]).fold(f64::NEG_INFINITY, f64::max);
                let equals: Vec<usize> = places().filter(|&at| values[at] == best).collect();
                let at = if equals.len() > 1 { other.below(equals.len()) } else { 0 };
                assert_eq!(usize::from(chosen), equals[at], "seed {seed}");
                // Few different rewards, so that there are equals.
                let (at, reward) = (usize::from(chosen), rng.below(2) as f64);
                arms.propose(first + at);
                pending[at] += 1;
                if rng.below(4) > 0 {
                    arms.learn(first + at, reward, true);
                    rewards[at].push(reward);
                    pending[at] -= 1;
                }
            }
        }
    }

    #[test]
    fn the_table_holds_what_it_replaces() {
        for n in [0, 1, 2, 7, 100, (1 << 17) - 1, 1 << 17, 1 << 20] {
            assert_eq!(reach(n), plain_reach(n));
        }
    }
}
