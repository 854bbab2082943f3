//! All parts that agents can be made of, with the records of their options.

use gamegrove_planner::{FORMULAS, ROLLOUTS, VALUES};
use gamegrove_search::{
    CUTOFFS, ENDGAMES, EXPANSIONS, Entry, POLICIES, SELECTIONS, TACTICS, TUNE_PARAMETERS, TUNERS,
};
use gamegrove_settings::Parameter;

use crate::kinds::KINDS;

/// A part that agents can be made of.
#[derive(Clone, Copy, Debug)]
pub struct PartRecord {
    /// The option it is a value of.
    pub of: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// The published work it comes from; may be empty.
    pub source: &'static str,
    /// Its options.
    pub parameters: &'static [Parameter],
}

/// All parts: kinds of agents, and the values of their options that have options of their own.
pub fn parts() -> Vec<PartRecord> {
    let kinds = KINDS.iter().map(|kind| PartRecord {
        of: "agent",
        source: "",
        name: kind.name,
        sentence: kind.sentence,
        parameters: kind.parameters,
    });
    let shared = PartRecord {
        of: "tune",
        name: "...",
        sentence: "options of all strategies",
        source: "[Sironi 2019, 6.2.1]",
        parameters: TUNE_PARAMETERS,
    };
    let tuners = TUNERS.iter().map(|spec| {
        let parameters = spec.parameters;
        PartRecord {
            of: "tune",
            name: spec.name,
            sentence: spec.sentence,
            source: spec.source,
            parameters,
        }
    });
    let formulas = FORMULAS.iter().map(|formula| PartRecord {
        of: "plan: select",
        name: formula.name,
        sentence: formula.sentence,
        source: "",
        parameters: formula.parameters,
    });
    kinds
        .chain(of("select", SELECTIONS))
        .chain(of("playout", POLICIES))
        .chain(of("cutoff", CUTOFFS))
        .chain(of("tactic", TACTICS))
        .chain(of("expand", EXPANSIONS))
        .chain(of("endgame", ENDGAMES))
        .chain([shared])
        .chain(tuners)
        .chain(formulas)
        .chain(of("plan: playout", ROLLOUTS))
        .chain(of("plan: value", VALUES))
        .collect()
}

fn of<T: ?Sized>(
    key: &'static str,
    entries: &'static [Entry<T>],
) -> impl Iterator<Item = PartRecord> {
    entries.iter().map(move |entry| {
        let Entry { name, sentence, source, parameters, .. } = *entry;
        PartRecord { of: key, name, sentence, source, parameters }
    })
}
