//! A state of play.
//!
//! Only the owner of a placed piece is stored.

use gamegrove_game::Role;

use crate::board::Bits;
use crate::rules::Stock;

/// Owners of the positions, stocks and the number of placements so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) pieces: [Bits; 2],
    pub(crate) stock: [Stock; 2],
    pub(crate) ply: u8,
}

impl State {
    /// The positions `role` holds.
    pub fn pieces(&self, role: Role) -> Bits {
        self.pieces[role.index() & 1]
    }

    /// The pieces `role` has left to place.
    pub fn stock(&self, role: Role) -> Stock {
        self.stock[role.index() & 1]
    }

    /// Placements so far, of both players.
    pub fn ply(&self) -> u8 {
        self.ply
    }

    /// Whose turn it is.
    pub fn mover(&self) -> Role {
        Role(self.ply & 1)
    }

    /// How many pieces each player has on the board.
    pub fn score(&self) -> [u32; 2] {
        self.pieces.map(Bits::count_ones)
    }

    /// The positions of the player to move and of the other.
    pub(crate) fn sides(&self) -> (Bits, Bits) {
        let mover = usize::from(self.ply & 1);
        (self.pieces[mover], self.pieces[mover ^ 1])
    }
}
