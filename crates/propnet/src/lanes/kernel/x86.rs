//! The inner loops for processors with AVX2 and AVX-512.
//!
//! What makes them faster than the safe code: no check of slot numbers (the program was checked as
//! a whole when it was made), three-input instructions, wide registers, and `pdep` to find a bit.

#![expect(unsafe_code, reason = "processor instructions that Rust cannot prove to be there")]

use std::arch::x86_64::{
    __m256i, __m512i, _mm_cvtsi64_si128, _mm256_add_epi64, _mm256_and_si256, _mm256_cmpeq_epi64,
    _mm256_load_si256, _mm256_loadu_si256, _mm256_or_si256, _mm256_set1_epi64x, _mm256_sll_epi64,
    _mm256_srl_epi64, _mm256_store_si256, _mm256_storeu_si256, _mm512_add_epi64, _mm512_load_si512,
    _mm512_loadu_si512, _mm512_mask_storeu_epi8, _mm512_maskz_set1_epi8, _mm512_maskz_set1_epi64,
    _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_sll_epi64, _mm512_srl_epi64, _mm512_store_si512,
    _mm512_storeu_si512, _mm512_ternarylogic_epi64, _mm512_test_epi64_mask, _pdep_u64,
};
use std::marker::PhantomData;
use std::ops::Range;

use gamegrove_game::{Preferred, RngBank};

use super::{Block, Kernel, Machine, Offsets, Turns, Word, dispatch, loops, rows};
use crate::lanes::function::Function;
use crate::lanes::packing::{Packing, Seat};
use crate::lanes::program::{Op, Part, Pin, Program};

/// Processors with AVX2 and BMI2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2;

/// Processors with AVX-512 (F, BW, DQ, VL, VPOPCNTDQ) and BMI2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512;

impl Avx2 {
    /// Whether this processor has what it takes.
    pub fn available() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
    }
}

impl Avx512 {
    /// Whether this processor has what it takes.
    pub fn available() -> bool {
        Avx2::available()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vpopcntdq")
    }
}

/// A register that holds a row.
///
/// # Safety
/// Callers of the methods must make sure that the processor has the register's instructions and
/// that the address is that of a row, at the border of a row's size.
trait Register: Copy {
    unsafe fn load(from: *const Self) -> Self;
    unsafe fn store(to: *mut Self, value: Self);
    unsafe fn function<const F: i32>(a: Self, b: Self, c: Self) -> Self;
}

impl Register for __m512i {
    #[inline(always)]
    unsafe fn load(from: *const Self) -> Self {
        // SAFETY: passed on to the caller.
        unsafe { _mm512_load_si512(from) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut Self, value: Self) {
        // SAFETY: passed on to the caller.
        unsafe { _mm512_store_si512(to, value) }
    }

    #[inline(always)]
    unsafe fn function<const F: i32>(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: passed on to the caller.
        unsafe { _mm512_ternarylogic_epi64::<F>(a, b, c) }
    }
}

impl Register for __m256i {
    #[inline(always)]
    unsafe fn load(from: *const Self) -> Self {
        // SAFETY: passed on to the caller.
        unsafe { _mm256_load_si256(from) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut Self, value: Self) {
        // SAFETY: passed on to the caller.
        unsafe { _mm256_store_si256(to, value) }
    }

    #[inline(always)]
    unsafe fn function<const F: i32>(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: both are 32 bytes without invalid values.
        let [a, b, c]: [[u64; 4]; 3] = unsafe { std::mem::transmute([a, b, c]) };
        let words: [u64; 4] =
            std::array::from_fn(|at| Function::of_words::<F>(a[at], b[at], c[at]));
        // SAFETY: as above.
        unsafe { std::mem::transmute(words) }
    }
}

impl Word<8> for __m512i {
    #[inline(always)]
    fn load(row: &[u64; 8]) -> Self {
        // SAFETY: a row has the register's size; rows are loaded in loops of `Avx512` alone, which
        // exists only where `available` says that the processor has the instructions.
        unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, row: &mut [u64; 8]) {
        // SAFETY: as for `load`.
        unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), self) }
    }

    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: as for `load`.
        unsafe { _mm512_set1_epi64(word.cast_signed()) }
    }

    #[inline(always)]
    fn function<const F: i32>(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: as for `load`.
        unsafe { _mm512_ternarylogic_epi64::<F>(a, b, c) }
    }

    #[inline(always)]
    fn sum(a: Self, b: Self) -> Self {
        // SAFETY: as for `load`.
        unsafe { _mm512_add_epi64(a, b) }
    }

    #[inline(always)]
    fn left<const BY: u32>(self) -> Self {
        // SAFETY: as for `load`.
        unsafe { _mm512_sll_epi64(self, _mm_cvtsi64_si128(i64::from(BY))) }
    }

    #[inline(always)]
    fn right<const BY: u32>(self) -> Self {
        // SAFETY: as for `load`.
        unsafe { _mm512_srl_epi64(self, _mm_cvtsi64_si128(i64::from(BY))) }
    }

    #[inline(always)]
    fn round<const BY: u32>(self) -> Self {
        // SAFETY: as for `load`.
        unsafe { _mm512_rolv_epi64(self, _mm512_set1_epi64(i64::from(BY))) }
    }

    #[inline(always)]
    fn spread(self, bit: u32) -> Self {
        // SAFETY: as for `load`.
        unsafe { _mm512_maskz_set1_epi64(_mm512_test_epi64_mask(self, Self::splat(1 << bit)), -1) }
    }

    #[inline(always)]
    fn bytes(word: u64, into: &mut [u8]) {
        let room = if into.len() < 64 { (1 << into.len()) - 1 } else { !0 };
        // SAFETY: as for `load`; no more bytes are written than there is room for.
        unsafe {
            let bytes = _mm512_maskz_set1_epi8(word, 1);
            _mm512_mask_storeu_epi8(into.as_mut_ptr().cast(), room, bytes);
        }
    }
}

