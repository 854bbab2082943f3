//! DE: differential evolution over the continuous ranges (Storn and Price 1997, scheme DE/rand/1/bin),
//! which [Sironi 2019, 8.3.1] recommends to try beside CMA-ES.
//!
//! A population of points in the unit cube, mapped linearly to the ranges. In a generation every point `x`
//! meets a trial: three others `a`, `b`, `c` are drawn, and each coordinate of the trial is
//! `a + weight (b - c)` with probability `crossover` (one of them in any case), else that of `x`. The trial
//! takes the place of `x` if it is at least as good.
//!
//! The publication leaves two choices open: a coordinate that leaves its range is drawn anew; the population is
//! ten points a parameter, as Storn and Price advise. Their functions have no noise; ours are single
//! simulations. With `parents=sampled` a point is sampled again in every generation, beside its trial,
//! and compares by the mean of all its samples, so that one lucky simulation does not keep it alive;
//! `parents=kept` is the scheme as published.
//!
//! In flight: a generation ends when every trial (and point, if sampled) has a reward. Until then those
//! without one are proposed again. Rewards of former generations change nothing.

use gamegrove_game::Rng;
use gamegrove_settings::{Parameter, Record, bad_value};
use smallvec::SmallVec;

use crate::bracket::shuffle;
use crate::combination::Ticket;
use crate::registry::{BuildError, Context, StrategySpec};
use crate::rewards::cautious;
use crate::{Combination, Rewards, Strategy};

/// The entry in the registry.
pub(crate) const SPEC: StrategySpec = StrategySpec {
    name: "de",
    sentence: "Differential evolution over the continuous ranges.",
    source: "Storn and Price (1997); recommended in section 8.3.1",
    continuous: true,
    plans: false,
    parameters: &[
        Parameter::text("population", "auto", "a whole number from 4 to 100000, or `auto`", "The number of points; auto is ten for each parameter.").with_source("Storn and Price (1997)"),
        Parameter::real("weight", 0.5, (0.0, 2.0), "What the difference of two points is multiplied with.").with_source("Storn and Price (1997)"),
        Parameter::real("crossover", 0.9, (0.0, 1.0), "The probability that a coordinate of a trial is a new one.").with_source("Storn and Price (1997)"),
        Parameter::word("parents", &["sampled", "kept"], "Whether points are sampled again beside every trial, or keep the one sample they were made with.").with_source("Gamegrove"),
    ],
    build: |settings, context| Ok(Box::new(De::new(settings, context)?)),
};

type Point = SmallVec<[f64; 4]>;

/// The state.
#[derive(Clone, Debug)]
pub struct De {
    ranges: Vec<(f64, f64)>,
    rewards: Rewards,
    weight: f64,
    crossover: f64,
    resamples: bool,
    /// The population; empty until the first generation, which consists of trials alone, is over.
    members: Vec<Member>,
    trials: Vec<Member>,
    /// What this generation proposes, in random order: trials, and from the number of trials on members.
    order: Vec<u32>,
    proposed: usize,
    again: usize,
    generation: u64,
    samples: u64,
}

/// A point and what it earned.
#[derive(Clone, Debug)]
struct Member {
    point: Point,
    sum: f64,
    samples: u32,
    /// Whether it has a reward of this generation.
    sampled: bool,
}

impl Member {
    fn new(point: Point) -> Self {
        Member { point, sum: 0.0, samples: 0, sampled: false }
    }

    fn mean(&self) -> f64 {
        self.sum / f64::from(self.samples.max(1))
    }
}

impl De {
    pub(crate) fn new(settings: &Record, context: &Context) -> Result<Self, BuildError> {
        let ranges = context.space.ranges()?;
        let count = match settings.word("population") {
            "auto" => 10 * ranges.len(),
            text => text.parse().ok().filter(|count| (4..=100_000).contains(count)).ok_or_else(
                || {
                    bad_value(
                        "de",
                        "population",
                        "a whole number from 4 to 100000, or `auto`".to_string(),
                        text,
                    )
                },
            )?,
        };
        let nowhere = Member::new(SmallVec::from_elem(0.0, ranges.len()));
        Ok(De {
            ranges,
            rewards: context.rewards,
            weight: settings.real("weight"),
            crossover: settings.real("crossover"),
            resamples: settings.word("parents") == "sampled",
            members: Vec::new(),
            trials: vec![nowhere; count],
            order: Vec::new(),
            proposed: 0,
            again: 0,
            generation: 0,
            samples: 0,
        })
    }

