//! The random numbers of a game, kept inside its state.
//!
//! [`Chance::framework`] draws what the public framework draws for a seed: the 48-bit linear
//! congruential generator that the documentation of `java.util.Random` prescribes, with its
//! derivations of bounded integers, floats and doubles. [`Chance::fast`] is a 64-bit generator
//! (SplitMix64, Steele, Lea and Flood 2014) for search, where only the distribution matters.

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const MASK: u64 = (1 << 48) - 1;

/// A generator of random numbers: eight bytes of state and which kind it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chance {
    state: u64,
    framework: bool,
}

impl Chance {
    /// The stream the framework draws from for `seed`.
    pub fn framework(seed: u64) -> Self {
        Chance { state: (seed ^ MULTIPLIER) & MASK, framework: true }
    }

    /// A fast stream for `seed`.
    pub fn fast(seed: u64) -> Self {
        Chance { state: seed, framework: false }
    }

    #[inline]
    fn java_bits(&mut self, bits: u32) -> i32 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(0xB) & MASK;
        ((self.state >> (48 - bits)) as i64) as i32
    }

    #[inline]
    fn fast_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 {
            return 0;
        }
        if !self.framework {
            return ((u128::from(self.fast_u64()) * bound as u128) >> 64) as usize;
        }
        let bound = bound as i32;
        if bound & (bound - 1) == 0 {
            return ((i64::from(bound) * i64::from(self.java_bits(31))) >> 31) as usize;
        }
        loop {
            let bits = self.java_bits(31);
            let value = bits % bound;
            // The last, incomplete block of numbers would favour small values: draw again.
            if bits.wrapping_sub(value).wrapping_add(bound - 1) >= 0 {
                return value as usize;
            }
        }
    }

    /// A number in `[0, 1)` with the 24 bits of a single-precision draw.
    #[inline]
    pub fn float(&mut self) -> f64 {
        if self.framework {
            f64::from(self.java_bits(24)) / f64::from(1 << 24)
        } else {
            (self.fast_u64() >> 40) as f64 / f64::from(1 << 24)
        }
    }

    /// A number in `[0, 1)` with 53 bits.
    #[inline]
    pub fn double(&mut self) -> f64 {
        let bits = if self.framework {
            let high = i64::from(self.java_bits(26)) << 27;
            (high + i64::from(self.java_bits(27))) as u64
        } else {
            self.fast_u64() >> 11
        };
        bits as f64 / (1u64 << 53) as f64
    }

    /// A number in `[0, 1)` that does not advance the framework's stream: for the behaviours whose
    /// draws the framework takes from elsewhere.
    #[inline]
    pub fn aside(&mut self, salt: u64) -> f64 {
        if self.framework {
            Chance::fast(self.state ^ salt.wrapping_mul(MULTIPLIER)).double()
        } else {
            self.double()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of `new java.util.Random(42)` are widely published.
    #[test]
    fn framework_stream_is_that_of_java() {
        let mut chance = Chance::framework(42);
        assert_eq!([0; 5].map(|_| chance.below(10)), [0, 3, 8, 4, 0]);
        let mut chance = Chance::framework(42);
        assert!((chance.double() - 0.727_563_6).abs() < 1e-6);
        assert!((chance.double() - 0.683_223_4).abs() < 1e-6);
    }

    #[test]
    fn both_kinds_are_uniform() {
        for mut chance in [Chance::framework(7), Chance::fast(7)] {
            let mut counts = [0u32; 5];
            for _ in 0..50_000 {
                counts[chance.below(5)] += 1;
            }
            // Six standard deviations of a binomial with n = 50,000 and p = 1/5.
            let tolerance = 6.0 * (50_000.0f64 * 0.2 * 0.8).sqrt();
            assert!(counts.iter().all(|&c| (f64::from(c) - 10_000.0).abs() < tolerance));
            assert!((0..1000).all(|_| (0.0..1.0).contains(&chance.float())));
            assert!((0..1000).all(|_| (0.0..1.0).contains(&chance.double())));
        }
    }
}
