//! LOCAL: one bandit per parameter, as if parameters did not depend on each other
//! [Sironi 2019, 6.3.1]. A control: it shows what ignoring dependence costs.
//!
//! In flight: visits, see `bandit`.

use std::ops::Range;
use std::sync::Arc;

use gamegrove_game::Rng;
use gamegrove_settings::Record;

use crate::bandit::{self, Arms, Ucb};
use crate::combination::Ticket;
use crate::registry::{BuildError, Context, FPU, StrategySpec, exploration};
use crate::space::{Legal, OPEN};
use crate::{Combination, Index, Indices, Rewards, Space, Strategy};

/// The entry in the registry.
pub(crate) const SPEC: StrategySpec = StrategySpec {
    name: "local",
    sentence: "One UCB1 bandit per parameter, each ignoring the others; a control.",
    source: "Table 6.10",
    continuous: false,
    plans: false,
    parameters: &[exploration("c", 0.7, "How much it explores; published with 0.7 and 1."), FPU],
    build: |settings, context| Ok(Box::new(Local::new(settings, context)?)),
};

/// The state.
#[derive(Clone, Debug)]
pub struct Local {
    rewards: Rewards,
    values: LocalBandits,
}

impl Local {
    pub(crate) fn new(settings: &Record, context: &Context) -> Result<Self, BuildError> {
        let ucb = Ucb { c: settings.real("c"), fpu: settings.real("fpu") };
        Ok(Local { rewards: context.rewards, values: LocalBandits::new(ucb, &context.space) })
    }
}

impl Strategy for Local {
    fn next(&mut self, rng: &mut Rng) -> Combination {
        let indices = self.values.choose(rng);
        self.values.propose(&indices);
        Combination::proposed(indices, Ticket::PROPOSED)
    }

    fn update(&mut self, combination: &Combination, reward: f64) {
        if let Some(indices) = combination.indices().filter(|i| self.values.space.is_legal(i)) {
            let proposed = combination.ticket() != Ticket::NONE;
            self.values.learn(indices, self.rewards.unit(reward), proposed);
        }
    }

    fn cancel(&mut self, combination: &Combination) {
        if let Some(indices) = combination.indices().filter(|i| self.values.space.is_legal(i)) {
            self.values.cancel(indices);
        }
    }

    fn samples(&self) -> u64 {
        self.values.finished()
    }

    fn best(&self) -> Option<Combination> {
        Some(Combination::from_indices(&self.values.best()?))
    }
}

/// One bandit per parameter; also the exploring half of NMC.
#[derive(Clone, Debug)]
pub(crate) struct LocalBandits {
    pub space: Arc<Space>,
    ucb: Ucb,
    /// All arms, parameter after parameter.
    arms: Arms,
    /// Where the arms of each parameter start.
    starts: Vec<usize>,
    /// Samples finished or in flight: the same for all parameters.
    samples: u64,
    finished: u64,
}

impl LocalBandits {
    pub fn new(ucb: Ucb, space: &Arc<Space>) -> Self {
        let mut starts = vec![0];
        for parameter in 0..space.dimension() {
            starts.push(starts[parameter] + space.choices(parameter).len());
        }
        let mut arms = Arms::default();
        arms.add(ucb, starts[space.dimension()]);
        LocalBandits { space: Arc::clone(space), ucb, arms, starts, samples: 0, finished: 0 }
    }

    /// Value after value by UCB1, leaving out those that would make the combination illegal.
    pub fn choose(&self, rng: &mut Rng) -> Indices {
        let scaled = self.ucb.c * bandit::reach(self.samples);
        self.fill(|arms, legal| self.arms.choose(arms, scaled, legal, rng))
    }

    fn fill(&self, mut pick: impl FnMut(Range<usize>, Legal) -> Index) -> Indices {
        let mut partial = Indices::from_elem(OPEN, self.space.dimension());
        for parameter in 0..self.space.dimension() {
            let arms = self.starts[parameter]..self.starts[parameter + 1];
            partial[parameter] = pick(arms, self.space.legal(&partial, parameter));
        }
        partial
    }

    /// The number of finished samples.
    fn finished(&self) -> u64 {
        self.finished
    }

    pub fn propose(&mut self, indices: &[Index]) {
        for (parameter, &index) in indices.iter().enumerate() {
            self.arms.propose(self.starts[parameter] + usize::from(index));
        }
        self.samples += 1;
    }

    pub fn cancel(&mut self, indices: &[Index]) {
        for (parameter, &index) in indices.iter().enumerate() {
            self.arms.cancel(self.starts[parameter] + usize::from(index));
        }
        self.samples = self.samples.saturating_sub(1).max(self.finished);
    }

    pub fn learn(&mut self, indices: &[Index], reward: f64, proposed: bool) {
        for (parameter, &index) in indices.iter().enumerate() {
            self.arms.learn(self.starts[parameter] + usize::from(index), reward, proposed);
        }
        self.finished += 1;
        self.samples = (self.samples + u64::from(!proposed)).max(self.finished);
    }

    /// The values that are surely worth the most, one by one.
    fn best(&self) -> Option<Indices> {
        let first = |legal: Legal| (0..OPEN).find(|&index| legal.contains(index)).unwrap_or(0);
        let pick = |arms: Range<usize>, legal: Legal| {
            self.arms.recommend(arms, legal).unwrap_or_else(|| first(legal))
        };
        (self.finished > 0).then(|| self.fill(pick))
    }
}
