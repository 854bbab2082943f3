//! Which shoves succeed, and what they do.
//!
//! [Fernandes 2013, 2.2] From the placed piece a line of enemy pieces runs in a direction.
//! The shove succeeds unless the line ends at a piece of the mover. Then, if the line ends at the
//! edge or the hole, one piece is lost (a kill), otherwise the empty position behind it is taken.
//! Which position of the line becomes empty is the cannon rule: the last, or the first when the
//! whole line shifts. The eight lines share no position, so their order does not matter.
//!
//! Two ways to the same answers: [`Fronts`] finds the successful shoves of all empty positions at
//! once by shifting sets, which is what listing moves needs; [`shove`] walks one line, which is
//! what playing a move needs.

use crate::board::{Bits, Board};
use crate::rules::Cannon;

/// For each direction, the empty positions from which a shove that way does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fronts(pub [Bits; 8]);

/// Where each player's pieces are, seen by the player to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides {
    pub mine: Bits,
    pub theirs: Bits,
    pub empty: Bits,
}

impl Fronts {
    /// The shoves that succeed.
    pub(crate) fn moving(board: &Board, sides: Sides) -> Fronts {
        // The width of a row is a constant of each copy, so that shifts are by constants.
        match board.row_step() {
            4 => moving::<4>(sides),
            6 => moving::<6>(sides),
            8 => moving::<8>(sides),
            10 => moving::<10>(sides),
            _ => moving::<12>(sides),
        }
    }

    /// The shoves that take a piece off the board.
    pub(crate) fn killing(board: &Board, sides: Sides, moving: &Fronts) -> Fronts {
        match board.row_step() {
            4 => killing::<4>(sides, moving),
            6 => killing::<6>(sides, moving),
            8 => killing::<8>(sides, moving),
            10 => killing::<10>(sides, moving),
            _ => killing::<12>(sides, moving),
        }
    }

    /// The directions of each position as one byte.
    pub(crate) fn by_position(&self) -> DirectionsAt {
        DirectionsAt(transpose(self.0).map(Bits::to_le_bytes))
    }
}

/// The successful directions of every position: bit 8 g + i of a set has byte g of row i.
pub(crate) struct DirectionsAt([[u8; 16]; 8]);

impl DirectionsAt {
    /// The directions at `bit`, one bit each.
    #[inline]
    pub fn at(&self, bit: u32) -> u8 {
        self.0[bit as usize & 7][bit as usize >> 3 & 15]
    }
}

/// Sixteen 8 by 8 matrices of bits at once, each a column of bytes, with rows and columns
/// exchanged: halves, then quarters, then single bits.
fn transpose(mut rows: [Bits; 8]) -> [Bits; 8] {
    const HALVES: Bits = Bits::from_le_bytes([0x0F; 16]);
    const QUARTERS: Bits = Bits::from_le_bytes([0x33; 16]);
    const SINGLE: Bits = Bits::from_le_bytes([0x55; 16]);
    for (distance, mask) in [(4, HALVES), (2, QUARTERS), (1, SINGLE)] {
        for upper in (0..8).filter(|row| row & distance == 0) {
            let lower = upper + distance;
            let differing = (rows[upper] >> distance ^ rows[lower]) & mask;
            rows[lower] ^= differing;
            rows[upper] ^= differing << distance;
        }
    }
    rows
}

/// The set seen from one direction: holds `p` when `set` holds the position `bits` bits ahead of
/// `p`, forwards or backwards.
fn ahead<const FORWARD: bool>(set: Bits, bits: u32) -> Bits {
    if FORWARD { set >> bits } else { set << bits }
}

/// A set for each direction: `forward` and `back` make it from the distance of the neighbour.
#[inline(always)]
fn by_direction<const ROW: u32>(
    forward: impl Fn(u32) -> Bits,
    back: impl Fn(u32) -> Bits,
) -> [Bits; 8] {
    [
        forward(1),
        forward(ROW + 1),
        forward(ROW),
        forward(ROW - 1),
        back(1),
        back(ROW + 1),
        back(ROW),
        back(ROW - 1),
    ]
}

fn moving<const ROW: u32>(sides: Sides) -> Fronts {
    Fronts(by_direction::<ROW>(
        |bits| moving_one::<true>(sides, bits),
        |bits| moving_one::<false>(sides, bits),
    ))
}

/// Empty positions before an enemy line that does not end at a piece of the mover. What lies off
/// the board is in none of the sets, so it never blocks, as it should be.
#[inline(always)]
fn moving_one<const FORWARD: bool>(sides: Sides, bits: u32) -> Bits {
    let blocked = ending_at::<FORWARD>(sides.theirs, sides.mine, bits);
    sides.empty & ahead::<FORWARD>(sides.theirs & !blocked, bits)
}

