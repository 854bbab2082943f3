//! How legal moves lie in blocks of 64 rows, so that turning a block gives each lane its moves.
//!
//! A *seat* is where a lane chooses: a field of its words with one bit per move. Every role has a
//! seat of its own; roles with few moves share a block, so that turning it serves all of them. A seat
//! with more than 64 moves has blocks in a row, and the last may take others in as well.
//!
//! Where roles take turns they can share one seat: the role whose turn it is sits on it, and the others
//! make the only move that does not need the turn. That move has a row of the seat, too, for a role that
//! passes on its turn. All this holds lane by lane and sweep by sweep, not by proof, so there are two layouts and every sweep takes the one that is right for it.
//!
//! Where all seats have few moves, uniform choices are made on the rows and blocks are not turned.

use std::ops::Range;

use super::kernel::{MOST_ROWS, scratch_rows};
use super::program::Program;

/// A move and what makes it legal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// The move's slot.
    pub slot: u32,
    /// The slot that says whether it is legal, as far as `turn` does not say, and what flips it.
    pub legal: u32,
    pub flip: u64,
    /// Whether it is the role's turn, where that matters: 0 where it does not, else 1 + role.
    pub turn: u8,
}

/// Where a lane chooses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    pub first_block: usize,
    pub blocks: usize,
    /// The number of moves.
    moves: usize,
    /// Within the only block; a seat with several begins at the first bit.
    pub shift: u32,
    /// Where the sources of its rows begin among [`Packing::ranges`].
    first_range: usize,
}

impl Seat {
    /// A seat with a number of moves.
    pub fn new(first_block: usize, moves: usize, shift: u32) -> Seat {
        Seat { first_block, blocks: moves.div_ceil(64).max(1), moves, shift, first_range: 0 }
    }

    /// The seat's rows among those of all blocks.
    pub fn rows(&self) -> Range<usize> {
        let start = self.first_block * 64 + self.shift as usize;
        start..start + self.moves
    }

    /// The bits of the seat's block `at` that are its moves, before they are shifted.
    pub fn mask(&self, at: usize) -> u64 {
        match self.moves - 64 * at {
            64.. => !0,
            here => (1 << here) - 1,
        }
    }
}

/// A layout of all roles' moves.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    sources: Vec<Source>,
    /// The sources of each row, seat by seat.
    ranges: Vec<Range<u32>>,
    /// How many rows of each block are in use.
    pub blocks: Vec<usize>,
    pub seats: Vec<Seat>,
    /// Each role's seat.
    pub seat_of: Vec<usize>,
    /// For roles that share a seat the move they make when it is not their turn: source and number. A
    /// seat's sources of that move need the turn.
    pub waits: Vec<Option<(Source, u32)>>,
    /// Whether all seats are small enough to choose on rows. Roles take their random numbers in order,
    /// so it is all seats or none.
    pub on_rows: bool,
}

impl Packing {
    /// The layout in which each role has its own seat.
    pub fn new(program: &Program) -> Packing {
        let mut packing = Packing::empty(program);
        for (role, legal) in program.answers.legal.iter().enumerate() {
            packing.seat(program, &[role], legal.len(), |_, row| Some(row));
        }
        packing.settle()
    }

    /// The layout of a batch: the rows of seats are actions, one seat for all roles that take turns,
    /// as `waits` of a shared layout says, or one for each role. `move_of` has for each role the
    /// move of each action.
    pub fn of_actions(
        program: &Program,
        sharing: Option<&Packing>,
        actions: usize,
        move_of: &[Vec<Option<u32>>],
    ) -> Packing {
        let mut packing = Packing::empty(program);
        let row = |role: usize, row: usize| move_of[role][row].map(|mov| mov as usize);
        let roles = 0..program.answers.legal.len();
        let (takers, others): (Vec<usize>, Vec<usize>) =
            roles.partition(|&role| sharing.is_some_and(|sharing| sharing.waits[role].is_some()));
        if let Some(sharing) = sharing {
            packing.waits.clone_from(&sharing.waits);
            packing.seat(program, &takers, actions, row);
        }
        for role in others {
            // A role that never chooses has one row.
            match program.answers.legal[role].len() {
                moves @ 0..2 if sharing.is_some() => {
                    packing.seat(program, &[role], moves, |_, row| Some(row));
                }
                _ => packing.seat(program, &[role], actions, row),
            }
        }
        packing.settle()
    }