impl Word<4> for __m256i {
    #[inline(always)]
    fn load(row: &[u64; 4]) -> Self {
        // SAFETY: a row has the register's size; rows are loaded in loops of `Avx2` alone, which
        // exists only where `available` says that the processor has the instructions.
        unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, row: &mut [u64; 4]) {
        // SAFETY: as for `load`.
        unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), self) }
    }

    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: as for `load`.
        unsafe { _mm256_set1_epi64x(word.cast_signed()) }
    }

    #[inline(always)]
    fn function<const F: i32>(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: as for `load`.
        unsafe { <Self as Register>::function::<F>(a, b, c) }
    }

    #[inline(always)]
    fn sum(a: Self, b: Self) -> Self {
        // SAFETY: as for `load`.
        unsafe { _mm256_add_epi64(a, b) }
    }

    #[inline(always)]
    fn left<const BY: u32>(self) -> Self {
        // SAFETY: as for `load`.
        unsafe { _mm256_sll_epi64(self, _mm_cvtsi64_si128(i64::from(BY))) }
    }

    #[inline(always)]
    fn right<const BY: u32>(self) -> Self {
        // SAFETY: as for `load`.
        unsafe { _mm256_srl_epi64(self, _mm_cvtsi64_si128(i64::from(BY))) }
    }

    #[inline(always)]
    fn round<const BY: u32>(self) -> Self {
        // SAFETY: as for `load`.
        unsafe {
            let right = _mm256_srl_epi64(self, _mm_cvtsi64_si128(64 - i64::from(BY)));
            _mm256_or_si256(self.left::<BY>(), right)
        }
    }

    #[inline(always)]
    fn spread(self, bit: u32) -> Self {
        let mask = Self::splat(1 << bit);
        // SAFETY: as for `load`.
        unsafe { _mm256_cmpeq_epi64(_mm256_and_si256(self, mask), mask) }
    }
}

/// Memory whose length is at least the program's number of slots.
struct Rows<'a, R> {
    ops: &'a [Op],
    slots: *mut R,
    memory: PhantomData<&'a mut [R]>,
}

impl<const N: usize, R: Register> Kernel<N> for Rows<'_, R> {
    #[inline(always)]
    fn run<const F: i32>(&mut self, ops: Range<u32>) {
        for &[to, a, b, c] in &self.ops[ops.start as usize..ops.end as usize] {
            // SAFETY: every slot of a program's instructions is below its number of slots
            // (`Program::new` asserts it), `Offsets` are these times the size of a row, and the
            // memory has that many rows, each at its border (`execute_rows` asserts it).
            unsafe {
                let a = R::load(self.slots.byte_add(a as usize));
                let b = if const { Function(F as u8).reads(1) } {
                    R::load(self.slots.byte_add(b as usize))
                } else {
                    a
                };
                let c = if const { Function(F as u8).reads(2) } {
                    R::load(self.slots.byte_add(c as usize))
                } else {
                    a
                };
                R::store(self.slots.byte_add(to as usize), R::function::<F>(a, b, c));
            }
        }
    }
}

