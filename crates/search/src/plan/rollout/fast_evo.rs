//! Fast-Evo and KB Fast-Evo (video-games, sections 6, 7.4, 7.5 and 8.2): moves are drawn by weighted
//! sums of the distances to things, and the weights evolve with every simulation.
//!
//! `evolution=v1`: a row of weights for every move; a mutated copy of the best weights is kept if its
//! simulation brought more than any before. `evolution=v2`: one row for moving and one for the rest,
//! blended by how much a move approaches a thing; every simulation mutates one parent, and the next
//! decision draws a new one from the best. `generation` simulations share one mutation: 1 in KB
//! Fast-Evo; in Fast-Evo their mean is the fitness.

use gamegrove_game::Rng;

use super::{Choice, Rollout, Sight};
use crate::parameter::Parameter;
use crate::plan::knowledge::Knowledge;
use crate::registry::Entry;

const EVOLUTION: Parameter =
    Parameter::word("evolution", &["v1", "v2"], "the published scheme, or the improved one");
const RATE: Parameter =
    Parameter::real("rate", 0.2, (0.0, 1.0), "the probability that a weight is mutated");
const SIGMA: Parameter =
    Parameter::real("sigma", 0.1, (0.0, 10.0), "standard deviation of a mutation");
const GENERATION: Parameter =
    Parameter::whole("generation", 1.0, (1.0, 10_000.0), "simulations that share one mutation");
const BIAS: Parameter = Parameter::real(
    "bias",
    0.1,
    (0.0, 10.0),
    "v2: how far mutations lean towards what brought points",
);
const SEEN: Parameter =
    Parameter::whole("seen", 100.0, (0.0, 1e9), "v2: events it takes before mutations lean");

pub(super) const ENTRY: Entry<dyn Rollout> = Entry {
    name: "fast_evo",
    sentence: "weighted distances to things, with weights that evolve",
    source: "video-games, sections 6, 7.4, 7.5, 8.2",
    parameters: &[EVOLUTION, RATE, SIGMA, GENERATION, BIAS, SEEN],
    build: |options| {
        Ok(Box::new(FastEvo {
            improved: options.word("evolution", &[("v1", false), ("v2", true)])?,
            rate: options.number(&RATE)?,
            sigma: options.number(&SIGMA)?,
            generation: options.number(&GENERATION)? as u32,
            bias: options.number(&BIAS)?,
            seen: options.number(&SEEN)? as u64,
            parent: Weights::default(),
            fitness: None,
            current: Weights::default(),
            trials: 0,
            sum: 0.0,
            tried: Vec::new(),
            sums: Vec::new(),
        }))
    },
};

/// Rows of weights: by move, or `move` and `use`.
#[derive(Clone, Debug, Default, PartialEq)]
struct Weights {
    kinds: usize,
    rows: Vec<f64>,
}

/// More moves than this share rows.
const ROWS: usize = 16;

impl Weights {
    fn new(kinds: usize) -> Weights {
        Weights { kinds, rows: vec![1.0; kinds * ROWS] }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.rows[(row % ROWS) * self.kinds..][..self.kinds]
    }
}

struct FastEvo {
    improved: bool,
    rate: f64,
    sigma: f64,
    generation: u32,
    bias: f64,
    seen: u64,
    parent: Weights,
    fitness: Option<f64>,
    current: Weights,
    trials: u32,
    sum: f64,
    /// v2: all that was tried in this decision, with what it brought.
    tried: Vec<(f64, Weights)>,
    sums: Vec<f64>,
}

/// Weights of more simulations are not remembered for the next parent.
const REMEMBERED: usize = 256;

/// Chances of the best, the second and so on to become the parent: 0.7 * 0.3^r, the first five.
pub(crate) fn draw_rank(unit: f64, count: usize) -> usize {
    let chances = (0..count.min(5)).map(|rank| 0.7 * 0.3f64.powi(rank as i32));
    let total: f64 = chances.clone().sum();
    let mut left = unit * total;
    for (rank, chance) in chances.enumerate() {
        left -= chance;
        if left < 0.0 {
            return rank;
        }
    }
    0
}

/// A number of the standard normal distribution, by the method of Box and Muller.
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    let (u, v) = (1.0 - rng.unit(), rng.unit());
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// How much a move approaches a thing: 1 by a whole field, 0 if it leads as far away.
pub(crate) fn approach(before: f64, after: f64) -> f64 {
    (before - after).clamp(-1.0, 1.0) / 2.0 + 0.5
}

impl FastEvo {
    fn mutate(&mut self, knowledge: &Knowledge, rng: &mut Rng) {
        self.current.clone_from(&self.parent);
        let kinds = self.current.kinds;
        let rows = if self.improved { 2 } else { ROWS };
        for at in 0..kinds * rows {
            if rng.unit() >= self.rate {
                continue;
            }
            let kind = at % kinds;
            let lean = match knowledge.means.get(kind) {
                Some(&mean)
                    if self.improved && mean != 0.0 && knowledge.counts[kind] > self.seen =>
                {
                    self.bias * mean.signum()
                }
                _ => 0.0,
            };
            self.current.rows[at] += lean + self.sigma * normal(rng);
        }
    }

