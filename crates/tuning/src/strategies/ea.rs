//! EA: an evolutionary algorithm [Sironi 2019, 6.3.1].
//!
//! A population of `population` combinations, duplicates allowed. In a generation every individual
//! is evaluated once, in random order; fitness is the mean over all evaluations of an individual,
//! and the elite keeps its evaluations (unless `evaluations` is `reset`). The fittest `elite` survive, ties at random; each other
//! slot gets a child: a uniform crossover of two random survivors (maybe the same) with probability
//! `crossover`, otherwise a mutation of one.
//!
//! In flight: a generation ends when every individual has come back. Until then those that have not
//! are proposed again, which costs nothing but makes their means better; late rewards
//! count for individuals that still live.

use std::sync::Arc;

use gamegrove_game::Rng;
use gamegrove_settings::{Parameter, Record, bad_value};

use crate::combination::Ticket;
use crate::registry::{BuildError, Context, StrategySpec};
use crate::rewards::cautious;
use crate::{Combination, Indices, Rewards, Space, Strategy};

/// The entry in the registry.
pub(crate) const SPEC: StrategySpec = StrategySpec {
    name: "ea",
    sentence: "An evolutionary algorithm: an elite survives, crossover and mutation replace the rest.",
    source: "Algorithm 13; settings of section 6.4.1, Table E.5",
    continuous: false,
    plans: false,
    parameters: &[
        Parameter::whole("population", 50.0, (1.0, 100_000.0), "The number of individuals.")
            .with_source("section 6.4.1"),
        Parameter::whole(
            "elite",
            25.0,
            (1.0, 100_000.0),
            "How many individuals survive a generation.",
        )
        .with_source("section 6.4.1, Table E.5"),
        Parameter::real(
            "crossover",
            0.5,
            (0.0, 1.0),
            "The probability that a child has two parents; otherwise it is a mutation.",
        )
        .with_source("section 6.4.1"),
        Parameter::word(
            "evaluations",
            &["kept", "reset"],
            "Whether the elite keeps its evaluations, or starts every generation without.",
        )
        .with_source("[Sironi 2019, 6.3.1]; Table E.5 has them reset"),
    ],
    build: |settings, context| Ok(Box::new(Ea::new(settings, context)?)),
};

/// The state.
#[derive(Clone, Debug)]
pub struct Ea {
    space: Arc<Space>,
    rewards: Rewards,
    elite: usize,
    crossover: f64,
    /// Whether the elite loses its evaluations.
    resets: bool,
    individuals: Vec<Individual>,
    /// The slots in the order of this generation.
    order: Vec<u32>,
    /// How many of them were proposed.
    proposed: usize,
    /// How many came back at least once.
    evaluated: usize,
    /// Where to look for one that has not come back, once all were proposed.
    again: usize,
    generation: u64,
    samples: u64,
}

/// An individual in its slot.
#[derive(Clone, Debug)]
struct Individual {
    genes: Indices,
    sum: f64,
    samples: u32,
    born: u64,
    evaluated: bool,
    /// Decides between equals; drawn before every selection.
    lot: u32,
}

impl Individual {
    fn mean(&self) -> f64 {
        self.sum / f64::from(self.samples.max(1))
    }
}

impl Ea {
    pub(crate) fn new(settings: &Record, context: &Context) -> Result<Self, BuildError> {
        let population = settings.whole("population");
        let elite = settings.whole("elite");
        if elite > population {
            return Err(bad_value(
                "ea",
                "elite",
                format!("a whole number from 1 to the population, {population}"),
                elite.to_string(),
            )
            .into());
        }
        let nobody = Individual {
            genes: Indices::from_elem(0, context.space.dimension()),
            sum: 0.0,
            samples: 0,
            born: 0,
            evaluated: false,
            lot: 0,
        };
        Ok(Ea {
            space: Arc::clone(&context.space),
            rewards: context.rewards,
            elite: elite as usize,
            crossover: settings.real("crossover"),
            resets: settings.word("evaluations") == "reset",
            individuals: vec![nobody; population as usize],
            order: (0..population).collect(),
            proposed: 0,
            evaluated: 0,
            again: 0,
            generation: 0,
            samples: 0,
        })
    }

