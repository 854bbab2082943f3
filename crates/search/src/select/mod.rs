//! Choosing among the actions of a node.
//!
//! One strategy per file, one line each in [`SELECTIONS`]. Every role chooses by itself from its own
//! statistics (decoupled UCT, [Sironi 2019, 2.4.1]).

mod epsilon_greedy;
mod exp3;
mod progressive_history;
mod random;
mod rave;
mod regret_matching;
mod ucb1_tuned;
mod uct;

use std::sync::LazyLock;

use gamegrove_game::{Move, Rng, Role, nth_bit};

use crate::learn::Tables;
use crate::parameter::{Parameter, ParameterId, Values};
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::trace::Needs;
use crate::tree::{MoveMap, Statistic};

/// All selection strategies; the first is the default.
pub static SELECTIONS: &[Entry<dyn Selection>] = &[
    uct::ENTRY,
    rave::RAVE,
    rave::GRAVE,
    rave::HRAVE,
    ucb1_tuned::ENTRY,
    progressive_history::ENTRY,
    epsilon_greedy::ENTRY,
    exp3::ENTRY,
    regret_matching::ENTRY,
    random::ENTRY,
];

/// A choice to be made by one role in one node.
pub struct Decision<'a> {
    /// Who chooses.
    pub role: Role,
    /// The number of roles.
    pub roles: usize,
    /// Simulations that passed the node, with those under way.
    pub visits: f64,
    /// How many visits without gain a simulation under way counts as in a mean.
    pub loss: f64,
    /// The legal moves.
    pub moves: &'a [Move],
    /// Their statistics.
    pub statistics: &'a [Statistic],
    /// The number kept for each of them, if the selection asked for one.
    pub extra: &'a [f64],
    /// What was played below the reference node, if the selection asked for it.
    pub amaf: Option<&'a MoveMap>,
    /// Parameters.
    pub values: &'a Values,
    /// Statistics of the whole tree.
    pub tables: &'a Tables,
}

/// What a selection wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// This action.
    Action(usize),
    /// One that was never tried, chosen by the play-out policy.
    Untried,
}

/// Chooses among the actions of a node.
pub trait Selection: Send {
    /// What must be kept for it.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// The visits a node needs so that `decision.amaf` is its own; otherwise it is that of the
    /// nearest node above that has them, or the root's.
    fn reference_visits(&self, _values: &Values, _role: Role) -> f64 {
        0.0
    }

    /// The parameters that it reads for each move it rates, by [`Values::for_moves`].
    fn reads_for_moves(&self) -> &[ParameterId] {
        &[]
    }

    /// Chooses. There are at least two moves.
    fn select(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Pick;

    /// Learns the return of the action it chose in a node, by changing the numbers kept there.
    fn update(&mut self, _outcome: &mut Outcome<'_>) {}
}

/// The return of an action that was chosen in a node.
pub struct Outcome<'a> {
    /// Who chose.
    pub role: Role,
    /// Parameters.
    pub values: &'a Values,
    /// The number kept for each action of the node.
    pub extra: &'a mut [f64],
    /// The statistics of all actions, with this return.
    pub statistics: &'a [Statistic],
    /// The place of the chosen action.
    pub chosen: usize,
    /// The return, from 0 to 100.
    pub value: f64,
}

/// The exploration constant.
pub(crate) const C: Parameter = Parameter::real(
    "c",
    0.7,
    (0.0, 100.0),
    "how much rarely tried moves are explored; goals are between 0 and 1 in the formula",
)
.tuned_over(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);

/// The width of the tie band.
pub(crate) const BAND: Parameter = Parameter::real(
    "vo",
    0.01,
    (0.0, 1.0),
    "moves whose value is at most this much below the best are equals; one is taken at random",
)
.tuned_over(&[0.001, 0.005, 0.01, 0.015, 0.02, 0.025]);

/// First play urgency.
pub(crate) const FPU: Parameter = Parameter::real(
    "fpu",
    1.0,
    (0.0, f64::INFINITY),
    "the value of a move that was never tried; inf tries every move once before any twice",
);

/// Whether first tries are left to the play-out policy.
pub(crate) const INFORMED: Parameter = Parameter::flag(
    "informed_tries",
    false,
    "whether the play-out policy picks among the moves of a node that were never tried",
);

/// The share of equal exploration in a mixed strategy.
pub(crate) const GAMMA: Parameter = Parameter::real(
    "gamma",
    0.2,
    (0.0, 1.0),
    "the share of choices that is spread equally over all moves",
);

/// Draws a place from a mixed strategy whose probabilities add up to 1.
pub(crate) fn draw(rng: &mut Rng, strategy: &[f64]) -> usize {
    let mut at = rng.unit();
    for (place, &probability) in strategy.iter().enumerate() {
        at -= probability;
        if at < 0.0 {
            return place;
        }
    }
    // Rounding may leave a little; the last place is then right.
    strategy.len() - 1
}

/// A buffer for the values of the actions of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Best {
    values: Vec<f64>,
}

