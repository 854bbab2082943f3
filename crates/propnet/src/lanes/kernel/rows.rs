//! Uniform choice on rows: of each lane's legal moves one is left, without turning rows into lanes.
//!
//! A binary tree over the rows of a seat holds the number of legal moves below each node, bit by bit:
//! a number of `B` bits is `B` rows. The root's number `n` and a random number of 64 bits give the
//! rank of the move to keep, `random * n >> 64` as in [`gamegrove_game::Rng::below`]. Then all
//! lanes go down the tree at once: where the rank is below the number of the left child they turn
//! left, else they turn right and the rank is less by that number.
//!
//! The product is taken of the upper 16 random bits, by shifts and additions of rows. The lower 48
//! bits decide in about `2 n` of 65,536 cases; those lanes are worked out one by one.

use gamegrove_game::{Preferred, RngBank};

use super::{Block, Word, index};
use crate::lanes::function::{A, AND, B, BUT_NOT, C, CHOICE, OR, OR_BOTH};

/// The most moves of a seat that is chosen from on rows.
pub(in crate::lanes) const MOST_ROWS: usize = 320;

/// The most bits of a number of moves.
const MOST_BITS: usize = 10;

/// How many random bits are multiplied.
const RANDOM: usize = 16;

/// The sum of three bits, its carry, and what `a - b - c` borrows.
const SUM: i32 = (A ^ B ^ C) as i32;
const CARRY: i32 = (A & B | A & C | B & C) as i32;
const BORROW: i32 = (!A & (B | C) | B & C) as i32;

/// How many rows [`choose_on_rows`] needs for itself.
pub(in crate::lanes) fn scratch_rows(moves: usize) -> usize {
    let (mut nodes, mut bits, mut rows) = (moves, 1, 0);
    while nodes > 1 {
        nodes = nodes.div_ceil(2);
        bits += 1;
        rows += nodes * bits;
    }
    // The masks of the tree's nodes come last; leaves need none.
    rows + moves.div_ceil(2)
}

/// Leaves of each lane's legal moves, one row each, one set, each equally likely. A lane that has a
/// choice takes one number from its generator, or more in the rare case that a number is rejected.
#[inline(always)]
pub(super) fn choose_on_rows<const N: usize, W: Word<N>>(
    rows: &mut [[u64; N]],
    scratch: &mut [[u64; N]],
    bank: &mut RngBank,
    random: &mut Block<N>,
) {
    // What is chosen from one move at most stays as it is.
    if rows.len() < 2 {
        return;
    }
    // Numbers of moves, level by level; a level begins where the one below it ends.
    let (mut nodes, mut bits) = (rows.len().div_ceil(2), 2);
    add::<N, W, 1>(rows, scratch);
    let mut from = 0;
    while nodes > 1 {
        let (below, above) = scratch[from..].split_at_mut(nodes * bits);
        match bits {
            2 => add::<N, W, 2>(below, above),
            3 => add::<N, W, 3>(below, above),
            4 => add::<N, W, 4>(below, above),
            5 => add::<N, W, 5>(below, above),
            6 => add::<N, W, 6>(below, above),
            7 => add::<N, W, 7>(below, above),
            8 => add::<N, W, 8>(below, above),
            _ => add::<N, W, 9>(below, above),
        }
        from += nodes * bits;
        nodes = nodes.div_ceil(2);
        bits += 1;
    }
    let (numbers, masks) = scratch.split_at_mut(from + bits);
    let mut rank = [W::splat(0); MOST_BITS];
    match bits {
        2 => ranks::<N, W, 2>(&numbers[from..], bank, random, &mut rank),
        3 => ranks::<N, W, 3>(&numbers[from..], bank, random, &mut rank),
        4 => ranks::<N, W, 4>(&numbers[from..], bank, random, &mut rank),
        5 => ranks::<N, W, 5>(&numbers[from..], bank, random, &mut rank),
        6 => ranks::<N, W, 6>(&numbers[from..], bank, random, &mut rank),
        7 => ranks::<N, W, 7>(&numbers[from..], bank, random, &mut rank),
        8 => ranks::<N, W, 8>(&numbers[from..], bank, random, &mut rank),
        9 => ranks::<N, W, 9>(&numbers[from..], bank, random, &mut rank),
        _ => ranks::<N, W, 10>(&numbers[from..], bank, random, &mut rank),
    }
    // Down the tree: `masks` says which lanes are at which node of a level.
    masks[0] = [!0; N];
    let mut nodes = 1;
    while bits > 2 {
        bits -= 1;
        let children = level_nodes(rows.len(), bits);
        from -= children * bits;
        let numbers = &numbers[from..];
        match bits {
            2 => descend::<N, W, 2>(numbers, masks, nodes, children, &mut rank),
            3 => descend::<N, W, 3>(numbers, masks, nodes, children, &mut rank),
            4 => descend::<N, W, 4>(numbers, masks, nodes, children, &mut rank),
            5 => descend::<N, W, 5>(numbers, masks, nodes, children, &mut rank),
            6 => descend::<N, W, 6>(numbers, masks, nodes, children, &mut rank),
            7 => descend::<N, W, 7>(numbers, masks, nodes, children, &mut rank),
            8 => descend::<N, W, 8>(numbers, masks, nodes, children, &mut rank),
            _ => descend::<N, W, 9>(numbers, masks, nodes, children, &mut rank),
        }
        nodes = children;
    }
    leave_one::<N, W>(rows, masks, rank[0]);
}