    /// The first population.
    fn found(&mut self, rng: &mut Rng) {
        for individual in &mut self.individuals {
            self.space.draw_into(&mut individual.genes, rng);
        }
        self.begin(rng);
    }

    /// Begins a generation.
    fn begin(&mut self, rng: &mut Rng) {
        self.generation += 1;
        (self.proposed, self.evaluated, self.again) = (0, 0, 0);
        for left in (2..=self.order.len()).rev() {
            self.order.swap(left - 1, rng.below(left));
        }
        for individual in &mut self.individuals {
            individual.evaluated = false;
        }
    }

    /// Replaces all but the elite by children.
    fn breed(&mut self, rng: &mut Rng) {
        for individual in &mut self.individuals {
            individual.lot = rng.next_u64() as u32;
        }
        let individuals = &self.individuals;
        let key = |slot: u32| {
            let individual = &individuals[slot as usize];
            (individual.mean(), individual.lot)
        };
        if self.elite < self.order.len() {
            self.order.select_nth_unstable_by(self.elite, |&a, &b| {
                let ((a, first), (b, second)) = (key(a), key(b));
                b.total_cmp(&a).then(second.cmp(&first))
            });
        }
        // The order now has the elite at its front; it is shuffled again by the next generation.
        let mut child = Indices::from_elem(0, self.space.dimension());
        for position in self.elite..self.order.len() {
            let crosses = rng.unit() < self.crossover;
            let mother = &self.individuals[self.order[rng.below(self.elite)] as usize];
            if crosses {
                let father = &self.individuals[self.order[rng.below(self.elite)] as usize];
                self.space.cross(&mother.genes, &father.genes, &mut child, rng);
            } else {
                child.copy_from_slice(&mother.genes);
                self.space.mutate(&mut child, rng);
            }
            let slot = &mut self.individuals[self.order[position] as usize];
            slot.genes.copy_from_slice(&child);
            (slot.sum, slot.samples, slot.born) = (0.0, 0, self.generation);
        }
        if self.resets {
            for &slot in &self.order[..self.elite] {
                let survivor = &mut self.individuals[slot as usize];
                (survivor.sum, survivor.samples) = (0.0, 0);
            }
        }
        self.begin(rng);
    }

    /// The living individual that a combination is about.
    fn slot(&self, combination: &Combination) -> Option<usize> {
        let population = self.individuals.len() as u64;
        match combination.ticket() {
            Ticket::NONE => {
                let indices = combination.indices()?;
                self.individuals
                    .iter()
                    .position(|individual| individual.genes.as_slice() == indices)
            }
            Ticket(ticket) => {
                let (generation, slot) = ((ticket - 1) / population, (ticket - 1) % population);
                (generation > self.individuals[slot as usize].born).then_some(slot as usize)
            }
        }
    }
}

impl Strategy for Ea {
    fn next(&mut self, rng: &mut Rng) -> Combination {
        if self.generation == 0 {
            self.found(rng);
        } else if self.evaluated == self.individuals.len() {
            self.breed(rng);
        }
        let slot = if self.proposed < self.order.len() {
            self.proposed += 1;
            self.order[self.proposed - 1] as usize
        } else {
            loop {
                self.again = (self.again + 1) % self.order.len();
                let slot = self.order[self.again] as usize;
                if !self.individuals[slot].evaluated {
                    break slot;
                }
            }
        };
        let ticket = Ticket(1 + self.generation * self.individuals.len() as u64 + slot as u64);
        Combination::proposed(self.individuals[slot].genes.clone(), ticket)
    }