    /// The weighted sum of each move, in `sums`.
    fn weigh(&mut self, choice: &Choice<'_>) {
        self.sums.clear();
        // The published formula amplifies in the first ten ticks, and has nothing to say about 0.
        let time = 0.1 * f64::from(choice.look.tick.max(1));
        for at in 0..choice.moves.len() {
            let mut sum = 0.0;
            if self.improved {
                let row = self.current.row(usize::from(choice.directions[at].is_none()));
                for (kind, &distance) in choice.look.distances.iter().enumerate() {
                    if !distance.is_finite() {
                        continue;
                    }
                    let weight = match choice.directions[at] {
                        Some(_) => {
                            let after = choice.ahead[at][kind];
                            let d = approach(
                                distance,
                                if after.is_finite() { after } else { distance },
                            );
                            (1.0 - d) + d * row[kind]
                        }
                        None => row[kind],
                    };
                    sum += weight * distance / time;
                }
            } else {
                let row = self.current.row(choice.moves[at].index());
                let features = choice.look.distances.iter().zip(row);
                let features = features.filter(|(distance, _)| distance.is_finite());
                sum = -features.map(|(distance, weight)| distance * weight).sum::<f64>();
            }
            self.sums.push(sum);
        }
    }
}

/// Draws a place with a chance proportional to `exp(sum)`; sums may be of any size.
pub(crate) fn gibbs(sums: &[f64], rng: &mut Rng) -> usize {
    let top = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = sums.iter().map(|sum| (sum - top).exp()).sum();
    let mut left = rng.unit() * total;
    for (at, sum) in sums.iter().enumerate() {
        left -= (sum - top).exp();
        if left < 0.0 {
            return at;
        }
    }
    sums.len().saturating_sub(1)
}

impl Rollout for FastEvo {
    fn sight(&self) -> Sight {
        Sight { distances: true, ahead: self.improved, grams: false }
    }

    fn begin_step(&mut self, _: &Knowledge, rng: &mut Rng) {
        if !self.improved || self.tried.is_empty() {
            return;
        }
        self.tried.sort_by(|a, b| b.0.total_cmp(&a.0));
        let rank = draw_rank(rng.unit(), self.tried.len());
        self.parent.clone_from(&self.tried[rank].1);
        self.tried.clear();
    }

    fn begin(&mut self, knowledge: &Knowledge, rng: &mut Rng) {
        if self.parent.kinds != knowledge.counts.len() {
            self.parent = Weights::new(knowledge.counts.len());
            self.current = self.parent.clone();
        }
        if self.trials == 0 {
            self.mutate(knowledge, rng);
        }
    }

    fn choose(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        self.weigh(choice);
        gibbs(&self.sums, rng)
    }

    fn finish(&mut self, reward: f64) {
        self.trials += 1;
        self.sum += reward;
        if self.trials < self.generation {
            return;
        }
        let fitness = self.sum / f64::from(self.trials);
        (self.trials, self.sum) = (0, 0.0);
        if self.improved {
            if self.tried.len() < REMEMBERED {
                self.tried.push((fitness, self.current.clone()));
            } else if let Some(worst) =
                self.tried.iter_mut().min_by(|a, b| a.0.total_cmp(&b.0)).filter(|w| w.0 < fitness)
            {
                *worst = (fitness, self.current.clone());
            }
        } else if self.fitness.is_none_or(|best| fitness > best) {
            self.fitness = Some(fitness);
            std::mem::swap(&mut self.parent, &mut self.current);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_are_drawn_by_rank() {
        // 0.7, 0.21, 0.063, 0.0189, 0.00567, in sum 0.99757
        assert_eq!(draw_rank(0.0, 9), 0);
        assert_eq!(draw_rank(0.69 / 0.99757, 9), 0);
        assert_eq!(draw_rank(0.71 / 0.99757, 9), 1);
        assert_eq!(draw_rank(0.9999, 9), 4);
        assert_eq!(draw_rank(0.9999, 1), 0);
        assert_eq!(draw_rank(0.5, 0), 0);
    }

    #[test]
    fn approaching_is_1_and_leaving_0() {
        assert_eq!([approach(3.0, 2.0), approach(3.0, 4.0), approach(3.0, 3.0)], [1.0, 0.0, 0.5]);
        assert_eq!(approach(9.0, 2.0), 1.0);
    }

    #[test]
    fn equal_sums_are_equally_likely_and_huge_ones_do_no_harm() {
        let mut rng = Rng::new(3);
        let mut counts = [0; 2];
        (0..1000).for_each(|_| counts[gibbs(&[-4000.0, -4000.0], &mut rng)] += 1);
        assert!(counts.iter().all(|&count| count > 400), "{counts:?}");
        // exp(ln 3) to 1
        let mut counts = [0; 2];
        (0..4000).for_each(|_| counts[gibbs(&[3f64.ln(), 0.0], &mut rng)] += 1);
        assert!((2850..3150).contains(&counts[0]), "{counts:?}");
        assert_eq!(gibbs(&[1e300, -1e300], &mut rng), 0);
        let mean: f64 = (0..4000).map(|_| normal(&mut rng)).sum::<f64>() / 4000.0;
        assert!(mean.abs() < 0.06, "{mean}");
    }
}
