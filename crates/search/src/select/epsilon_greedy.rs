//! The best mean, except for a share of random choices [Sironi 2019, 2.5.1].
//!
//! A move that was never tried has the value `fpu`. The source names the rule and no number for
//! epsilon; 0.1 is a usual choice.

use gamegrove_game::Rng;

use super::{BAND, Best, Decision, FPU, Pick, Selection};
use crate::parameter::{Parameter, ParameterId};
use crate::registry::Entry;
use crate::tree::Statistic;

const EPSILON: Parameter = Parameter::real(
    "epsilon",
    0.1,
    (0.0, 1.0),
    "the probability of a random move instead of the best",
);

pub(super) const ENTRY: Entry<dyn Selection> = Entry {
    name: "epsilon_greedy",
    sentence: "the move with the best mean, except for a share of random choices",
    source: "[Sironi 2019, 2.5.1]",
    parameters: &[EPSILON, FPU, BAND],
    build: |options| {
        Ok(Box::new(EpsilonGreedy {
            epsilon: options.parameter(&EPSILON)?,
            fpu: options.parameter(&FPU)?,
            band: options.parameter(&BAND)?,
            best: Best::default(),
        }))
    },
};

struct EpsilonGreedy {
    epsilon: ParameterId,
    fpu: ParameterId,
    band: ParameterId,
    best: Best,
}

impl Selection for EpsilonGreedy {
    fn select(&mut self, at: &Decision<'_>, rng: &mut Rng) -> Pick {
        if rng.unit() < at.values.get(at.role, self.epsilon) {
            return Pick::Action(rng.below(at.moves.len()));
        }
        let fpu = at.values.get(at.role, self.fpu);
        let value = |s: &Statistic| if s.is_untried() { fpu } else { s.mean(at.loss) };
        let band = at.values.get(at.role, self.band);
        Pick::Action(self.best.of(band, rng, at.statistics.iter().map(value)))
    }
}
