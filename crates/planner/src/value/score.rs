//! The score, and the end of the game ([van Eeden 2015, 4.1]).

use gamegrove_search::Entry;

use super::{Trial, Valuation, with_end};
use crate::stat::Payoff;

pub(super) const ENTRY: Entry<dyn Valuation> = Entry {
    name: "score",
    sentence: "the score at the end, and whether the game was won or lost",
    source: "[van Eeden 2015, 4.1]",
    parameters: &[],
    build: |_| Ok(Box::new(Score)),
};

struct Score;

impl Valuation for Score {
    fn value(&mut self, trial: &Trial<'_>) -> Payoff {
        with_end(trial.end.score, trial.end, 1.0)
    }
}
