//! Every legal move with the same probability: with a tree of depth 1, flat Monte Carlo
//! [Sironi 2019, 2.2.1].

use gamegrove_game::Rng;

use super::{Decision, Pick, Selection};
use crate::registry::Entry;

pub(super) const ENTRY: Entry<dyn Selection> = Entry {
    name: "random",
    sentence: "every legal move with the same probability",
    source: "[Sironi 2019, 2.2.1]",
    parameters: &[],
    build: |_| Ok(Box::new(Random)),
};

struct Random;

impl Selection for Random {
    fn select(&mut self, at: &Decision<'_>, rng: &mut Rng) -> Pick {
        Pick::Action(rng.below(at.moves.len()))
    }
}
