//! The inner loops, once in safe code for any width and once for each kind of processor.
//!
//! A row is one slot's bits of all lanes, `N` words. What the safe code ([`Portable`]) computes is
//! what counts; the others must give the same bits and are tested against it.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

use gamegrove_game::Rng;

pub(super) use self::portable::Portable;
#[cfg(target_arch = "x86_64")]
pub(super) use self::x86::{Avx2, Avx512};
use super::program::{Part, Program};

/// Rows that are turned from one per move to one per lane and back: word `g` of row `i` is for move
/// `i` the lanes `64 g` and following, and when turned for lane `64 g + i` the moves.
pub(super) type Block<const N: usize> = [[u64; N]; 64];

/// Where a role's moves lie within a word of a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub shift: u32,
    pub mask: u64,
}

/// A processor's way to do the inner loops.
pub(super) trait Machine<const N: usize> {
    /// Carries out parts of a program on memory that has at least the program's slots.
    fn execute(program: &Program, parts: &[Part], slots: &mut [[u64; N]]);

    /// Turns a block.
    fn turn(block: &mut Block<N>);

    /// Leaves of each lane's fields one bit, each of those set equally likely; bits of no field stay.
    fn choose(block: &mut Block<N>, fields: &[Field], rngs: &mut [Rng]);
}

/// A way to compute an instruction.
trait Kernel<const N: usize> {
    fn run<const F: i32>(&mut self, ops: std::ops::Range<u32>);
}

/// The functions that instructions may have, and the way from one known at run time to a kernel
/// made for it.
macro_rules! functions {
    ($($function:literal)*) => {
        /// The tables of all normal functions.
        #[cfg(test)]
        pub(super) const FUNCTIONS: &[u8] = &[$($function),*];

        #[inline(always)]
        fn dispatch<const N: usize, K: Kernel<N>>(
            kernel: &mut K,
            function: super::function::Function,
            ops: std::ops::Range<u32>,
        ) {
            match function.0 {
                $($function => kernel.run::<$function>(ops),)*
                other => unreachable!("{other} is no normal function"),
            }
        }
    };
}

functions! {
    0 2 6 8 12 14 22 24 26 30 40 42 44 46 60 62 104 106 110 126 128 130 134 138 142 150 152 154 158
    168 172 174 188 190 192 232 234 240 252 254
}

/// Turns a block by exchanging ever smaller squares.
#[inline(always)]
fn turn<const N: usize>(block: &mut Block<N>) {
    let (mut distance, mut mask) = (32, 0x0000_0000_ffff_ffffu64);
    while distance > 0 {
        let mut upper = 0;
        while upper < 64 {
            let (above, below) = block[upper..].split_at_mut(distance);
            for (above, below) in above.iter_mut().zip(below) {
                for (a, b) in above.iter_mut().zip(below) {
                    let swapped = (*a >> distance ^ *b) & mask;
                    *a ^= swapped << distance;
                    *b ^= swapped;
                }
            }
            upper += 2 * distance;
        }
        distance /= 2;
        mask ^= mask << distance;
    }
}

/// Chooses by a way to find the set bit with a number of lower ones.
#[inline(always)]
fn choose<const N: usize>(
    block: &mut Block<N>,
    fields: &[Field],
    rngs: &mut [Rng],
    select: impl Fn(u64, u32) -> u64,
) {
    // Other bits belong to roles that choose elsewhere.
    let others = !fields.iter().fold(0, |all, field| all | field.mask << field.shift);
    if fields.is_empty() {
        return;
    }
    for group in 0..N {
        let rngs = &mut rngs[group * 64..group * 64 + 64];
        for (row, rng) in block.iter_mut().zip(rngs) {
            let legal = row[group];
            let mut chosen = legal & others;
            for field in fields {
                let word = legal >> field.shift & field.mask;
                let count = word.count_ones();
                let bit =
                    if count > 1 { select(word, rng.below(count as usize) as u32) } else { word };
                chosen |= bit << field.shift;
            }
            row[group] = chosen;
        }
    }
}

#[cfg(test)]
mod tests;