/// In some lanes leaves of the legal moves those of the first group of equals in which there is any. Moves
/// beyond the rows do not count.
#[inline(always)]
pub(super) fn prefer<const N: usize, W: Word<N>>(
    rows: &mut [[u64; N]],
    order: &[Preferred],
    lanes: &[u64; N],
) {
    let lanes = W::load(lanes);
    // Lanes that have found their group, and those that find it in this one.
    let (mut found, mut finding) = (W::splat(0), W::splat(0));
    for &Preferred { mov, last } in order {
        if let Some(row) = rows.get_mut(mov.index()) {
            let left = W::function::<BUT_NOT>(W::load(row), found, found);
            left.store(row);
            finding = W::function::<OR_BOTH>(finding, left, lanes);
        }
        if last {
            found = W::function::<OR>(found, finding, finding);
            finding = W::splat(0);
        }
    }
}

/// How many nodes the level has whose numbers have so many bits.
fn level_nodes(rows: usize, bits: usize) -> usize {
    rows.div_ceil(1 << (bits - 1))
}

/// One level of numbers from the one below, whose numbers have `BITS` bits. A node without a right
/// child has its left one's number.
#[inline(always)]
fn add<const N: usize, W: Word<N>, const BITS: usize>(below: &[[u64; N]], above: &mut [[u64; N]]) {
    let (pairs, rest) = below.as_chunks::<BITS>().0.as_chunks::<2>();
    let mut above = above.chunks_exact_mut(BITS + 1);
    for ([a, b], sum) in pairs.iter().zip(&mut above) {
        let mut carry = W::splat(0);
        for bit in 0..BITS {
            let (x, y) = (W::load(&a[bit]), W::load(&b[bit]));
            W::function::<SUM>(x, y, carry).store(&mut sum[bit]);
            carry = W::function::<CARRY>(x, y, carry);
        }
        carry.store(&mut sum[BITS]);
    }
    if let ([left], Some(sum)) = (rest, above.next()) {
        sum[..BITS].copy_from_slice(left);
        sum[BITS] = [0; N];
    }
}

