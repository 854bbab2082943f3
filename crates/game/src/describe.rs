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

    /// The facts of `state`, one sentence each, sorted.
    fn facts(&self, state: &Self::State) -> Vec<String>;

    /// A drawing of `state` in characters, if the game has one of its own.
    fn picture(&self, _state: &Self::State) -> Option<String> {
        None
    }

    /// The effect of a move of `role` in `state`, in words, if the game can tell.
    fn outcome_in_words(&self, _state: &Self::State, _role: Role, _mov: Move) -> Option<String> {
        None
    }

    /// The legal move of `role` that people mean by `text`, in games in which moves can be said in
    /// more ways than by their names.
    fn interpret(&mut self, _state: &Self::State, _role: Role, _text: &str) -> Option<Move> {
        None
    }

    /// How moves are written, line by line, if the game explains it.
    fn notation(&self) -> Option<&'static str> {
        None
    }
}
