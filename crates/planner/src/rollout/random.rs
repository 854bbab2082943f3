//! Every move is equally likely.

use gamegrove_game::Rng;
use gamegrove_search::Entry;

use super::{Choice, Rollout};

pub(super) const ENTRY: Entry<dyn Rollout> = Entry {
    name: "random",
    sentence: "any move",
    source: "[van Eeden 2015, 4.1]",
    parameters: &[],
    build: |_| Ok(Box::new(Random)),
};

struct Random;

impl Rollout for Random {
    fn choose(&mut self, choice: &Choice<'_>, rng: &mut Rng) -> usize {
        rng.below(choice.moves.len())
    }
}
