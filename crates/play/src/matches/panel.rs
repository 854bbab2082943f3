//! How the players of a match are asked: one after another in this process, or in ways that other
//! crates know.

use std::time::Duration;

use gamegrove_game::{Describe, Move, Role};

use crate::matches::record::{Ending, SearchRecord, Wrong};

/// A position of a match, for those who are to move in it.
#[derive(Debug)]
pub struct Position<'a, S> {
    /// Steps made before it.
    pub step: usize,
    /// The state.
    pub state: &'a S,
    /// What each role may do.
    pub legal: &'a [Vec<Move>],
    /// The joint move that led to it; empty at the start.
    pub last: &'a [Move],
}

/// What a player answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Its move, which the referee has yet to check; or why there is none, in words too.
    pub choice: Result<Move, (Wrong, String)>,
    /// How long it took.
    pub taken: Duration,
    /// What its search found, if that is known.
    pub search: Option<SearchRecord>,
}

/// All players of a match, and the way they are asked.
pub trait Panel<G: Describe> {
    /// The match starts in `state`. Returns what went wrong, with the role.
    fn start(&mut self, game: &mut G, state: &G::State) -> Vec<(Role, Wrong, String)>;

    /// Everybody's answer, in the order of the roles.
    fn ask(&mut self, game: &mut G, position: &Position<'_, G::State>) -> Vec<Answer>;

    /// The match is over; `last` is its last joint move, if there was one.
    fn finish(&mut self, game: &mut G, last: &[Move], ending: Ending);
}
