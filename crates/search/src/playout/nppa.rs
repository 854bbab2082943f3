//! NPPA: PPA with weights for sequences of moves.
//!
//! Each move has a probability proportional to `exp(k * W)`, W being the mean weight of the single move
//! and of the longer N-grams that match the moves just simulated and have enough visits: L = 3, V = 7,
//! k = 1 [Sironi et al. 2021, 5.2]. With L = 1 this is PPA.

use gamegrove_game::{Move, Rng};

use super::nst::V;
use super::ppa::{K, read_epsilon};
use super::sample::{EPSILON, GIBBS_OR_GREEDY, gibbs, greatest};
use super::{Policy, Turn};
use crate::learn::adaptation::{
    ALPHA, ALPHA_LOSS, Adaptation, INVERTED, KEEP, MODE, STEP_DISCOUNT,
};
use crate::learn::grams::{L, LONGEST, ORDER, history};
use crate::learn::{Handle, NgramWeights, Order, Visits};
use crate::parameter::{Parameter, ParameterId};
use crate::part::{Options, SettingsError};
use crate::registry::Entry;

const VISITS: Parameter = Parameter::word(
    "visits",
    &["updates", "occurrences"],
    "whether the visits of a sequence count updates of its weight or how often it was played",
);

pub(super) const ENTRY: Entry<dyn Policy> = Entry {
    name: "nppa",
    sentence: "sequences of moves are played by weights that follow the results of simulations",
    source: "[Sironi et al. 2021, 5.2]",
    parameters: &[
        L,
        V,
        ORDER,
        VISITS,
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
    build: |options| Ok(Box::new(Nppa::read(options)?)),
};

struct Nppa {
    weights: Handle<NgramWeights>,
    longest: usize,
    least_visits: ParameterId,
    k: ParameterId,
    /// If the choice is greedy.
    epsilon: Option<ParameterId>,
    values: Vec<f64>,
}

impl Nppa {
    fn read(options: &mut Options<'_>) -> Result<Nppa, SettingsError> {
        let longest = (options.number(&L)? as usize).clamp(1, LONGEST);
        let order = Order::read(options)?;
        let visits = options.choice(&VISITS, &[Visits::Updates, Visits::Occurrences])?;
        let rule = (Adaptation::read(options)?, options.number(&KEEP)?);
        Ok(Nppa {
            weights: options.shared().request(NgramWeights::new(rule, longest, order, visits)),
            longest,
            least_visits: options.parameter(&V)?,
            k: options.parameter(&K)?,
            epsilon: read_epsilon(options)?,
            values: Vec::new(),
        })
    }
}

impl Policy for Nppa {
    fn choose(&mut self, turn: &Turn<'_>, legal: &[Move], rng: &mut Rng) -> usize {
        let table = turn.tables.get(self.weights);
        let least_visits = turn.values.get(turn.role, self.least_visits);
        let step = turn.trace.steps();
        let before = history(table.order(), turn.trace, step, turn.role, self.longest - 1);
        let contexts = table.grams().contexts(turn.role, &before);
        self.values.clear();
        self.values.extend(legal.iter().map(|&mov| {
            let (mut sum, mut count) = (0.0, 0.0);
            for (at, &context) in contexts.iter().enumerate() {
                let known = table.grams().get(turn.role, context, mov);
                match known {
                    Some(known) if at == 0 || f64::from(known.visits) >= least_visits => {
                        sum += known.weight;
                        count += 1.0;
                    }
                    _ => break,
                }
            }
            if count > 0.0 { sum / count } else { 0.0 }
        }));
        match self.epsilon {
            None => gibbs(rng, &mut self.values, turn.values.get(turn.role, self.k)),
            Some(epsilon) if rng.unit() < turn.values.get(turn.role, epsilon) => {
                rng.below(legal.len())
            }
            Some(_) => greatest(rng, legal.len(), |at| self.values[at]),
        }
    }
}
