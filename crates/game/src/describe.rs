//! Names for people.

use crate::{Game, Move, Role};

/// A game whose roles, moves and states have names.
pub trait Describe: Game {
    /// The name of `role`.
    fn role_name(&self, role: Role) -> String;

    /// The name of a move of `role`.
    fn move_name(&self, role: Role, mov: Move) -> String;

    /// The move of `role` called `name`, if the game has met one.
    fn find_move(&mut self, role: Role, name: &str) -> Option<Move>;

    /// What holds in `state`, one sentence per fact, sorted.
    fn facts(&self, state: &Self::State) -> Vec<String>;
}
