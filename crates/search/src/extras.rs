//! What steers simulations beside selection and policy: cut-offs, tactics, the best line.

use std::hash::Hash;

use gamegrove_game::{FeatureNames, Game};

use crate::best_line::BestLine;
use crate::core::Core;
use crate::cutoff::{self, Cutoff, Worth};
use crate::endgame::{self, Endgame};
use crate::expand::{self, Expansion};
use crate::parameter::Parameter;
use crate::part::{Options, Part, SettingsError};
use crate::tactic::{self, Tactic};
use crate::trace::Trace;

pub(crate) const BEST_LINE: Parameter = Parameter::flag(
    "best_line",
    false,
    "whether the whole line of a simulation that is at least as good as the best so far is added \
     to the tree; for games of one role",
);

pub(crate) const CUTOFF: Parameter =
    Parameter::part("cutoff", "when play-outs end before the game does; none by default");
pub(crate) const TACTIC: Parameter = Parameter::part(
    "tactic",
    "which moves of a play-out are not left to the policy; none by default",
);

pub(crate) const EXPAND: Parameter =
    Parameter::part("expand", "which moves of a new node the tree looks at; all by default");
pub(crate) const ENDGAME: Parameter = Parameter::part(
    "endgame",
    "which positions near the end are looked at in full instead of being searched; none by default",
);

/// What steers simulations beside selection and policy. Nothing by default.
#[derive(Default)]
pub(crate) struct Extras {
    pub(crate) cutoff: Option<Box<dyn Cutoff>>,
    pub(crate) tactic: Option<Box<dyn Tactic>>,
    pub(crate) best_line: Option<BestLine>,
    /// Taken by the core when it meets its game.
    pub(crate) expand: Option<Box<dyn Expansion>>,
    pub(crate) endgame: Option<Box<dyn Endgame>>,
}

impl Extras {
    /// Reads the options `cutoff`, `tactic`, `best_line`, `expand` and `endgame`.
    pub(crate) fn read(options: &mut Options<'_>) -> Result<Extras, SettingsError> {
        let none = Part::named("none");
        Ok(Extras {
            cutoff: options.part(CUTOFF.name, &none, |name, options| match name {
                "none" => Ok(None),
                name => cutoff::build(name, options).map(Some),
            })?,
            tactic: options.part(TACTIC.name, &none, |name, options| match name {
                "none" => Ok(None),
                name => tactic::build(name, options).map(Some),
            })?,
            best_line: options.flag(&BEST_LINE)?.then(BestLine::default),
            expand: options.part(EXPAND.name, &Part::named("all"), |name, options| match name {
                "all" => Ok(None),
                name => expand::build(name, options).map(Some),
            })?,
            endgame: options.part(ENDGAME.name, &none, |name, options| match name {
                "none" => Ok(None),
                name => endgame::build(name, options).map(Some),
            })?,
        })
    }

    /// Whether a play-out ends here although play could go on, and with what worth.
    #[inline]
    pub(crate) fn cut(&self, trace: &Trace) -> Option<Worth> {
        self.cutoff.as_ref()?.check(trace)
    }

    /// Whether the goals of all states of a simulation are to be shown to a rule.
    pub(crate) fn wants_goals(&self) -> bool {
        self.cutoff.as_ref().is_some_and(|cutoff| cutoff.wants_goals())
    }

    /// Whether a line was found that cannot be bettered.
    pub(crate) fn is_solved(&self) -> bool {
        self.best_line.as_ref().is_some_and(BestLine::is_solved)
    }
}

impl<S: Clone + Eq + Hash> Core<S> {
    /// Lets strategies that look at features see them.
    pub(crate) fn introduce<G: Game<State = S>>(&mut self, game: &G) -> Result<(), SettingsError> {
        let Some(features) = game.features() else {
            let playout = self.policy.needs().features;
            let part = if playout { "playout" } else { "select" }.to_owned();
            let what = "the facts of states".to_owned();
            return Err(SettingsError::Unable { part, what });
        };
        self.features = Some(features);
        let names = &mut || -> Box<dyn FeatureNames> {
            game.features().expect("a game that has features keeps them")
        };
        self.tables.introduce(names);
        self.policy.introduce(names);
        Ok(())
    }
}
