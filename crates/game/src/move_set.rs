//! A set of moves as bits, and the ways to pick one of them.

use crate::{Move, Rng};

/// Moves of one role: bit `m` of the words says whether move `m` is in the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveSet<'a> {
    words: &'a [u64],
}

impl<'a> MoveSet<'a> {
    /// The set that these words hold.
    pub fn new(words: &'a [u64]) -> Self {
        MoveSet { words }
    }

    /// The words.
    pub fn words(self) -> &'a [u64] {
        self.words
    }

    /// How many moves there are.
    pub fn count(self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no choice.
    pub fn has_at_most_one(self) -> bool {
        let mut seen = false;
        self.words.iter().all(|&word| {
            let fits = word & word.wrapping_sub(1) == 0 && !(seen && word != 0);
            seen |= word != 0;
            fits
        })
    }

    /// Whether there is no move.
    pub fn is_empty(self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Whether a move is in the set.
    pub fn contains(self, mov: Move) -> bool {
        let word = self.words.get(mov.index() / 64);
        word.is_some_and(|word| word >> (mov.index() % 64) & 1 == 1)
    }

    /// The moves, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Move> + 'a {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| Move(at as u32 * 64 + rest.trailing_zeros()));
                rest &= rest.wrapping_sub(1);
                bit
            })
        })
    }

    /// The move with `place` smaller ones before it.
    #[inline]
    pub fn nth(self, place: usize) -> Option<Move> {
        let mut rest = place;
        for (at, &word) in self.words.iter().enumerate() {
            let count = word.count_ones() as usize;
            if rest < count {
                return Some(Move(at as u32 * 64 + nth_bit(word, rest)));
            }
            rest -= count;
        }
        None
    }

    /// A move, each equally likely; `None` if there is none. Takes one number from `rng` if there
    /// is a choice and none if there is not.
    #[inline]
    pub fn pick(self, rng: &mut Rng) -> Option<Move> {
        // Most roles have few moves, and most of the time one of them.
        if let [word] = *self.words {
            let count = word.count_ones() as usize;
            return match count {
                0 => None,
                1 => Some(Move(word.trailing_zeros())),
                _ => Some(Move(nth_bit(word, rng.below(count)))),
            };
        }
        let count = self.count();
        self.nth(if count > 1 { rng.below(count) } else { 0 })
    }

    /// A move, each with a chance in proportion to its weight (Gibbs measure: `exp(value / tau)`).
    /// A move without an entry weighs nothing. Where all weights together are nothing, or are no
    /// number, all moves are equally likely.
    pub fn pick_weighted(self, weights: &[f32], rng: &mut Rng) -> Option<Move> {
        let weight = |mov: Move| f64::from(weights.get(mov.index()).copied().unwrap_or(0.0));
        let total: f64 = self.iter().map(weight).sum();
        if !(total > 0.0 && total.is_finite()) {
            return self.pick(rng);
        }
        let mut rest = rng.unit() * total;
        let mut last = None;
        for mov in self.iter() {
            let weight = weight(mov);
            if weight > 0.0 {
                last = Some(mov);
                if rest < weight {
                    break;
                }
                rest -= weight;
            }
        }
        last
    }

    /// With the chance `epsilon` any move, else one of the highest value; equals are equally likely.
    /// A move without an entry has the value `unknown`.
    pub fn pick_greedy(
        self,
        values: &[f32],
        unknown: f32,
        epsilon: f64,
        rng: &mut Rng,
    ) -> Option<Move> {
        if rng.unit() < epsilon {
            return self.pick(rng);
        }
        let (mut best, mut value, mut equals) = (None, f32::NEG_INFINITY, 0);
        for mov in self.iter() {
            let here = values.get(mov.index()).copied().unwrap_or(unknown);
            if best.is_none() || here > value {
                (best, value, equals) = (Some(mov), here, 1);
            } else if here == value {
                equals += 1;
                if rng.below(equals) == 0 {
                    best = Some(mov);
                }
            }
        }
        best
    }
}

