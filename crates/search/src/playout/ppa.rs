//! PPA: moves are played by weights that follow results.
//!
//! Each move has the probability `exp(k * W) / sum of exp(k * W)`, k = 1
//! (playout-policy-adaptation, section 5.1). How weights follow results is in
//! [`learn::adaptation`](crate::learn::adaptation). PPA_1 is the default; PPA_P0.32 is
//! `ppa(mode=payoff, alpha=0.32)`.

use gamegrove_game::{Move, Rng};

use super::sample::{gibbs, weighted};
use super::{Policy, Turn};
use crate::learn::adaptation::{ALPHA, ALPHA_LOSS, Adaptation, INVERTED, MODE, STEP_DISCOUNT};
use crate::learn::{Handle, MoveWeights};
use crate::parameter::{Parameter, ParameterId};
use crate::registry::Entry;

/// How sharply weights become probabilities.
pub(super) const K: Parameter = Parameter::real(
    "k",
    1.0,
    (0.0, 1000.0),
    "how sharply weights become probabilities; 0 plays at random",
);

pub(super) const ENTRY: Entry<dyn Policy> = Entry {
    name: "ppa",
    sentence: "moves are played by weights that follow the results of simulations",
    source: "playout-policy-adaptation, section 5",
    parameters: &[K, MODE, ALPHA, ALPHA_LOSS, INVERTED, STEP_DISCOUNT],
    build: |options| {
        let rule = Adaptation::read(options)?;
        let weights = options.table(MoveWeights::new(rule));
        Ok(Box::new(Ppa { weights, k: options.parameter(&K)?, values: Vec::new() }))
    },
};

struct Ppa {
    weights: Handle<MoveWeights>,
    k: ParameterId,
    values: Vec<f64>,
}

impl Policy for Ppa {
    fn choose(&mut self, turn: &Turn<'_>, legal: &[Move], rng: &mut Rng) -> usize {
        let weights = turn.tables.get(self.weights).of_role(turn.role);
        let known = |mov: &Move| weights.get(mov.index()).copied().unwrap_or_default();
        let k = turn.values.get(turn.role, self.k);
        self.values.clear();
        let moderate = legal.iter().all(|mov| known(mov).is_moderate());
        if k == 1.0 && moderate {
            self.values.extend(legal.iter().map(|mov| known(mov).exp));
            weighted(rng, &mut self.values)
        } else {
            self.values.extend(legal.iter().map(|mov| known(mov).weight));
            gibbs(rng, &mut self.values, k)
        }
    }
}
