//! One independent tuning problem per role [Sironi 2019, 6.2.1]: each role's combination is
//! scored with that role's reward, and all of them steer the same simulation.

use std::sync::Arc;

use gamegrove_game::Rng;
use gamegrove_settings::Part;

use crate::{BuildError, Combination, Rewards, Space, Strategy, registry};

/// A strategy for every role, each with a generator of its own.
#[derive(Debug)]
pub struct PerRole {
    roles: Vec<(Box<dyn Strategy>, Rng)>,
}

impl PerRole {
    /// The strategy that `part` describes, once for each of `roles` roles of one game; see
    /// [`registry::build`]. Nothing is shared but decisions that are to be the same for all roles.
    pub fn new(
        part: &Part,
        space: &Arc<Space>,
        rewards: Rewards,
        roles: usize,
        seed: u64,
    ) -> Result<Self, BuildError> {
        // Stream 0 is for what the roles share.
        let shared = Rng::stream(seed, 0);
        let role = |role: usize| {
            let strategy = registry::build(part, space, rewards, &shared)?;
            Ok((strategy, Rng::stream(seed, role as u64 + 1)))
        };
        Ok(PerRole { roles: (0..roles).map(role).collect::<Result<_, BuildError>>()? })
    }

    /// The number of roles.
    pub fn len(&self) -> usize {
        self.roles.len()
    }

    /// Whether there are no roles.
    pub fn is_empty(&self) -> bool {
        self.roles.is_empty()
    }

    /// Fills `combinations` with one combination per role for the next simulation.
    pub fn next(&mut self, combinations: &mut Vec<Combination>) {
        combinations.clear();
        combinations.extend(self.roles.iter_mut().map(|(strategy, rng)| strategy.next(rng)));
    }

    /// Learns the rewards of one simulation, one per role.
    pub fn update(&mut self, combinations: &[Combination], rewards: &[f64]) {
        let samples = combinations.iter().zip(rewards);
        for ((strategy, _), (combination, &reward)) in self.roles.iter_mut().zip(samples) {
            strategy.update(combination, reward);
        }
    }

    /// Takes the proposals of one simulation back: it will not finish.
    pub fn cancel(&mut self, combinations: &[Combination]) {
        for ((strategy, _), combination) in self.roles.iter_mut().zip(combinations) {
            strategy.cancel(combination);
        }
    }

    /// Tells all roles how many simulations there will be.
    pub fn set_budget(&mut self, samples: u64) {
        self.roles.iter_mut().for_each(|(strategy, _)| strategy.set_budget(samples));
    }

    /// Tells all roles how many simulations there will be if things go on as they began.
    pub fn forecast(&mut self, samples: f64) {
        self.roles.iter_mut().for_each(|(strategy, _)| strategy.forecast(samples));
    }

    /// Tells all roles that a new move is to be found, and how many simulations its time is good for.
    pub fn begin_move(&mut self, samples: Option<f64>) {
        self.roles.iter_mut().for_each(|(strategy, _)| strategy.begin_move(samples));
    }

    /// The strategy of one role.
    pub fn role(&self, role: usize) -> Option<&dyn Strategy> {
        self.roles.get(role).map(|(strategy, _)| strategy.as_ref())
    }
}
