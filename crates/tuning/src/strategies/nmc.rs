//! NMC: naive Monte-Carlo (specification, section 3.4).
//!
//! The value of a combination is taken to be about the sum of values of its parts. With probability
//! `explore` one bandit per parameter puts a combination together, which joins the arms of a global
//! bandit; otherwise the global bandit chooses. Every reward is credited to both. While the global
//! bandit is empty the choice is to explore.
//!
//! In flight: visits, see `bandit`.

use gamegrove_game::Rng;
use rustc_hash::FxHashMap;

use crate::bandit::Ucb;
use crate::bandit::field::{Field, MAX_ARMS};
use crate::combination::Ticket;
use crate::options::{self, Kind, OptionSpec, Settings};
use crate::registry::{BuildError, Context, StrategySpec};
use crate::strategies::local::LocalBandits;
use crate::{Combination, Index, Indices, Rewards, Strategy};

/// The entry in the registry.
pub(crate) const SPEC: StrategySpec = StrategySpec {
    name: "nmc",
    sentence: "Naive Monte-Carlo: bandits per parameter explore, a bandit over what they found exploits.",
    source: "Algorithm 11; settings of section 6.4.1, Table E.3",
    continuous: false,
    plans: false,
    options: &[
        OptionSpec {
            name: "explore",
            sentence: "The probability that the bandits per parameter choose.",
            kind: Kind::Real { least: 0.0, most: 1.0 },
            default: "0.75",
            source: "section 6.4.1",
        },
        options::exploration("local_c", "1", "How much the bandits per parameter explore."),
        options::exploration("global_c", "1", "How much the bandit over combinations explores."),
        options::FPU,
    ],
    build: |settings, context| Ok(Box::new(Nmc::new(settings, context)?)),
};

/// Ticket of a proposal that the global bandit counts as in flight.
const COUNTED: Ticket = Ticket(2);

/// The state.
#[derive(Clone, Debug)]
pub struct Nmc {
    rewards: Rewards,
    explore: f64,
    values: LocalBandits,
    combinations: Field,
    /// The arm of every combination that was proposed, and the other way round.
    arm_of: FxHashMap<Indices, u32>,
    arms: Vec<Indices>,
    samples: u64,
}

impl Nmc {
    pub(crate) fn new(settings: &Settings, context: &Context) -> Result<Self, BuildError> {
        let fpu = settings.real("fpu");
        let local = Ucb { c: settings.real("local_c"), fpu };
        let global = Ucb { c: settings.real("global_c"), fpu };
        Ok(Nmc {
            rewards: context.rewards,
            explore: settings.real("explore"),
            values: LocalBandits::new(local, &context.space),
            combinations: Field::new(global, 0),
            arm_of: FxHashMap::default(),
            arms: Vec::new(),
            samples: 0,
        })
    }

    /// The arm of a combination, new if need be; `None` if no more fit.
    fn arm(&mut self, indices: &[Index]) -> Option<u32> {
        if let Some(&arm) = self.arm_of.get(indices) {
            return Some(arm);
        }
        if self.combinations.len() as u64 >= MAX_ARMS {
            return None;
        }
        let arm = self.combinations.add();
        self.arms.push(Indices::from_slice(indices));
        self.arm_of.insert(Indices::from_slice(indices), arm);
        Some(arm)
    }
}

impl Strategy for Nmc {
    fn next(&mut self, rng: &mut Rng) -> Combination {
        let explores = self.combinations.len() == 0 || rng.unit() < self.explore;
        let (indices, counted) = if explores {
            let indices = self.values.choose(rng);
            let arm = self.arm(&indices);
            let counted = arm.is_some_and(|arm| self.combinations.propose(arm, 1, rng).counted);
            (indices, counted)
        } else {
            let choice = self.combinations.choose(1, rng);
            (self.arms[choice.arm as usize].clone(), choice.counted)
        };
        self.values.propose(&indices);
        Combination::proposed(&indices, if counted { COUNTED } else { Ticket::PROPOSED })
    }

    fn update(&mut self, combination: &Combination, reward: f64) {
        let Some(indices) = combination.indices().filter(|i| self.values.space.is_legal(i)) else {
            return;
        };
        let reward = self.rewards.unit(reward);
        self.samples += 1;
        self.values.learn(indices, reward, combination.ticket() != Ticket::NONE);
        if let Some(arm) = self.arm(indices) {
            self.combinations.learn(arm, reward, combination.ticket() == COUNTED);
        }
    }

    fn cancel(&mut self, combination: &Combination) {
        let Some(indices) = combination.indices().filter(|i| self.values.space.is_legal(i)) else {
            return;
        };
        self.values.cancel(indices);
        if combination.ticket() == COUNTED
            && let Some(&arm) = self.arm_of.get(indices)
        {
            self.combinations.cancel(arm);
        }
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    fn best(&self) -> Option<Combination> {
        let arm = self.combinations.best()?;
        Some(Combination::from_indices(&self.arms[arm as usize]))
    }
}
