//! Which moves of a new node the tree looks at.
//!
//! One rule per file, one line each in [`EXPANSIONS`]. A move that is left out of a node is never
//! tried there (hard pruning); play-outs still choose among all moves.

mod groups;

use gamegrove_game::{Move, Rng, Role, TypedMoves};

use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::tree::Facts;

/// All rules. Without one a node has all legal moves.
pub static EXPANSIONS: &[Entry<dyn Expansion>] = &[groups::ENTRY];

/// Leaves moves out of new nodes.
pub trait Expansion: Send {
    /// Writes to `kept`, which is empty, the moves of a role that a new node gets, at least one.
    /// `groups` has a number for each of `moves`, equal for those that are much alike.
    fn keep(&mut self, moves: &[Move], groups: &[u64], rng: &mut Rng, kept: &mut Vec<Move>);
}

/// Makes the rule called `name`.
pub(crate) fn build(
    name: &str,
    options: &mut Options<'_>,
) -> Result<Box<dyn Expansion>, SettingsError> {
    crate::registry::build("expand", EXPANSIONS, name, options)
}

/// A rule at work, with what the game says about its moves.
pub(crate) struct Narrowing<S> {
    rule: Box<dyn Expansion>,
    reader: Box<dyn TypedMoves<S>>,
    /// Its own chance, so that it takes none from simulations.
    rng: Rng,
    groups: Vec<u64>,
    kept: Vec<Move>,
    moves: Vec<Move>,
    ends: Vec<u32>,
}

impl<S> Narrowing<S> {
    /// Puts a rule to work.
    pub(crate) fn new(rule: Box<dyn Expansion>, reader: Box<dyn TypedMoves<S>>, seed: u64) -> Self {
        Narrowing {
            rule,
            reader,
            rng: Rng::stream(seed, STREAM),
            groups: Vec::new(),
            kept: Vec::new(),
            moves: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// The facts of a state with fewer moves.
    pub(crate) fn narrow(&mut self, state: &S, facts: &Facts<'_>) -> Facts<'_> {
        self.moves.clear();
        self.ends.clear();
        let mut from = 0;
        for (role, &end) in Role::all(facts.ends.len()).zip(facts.ends) {
            let moves = &facts.moves[std::mem::replace(&mut from, end as usize)..end as usize];
            self.kept.clear();
            if moves.len() > 1 {
                self.reader.groups(state, role, moves, &mut self.groups);
                self.rule.keep(moves, &self.groups, &mut self.rng, &mut self.kept);
            }
            let kept = if self.kept.is_empty() { moves } else { &self.kept };
            self.moves.extend_from_slice(kept);
            self.ends.push(self.moves.len() as u32);
        }
        Facts { ended: None, moves: &self.moves, ends: &self.ends }
    }
}

/// The stream of the seed that picks which moves are kept.
const STREAM: u64 = 0x6772_6f75_7073;
