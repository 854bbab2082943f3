//! Which moves of a new node the tree looks at.
//!
//! One rule per file, one line each in [`EXPANSIONS`]. A move that is left out of a node is never
//! tried there (hard pruning); play-outs still choose among all moves.

mod groups;

use std::hash::Hash;

use gamegrove_game::{Game, Move, Rng, Role, TypedMoves};

use crate::core::Core;
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::tree::{Facts, NodeId};

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
    /// The facts of a state with fewer moves.
    fn narrow(&mut self, state: &S, facts: &Facts<'_>) -> Facts<'_> {
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

impl<S: Clone + Eq + Hash> Core<S> {
    /// Puts the rule of the settings to work, if there is one.
    pub(crate) fn introduce_groups<G: Game<State = S>>(
        &mut self,
        game: &G,
        seed: u64,
    ) -> Result<(), SettingsError> {
        let Some(rule) = self.extras.expand.take() else { return Ok(()) };
        let part = "expand".to_owned();
        if self.settings.open_loop {
            let what = "a tree whose nodes are states (`tree=closed`)".to_owned();
            return Err(SettingsError::Unable { part, what });
        }
        let Some(reader) = game.move_types() else {
            return Err(SettingsError::Unable { part, what: "types of moves".to_owned() });
        };
        // What is proved about some of the moves is not proved.
        self.solver = None;
        self.narrowing = Some(Narrowing {
            rule,
            reader,
            rng: Rng::stream(seed, STREAM),
            groups: Vec::new(),
            kept: Vec::new(),
            moves: Vec::new(),
            ends: Vec::new(),
        });
        Ok(())
    }

    /// Adds a node for a state, with those of its moves that are worth a look.
    pub(crate) fn add_node(&mut self, state: &S, facts: &Facts<'_>) -> NodeId {
        let Core { narrowing, tree, step, .. } = self;
        match narrowing {
            Some(narrowing) if facts.ended.is_none() => {
                tree.add(Some(state.clone()), &narrowing.narrow(state, facts), *step)
            }
            _ => tree.add(Some(state.clone()), facts, *step),
        }
    }
}

/// The stream of the seed that picks which moves are kept.
const STREAM: u64 = 0x6772_6f75_7073;
