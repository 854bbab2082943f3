//! Moves by what they do: types that strategies tell apart, and groups of moves that come to the
//! same [Fernandes 2013, 2.5, 4.1.3].

use crate::{Move, Role};

/// The most types a game may tell apart.
pub const MAX_MOVE_TYPES: usize = 16;

/// Tells the types of moves, for games in which every legal move has one. A type is a number, the
/// same in every state, and below [`MAX_MOVE_TYPES`].
pub trait TypedMoves<S>: Send {
    /// Names of the types; a type is a place in this list.
    fn type_names(&self) -> &'static [&'static str];

    /// All types in the order in which a player considers them: it takes or declines each before it considers
    /// the next. The last type is taken if all others were declined.
    fn thought_order(&self) -> &'static [u8];

    /// Writes the legal moves of `role` in `state` to `moves`, as
    /// [`legal_moves`](crate::Game::legal_moves) does, and the type of each to the same place of
    /// `types`. Roles that wait have their one move and no type, so `types` is then empty.
    fn typed_moves(&mut self, state: &S, role: Role, moves: &mut Vec<Move>, types: &mut Vec<u8>);

    /// The type of one legal move; `None` for a move that has none.
    fn type_of(&mut self, state: &S, role: Role, mov: Move) -> Option<u8>;

    /// Writes a number for each of `moves`, which are legal moves of `role` in `state`: moves with
    /// equal numbers are so much alike that a search may look at one of them only. By default no two
    /// are.
    fn groups(&mut self, _state: &S, _role: Role, moves: &[Move], groups: &mut Vec<u64>) {
        groups.clear();
        groups.extend(moves.iter().map(|mov| u64::from(mov.0)));
    }
}
