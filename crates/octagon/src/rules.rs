//! The rules of one game: a board, its length, the stock and every reading that the published rules leave open.
//!
//! [Fernandes 2013, 2.2] Values come from `games/octagon.toml` (see
//! [`Config`](crate::Config)); nothing here has a default.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::board::Shape;
use crate::groups::Likeness;
use crate::piece::{Piece, TwoPiece};

/// Everything that defines a game. It can be written into result files as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rules {
    /// The name of the board.
    pub board: String,
    /// The board.
    #[serde(flatten)]
    pub shape: Shape,
    /// Placements of each player.
    pub turns: u8,
    /// The name of the stock.
    pub stock_name: String,
    /// Pieces each player starts with.
    pub stock: Stock,
    /// The effect of a push on a line of several pieces.
    pub cannon: Cannon,
    /// How the lines of a 2-piece lie.
    pub two_piece: TwoPiece,
    /// Which placements count as moves.
    pub moves: Listing,
    /// Which moves are so much alike that a search may look at one of them only.
    pub likeness: Likeness,
    /// Moves that are played before the game starts, by name. [Fernandes 2013, 5.3.2] starts at turn 50.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<String>,
}

/// The most turns a player can have: plies are counted in a byte.
pub const MAX_TURNS: u8 = 127;

impl Rules {
    /// Placements of both players together.
    pub fn plies(&self) -> u8 {
        2 * self.turns.min(MAX_TURNS)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { half_width, reach } = self.shape;
        write!(
            f,
            "board {} (half-width {half_width}, reach {reach}), {} turns each, stock {} ({}), \
             cannon {}, 2-piece {}, moves {}",
            self.board,
            self.turns,
            self.stock_name,
            self.stock,
            self.cannon.name(),
            self.two_piece.name(),
            self.moves.name()
        )?;
        match self.start.len() {
            0 => Ok(()),
            1 => f.write_str(", from the position after 1 move"),
            moves => write!(f, ", from the position after {moves} moves"),
        }
    }
}

/// A value chosen from a short list of named ones.
pub trait Choice: Copy + PartialEq + 'static {
    /// All values with their names in TOML.
    const ALL: &'static [(&'static str, Self)];

    /// The value's name.
    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, value)| *value == self).map_or("", |(name, _)| name)
    }
}

/// The effect of a push on a line of several enemy pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cannon {
    /// Only the last piece of the line moves.
    LastPiece,
    /// The whole line moves one step, so its first position becomes empty.
    LineShift,
}

impl Choice for Cannon {
    const ALL: &'static [(&'static str, Self)] =
        &[("last_piece", Cannon::LastPiece), ("line_shift", Cannon::LineShift)];
}

impl Choice for TwoPiece {
    const ALL: &'static [(&'static str, Self)] =
        &[("opposite", TwoPiece::Opposite), ("right_angle", TwoPiece::RightAngle)];
}

/// Which placements count as moves (section 4.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Listing {
    /// Unique moves: one per board that can result, by the weakest piece that does it.
    Weakest,
    /// One per board that can result and piece that does it.
    EachPiece,
    /// Every piece in every orientation, whether the result differs or not.
    EveryPlacement,
}

impl Choice for Listing {
    const ALL: &'static [(&'static str, Self)] = &[
        ("weakest", Listing::Weakest),
        ("each_piece", Listing::EachPiece),
        ("every_placement", Listing::EveryPlacement),
    ];
}

/// How many pieces of one kind are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Amount(u8);

impl Amount {
    /// Never runs out.
    pub const UNLIMITED: Amount = Amount(u8::MAX);
    /// The largest number that can be counted.
    pub const MOST: u8 = u8::MAX - 1;

    /// `count` pieces; what cannot be counted never runs out either, since no game is that long.
    pub fn limited(count: u8) -> Self {
        Amount(count)
    }

    /// Whether at least one is left.
    pub fn any(self) -> bool {
        self.0 > 0
    }

    /// The number left, or `None` if unlimited.
    pub fn count(self) -> Option<u8> {
        (self != Amount::UNLIMITED).then_some(self.0)
    }

    /// The stock after one piece is taken.
    pub(crate) fn less_one(self) -> Self {
        // Branch-free: only a count between 1 and 254 falls.
        Amount(self.0 - u8::from(self.0.wrapping_sub(1) < Amount::MOST))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count() {
            Some(count) => write!(f, "{count}"),
            None => f.write_str("unlimited"),
        }
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.count() {
            Some(count) => serializer.serialize_u8(count),
            None => serializer.serialize_str("unlimited"),
        }
    }
}

/// The pieces a player has left, by [`Piece::index`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Stock(pub [Amount; 4]);

impl Stock {
    /// How many of `piece` are left.
    pub fn amount(self, piece: Piece) -> Amount {
        self.0[piece.index()]
    }

    /// The kinds of which at least one is left, one bit each by [`Piece::index`].
    pub fn kinds(self) -> usize {
        (0..4).fold(0, |kinds, i| kinds | usize::from(self.0[i].any()) << i)
    }

    /// Takes one of `piece`.
    pub(crate) fn take(&mut self, piece: Piece) {
        self.0[piece.index()] = self.0[piece.index()].less_one();
    }
}

impl fmt::Display for Stock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in Piece::ALL {
            let gap = if piece == Piece::One { "" } else { " " };
            write!(f, "{gap}{piece}:{}", self.amount(piece))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_fall_to_nothing_unless_unlimited() {
        assert_eq!(Amount::limited(2).less_one(), Amount::limited(1));
        assert_eq!(Amount::limited(254).less_one(), Amount::limited(253));
        assert_eq!(Amount::limited(0).less_one(), Amount::limited(0));
        assert_eq!(Amount::UNLIMITED.less_one(), Amount::UNLIMITED);
        assert!(Amount::UNLIMITED.any() && !Amount::limited(0).any());
    }

    #[test]
    fn kinds_are_those_left() {
        let stock = Stock([Amount::UNLIMITED, Amount::limited(0), Amount::limited(1), Amount(0)]);
        assert_eq!(stock.kinds(), 0b0101);
        assert_eq!(stock.to_string(), "1:unlimited 2:0 4:1 8:0");
    }
}