    /// Lets the trials take the places they have earned, and makes new ones.
    fn breed(&mut self, rng: &mut Rng) {
        if self.members.is_empty() {
            self.members.clone_from(&self.trials);
        } else {
            for (member, trial) in self.members.iter_mut().zip(&self.trials) {
                if trial.mean() >= member.mean() {
                    member.clone_from(trial);
                }
            }
        }
        for at in 0..self.members.len() {
            let point = self.trial(at, rng);
            self.trials[at] = Member::new(point);
        }
        self.begin(rng);
    }

    /// The point that member number `at` has to meet.
    fn trial(&self, at: usize, rng: &mut Rng) -> Point {
        let mut others = [at; 4];
        for chosen in 1..4 {
            others[chosen] = loop {
                let other = rng.below(self.members.len());
                if !others[..chosen].contains(&other) {
                    break other;
                }
            };
        }
        let [own, a, b, c] = others.map(|other| &self.members[other].point);
        let any_case = rng.below(own.len());
        let coordinate = |i: usize| {
            if i != any_case && rng.unit() >= self.crossover {
                return own[i];
            }
            let new = a[i] + self.weight * (b[i] - c[i]);
            if (0.0..=1.0).contains(&new) { new } else { rng.unit() }
        };
        (0..own.len()).map(coordinate).collect()
    }

    /// Begins a generation.
    fn begin(&mut self, rng: &mut Rng) {
        self.generation += 1;
        (self.proposed, self.again) = (0, 0);
        let members = if self.resamples { self.members.len() } else { 0 };
        self.order = (0..(self.trials.len() + members) as u32).collect();
        shuffle(&mut self.order, rng);
        self.members.iter_mut().for_each(|member| member.sampled = false);
    }

    /// The trial or member with this number.
    fn at(&self, number: u32) -> &Member {
        let number = number as usize;
        let trials = self.trials.len();
        if number < trials { &self.trials[number] } else { &self.members[number - trials] }
    }

    fn values(&self, point: &[f64]) -> Point {
        let value = |(x, (least, most)): (&f64, &(f64, f64))| {
            (least + x * (most - least)).clamp(*least, *most)
        };
        point.iter().zip(&self.ranges).map(value).collect()
    }
}

impl Strategy for De {
    fn next(&mut self, rng: &mut Rng) -> Combination {
        if self.generation == 0 {
            for trial in &mut self.trials {
                trial.point.iter_mut().for_each(|x| *x = rng.unit());
            }
            self.begin(rng);
        } else if self.order.iter().all(|&number| self.at(number).sampled) {
            self.breed(rng);
        }
        let place = if self.proposed < self.order.len() {
            self.proposed += 1;
            self.proposed - 1
        } else {
            let count = self.order.len();
            let waits = |&place: &usize| !self.at(self.order[place]).sampled;
            let place = (self.again..count).chain(0..self.again).find(waits).unwrap_or(0);
            self.again = (place + 1) % count;
            place
        };
        let number = self.order[place];
        let ticket = Ticket(self.generation << 32 | (u64::from(number) + 1));
        Combination::proposed_reals(&self.values(&self.at(number).point), ticket)
    }

