//! Play-outs that end early with what the search has learned of states like the last one.
//!
//! A model predicts each role's goal from the facts of a state: a weight for each fact, summed and
//! squashed. It learns inside the search, from the play-outs that are not cut off: the facts of some
//! of their states, and how they ended. Games in which pieces and places tell who wins are judged
//! well after a few thousand play-outs; where facts one by one tell little the model knows that, since
//! it compares itself with the play-outs it did not cut off, and cuts nothing.

use std::cell::Cell;

use gamegrove_game::Role;

use super::{Cutoff, Worth};
use crate::parameter::Parameter;
use crate::registry::Entry;
use crate::trace::Trace;

const STEPS: Parameter =
    Parameter::whole("steps", 4.0, (0.0, 1e9), "steps below the tree after which a play-out ends");
const EVERY: Parameter = Parameter::whole(
    "every",
    4.0,
    (2.0, 1e9),
    "every how many simulations one is played to its end, to learn from",
);
const WARM: Parameter =
    Parameter::whole("warm", 500.0, (0.0, 1e9), "simulations that are all played to their ends");
const RATE: Parameter = Parameter::real("rate", 0.3, (1e-6, 1e3), "how fast weights change");
const TRUST: Parameter = Parameter::real(
    "trust",
    0.1,
    (-1e9, 1.0),
    "the share of the variance of goals that must be explained before play-outs are cut off",
);
const STRIDE: Parameter = Parameter::whole("stride", 3.0, (1.0, 1e9), "steps between states that are learned from");

pub(super) const ENTRY: Entry<dyn Cutoff> = Entry {
    name: "learned",
    sentence: "play-outs end after a number of steps, with what facts of states have foretold so far",
    source: "Gamegrove",
    parameters: &[STEPS, EVERY, WARM, RATE, TRUST, STRIDE],
    build: |options| {
        Ok(Box::new(Learned {
            steps: options.number(&STEPS)? as usize,
            every: options.number(&EVERY)? as u64,
            warm: options.number(&WARM)? as u64,
            trust: options.number(&TRUST)?,
            stride: options.number(&STRIDE)? as usize,
            rate: options.number(&RATE)?,
            seen: 0,
            learned: 0,
            models: Vec::new(),
            errors: Errors::default(),
            predicted: Cell::new(0.0),
        }))
    },
};

struct Learned {
    steps: usize,
    every: u64,
    warm: u64,
    trust: f64,
    stride: usize,
    rate: f64,
    seen: u64,
    learned: u64,
    models: Vec<Model>,
    errors: Errors,
    predicted: Cell<f64>,
}

#[derive(Default, Clone)]
struct Model {
    bias: f32,
    bias_squares: f32,
    weights: Vec<(f32, f32)>,
}

impl Model {
    fn logit(&self, facts: &[u32]) -> f32 {
        let weight = |&fact: &u32| self.weights.get(fact as usize).map_or(0.0, |w| w.0);
        self.bias + facts.iter().map(weight).sum::<f32>()
    }

    fn learn(&mut self, facts: &[u32], goal: f32, rate: f32) {
        let error = goal - squash(self.logit(facts));
        let rate = rate / (facts.len() as f32 + 1.0).sqrt();
        for &fact in facts {
            let fact = fact as usize;
            if self.weights.len() <= fact {
                self.weights.resize(fact + 1, (0.0, 0.0));
            }
            let (weight, squares) = &mut self.weights[fact];
            *squares += error * error;
            *weight += rate * error / squares.sqrt().max(1e-3);
        }
        self.bias_squares += error * error;
        self.bias += rate * error / self.bias_squares.sqrt().max(1e-3);
    }
}

fn squash(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// How well the model foretells, beside the mean of all.
#[derive(Default, Clone, Copy)]
struct Errors {
    weight: f64,
    sum: f64,
    squares: f64,
    model: f64,
}

impl Errors {
    fn add(&mut self, goal: f64, predicted: f64) {
        let keep = 0.999;
        self.weight = self.weight * keep + 1.0;
        self.sum = self.sum * keep + goal;
        self.squares = self.squares * keep + goal * goal;
        self.model = self.model * keep + (goal - predicted).powi(2);
    }

    fn explained(&self) -> f64 {
        let mean = self.sum / self.weight;
        let variance = self.squares / self.weight - mean * mean;
        if variance <= 1e-9 { 0.0 } else { 1.0 - self.model / self.weight / variance }
    }
}

impl Cutoff for Learned {
    fn check(&self, trace: &Trace) -> Option<Worth> {
        let below = trace.steps() - trace.tree_steps();
        (below >= self.steps && (below - self.steps) % self.stride == 0).then_some(Worth::Learned)
    }

    fn needs_facts(&self) -> bool {
        true
    }

    fn foretell(&mut self, trace: &Trace, facts: &[u32], goals: &mut Vec<f64>) -> bool {
        if trace.sample_count() > 1 {
            return false;
        }
        self.seen += 1;
        if self.learned < self.warm || self.seen % self.every == 0 || self.errors.explained() < self.trust {
            return false;
        }
        goals.clear();
        goals.extend(self.models.iter().map(|model| f64::from(100.0 * squash(model.logit(facts)))));
        true
    }

    fn learn(&mut self, trace: &Trace) {
        if trace.sample_count() == 0 {
            return;
        }
        self.models.resize(trace.roles(), Model::default());
        self.learned += 1;
        for role in Role::all(trace.roles()) {
            let goal = trace.goals()[role.index()] / 100.0;
            let model = &mut self.models[role.index()];
            if role.index() == 0 {
                let predicted = f64::from(squash(model.logit(trace.sample(0))));
                self.errors.add(goal, predicted);
                self.predicted.set(predicted);
            }
            for at in 0..trace.sample_count() {
                model.learn(trace.sample(at), goal as f32, self.rate as f32);
            }
        }
        if std::env::var_os("MODEL").is_some() && self.learned.is_power_of_two() {
            eprintln!("learned {} seen {} explained {:.3}", self.learned, self.seen, self.errors.explained());
        }
    }
}