/// The ranks of the moves to keep, below the numbers of moves in the first `BITS` rows of `numbers`.
#[inline(always)]
fn ranks<const N: usize, W: Word<N>, const BITS: usize>(
    numbers: &[[u64; N]],
    bank: &mut RngBank,
    random: &mut Block<N>,
    rank: &mut [W; MOST_BITS],
) {
    let Some(rows) = numbers.first_chunk::<BITS>() else { return };
    let (zero, mut draws) = (W::splat(0), W::splat(0));
    let mut number = [zero; BITS];
    for (bit, (number, row)) in number.iter_mut().zip(rows).enumerate() {
        *number = W::load(row);
        draws = if bit > 0 { W::function::<OR>(draws, *number, *number) } else { draws };
    }
    draw(bank, draws, random);
    // The product, from the lowest random bit on; what is shifted out is its fraction.
    let mut product = [zero; BITS];
    let mut fraction = [zero; RANDOM];
    for (bits, fraction) in upper_bits::<N, W>(random).into_iter().zip(&mut fraction) {
        let mut carry = zero;
        for bit in 0..BITS {
            let y = W::function::<AND>(number[bit], bits, bits);
            let sum = W::function::<SUM>(product[bit], y, carry);
            carry = W::function::<CARRY>(product[bit], y, carry);
            if bit == 0 { *fraction = sum } else { product[bit - 1] = sum }
        }
        product[BITS - 1] = carry;
    }
    // The lower random bits may add up to the number to the fraction, and a fraction next to 0 may be
    // rejected.
    let (mut carry, mut any) = (zero, zero);
    for (bit, &fraction) in fraction.iter().enumerate() {
        let y = if bit < BITS { number[bit] } else { zero };
        carry = W::function::<CARRY>(fraction, y, carry);
        any = W::function::<OR>(any, fraction, fraction);
    }
    rank[..BITS].copy_from_slice(&product);
    let (exact, mut doubtful) = (W::function::<BUT_NOT>(any, carry, carry), [0; N]);
    W::function::<BUT_NOT>(draws, exact, exact).store(&mut doubtful);
    if doubtful != [0; N] {
        let mut ranks = [[0; N]; BITS];
        for (bits, row) in product.iter().zip(&mut ranks) {
            bits.store(row);
        }
        work_out(rows, bank, random, &mut ranks, &doubtful);
        for (bits, row) in rank.iter_mut().zip(&ranks) {
            *bits = W::load(row);
        }
    }
}

/// The ranks of some lanes in full, as [`gamegrove_game::Rng::below`] finds them.
#[cold]
fn work_out<const N: usize>(
    number: &[[u64; N]],
    bank: &mut RngBank,
    random: &Block<N>,
    rank: &mut [[u64; N]],
    lanes: &[u64; N],
) {
    for lane in crate::lanes::stream::lanes(*lanes) {
        let (group, bit) = (lane / 64, lane % 64);
        let bits = number.iter().enumerate();
        let bound = bits.fold(0, |n, (place, row)| n | (row[group] >> bit & 1) << place);
        let mut wide = u128::from(random[bit][group]) * u128::from(bound);
        while (wide as u64) < bound.wrapping_neg() % bound {
            wide = u128::from(bank.next(index::<N>(lane))) * u128::from(bound);
        }
        for (place, row) in rank.iter_mut().enumerate() {
            let value = (wide >> 64) as u64 >> place & 1;
            row[group] = row[group] & !(1 << bit) | value << bit;
        }
    }
}

/// The next number of each lane's generator, a step of xoshiro256++, where the lane draws; other
/// generators stay as they are, and their numbers mean nothing.
#[inline(always)]
fn draw<const N: usize, W: Word<N>>(bank: &mut RngBank, draws: W, random: &mut Block<N>) {
    let mut random = random.iter_mut();
    let (mut bit, zero) = (0, W::splat(0));
    for [s0, s1, s2, s3] in bank.states_mut() {
        let s0 = s0.as_chunks_mut::<N>().0.iter_mut();
        let s1 = s1.as_chunks_mut::<N>().0;
        let s2 = s2.as_chunks_mut::<N>().0;
        let s3 = s3.as_chunks_mut::<N>().0;
        for ((((s0, s1), s2), s3), random) in s0.zip(s1).zip(s2).zip(s3).zip(&mut random) {
            let draws = draws.spread(bit);
            let (a, b, c, d) = (W::load(s0), W::load(s1), W::load(s2), W::load(s3));
            W::sum(W::sum(a, d).round::<23>(), a).store(random);
            let turned = W::function::<SUM>(d, b, zero).round::<45>();
            W::function::<CHOICE>(draws, W::function::<SUM>(a, d, b), a).store(s0);
            W::function::<CHOICE>(draws, W::function::<SUM>(b, c, a), b).store(s1);
            W::function::<CHOICE>(draws, W::function::<SUM>(c, a, b.left::<17>()), c).store(s2);
            W::function::<CHOICE>(draws, turned, d).store(s3);
            bit += 1;
        }
    }
}