/// The place of the bit with `place` smaller ones before it; there must be so many.
#[inline]
pub fn nth_bit(mut word: u64, place: usize) -> u32 {
    for _ in 0..place {
        word &= word - 1;
    }
    word.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [u64; 3] = [1 << 3 | 1 << 63, 0, 1 | 1 << 5 | 1 << 6];

    #[test]
    fn moves_are_found_by_place_and_by_number() {
        let set = MoveSet::new(&WORDS);
        let moves: Vec<u32> = set.iter().map(|m| m.0).collect();
        assert_eq!(moves, [3, 63, 128, 133, 134]);
        assert_eq!(set.count(), 5);
        for (place, &mov) in moves.iter().enumerate() {
            assert_eq!(set.nth(place), Some(Move(mov)));
            assert!(set.contains(Move(mov)));
        }
        assert_eq!(set.nth(5), None);
        assert!(!set.has_at_most_one() && !MoveSet::new(&[1, 8]).has_at_most_one());
        assert!(MoveSet::new(&[0, 8]).has_at_most_one() && MoveSet::new(&[]).has_at_most_one());
        assert!(!set.contains(Move(4)) && !set.contains(Move(64)) && !set.contains(Move(500)));
        assert_eq!(MoveSet::new(&[0]).pick(&mut Rng::new(1)), None);
    }

    /// How often each move comes up in `draws` draws, against its chance: six standard deviations.
    fn check(chances: &[(u32, f64)], mut pick: impl FnMut(&mut Rng) -> Option<Move>) {
        let (mut rng, draws) = (Rng::new(5), 60_000);
        let mut counts = vec![0u32; 200];
        for _ in 0..draws {
            counts[pick(&mut rng).expect("there are moves").index()] += 1;
        }
        for &(mov, chance) in chances {
            let expected = f64::from(draws) * chance;
            let tolerance = 6.0 * (expected * (1.0 - chance)).sqrt();
            let seen = f64::from(counts[mov as usize]);
            assert!((seen - expected).abs() <= tolerance, "{mov}: {seen} for {expected}");
        }
        let named: u32 = chances.iter().map(|&(mov, _)| counts[mov as usize]).sum();
        assert_eq!(named, draws as u32);
    }

    #[test]
    fn chances_are_as_said() {
        let set = MoveSet::new(&WORDS);
        let mut values = vec![0.0f32; 134];
        (values[3], values[128], values[133]) = (1.0, 2.0, 1.0);
        check(&[3, 63, 128, 133, 134].map(|m| (m, 0.2)), |rng| set.pick(rng));
        let weighted = [(3, 0.25), (128, 0.5), (133, 0.25), (63, 0.0), (134, 0.0)];
        check(&weighted, |rng| set.pick_weighted(&values, rng));
        check(&[3, 63, 128, 133, 134].map(|m| (m, 0.2)), |rng| set.pick_weighted(&[], rng));
        let greedy = [(3, 0.08), (63, 0.08), (128, 0.68), (133, 0.08), (134, 0.08)];
        check(&greedy, |rng| set.pick_greedy(&values, 0.0, 0.4, rng));
        // A move that has no entry may be the best one, and equals share.
        values[3] = 9.0;
        check(&[(3, 0.5), (134, 0.5)], |rng| set.pick_greedy(&values, 9.0, 0.0, rng));
    }

    #[test]
    fn strange_weights_still_give_a_move() {
        let set = MoveSet::new(&WORDS);
        let mut rng = Rng::new(3);
        for weights in [[f32::NAN; 200], [f32::INFINITY; 200], [0.0; 200], [-1.0; 200]] {
            let mov = set.pick_weighted(&weights, &mut rng).expect("there are moves");
            assert!(set.contains(mov));
            let mov = set.pick_greedy(&weights, 0.0, 0.0, &mut rng).expect("there are moves");
            assert!(set.contains(mov));
        }
    }
}
