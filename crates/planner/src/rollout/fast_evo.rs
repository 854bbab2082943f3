//! Fast-Evo and KB Fast-Evo ([van Eeden 2015, 2.5.11, 4.2.2.2, 5.2]): moves are drawn by weighted
//! sums of the distances to things, and the weights evolve with every simulation.
//!
//! `evolution=v1`: a row of weights for every move; a mutated copy of the best weights is kept if its
//! simulation brought more than any before. `evolution=v2`: one row for moving and one for the rest,
//! blended by how much a move approaches a thing; every simulation mutates one parent, and the next
//! decision draws a new one from the best. With `feature=inverse` near things weigh most, by one over their
//! distance: [van Eeden 2015, 4.2.2.2] tried it and found the agent staying beside them. What is nearer
//! than a field counts as a field away. `generation` simulations share one mutation: 1 in KB
//! Fast-Evo; in Fast-Evo their mean is the fitness.

use gamegrove_game::Rng;
use gamegrove_search::{Entry, Parameter};

use super::{Choice, Rollout, Sight};
use crate::knowledge::Knowledge;

const EVOLUTION: Parameter =
    Parameter::word("evolution", &["v1", "v2"], "the published scheme, or the improved one");
const FEATURE: Parameter = Parameter::word(
    "feature",
    &["distance", "inverse"],
    "what weights weigh: how far things are, or one over that",
);
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
    source: "[van Eeden 2015, 2.5.11, 4.2.2.2, 5.2]",
    parameters: &[EVOLUTION, FEATURE, RATE, SIGMA, GENERATION, BIAS, SEEN],
    build: |options| {
        Ok(Box::new(FastEvo {
            improved: options.word("evolution", &[("v1", false), ("v2", true)])?,
            inverse: options.word("feature", &[("distance", false), ("inverse", true)])?,
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
    /// Whether features are one over distances.
    inverse: bool,
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
        let inverse = self.inverse;
        let feature = |distance: f64| if inverse { distance.max(1.0).recip() } else { distance };
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
                    sum += weight * feature(distance) / time;
                }
            } else {
                let row = self.current.row(choice.moves[at].index());
                let features = choice.look.distances.iter().zip(row);
                let features = features.filter(|(distance, _)| distance.is_finite());
                sum = -features.map(|(&distance, weight)| feature(distance) * weight).sum::<f64>();
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
    use gamegrove_game::Move;
    use gamegrove_search::Values;

    use super::*;
    use crate::grams::Grams;
    use crate::model::Look;
    use crate::stat::{Bounds, Scale};

    fn evo(improved: bool) -> FastEvo {
        FastEvo {
            improved,
            inverse: false,
            rate: 0.2,
            sigma: 0.1,
            generation: 1,
            bias: 0.1,
            seen: 100,
            parent: Weights::new(2),
            fitness: None,
            current: Weights::new(2),
            trials: 0,
            sum: 0.0,
            tried: Vec::new(),
            sums: Vec::new(),
        }
    }

    /// What `evo` makes of two moves, to the left and one that goes nowhere, in tick `tick`: kind 0 is
    /// 4 fields away and 3 after the step, kind 1 is 2 fields away or, without `whole`, not to be reached.
    fn weighed(evo: &mut FastEvo, tick: u32, whole: bool) -> Vec<f64> {
        let second = if whole { 2.0 } else { f64::INFINITY };
        let look = Look { tick, distances: vec![4.0, second], ..Look::default() };
        let ahead = [vec![3.0, second + 1.0], look.distances.clone()];
        let choice = Choice {
            moves: &[Move(1), Move(2)],
            directions: &[Some((-1.0, 0.0)), None],
            look: &look,
            ahead: &ahead,
            elements: &[],
            grams: &Grams::new(1.0),
            bounds: &Bounds::new(Scale::Huge),
            values: &Values::new(&[], 1),
        };
        evo.weigh(&choice);
        evo.sums.clone()
    }

    fn close(ours: &[f64], worked: &[f64]) {
        let near = ours.iter().zip(worked).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near && ours.len() == worked.len(), "{ours:?} and {worked:?}");
    }

    #[test]
    fn the_published_sums_are_weighted_distances_with_a_minus() {
        // Formulas 4.6 and 4.7: -(w f + w f), by move.
        let mut evo = evo(false);
        close(&weighed(&mut evo, 7, true), &[-6.0, -6.0]);
        evo.current.rows[2] = 0.5; // move 1, kind 0
        evo.current.rows[5] = 2.0; // move 2, kind 1
        close(&weighed(&mut evo, 7, true), &[-4.0, -8.0]);
        // What cannot be reached adds nothing.
        close(&weighed(&mut evo, 7, false), &[-2.0, -4.0]);
    }

    #[test]
    fn features_can_be_one_over_distances() {
        // 4 and 2 fields away: 1/4 + 1/2; in tick 20 of the new scheme half of that.
        let mut published = FastEvo { inverse: true, ..evo(false) };
        close(&weighed(&mut published, 7, true), &[-0.75, -0.75]);
        close(&weighed(&mut published, 7, false), &[-0.25, -0.25]);
        let mut new = FastEvo { inverse: true, ..evo(true) };
        close(&weighed(&mut new, 20, true), &[0.375, 0.375]);
        let look = Look { tick: 7, distances: vec![0.0, 0.5], ..Look::default() };
        let choice = Choice {
            moves: &[Move(1)],
            directions: &[None],
            look: &look,
            ahead: &[],
            elements: &[],
            grams: &Grams::new(1.0),
            bounds: &Bounds::new(Scale::Huge),
            values: &Values::new(&[], 1),
        };
        published.weigh(&choice);
        close(&published.sums, &[-2.0]);
    }

    #[test]
    fn the_new_sums_weigh_what_a_move_approaches() {
        // Formulas 5.1 and 5.2 in tick 20, where distances are halved: with weights of 1 nothing differs.
        let mut evo = evo(true);
        close(&weighed(&mut evo, 20, true), &[3.0, 3.0]);
        // Moving weighs kind 0 with 1.5 and kind 1 with 3, using with 2 and 1. The step approaches kind 0
        // (d = 1) and leads away from kind 1 (d = 0): (1.5 * 4 + 1 * 2) / 2 and (2 * 4 + 1 * 2) / 2.
        evo.current.rows[..4].copy_from_slice(&[1.5, 3.0, 2.0, 1.0]);
        close(&weighed(&mut evo, 20, true), &[4.0, 5.0]);
        close(&weighed(&mut evo, 20, false), &[3.0, 4.0]);
        // The first ticks amplify; tick 0 counts as the first.
        close(&weighed(&mut evo, 1, true), &[80.0, 100.0]);
        close(&weighed(&mut evo, 0, true), &[80.0, 100.0]);
    }

    #[test]
    fn without_anything_to_see_all_moves_are_alike() {
        for improved in [false, true] {
            let mut evo = evo(improved);
            let knowledge = Knowledge::new(0);
            evo.begin_step(&knowledge, &mut Rng::new(1));
            evo.begin(&knowledge, &mut Rng::new(1));
            let choice = Choice {
                moves: &[Move(1), Move(2)],
                directions: &[None, None],
                look: &Look::default(),
                ahead: &[Vec::new(), Vec::new()],
                elements: &[],
                grams: &Grams::new(1.0),
                bounds: &Bounds::new(Scale::Huge),
                values: &Values::new(&[], 1),
            };
            evo.weigh(&choice);
            close(&evo.sums, &[0.0, 0.0]);
        }
    }

    /// The mean change of the weights of kind 0 by many mutations.
    fn drift(evo: &mut FastEvo, knowledge: &Knowledge) -> f64 {
        let mut rng = Rng::new(5);
        let mut sum = 0.0;
        for _ in 0..4000 {
            evo.mutate(knowledge, &mut rng);
            sum += evo.current.rows[0] - evo.parent.rows[0];
        }
        sum / 4000.0
    }

    #[test]
    fn mutations_lean_towards_what_was_seen_to_pay() {
        let known = |times: usize, change: f64| {
            let mut knowledge = Knowledge::new(2);
            (0..times).for_each(|_| knowledge.learn(&[0], change, None));
            knowledge
        };
        let near =
            |ours: f64, worked: f64| assert!((ours - worked).abs() < 0.004, "{ours} {worked}");
        // A weight in five mutates, by 0.1 up or down in the mean once there were more than 100 events.
        near(drift(&mut evo(true), &known(101, 2.0)), 0.02);
        near(drift(&mut evo(true), &known(101, -2.0)), -0.02);
        near(drift(&mut evo(true), &known(101, 0.0)), 0.0);
        near(drift(&mut evo(true), &known(100, 2.0)), 0.0);
        near(drift(&mut evo(false), &known(101, 2.0)), 0.0);
        near(drift(&mut FastEvo { seen: 9, bias: 0.5, ..evo(true) }, &known(10, 2.0)), 0.1);
        assert_eq!(drift(&mut FastEvo { rate: 0.0, ..evo(true) }, &known(101, 2.0)), 0.0);
        near(drift(&mut FastEvo { sigma: 0.0, ..evo(true) }, &known(101, 2.0)), 0.02);
    }

    #[test]
    fn the_published_scheme_keeps_the_best_there_ever_was() {
        let (mut evo, knowledge, mut rng) = (evo(false), Knowledge::new(2), Rng::new(9));
        let mut tried = Vec::new();
        for fitness in [1.0, 3.0, 3.0, 2.0] {
            evo.begin(&knowledge, &mut rng);
            tried.push(evo.current.clone());
            evo.finish(fitness);
        }
        assert_eq!(evo.parent, tried[1], "equals do not replace it");
        assert_eq!(evo.fitness, Some(3.0));
        // With two simulations a mutation their mean counts.
        let mut evo = FastEvo { generation: 2, ..evo };
        evo.begin(&knowledge, &mut rng);
        let shared = evo.current.clone();
        evo.finish(0.0);
        evo.begin(&knowledge, &mut rng);
        assert_eq!(evo.current, shared);
        evo.finish(7.0);
        assert_eq!((evo.fitness, &evo.parent), (Some(3.5), &shared));
    }

    #[test]
    fn the_new_scheme_draws_a_parent_from_the_last_decision() {
        let (mut evo, knowledge, mut rng) = (evo(true), Knowledge::new(2), Rng::new(9));
        let first = evo.parent.clone();
        let mut best = Weights::default();
        for at in 0..50 {
            evo.begin(&knowledge, &mut rng);
            if at == 20 {
                best.clone_from(&evo.current);
            }
            evo.finish(if at == 20 { 9.0 } else { -f64::from(at) });
            assert_eq!(evo.parent, first, "within a decision it stays");
        }
        // The best becomes the parent in 7 of 10 decisions.
        let mut chosen = 0;
        for seed in 0..200 {
            let mut next = FastEvo { tried: evo.tried.clone(), ..self::evo(true) };
            next.begin_step(&knowledge, &mut Rng::new(seed));
            chosen += usize::from(next.parent == best);
            assert!(next.tried.is_empty());
        }
        assert!((115..=165).contains(&chosen), "{chosen}");
    }

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