    fn update(&mut self, combination: &Combination, reward: f64) {
        self.samples += 1;
        let Ticket(ticket) = combination.ticket();
        let (generation, number) = (ticket >> 32, ticket as u32 as usize);
        if generation != self.generation || generation == 0 || number == 0 {
            return;
        }
        let reward = self.rewards.unit(reward);
        let trials = self.trials.len();
        let found = match number - 1 {
            number if number < trials => self.trials.get_mut(number),
            number => self.members.get_mut(number - trials),
        };
        if let Some(member) = found {
            member.sum += reward;
            member.samples = member.samples.saturating_add(1);
            member.sampled = true;
        }
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    /// The point that is surely worth the most.
    fn best(&self) -> Option<Combination> {
        let sampled = self.members.iter().chain(&self.trials).filter(|member| member.samples > 0);
        let worth = |member: &Member| cautious(member.mean(), f64::from(member.samples));
        let best = sampled.max_by(|a, b| worth(a).total_cmp(&worth(b)))?;
        Some(Combination::from_reals(&self.values(&best.point)))
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_settings::Part;

    use std::sync::Arc;

    use super::*;
    use crate::published;

    fn de(options: &[(&str, &str)]) -> De {
        let settings =
            Record::read(&Part::from_texts("de", options).unwrap(), SPEC.parameters).unwrap();
        let context = Context {
            space: Arc::new(published::SP_2.space()),
            rewards: Rewards::UNIT,
            shared: Rng::new(0),
        };
        De::new(&settings, &context).unwrap()
    }

    #[test]
    fn trials_are_made_of_three_others() {
        // Without crossover one coordinate is new; with it all are.
        let mut rng = Rng::new(1);
        let mut de = de(&[("population", "4"), ("weight", "0.1"), ("crossover", "0")]);
        for corner in [[0.1, 0.2], [0.3, 0.5], [0.4, 0.7], [0.6, 0.8]] {
            de.members.push(Member::new(SmallVec::from_slice(&corner)));
        }
        let points: Vec<Point> = de.members.iter().map(|member| member.point.clone()).collect();
        let possible = |new: f64, i: usize| {
            let others = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];
            let made =
                |[a, b, c]: [usize; 3]| points[a][i] + 0.1 * (points[b][i] - points[c][i]) - new;
            others.into_iter().any(|chosen| made(chosen).abs() < 1e-12)
        };
        for _ in 0..100 {
            let trial = de.trial(0, &mut rng);
            let kept = (0..2).filter(|&i| trial[i] == points[0][i]).count();
            assert_eq!(kept, 1, "{trial:?}");
            assert!((0..2).all(|i| trial[i] == points[0][i] || possible(trial[i], i)));
        }
        de.crossover = 1.0;
        let trial = de.trial(0, &mut rng);
        assert!((0..2).all(|i| possible(trial[i], i)), "{trial:?}");
        // What leaves the cube is drawn anew.
        de.weight = 2.0;
        assert!((0..200).all(|_| de.trial(0, &mut rng).iter().all(|x| (0.0..=1.0).contains(x))));
    }

    #[test]
    fn trials_that_are_as_good_take_their_places() {
        for (parents, samples) in [("sampled", 3), ("kept", 1)] {
            let mut rng = Rng::new(2);
            let mut de = de(&[("population", "5"), ("parents", parents)]);
            // The nearer to (1, 1) the better.
            let worth = |c: &Combination| c.reals().unwrap().iter().sum::<f64>() / 2.0;
            let mut means = Vec::new();
            for generation in 1..=3 {
                let trials = if generation > 1 && parents == "sampled" { 10 } else { 5 };
                for _ in 0..trials {
                    let combination = de.next(&mut rng);
                    assert_eq!(de.generation, generation);
                    de.update(&combination, worth(&combination));
                }
                let all = de.members.iter().chain(&de.trials);
                means.push(all.map(Member::mean).fold(0.0, f64::max));
            }
            assert!(means.windows(2).all(|pair| pair[0] <= pair[1]), "{means:?}");
            // The oldest members were sampled once a generation, or once ever.
            let most = de.members.iter().map(|member| member.samples).max();
            assert!(most <= Some(samples), "{parents}: {most:?}");
            let late = de.next(&mut rng);
            assert_eq!(de.generation, 4);
            let best = de.best().unwrap();
            de.update(&Combination::proposed_reals(&[0.0, 0.0], Ticket(1 << 32 | 1)), 1e6);
            assert_eq!(de.best().unwrap(), best, "rewards of former generations change nothing");
            de.update(&late, 0.0);
        }
    }
}
