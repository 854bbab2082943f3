//! From the names of facts to the bits of a network's state.

use rustc_hash::FxHashMap;

use crate::network::Network;
use crate::state::Bits;

/// The bits of facts by name. The way back is [`gamegrove_game::Describe::facts`].
#[derive(Clone, Debug)]
pub struct Codec {
    bits: FxHashMap<String, u32>,
    bases: usize,
    /// How many facts always hold and have no bit; they follow the bits in number.
    fixed: usize,
}

impl Codec {
    /// The codec of a network.
    pub fn new(network: &Network) -> Codec {
        let bases = network.bases().iter().map(|&base| network.part(base).name);
        let names = bases.chain(network.fixed_facts().iter().copied());
        let bits = names
            .zip(0..)
            .filter_map(|(name, bit)| Some((network.names().get(name)?.to_owned(), bit)))
            .collect();
        Codec { bits, bases: network.bases().len(), fixed: network.fixed_facts().len() }
    }

    /// The state in which these facts hold and no others; `None` if the network does not know one of
    /// them, or if one is missing that always holds: then no play leads there.
    pub fn bits(&self, facts: &[String]) -> Option<Bits> {
        let mut state = Bits::new(self.bases);
        let mut fixed = 0;
        for fact in facts {
            match *self.bits.get(fact)? as usize {
                bit if bit < self.bases => state.set(bit, true),
                _ => fixed += 1,
            }
        }
        (fixed == self.fixed).then_some(state)
    }
}
