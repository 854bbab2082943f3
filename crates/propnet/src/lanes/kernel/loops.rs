//! Inner loops that are the same for every processor; compiled once for each.

use gamegrove_game::RngBank;

use super::{Block, Turns, Word};
use crate::lanes::function::{A, AND, B, C, CHOICE, OR, OR_BOTH};
use crate::lanes::packing::{Packing, Seat};
use crate::lanes::program::Pin;

/// A signal that may be flipped, alone and where it is a role's turn.
const DIFFERENT: i32 = (A ^ B) as i32;
const LEGAL: i32 = ((A ^ B) & C) as i32;

/// A pin's value.
#[inline(always)]
pub(in crate::lanes) fn read<const N: usize>(slots: &[[u64; N]], pin: Pin) -> [u64; N] {
    let flip = if pin.negated { !0 } else { 0 };
    slots[pin.slot as usize].map(|word| word ^ flip)
}

/// Turns the squares of `size` rows and bits in the first `size` rows, by exchanging ever smaller
/// squares within them.
#[inline(always)]
pub(super) fn turn_squares<const N: usize>(block: &mut [[u64; N]], size: usize) {
    let mut distance = size / 2;
    while distance > 0 {
        // The lower of every two neighbouring runs of `distance` bits.
        let mask = !0 / ((1 << distance) + 1);
        let mut upper = 0;
        while upper < size {
            let (above, below) = block[upper..].split_at_mut(distance);
            for (above, below) in above.iter_mut().zip(below) {
                for (a, b) in above.iter_mut().zip(below) {
                    let (x, y) = (*a, *b);
                    *a = x & mask | y << distance & !mask;
                    *b = x >> distance & mask | y & !mask;
                }
            }
            upper += 2 * distance;
        }
        distance /= 2;
    }
}

/// From one row per move to one per lane; only the first `rows` count.
#[inline(always)]
pub(super) fn to_lanes<const N: usize>(block: &mut Block<N>, rows: usize) {
    match rows {
        0..=8 => few_to_lanes::<N, 8>(block),
        9..=16 => few_to_lanes::<N, 16>(block),
        17..=32 => few_to_lanes::<N, 32>(block),
        _ => turn_squares(block, 64),
    }
}

/// Few rows: the squares in them are turned first and then spread over all lanes.
#[inline(always)]
fn few_to_lanes<const N: usize, const FEW: usize>(block: &mut Block<N>) {
    turn_squares(block, FEW);
    let mask = (1 << FEW) - 1;
    // The rows that are spread lie in the first square, so that comes last.
    for square in (0..64 / FEW).rev() {
        for row in 0..FEW {
            block[square * FEW + row] = block[row].map(|word| word >> (square * FEW) & mask);
        }
    }
}

/// Back from one row per lane; bits beyond `rows` must be clear.
#[inline(always)]
pub(super) fn to_rows<const N: usize>(block: &mut Block<N>, rows: usize) {
    match rows {
        0..=8 => few_to_rows::<N, 8>(block),
        9..=16 => few_to_rows::<N, 16>(block),
        17..=32 => few_to_rows::<N, 32>(block),
        _ => turn_squares(block, 64),
    }
}

#[inline(always)]
fn few_to_rows<const N: usize, const FEW: usize>(block: &mut Block<N>) {
    let (first, others) = block.split_at_mut(FEW);
    for (square, rows) in (1..).zip(others.chunks(FEW)) {
        for (row, other) in first.as_flattened_mut().iter_mut().zip(rows.as_flattened()) {
            *row |= other << (square * FEW);
        }
    }
    turn_squares(block, FEW);
}

/// Legal moves into blocks, and which roles can make one.
#[inline(always)]
pub(super) fn gather<const N: usize, W: Word<N>>(
    packing: &Packing,
    slots: &[[u64; N]],
    turns: &Turns<'_, N>,
    blocks: &mut [Block<N>],
    can_move: &mut [[u64; N]],
) {
    for (block, &used) in blocks.iter_mut().zip(&packing.blocks) {
        block[used..used.next_power_of_two().max(8)].fill([0; N]);
    }
    let rows = blocks.as_flattened_mut();
    for (at, seat) in packing.seats.iter().enumerate() {
        let mut any = W::splat(0);
        for (row, sources) in rows[seat.rows()].iter_mut().zip(packing.sources(seat)) {
            let mut all = W::splat(0);
            for source in sources {
                let legal = W::load(&slots[source.legal as usize]);
                let turn = W::load(&turns.of_moves[usize::from(source.turn)]);
                let now = W::function::<LEGAL>(legal, W::splat(source.flip), turn);
                all = W::function::<OR>(all, now, now);
            }
            all.store(row);
            any = W::function::<OR>(any, all, all);
        }
        let roles = packing.seat_of.iter().zip(turns.on_seats).zip(&mut *can_move);
        for ((_, turn), can_move) in roles.filter(|((seat, _), _)| **seat == at) {
            W::function::<OR_BOTH>(W::load(can_move), any, W::load(turn)).store(can_move);
        }
    }
}

