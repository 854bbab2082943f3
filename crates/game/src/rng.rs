//! The one random generator.
//!
//! xoshiro256++ has a fixed, published stream, so a seed written down in a result table gives the
//! same games on every machine and in every later version.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A seedable stream of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The stream that belongs to `seed`.
    #[inline]
    pub fn new(seed: u64) -> Self {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The stream number `stream` of `seed`: independent generators for the parts of one run
    /// (games of a match, players of a game) that do not depend on the order they are started in.
    #[inline]
    pub fn stream(seed: u64, stream: u64) -> Self {
        Rng::new(Rng::stream_seed(Rng::stream_origin(seed), stream))
    }

    /// What the streams of a seed are counted from: the seed is scrambled first, so that near seeds
    /// do not share streams.
    #[inline]
    pub(crate) fn stream_origin(seed: u64) -> u64 {
        Rng::new(seed).next_u64()
    }

    /// The odd factor keeps the streams of one seed apart.
    #[inline]
    fn stream_seed(origin: u64, stream: u64) -> u64 {
        origin.wrapping_add(stream.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The state in which a stream starts: four numbers of SplitMix64, as xoshiro's authors advise.
    #[inline]
    pub(crate) fn stream_words(origin: u64, stream: u64) -> [u64; 4] {
        let mut state = Rng::stream_seed(origin, stream);
        std::array::from_fn(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ mixed >> 31
        })
    }

    /// The four words in which stream number `stream` of `seed` starts: for generators elsewhere
    /// that are to give the same numbers.
    pub fn stream_start(seed: u64, stream: u64) -> [u64; 4] {
        Rng::stream_words(Rng::stream_origin(seed), stream)
    }

    /// The stream that goes on from these words, which must not all be 0.
    pub fn from_words(words: [u64; 4]) -> Self {
        let mut seed = [0; 32];
        for (bytes, word) in seed.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Rng(Xoshiro256PlusPlus::from_seed(seed))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, each equally likely.
    ///
    /// Lemire's multiplication with rejection; `bound` must not be 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        debug_assert!(bound > 0, "no number is below 0");
        let bound = bound as u64;
        let mut wide = u128::from(self.next_u64()) * u128::from(bound);
        if (wide as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (wide as u64) < threshold {
                wide = u128::from(self.next_u64()) * u128::from(bound);
            }
        }
        (wide >> 64) as usize
    }

    /// A number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// One element of `items`, each equally likely; `None` if there is none.
    #[inline]
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_reproducible_and_differ() {
        let draw = |mut rng: Rng| [rng.next_u64(), rng.next_u64()];
        assert_eq!(draw(Rng::stream(7, 3)), draw(Rng::stream(7, 3)));
        assert_ne!(draw(Rng::stream(7, 3)), draw(Rng::stream(7, 4)));
        let mut all: Vec<_> =
            (0..64).flat_map(|a| (0..64).map(move |b| draw(Rng::stream(a, b)))).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 64 * 64);
    }

    #[test]
    fn a_stream_goes_on_from_its_words() {
        let mut from_words = Rng::from_words(Rng::stream_start(5, 9));
        let mut stream = Rng::stream(5, 9);
        (0..9).for_each(|_| assert_eq!(from_words.next_u64(), stream.next_u64()));
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7)] += 1;
        }
        // Six standard deviations of a binomial with n = 70,000 and p = 1/7.
        let tolerance = 6.0 * (70_000.0f64 / 7.0 * 6.0 / 7.0).sqrt();
        assert!(counts.iter().all(|&c| (f64::from(c) - 10_000.0).abs() < tolerance), "{counts:?}");
    }

    #[test]
    fn unit_stays_below_one() {
        let mut rng = Rng::new(2);
        assert!((0..10_000).map(|_| rng.unit()).all(|x| (0.0..1.0).contains(&x)));
    }
}
