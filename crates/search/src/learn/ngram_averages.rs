//! The mean return of every N-gram of every role: the table of NST.
//!
//! Every l-gram of every role, l up to L, gets the role's return, once for each occurrence
//! [Sironi et al. 2021, 3.4]. N-grams do not reach back before the root.

use gamegrove_game::{Move, Role};

use super::grams::{Context, Grams, Order, history};
use super::{Average, Decay, DecayWhen, Learner};
use crate::trace::{Needs, Trace};

/// The mean return of every N-gram of every role.
#[derive(Clone, Debug)]
pub struct NgramAverages {
    longest: usize,
    order: Order,
    decay: Decay,
    since_decay: u64,
    grams: Grams<Average>,
    /// What the last simulation touched, if that matters.
    touched: Vec<(Role, Context, Move)>,
}

impl PartialEq for NgramAverages {
    fn eq(&self, other: &Self) -> bool {
        (self.longest, self.order, self.decay) == (other.longest, other.order, other.decay)
    }
}

impl NgramAverages {
    /// An empty table of N-grams up to a length.
    pub fn new(longest: usize, order: Order, decay: Decay) -> NgramAverages {
        let (grams, touched) = (Grams::default(), Vec::new());
        NgramAverages { longest, order, decay, since_decay: 0, grams, touched }
    }

    /// Whose move comes before whose.
    pub(crate) fn order(&self) -> Order {
        self.order
    }

    /// All N-grams.
    pub(crate) fn grams(&self) -> &Grams<Average> {
        &self.grams
    }

    fn decay_all(&mut self) {
        let Decay { keep, round, .. } = self.decay;
        for average in self.grams.entries_mut() {
            average.decay(keep, round);
        }
        self.grams.retain(|_, average| average.visits > 0.0);
    }
}

impl Learner for NgramAverages {
    fn needs(&self) -> Needs {
        Needs { legal: self.order == Order::Turns, ..Needs::default() }
    }

    fn learn(&mut self, trace: &Trace) {
        self.grams.set_roles(trace.roles());
        self.touched.clear();
        for step in 0..trace.steps() {
            for role in Role::all(trace.roles()) {
                let mov = trace.joint(step)[role.index()];
                let value = trace.value(step, role);
                let keys = history(self.order, trace, step, role, self.longest - 1);
                let mut context = Context::EMPTY;
                for length in 0..=keys.len() {
                    if length > 0 {
                        context = self.grams.longer(role, context, keys[length - 1]);
                    }
                    self.grams.entry(role, context, mov).add(value);
                    if self.decay.when == DecayWhen::Simulation {
                        self.touched.push((role, context, mov));
                    }
                }
            }
        }
        self.since_decay += 1;
        let Decay { when, keep, round, batch } = self.decay;
        match when {
            DecayWhen::Move => {}
            DecayWhen::Batch => {
                if self.since_decay >= batch {
                    self.since_decay = 0;
                    self.decay_all();
                }
            }
            DecayWhen::Simulation => {
                // Each N-gram once, however often it occurred [Sironi 2019, 2.4.2].
                self.touched.sort_unstable();
                self.touched.dedup();
                for &(role, context, mov) in &self.touched {
                    self.grams.entry(role, context, mov).decay(keep, round);
                }
            }
        }
    }

    fn new_step(&mut self) {
        if self.decay.when == DecayWhen::Move && self.decay.keep != 1.0 {
            self.decay_all();
        }
    }

    fn forget_rare(&mut self) {
        self.grams.forget_rare(|average| average.visits);
    }

    fn bytes(&self) -> usize {
        self.grams.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_decays_once_a_simulation_however_often_it_occurred() {
        let decay = Decay { keep: 0.5, when: DecayWhen::Simulation, round: false, ..Decay::NONE };
        let mut table = NgramAverages::new(2, Order::Roles, decay);
        let mut trace = Trace::default();
        trace.begin(1, 1.0);
        for mov in [3, 3, 3, 4] {
            trace.push(&[Move(mov)]);
        }
        trace.finish([100.0].into_iter());
        table.learn(&trace);
        let role = Role(0);
        let visits = |context, mov| {
            table
                .grams()
                .get(role, context, Move(mov))
                .map_or(0.0, |average: &Average| average.visits)
        };
        assert_eq!(visits(Context::EMPTY, 3), 1.5);
        assert_eq!(visits(Context::EMPTY, 4), 0.5);
        let after_three = table.grams().contexts(role, &[3])[1];
        assert_eq!(visits(after_three, 3), 1.0);
        assert_eq!(visits(after_three, 4), 0.5);
    }
}
