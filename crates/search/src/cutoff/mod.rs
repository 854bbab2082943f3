//! Play-outs that end before the game does.
//!
//! One rule per file, one line each in [`CUTOFFS`]. A rule that must first see how goals develop
//! asks for the goals of all states of the first simulations; they are read again from the trace,
//! so that other searches do not pay for it.

mod early;
mod length;
mod rated;

use crate::part::{Options, SettingsError};
use crate::rating::Weights;
use crate::registry::Entry;
use crate::trace::Trace;

/// All rules. Without one play-outs go on to the end of the game.
pub static CUTOFFS: &[Entry<dyn Cutoff>] = &[early::ENTRY, length::ENTRY, rated::ENTRY];

/// What a play-out is worth that was cut off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// The goals of the state it was cut off in.
    Goals,
    /// The same for every role.
    Equal(f64),
    /// What the game's own evaluation says, which is 73 of 100 at the rating `scale`.
    Rating {
        /// That rating.
        scale: f64,
    },
}

/// Ends play-outs before the game does.
pub trait Cutoff: Send {
    /// Asked in every state of a play-out that is not an end: whether to end it here.
    fn check(&self, trace: &Trace) -> Option<Worth>;

    /// The weights of the game's own evaluation, if it asks for ratings.
    fn weights(&self) -> Option<&Weights> {
        None
    }

    /// Whether it still has to see how goals develop.
    fn wants_goals(&self) -> bool {
        false
    }

    /// Shows it the goals of all states of one simulation.
    fn sample(&mut self, _series: &GoalSeries) {}
}

/// The goals of all states of one simulation, from the root to its last state.
#[derive(Clone, Debug, Default)]
pub struct GoalSeries {
    /// The number of roles.
    pub roles: usize,
    /// The goals, one row per state.
    pub goals: Vec<f64>,
    /// Whether play was over in the last state.
    pub ended: bool,
}

impl GoalSeries {
    /// The number of joint moves between the first state and the last.
    pub fn steps(&self) -> usize {
        (self.goals.len() / self.roles.max(1)).saturating_sub(1)
    }

    /// The goals of one role, in order.
    pub fn of_role(&self, role: usize) -> impl Iterator<Item = f64> + '_ {
        self.goals.iter().skip(role).step_by(self.roles.max(1)).copied()
    }
}

/// Makes the rule called `name`.
pub(crate) fn build(
    name: &str,
    options: &mut Options<'_>,
) -> Result<Box<dyn Cutoff>, SettingsError> {
    crate::registry::build("cutoff", CUTOFFS, name, options)
}
