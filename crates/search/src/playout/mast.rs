//! MAST: moves that were good anywhere are played more often; and its tree-only form TO-MAST.
//!
//! Epsilon-greedy with `epsilon = 0.4`, unknown moves worth 100, 20 % of the evidence kept after each
//! move [Sironi 2019, 2.5.2], or Gibbs sampling with `tau = 10` and all evidence kept
//! [Finnsson 2012, 4.1.1, 4.1.2]. TO-MAST learns from the tree part of simulations alone.

use gamegrove_game::{Move, MoveSet, Preference, Rng, Role};

use super::sample::{EPSILON, GREEDY_OR_GIBBS, Sampler, TAU};
use super::{Policy, Turn};
use crate::learn::{BATCH, DECAY, DECAY_WHEN, Decay, Handle, MoveAverages, ROUND, Scope, Tables};
use crate::parameter::{Parameter, Values};
use crate::part::{Options, SettingsError};
use crate::registry::Entry;

pub(super) const UNKNOWN: Parameter = Parameter::real(
    "unknown",
    100.0,
    (0.0, 100.0),
    "the worth of a move nothing is known of, between 0 and 100",
);

const PARAMETERS: &[Parameter] =
    &[GREEDY_OR_GIBBS, EPSILON, TAU, UNKNOWN, DECAY, DECAY_WHEN, BATCH, ROUND];

pub(super) const MAST: Entry<dyn Policy> = Entry {
    name: "mast",
    sentence: "moves that were good anywhere in earlier simulations are played more often",
    source: "[Sironi 2019, 2.5.2]; [Finnsson 2012, 4.1.1]",
    parameters: PARAMETERS,
    build: |options| Ok(Box::new(Mast::read(options, Scope::Whole)?)),
};

pub(super) const TO_MAST: Entry<dyn Policy> = Entry {
    name: "to_mast",
    sentence: "MAST that learns from the tree part of simulations alone",
    source: "[Finnsson 2012, 4.1.2]",
    parameters: PARAMETERS,
    build: |options| Ok(Box::new(Mast::read(options, Scope::Tree)?)),
};

struct Mast {
    averages: Handle<MoveAverages>,
    sampler: Sampler,
    unknown: f64,
}

impl Mast {
    fn read(options: &mut Options<'_>, scope: Scope) -> Result<Mast, SettingsError> {
        let decay = Decay::read(options, 0.2)?;
        Ok(Mast {
            averages: options.shared().request(MoveAverages::new(scope, decay)),
            sampler: Sampler::greedy(options)?,
            unknown: options.number(&UNKNOWN)?,
        })
    }
}

/// The mean return of a move, or `unknown`.
#[inline]
fn mean_or(means: &[f64], mov: Move, unknown: f64) -> f64 {
    match means.get(mov.index()) {
        Some(mean) if !mean.is_nan() => *mean,
        _ => unknown,
    }
}

impl Policy for Mast {
    fn choose(&mut self, turn: &Turn<'_>, legal: &[Move], rng: &mut Rng) -> usize {
        let means = turn.tables.get(self.averages).means(turn.role);
        let value = |at: usize| mean_or(means, legal[at], self.unknown);
        self.sampler.choose(turn.values, turn.role, rng, legal.len(), value)
    }

    fn choose_in(&mut self, turn: &Turn<'_>, legal: MoveSet<'_>, rng: &mut Rng) -> Option<Move> {
        let means = turn.tables.get(self.averages).means(turn.role);
        let value = |mov: Move| mean_or(means, mov, self.unknown);
        self.sampler.choose_in(turn.values, turn.role, rng, legal, value)
    }

    fn prefer(
        &self,
        tables: &Tables,
        values: &Values,
        role: Role,
        moves: usize,
        preference: &mut Preference,
    ) -> bool {
        let means = tables.get(self.averages).means(role);
        let value = |mov: Move| mean_or(means, mov, self.unknown);
        self.sampler.prefer(values, role, moves, value, preference)
    }

    fn rate(&mut self, turn: &Turn<'_>, legal: &[Move], values: &mut Vec<f64>) -> bool {
        let means = turn.tables.get(self.averages).means(turn.role);
        values.clear();
        values.extend(legal.iter().map(|&m| mean_or(means, m, self.unknown)));
        true
    }
}