/// Choices from blocks to the moves' slots.
#[inline(always)]
pub(super) fn scatter<const N: usize, W: Word<N>>(
    packing: &Packing,
    blocks: &[Block<N>],
    turns: &Turns<'_, N>,
    slots: &mut [[u64; N]],
) {
    let rows = blocks.as_flattened();
    for seat in &packing.seats {
        for (row, sources) in rows[seat.rows()].iter().zip(packing.sources(seat)) {
            let row = W::load(row);
            for source in sources {
                let turn = W::load(&turns.of_moves[usize::from(source.turn)]);
                W::function::<AND>(row, turn, turn).store(&mut slots[source.slot as usize]);
            }
        }
    }
}

/// How many bits of a row are set.
#[inline(always)]
pub(super) fn count<const N: usize>(row: &[u64; N]) -> u64 {
    row.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// The next state becomes the state, and in `fresh` lanes the start does.
#[inline(always)]
pub(super) fn advance<const N: usize, W: Word<N>>(
    next: &[Pin],
    slots: &mut [[u64; N]],
    starts: &[[u64; N]],
    fresh: &[u64; N],
) {
    let fresh = W::load(fresh);
    for (bit, (&pin, start)) in next.iter().zip(starts).enumerate() {
        let next = load::<N, W>(slots, pin);
        W::function::<CHOICE>(fresh, W::load(start), next).store(&mut slots[1 + bit]);
    }
}

/// As [`advance`], where all starts are one state.
#[inline(always)]
pub(super) fn advance_alike<const N: usize, W: Word<N>>(
    next: &[Pin],
    slots: &mut [[u64; N]],
    start: &[u64],
    fresh: &[u64; N],
) {
    let fresh = W::load(fresh);
    for (pins, (word, &start)) in next.chunks(64).zip(start.iter().enumerate()) {
        for (bit, &pin) in pins.iter().enumerate() {
            let start = W::splat((start >> bit & 1).wrapping_neg());
            let next = load::<N, W>(slots, pin);
            W::function::<CHOICE>(fresh, start, next).store(&mut slots[1 + 64 * word + bit]);
        }
    }
}

/// A pin's value in registers.
#[inline(always)]
fn load<const N: usize, W: Word<N>>(slots: &[[u64; N]], pin: Pin) -> W {
    let flip = W::splat(if pin.negated { !0 } else { 0 });
    W::function::<DIFFERENT>(W::load(&slots[pin.slot as usize]), flip, flip)
}

/// Leaves of each lane's seat one bit, each of those set equally likely, by a way to find the set bit
/// that has a number of lower ones (none if there are too few).
#[inline(always)]
pub(super) fn choose<const N: usize>(
    seat: &Seat,
    blocks: &mut [Block<N>],
    bank: &mut RngBank,
    select: impl Fn(u64, u64) -> u64,
) {
    let blocks = &mut blocks[seat.first_block..seat.first_block + seat.blocks];
    for chunk in 0..N {
        let lanes = chunk * 64..chunk * 64 + 64;
        let mut counts = [0u64; 64];
        for (at, block) in blocks.iter().enumerate() {
            let mask = seat.mask(at);
            let words = &block.as_flattened()[lanes.clone()];
            for (count, word) in counts.iter_mut().zip(words) {
                *count += u64::from((word >> seat.shift & mask).count_ones());
            }
        }
        let mut places = bank.below(chunk, &counts);
        if let [block] = blocks {
            let mask = seat.mask(0);
            let words = &mut block.as_flattened_mut()[lanes];
            for (&place, word) in places.iter().zip(words) {
                let bit = select(*word >> seat.shift & mask, place);
                *word = *word & !(mask << seat.shift) | bit << seat.shift;
            }
            continue;
        }
        for (at, block) in blocks.iter_mut().enumerate() {
            let mask = seat.mask(at);
            let words = &mut block.as_flattened_mut()[lanes.clone()];
            for (place, word) in places.iter_mut().zip(words) {
                let legal = *word & mask;
                // Once found, the place falls below zero and stays far above all counts.
                let bit = if *place < 64 { select(legal, *place) } else { 0 };
                *place = place.wrapping_sub(u64::from(legal.count_ones()));
                *word = *word & !mask | bit;
            }
        }
    }
}

/// One byte for each of a seat's bits of lanes in turned blocks: of the first lane at the start of
/// `into`, of the next one so many bytes on, as far as there is room.
#[inline(always)]
pub(super) fn to_bytes<const N: usize, W: Word<N>>(
    seat: &Seat,
    turned: &[Block<N>],
    first_lane: usize,
    each: usize,
    into: &mut [u8],
) {
    let (blocks, moves) = (&turned[seat.first_block..], seat.rows().len());
    for (lane, into) in into.chunks_mut(each.max(1)).enumerate() {
        let lane = first_lane + lane;
        for (block, into) in blocks.iter().zip(into[..moves].chunks_mut(64)) {
            W::bytes(block[lane % 64][lane / 64] >> seat.shift, into);
        }
    }
}

/// The bytes of each eight bits.
const BYTES: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = (byte >> bit & 1) as u8;
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// One byte for each bit, as many as there is room for.
#[inline(always)]
pub(super) fn bytes(word: u64, into: &mut [u8]) {
    let (eights, rest) = into.as_chunks_mut::<8>();
    for (at, into) in eights.iter_mut().enumerate() {
        *into = BYTES[usize::from((word >> (8 * at)) as u8)];
    }
    if !rest.is_empty() {
        let byte = usize::from((word >> (8 * eights.len())) as u8);
        rest.copy_from_slice(&BYTES[byte][..rest.len()]);
    }
}
