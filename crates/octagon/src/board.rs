//! The board: which lattice points are positions, how they lie in the bits of a word, what lies
//! next to what.
//!
//! [Fernandes 2013, 2.2]. Centred coordinates, hole at (0, 0), x to the
//! right, y down; a point is a position when `|x| <= half_width`, `|y| <= half_width` and
//! `|x| + |y| <= reach`, the hole excepted.
//!
//! A set of positions is a `u128`. Rows are one bit wider than the board, so a step to the side
//! off the board lands on a bit outside every row and never on another row; bits in front of the
//! first position are cut off, which is what makes the large board (11 rows of 12 bits) fit.

use serde::Serialize;
use thiserror::Error;

/// A set of positions, one bit each; see [`Board::bit`].
pub type Bits = u128;

/// The eight directions in steps of 45 degrees, clockwise from east; even is straight, odd is
/// diagonal.
pub const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// Names of the [`DIRECTIONS`].
pub const DIRECTION_NAMES: [&str; 8] = ["e", "se", "s", "sw", "w", "nw", "n", "ne"];

/// The widest board whose rows fit the bits of a word.
pub const MAX_HALF_WIDTH: u8 = 5;

/// The definition of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Shape {
    /// Largest |x| and |y| of a position.
    pub half_width: u8,
    /// Largest |x| + |y| of a position; what is beyond is cut off the corners.
    pub reach: u8,
}

impl Shape {
    /// The values of `reach` that make sense for `half_width`: from a diamond to the largest cut
    /// square that fits a word. `None` if no board of that width is possible.
    pub fn reach_range(half_width: u8) -> Option<std::ops::RangeInclusive<u8>> {
        match half_width {
            1..MAX_HALF_WIDTH => Some(half_width..=2 * half_width),
            MAX_HALF_WIDTH => Some(MAX_HALF_WIDTH..=8),
            _ => None,
        }
    }

    /// Whether the point (x, y) is a position; the hole is not.
    pub fn contains(self, x: i32, y: i32) -> bool {
        let (half_width, reach) = (i32::from(self.half_width), i32::from(self.reach));
        x.abs().max(y.abs()) <= half_width && x.abs() + y.abs() <= reach && (x, y) != (0, 0)
    }
}

/// A shape no board can have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ShapeError {
    /// Too narrow or too wide.
    #[error("half_width is {0}, but must be from 1 to {MAX_HALF_WIDTH}")]
    HalfWidth(u8),
    /// Corners cut too much or too little.
    #[error("reach is {reach}, but must be from {least} to {most} when half_width is {half_width}")]
    Reach {
        /// The given name.
        reach: u8,
        /// The board's half-width.
        half_width: u8,
        /// The least reach possible.
        least: u8,
        /// The greatest reach possible.
        most: u8,
    },
    /// A move before the start that cannot be played.
    #[error("move {number} of the start, `{text}`, cannot be played there")]
    Start {
        /// Its number, from 1.
        number: usize,
        /// The given text.
        text: String,
    },
}

/// A position: a dense number in reading order (rows from the top, each from the left).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position(pub u8);

impl Position {
    /// The position's place in arrays that hold one entry per position.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A board: its shape with the tables that make it fast.
#[derive(Clone, Debug)]
pub struct Board {
    shape: Shape,
    /// Centred coordinates of each position.
    points: Vec<(i32, i32)>,
    /// Bit of each position.
    bits: Vec<u8>,
    /// Position at each bit; bits outside the board have the number of positions.
    at_bit: [u8; 128],
    all: Bits,
}

impl Board {
    /// The board of `shape`.
    pub fn new(shape: Shape) -> Result<Self, ShapeError> {
        let half_width = shape.half_width;
        let range = Shape::reach_range(half_width).ok_or(ShapeError::HalfWidth(half_width))?;
        if !range.contains(&shape.reach) {
            let (least, most) = range.into_inner();
            return Err(ShapeError::Reach { reach: shape.reach, half_width, least, most });
        }
        let r = i32::from(half_width);
        let points: Vec<(i32, i32)> = (-r..=r)
            .flat_map(|y| (-r..=r).map(move |x| (x, y)))
            .filter(|&(x, y)| shape.contains(x, y))
            .collect();
        let place = |(x, y): (i32, i32)| y * (2 * r + 2) + x;
        let bits: Vec<u8> = points.iter().map(|&p| (place(p) - place(points[0])) as u8).collect();
        let mut at_bit = [points.len() as u8; 128];
        for (position, &bit) in bits.iter().enumerate() {
            at_bit[usize::from(bit)] = position as u8;
        }
        let all = bits.iter().fold(0, |all, &bit| all | 1 << bit);
        Ok(Board { shape, points, bits, at_bit, all })
    }