fn killing<const ROW: u32>(sides: Sides, moving: &Fronts) -> Fronts {
    let not_into_empty = by_direction::<ROW>(
        |bits| killing_one::<true>(sides, bits),
        |bits| killing_one::<false>(sides, bits),
    );
    Fronts(std::array::from_fn(|d| moving.0[d] & not_into_empty[d]))
}

/// Positions before an enemy line that does not end at an empty position.
#[inline(always)]
fn killing_one<const FORWARD: bool>(sides: Sides, bits: u32) -> Bits {
    let pushable = ending_at::<FORWARD>(sides.theirs, sides.empty, bits);
    ahead::<FORWARD>(sides.theirs & !pushable, bits)
}

/// The members of `line` from which a run inside `line` leads to a member of `end`.
#[inline(always)]
fn ending_at<const FORWARD: bool>(line: Bits, end: Bits, bits: u32) -> Bits {
    // Runs of doubling length; the longest line of any board has ten pieces.
    let mut found = line & ahead::<FORWARD>(end, bits);
    found |= line & ahead::<FORWARD>(found, bits);
    let run = line & ahead::<FORWARD>(line, bits);
    found |= run & ahead::<FORWARD>(found, 2 * bits);
    let run = run & ahead::<FORWARD>(run, 2 * bits);
    found |= run & ahead::<FORWARD>(found, 4 * bits);
    let run = run & ahead::<FORWARD>(run, 4 * bits);
    found | run & ahead::<FORWARD>(found, 8 * bits)
}

/// The effect of a successful shove on the enemy pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shove {
    /// The bit that becomes empty.
    pub leaves: u32,
    /// The bit that is taken, unless a piece fell off the board.
    pub enters: Option<u32>,
    /// The bit of the last piece of the line: the one that moves or falls.
    pub last: u32,
}

/// Walks the line from the piece at `from` in steps of `step` bits; `None` if nothing moves.
#[inline]
pub(crate) fn shove(sides: Sides, from: u32, step: i32, cannon: Cannon) -> Option<Shove> {
    let holds = |set: Bits, bit: u32| bit < 128 && set >> bit & 1 == 1;
    let ahead = |bit: u32| bit.wrapping_add_signed(step);
    let first = ahead(from);
    if !holds(sides.theirs, first) {
        return None;
    }
    let mut last = first;
    while holds(sides.theirs, ahead(last)) {
        last = ahead(last);
    }
    let end = ahead(last);
    if holds(sides.mine, end) {
        return None;
    }
    let enters = holds(sides.empty, end).then_some(end);
    let leaves = match cannon {
        Cannon::LastPiece => last,
        Cannon::LineShift => first,
    };
    Some(Shove { leaves, enters, last })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{MAX_HALF_WIDTH, Shape};
    use gamegrove_game::Rng;

    #[test]
    fn each_bit_finds_its_directions() {
        for bit in 0..128 {
            for direction in 0..8 {
                let mut fronts = Fronts([0; 8]);
                fronts.0[direction] = 1 << bit;
                let table = fronts.by_position();
                for other in 0..128 {
                    assert_eq!(table.at(other), u8::from(other == bit) << direction);
                }
            }
        }
    }

    /// Sets against walks on every shape, from empty to full boards, with long lines.
    #[test]
    fn fronts_agree_with_walks() {
        let mut rng = Rng::new(11);
        for half_width in 1..=MAX_HALF_WIDTH {
            for reach in Shape::reach_range(half_width).unwrap() {
                let board = Board::new(Shape { half_width, reach }).unwrap();
                for round in 0..400 {
                    let (filled, enemy) = (rng.unit(), 0.5 + 0.5 * rng.unit());
                    let mut sides = Sides { mine: 0, theirs: 0, empty: 0 };
                    for position in board.positions() {
                        let bit = 1 << board.bit(position);
                        match rng.unit() < filled {
                            true if rng.unit() < enemy => sides.theirs |= bit,
                            true => sides.mine |= bit,
                            false => sides.empty |= bit,
                        }
                    }
                    let moving = Fronts::moving(&board, sides);
                    let killing = Fronts::killing(&board, sides, &moving);
                    let (moves, kills) = (moving.by_position(), killing.by_position());
                    for position in board.members(sides.empty) {
                        let bit = board.bit(position);
                        for direction in 0..8 {
                            let walk = shove(sides, bit, board.step(direction), Cannon::LastPiece);
                            let at = |table: &DirectionsAt| table.at(bit) >> direction & 1 == 1;
                            assert_eq!(at(&moves), walk.is_some(), "round {round}");
                            let killed = walk.is_some_and(|shove| shove.enters.is_none());
                            assert_eq!(at(&kills), killed, "round {round}");
                        }
                    }
                }
            }
        }
    }
}
