//! NST: moves that were good after the moves just played are played more often.
//!
//! The value of a move is the mean over the single move and the longer N-grams that end in it and
//! match the moves just simulated, as far as they have enough visits: L = 3, V = 7, epsilon = 0.4,
//! 20 % of the evidence kept after each move [Sironi et al. 2021, 3.4]. The divisor is
//! the number of N-grams used; the first that has too few visits ends the list; a single move that was
//! never seen is worth 100. With L = 1 this is MAST.

use gamegrove_game::{Move, Rng};

use super::mast::UNKNOWN;
use super::sample::{EPSILON, GREEDY_OR_GIBBS, Sampler, TAU};
use super::{Policy, Turn};
use crate::learn::grams::{L, LONGEST, ORDER, history};
use crate::learn::{Average, BATCH, DECAY, DECAY_WHEN, Decay, Handle, NgramAverages, Order, ROUND};
use crate::parameter::{Parameter, ParameterId};
use crate::part::{Options, SettingsError};
use crate::registry::Entry;

/// The visits longer N-grams need.
pub(super) const V: Parameter = Parameter::whole(
    "v",
    7.0,
    (0.0, f64::INFINITY),
    "visits a sequence of several moves needs before it counts",
);

pub(super) const ENTRY: Entry<dyn Policy> = Entry {
    name: "nst",
    sentence: "moves that were good after the moves just before are played more often",
    source: "[Sironi et al. 2021, 3.4]",
    parameters: &[
        L,
        V,
        ORDER,
        GREEDY_OR_GIBBS,
        EPSILON,
        TAU,
        UNKNOWN,
        DECAY,
        DECAY_WHEN,
        BATCH,
        ROUND,
    ],
    build: |options| Ok(Box::new(Nst::read(options)?)),
};

struct Nst {
    averages: Handle<NgramAverages>,
    longest: usize,
    least_visits: ParameterId,
    unknown: f64,
    sampler: Sampler,
}

impl Nst {
    fn read(options: &mut Options<'_>) -> Result<Nst, SettingsError> {
        let longest = (options.number(&L)? as usize).clamp(1, LONGEST);
        let order = Order::read(options)?;
        let decay = Decay::read(options, 0.2)?;
        Ok(Nst {
            averages: options.shared().request(NgramAverages::new(longest, order, decay)),
            longest,
            least_visits: options.parameter(&V)?,
            unknown: options.number(&UNKNOWN)?,
            sampler: Sampler::greedy(options)?,
        })
    }
}

/// The value of one move.
fn value(averages: impl Iterator<Item = Option<Average>>, least_visits: f64, unknown: f64) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (at, average) in averages.enumerate() {
        let average = average.unwrap_or_default();
        if at > 0 && (average.visits < least_visits || average.visits == 0.0) {
            break;
        }
        sum += average.mean_or(unknown);
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { unknown }
}

impl Policy for Nst {
    fn choose(&mut self, turn: &Turn<'_>, legal: &[Move], rng: &mut Rng) -> usize {
        let Nst { averages, longest, least_visits, unknown, ref mut sampler } = *self;
        let table = turn.tables.get(averages);
        let least_visits = turn.values.get(turn.role, least_visits);
        // A random choice needs no contexts.
        let mut contexts = None;
        sampler.choose(turn.values, turn.role, rng, legal.len(), |at| {
            let contexts = contexts.get_or_insert_with(|| {
                let step = turn.trace.steps();
                let before = history(table.order(), turn.trace, step, turn.role, longest - 1);
                table.grams().contexts(turn.role, &before)
            });
            let of = |&context| table.grams().get(turn.role, context, legal[at]).copied();
            value(contexts.iter().map(of), least_visits, unknown)
        })
    }

    fn rate(&mut self, turn: &Turn<'_>, legal: &[Move], values: &mut Vec<f64>) -> bool {
        let table = turn.tables.get(self.averages);
        let least_visits = turn.values.get(turn.role, self.least_visits);
        let step = turn.trace.steps();
        let before = history(table.order(), turn.trace, step, turn.role, self.longest - 1);
        let contexts = table.grams().contexts(turn.role, &before);
        values.clear();
        values.extend(legal.iter().map(|&mov| {
            let of = |&context| table.grams().get(turn.role, context, mov).copied();
            value(contexts.iter().map(of), least_visits, self.unknown)
        }));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_sequences_count_from_seven_visits_on() {
        let average = |mean: f64, visits: f64| Some(Average { sum: mean * visits, visits });
        let of = |all: &[Option<Average>]| value(all.iter().copied(), 7.0, 100.0);
        assert_eq!(of(&[]), 100.0);
        assert_eq!(of(&[None]), 100.0);
        assert_eq!(of(&[average(40.0, 1.0)]), 40.0);
        assert_eq!(of(&[average(40.0, 9.0), average(80.0, 7.0)]), 60.0);
        assert_eq!(of(&[average(40.0, 9.0), average(80.0, 6.0)]), 40.0);
        // The first that fails ends the list, whatever follows.
        assert_eq!(of(&[average(40.0, 9.0), average(80.0, 6.0), average(90.0, 9.0)]), 40.0);
        let three = [average(30.0, 9.0), average(60.0, 8.0), average(90.0, 7.0)];
        assert_eq!(of(&three), 60.0);
    }
}
