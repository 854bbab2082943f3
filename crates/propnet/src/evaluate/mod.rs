//! Evaluators: the values of a network's components for one state at a time [Sironi 2019, 4.2.3].
//!
//! Two engines behind one trait, so that each is checked against the other:
//!
//! | engine | works on | rule |
//! |---|---|---|
//! | [`Forward`] | the [`crate::Circuit`] | counts inputs per gate, follows changes only; for play |
//! | [`Sweep`] | the network | evaluates everything, in order; to check the other |
//!
//! Positive cycles get their least fixpoint in each: all false first, then what follows.

mod forward;
mod sweep;

use std::sync::Arc;

use gamegrove_game::{Move, Role};

pub use self::forward::{Forward, Settings};
pub use self::sweep::Sweep;
use crate::invariants::Flaw;
use crate::network::Network;

/// Answers about one state at a time.
///
/// An evaluator remembers the state it looked at last; asking several questions about one state
/// costs one evaluation. States are words as in [`crate::Bits`].
pub trait Evaluator: Clone + Send {
    /// An evaluator for a network; the network's cycles and answers are checked.
    fn new(network: &Arc<Network>) -> Result<Self, Flaw>;

    /// Whether play is over.
    fn is_terminal(&mut self, state: &[u64]) -> bool;

    /// The legal moves of a role, one bit for each of [`Network::moves`].
    fn legal(&mut self, state: &[u64], role: Role) -> &[u64];

    /// The goals of a role that hold, one bit for each of [`Network::goals`].
    fn goals(&mut self, state: &[u64], role: Role) -> &[u64];

    /// Writes the state that follows when each role plays its entry of `joint`; `next` has as many
    /// words as `state`. Each role must make a move that exists, or the answer means nothing.
    fn next(&mut self, state: &[u64], joint: &[Move], next: &mut [u64]);
}

/// Sets bit `at` of `words` to `value`.
#[inline]
fn put(words: &mut [u64], at: usize, value: bool) {
    let mask = 1 << (at % 64);
    words[at / 64] = if value { words[at / 64] | mask } else { words[at / 64] & !mask };
}
