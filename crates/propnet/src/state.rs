//! A state as bits: one per base proposition, in the network's order.

use std::fmt;

use smallvec::SmallVec;

use crate::network::Network;

/// A state of a game played on a network.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Bits(SmallVec<[u64; 4]>);

impl Bits {
    /// A state of `bits` bits, all clear.
    pub fn new(bits: usize) -> Bits {
        Bits(SmallVec::from_elem(0, bits.div_ceil(64)))
    }

    /// The first state of a network.
    pub fn initial(network: &Network) -> Bits {
        let mut state = Bits::new(network.bases().len());
        for (bit, &base) in network.bases().iter().enumerate() {
            state.set(bit, network.part(base).initial);
        }
        state
    }

    /// Whether a bit is set.
    pub fn get(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Sets or clears a bit.
    pub fn set(&mut self, bit: usize, value: bool) {
        let mask = 1 << (bit % 64);
        if value {
            self.0[bit / 64] |= mask;
        } else {
            self.0[bit / 64] &= !mask;
        }
    }

    /// The words.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// The words, to be written. Bits beyond the last base proposition must stay clear.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    /// Makes this a state of `words` words, whatever it was.
    pub(crate) fn resize(&mut self, words: usize) {
        self.0.resize(words, 0);
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(ones(&self.0)).finish()
    }
}

/// The places of the set bits.
pub(crate) fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| at * 64 + rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            bit
        })
    })
}
