//! Sequential halving: many candidates, few samples each; the better half, twice the samples each;
//! until one is left ([Sironi 2019, 6.3.1], phase 2).
//!
//! With N samples and k candidates there are r = ceil(log2 k) rounds, and in each every remaining
//! candidate is sampled `max(1, floor(N / (remaining * r)))` times, all once per pass in random
//! order. Means go on over the rounds. The better half is rounded up, ties at random.
//!
//! In flight: a round ends when all its samples were proposed and every remaining candidate has a
//! reward; candidates without any are proposed again until then. Rewards that come later count in
//! the next round.

use gamegrove_game::Rng;

use crate::Indices;
use crate::rewards::cautious;

/// The state of a tournament of candidates.
#[derive(Clone, Debug)]
pub(crate) struct Bracket {
    candidates: Vec<Candidate>,
    /// The remaining candidates, in the order of the current pass.
    remaining: Vec<u32>,
    budget: u64,
    rounds: u64,
    /// Passes of this round that are still to begin.
    passes: u64,
    /// The place in the current pass.
    cursor: usize,
    /// Where to look for a candidate without a reward.
    again: usize,
    proposed: u64,
}

/// One candidate and what it earned.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub indices: Indices,
    pub sum: f64,
    pub samples: u64,
    lot: u32,
}

impl Candidate {
    pub fn new(indices: Indices) -> Self {
        Candidate { indices, sum: 0.0, samples: 0, lot: 0 }
    }

    fn mean(&self) -> f64 {
        self.sum / self.samples.max(1) as f64
    }
}

impl Bracket {
    /// A tournament of `candidates`, at least one, for about `budget` samples.
    pub fn new(candidates: Vec<Candidate>, budget: u64) -> Self {
        debug_assert!(!candidates.is_empty(), "a tournament needs candidates");
        let remaining: Vec<u32> = (0..candidates.len() as u32).collect();
        let rounds = u64::from((candidates.len() as u64).next_power_of_two().trailing_zeros());
        let mut bracket = Bracket {
            candidates,
            cursor: remaining.len(),
            remaining,
            budget,
            rounds,
            passes: 0,
            again: 0,
            proposed: 0,
        };
        bracket.passes = bracket.passes_per_round();
        bracket
    }

    fn passes_per_round(&self) -> u64 {
        (self.budget / (self.remaining.len() as u64 * self.rounds).max(1)).max(1)
    }

    /// The candidate to sample next; `None` if only one is left.
    pub fn next(&mut self, rng: &mut Rng) -> Option<u32> {
        loop {
            if self.remaining.len() == 1 {
                return None;
            }
            if self.cursor < self.remaining.len() {
                self.cursor += 1;
                self.proposed += 1;
                return Some(self.remaining[self.cursor - 1]);
            }
            if self.passes > 0 {
                self.passes -= 1;
                self.cursor = 0;
                shuffle(&mut self.remaining, rng);
            } else if let Some(place) = self.without_reward() {
                self.again = place + 1;
                self.proposed += 1;
                return Some(self.remaining[place]);
            } else {
                self.halve(rng);
            }
        }
    }

    /// The place of a remaining candidate without any reward, from `again` on and round.
    fn without_reward(&self) -> Option<usize> {
        let again = self.again.min(self.remaining.len());
        let mut places = (again..self.remaining.len()).chain(0..again);
        places.find(|&place| self.candidates[self.remaining[place] as usize].samples == 0)
    }

    /// Leaves the better half.
    fn halve(&mut self, rng: &mut Rng) {
        for &number in &self.remaining {
            self.candidates[number as usize].lot = rng.next_u64() as u32;
        }
        let keep = self.remaining.len().div_ceil(2);
        let candidates = &self.candidates;
        self.remaining.sort_unstable_by(|&a, &b| {
            let (a, b) = (&candidates[a as usize], &candidates[b as usize]);
            b.mean().total_cmp(&a.mean()).then(b.lot.cmp(&a.lot))
        });
        self.remaining.truncate(keep);
        self.cursor = self.remaining.len();
        self.passes = self.passes_per_round();
        self.again = 0;
    }

    /// Learns a reward on the unit interval.
    pub fn learn(&mut self, number: u32, reward: f64) {
        if let Some(candidate) = self.candidates.get_mut(number as usize) {
            candidate.sum += reward;
            candidate.samples += 1;
        }
    }

    pub fn candidate(&self, number: u32) -> &Candidate {
        &self.candidates[number as usize]
    }

    /// The last candidate, once there is only one.
    pub fn winner(&self) -> Option<&Candidate> {
        match self.remaining.as_slice() {
            [winner] => Some(self.candidate(*winner)),
            _ => None,
        }
    }

    /// The remaining candidate that is surely worth the most so far.
    pub fn leader(&self) -> Option<&Candidate> {
        let worth = |candidate: &Candidate| cautious(candidate.mean(), candidate.samples as f64);
        let remaining = self.remaining.iter().map(|&number| self.candidate(number));
        remaining.filter(|c| c.samples > 0).max_by(|a, b| worth(a).total_cmp(&worth(b)))
    }

    /// How many samples were proposed.
    #[cfg(test)]
    pub fn proposed(&self) -> u64 {
        self.proposed
    }
}

/// Brings `items` into random order.
pub(crate) fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for left in (2..=items.len()).rev() {
        items.swap(left - 1, rng.below(left));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bracket(count: u16, budget: u64) -> Bracket {
        let candidate = |i| Candidate::new(Indices::from_slice(&[i]));
        Bracket::new((0..count).map(candidate).collect(), budget)
    }

    #[test]
    fn rounds_and_samples_by_hand() {
        // Eight candidates, 48 samples: three rounds with 2, 4 and 8 samples per candidate.
        let mut bracket = bracket(8, 48);
        let mut rng = Rng::new(1);
        let mut counts = [0; 8];
        while let Some(number) = bracket.next(&mut rng) {
            counts[number as usize] += 1;
            bracket.learn(number, f64::from(number));
        }
        assert_eq!(counts, [2, 2, 2, 2, 6, 6, 14, 14]);
        assert_eq!(bracket.proposed(), 48);
        assert_eq!(bracket.winner().map(|c| c.indices[0]), Some(7));
    }

    #[test]
    fn always_ends_with_one_within_its_budget_or_the_minimum() {
        for count in 1..70u16 {
            for budget in [0, 10, 1000, 5000] {
                let mut bracket = bracket(count, budget);
                let mut rng = Rng::new(u64::from(count));
                while let Some(number) = bracket.next(&mut rng) {
                    bracket.learn(number, rng.unit());
                }
                assert!(bracket.winner().is_some());
                // The minimum is one sample per candidate and round.
                let (mut minimum, mut left) = (0, u64::from(count));
                while left > 1 {
                    minimum += left;
                    left = left.div_ceil(2);
                }
                assert!(bracket.proposed() <= budget.max(minimum) + minimum);
                if budget >= u64::from(count) * 7 {
                    assert!(bracket.proposed() <= budget, "{count} {budget}");
                }
            }
        }
    }

    #[test]
    fn waits_for_a_reward_of_every_candidate() {
        let mut bracket = bracket(4, 8);
        let mut rng = Rng::new(3);
        let flight: Vec<u32> = (0..40).filter_map(|_| bracket.next(&mut rng)).collect();
        assert_eq!(flight.len(), 40);
        assert_eq!(bracket.remaining.len(), 4);
        flight.iter().for_each(|&number| bracket.learn(number, 0.5));
        assert!(bracket.next(&mut rng).is_some());
        assert_eq!(bracket.remaining.len(), 2);
    }
}
