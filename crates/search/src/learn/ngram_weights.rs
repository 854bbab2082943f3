//! A weight for every N-gram of every role: the table of NPPA.
//!
//! The rule of PPA for each length by itself: the moves before the choice are the context, and the
//! probabilities are those of all legal moves in that context [Sironi et al. 2021, 5.2].
//! Visits count how often a weight was updated, also for moves that were legal and not played; or,
//! as an option, how often the N-gram occurred.

use gamegrove_game::{Move, Role};

use super::Learner;
use super::adaptation::{Adaptation, Weight, probabilities};
use super::grams::{Context, Grams, Order, history};
use crate::trace::{Needs, Trace};

/// What the visits of an N-gram count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visits {
    /// Updates of its weight.
    Updates,
    /// How often it was played in a simulation that taught its role something.
    Occurrences,
}

/// A weight for every N-gram of every role.
#[derive(Clone, Debug)]
pub struct NgramWeights {
    rule: Adaptation,
    /// The share that is kept when a move is played on the board.
    keep: f64,
    longest: usize,
    order: Order,
    visits: Visits,
    grams: Grams<Weight>,
    /// Buffers.
    factors: Vec<f64>,
    old: Vec<(f64, f64)>,
    probabilities: Vec<f64>,
    touched: Vec<(Role, Context, Move)>,
}

impl PartialEq for NgramWeights {
    fn eq(&self, other: &Self) -> bool {
        (self.rule, self.keep, self.longest, self.order, self.visits)
            == (other.rule, other.keep, other.longest, other.order, other.visits)
    }
}

impl NgramWeights {
    /// All weights 0, for N-grams up to a length.
    pub fn new(
        (rule, keep): (Adaptation, f64),
        longest: usize,
        order: Order,
        visits: Visits,
    ) -> NgramWeights {
        NgramWeights {
            rule,
            keep,
            longest,
            order,
            visits,
            grams: Grams::default(),
            factors: Vec::new(),
            old: Vec::new(),
            probabilities: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Whose move comes before whose.
    pub(crate) fn order(&self) -> Order {
        self.order
    }

    /// All N-grams.
    pub(crate) fn grams(&self) -> &Grams<Weight> {
        &self.grams
    }

    fn adapt(&mut self, role: Role, context: Context, legal: &[u32], played: Move, size: f64) {
        self.old.clear();
        for &mov in legal {
            let weight = self.grams.get(role, context, Move(mov)).copied().unwrap_or_default();
            self.old.push((weight.weight, weight.exp));
        }
        probabilities(&self.old, &mut self.probabilities);
        for (&mov, &probability) in legal.iter().zip(&self.probabilities) {
            let weight = self.grams.entry(role, context, Move(mov));
            if weight.change == 0.0 {
                self.touched.push((role, context, Move(mov)));
            }
            weight.change += self.rule.change(size, probability, mov == played.0);
            weight.visits += u32::from(self.visits == Visits::Updates || mov == played.0);
        }
    }
}

impl Learner for NgramWeights {
    fn needs(&self) -> Needs {
        Needs { legal: true, ..Needs::default() }
    }

    fn learn(&mut self, trace: &Trace) {
        self.grams.set_roles(trace.roles());
        let mut factors = std::mem::take(&mut self.factors);
        self.rule.factors(trace.goals(), &mut factors);
        for (role, &factor) in Role::all(trace.roles()).zip(&factors) {
            if factor == 0.0 {
                continue;
            }
            for step in 0..trace.steps() {
                let legal = trace.legal(step, role);
                if legal.len() < 2 {
                    continue;
                }
                let size = self.rule.step_size(factor, trace.steps() - 1 - step);
                let played = trace.joint(step)[role.index()];
                let keys = history(self.order, trace, step, role, self.longest - 1);
                let mut context = Context::EMPTY;
                self.adapt(role, context, legal, played, size);
                for &key in &keys {
                    context = self.grams.longer(role, context, key);
                    self.adapt(role, context, legal, played, size);
                }
            }
        }
        self.factors = factors;
        for (role, context, mov) in self.touched.drain(..) {
            self.grams.entry(role, context, mov).settle();
        }
    }

    fn new_step(&mut self) {
        match self.keep {
            1.0 => {}
            0.0 => self.grams.retain(|_, _| false),
            keep => self.grams.entries_mut().for_each(|weight| weight.decay(keep)),
        }
    }

    fn forget_rare(&mut self) {
        self.grams.forget_rare(|weight| f64::from(weight.visits));
    }

    fn bytes(&self) -> usize {
        self.grams.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::{Composition, Options, Part};

    #[test]
    fn every_length_is_normalised_by_itself() {
        let part = Part::named("nppa");
        let mut composition = Composition::default();
        let rule =
            Adaptation::read(&mut Options::new(&part, &mut composition)).expect("good options");
        for (visits, of_sibling) in [(Visits::Updates, 2), (Visits::Occurrences, 0)] {
            let mut table = NgramWeights::new((rule, 1.0), 2, Order::Roles, visits);
            let mut trace = Trace::default();
            trace.begin(1, 1.0);
            for _ in 0..2 {
                trace.note_legal(&[Move(0), Move(1)]);
                trace.push(&[Move(0)]);
            }
            trace.finish([100.0].into_iter());
            table.learn(&trace);
            let role = Role(0);
            let contexts = table.grams().contexts(role, &[0]);
            assert_eq!(contexts.len(), 2);
            let get = |context, mov| *table.grams().get(role, context, Move(mov)).expect("known");
            // The single move was updated in both steps, the pair in the second alone.
            assert_eq!(get(contexts[0], 0).weight, 1.0);
            assert_eq!(get(contexts[0], 1).weight, -1.0);
            assert_eq!(get(contexts[1], 0).weight, 0.5);
            assert_eq!(get(contexts[1], 1).weight, -0.5);
            assert_eq!(get(contexts[0], 0).visits, 2);
            assert_eq!(get(contexts[0], 1).visits, of_sibling);
        }
    }
}
