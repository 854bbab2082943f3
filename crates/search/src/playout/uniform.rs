//! Every legal move with the same probability.

use gamegrove_game::{Move, Rng};

use super::{Policy, Turn};
use crate::registry::Entry;

pub(super) const ENTRY: Entry<dyn Policy> = Entry {
    name: "random",
    sentence: "every legal move with the same probability",
    source: "[Sironi 2019, 2.2.1]",
    parameters: &[],
    build: |_| Ok(Box::new(Uniform)),
};

struct Uniform;

impl Policy for Uniform {
    fn is_uniform(&self) -> bool {
        true
    }

    fn choose(&mut self, _: &Turn<'_>, legal: &[Move], rng: &mut Rng) -> usize {
        rng.below(legal.len())
    }
}
