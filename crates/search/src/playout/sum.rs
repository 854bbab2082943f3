//! Two policies in one: the value of a move by the first, plus a bonus by the second.
//!
//! `value = base + w * extra` where the second has something to say, else `base` alone, by Gibbs
//! sampling with tau = 10. By default MAST (all evidence kept, unknown moves worth 50) and FAST with
//! w = 1: the play-outs of CadiaPlayer since 2010 [Finnsson 2012, 4.2]. TO-MAST, PAST or NST may
//! take the place of either.

use gamegrove_game::{FeatureNames, Move, Rng};

use super::sample::{EPSILON, GIBBS_OR_GREEDY, Sampler, TAU};
use super::{Policy, Turn, build};
use crate::parameter::{Parameter, ParameterId};
use crate::part::{Options, Part, SettingsError};
use crate::registry::Entry;
use crate::trace::Needs;

const W: Parameter = Parameter::real("w", 1.0, (0.0, 1e6), "the weight of what the second adds");
const BASE: Parameter = Parameter::part("base", "mast", "the first policy");
const EXTRA: Parameter = Parameter::part("extra", "fast", "the second policy");

pub(super) const ENTRY: Entry<dyn Policy> = Entry {
    name: "sum",
    sentence: "moves are rated by two policies together, MAST and FAST if none are given",
    source: "[Finnsson 2012, 4.2]",
    parameters: &[BASE, EXTRA, W, GIBBS_OR_GREEDY, TAU, EPSILON],
    build: |options| Ok(Box::new(Sum::read(options)?)),
};

struct Sum {
    base: Box<dyn Policy>,
    extra: Box<dyn Policy>,
    w: ParameterId,
    sampler: Sampler,
    rated: Vec<f64>,
    added: Vec<f64>,
}

impl Sum {
    fn read(options: &mut Options<'_>) -> Result<Sum, SettingsError> {
        let mast = Part::named("mast").with("decay", 1.0).with("unknown", 50.0);
        Ok(Sum {
            base: options.part_or(&BASE, &mast, build)?,
            extra: options.part(&EXTRA, build)?,
            w: options.parameter(&W)?,
            sampler: Sampler::gibbs(options, &TAU)?,
            rated: Vec::new(),
            added: Vec::new(),
        })
    }
}

impl Policy for Sum {
    fn needs(&self) -> Needs {
        self.base.needs().and(self.extra.needs())
    }

    fn introduce(&mut self, names: &mut dyn FnMut() -> Box<dyn FeatureNames>) {
        self.base.introduce(names);
        self.extra.introduce(names);
    }

    fn choose(&mut self, turn: &Turn<'_>, legal: &[Move], rng: &mut Rng) -> usize {
        let mut rated = std::mem::take(&mut self.rated);
        let chosen = if self.rate(turn, legal, &mut rated) {
            self.sampler.choose_rated(turn.values, turn.role, rng, &rated)
        } else {
            rng.below(legal.len())
        };
        self.rated = rated;
        chosen
    }

    fn rate(&mut self, turn: &Turn<'_>, legal: &[Move], values: &mut Vec<f64>) -> bool {
        let first = self.base.rate(turn, legal, values);
        let second = self.extra.rate(turn, legal, &mut self.added);
        if !first {
            values.clear();
            values.resize(legal.len(), 0.0);
        }
        if second {
            let w = turn.values.get(turn.role, self.w);
            for (value, added) in values.iter_mut().zip(&self.added) {
                *value += w * added;
            }
        }
        first || second
    }
}
