//! PAST: moves that were good in states like this one, fact by fact, are played more often.
//!
//! The value of a move is the greatest mean return it had in states in which one of the current facts
//! held; pairs of fact and move with fewer than 3 samples count as 50. Gibbs sampling with tau = 8
//! [Finnsson 2012, 4.1.3].

use gamegrove_game::{Move, Rng};

use super::sample::{EPSILON, GIBBS_OR_GREEDY, Sampler, TAU};
use super::{Policy, Turn};
use crate::learn::{BATCH, DECAY, DECAY_WHEN, Decay, FactAverages, Handle, ROUND};
use crate::parameter::{Parameter, ParameterId};
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::trace::Needs;

const SAMPLES: Parameter = Parameter::whole(
    "samples",
    3.0,
    (1.0, f64::INFINITY),
    "samples that a pair of fact and move needs before its mean counts",
);
const UNKNOWN: Parameter = Parameter::real(
    "unknown",
    50.0,
    (0.0, 100.0),
    "the worth of a pair of fact and move with fewer samples, between 0 and 100",
);
const PAST_TAU: Parameter = TAU.with_default(8.0);
const KEEP_ALL: f64 = 1.0;

pub(super) const ENTRY: Entry<dyn Policy> = Entry {
    name: "past",
    sentence: "moves that were good while one of the current facts held are played more often",
    source: "[Finnsson 2012, 4.1.3]",
    parameters: &[
        SAMPLES,
        UNKNOWN,
        GIBBS_OR_GREEDY,
        PAST_TAU,
        EPSILON,
        DECAY.with_default(KEEP_ALL),
        DECAY_WHEN,
        BATCH,
        ROUND,
    ],
    build: |options| Ok(Box::new(Past::read(options)?)),
};

struct Past {
    averages: Handle<FactAverages>,
    samples: ParameterId,
    unknown: f64,
    sampler: Sampler,
    rated: Vec<f64>,
}

impl Past {
    fn read(options: &mut Options<'_>) -> Result<Past, SettingsError> {
        let decay = Decay::read(options, KEEP_ALL)?;
        Ok(Past {
            averages: options.shared().request(FactAverages::new(decay)),
            samples: options.parameter(&SAMPLES)?,
            unknown: options.number(&UNKNOWN)?,
            sampler: Sampler::gibbs(options, &PAST_TAU)?,
            rated: Vec::new(),
        })
    }

    fn value(&self, turn: &Turn<'_>, mov: Move) -> f64 {
        let table = turn.tables.get(self.averages);
        let samples = turn.values.get(turn.role, self.samples);
        let of = |&fact: &u32| match table.get(turn.role, mov, fact) {
            Some(average) if average.visits >= samples => average.mean_or(self.unknown),
            _ => self.unknown,
        };
        let best = turn.features.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        if best.is_finite() { best } else { self.unknown }
    }
}

impl Policy for Past {
    fn needs(&self) -> Needs {
        Needs { features: true, ..Needs::default() }
    }

    fn choose(&mut self, turn: &Turn<'_>, legal: &[Move], rng: &mut Rng) -> usize {
        let mut rated = std::mem::take(&mut self.rated);
        self.rate(turn, legal, &mut rated);
        let chosen = self.sampler.choose_rated(turn.values, turn.role, rng, &rated);
        self.rated = rated;
        chosen
    }

    fn rate(&mut self, turn: &Turn<'_>, legal: &[Move], values: &mut Vec<f64>) -> bool {
        values.clear();
        values.extend(legal.iter().map(|&mov| self.value(turn, mov)));
        true
    }
}
