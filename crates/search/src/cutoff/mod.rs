//! Play-outs that end before the game does.
//!
//! One rule per file, one line each in [`CUTOFFS`]. A rule that must first see how goals develop
//! asks for the goals of all states of the first simulations; they are read again from the trace,
//! so that nobody else pays for it.

mod early;
mod length;
mod rated;

use std::hash::Hash;

use gamegrove_game::{Game, Role};

use crate::core::Core;
use crate::part::{Options, SettingsError};
use crate::rating::{Rating, Weights};
use crate::registry::Entry;
use crate::simulation::Simulation;
use crate::trace::Trace;
use crate::worker::Worker;

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

impl<S: Clone + Eq + Hash> Core<S> {
    /// Gets the game's own evaluation, if the rule asks for ratings.
    pub(crate) fn introduce_rating<G: Game<State = S>>(
        &mut self,
        game: &G,
    ) -> Result<(), SettingsError> {
        if let Some(weights) = self.extras.cutoff.as_ref().and_then(|rule| rule.weights()) {
            self.rating = Some(Rating::new(game, weights, "cutoff")?);
        }
        Ok(())
    }

    /// Ends a simulation with the ratings of a state.
    pub(crate) fn finish_rated(&mut self, state: &S, scale: f64, simulation: &mut Simulation) {
        let Some(rating) = &mut self.rating else { return };
        let worth = |role| 100.0 / (1.0 + (-rating.value(state, role) / scale).exp());
        simulation.trace.finish(Role::all(self.roles).map(worth));
    }
}

impl<G: Game> Worker<G> {
    /// Plays a finished simulation again and shows its goals to the rule that asks for them.
    pub(crate) fn sample_goals(&mut self, core: &mut Core<G::State>, simulation: &Simulation) {
        if !core.extras.wants_goals() {
            return;
        }
        let root = core.root.and_then(|root| core.tree.state(root));
        let Some(root) = root.cloned() else { return };
        self.sample_goals_from(&root, core, simulation);
    }

    /// As [`sample_goals`](Worker::sample_goals), of a simulation that began in the state `root`.
    pub(crate) fn sample_goals_from(
        &mut self,
        root: &G::State,
        core: &mut Core<G::State>,
        simulation: &Simulation,
    ) {
        let Some(cutoff) = &mut core.extras.cutoff else { return };
        let mut series = GoalSeries { roles: core.roles, ..GoalSeries::default() };
        self.state.clone_from(root);
        for step in 0..=simulation.trace.steps() {
            self.look.read_goals(&mut self.game, &self.state);
            series.goals.extend(self.look.goals.iter().map(|goal| f64::from(goal.0)));
            if step < simulation.trace.steps() {
                self.advance(simulation.trace.joint(step));
            }
        }
        series.ended = self.game.is_terminal(&self.state);
        cutoff.sample(&series);
    }
}