/// As the safe twin does it, with `R` as rows.
#[inline(always)]
fn execute_rows<const N: usize, R: Register>(
    program: &Program,
    ops: &Offsets<N>,
    parts: &[Part],
    slots: &mut [[u64; N]],
) {
    assert!(slots.len() >= program.slots, "the memory is the program's");
    assert!(ops.0.len() == program.ops.len(), "the instructions are the program's");
    assert!(size_of::<R>() == size_of::<[u64; N]>(), "a row fits a register");
    assert!(slots.as_ptr().cast::<R>().is_aligned(), "memory starts at the border of a row");
    for part in parts {
        let runs = &program.runs[part.runs.start as usize..part.runs.end as usize];
        let carries = &program.carries[part.feedback.start as usize..part.feedback.end as usize];
        for carry in carries {
            slots[carry.slot as usize] = [0; N];
        }
        loop {
            let mut rows =
                Rows { ops: &ops.0, slots: slots.as_mut_ptr().cast::<R>(), memory: PhantomData };
            for run in runs {
                dispatch::<N, _>(&mut rows, run.function, run.ops.clone());
            }
            let mut changed = [0; N];
            for carry in carries {
                let flip = if carry.source.negated { !0 } else { 0 };
                let value = slots[carry.source.slot as usize].map(|word| word ^ flip);
                let before = std::mem::replace(&mut slots[carry.slot as usize], value);
                for at in 0..N {
                    changed[at] |= before[at] ^ value[at];
                }
            }
            if changed == [0; N] {
                break;
            }
        }
    }
}

