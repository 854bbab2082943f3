use super::*;

/// A block of random bits, one in `one_in` set.
fn random_block<const N: usize>(rng: &mut Rng, one_in: usize) -> Block<N> {
    let mut bit = || u64::from(rng.below(one_in) == 0);
    std::array::from_fn(|_| std::array::from_fn(|_| (0..64).fold(0, |w, at| w | bit() << at)))
}

#[test]
fn turning_exchanges_rows_and_bits() {
    let mut rng = Rng::new(1);
    let block = random_block::<4>(&mut rng, 3);
    let mut turned = block;
    Portable::turn(&mut turned);
    for (row, words) in block.iter().enumerate() {
        for (group, word) in words.iter().enumerate() {
            for bit in 0..64 {
                assert_eq!(word >> bit & 1, turned[bit][group] >> row & 1);
            }
        }
    }
    Portable::turn(&mut turned);
    assert_eq!(turned, block);
}

#[test]
fn one_legal_bit_is_left_of_each_field() {
    let mut rng = Rng::new(2);
    let fields = [Field { shift: 0, mask: 0x7f }, Field { shift: 7, mask: !0 >> 7 }];
    let mut rngs: Vec<Rng> = (0..64).map(|n| Rng::stream(3, n)).collect();
    for one_in in [1, 2, 8, 64] {
        let block = random_block::<1>(&mut rng, one_in);
        let mut chosen = block;
        Portable::choose(&mut chosen, &fields, &mut rngs);
        for (legal, chosen) in block.iter().flatten().zip(chosen.iter().flatten()) {
            assert_eq!(chosen & !legal, 0);
            for field in fields {
                let (l, c) =
                    (legal >> field.shift & field.mask, chosen >> field.shift & field.mask);
                assert_eq!(c.count_ones(), u32::from(l != 0));
            }
        }
    }
}

/// Both twins on the same blocks.
#[cfg(target_arch = "x86_64")]
fn compare<const N: usize, M: Machine<N>>() {
    let mut rng = Rng::new(4);
    let fields = [Field { shift: 0, mask: 0xff }, Field { shift: 8, mask: !0 >> 8 }];
    for round in 0..50 {
        let block = random_block::<N>(&mut rng, 1 + round % 9);
        let (mut fast, mut slow) = (block, block);
        M::turn(&mut fast);
        Portable::turn(&mut slow);
        assert_eq!(fast, slow);
        let rngs: Vec<Rng> = (0..64 * N as u64).map(|n| Rng::stream(5, n)).collect();
        let (mut fast_rngs, mut slow_rngs) = (rngs.clone(), rngs);
        M::choose(&mut fast, &fields, &mut fast_rngs);
        Portable::choose(&mut slow, &fields, &mut slow_rngs);
        assert_eq!((fast, fast_rngs), (slow, slow_rngs));
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn special_code_equals_safe_code() {
    if Avx2::available() {
        compare::<4, Avx2>();
    }
    if Avx512::available() {
        compare::<8, Avx512>();
    }
}
