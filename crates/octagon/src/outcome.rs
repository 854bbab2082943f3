//! What a move would do, for people: a preview of its pushes.

use gamegrove_game::Move;

use crate::board::{Bits, Position, members};
use crate::octagon::Octagon;
use crate::piece::Piece;
use crate::state::State;

/// Everything a move does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Where the piece is placed.
    pub placed: Position,
    /// The piece that leaves the stock.
    pub piece: Piece,
    /// The directions it pushes in, one bit each.
    pub directions: u8,
    /// The effects of its pushes.
    pub shifts: Vec<Shift>,
}

/// The effect of one push on a line of enemy pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The direction of the push.
    pub direction: usize,
    /// The piece next to the placed one.
    pub first: Position,
    /// The piece at the other end of the line.
    pub last: Position,
    /// The position that becomes empty.
    pub leaves: Position,
    /// The position that is taken; `None` if a piece is lost.
    pub enters: Option<Position>,
}

impl Octagon {
    /// What `mov` does when the player to move plays it; `None` if it is no placement on an empty
    /// position.
    pub fn outcome(&self, state: &State, mov: Move) -> Option<Outcome> {
        let (placed, placement) = self.placement(mov)?;
        let from = self.board().bit(placed);
        let sides = self.sides(state);
        if sides.empty >> from & 1 == 0 {
            return None;
        }
        let directions = self.placements().mask(placement);
        let shift = |direction: usize| {
            let shove = self.shove(sides, from, direction)?;
            Some(Shift {
                direction,
                first: self.board().neighbour(placed, direction)?,
                last: self.board().at_bit(shove.last)?,
                leaves: self.board().at_bit(shove.leaves)?,
                enters: shove.enters.and_then(|bit| self.board().at_bit(bit)),
            })
        };
        Some(Outcome {
            placed,
            piece: self.piece_used(state, placed, placement),
            directions,
            shifts: members(Bits::from(directions)).filter_map(|d| shift(d as usize)).collect(),
        })
    }
}
