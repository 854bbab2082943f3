//! Moves of play-outs that are too plain to be left to a policy.
//!
//! One tactic per file, one line each in [`TACTICS`].

mod decisive;

use gamegrove_game::{Move, Role};

use crate::ahead::Position;
use crate::part::{Options, SettingsError};
use crate::registry::Entry;

/// All tactics. Without one the policy chooses among all legal moves.
pub static TACTICS: &[Entry<dyn Tactic>] = &[decisive::ENTRY];

/// Narrows what a role chooses from.
pub trait Tactic: Send {
    /// Writes to `moves`, which is empty, those of `role`'s moves that the policy may choose from;
    /// leaves it empty if all may be chosen.
    fn narrow(&mut self, position: &mut dyn Position, role: Role, moves: &mut Vec<Move>);
}

/// Makes the tactic called `name`.
pub(crate) fn build(
    name: &str,
    options: &mut Options<'_>,
) -> Result<Box<dyn Tactic>, SettingsError> {
    crate::registry::build("tactic", TACTICS, name, options)
}