    /// The definition of the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How many positions there are.
    pub fn position_count(&self) -> usize {
        self.points.len()
    }

    /// All positions in order.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = Position> + Clone + use<> {
        (0..self.position_count() as u8).map(Position)
    }

    /// The set of all positions.
    pub fn all(&self) -> Bits {
        self.all
    }

    /// Bits from one row to the next.
    pub fn row_step(&self) -> i32 {
        2 * i32::from(self.shape.half_width) + 2
    }

    /// Bits from a position to its neighbour in `direction`.
    pub fn step(&self, direction: usize) -> i32 {
        let (dx, dy) = DIRECTIONS[direction];
        dy * self.row_step() + dx
    }

    /// The bit of `position`.
    pub fn bit(&self, position: Position) -> u32 {
        u32::from(self.bits[position.index()])
    }

    /// The position at `bit`, if it is one.
    pub fn at_bit(&self, bit: u32) -> Option<Position> {
        let number = *self.at_bit.get(bit as usize)?;
        (usize::from(number) < self.position_count()).then_some(Position(number))
    }

    /// The positions of a set, in order.
    pub fn members(&self, set: Bits) -> impl Iterator<Item = Position> + '_ {
        members(set & self.all).map(|bit| Position(self.at_bit[bit as usize]))
    }

    /// Centred coordinates of `position`.
    pub fn point(&self, position: Position) -> (i32, i32) {
        self.points[position.index()]
    }

    /// The position at the centred coordinates, unless they are off the board or in the hole.
    pub fn at(&self, (x, y): (i32, i32)) -> Option<Position> {
        if !self.shape.contains(x, y) {
            return None;
        }
        let (x0, y0) = self.points[0];
        let bit = (y - y0) * self.row_step() + x - x0;
        self.at_bit(u32::try_from(bit).ok()?)
    }

    /// The neighbour of `position` in `direction`, unless that is off the board or the hole.
    pub fn neighbour(&self, position: Position, direction: usize) -> Option<Position> {
        let (x, y) = self.point(position);
        let (dx, dy) = DIRECTIONS[direction];
        self.at((x + dx, y + dy))
    }

    /// The symmetry class of `position` (section 2.4): positions that a symmetry of the board maps
    /// to each other have the same pair (greater, lesser) of absolute coordinates.
    pub fn class(&self, position: Position) -> (u8, u8) {
        let (x, y) = self.point(position);
        let (x, y) = (x.unsigned_abs() as u8, y.unsigned_abs() as u8);
        (x.max(y), x.min(y))
    }

    /// The name of `position`: a letter for its column, left to right, and a number for its row,
    /// bottom to top.
    pub fn name(&self, position: Position) -> String {
        let (x, y) = self.point(position);
        format!("{}{}", self.column_name(x), self.row_name(y))
    }

    /// The position called `name`.
    pub fn find(&self, name: &str) -> Option<Position> {
        self.positions().find(|&position| self.name(position) == name)
    }

    pub(crate) fn column_name(&self, x: i32) -> char {
        char::from(b'a' + (x + i32::from(self.shape.half_width)) as u8)
    }

    pub(crate) fn row_name(&self, y: i32) -> i32 {
        i32::from(self.shape.half_width) - y + 1
    }
}

