//! How old statistics lose weight [Sironi 2019, 2.5.2].

use crate::parameter::Parameter;
use crate::part::{Options, SettingsError};

/// When statistics lose weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecayWhen {
    /// After each move on the board, all entries.
    Move,
    /// After a number of simulations, all entries.
    Batch,
    /// After each simulation, the entries that occurred in it.
    Simulation,
}

/// How statistics lose weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decay {
    /// When.
    pub when: DecayWhen,
    /// The share of the evidence that is kept: 0 clears, 1 keeps all.
    pub keep: f64,
    /// Simulations in a batch.
    pub batch: u64,
    /// Whether visits are rounded to whole numbers and entries without visits dropped, as in the
    /// source's program, or kept as fractions, as in its formula.
    pub round: bool,
}

pub(crate) const DECAY: Parameter = Parameter::real(
    "decay",
    0.2,
    (0.0, 1.0),
    "the share of the evidence that is kept when statistics lose weight",
);
pub(crate) const BATCH: Parameter = Parameter::whole(
    "batch",
    100.0,
    (1.0, 1e12),
    "simulations between two decays, if they come in batches",
);
pub(crate) const ROUND: Parameter = Parameter::flag(
    "decay_rounds",
    true,
    "whether decayed visits are rounded and entries without visits dropped",
);

pub(crate) const DECAY_WHEN: Parameter = Parameter::word(
    "decay_when",
    &["move", "batch", "simulation"],
    "when statistics lose weight: after each move on the board, after a batch of simulations, or \
     after each simulation what occurred in it",
);

impl Decay {
    /// Nothing is ever forgotten.
    #[cfg(test)]
    pub(crate) const NONE: Decay =
        Decay { when: DecayWhen::Move, keep: 1.0, batch: 1, round: true };

    /// Reads the options `decay`, `decay_when`, `batch` and `decay_rounds`, with `keep` as default.
    pub fn read(options: &mut Options<'_>, keep: f64) -> Result<Decay, SettingsError> {
        Ok(Decay {
            when: options
                .choice(&DECAY_WHEN, &[DecayWhen::Move, DecayWhen::Batch, DecayWhen::Simulation])?,
            keep: options.number(&DECAY.with_default(keep))?,
            batch: options.number(&BATCH)? as u64,
            round: options.flag(&ROUND)?,
        })
    }
}
