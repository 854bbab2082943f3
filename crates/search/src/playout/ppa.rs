//! PPA: moves are played by weights that follow results.
//!
//! Each move has the probability `exp(k * W) / sum of exp(k * W)`, k = 1
//! [Sironi et al. 2021, 4]. How weights follow results is in
//! [`learn::adaptation`](crate::learn::adaptation). PPA_1 is the default; PPA_P0.32 is
//! `ppa(mode=payoff, alpha=0.32)`. With `sample = greedy` the move of the greatest weight is played except
//! for a share `epsilon` of random ones [Sironi et al. 2021, 6.1: tried there].

use gamegrove_game::{Move, Rng};

use super::sample::{EPSILON, GIBBS_OR_GREEDY, gibbs, greatest, weighted};
use super::{Policy, Turn};
use crate::learn::adaptation::{
    ALPHA, ALPHA_LOSS, Adaptation, INVERTED, KEEP, MODE, STEP_DISCOUNT,
};
use crate::learn::{Handle, MoveWeights};
use crate::parameter::{Parameter, ParameterId};
use crate::part::{Options, SettingsError};
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
    source: "[Sironi et al. 2021, 4]",
    parameters: &[
        K,
        GIBBS_OR_GREEDY,
        EPSILON,
        MODE,
        ALPHA,
        ALPHA_LOSS,
        INVERTED,
        STEP_DISCOUNT,
        KEEP,
    ],
    build: |options| {
        let rule = Adaptation::read(options)?;
        let keep = options.number(&KEEP)?;
        let weights = options.shared().request(MoveWeights::new(rule, keep));
        let k = options.parameter(&K)?;
        Ok(Box::new(Ppa { weights, k, epsilon: read_epsilon(options)?, values: Vec::new() }))
    },
};

/// The share of random moves, if weights are chosen from by greed.
pub(super) fn read_epsilon(
    options: &mut Options<'_>,
) -> Result<Option<ParameterId>, SettingsError> {
    let greedy = options.choice(&GIBBS_OR_GREEDY, &[false, true])?;
    greedy.then(|| options.parameter(&EPSILON)).transpose()
}

struct Ppa {
    weights: Handle<MoveWeights>,
    k: ParameterId,
    /// If the choice is greedy.
    epsilon: Option<ParameterId>,
    values: Vec<f64>,
}

impl Policy for Ppa {
    fn choose(&mut self, turn: &Turn<'_>, legal: &[Move], rng: &mut Rng) -> usize {
        let weights = turn.tables.get(self.weights).of_role(turn.role);
        let known = |mov: &Move| weights.get(mov.index()).copied().unwrap_or_default();
        if let Some(epsilon) = self.epsilon {
            return match rng.unit() < turn.values.get(turn.role, epsilon) {
                true => rng.below(legal.len()),
                false => greatest(rng, legal.len(), |at| known(&legal[at]).weight),
            };
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::Values;
    use crate::part::{Composition, Part};
    use crate::playout::build;
    use crate::trace::Trace;
    use crate::typed::TypeView;
    use gamegrove_game::Role;

    /// How often each of two moves is chosen after the second has won, and a move was played.
    fn shares(part: &Part) -> [usize; 2] {
        let mut composition = Composition::default();
        let mut options = Options::new(part, &mut composition);
        let mut policy = build("ppa", &mut options).expect("good options");
        options.finish().expect("no other options");
        let legal = [Move(0), Move(1)];
        let mut trace = Trace::default();
        trace.begin(1, 1.0);
        trace.note_legal(&legal);
        trace.push(&[Move(1)]);
        trace.finish([100.0].into_iter());
        composition.shared.learn(&trace);
        composition.shared.new_step();
        trace.begin(1, 1.0);
        let values = Values::new(&composition.declarations.0, 1);
        let (mut rng, mut counts) = (Rng::new(3), [0; 2]);
        for _ in 0..10_000 {
            let turn = Turn {
                role: Role(0),
                trace: &trace,
                features: &[],
                view: TypeView::default(),
                values: &values,
                tables: &composition.shared,
            };
            counts[policy.choose(&turn, &legal, &mut rng)] += 1;
        }
        counts
    }

    #[track_caller]
    fn near(part: &Part, share: f64) {
        let [_, second] = shares(part);
        assert!((second as f64 / 10_000.0 - share).abs() < 0.02, "{part}: {second}");
    }

    #[test]
    fn weights_are_kept_decay_or_start_anew() {
        // Weights of 0.5 and -0.5 after one win.
        let ppa = Part::named("ppa");
        let gibbs = |difference: f64| 1.0 / (1.0 + (-difference).exp());
        near(&ppa, gibbs(1.0));
        near(&ppa.clone().with("decay", 0.5), gibbs(0.5));
        near(&ppa.clone().with("decay", 0.0), 0.5);
    }

    #[test]
    fn the_greatest_weight_is_played_but_for_a_share() {
        let greedy = Part::named("ppa").with("sample", "greedy");
        near(&greedy.clone().with("epsilon", 0.0), 1.0);
        near(&greedy.clone().with("epsilon", 0.4), 0.8);
        near(&greedy, 0.8);
    }
}
