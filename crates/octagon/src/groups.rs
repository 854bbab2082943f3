//! Moves so much alike that a search may look at one of them only (move abstraction).
//!
//! [Fernandes 2013, 4.1.2] Free moves are alike if a symmetry of the board maps their positions
//! to each other. Single shoves are alike if the board looks the same around three places each: the
//! position of the placed piece, the position that becomes empty and the place beyond the line. Looks
//! the same: some turn or reflection of the squares around them makes them equal, an entry being the
//! symmetry class of its position (or that it is none) and whose piece is there, seen by the player to
//! move. Shoves of several lines, and moves that press, are like no other; that only the weakest
//! working piece is considered is the listing of moves (section 4.5).
//!
//! A shove that takes a piece off the board counts as a single shove too: its third place is then off
//! the board, or the hole.

use gamegrove_game::{Move, Role};
use serde::Serialize;

use crate::board::{Bits, Board};
use crate::octagon::Octagon;
use crate::rules::Choice;
use crate::shove::Fronts;
use crate::state::State;
use crate::symmetry::{SYMMETRIES, map_point};

/// The criterion by which two single shoves are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Likeness {
    /// How far from each of the three places the board is looked at; 1 is a square of three by three.
    pub radius: u8,
    /// Which turns and reflections the three squares may need.
    pub images: Images,
}

/// The greatest radius of a [`Likeness`].
pub const MAX_RADIUS: u8 = 5;

/// Which turns and reflections make squares equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Images {
    /// One for all three squares.
    Together,
    /// One for each square.
    Each,
}

impl Choice for Images {
    const ALL: &'static [(&'static str, Self)] =
        &[("together", Images::Together), ("each", Images::Each)];
}

/// The squares around all places: tables that do not depend on the state.
#[derive(Debug)]
pub(crate) struct Squares {
    /// Greatest coordinate of a centre: one step off the board.
    reach: i32,
    /// Cells of a square.
    cells: usize,
    /// For each centre and symmetry, the bits of the cells of the square's image; cells
    /// outside the board have the bit 127, which never holds a piece.
    bits: Vec<u8>,
    /// For each centre and symmetry, a number for the classes of these cells in order.
    classes: Vec<u16>,
}

impl Squares {
    pub(crate) fn new(board: &Board, radius: u8) -> Self {
        let (reach, radius) = (i32::from(board.shape().half_width) + 1, i32::from(radius));
        let cells = ((2 * radius + 1) * (2 * radius + 1)) as usize;
        let (mut bits, mut classes, mut known) = (Vec::new(), Vec::new(), Vec::new());
        for (y, x) in (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (y, x))) {
            for symmetry in 0..SYMMETRIES {
                let mut seen = Vec::with_capacity(cells);
                for dy in -radius..=radius {
                    for dx in -radius..=radius {
                        let (dx, dy) = map_point(symmetry, (dx, dy));
                        let at = board.at((x + dx, y + dy));
                        bits.push(at.map_or(127, |at| board.bit(at) as u8));
                        seen.push(at.map(|at| board.class(at)));
                    }
                }
                let number = known.iter().position(|other| *other == seen).unwrap_or(known.len());
                if number == known.len() {
                    known.push(seen);
                }
                classes.push(number as u16);
            }
        }
        Squares { reach, cells, bits, classes }
    }

    fn centre(&self, (x, y): (i32, i32)) -> usize {
        ((y + self.reach) * (2 * self.reach + 1) + x + self.reach) as usize * SYMMETRIES
    }

    /// A number for what the square around a centre holds, turned by a symmetry.
    fn hash(&self, centre: usize, symmetry: usize, mine: Bits, theirs: Bits) -> u64 {
        let at = centre + symmetry;
        let mut hash = mix(0, u64::from(self.classes[at]));
        for chunk in self.bits[at * self.cells..][..self.cells].chunks(32) {
            let owners = chunk.iter().fold(0, |owners, &bit| {
                owners << 2 | (mine >> bit & 1) as u64 | ((theirs >> bit & 1) as u64) << 1
            });
            hash = mix(hash, owners);
        }
        hash
    }

    /// A number for the three places of a shove that is the same for all that are alike.
    fn likeness(&self, places: [usize; 3], mine: Bits, theirs: Bits, images: Images) -> u64 {
        let hash = |place, symmetry| self.hash(place, symmetry, mine, theirs);
        let least = |of: &dyn Fn(usize) -> u64| (0..SYMMETRIES).map(of).min().unwrap_or(0);
        match images {
            Images::Each => {
                places.iter().fold(0, |all, &place| mix(all, least(&|s| hash(place, s))))
            }
            Images::Together => {
                // Mostly one symmetry has the least classes: only then pieces are looked at.
                let classes = |s: usize| places.map(|place| self.classes[place + s]);
                let first = (0..SYMMETRIES).map(classes).min();
                (0..SYMMETRIES)
                    .filter(|&s| Some(classes(s)) == first)
                    .map(|s| places.iter().fold(0, |all, &place| mix(all, hash(place, s))))
                    .min()
                    .unwrap_or(0)
            }
        }
    }
}

fn mix(hash: u64, word: u64) -> u64 {
    let mixed = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

/// Numbers of single moves and of classes; those of shoves have the top bit.
const FREE: u64 = 1 << 62;
const SHOVE: u64 = 1 << 63;

impl Octagon {
    /// Writes a number for each of `moves`, equal for those that are alike.
    pub(crate) fn like_moves(
        &self,
        state: &State,
        role: Role,
        moves: &[Move],
        groups: &mut Vec<u64>,
    ) {
        groups.clear();
        if role != state.mover() {
            groups.extend(moves.iter().map(|mov| u64::from(mov.0)));
            return;
        }
        let sides = self.sides(state);
        let crowded = self.crowded(sides);
        let moving = Fronts::moving(self.board(), sides).by_position();
        let images = self.rules().likeness.images;
        let squares = self.squares();
        groups.extend(moves.iter().map(|mov| {
            let alone = u64::from(mov.0);
            let Some((position, placement)) = self.placement(*mov) else { return alone };
            let from = self.board().bit(position);
            let effect = self.placements().mask(placement) & moving.at(from);
            match effect.count_ones() {
                0 if crowded >> from & 1 == 0 => {
                    let (greater, lesser) = self.board().class(position);
                    FREE | u64::from(greater) << 8 | u64::from(lesser)
                }
                1 => {
                    let direction = effect.trailing_zeros() as usize;
                    let Some((leaves, beyond)) = self.ends(sides, from, direction) else {
                        return alone;
                    };
                    let places = [self.board().point(position), leaves, beyond];
                    let places = places.map(|point| squares.centre(point));
                    SHOVE | squares.likeness(places, sides.mine, sides.theirs, images)
                }
                _ => alone,
            }
        }));
    }
}
