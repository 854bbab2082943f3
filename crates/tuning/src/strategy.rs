//! What every allocation strategy can do.

use std::fmt::Debug;

use gamegrove_game::Rng;

use crate::Combination;

/// A state machine that decides which combination the next sample tries [Sironi 2019, 6.2].
///
/// `next` never waits: it may be called many times before the rewards of earlier proposals arrive,
/// and `update` takes them in any order. With one proposal at a time every strategy does exactly what
/// its source says; each says in its file what it does with proposals *in flight*.
///
/// An equal generator and equal rewards in an equal order give equal proposals.
pub trait Strategy: Debug + Send {
    /// The combination to try next.
    fn next(&mut self, rng: &mut Rng) -> Combination;

    /// Learns that `combination`, proposed by this strategy, earned `reward`. Strategies that keep
    /// statistics by value also learn from combinations they did not propose.
    fn update(&mut self, combination: &Combination, reward: f64);

    /// Takes a proposal back: its reward will never come.
    fn cancel(&mut self, _combination: &Combination) {}

    /// How many rewards were learnt from.
    fn samples(&self) -> u64;

    /// The combination to recommend after what was seen; `None` before there was anything.
    fn best(&self) -> Option<Combination>;

    /// Says how many samples there will be in all, for strategies that plan; may change later.
    fn set_budget(&mut self, _samples: u64) {}

    /// Says how many samples there will be in all if things go on as they began; strategies that
    /// plan may know how far such forecasts are off.
    fn forecast(&mut self, samples: f64) {
        if samples.is_finite() && samples > 0.0 {
            self.set_budget(samples.round() as u64);
        }
    }

    /// Says that a new move is to be found, for strategies that tune every move by itself, and how many
    /// samples its time is good for; `None` if that is not known.
    fn begin_move(&mut self, _samples: Option<f64>) {}

    /// Whether the strategy has decided: from now on `next` returns the same combination.
    fn is_settled(&self) -> bool {
        false
    }
}
