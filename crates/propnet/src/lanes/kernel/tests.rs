use gamegrove_game::Rng;

use super::*;

/// A block of random bits, one in `one_in` set, in the first `rows` rows.
fn random_block<const N: usize>(rng: &mut Rng, one_in: usize, rows: usize) -> Block<N> {
    let mut bit = |row| u64::from(row < rows && rng.below(one_in) == 0);
    std::array::from_fn(|row| {
        std::array::from_fn(|_| (0..64).fold(0, |word, at| word | bit(row) << at))
    })
}

/// Turning there and back, bit by bit, for every number of rows.
fn turns<const N: usize, M: Machine<N>>() {
    let mut rng = Rng::new(1);
    for rows in 1..=64 {
        let block = random_block::<N>(&mut rng, 3, rows);
        let mut turned = block;
        M::to_lanes(&mut turned, rows);
        for (row, words) in block.iter().enumerate() {
            for (group, word) in words.iter().enumerate() {
                for (bit, lane) in turned.iter().enumerate() {
                    assert_eq!(word >> bit & 1, lane[group] >> row & 1, "{rows} rows");
                }
            }
        }
        M::to_rows(&mut turned, rows);
        assert_eq!(turned[..rows], block[..rows], "{rows} rows");
    }
}

/// After a choice every seat has one of its legal bits left, and other bits are as before.
fn choices<const N: usize, M: Machine<N>>() -> Vec<Block<N>> {
    let mut rng = Rng::new(2);
    // One within a block beside another, and one over two blocks and a bit.
    let seats = [Seat::new(0, 7, 3), Seat::new(0, 50, 10), Seat::new(1, 130, 0)];
    let mut bank = RngBank::new(3, N);
    let mut all = Vec::new();
    for one_in in [1, 2, 8, 64, 500] {
        let blocks: Vec<Block<N>> = (0..4).map(|_| random_block(&mut rng, one_in, 64)).collect();
        let mut chosen = blocks.clone();
        seats.iter().for_each(|seat| M::choose(seat, &mut chosen, &mut bank));
        for lane in 0..64 * N {
            let word = |blocks: &[Block<N>], at: usize| blocks[at][lane % 64][lane / 64];
            for seat in &seats {
                let bits = |blocks: &[Block<N>]| -> Vec<u64> {
                    let field = |at: usize| word(blocks, seat.first_block + at) >> seat.shift;
                    (0..seat.blocks).map(|at| field(at) & seat.mask(at)).collect()
                };
                let (legal, left) = (bits(&blocks), bits(&chosen));
                assert!(left.iter().zip(&legal).all(|(left, legal)| left & !legal == 0));
                let count: u32 = left.iter().map(|word| word.count_ones()).sum();
                assert_eq!(count, u32::from(legal.iter().any(|&word| word != 0)));
            }
            let outside = 0x7 | 0xf << 60;
            assert_eq!(word(&chosen, 0) & outside, word(&blocks, 0) & outside);
            assert_eq!(word(&chosen, 3) & !3, word(&blocks, 3) & !3);
        }
        all.extend(chosen);
    }
    all
}

/// Choices on rows are those on turned blocks, made with the same numbers, for every size of a seat.
fn choices_on_rows<const N: usize, M: Machine<N>>() {
    let (mut rng, mut random) = (Rng::new(6), [[0; N]; 64]);
    let mut banks = [RngBank::new(5, N), RngBank::new(5, N)];
    for lane in 0..64 * N {
        banks.iter_mut().for_each(|bank| bank.start(lane, lane as u64));
    }
    for moves in (1..70).chain([127, 128, 129, 255, 256, 257, MOST_ROWS]) {
        let seat = Seat::new(0, moves, 0);
        let mut scratch = vec![[0; N]; scratch_rows(moves)];
        for one_in in [1, 2, 9, 64] {
            let rows = |at: usize| moves.saturating_sub(64 * at).min(64);
            let blocks: Vec<Block<N>> =
                (0..seat.blocks).map(|at| random_block(&mut rng, one_in, rows(at))).collect();
            let [mut turned, mut chosen] = [blocks.clone(), blocks];
            turned.iter_mut().for_each(|block| M::to_lanes(block, 64));
            M::choose(&seat, &mut turned, &mut banks[0]);
            turned.iter_mut().for_each(|block| M::to_rows(block, 64));
            let rows = &mut chosen.as_flattened_mut()[..moves];
            M::choose_on_rows(rows, &mut scratch, &mut banks[1], &mut random);
            assert!(chosen == turned, "{moves} moves, one in {one_in} legal");
        }
    }
    for lane in 0..64 * N {
        let [a, b] = &mut banks;
        assert_eq!(a.next(lane), b.next(lane), "as many numbers were drawn");
    }
}

#[test]
fn safe_code_turns_and_chooses() {
    turns::<1, Portable>();
    turns::<4, Portable>();
    choices::<1, Portable>();
    choices_on_rows::<1, Portable>();
    choices_on_rows::<4, Portable>();
}

#[cfg(target_arch = "x86_64")]
#[test]
fn special_code_equals_safe_code() {
    if Avx2::available() {
        turns::<4, Avx2>();
        assert_eq!(choices::<4, Avx2>(), choices::<4, Portable>());
        choices_on_rows::<4, Avx2>();
    }
    if Avx512::available() {
        turns::<8, Avx512>();
        assert_eq!(choices::<8, Avx512>(), choices::<8, Portable>());
        choices_on_rows::<8, Avx512>();
    }
}
