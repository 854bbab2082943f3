//! Many generators side by side, stepped together.
//!
//! Each gives the same numbers as [`Rng::stream`](crate::Rng::stream); the states lie word by word,
//! so that a processor steps several at once.

use crate::Rng;

/// A chunk of generators.
const CHUNK: usize = 64;

/// Generators, a multiple of 64 of them.
#[derive(Clone, Debug)]
pub struct RngBank {
    /// The start of the seed's streams.
    origin: u64,
    chunks: Vec<States>,
}

/// The states of a chunk, word by word, from the border of a cache line on.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct States([[u64; CHUNK]; 4]);

impl RngBank {
    /// Generators for streams of `seed`, all of stream 0 so far.
    pub fn new(seed: u64, chunks: usize) -> RngBank {
        let mut bank = RngBank { origin: 0, chunks: vec![States([[0; CHUNK]; 4]); chunks] };
        bank.reseed(seed);
        bank
    }

    /// Streams are of this seed from now on; all are of stream 0 so far.
    pub fn reseed(&mut self, seed: u64) {
        self.origin = Rng::stream_origin(seed);
        for at in 0..self.chunks.len() * CHUNK {
            self.start(at, 0);
        }
    }

    /// Makes generator `at` that of the stream with this number.
    #[inline]
    pub fn start(&mut self, at: usize, stream: u64) {
        self.put(at, Rng::stream_words(self.origin, stream));
    }

    /// The next number of generator `at`.
    pub fn next(&mut self, at: usize) -> u64 {
        let mut words = self.chunks[at / CHUNK].0.map(|states| states[at % CHUNK]);
        let number = step(&mut words);
        self.put(at, words);
        number
    }

    #[inline]
    fn put(&mut self, at: usize, words: [u64; 4]) {
        let chunk = &mut self.chunks[at / CHUNK].0;
        for (states, word) in chunk.iter_mut().zip(words) {
            states[at % CHUNK] = word;
        }
    }

    /// The states of the generators in chunks of 64, word by word, for a processor's own way to step
    /// them.
    #[inline]
    pub fn states_mut(&mut self) -> impl Iterator<Item = &mut [[u64; CHUNK]; 4]> {
        self.chunks.iter_mut().map(|chunk| &mut chunk.0)
    }

    /// For each generator of a chunk whose bound is above 1 a number below it, each equally likely:
    /// what [`Rng::below`](crate::Rng::below) gives. The others give 0 and stay as they are.
    ///
    /// Bounds must be below 2^32.
    #[inline(always)]
    pub fn below(&mut self, chunk: usize, bounds: &[u64; CHUNK]) -> [u64; CHUNK] {
        let [s0, s1, s2, s3] = &mut self.chunks[chunk].0;
        let (mut numbers, mut rests, mut doubtful) = ([0; CHUNK], [0; CHUNK], 0);
        for at in 0..CHUNK {
            let (mut words, bound) = ([s0[at], s1[at], s2[at], s3[at]], bounds[at]);
            let wide = step(&mut words);
            let draws = if bound > 1 { !0 } else { 0 };
            s0[at] = s0[at] & !draws | words[0] & draws;
            s1[at] = s1[at] & !draws | words[1] & draws;
            s2[at] = s2[at] & !draws | words[2] & draws;
            s3[at] = s3[at] & !draws | words[3] & draws;
            // The product with the bound in two halves: wide registers have no long multiplication.
            let low = (wide & 0xffff_ffff) * (bound & 0xffff_ffff);
            let high = (wide >> 32) * (bound & 0xffff_ffff) + (low >> 32);
            numbers[at] = high >> 32 & draws;
            rests[at] = high << 32 | low & 0xffff_ffff;
            doubtful |= u64::from(rests[at] < bound) & draws;
        }
        if doubtful != 0 {
            self.reject(chunk, bounds, &mut numbers, &rests);
        }
        numbers
    }

    /// Draws again where a number would come up too often: Lemire's rejection.
    #[cold]
    fn reject(
        &mut self,
        chunk: usize,
        bounds: &[u64; CHUNK],
        numbers: &mut [u64; CHUNK],
        rests: &[u64; CHUNK],
    ) {
        let chunk = &mut self.chunks[chunk].0;
        for at in (0..CHUNK).filter(|&at| bounds[at] > 1) {
            let (bound, mut rest) = (bounds[at], rests[at]);
            while rest < bound.wrapping_neg() % bound {
                let mut words = chunk.map(|states| states[at]);
                let wide = u128::from(step(&mut words)) * u128::from(bound);
                chunk.iter_mut().zip(words).for_each(|(states, word)| states[at] = word);
                (numbers[at], rest) = ((wide >> 64) as u64, wide as u64);
            }
        }
    }
}

/// One step of xoshiro256++.
#[inline(always)]
fn step(words: &mut [u64; 4]) -> u64 {
    let [s0, s1, s2, s3] = *words;
    let result = s0.wrapping_add(s3).rotate_left(23).wrapping_add(s0);
    let (t2, t3) = (s2 ^ s0, s3 ^ s1);
    *words = [s0 ^ t3, s1 ^ t2, t2 ^ s1 << 17, t3.rotate_left(45)];
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_single_generators() {
        let mut bank = RngBank::new(7, 2);
        let mut single: Vec<Rng> = Vec::new();
        for at in 0..128 {
            bank.start(at, 1000 + at as u64);
            single.push(Rng::stream(7, 1000 + at as u64));
        }
        let mut bounds_of = Rng::new(1);
        for round in 0..200 {
            for chunk in 0..2 {
                // Small ones, none, and ones so large that many draws are rejected.
                let bounds: [u64; CHUNK] = std::array::from_fn(|_| match round % 3 {
                    0 => bounds_of.below(100) as u64,
                    1 => bounds_of.below(3) as u64,
                    _ => (1 << 32) - 1 - bounds_of.below(1000) as u64,
                });
                let numbers = bank.below(chunk, &bounds);
                for at in 0..CHUNK {
                    let bound = bounds[at] as usize;
                    let rng = &mut single[chunk * CHUNK + at];
                    let expected = if bound > 1 { rng.below(bound) } else { 0 };
                    assert_eq!(numbers[at], expected as u64, "below {bound}");
                }
            }
            assert_eq!(bank.next(round % 128), single[round % 128].next_u64());
        }
    }

    #[test]
    fn rejection_draws_again() {
        // No stream reaches this in a test's time, so it is asked for directly: a rest of 0 is
        // below the threshold of every bound that is not a power of two.
        let mut bank = RngBank::new(3, 1);
        let mut single = Rng::stream(3, 0);
        let (bounds, mut numbers) = ([7; CHUNK], [99; CHUNK]);
        bank.reject(0, &bounds, &mut numbers, &[0; CHUNK]);
        let expected = single.below(7) as u64;
        assert!(numbers.iter().all(|&number| number == expected), "{numbers:?}");
        bank.reject(0, &bounds, &mut numbers, &[!0; CHUNK]);
        assert!(numbers.iter().all(|&number| number == expected), "nothing to draw again");
    }
}
