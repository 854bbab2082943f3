//! What a simulation was worth; one file and one line each.

mod approach;
mod kb;
mod score;

use gamegrove_game::Category;
use gamegrove_search::Entry;

use super::knowledge::Knowledge;
use super::model::Look;
use super::stat::Payoff;

/// The input of a valuation at the end of a simulation.
pub struct Trial<'a> {
    /// The root.
    pub root: &'a Look,
    /// The last state.
    pub end: &'a Look,
    /// How often each kind had been met when the simulation began.
    pub before: &'a [u64],
    /// The present knowledge of kinds.
    pub knowledge: &'a Knowledge,
    /// How often each kind was met in the real game by the avatar as it is now.
    pub met: &'a [u64],
    /// The classes of kinds.
    pub categories: &'a [Category],
}

/// A way to value simulations.
pub trait Valuation: Send {
    /// Whether it compares distances at the root and at the end.
    fn measures(&self) -> bool {
        false
    }

    /// A decision begins.
    fn begin_step(&mut self) {}

    /// The worth of a simulation.
    fn value(&mut self, trial: &Trial<'_>) -> Payoff;
}

/// All ways.
pub static VALUES: &[Entry<dyn Valuation>] = &[score::ENTRY, kb::ENTRY, approach::ENTRY];

/// Ticks after which games end.
pub(crate) const LAST_TICK: f64 = 2000.0;

/// Points with the end of the game, which is what an end is worth everywhere.
fn with_end(points: f64, end: &Look, lost: f64) -> Payoff {
    let win = f64::from(u8::from(end.verdict == Some(true)));
    let loss = if end.verdict == Some(false) { lost } else { 0.0 };
    Payoff { points, win, loss }
}

#[cfg(test)]
pub(crate) fn look(score: f64, verdict: Option<bool>, distances: &[f64]) -> Look {
    Look {
        score,
        verdict,
        over: verdict.is_some(),
        distances: distances.to_vec(),
        ..Look::default()
    }
}