    /// The layout in which roles that seem to take turns share a seat, if there are such roles and
    /// no other role chooses.
    pub fn shared(program: &Program) -> Option<Packing> {
        let roles = 0..program.answers.legal.len();
        let only_move = |role: usize| {
            let needs_turn = &program.needs_turn[role];
            let mut waiting = (0..needs_turn.len()).filter(|&mov| !needs_turn[mov]);
            waiting.next().filter(|_| waiting.next().is_none() && needs_turn.len() > 1)
        };
        let (takers, others): (Vec<usize>, Vec<usize>) =
            roles.partition(|&role| only_move(role).is_some());
        // Random numbers go to roles in their order, so no other role may need one.
        let choosing = others.iter().any(|&role| program.answers.legal[role].len() > 1);
        if takers.len() < 2 || choosing {
            return None;
        }
        let mut packing = Packing::empty(program);
        for &role in &takers {
            let mov = only_move(role)?;
            packing.waits[role] = Some((source(program, role, mov, true), mov as u32));
        }
        let legal = &program.answers.legal;
        let most = takers.iter().map(|&role| legal[role].len()).max().unwrap_or(0);
        packing.seat(program, &takers, most, |_, row| Some(row));
        for role in others {
            packing.seat(program, &[role], legal[role].len(), |_, row| Some(row));
        }
        Some(packing.settle())
    }

    fn empty(program: &Program) -> Packing {
        let roles = program.answers.legal.len();
        Packing {
            sources: Vec::new(),
            ranges: Vec::new(),
            blocks: Vec::new(),
            seats: Vec::new(),
            seat_of: vec![0; roles],
            waits: vec![None; roles],
            on_rows: false,
        }
    }

    /// With all seats known, decides how they choose.
    fn settle(mut self) -> Packing {
        self.on_rows = self.seats.iter().all(|seat| seat.moves <= MOST_ROWS);
        self
    }

    /// How many of the seats hold choices: all where roles do not share, else the first.
    pub fn choosers(&self) -> usize {
        if self.waits.iter().any(Option::is_some) { 1 } else { self.seats.len() }
    }

    /// How many rows a choice on rows needs for itself.
    pub fn scratch_rows(&self) -> usize {
        let needed =
            self.seats.iter().filter(|_| self.on_rows).map(|seat| scratch_rows(seat.moves));
        needed.max().unwrap_or(0)
    }

    /// The sources of a seat's rows, row by row.
    pub fn sources(&self, seat: &Seat) -> impl Iterator<Item = &[Source]> {
        let ranges = &self.ranges[seat.first_range..seat.first_range + seat.moves];
        ranges.iter().map(|range| &self.sources[range.start as usize..range.end as usize])
    }

    /// Adds a seat for roles, with a number of rows, each for a move of each role.
    fn seat(
        &mut self,
        program: &Program,
        roles: &[usize],
        moves: usize,
        move_of: impl Fn(usize, usize) -> Option<usize>,
    ) {
        let legal = &program.answers.legal;
        let room = self.blocks.iter().position(|rows| rows + moves <= 64);
        let blocks = moves.div_ceil(64).max(1);
        let first_block = room.unwrap_or(self.blocks.len());
        self.blocks.resize(self.blocks.len().max(first_block + blocks), 0);
        let shift = self.blocks[first_block] as u32 % 64;
        let first_range = self.ranges.len();
        for row in 0..moves {
            let start = self.sources.len() as u32;
            for &role in roles {
                let Some(mov) = move_of(role, row).filter(|&mov| mov < legal[role].len()) else {
                    continue;
                };
                let needs_turn = program.needs_turn[role][mov] || self.waits[role].is_some();
                self.sources.push(source(program, role, mov, needs_turn));
            }
            self.ranges.push(start..self.sources.len() as u32);
            self.blocks[first_block + row / 64] += 1;
        }
        roles.iter().for_each(|&role| self.seat_of[role] = self.seats.len());
        self.seats.push(Seat { first_range, ..Seat::new(first_block, moves, shift) });
    }
}

fn source(program: &Program, role: usize, mov: usize, needs_turn: bool) -> Source {
    let slot = program.move_slots[role] + mov as u32;
    let legal = program.answers.legal[role][mov];
    let turn = if needs_turn { 1 + role as u8 } else { 0 };
    Source { slot, legal: legal.slot, flip: if legal.negated { !0 } else { 0 }, turn }
}
