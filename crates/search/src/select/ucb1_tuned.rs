//! UCB1-Tuned: UCT whose allowance shrinks with the variance of a move's returns.
//!
//! `value = mean + c * sqrt(ln n_s / n * min(1/4, v))` with
//! `v = variance + sqrt(2 * ln n_s / n)` (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of
//! the multiarmed bandit problem", 2002, section 4; named in [Sironi 2019, 2.5.1]). Returns
//! are between 0 and 1, whose variance is at most 1/4. The number kept for each action is the sum of
//! the squares of its returns. The source of the formula has c = 1.

use gamegrove_game::Rng;

use super::uct::{FirstTries, URGENCY};
use super::{BAND, Best, C, Decision, FPU, INFORMED, Outcome, Pick, Selection, ln};
use crate::parameter::{Parameter, ParameterId};
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::trace::Needs;
use crate::tree::Statistic;

const TUNED_C: Parameter = C.with_default(1.0);

pub(super) const ENTRY: Entry<dyn Selection> = Entry {
    name: "ucb1_tuned",
    sentence: "UCT whose allowance shrinks with the variance of a move's returns",
    source: "Auer, Cesa-Bianchi and Fischer (2002); [Sironi 2019, 2.5.1]",
    parameters: &[TUNED_C, FPU, BAND, INFORMED, URGENCY],
    build: |options| Ok(Box::new(Ucb1Tuned::read(options)?)),
};

struct Ucb1Tuned {
    c: ParameterId,
    fpu: ParameterId,
    band: ParameterId,
    first_tries: FirstTries,
    best: Best,
}

impl Ucb1Tuned {
    fn read(options: &mut Options<'_>) -> Result<Ucb1Tuned, SettingsError> {
        Ok(Ucb1Tuned {
            c: options.parameter(&TUNED_C)?,
            fpu: options.parameter(&FPU)?,
            band: options.parameter(&BAND)?,
            first_tries: FirstTries::read(options)?,
            best: Best::default(),
        })
    }
}

/// The value of a move with this mean of returns, mean of their squares and number of tries.
fn value(c: f64, ln: f64, mean: f64, squares: f64, count: f64) -> f64 {
    let variance = (squares - mean * mean).max(0.0) + (2.0 * ln / count).sqrt();
    mean + c * (ln / count * variance.min(0.25)).sqrt()
}

impl Selection for Ucb1Tuned {
    fn needs(&self) -> Needs {
        Needs { extra: true, ..Needs::default() }
    }

    fn select(&mut self, at: &Decision<'_>, rng: &mut Rng) -> Pick {
        let c = at.values.get(at.role, self.c);
        let fpu = self.first_tries.value_of_untried(at.values.get(at.role, self.fpu));
        let ln = ln(at.visits);
        let of = |(statistic, &squares): (&Statistic, &f64)| {
            if statistic.is_untried() {
                fpu
            } else {
                let count = statistic.count();
                value(c, ln, statistic.mean(at.loss), squares / count, count)
            }
        };
        // First tries are weighed by the plain allowance, at its largest.
        let plain = |s: &Statistic| s.mean(at.loss) + c * (ln / s.count() * 0.25).sqrt();
        if let Some(pick) = self.first_tries.pick(at, c, ln, plain) {
            return pick;
        }
        let band = at.values.get(at.role, self.band);
        Pick::Action(self.best.of(band, rng, at.statistics.iter().zip(at.extra).map(of)))
    }

    fn update(&mut self, outcome: &mut Outcome<'_>) {
        outcome.extra[outcome.chosen] += (outcome.value / 100.0).powi(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_allowance_follows_the_variance_up_to_a_quarter() {
        let ln = 100f64.ln();
        // Wins and losses in turn: variance 1/4, and the bound caps it.
        let wild = value(1.0, ln, 0.5, 0.5, 1000.0);
        assert!((wild - (0.5 + (ln / 1000.0 * 0.25).sqrt())).abs() < 1e-12, "{wild}");
        // Draws only: what is left is the uncertainty of the variance itself.
        let tame = value(1.0, ln, 0.5, 0.25, 1000.0);
        let expected = 0.5 + (ln / 1000.0 * (2.0 * ln / 1000.0).sqrt()).sqrt();
        assert!((tame - expected).abs() < 1e-12 && tame < wild, "{tame}");
    }
}
