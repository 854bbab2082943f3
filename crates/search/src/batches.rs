//! Leaves valued by batches of play-outs, where the game plays them so ([`Batches`]), and the terms of the
//! account that such a game keeps.
//!
//! As in [Sironi 2019, 4.4.1] a leaf gets a batch of play-outs, of which only the mean goals are known. Each
//! play-out of the batch counts as a simulation, as on lanes when a leaf gets several play-outs.
//!
//! [`Batches`]: gamegrove_game::Batches

use gamegrove_game::{Game, Goal, Rng};

use crate::core::Core;
use crate::parameter::Parameter;
use crate::part::{Options, SettingsError, unknown_name};
use crate::simulation::Simulation;
use crate::trace::Needs;
use crate::worker::Worker;

/// The option of a search.
pub(crate) const DEVICE: Parameter = Parameter::part(
    "device",
    "board",
    "how fast the device is that answers for the game, where one does, and how much of its time a \
     search may take: board(time, clock, latency)",
);

const TERMS: [Parameter; 3] = [
    Parameter::real(
        "time",
        f64::INFINITY,
        (0.0, f64::INFINITY),
        "seconds of the device's own time that a search may take",
    ),
    Parameter::real("clock", 100.0, (0.001, 1e6), "the device's clock, in megahertz"),
    Parameter::real(
        "latency",
        50.0,
        (0.0, 1e9),
        "how long a call of the device waits, in microseconds",
    ),
];

/// The terms under which a game plays by the batch. The search hands them on; what they mean is known
/// to the game.
pub(crate) type Terms = [(&'static str, f64); TERMS.len()];

/// Reads the option.
pub(crate) fn read_terms(
    options: &mut Options<'_>,
    parameter: &Parameter,
) -> Result<Terms, SettingsError> {
    options.part(parameter, |name, options| {
        if name != "board" {
            return Err(unknown_name(parameter.name, name, &["board"]));
        }
        let mut terms = TERMS.map(|term| (term.name, 0.0));
        for (term, (_, value)) in TERMS.iter().zip(&mut terms) {
            *value = options.number(term)?;
        }
        Ok(terms)
    })
}

/// Whether leaves can be valued by batches: nothing has to be known of play-outs but how they end.
pub(crate) fn takes_batches(core: &Core) -> bool {
    let Core { strategies, learned, settings, .. } = core;
    let Needs { amaf, legal, features, types, own_types, extra, best, .. } = strategies.needs;
    let notes = amaf || legal || features || types || own_types || extra || best;
    let steers = strategies.cutoff.is_some()
        || strategies.tactic.is_some()
        || learned.best_line.is_some()
        || learned.tuner.is_some()
        || learned.worth.is_some();
    let plain = strategies.policy.is_uniform() && learned.tables.is_empty();
    plain && !notes && !steers && settings.discount == 1.0
}

impl<G: Game> Worker<G> {
    /// Values the state the worker is in, and has looked at, by a batch of play-outs at once. `false` if
    /// the game has no way to do so.
    pub(crate) fn play_batch(
        &mut self,
        count: u32,
        simulation: &mut Simulation,
        rng: &mut Rng,
    ) -> bool {
        self.look.goals.resize(self.game.role_count(), Goal::default());
        let Some(batches) = self.game.batches() else { return false };
        let steps = batches.play_outs(&self.state, count, rng, &mut self.look.goals);
        if self.game.take_fault().is_some() {
            self.look.goals.fill(Goal::WORST);
        }
        simulation.trace.finish(self.look.goals.iter().map(|goal| f64::from(goal.0)));
        (simulation.playouts, simulation.batch_steps) = (count, steps);
        true
    }
}
