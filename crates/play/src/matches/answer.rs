//! What a player answers when it is asked for a move.

use std::time::Duration;

use gamegrove_game::Move;

use crate::matches::record::{SearchRecord, Wrong};

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
