//! MAB: one bandit whose arms are all legal combinations (specification, section 3.2).
//!
//! Each chosen combination is proposed `batch` times in a row; all rewards are credited. The
//! published agent scans all arms per choice, which is what slows it down; here the choice is the
//! same but costs the logarithm of the number of arms (`bandit::field`, checked against the scan).
//!
//! In flight: visits, see `bandit`.

use std::sync::Arc;

use gamegrove_game::Rng;

use crate::bandit::Ucb;
use crate::bandit::field::{Choice, Field, MAX_ARMS};
use crate::combination::Ticket;
use crate::options::{self, Kind, OptionSpec, Settings};
use crate::registry::{BuildError, Context, StrategySpec};
use crate::{Combination, Indices, Rewards, Space, Strategy};

/// The entry in the registry.
pub(crate) const SPEC: StrategySpec = StrategySpec {
    name: "mab",
    sentence: "One UCB1 bandit over all legal combinations.",
    source: "Algorithm 9; settings of section 6.4.1",
    continuous: false,
    plans: false,
    options: &[
        options::exploration("c", "0.7", "How much it explores: the constant of UCB1."),
        OptionSpec {
            name: "batch",
            sentence: "How often each chosen combination is used; published: 10 for board games, 1 for video games.",
            kind: Kind::Integer { least: 1, most: 1_000_000 },
            default: "10",
            source: "section 6.4.1, Table E.1",
        },
        options::FPU,
    ],
    build: |settings, context| Ok(Box::new(Mab::new(settings, context)?)),
};

/// Ticket of a proposal that the bandit counts as in flight.
const COUNTED: Ticket = Ticket(2);

/// The state.
#[derive(Clone, Debug)]
pub struct Mab {
    space: Arc<Space>,
    rewards: Rewards,
    arms: Field,
    batch: u32,
    current: Indices,
    choice: Choice,
    /// How often the current combination is still to be proposed.
    left: u32,
    samples: u64,
}

impl Mab {
    pub(crate) fn new(settings: &Settings, context: &Context) -> Result<Self, BuildError> {
        let space = Arc::clone(&context.space);
        let arms = space.count().filter(|&count| count <= MAX_ARMS).ok_or(
            BuildError::TooManyCombinations {
                strategy: "mab",
                count: space.count(),
                most: MAX_ARMS,
            },
        )?;
        let ucb = Ucb { c: settings.real("c"), fpu: settings.real("fpu") };
        Ok(Mab {
            current: space.numbered(0),
            space,
            rewards: context.rewards,
            arms: Field::new(ucb, arms as u32),
            batch: settings.integer("batch") as u32,
            choice: Choice { arm: 0, counted: false },
            left: 0,
            samples: 0,
        })
    }
}

impl Strategy for Mab {
    fn next(&mut self, rng: &mut Rng) -> Combination {
        if self.left == 0 {
            self.left = self.batch;
            self.choice = self.arms.choose(self.batch, rng);
            self.current = self.space.numbered(u64::from(self.choice.arm));
        }
        self.left -= 1;
        let ticket = if self.choice.counted { COUNTED } else { Ticket::PROPOSED };
        Combination::proposed(self.current.clone(), ticket)
    }

    fn update(&mut self, combination: &Combination, reward: f64) {
        let Some(arm) = combination.indices().and_then(|indices| self.space.number(indices)) else {
            return;
        };
        self.samples += 1;
        self.arms.learn(arm as u32, self.rewards.unit(reward), combination.ticket() == COUNTED);
    }

    fn cancel(&mut self, combination: &Combination) {
        if combination.ticket() == COUNTED
            && let Some(arm) = combination.indices().and_then(|indices| self.space.number(indices))
        {
            self.arms.cancel(arm as u32);
        }
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    fn best(&self) -> Option<Combination> {
        let arm = self.arms.best()?;
        Some(Combination::from_indices(&self.space.numbered(u64::from(arm))))
    }
}
