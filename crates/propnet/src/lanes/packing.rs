//! How legal moves lie in blocks of 64: which row is which move, and where a role's field is.
//!
//! Roles with few moves share a block, so that turning it serves all of them. A role with more than
//! 64 moves has blocks in a row, and the last may take other roles in as well.

use super::kernel::Field;
use super::program::{NOTHING, Pin, Program};

/// A row of a block: a move of a role.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Where the row goes: the move's slot.
    pub slot: u32,
    /// Whether it is legal, as far as `turn` does not say.
    pub legal: Pin,
    /// Whether it is the role's turn, where that matters.
    pub turn: Pin,
    /// The role.
    pub role: u8,
}

/// Where a role's moves are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub first_block: usize,
    pub blocks: usize,
    /// The number of moves.
    pub moves: usize,
    /// Within the only block; a role with several begins at the first bit.
    pub shift: u32,
}

impl Place {
    /// The part of the role's block `at` that is the role's.
    pub fn field(&self, at: usize) -> Field {
        let here = (self.moves - 64 * at).min(64);
        Field { shift: self.shift, mask: if here == 64 { !0 } else { (1 << here) - 1 } }
    }
}

/// The layout of all roles' moves.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    /// The rows of each block.
    pub blocks: Vec<Vec<Line>>,
    pub places: Vec<Place>,
    /// The fields of each block's roles that have no other block.
    pub small: Vec<Vec<Field>>,
}

impl Packing {
    /// The layout for a program.
    pub fn new(program: &Program) -> Packing {
        let legal = &program.answers.legal;
        let mut packing = Packing { blocks: Vec::new(), places: Vec::new(), small: Vec::new() };
        for (role, pins) in legal.iter().enumerate() {
            let room = packing.blocks.iter().position(|b| b.len() + pins.len() <= 64);
            let first_block = match room {
                Some(block) => block,
                None => {
                    let first = packing.blocks.len();
                    let count = pins.len().div_ceil(64).max(1);
                    packing.blocks.resize(first + count, Vec::new());
                    first
                }
            };
            let place = Place {
                first_block,
                blocks: pins.len().div_ceil(64).max(1),
                moves: pins.len(),
                shift: packing.blocks[first_block].len() as u32 % 64,
            };
            let always = Pin { slot: NOTHING, negated: true };
            for (mov, &legal) in pins.iter().enumerate() {
                let needs_turn = program.needs_turn[role][mov];
                let turn = if needs_turn { program.answers.turns[role] } else { always };
                let slot = program.move_slots[role] + mov as u32;
                packing.blocks[first_block + mov / 64].push(Line {
                    slot,
                    legal,
                    turn,
                    role: role as u8,
                });
            }
            packing.places.push(place);
        }
        packing.small = vec![Vec::new(); packing.blocks.len()];
        for place in packing.places.iter().filter(|place| place.blocks == 1 && place.moves > 0) {
            packing.small[place.first_block].push(place.field(0));
        }
        packing
    }
}
