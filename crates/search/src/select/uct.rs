//! UCT: the mean plus an allowance for uncertainty.
//!
//! `value = mean + c * sqrt(ln n_s / n)` [Sironi 2019, 2.4, formula 2.3]. A move that was
//! never tried has the value `fpu`, or is left to the play-out policy as CadiaPlayer does
//! [Finnsson 2012, 3.3.2], then with Unexplored Action Urgency if that is on (section 7 there).

use gamegrove_game::Rng;

use super::{BAND, Best, C, Decision, FPU, INFORMED, Pick, Selection, ln};
use crate::parameter::{Parameter, ParameterId};
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::tree::Statistic;

pub(super) const URGENCY: Parameter = Parameter::flag(
    "urgency",
    false,
    "whether a good tried move may be repeated while others are untried (needs informed_tries)",
);

/// What is one reward's distance from the worst to the best in the formula.
const REWARD_SCALE: Parameter = Parameter::real(
    "reward_scale",
    1.0,
    (0.0, 100.0),
    "how far the best reward is from the worst in the formula: 1 for 0 to 1, 2 for -1 to 1",
);

pub(super) const ENTRY: Entry<dyn Selection> = Entry {
    name: "uct",
    sentence: "the mean of a move plus an allowance for how rarely it was tried",
    source: "[Sironi 2019, 2.4]",
    parameters: &[C, FPU, BAND, INFORMED, URGENCY, REWARD_SCALE],
    build: |options| Ok(Box::new(Uct::read(options)?)),
};

struct Uct {
    c: ParameterId,
    fpu: ParameterId,
    band: ParameterId,
    reward_scale: f64,
    first_tries: FirstTries,
    best: Best,
}

impl Uct {
    fn read(options: &mut Options<'_>) -> Result<Uct, SettingsError> {
        Ok(Uct {
            c: options.parameter(&C)?,
            fpu: options.parameter(&FPU)?,
            band: options.parameter(&BAND)?,
            first_tries: FirstTries::read(options)?,
            reward_scale: options.number(&REWARD_SCALE)?,
            best: Best::default(),
        })
    }
}

impl Selection for Uct {
    fn reads_for_moves(&self) -> &[ParameterId] {
        std::slice::from_ref(&self.c)
    }

    fn select(&mut self, at: &Decision<'_>, rng: &mut Rng) -> Pick {
        let c = at.values.get(at.role, self.c);
        let fpu = self.first_tries.value_of_untried(at.values.get(at.role, self.fpu));
        let ln = ln(at.visits);
        let scale = self.reward_scale;
        let rate = |statistic: &Statistic, c: f64| {
            if statistic.is_untried() {
                fpu
            } else {
                let (mean, inverse) = statistic.mean_and_inverse(at.loss);
                scale * mean + bonus(c, ln, inverse)
            }
        };
        if let Some(pick) = self.first_tries.pick(at, c, ln, |statistic| rate(statistic, c)) {
            return pick;
        }
        let band = at.values.get(at.role, self.band);
        let statistics = at.statistics.iter();
        Pick::Action(match at.values.for_moves(rng) {
            None => self.best.of(band, rng, statistics.map(|statistic| rate(statistic, c))),
            Some(mut drawn) => {
                let rated = statistics.map(|statistic| rate(statistic, drawn.draw(self.c, c)));
                self.best.of(band, rng, rated)
            }
        })
    }
}

/// The allowance for uncertainty: `c * sqrt(ln n_s / n)`, given one over `n`.
#[inline]
pub(super) fn bonus(c: f64, ln: f64, inverse: f64) -> f64 {
    c * (ln * inverse).sqrt()
}

/// What is done with moves that were never tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstTries {
    /// They have a value like all others.
    Valued,
    /// The play-out policy picks one of them before any move is repeated.
    Informed,
    /// The play-out policy picks one of them unless a tried move is better than their urgency.
    Urgent,
}

impl FirstTries {
    pub(super) fn read(options: &mut Options<'_>) -> Result<FirstTries, SettingsError> {
        let informed = options.flag(&INFORMED)?;
        let urgent = options.flag(&URGENCY)?;
        Ok(match (informed, urgent) {
            (_, true) => FirstTries::Urgent,
            (true, false) => FirstTries::Informed,
            (false, false) => FirstTries::Valued,
        })
    }

    /// The value of an untried move beside tried ones, given the one that the parameters say. With
    /// Unexplored Action Urgency the choice is among tried moves alone once one of them was preferred.
    pub(super) fn value_of_untried(self, value: f64) -> f64 {
        if self == FirstTries::Urgent { f64::NEG_INFINITY } else { value }
    }

    /// The pick, if untried moves have it.
    #[inline]
    pub(super) fn pick(
        self,
        at: &Decision<'_>,
        c: f64,
        ln: f64,
        value: impl Fn(&Statistic) -> f64,
    ) -> Option<Pick> {
        if self == FirstTries::Valued {
            return None;
        }
        let untried = at.statistics.iter().filter(|s| s.is_untried()).count();
        if untried == 0 {
            return None;
        }
        if self == FirstTries::Urgent && untried < at.statistics.len() {
            let best = at
                .statistics
                .iter()
                .filter(|s| !s.is_untried())
                .map(value)
                .fold(f64::NEG_INFINITY, f64::max);
            if best >= urgency(c, ln, untried, at.statistics.len()) {
                return None;
            }
        }
        Some(Pick::Untried)
    }
}

/// The value of a move tried once with a draw, damped as fewer untried moves remain
/// [Finnsson 2012, 5.1.2].
fn urgency(c: f64, ln: f64, untried: usize, all: usize) -> f64 {
    0.5 + c * ln.sqrt() * (untried as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_number() {
        // [Sironi 2019, 5]
        let value = 0.5 + bonus(0.7, 10f64.ln(), 0.5);
        assert!((value - 1.251088).abs() < 1e-6, "{value}");
    }

    #[test]
    fn urgency_starts_at_a_draw_and_falls_with_the_untried() {
        // [Finnsson 2012, 4]
        assert_eq!(urgency(0.4, 1f64.ln(), 3, 4), 0.5);
        let ln = 100f64.ln();
        assert!(urgency(0.4, ln, 3, 4) > urgency(0.4, ln, 1, 4));
    }
}
