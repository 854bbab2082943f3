//! Functions of three bits, by their tables.
//!
//! Bit `4a + 2b + c` of a table is the value for `a`, `b` and `c`, as in the processor's
//! three-input instruction. An instruction's result may be kept negated and its inputs may change
//! places, so few functions are needed: those that are false when nothing holds, one per order of
//! the inputs.

/// A function of three bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Function(pub u8);

/// The tables of the inputs.
pub(super) const A: u8 = 0b1111_0000;
pub(super) const B: u8 = 0b1100_1100;
pub(super) const C: u8 = 0b1010_1010;

/// Tables of use in loops: `a` and `b`, `a` or `b`, `a` or both others, `a` but not `b`, and `b` where
/// `a` holds, else `c`.
pub(super) const AND: i32 = (A & B) as i32;
pub(super) const OR: i32 = (A | B) as i32;
pub(super) const OR_BOTH: i32 = (A | B & C) as i32;
pub(super) const BUT_NOT: i32 = (A & !B) as i32;
pub(super) const CHOICE: i32 = (A & B | !A & C) as i32;

/// The orders of three inputs: place `i` of the new order is input `ORDERS[..][i]` of the old.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

impl Function {
    /// The value for inputs.
    pub const fn value(self, a: bool, b: bool, c: bool) -> bool {
        self.0 >> (4 * a as u8 + 2 * b as u8 + c as u8) & 1 == 1
    }

    /// Whether input `place` matters.
    pub const fn reads(self, place: usize) -> bool {
        let distance = 4 >> place;
        let half = [A, B, C][place];
        (self.0 & half) >> distance != self.0 & !half
    }

    /// The same function with its inputs in another order.
    fn reordered(self, order: [usize; 3]) -> Function {
        let mut table = 0;
        for row in 0..8u8 {
            let given = [row >> 2 & 1 == 1, row >> 1 & 1 == 1, row & 1 == 1];
            let mut old = [false; 3];
            for (new, &from) in order.iter().enumerate() {
                old[from] = given[new];
            }
            table |= u8::from(self.value(old[0], old[1], old[2])) << row;
        }
        Function(table)
    }

    /// The same function of inputs of which some are given as their opposites.
    pub fn flipped(self, flips: [bool; 3]) -> Function {
        let mut table = 0;
        for row in 0..8u8 {
            let [a, b, c] =
                [0, 1, 2].map(|place: usize| (row >> (2 - place) & 1 == 1) != flips[place]);
            table |= u8::from(self.value(a, b, c)) << row;
        }
        Function(table)
    }

    /// The order of the inputs that gives the least table, and whether the result is negated. Inputs
    /// that do not matter come last.
    pub fn normal(self) -> (Function, [usize; 3], bool) {
        let negated = self.value(false, false, false);
        let plain = Function(if negated { !self.0 } else { self.0 });
        let unread =
            |f: Function| (0..3).map(|place| u8::from(f.reads(place)) << place).sum::<u8>();
        let orders = ORDERS.map(|order| (plain.reordered(order), order));
        let best = orders.into_iter().min_by_key(|&(f, order)| (unread(f), f, order));
        let (function, order) = best.unwrap_or((plain, ORDERS[0]));
        (function, order, negated)
    }

    /// The function of whole words.
    #[inline(always)]
    pub fn of_words<const F: i32>(a: u64, b: u64, c: u64) -> u64 {
        let without = two::<F>(a, b, 0);
        if const { Function(F as u8).reads(2) } {
            (c & two::<F>(a, b, 1)) | (!c & without)
        } else {
            without
        }
    }
}

/// The function with its last input fixed.
#[inline(always)]
fn two<const F: i32>(a: u64, b: u64, c: u8) -> u64 {
    let bit = |row: u8| F as u8 >> (row * 2 + c) & 1;
    match bit(3) << 3 | bit(2) << 2 | bit(1) << 1 | bit(0) {
        0b0000 => 0,
        0b0001 => !(a | b),
        0b0010 => !a & b,
        0b0011 => !a,
        0b0100 => a & !b,
        0b0101 => !b,
        0b0110 => a ^ b,
        0b0111 => !(a & b),
        0b1000 => a & b,
        0b1001 => !(a ^ b),
        0b1010 => b,
        0b1011 => !a | b,
        0b1100 => a,
        0b1101 => a | !b,
        0b1110 => a | b,
        _ => !0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_inputs_are_what_they_say() {
        assert_eq!(
            [A, B, C].map(Function).map(|f| [f.reads(0), f.reads(1), f.reads(2)]),
            [[true, false, false], [false, true, false], [false, false, true]]
        );
        assert!(Function(A & B & C).value(true, true, true));
    }

    #[test]
    fn normal_forms_compute_the_same() {
        let mut normals = Vec::new();
        for table in 0..=255u8 {
            let (function, order, negated) = Function(table).normal();
            normals.push(function.0);
            for row in 0..8 {
                let given = [row & 4 != 0, row & 2 != 0, row & 1 != 0];
                let [a, b, c] = order.map(|from| given[from]);
                let value = function.value(a, b, c) != negated;
                assert_eq!(value, Function(table).value(given[0], given[1], given[2]));
            }
            let read: Vec<bool> = (0..3).map(|place| function.reads(place)).collect();
            assert!(read.is_sorted_by(|a, b| a >= b), "{table}: {function:?} reads {read:?}");
        }
        normals.sort_unstable();
        normals.dedup();
        assert_eq!(normals, super::super::kernel::FUNCTIONS, "the kernels' list");
    }
}
