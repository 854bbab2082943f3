//! Pieces and the ways to place them on one position.
//!
//! [Fernandes 2013, 2.2] A placement is a piece and the set of directions it pushes in;
//! orientations that give the same set are one placement. Placements are numbered, weakest piece
//! first, then by orientation; number 0 is kept for the quiet placement (see [`QUIET`]).

use std::fmt;

use serde::Serialize;

use crate::board::DIRECTION_NAMES;

/// The four pieces, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Pushes in one direction.
    One,
    /// Pushes in two directions; see [`TwoPiece`].
    Two,
    /// Pushes in all straight or all diagonal directions.
    Four,
    /// Pushes in all directions.
    Eight,
}

impl Piece {
    /// All pieces, weakest first.
    pub const ALL: [Piece; 4] = [Piece::One, Piece::Two, Piece::Four, Piece::Eight];

    /// The piece's place in arrays that hold one entry per piece.
    pub fn index(self) -> usize {
        self as usize
    }

    /// In how many directions the piece pushes.
    pub fn directions(self) -> u8 {
        1 << self as u8
    }

    /// The directions the piece pushes in, one bit each, when turned to `orientation` (0 to 7).
    pub fn mask(self, orientation: u32, two_piece: TwoPiece) -> u8 {
        let mask: u8 = match (self, two_piece) {
            (Piece::One, _) => 0b0000_0001,
            (Piece::Two, TwoPiece::Opposite) => 0b0001_0001,
            (Piece::Two, TwoPiece::RightAngle) => 0b0000_0101,
            (Piece::Four, _) => 0b0101_0101,
            (Piece::Eight, _) => 0b1111_1111,
        };
        mask.rotate_left(orientation)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.directions())
    }
}

/// How the two lines of a 2-piece lie (ambiguity A2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TwoPiece {
    /// 180 degrees apart.
    Opposite,
    /// 90 degrees apart.
    RightAngle,
}

/// The number of the quiet placement: the weakest piece in stock that can be turned so that it
/// moves nothing, turned that way.
///
/// Which orientations move nothing changes from state to state, but what such a placement does is
/// always the same, so it has one number of its own.
pub const QUIET: u8 = 0;

/// The largest number of placements a position can have, the quiet one included.
pub const MAX_PLACEMENTS: usize = 20;

/// All ways to place a piece on one position.
#[derive(Clone, Debug)]
pub struct Placements {
    /// Piece and directions of each placement; the quiet one pushes nowhere and its piece, which
    /// depends on the stock, is given as the weakest.
    all: Vec<(Piece, u8)>,
}

impl Placements {
    /// The placements under a reading of the 2-piece.
    pub fn new(two_piece: TwoPiece) -> Self {
        let mut all = vec![(Piece::One, 0)];
        for piece in Piece::ALL {
            for orientation in 0..8 {
                let placement = (piece, piece.mask(orientation, two_piece));
                if !all.contains(&placement) {
                    all.push(placement);
                }
            }
        }
        Placements { all }
    }

    /// How many there are, the quiet one included.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Numbers of all placements except the quiet one.
    pub fn pushing(&self) -> impl Iterator<Item = u8> + Clone + use<> {
        QUIET + 1..self.all.len() as u8
    }

    /// The piece of a placement.
    pub fn piece(&self, placement: u8) -> Piece {
        self.all[usize::from(placement)].0
    }

    /// The directions a placement pushes in.
    pub fn mask(&self, placement: u8) -> u8 {
        self.all[usize::from(placement)].1
    }

    /// The placement of `piece` that pushes in the directions of `mask`.
    pub fn find(&self, piece: Piece, mask: u8) -> Option<u8> {
        self.pushing().find(|&placement| self.all[usize::from(placement)] == (piece, mask))
    }

    /// The name of a placement: nothing for the quiet one, else the piece's number of directions
    /// and the first direction.
    pub fn name(&self, placement: u8) -> String {
        match self.all[usize::from(placement)] {
            (_, 0) => String::new(),
            (Piece::Eight, _) => "8".to_owned(),
            (piece, mask) => {
                let first = (0..8).find(|&o| mask == self.turned(piece, o)).unwrap_or(0);
                format!("{piece}{}", DIRECTION_NAMES[first as usize])
            }
        }
    }

    /// The placement called `name`. A piece may be named by any orientation that gives the same
    /// directions.
    pub fn find_name(&self, name: &str) -> Option<u8> {
        if name.is_empty() {
            return Some(QUIET);
        }
        let piece = Piece::ALL.into_iter().find(|piece| name.starts_with(&piece.to_string()))?;
        let orientation = match &name[1..] {
            "" if piece == Piece::Eight => 0,
            direction => DIRECTION_NAMES.iter().position(|&known| known == direction)?,
        };
        self.find(piece, self.turned(piece, orientation as u32))
    }

    /// The directions of `piece` turned by `orientation` steps from its first placement.
    fn turned(&self, piece: Piece, orientation: u32) -> u8 {
        let first = self.pushing().find(|&placement| self.piece(placement) == piece);
        first.map_or(0, |first| self.mask(first).rotate_left(orientation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masks(placements: &Placements, piece: Piece) -> usize {
        placements.pushing().filter(|&p| placements.piece(p) == piece).count()
    }

    #[test]
    fn distinct_masks_of_the_specification() {
        let opposite = Placements::new(TwoPiece::Opposite);
        assert_eq!(Piece::ALL.map(|piece| masks(&opposite, piece)), [8, 4, 2, 1]);
        assert_eq!(opposite.count(), 16);
        let right_angle = Placements::new(TwoPiece::RightAngle);
        assert_eq!(Piece::ALL.map(|piece| masks(&right_angle, piece)), [8, 8, 2, 1]);
        assert_eq!(right_angle.count(), MAX_PLACEMENTS);
    }

    #[test]
    fn names_lead_back() {
        for two_piece in [TwoPiece::Opposite, TwoPiece::RightAngle] {
            let placements = Placements::new(two_piece);
            for placement in 0..placements.count() as u8 {
                assert_eq!(placements.find_name(&placements.name(placement)), Some(placement));
            }
        }
    }

    #[test]
    fn any_orientation_names_a_piece() {
        let placements = Placements::new(TwoPiece::Opposite);
        assert_eq!(placements.find_name("2w"), placements.find_name("2e"));
        assert_eq!(placements.find_name("4n"), placements.find_name("4e"));
        assert_eq!(placements.find_name("8nw"), placements.find_name("8"));
        for wrong in ["3e", "1", "1x", "é", "8e8", "1e "] {
            assert_eq!(placements.find_name(wrong), None, "{wrong}");
        }
    }
}