/// A machine: every loop compiled for the processor's features.
macro_rules! machine {
    ($machine:ident, $words:literal, $register:ty, $features:literal) => {
        const _: () = {
            #[target_feature(enable = $features)]
            fn execute(
                program: &Program,
                ops: &Offsets<$words>,
                parts: &[Part],
                slots: &mut [[u64; $words]],
            ) {
                execute_rows::<$words, $register>(program, ops, parts, slots);
            }

            #[target_feature(enable = $features)]
            fn to_lanes(block: &mut Block<$words>, rows: usize) {
                loops::to_lanes(block, rows);
            }

            #[target_feature(enable = $features)]
            fn to_rows(block: &mut Block<$words>, rows: usize) {
                loops::to_rows(block, rows);
            }

            #[target_feature(enable = $features)]
            fn gather(
                packing: &Packing,
                slots: &[[u64; $words]],
                turns: &Turns<'_, $words>,
                blocks: &mut [Block<$words>],
                can_move: &mut [[u64; $words]],
            ) {
                loops::gather::<$words, $register>(packing, slots, turns, blocks, can_move);
            }

            #[target_feature(enable = $features)]
            fn scatter(
                packing: &Packing,
                blocks: &[Block<$words>],
                turns: &Turns<'_, $words>,
                slots: &mut [[u64; $words]],
            ) {
                loops::scatter::<$words, $register>(packing, blocks, turns, slots);
            }

            #[target_feature(enable = $features)]
            fn advance(
                next: &[Pin],
                slots: &mut [[u64; $words]],
                starts: &[[u64; $words]],
                fresh: &[u64; $words],
            ) {
                loops::advance::<$words, $register>(next, slots, starts, fresh);
            }

            #[target_feature(enable = $features)]
            fn advance_alike(
                next: &[Pin],
                slots: &mut [[u64; $words]],
                start: &[u64],
                fresh: &[u64; $words],
            ) {
                loops::advance_alike::<$words, $register>(next, slots, start, fresh);
            }

            #[target_feature(enable = $features)]
            fn to_bytes(
                seat: &Seat,
                turned: &[Block<$words>],
                first_lane: usize,
                each: usize,
                into: &mut [u8],
            ) {
                loops::to_bytes::<$words, $register>(seat, turned, first_lane, each, into);
            }

            #[target_feature(enable = $features)]
            fn count(row: &[u64; $words]) -> u64 {
                loops::count(row)
            }

            #[target_feature(enable = $features)]
            fn choose_on_rows(
                rows: &mut [[u64; $words]],
                scratch: &mut [[u64; $words]],
                bank: &mut RngBank,
                random: &mut Block<$words>,
            ) {
                rows::choose_on_rows::<$words, $register>(rows, scratch, bank, random);
            }

            #[target_feature(enable = $features)]
            fn prefer(rows: &mut [[u64; $words]], order: &[Preferred], lanes: &[u64; $words]) {
                rows::prefer::<$words, $register>(rows, order, lanes);
            }

            #[target_feature(enable = $features)]
            fn choose(seat: &Seat, blocks: &mut [Block<$words>], bank: &mut RngBank) {
                loops::choose(seat, blocks, bank, |word, place| _pdep_u64(1 << place, word));
            }

            // SAFETY of all calls: a width with this machine exists only where `available` says
            // that the processor has the features.
            impl Machine<$words> for $machine {
                fn execute(
                    program: &Program,
                    ops: &Offsets<$words>,
                    parts: &[Part],
                    slots: &mut [[u64; $words]],
                ) {
                    // SAFETY: as above.
                    unsafe { execute(program, ops, parts, slots) }
                }

                fn to_lanes(block: &mut Block<$words>, rows: usize) {
                    // SAFETY: as above.
                    unsafe { to_lanes(block, rows) }
                }

                fn to_rows(block: &mut Block<$words>, rows: usize) {
                    // SAFETY: as above.
                    unsafe { to_rows(block, rows) }
                }

                fn gather(
                    packing: &Packing,
                    slots: &[[u64; $words]],
                    turns: &Turns<'_, $words>,
                    blocks: &mut [Block<$words>],
                    can_move: &mut [[u64; $words]],
                ) {
                    // SAFETY: as above.
                    unsafe { gather(packing, slots, turns, blocks, can_move) }
                }

                fn scatter(
                    packing: &Packing,
                    blocks: &[Block<$words>],
                    turns: &Turns<'_, $words>,
                    slots: &mut [[u64; $words]],
                ) {
                    // SAFETY: as above.
                    unsafe { scatter(packing, blocks, turns, slots) }
                }

                fn advance(
                    next: &[Pin],
                    slots: &mut [[u64; $words]],
                    starts: &[[u64; $words]],
                    fresh: &[u64; $words],
                ) {
                    // SAFETY: as above.
                    unsafe { advance(next, slots, starts, fresh) }
                }

                fn advance_alike(
                    next: &[Pin],
                    slots: &mut [[u64; $words]],
                    start: &[u64],
                    fresh: &[u64; $words],
                ) {
                    // SAFETY: as above.
                    unsafe { advance_alike(next, slots, start, fresh) }
                }

                fn choose(seat: &Seat, blocks: &mut [Block<$words>], bank: &mut RngBank) {
                    // SAFETY: as above.
                    unsafe { choose(seat, blocks, bank) }
                }

                fn to_bytes(
                    seat: &Seat,
                    turned: &[Block<$words>],
                    first_lane: usize,
                    each: usize,
                    into: &mut [u8],
                ) {
                    // SAFETY: as above.
                    unsafe { to_bytes(seat, turned, first_lane, each, into) }
                }

                fn count(row: &[u64; $words]) -> u64 {
                    // SAFETY: as above.
                    unsafe { count(row) }
                }

                fn choose_on_rows(
                    rows: &mut [[u64; $words]],
                    scratch: &mut [[u64; $words]],
                    bank: &mut RngBank,
                    random: &mut Block<$words>,
                ) {
                    // SAFETY: as above.
                    unsafe { choose_on_rows(rows, scratch, bank, random) }
                }

                fn prefer(rows: &mut [[u64; $words]], order: &[Preferred], lanes: &[u64; $words]) {
                    // SAFETY: as above.
                    unsafe { prefer(rows, order, lanes) }
                }
            }
        };
    };
}

machine!(Avx2, 4, __m256i, "avx2,bmi1,bmi2,popcnt");
machine!(
    Avx512,
    8,
    __m512i,
    "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt"
);
