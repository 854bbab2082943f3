//! The symmetries of the boards: four rotations, each with or without a reflection.
//!
//! The outline of the small board is a regular octagon, its lattice is
//! not, so no board has more than these eight.

use crate::board::{Bits, Board, Position, members};

/// How many symmetries there are; they are numbered from 0, the identity.
pub const SYMMETRIES: usize = 8;

/// Where each symmetry of a board takes positions.
#[derive(Clone, Debug)]
pub struct Symmetries {
    /// For each symmetry, the image of each position.
    positions: [Vec<Position>; SYMMETRIES],
    /// For each symmetry, the bit that each bit moves to.
    bits: [[u8; 128]; SYMMETRIES],
}

impl Symmetries {
    /// The symmetries of `board`.
    pub fn new(board: &Board) -> Self {
        let image = |symmetry: usize, position: Position| {
            board.at(map_point(symmetry, board.point(position))).expect("boards are symmetric")
        };
        let positions = std::array::from_fn(|symmetry| {
            board.positions().map(|position| image(symmetry, position)).collect()
        });
        let bits = std::array::from_fn(|symmetry| {
            let mut moved = [0; 128];
            for position in board.positions() {
                moved[board.bit(position) as usize] = board.bit(image(symmetry, position)) as u8;
            }
            moved
        });
        Symmetries { positions, bits }
    }

    /// The image of `position`.
    pub fn position(&self, symmetry: usize, position: Position) -> Position {
        self.positions[symmetry][position.index()]
    }

    /// The image of a set of positions.
    pub fn set(&self, symmetry: usize, set: Bits) -> Bits {
        let moved = &self.bits[symmetry];
        members(set).fold(0, |image, bit| image | 1 << moved[bit as usize])
    }
}

/// The image of a point: symmetries 4 to 7 first turn y around, then all turn by quarters.
pub fn map_point(symmetry: usize, (x, y): (i32, i32)) -> (i32, i32) {
    let (x, y) = if symmetry < 4 { (x, y) } else { (x, -y) };
    match symmetry % 4 {
        0 => (x, y),
        1 => (-y, x),
        2 => (-x, -y),
        _ => (y, -x),
    }
}

/// The image of a direction.
pub fn map_direction(symmetry: usize, direction: usize) -> usize {
    let turned = if symmetry < 4 { direction } else { 8 - direction };
    (turned + 2 * (symmetry % 4)) % 8
}

/// The image of a set of directions.
pub fn map_mask(symmetry: usize, mask: u8) -> u8 {
    (0..8)
        .filter(|d| mask >> d & 1 == 1)
        .fold(0, |image, d| image | 1 << map_direction(symmetry, d))
}

/// The symmetry that undoes `symmetry`.
pub fn inverse(symmetry: usize) -> usize {
    if symmetry < 4 { (4 - symmetry) % 4 } else { symmetry }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{DIRECTIONS, Shape};

    #[test]
    fn directions_move_as_points_do() {
        for symmetry in 0..SYMMETRIES {
            for (direction, &step) in DIRECTIONS.iter().enumerate() {
                let image = map_direction(symmetry, direction);
                assert_eq!(DIRECTIONS[image], map_point(symmetry, step));
                assert_eq!(map_direction(inverse(symmetry), image), direction);
            }
        }
    }

    #[test]
    fn classes_are_the_orbits() {
        let board = Board::new(Shape { half_width: 5, reach: 7 }).unwrap();
        let symmetries = Symmetries::new(&board);
        for position in board.positions() {
            let mut orbit: Vec<_> =
                (0..SYMMETRIES).map(|s| symmetries.position(s, position)).collect();
            orbit.sort();
            orbit.dedup();
            let class: Vec<_> =
                board.positions().filter(|&p| board.class(p) == board.class(position)).collect();
            assert_eq!(orbit, class);
        }
    }
}
