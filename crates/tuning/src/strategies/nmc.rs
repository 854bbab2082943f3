//! NMC: naive Monte-Carlo [Sironi 2019, 6.3.1].
//!
//! The value of a combination is taken to be about the sum of values of its parts. With probability
//! `explore` one bandit per parameter puts a combination together, which joins the arms of a global
//! bandit; otherwise the global bandit chooses. Every reward is credited to both. While the global
//! bandit is empty the choice is to explore.
//!
//! In flight: visits, see `bandit`.

use gamegrove_game::Rng;
use gamegrove_settings::{Parameter, Record};
use rustc_hash::FxHashMap;

use crate::bandit::Ucb;
use crate::bandit::field::{Choice, Field, MAX_ARMS};
use crate::combination::Ticket;
use crate::registry::{BuildError, Context, FPU, StrategySpec, exploration};
use crate::strategies::local::LocalBandits;
use crate::{Combination, Index, Indices, Rewards, Strategy};

/// The entry in the registry.
pub(crate) const SPEC: StrategySpec = StrategySpec {
    name: "nmc",
    sentence: "Naive Monte-Carlo: bandits per parameter explore, a bandit over what they found exploits.",
    source: "Algorithm 11; settings of section 6.4.1, Table E.3",
    continuous: false,
    plans: false,
    parameters: &[
        Parameter::real(
            "explore",
            0.75,
            (0.0, 1.0),
            "The probability that the bandits per parameter choose.",
        )
        .with_source("section 6.4.1"),
        exploration("local_c", 1.0, "How much the bandits per parameter explore."),
        exploration("global_c", 1.0, "How much the bandit over combinations explores."),
        FPU,
    ],
    build: |settings, context| Ok(Box::new(Nmc::new(settings, context)?)),
};

/// The bits of a proposal's ticket: whether the global bandit counts it as in flight, and the number
/// of its arm, which saves a search for it.
const COUNTED: u64 = 2;
const ARM_AT: u32 = 2;

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
    pub(crate) fn new(settings: &Record, context: &Context) -> Result<Self, BuildError> {
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

    /// The arm that a ticket names, if it is that of this combination.
    fn noted(&self, ticket: Ticket, indices: &[Index]) -> Option<u32> {
        let arm = (ticket.0 >> ARM_AT).checked_sub(1)? as u32;
        self.arms.get(arm as usize).filter(|own| own.as_slice() == indices).map(|_| arm)
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

fn ticket(choice: Option<Choice>) -> Ticket {
    choice.map_or(Ticket::PROPOSED, |Choice { arm, counted }| {
        let counted = if counted { COUNTED } else { 0 };
        Ticket((u64::from(arm) + 1) << ARM_AT | counted | Ticket::PROPOSED.0)
    })
}

impl Strategy for Nmc {
    fn next(&mut self, rng: &mut Rng) -> Combination {
        let explores = self.combinations.len() == 0 || rng.unit() < self.explore;
        let (indices, choice) = if explores {
            let indices = self.values.choose(rng);
            let arm = self.arm(&indices);
            (indices, arm.map(|arm| self.combinations.propose(arm, 1, rng)))
        } else {
            let choice = self.combinations.choose(1, rng);
            (self.arms[choice.arm as usize].clone(), Some(choice))
        };
        self.values.propose(&indices);
        Combination::proposed(indices, ticket(choice))
    }

    fn update(&mut self, combination: &Combination, reward: f64) {
        let Some(indices) = combination.indices().filter(|i| self.values.space.is_legal(i)) else {
            return;
        };
        let reward = self.rewards.unit(reward);
        self.samples += 1;
        self.values.learn(indices, reward, combination.ticket() != Ticket::NONE);
        let noted = self.noted(combination.ticket(), indices);
        if let Some(arm) = noted.or_else(|| self.arm(indices)) {
            self.combinations.learn(arm, reward, combination.ticket().0 & COUNTED != 0);
        }
    }

    fn cancel(&mut self, combination: &Combination) {
        let Some(indices) = combination.indices().filter(|i| self.values.space.is_legal(i)) else {
            return;
        };
        self.values.cancel(indices);
        if combination.ticket().0 & COUNTED != 0
            && let Some(arm) = self.noted(combination.ticket(), indices)
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
