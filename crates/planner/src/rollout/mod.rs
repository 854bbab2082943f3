//! How moves are chosen below the tree; one file and one line each.

mod fast_evo;
mod nst;
mod random;

use gamegrove_game::{Move, Rng};
use gamegrove_search::{Entry, ParameterId, Values};

use super::grams::Grams;
use super::knowledge::Knowledge;
use super::model::Look;
use super::stat::Bounds;

/// The input of a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// Distances to things in every state.
    pub distances: bool,
    /// Those that each move would lead to as well.
    pub ahead: bool,
    /// Statistics of sequences up to this length; 0 for none.
    pub grams: bool,
}

/// A choice below the tree.
pub struct Choice<'a> {
    /// The moves.
    pub moves: &'a [Move],
    /// Where each goes, if anywhere.
    pub directions: &'a [Option<(f64, f64)>],
    /// The state.
    pub look: &'a Look,
    /// Distances after each move, if wanted.
    pub ahead: &'a [Vec<f64>],
    /// The moves of this simulation so far: moves on fields.
    pub elements: &'a [u64],
    /// Statistics of sequences.
    pub grams: &'a Grams,
    /// The map from payoffs to the unit interval.
    pub bounds: &'a Bounds,
    /// The parameters of this simulation.
    pub values: &'a Values,
}

/// A way to choose moves below the tree.
pub trait Rollout: Send {
    /// The features it needs.
    fn sight(&self) -> Sight {
        Sight::default()
    }

    /// A decision begins.
    fn begin_step(&mut self, _knowledge: &Knowledge, _rng: &mut Rng) {}

    /// A simulation begins.
    fn begin(&mut self, _knowledge: &Knowledge, _rng: &mut Rng) {}

    /// The place of the move to play.
    fn choose(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize;

    /// The simulation brought this much.
    fn finish(&mut self, _reward: f64) {}

    /// The parameter that says how long the sequences are that it wants to be kept, if any.
    fn gram_length(&self) -> Option<ParameterId> {
        None
    }
}

/// All ways.
pub static ROLLOUTS: &[Entry<dyn Rollout>] = &[random::ENTRY, nst::ENTRY, fast_evo::ENTRY];
