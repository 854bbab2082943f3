//! Choosing moves below the tree.
//!
//! One policy per file, one line each in [`POLICIES`]. The same policy also picks among untried
//! moves of a node where the selection leaves them to it.

mod mast;
mod sample;
mod uniform;

use gamegrove_game::{Move, Rng, Role};

use crate::learn::Tables;
use crate::parameter::Values;
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::trace::{Needs, Trace};

/// All play-out policies; the first is the default.
pub static POLICIES: &[Entry<dyn Policy>] = &[uniform::ENTRY, mast::MAST, mast::TO_MAST];

/// A choice to be made by one role in one state of a play-out.
pub struct Turn<'a> {
    /// Who chooses.
    pub role: Role,
    /// The simulation so far.
    pub trace: &'a Trace,
    /// The features that hold, if a part needs them.
    pub features: &'a [u32],
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

    /// Whether all moves are equally likely, so that whoever plays need not ask.
    fn is_uniform(&self) -> bool {
        false
    }

    /// The place in `legal` of the move to play. There are at least two.
    fn choose(&mut self, turn: &Turn<'_>, legal: &[Move], rng: &mut Rng) -> usize;
}

/// Makes the policy called `name`.
pub(crate) fn build(
    name: &str,
    options: &mut Options<'_>,
) -> Result<Box<dyn Policy>, SettingsError> {
    crate::registry::build("playout", POLICIES, name, options)
}
