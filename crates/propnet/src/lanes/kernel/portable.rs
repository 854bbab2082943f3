//! The inner loops in safe code.

use std::ops::Range;

use gamegrove_game::{Preferred, RngBank};

use super::{Block, Kernel, Machine, Offsets, Turns, Word, dispatch, loops, rows};
use crate::lanes::function::Function;
use crate::lanes::packing::{Packing, Seat};
use crate::lanes::program::{Part, Pin, Program};

/// Any processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

struct Rows<'a, const N: usize> {
    program: &'a Program,
    slots: &'a mut [[u64; N]],
}

impl<const N: usize> Kernel<N> for Rows<'_, N> {
    #[inline(always)]
    fn run<const F: i32>(&mut self, ops: Range<u32>) {
        for &[to, a, b, c] in &self.program.ops[ops.start as usize..ops.end as usize] {
            let [a, b, c] = [a, b, c].map(|slot| self.slots[slot as usize]);
            self.slots[to as usize] =
                std::array::from_fn(|at| Function::of_words::<F>(a[at], b[at], c[at]));
        }
    }
}

impl<const N: usize> Word<N> for [u64; N] {
    #[inline(always)]
    fn load(row: &[u64; N]) -> Self {
        *row
    }

    #[inline(always)]
    fn store(self, row: &mut [u64; N]) {
        *row = self;
    }

    #[inline(always)]
    fn splat(word: u64) -> Self {
        [word; N]
    }

    #[inline(always)]
    fn function<const F: i32>(a: Self, b: Self, c: Self) -> Self {
        std::array::from_fn(|at| Function::of_words::<F>(a[at], b[at], c[at]))
    }

    #[inline(always)]
    fn sum(a: Self, b: Self) -> Self {
        std::array::from_fn(|at| a[at].wrapping_add(b[at]))
    }

    #[inline(always)]
    fn left<const BY: u32>(self) -> Self {
        self.map(|word| word << BY)
    }

    #[inline(always)]
    fn right<const BY: u32>(self) -> Self {
        self.map(|word| word >> BY)
    }

    #[inline(always)]
    fn round<const BY: u32>(self) -> Self {
        self.map(|word| word.rotate_left(BY))
    }

    #[inline(always)]
    fn spread(self, bit: u32) -> Self {
        self.map(|word| (word >> bit & 1).wrapping_neg())
    }
}

impl<const N: usize> Machine<N> for Portable {
    fn execute(program: &Program, _: &Offsets<N>, parts: &[Part], slots: &mut [[u64; N]]) {
        for part in parts {
            let runs = &program.runs[part.runs.start as usize..part.runs.end as usize];
            let carries =
                &program.carries[part.feedback.start as usize..part.feedback.end as usize];
            for carry in carries {
                slots[carry.slot as usize] = [0; N];
            }
            loop {
                let mut rows = Rows { program, slots: &mut *slots };
                for run in runs {
                    dispatch(&mut rows, run.function, run.ops.clone());
                }
                let mut changed = 0;
                for carry in carries {
                    let flip = if carry.source.negated { !0 } else { 0 };
                    let value = slots[carry.source.slot as usize].map(|word| word ^ flip);
                    let before = std::mem::replace(&mut slots[carry.slot as usize], value);
                    changed |= (0..N).map(|at| before[at] ^ value[at]).fold(0, |a, b| a | b);
                }
                if changed == 0 {
                    break;
                }
            }
        }
    }

    fn to_lanes(block: &mut Block<N>, rows: usize) {
        loops::to_lanes(block, rows);
    }

    fn to_rows(block: &mut Block<N>, rows: usize) {
        loops::to_rows(block, rows);
    }

    fn gather(
        packing: &Packing,
        slots: &[[u64; N]],
        turns: &Turns<'_, N>,
        blocks: &mut [Block<N>],
        can_move: &mut [[u64; N]],
    ) {
        loops::gather::<N, [u64; N]>(packing, slots, turns, blocks, can_move);
    }

    fn scatter(
        packing: &Packing,
        blocks: &[Block<N>],
        turns: &Turns<'_, N>,
        slots: &mut [[u64; N]],
    ) {
        loops::scatter::<N, [u64; N]>(packing, blocks, turns, slots);
    }

    fn advance(next: &[Pin], slots: &mut [[u64; N]], starts: &[[u64; N]], fresh: &[u64; N]) {
        loops::advance::<N, [u64; N]>(next, slots, starts, fresh);
    }

    fn advance_alike(next: &[Pin], slots: &mut [[u64; N]], start: &[u64], fresh: &[u64; N]) {
        loops::advance_alike::<N, [u64; N]>(next, slots, start, fresh);
    }

    fn choose(seat: &Seat, blocks: &mut [Block<N>], bank: &mut RngBank) {
        loops::choose(seat, blocks, bank, |word, place| {
            let mut rest = word;
            for _ in 0..place {
                rest &= rest.wrapping_sub(1);
            }
            rest & rest.wrapping_neg()
        });
    }
    fn to_bytes(seat: &Seat, turned: &[Block<N>], first_lane: usize, each: usize, into: &mut [u8]) {
        loops::to_bytes::<N, [u64; N]>(seat, turned, first_lane, each, into);
    }

    fn count(row: &[u64; N]) -> u64 {
        loops::count(row)
    }

    fn choose_on_rows(
        rows: &mut [[u64; N]],
        scratch: &mut [[u64; N]],
        bank: &mut RngBank,
        random: &mut Block<N>,
    ) {
        rows::choose_on_rows::<N, [u64; N]>(rows, scratch, bank, random);
    }

    fn prefer(rows: &mut [[u64; N]], order: &[Preferred], lanes: &[u64; N]) {
        rows::prefer::<N, [u64; N]>(rows, order, lanes);
    }
}
