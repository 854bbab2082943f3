//! Progressive History: UCT with a bonus for moves that were good anywhere, fading with visits.
//!
//! `value = mean + c * sqrt(ln n_s / n) + Q * w / ((1 - mean) * n + 1)`, Q being the mean return of the
//! move wherever it was played, 0 if it never was [Sironi 2019, 2.5.1, formula 2.4]. A move
//! that was never tried here has `fpu + Q * w`. The table of Q starts empty in every step of the match
//! (option `decay` keeps a share). With w = 0 this is UCT.

use gamegrove_game::Rng;

use super::uct::{FirstTries, URGENCY, bonus};
use super::{BAND, Best, C, Decision, FPU, INFORMED, Pick, Selection, ln};
use crate::learn::{BATCH, DECAY, DECAY_WHEN, Decay, Handle, MoveAverages, ROUND, Scope};
use crate::parameter::{Parameter, ParameterId};
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::tree::Statistic;

const HISTORY_C: Parameter = C.with_default(0.6);
const W: Parameter =
    Parameter::real("w", 1.0, (0.0, 1e6), "the weight of what a move was worth anywhere");
const FORGET_ALL: f64 = 0.0;

pub(super) const ENTRY: Entry<dyn Selection> = Entry {
    name: "progressive_history",
    sentence: "UCT with a bonus for moves that were good anywhere, fading with visits",
    source: "[Sironi 2019, 2.5.1]",
    parameters: &[
        HISTORY_C,
        W,
        FPU,
        BAND,
        INFORMED,
        URGENCY,
        DECAY.with_default(FORGET_ALL),
        DECAY_WHEN,
        BATCH,
        ROUND,
    ],
    build: |options| Ok(Box::new(ProgressiveHistory::read(options)?)),
};

struct ProgressiveHistory {
    c: ParameterId,
    w: ParameterId,
    fpu: ParameterId,
    band: ParameterId,
    first_tries: FirstTries,
    averages: Handle<MoveAverages>,
    best: Best,
}

impl ProgressiveHistory {
    fn read(options: &mut Options<'_>) -> Result<ProgressiveHistory, SettingsError> {
        let decay = Decay::read(options, FORGET_ALL)?;
        Ok(ProgressiveHistory {
            c: options.parameter(&HISTORY_C)?,
            w: options.parameter(&W)?,
            fpu: options.parameter(&FPU)?,
            band: options.parameter(&BAND)?,
            first_tries: FirstTries::read(options)?,
            averages: options.shared().request(MoveAverages::new(Scope::Whole, decay)),
            best: Best::default(),
        })
    }
}

/// What is added for a move that was worth `history` anywhere.
fn addition(history: f64, w: f64, mean: f64, count: f64) -> f64 {
    history * w / ((1.0 - mean) * count + 1.0)
}

impl Selection for ProgressiveHistory {
    fn select(&mut self, at: &Decision<'_>, rng: &mut Rng) -> Pick {
        let c = at.values.get(at.role, self.c);
        let w = at.values.get(at.role, self.w);
        let fpu = self.first_tries.value_of_untried(at.values.get(at.role, self.fpu));
        let ln = ln(at.visits);
        let averages = at.tables.get(self.averages);
        let plain = |statistic: &Statistic| {
            if statistic.is_untried() {
                fpu
            } else {
                let (mean, inverse) = statistic.mean_and_inverse(at.loss);
                mean + bonus(c, ln, inverse)
            }
        };
        if let Some(pick) = self.first_tries.pick(at, c, ln, plain) {
            return pick;
        }
        let value = |(place, statistic): (usize, &Statistic)| {
            let history = averages.get(at.role, at.moves[place]).mean_or(0.0) / 100.0;
            let mean = if statistic.is_untried() { 0.0 } else { statistic.mean(at.loss) };
            plain(statistic) + addition(history, w, mean, statistic.count())
        };
        let band = at.values.get(at.role, self.band);
        Pick::Action(self.best.of(band, rng, at.statistics.iter().enumerate().map(value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_number() {
        // [Sironi 2019, 5]
        let value = 0.5 + bonus(0.6, 10f64.ln(), 0.5) + addition(0.7, 1.0, 0.5, 2.0);
        assert!((value - 1.493790).abs() < 1e-6, "{value}");
    }
}
