//! CMA-ES over the continuous domains [Sironi 2019, 6.3.2].
//!
//! Every parameter is searched on [0, 1] and mapped linearly to its range. Points outside are
//! clamped before use, and their distance costs: with rewards scaled to 0..100, fitness is
//! `100 - reward + alpha * distance^2`, to be minimised. The start is uniform in the unit cube.
//!
//! When the search stops (never because of fitness), its centre is sampled once more, and from then
//! on the best point ever is all that is proposed: lowest fitness, the latest among equals; the first
//! among equals with the `constants` of the program, which keeps that one.
//!
//! In flight: a generation ends when every point has a reward. Until then points without one are
//! proposed again; the fitness of a point uses the mean of its rewards. Rewards of former
//! generations change nothing.

use gamegrove_game::Rng;
use gamegrove_settings::{Parameter, Record};
use smallvec::SmallVec;

use crate::cma::{Cma, Constants};
use crate::combination::Ticket;
use crate::registry::{BuildError, Context, StrategySpec};
use crate::{Combination, Rewards, Strategy};

/// The entry in the registry.
pub(crate) const SPEC: StrategySpec = StrategySpec {
    name: "cma-es",
    sentence: "Covariance matrix adaptation over the continuous ranges.",
    source: "Algorithm 16; settings of section 6.4.1",
    continuous: true,
    plans: false,
    parameters: &[
        Parameter::real("sigma", 0.3, (1e-9, 10.0), "The first step size, as a share of each range.").with_source("section 6.4.1"),
        Parameter::real("alpha", 100.0, (0.0, 1e12), "What leaving the range costs, where the best reward is worth 100.").with_source("section 6.4.1"),
        Parameter::word("penalty", &["squared", "plain"], "Whether the cost grows with the square of the distance or with the distance.").with_source("[Sironi 2019, 6.3.2]"),
        Parameter::word("constants", &["tutorial", "program"], "The constants: those of the tutorial of 2016, or those of its author's older program in Java, with which the published results were made.").with_source("section 6.3.2, first footnote"),
    ],
    build: |settings, context| Ok(Box::new(CmaEs::new(settings, context)?)),
};

/// The state.
#[derive(Clone, Debug)]
pub struct CmaEs {
    ranges: Vec<(f64, f64)>,
    rewards: Rewards,
    sigma: f64,
    alpha: f64,
    squared: bool,
    constants: Constants,
    phase: Phase,
    /// The points of this generation, and the sum and number of the rewards of each.
    points: Vec<f64>,
    earned: Vec<(f64, u32)>,
    proposed: usize,
    again: usize,
    generation: u64,
    /// The lowest fitness ever and its point.
    best: Option<(f64, Vec<f64>)>,
    samples: u64,
}

#[derive(Clone, Debug)]
enum Phase {
    Unborn,
    Search(Box<Cma>),
    /// The centre of the last distribution is to be sampled.
    Centre(Vec<f64>),
    Settled(Vec<f64>),
}

impl CmaEs {
    pub(crate) fn new(settings: &Record, context: &Context) -> Result<Self, BuildError> {
        Ok(CmaEs {
            ranges: context.space.ranges()?,
            rewards: context.rewards,
            sigma: settings.real("sigma"),
            alpha: settings.real("alpha"),
            squared: settings.word("penalty") == "squared",
            constants: match settings.word("constants") {
                "program" => Constants::Program,
                _ => Constants::Tutorial,
            },
            phase: Phase::Unborn,
            points: Vec::new(),
            earned: Vec::new(),
            proposed: 0,
            again: 0,
            generation: 0,
            best: None,
            samples: 0,
        })
    }

    /// Begins a generation.
    fn begin(&mut self, rng: &mut Rng) {
        if let Phase::Search(cma) = &mut self.phase {
            cma.sample(&mut self.points, rng);
            self.earned.clear();
            self.earned.resize(cma.lambda(), (0.0, 0));
            self.generation += 1;
            (self.proposed, self.again) = (0, 0);
        }
    }

