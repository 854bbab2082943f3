//! Choosing moves below the tree.
//!
//! One policy per file, one line each in [`POLICIES`]. The same policy also picks among untried
//! moves of a node where the selection leaves them to it.

mod by_type;
mod fast;
mod mast;
mod nppa;
mod nst;
mod opponent_model;
mod past;
mod ppa;
mod sample;
mod sum;
mod uniform;

use gamegrove_game::{FeatureNames, Move, MoveSet, Preference, Rng, Role};

use crate::beliefs::{Beliefs, Modelled, Offer};
use crate::learn::Tables;
use crate::parameter::Values;
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::trace::{Needs, Trace};
use crate::typed::TypeView;

/// All play-out policies; the first is the default.
pub static POLICIES: &[Entry<dyn Policy>] = &[
    uniform::ENTRY,
    mast::MAST,
    mast::TO_MAST,
    nst::ENTRY,
    ppa::ENTRY,
    nppa::ENTRY,
    past::ENTRY,
    fast::ENTRY,
    sum::ENTRY,
    by_type::ENTRY,
    opponent_model::ENTRY,
];

/// A choice to be made by one role in one state of a play-out.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// The role that chooses.
    pub role: Role,
    /// The simulation so far.
    pub trace: &'a Trace,
    /// The features that hold, if a part needs them.
    pub features: &'a [u32],
    /// The types of the legal moves, if a part needs them.
    pub view: TypeView<'a>,
    /// Parameters.
    pub values: &'a Values,
    /// Statistics of the whole tree.
    pub tables: &'a Tables,
}

/// Chooses moves in play-outs.
pub trait Policy: Send {
    /// What must be recorded for it.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// Gets to know the names of features and moves, once, if it needs features.
    fn introduce(&mut self, _names: &mut dyn FnMut() -> Box<dyn FeatureNames>) {}

    /// What it believes of a role when a match starts, if it needs types of moves.
    fn first_beliefs(&self) -> Beliefs {
        Beliefs::default()
    }

    /// The roles that its beliefs are about.
    fn modelled(&self) -> Modelled {
        Modelled::Others
    }

    /// Changes what is believed of a role after a move of type `taken` was chosen from an
    /// offer, on the board or in a simulation.
    fn observe(
        &self,
        _values: &Values,
        _role: Role,
        _offer: &Offer,
        _taken: usize,
        _beliefs: &mut Beliefs,
    ) {
    }

    /// Whether it has a say in nodes of the tree too.
    fn guides_tree(&self) -> bool {
        false
    }

    /// The type of move that a role other than the searcher's takes from an offer in a node of the
    /// tree; `None` if all moves are open.
    fn type_in_tree(
        &self,
        _values: &Values,
        _role: Role,
        _offer: &Offer,
        _beliefs: &Beliefs,
        _rng: &mut Rng,
    ) -> Option<usize> {
        None
    }

    /// Whether all moves are equally likely, so that callers need not ask.
    fn is_uniform(&self) -> bool {
        false
    }

    /// The place in `legal` of the move to play. There are at least two.
    fn choose(&mut self, turn: &Turn<'_>, legal: &[Move], rng: &mut Rng) -> usize;

    /// The same choice from a set of moves, for callers that have legal moves as bits; `None` if the moves
    /// must be listed for [`choose`](Policy::choose). Takes the same random numbers.
    fn choose_in(&mut self, _: &Turn<'_>, _legal: MoveSet<'_>, _: &mut Rng) -> Option<Move> {
        None
    }

    /// Writes by what a role chooses below the tree, which has so many moves, if its choice depends on nothing
    /// but the tables and what is legal; `false` if it depends on more. Lanes choose by that themselves.
    fn prefer(&self, _: &Tables, _: &Values, _: Role, _moves: usize, _: &mut Preference) -> bool {
        false
    }

    /// Writes what it thinks each legal move is worth, from 0 to 100 or thereabouts; `false` if it
    /// has nothing to say here. For policies made of others.
    fn rate(&mut self, _turn: &Turn<'_>, _legal: &[Move], _values: &mut Vec<f64>) -> bool {
        false
    }
}

/// Makes the policy called `name`.
pub(crate) fn build(
    name: &str,
    options: &mut Options<'_>,
) -> Result<Box<dyn Policy>, SettingsError> {
    crate::registry::build("playout", POLICIES, name, options)
}
