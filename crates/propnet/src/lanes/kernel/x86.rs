//! The inner loops for processors with AVX2 and AVX-512.
//!
//! What makes them faster than the safe code: no check of slot numbers (the program was checked as
//! a whole when it was made), three-input instructions, wide registers, and `pdep` to find a bit.

#![expect(unsafe_code, reason = "processor instructions that Rust cannot prove to be there")]

use std::arch::x86_64::{
    __m256i, __m512i, _mm256_load_si256, _mm256_store_si256, _mm512_load_si512, _mm512_store_si512,
    _mm512_ternarylogic_epi64, _pdep_u64,
};
use std::marker::PhantomData;
use std::ops::Range;

use gamegrove_game::Rng;

use super::{Block, Field, Kernel, Machine, choose, dispatch, turn};
use crate::lanes::function::Function;
use crate::lanes::program::{Part, Program};

/// Processors with AVX2 and BMI2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2;

/// Processors with AVX-512 (F, BW, VL, DQ) and BMI2.
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

/// Memory whose length is at least the program's number of slots.
struct Rows<'a, R> {
    program: &'a Program,
    slots: *mut R,
    memory: PhantomData<&'a mut [R]>,
}

impl<const N: usize, R: Register> Kernel<N> for Rows<'_, R> {
    #[inline(always)]
    fn run<const F: i32>(&mut self, ops: Range<u32>) {
        for &[to, a, b, c] in &self.program.ops[ops.start as usize..ops.end as usize] {
            // SAFETY: every slot of a program's instructions is below its number of slots
            // (`Program::new` asserts it) and the memory has that many (`execute` asserts it), each
            // at the border of its size.
            unsafe {
                let a = R::load(self.slots.add(a as usize));
                let b = if const { Function(F as u8).reads(1) } {
                    R::load(self.slots.add(b as usize))
                } else {
                    a
                };
                let c = if const { Function(F as u8).reads(2) } {
                    R::load(self.slots.add(c as usize))
                } else {
                    a
                };
                R::store(self.slots.add(to as usize), R::function::<F>(a, b, c));
            }
        }
    }
}

/// As the safe twin does it, with `R` as rows.
#[inline(always)]
fn execute<const N: usize, R: Register>(program: &Program, parts: &[Part], slots: &mut [[u64; N]]) {
    assert!(slots.len() >= program.slots, "the memory is the program's");
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
                Rows { program, slots: slots.as_mut_ptr().cast::<R>(), memory: PhantomData };
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

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,popcnt")]
fn execute_avx512(program: &Program, parts: &[Part], slots: &mut [[u64; 8]]) {
    execute::<8, __m512i>(program, parts, slots);
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn execute_avx2(program: &Program, parts: &[Part], slots: &mut [[u64; 4]]) {
    execute::<4, __m256i>(program, parts, slots);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,popcnt")]
fn turn_avx512(block: &mut Block<8>) {
    turn(block);
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn turn_avx2(block: &mut Block<4>) {
    turn(block);
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn choose_bmi2<const N: usize>(block: &mut Block<N>, fields: &[Field], rngs: &mut [Rng]) {
    choose(block, fields, rngs, |word, place| _pdep_u64(1 << place, word));
}

impl Machine<8> for Avx512 {
    fn execute(program: &Program, parts: &[Part], slots: &mut [[u64; 8]]) {
        // SAFETY: this machine is used only where `available` says so.
        unsafe { execute_avx512(program, parts, slots) }
    }

    fn turn(block: &mut Block<8>) {
        // SAFETY: as above.
        unsafe { turn_avx512(block) }
    }

    fn choose(block: &mut Block<8>, fields: &[Field], rngs: &mut [Rng]) {
        // SAFETY: as above.
        unsafe { choose_bmi2(block, fields, rngs) }
    }
}

impl Machine<4> for Avx2 {
    fn execute(program: &Program, parts: &[Part], slots: &mut [[u64; 4]]) {
        // SAFETY: this machine is used only where `available` says so.
        unsafe { execute_avx2(program, parts, slots) }
    }

    fn turn(block: &mut Block<4>) {
        // SAFETY: as above.
        unsafe { turn_avx2(block) }
    }

    fn choose(block: &mut Block<4>, fields: &[Field], rngs: &mut [Rng]) {
        // SAFETY: as above.
        unsafe { choose_bmi2(block, fields, rngs) }
    }
}