impl Best {
    /// The place of the greatest of `values`, one of those within `band` of it at random
    /// [Sironi 2019, 2.5.1].
    #[inline]
    pub(crate) fn of(
        &mut self,
        band: f64,
        rng: &mut Rng,
        values: impl ExactSizeIterator<Item = f64>,
    ) -> usize {
        let count = values.len();
        if self.values.len() < count {
            self.values.resize(count, 0.0);
        }
        let here = &mut self.values[..count];
        let mut best = f64::NEG_INFINITY;
        for (place, value) in here.iter_mut().zip(values) {
            *place = value;
            // A comparison, because `max` also minds what is no number, and nothing here is that.
            best = if value > best { value } else { best };
        }
        // An infinite best leaves no band: infinity minus anything is infinity.
        let least = best - band;
        if count > u64::BITS as usize {
            return one_of_many(here, least, rng);
        }
        // Who is near cannot be foretold, so nothing branches on it.
        let near = here.iter().rev().fold(0, |near, &value| near << 1 | u64::from(value >= least));
        match near.count_ones() as usize {
            0 => 0,
            1 => near.trailing_zeros() as usize,
            equals => nth_bit(near, rng.below(equals)) as usize,
        }
    }
}

/// The place of one of those `values` that are at least `least`, each equally likely.
fn one_of_many(values: &[f64], least: f64, rng: &mut Rng) -> usize {
    let near = || values.iter().enumerate().filter(|&(_, &value)| value >= least);
    let equals = near().count();
    let nth = if equals > 1 { rng.below(equals) } else { 0 };
    near().nth(nth).map_or(0, |(at, _)| at)
}

/// The logarithm of the visits of a node, a whole number.
#[inline]
pub(crate) fn ln(visits: f64) -> f64 {
    match LOGARITHMS.get(visits as usize) {
        Some(&known) => known,
        None => visits.ln(),
    }
}

/// Of the first whole numbers; most nodes have few visits.
static LOGARITHMS: LazyLock<Vec<f64>> =
    LazyLock::new(|| (0..1 << 12).map(|n| f64::from(n.max(1)).ln()).collect());

/// Makes the selection called `name`.
pub(crate) fn build(
    name: &str,
    options: &mut Options<'_>,
) -> Result<Box<dyn Selection>, SettingsError> {
    crate::registry::build("select", SELECTIONS, name, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_within_the_band_are_candidates() {
        // [Sironi 2019, 5]
        let mut rng = Rng::new(1);
        let mut counts = [0; 3];
        let mut best = Best::default();
        for _ in 0..1000 {
            counts[best.of(0.01, &mut rng, [0.800, 0.795, 0.789].into_iter())] += 1;
        }
        assert!(counts[0] > 400 && counts[1] > 400 && counts[2] == 0, "{counts:?}");
    }

    #[test]
    fn many_values_are_chosen_among_as_few_are() {
        let mut best = Best::default();
        for count in [1, 2, 63, 64, 65, 200] {
            let values: Vec<f64> = (0..count).map(|at| f64::from(at % 3)).collect();
            let (mut rng, mut seen) = (Rng::new(4), vec![0; values.len()]);
            for _ in 0..4000 {
                seen[best.of(0.5, &mut rng, values.iter().copied())] += 1;
            }
            let top = values.iter().copied().fold(0.0, f64::max);
            let all = values.iter().zip(&seen);
            assert!(all.clone().all(|(&value, &n)| (n > 0) == (value == top)), "{count}: {seen:?}");
        }
    }

    #[test]
    fn infinite_values_are_shared_out() {
        let mut rng = Rng::new(1);
        let inf = f64::INFINITY;
        let mut best = Best::default();
        assert!((0..100).all(|_| best.of(0.01, &mut rng, [1.0, inf, inf].into_iter()) > 0));
    }
}