    /// Learns the finished generation.
    fn finish(&mut self) {
        let d = self.ranges.len();
        let fitness: Vec<f64> = (0..self.earned.len())
            .map(|i| {
                let (sum, count) = self.earned[i];
                self.fitness(&self.points[i * d..(i + 1) * d], sum / f64::from(count.max(1)))
            })
            .collect();
        for (i, &value) in fitness.iter().enumerate() {
            if self.is_best(value) {
                self.best = Some((value, self.points[i * d..(i + 1) * d].to_vec()));
            }
        }
        let mut ranking: Vec<usize> = (0..fitness.len()).collect();
        ranking.sort_by(|&a, &b| fitness[a].total_cmp(&fitness[b]));
        if let Phase::Search(cma) = &mut self.phase {
            cma.learn(&self.points, &ranking);
            if cma.is_stopped() {
                self.phase = Phase::Centre(cma.mean().to_vec());
                self.generation += 1;
            } else if fitness[ranking[0]] == fitness[ranking[cma.flat_rank()]] {
                cma.note_flat();
            }
        }
    }

    fn fitness(&self, point: &[f64], reward: f64) -> f64 {
        let square: f64 = point.iter().map(|x| (x - x.clamp(0.0, 1.0)).powi(2)).sum();
        let distance = if self.squared { square } else { square.sqrt() };
        100.0 - 100.0 * reward + self.alpha * distance
    }

    fn is_best(&self, fitness: f64) -> bool {
        self.best.as_ref().is_none_or(|(lowest, _)| match self.constants {
            Constants::Tutorial => fitness <= *lowest,
            Constants::Program => fitness < *lowest,
        })
    }

    fn proposal(&self, point: &[f64], ticket: Ticket) -> Combination {
        Combination::proposed_reals(&self.values(point), ticket)
    }

    /// The values of a point, clamped into the ranges.
    fn values(&self, point: &[f64]) -> SmallVec<[f64; 4]> {
        let value = |(x, (least, most)): (&f64, &(f64, f64))| {
            (least + x.clamp(0.0, 1.0) * (most - least)).clamp(*least, *most)
        };
        point.iter().zip(&self.ranges).map(value).collect()
    }

    fn ticket(&self, number: usize) -> Ticket {
        Ticket(self.generation << 32 | (number as u64 + 1))
    }
}

impl Strategy for CmaEs {
    fn next(&mut self, rng: &mut Rng) -> Combination {
        if let Phase::Unborn = self.phase {
            let start = self.ranges.iter().map(|_| rng.unit()).collect();
            self.phase = Phase::Search(Box::new(Cma::new(self.constants, start, self.sigma)));
            self.begin(rng);
        }
        if let Phase::Search(_) = self.phase
            && self.earned.iter().all(|&(_, count)| count > 0)
        {
            self.finish();
            self.begin(rng);
        }
        match &self.phase {
            Phase::Unborn | Phase::Search(_) => {
                let count = self.earned.len();
                let number = if self.proposed < count {
                    self.proposed += 1;
                    self.proposed - 1
                } else {
                    let waits = |&number: &usize| self.earned[number].1 == 0;
                    let number = (self.again..count).chain(0..self.again).find(waits).unwrap_or(0);
                    self.again = (number + 1) % count;
                    number
                };
                let d = self.ranges.len();
                self.proposal(&self.points[number * d..(number + 1) * d], self.ticket(number))
            }
            Phase::Centre(point) => self.proposal(point, self.ticket(0)),
            Phase::Settled(point) => self.proposal(point, Ticket::PROPOSED),
        }
    }

    fn update(&mut self, combination: &Combination, reward: f64) {
        self.samples += 1;
        let reward = self.rewards.unit(reward);
        let Ticket(ticket) = combination.ticket();
        let (generation, number) = (ticket >> 32, ticket as u32 as usize);
        if generation != self.generation || generation == 0 || number == 0 {
            return;
        }
        match &self.phase {
            Phase::Search(_) => {
                if let Some((sum, count)) = self.earned.get_mut(number - 1) {
                    *sum += reward;
                    *count += 1;
                }
            }
            Phase::Centre(point) => {
                let point = point.clone();
                let fitness = self.fitness(&point, reward);
                if self.is_best(fitness) {
                    self.best = Some((fitness, point.clone()));
                }
                let best = self.best.as_ref().map_or(point, |(_, best)| best.clone());
                self.phase = Phase::Settled(best);
            }
            Phase::Unborn | Phase::Settled(_) => {}
        }
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    /// While it searches, the centre of the distribution: under noise the best point ever is mostly
    /// the luckiest.
    fn best(&self) -> Option<Combination> {
        let point = match &self.phase {
            Phase::Unborn => return None,
            Phase::Search(cma) => cma.mean(),
            Phase::Centre(point) | Phase::Settled(point) => point,
        };
        Some(Combination::from_reals(&self.values(point)))
    }

    fn is_settled(&self) -> bool {
        matches!(self.phase, Phase::Settled(_))
    }
}
