//! The inner loops, once in safe code for any width and once for each kind of processor.
//!
//! A row is one slot's bits of all lanes, `N` words. What the safe code ([`Portable`]) computes is
//! what counts; the others must give the same bits and are tested against it.

mod loops;
mod portable;
mod rows;
#[cfg(target_arch = "x86_64")]
mod x86;

use gamegrove_game::{Preferred, RngBank};

pub(super) use self::loops::read;
pub(super) use self::portable::Portable;
pub(super) use self::rows::{MOST_ROWS, scratch_rows};
#[cfg(target_arch = "x86_64")]
pub(super) use self::x86::{Avx2, Avx512};
use super::packing::{Packing, Seat};
use super::program::{Op, Part, Pin, Program};

/// Rows that are turned from one per move to one per lane and back: word `g` of row `i` is for move
/// `i` the lanes `64 g` and following, and when turned for lane `64 g + i` the moves. Flattened, a
/// turned block has one word per lane, lanes in the order of [`index`].
pub(super) type Block<const N: usize> = [[u64; N]; 64];

/// Where a lane's word is in a turned and flattened block, and its generator in the bank.
pub(super) fn index<const N: usize>(lane: usize) -> usize {
    lane % 64 * N + lane / 64
}

/// A program's instructions with slots as distances in memory, so that the processor need not
/// multiply.
#[derive(Clone, Debug)]
pub(super) struct Offsets<const N: usize>(Vec<Op>);

impl<const N: usize> Offsets<N> {
    /// The instructions of a program.
    pub fn new(program: &Program) -> Self {
        let size = size_of::<[u64; N]>() as u32;
        assert!(program.slots <= (u32::MAX / size) as usize, "memory has 32-bit distances");
        Offsets(program.ops.iter().map(|op| op.map(|slot| slot * size)).collect())
    }
}

/// Lanes in which it is whose turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns<'a, const N: usize> {
    /// All lanes, then the lanes in which it is each role's turn.
    pub of_moves: &'a [[u64; N]],
    /// The lanes in which each role sits on its seat.
    pub on_seats: &'a [[u64; N]],
}

/// A processor's way to do the inner loops.
pub(super) trait Machine<const N: usize> {
    /// Carries out parts of a program, given its instructions with slots as [`offsets`], on memory
    /// that has at least the program's slots.
    fn execute(program: &Program, ops: &Offsets<N>, parts: &[Part], slots: &mut [[u64; N]]);

    /// Turns a block from one row per move to one per lane; only the first `rows` count.
    fn to_lanes(block: &mut Block<N>, rows: usize);

    /// Turns a block back; bits beyond `rows` must be clear, and rows beyond them mean nothing.
    fn to_rows(block: &mut Block<N>, rows: usize);

    /// Legal moves into blocks; adds to the lanes in which each role can move.
    fn gather(
        packing: &Packing,
        slots: &[[u64; N]],
        turns: &Turns<'_, N>,
        blocks: &mut [Block<N>],
        can_move: &mut [[u64; N]],
    );

    /// Choices from blocks to the moves' slots.
    fn scatter(
        packing: &Packing,
        blocks: &[Block<N>],
        turns: &Turns<'_, N>,
        slots: &mut [[u64; N]],
    );

    /// The next state becomes the state, and in `fresh` lanes the start does.
    fn advance(next: &[Pin], slots: &mut [[u64; N]], starts: &[[u64; N]], fresh: &[u64; N]);

    /// As [`advance`](Machine::advance), where all starts are one state.
    fn advance_alike(next: &[Pin], slots: &mut [[u64; N]], start: &[u64], fresh: &[u64; N]);

    /// Leaves of each lane's seat one bit, each of those set equally likely.
    fn choose(seat: &Seat, blocks: &mut [Block<N>], bank: &mut RngBank);

    /// How many bits of a row are set.
    fn count(row: &[u64; N]) -> u64;

    /// One byte for each of a seat's bits of lanes in turned blocks: of the first lane at the start of
    /// `into`, of the next one `each` bytes on, as far as there is room.
    fn to_bytes(seat: &Seat, turned: &[Block<N>], first_lane: usize, each: usize, into: &mut [u8]);

    /// As [`choose`](Machine::choose), with the same random numbers, on a seat's rows before they are
    /// turned. `scratch` has the rows that [`scratch_rows`] says, `random` holds random numbers.
    fn choose_on_rows(
        rows: &mut [[u64; N]],
        scratch: &mut [[u64; N]],
        bank: &mut RngBank,
        random: &mut Block<N>,
    );

    /// In some lanes leaves of a seat's legal moves those that are preferred most. All lanes have a
    /// legal move of the order at most as often as the seat says; rows are those of moves.
    fn prefer(rows: &mut [[u64; N]], order: &[Preferred], lanes: &[u64; N]);
}

/// A row in a processor's registers.
pub(super) trait Word<const N: usize>: Copy {
    /// The row from memory.
    fn load(row: &[u64; N]) -> Self;

    /// The row to memory.
    fn store(self, row: &mut [u64; N]);

    /// The same word everywhere.
    fn splat(word: u64) -> Self;

    /// A function of three bits, by its table.
    fn function<const F: i32>(a: Self, b: Self, c: Self) -> Self;

    /// The sums, word by word.
    fn sum(a: Self, b: Self) -> Self;

    /// Each word shifted to the left, to the right, or round to the left.
    fn left<const BY: u32>(self) -> Self;
    fn right<const BY: u32>(self) -> Self;
    fn round<const BY: u32>(self) -> Self;

    /// All bits of the words in which a bit is set, and none of the others.
    fn spread(self, bit: u32) -> Self;

    /// Writes one byte for each bit of a word, as many as there is room for.
    #[inline(always)]
    fn bytes(word: u64, into: &mut [u8]) {
        loops::bytes(word, into);
    }
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
                other => unreachable!("{other} is not a normal function"),
            }
        }
    };
}

functions! {
    0 2 6 8 12 14 22 24 26 30 40 42 44 46 60 62 104 106 110 126 128 130 134 138 142 150 152 154 158
    168 172 174 188 190 192 232 234 240 252 254
}

#[cfg(test)]
mod tests;