    fn update(&mut self, combination: &Combination, reward: f64) {
        self.samples += 1;
        if self.generation == 0 {
            return;
        }
        if let Some(slot) = self.slot(combination) {
            let individual = &mut self.individuals[slot];
            individual.sum += self.rewards.unit(reward);
            individual.samples = individual.samples.saturating_add(1);
            self.evaluated += usize::from(!individual.evaluated);
            individual.evaluated = true;
        }
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    /// The living combination that is surely worth the most; individuals with the same genes put
    /// their evaluations together.
    fn best(&self) -> Option<Combination> {
        let worth = |genes: &Indices| {
            let same = self.individuals.iter().filter(|other| other.genes == *genes);
            let (sum, samples) = same.fold((0.0, 0.0), |(sum, samples), other| {
                (sum + other.sum, samples + f64::from(other.samples))
            });
            cautious(sum / f64::max(samples, 1.0), samples)
        };
        let sampled = self.individuals.iter().filter(|individual| individual.samples > 0);
        let rated = sampled.map(|individual| (worth(&individual.genes), &individual.genes));
        let (_, best) = rated.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
        Some(Combination::from_indices(best))
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_settings::Part;

    use super::*;
    use crate::published;

    fn ea(population: &str, elite: &str) -> Ea {
        with(&[("population", population), ("elite", elite)])
    }

    fn with(options: &[(&str, &str)]) -> Ea {
        let settings = Record::read(&Part::from_texts("ea", options).unwrap(), SPEC.parameters);
        let context = Context {
            space: Arc::new(published::AP_4.space()),
            rewards: Rewards::GOALS,
            shared: Rng::new(0),
        };
        Ea::new(&settings.unwrap(), &context).unwrap()
    }

    #[test]
    fn the_elite_survives_with_its_evaluations() {
        let mut ea = ea("10", "4");
        let mut rng = Rng::new(1);
        // Fitness without noise: the first gene.
        let fitness =
            |combination: &Combination| f64::from(combination.indices().unwrap()[0]) * 10.0;
        for _ in 0..10 {
            let combination = ea.next(&mut rng);
            ea.update(&combination, fitness(&combination));
        }
        let mut before: Vec<u16> = ea.individuals.iter().map(|i| i.genes[0]).collect();
        before.sort_unstable_by(|a, b| b.cmp(a));
        let combination = ea.next(&mut rng);
        ea.update(&combination, fitness(&combination));
        let mut kept: Vec<u16> =
            ea.individuals.iter().filter(|i| i.born == 0).map(|i| i.genes[0]).collect();
        kept.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(kept, before[..4]);
        for _ in 0..9 {
            let combination = ea.next(&mut rng);
            ea.update(&combination, fitness(&combination));
        }
        let counts: Vec<u32> = ea.individuals.iter().map(|i| i.samples).collect();
        assert_eq!(counts.iter().filter(|&&count| count == 2).count(), 4);
        assert_eq!(counts.iter().filter(|&&count| count == 1).count(), 6);
    }

    #[test]
    fn evaluations_of_the_elite_can_be_reset() {
        let mut ea = with(&[("population", "10"), ("elite", "4"), ("evaluations", "reset")]);
        let mut rng = Rng::new(1);
        for _ in 0..35 {
            let combination = ea.next(&mut rng);
            ea.update(&combination, 50.0);
        }
        assert_eq!(ea.individuals.iter().map(|i| i.samples).sum::<u32>(), 5);
        assert!(ea.individuals.iter().all(|i| i.samples <= 1));
    }

    #[test]
    fn a_generation_waits_for_all_and_late_rewards_count_for_the_living() {
        let mut ea = ea("5", "2");
        let mut rng = Rng::new(2);
        let flight: Vec<Combination> = (0..13).map(|_| ea.next(&mut rng)).collect();
        assert_eq!(ea.generation, 1);
        for combination in flight.iter().take(5) {
            ea.update(combination, 50.0);
        }
        let _ = ea.next(&mut rng);
        assert_eq!(ea.generation, 2);
        let living: u32 = ea.individuals.iter().map(|i| i.samples).sum();
        assert_eq!(living, 2);
        for combination in flight.iter().skip(5) {
            ea.update(combination, 50.0);
        }
        // Eight late rewards for five individuals, of which two live.
        let living: u32 = ea.individuals.iter().map(|i| i.samples).sum();
        assert!((2 + 2..=2 + 4).contains(&living), "{living}");
        assert_eq!(ea.samples(), 13);
    }
}
