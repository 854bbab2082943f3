//! Statistics that span the whole tree, and how they learn from simulations.
//!
//! A [`Learner`] is shown every finished simulation. Strategies that read it hold a [`Handle`].
//! Strategies that ask for equal tables share one, so it learns once.

pub(crate) mod adaptation;
mod decay;
mod fact_averages;
mod fast;
pub(crate) mod grams;
mod move_averages;
mod move_weights;
mod ngram_averages;
mod ngram_weights;
mod sparse;

use std::any::Any;
use std::marker::PhantomData;

pub(crate) use decay::{BATCH, DECAY, DECAY_WHEN, ROUND};
pub use decay::{Decay, DecayWhen};
pub use fact_averages::FactAverages;
pub(crate) use fast::Reader;
pub use fast::{Family, FastSettings, FastTable, Scale};
pub(crate) use grams::Order;
pub use move_averages::{Average, MoveAverages, Scope};
pub use move_weights::MoveWeights;
pub use ngram_averages::NgramAverages;
pub use ngram_weights::{NgramWeights, Visits};

use gamegrove_game::FeatureNames;

use crate::trace::{Needs, Trace};

/// A table that learns from simulations.
pub trait Learner: Any + Send {
    /// What a trace must hold for it.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// Reads the names of features and moves, once, if it needs features.
    fn introduce(&mut self, _names: &mut dyn FnMut() -> Box<dyn FeatureNames>) {}

    /// Learns from one simulation.
    fn learn(&mut self, trace: &Trace);

    /// A move has been played on the board: what was learned is a step older.
    fn new_step(&mut self) {}

    /// Memory is short: what was seen least may be forgotten.
    fn forget_rare(&mut self) {}

    /// The memory it takes, in bytes.
    fn bytes(&self) -> usize;
}

/// The place of a table of type `T` in [`Tables`].
pub struct Handle<T> {
    at: usize,
    table: PhantomData<fn() -> T>,
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

/// All tables of one search.
#[derive(Default)]
pub struct Tables {
    learners: Vec<Box<dyn Learner>>,
}

impl Tables {
    /// The table like `fresh`, a new one if there is none yet.
    pub(crate) fn request<T: Learner + PartialEq>(&mut self, fresh: T) -> Handle<T> {
        let like =
            |learner: &dyn Learner| (learner as &dyn Any).downcast_ref::<T>() == Some(&fresh);
        let at =
            self.learners.iter().position(|learner| like(learner.as_ref())).unwrap_or_else(|| {
                self.learners.push(Box::new(fresh));
                self.learners.len() - 1
            });
        Handle { at, table: PhantomData }
    }

    /// Whether there is no table.
    pub(crate) fn is_empty(&self) -> bool {
        self.learners.is_empty()
    }

    /// A table.
    #[inline]
    pub fn get<T: Learner>(&self, handle: Handle<T>) -> &T {
        let any: &dyn Any = self.learners[handle.at].as_ref();
        any.downcast_ref().expect("a handle is made with its table")
    }

    pub(crate) fn introduce(&mut self, names: &mut dyn FnMut() -> Box<dyn FeatureNames>) {
        for learner in &mut self.learners {
            learner.introduce(names);
        }
    }

    pub(crate) fn forget_rare(&mut self) {
        for learner in &mut self.learners {
            learner.forget_rare();
        }
    }

    /// Shows all tables a simulation.
    pub(crate) fn learn(&mut self, trace: &Trace) {
        for learner in &mut self.learners {
            learner.learn(trace);
        }
    }

    /// Tells all tables that a move has been played on the board.
    pub(crate) fn new_step(&mut self) {
        for learner in &mut self.learners {
            learner.new_step();
        }
    }

    /// What all tables together need.
    pub(crate) fn needs(&self) -> Needs {
        self.learners.iter().fold(Needs::default(), |needs, learner| needs.and(learner.needs()))
    }

    /// The memory of all tables, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.learners.iter().map(|learner| learner.bytes()).sum()
    }
}
