//! Play-outs of limited length.

use super::{Cutoff, Worth};
use crate::parameter::Parameter;
use crate::registry::Entry;
use crate::trace::Trace;

const STEPS: Parameter =
    Parameter::whole("steps", 20.0, (0.0, 1e9), "steps after which a play-out ends");
const FROM: Parameter = Parameter::word(
    "from",
    &["leaf", "root"],
    "where steps are counted from: where the simulation left the tree, or the root",
);
const WORTH: Parameter = Parameter::word(
    "worth",
    &["goals", "draw"],
    "what the play-out is worth then: the goals of its last state, or a draw",
);

pub(super) const ENTRY: Entry<dyn Cutoff> = Entry {
    name: "length",
    sentence: "play-outs end after a number of steps",
    source: "[Sironi 2019, 2.3]; [Fernandes 2013, 4.1.3]",
    parameters: &[STEPS, FROM, WORTH],
    build: |options| {
        Ok(Box::new(Length {
            steps: options.number(&STEPS)? as usize,
            from_root: options.choice(&FROM, &[false, true])?,
            worth: options
                .word("worth", &[("goals", Worth::Goals), ("draw", Worth::Equal(50.0))])?,
        }))
    },
};

struct Length {
    steps: usize,
    from_root: bool,
    worth: Worth,
}

impl Cutoff for Length {
    fn check(&self, trace: &Trace) -> Option<Worth> {
        let from = if self.from_root { 0 } else { trace.tree_steps() };
        (trace.steps() - from >= self.steps).then_some(self.worth)
    }
}