/// The bits of a set, in order.
pub(crate) fn members(mut set: Bits) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let bit = set.trailing_zeros();
        set &= set - 1;
        Some(bit)
    })
}

/// Calls `visit` with the bits of a set, in order. Faster than [`members`], since it goes through
/// the halves one by one and arithmetic on whole sets takes several instructions each.
#[inline(always)]
pub(crate) fn for_each_member(set: Bits, mut visit: impl FnMut(u32)) {
    for (mut half, first) in [(set as u64, 0), ((set >> 64) as u64, 64)] {
        while half != 0 {
            visit(first + half.trailing_zeros());
            half &= half - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn board(half_width: u8, reach: u8) -> Board {
        Board::new(Shape { half_width, reach }).unwrap()
    }

    /// Every shape there is.
    fn all_boards() -> impl Iterator<Item = Board> {
        (1..=MAX_HALF_WIDTH).flat_map(|half_width| {
            Shape::reach_range(half_width).unwrap().map(move |reach| board(half_width, reach))
        })
    }

    #[test]
    fn positions_pairs_and_classes_of_the_specification() {
        for (half_width, reach, positions, pairs, classes) in
            [(3, 4, 36, 216, 7), (4, 6, 68, 448, 12), (5, 7, 96, 656, 16)]
        {
            let board = board(half_width, reach);
            assert_eq!(board.position_count(), positions);
            let adjacent = board
                .positions()
                .flat_map(|p| (0..8).map(move |d| (p, d)))
                .filter(|&(p, d)| board.neighbour(p, d).is_some())
                .count();
            assert_eq!(adjacent, pairs);
            let seen: BTreeSet<_> = board.positions().map(|p| board.class(p)).collect();
            assert_eq!(seen.len(), classes);
        }
    }

    #[test]
    fn row_lengths_of_the_specification() {
        for (half_width, reach, rows) in [
            (3, 4, vec![3, 5, 7, 6, 7, 5, 3]),
            (4, 6, vec![5, 7, 9, 9, 8, 9, 9, 7, 5]),
            (5, 7, vec![5, 7, 9, 11, 11, 10, 11, 11, 9, 7, 5]),
        ] {
            let board = board(half_width, reach);
            let r = i32::from(half_width);
            let lengths: Vec<usize> = (-r..=r)
                .map(|y| board.positions().filter(|&p| board.point(p).1 == y).count())
                .collect();
            assert_eq!(lengths, rows);
        }
    }

    #[test]
    fn members_of_large_board_classes() {
        let board = board(5, 7);
        for position in board.positions() {
            let (greater, lesser) = board.class(position);
            let size = board.positions().filter(|&p| board.class(p) == (greater, lesser)).count();
            assert_eq!(size, if lesser == 0 || lesser == greater { 4 } else { 8 });
        }
    }

    #[test]
    fn a_step_in_bits_is_a_step_on_the_board_on_every_shape() {
        for board in all_boards() {
            for position in board.positions() {
                assert_eq!(board.at_bit(board.bit(position)), Some(position));
                assert_eq!(board.find(&board.name(position)), Some(position));
                for direction in 0..8 {
                    let bit = board.bit(position) as i32 + board.step(direction);
                    let reached = u32::try_from(bit).ok().and_then(|bit| board.at_bit(bit));
                    assert_eq!(reached, board.neighbour(position, direction));
                }
            }
        }
    }

    #[test]
    fn impossible_shapes_are_refused() {
        assert_eq!(
            Board::new(Shape { half_width: 6, reach: 8 }).unwrap_err(),
            ShapeError::HalfWidth(6)
        );
        assert!(Board::new(Shape { half_width: 0, reach: 0 }).is_err());
        for (half_width, reach) in [(5, 9), (3, 2), (3, 7), (5, 255)] {
            let error = Board::new(Shape { half_width, reach }).unwrap_err();
            assert!(matches!(error, ShapeError::Reach { .. }), "{error}");
        }
    }
}
