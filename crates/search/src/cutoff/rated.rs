//! Play-outs of limited length, rated by the game's own evaluation.
//!
//! A rating becomes a worth between 0 and 100 by `100 / (1 + exp(-rating / scale))`. For games that
//! can rate states by weights [Fernandes 2013, 2.4].

use super::{Cutoff, Worth};
use crate::parameter::Parameter;
use crate::rating::Weights;
use crate::registry::Entry;
use crate::trace::Trace;

const STEPS: Parameter =
    Parameter::whole("steps", 4.0, (0.0, 1e9), "steps below the tree after which a play-out ends");
const SCALE: Parameter =
    Parameter::real("scale", 2.0, (1e-6, 1e9), "the rating at which a state is worth 73 of 100");
const WEIGHTS: Parameter =
    Parameter::part("weights", "each", "the weights: each(NAME=NUMBER, ..., other=1)");

pub(super) const ENTRY: Entry<dyn Cutoff> = Entry {
    name: "rated",
    sentence: "play-outs end after a number of steps and are rated by the game's own evaluation",
    source: "[Fernandes 2013, 2.4]",
    parameters: &[STEPS, SCALE, WEIGHTS],
    build: |options| {
        Ok(Box::new(Rated {
            steps: options.number(&STEPS)? as usize,
            scale: options.number(&SCALE)?,
            weights: options.part(&WEIGHTS, Weights::read)?,
        }))
    },
};

struct Rated {
    steps: usize,
    scale: f64,
    weights: Weights,
}

impl Cutoff for Rated {
    fn check(&self, trace: &Trace) -> Option<Worth> {
        let end = trace.steps() - trace.tree_steps() >= self.steps;
        end.then_some(Worth::Rating { scale: self.scale })
    }

    fn weights(&self) -> Option<&Weights> {
        Some(&self.weights)
    }
}