/// The upper bits of a number per lane, one row per bit, the lowest first.
#[inline(always)]
fn upper_bits<const N: usize, W: Word<N>>(random: &Block<N>) -> [W; RANDOM] {
    let (second, third) = (W::splat(0xffff << 16), W::splat(0xffff << 48));
    let upper = W::splat(0xffff_ffff << 32);
    let mut rows = [W::splat(0); RANDOM];
    for (at, row) in rows.iter_mut().enumerate() {
        let (a, b) = (W::load(&random[at]), W::load(&random[RANDOM + at]));
        let (c, d) = (W::load(&random[2 * RANDOM + at]), W::load(&random[3 * RANDOM + at]));
        let low = W::function::<CHOICE>(second, b.right::<32>(), a.right::<48>());
        let high = W::function::<CHOICE>(third, d, c.right::<16>());
        *row = W::function::<CHOICE>(upper, high, low);
    }
    turn::<N, W, 8>(&mut rows);
    turn::<N, W, 4>(&mut rows);
    turn::<N, W, 2>(&mut rows);
    turn::<N, W, 1>(&mut rows);
    rows
}

/// Exchanges neighbouring squares of so many rows and bits, as `turn_squares` does for blocks.
#[inline(always)]
fn turn<const N: usize, W: Word<N>, const DISTANCE: u32>(rows: &mut [W; RANDOM]) {
    let mask = W::splat(!0 / ((1 << DISTANCE) + 1));
    let distance = DISTANCE as usize;
    for above in (0..RANDOM).filter(|row| row & distance == 0) {
        let (x, y) = (rows[above], rows[above + distance]);
        rows[above] = W::function::<CHOICE>(mask, x, y.left::<DISTANCE>());
        rows[above + distance] = W::function::<CHOICE>(mask, x.right::<DISTANCE>(), y);
    }
}

/// One level down: `masks` has the lanes at each of `nodes` nodes, and then at each of the `children`
/// below, whose numbers have `BITS` bits. The ranks have `BITS` bits then.
#[inline(always)]
fn descend<const N: usize, W: Word<N>, const BITS: usize>(
    numbers: &[[u64; N]],
    masks: &mut [[u64; N]],
    nodes: usize,
    children: usize,
    rank: &mut [W; MOST_BITS],
) {
    let numbers = &numbers.as_chunks::<BITS>().0[..children];
    // The number of the left child of each lane's node.
    let mut left = [W::splat(0); BITS];
    for (number, mask) in numbers.chunks(2).zip(&masks[..nodes]) {
        let mask = W::load(mask);
        for (left, bits) in left.iter_mut().zip(&number[0]) {
            *left = W::function::<OR_BOTH>(*left, W::load(bits), mask);
        }
    }
    let mut less = [W::splat(0); BITS];
    let mut borrow = W::splat(0);
    for bit in 0..BITS {
        less[bit] = W::function::<SUM>(rank[bit], left[bit], borrow);
        borrow = W::function::<BORROW>(rank[bit], left[bit], borrow);
    }
    // Where nothing is borrowed the rank is not below the number.
    for (rank, less) in rank.iter_mut().zip(less) {
        *rank = W::function::<CHOICE>(borrow, *rank, less);
    }
    for node in (0..nodes).rev() {
        let mask = W::load(&masks[node]);
        if 2 * node + 1 < children {
            W::function::<BUT_NOT>(mask, borrow, borrow).store(&mut masks[2 * node + 1]);
        }
        W::function::<AND>(mask, borrow, borrow).store(&mut masks[2 * node]);
    }
}

/// Keeps one row of each pair: for each lane the one that the last bit of its rank names.
#[inline(always)]
fn leave_one<const N: usize, W: Word<N>>(rows: &mut [[u64; N]], masks: &[[u64; N]], rank: W) {
    for (pair, mask) in rows.chunks_mut(2).zip(masks) {
        let mask = W::load(mask);
        let x = W::load(&pair[0]);
        if let [left, right] = pair {
            let goes_left = W::function::<BUT_NOT>(W::function::<AND>(mask, x, x), rank, rank);
            let y = W::function::<AND>(mask, W::load(right), mask);
            W::function::<BUT_NOT>(y, goes_left, goes_left).store(right);
            goes_left.store(left);
        } else {
            W::function::<AND>(mask, x, x).store(&mut pair[0]);
        }
    }
}
