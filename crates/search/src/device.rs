//! Games that a device answers for: leaves valued by batches of play-outs on it, and the time of its
//! own that it takes.
//!
//! As in the source (propnets, section 11.1) a leaf gets a batch of play-outs, of which the device tells
//! the mean goals alone. Each of the batch counts as a simulation, as where leaves get several
//! play-outs on lanes. How long the device takes is a model: a wait for each call, and its clock cycles.

use std::time::Duration;

use gamegrove_game::{DeviceUse, Game, Goal, Rng};

use crate::core::Core;
use crate::parameter::Parameter;
use crate::part::{Options, Part, SettingsError, unknown_name};
use crate::simulation::Simulation;
use crate::trace::Needs;
use crate::worker::Worker;

/// The option of a search.
pub(crate) const DEVICE: Parameter = Parameter::part(
    "device",
    "how fast the device is that answers for the game, where one does, and how much of its time a \
     search may take: board(time, clock, latency)",
);

const TIME: Parameter = Parameter::real(
    "time",
    f64::INFINITY,
    (0.0, f64::INFINITY),
    "seconds of the device's own time that a search may take",
);
const CLOCK: Parameter =
    Parameter::real("clock", 100.0, (0.001, 1e6), "the device's clock, in megahertz");
const LATENCY: Parameter = Parameter::real(
    "latency",
    50.0,
    (0.0, 1e9),
    "how long a call of the device waits, in microseconds",
);

/// The numbers of [`DEVICE`], for help.
pub static DEVICE_PARAMETERS: &[Parameter] = &[TIME, CLOCK, LATENCY];

/// How fast a device is, and how much of its time a search may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeviceTerms {
    time: f64,
    clock: f64,
    latency: f64,
}

impl DeviceTerms {
    pub(crate) fn read(options: &mut Options<'_>) -> Result<DeviceTerms, SettingsError> {
        options.part(DEVICE.name, &Part::named("board"), |name, options| match name {
            "board" => Ok(DeviceTerms {
                time: options.number(&TIME)?,
                clock: options.number(&CLOCK)?,
                latency: options.number(&LATENCY)?,
            }),
            name => Err(unknown_name(DEVICE.name, name, &["board"])),
        })
    }

    /// How long the device takes for this.
    pub(crate) fn time_of(&self, used: DeviceUse) -> Duration {
        let micros = used.calls as f64 * self.latency + used.cycles as f64 / self.clock;
        Duration::try_from_secs_f64(micros / 1e6).unwrap_or(Duration::MAX)
    }

    /// Whether a search that used this may ask for nothing more.
    pub(crate) fn is_spent(&self, used: DeviceUse) -> bool {
        self.time.is_finite() && self.time_of(used).as_secs_f64() >= self.time
    }
}

/// What a device did for a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceReport {
    /// Calls and clock cycles.
    pub used: DeviceUse,
    /// The time that takes, by the clock and latency of the settings.
    pub time: Duration,
}

/// Whether leaves can be valued by batches: a device answers for the game, and nothing has to be
/// known of play-outs but how they end.
pub(crate) fn takes_batches(core: &Core) -> bool {
    // Asked in every simulation; searches without a device are done here.
    if core.run.counts.device.is_none() {
        return false;
    }
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
        let Some(steps) = self.game.play_outs(&self.state, count, rng, &mut self.look.goals) else {
            return false;
        };
        if self.game.take_fault().is_some() {
            self.look.goals.fill(Goal::WORST);
        }
        simulation.trace.finish(self.look.goals.iter().map(|goal| f64::from(goal.0)));
        (simulation.playouts, simulation.batch_steps) = (count, steps);
        true
    }
}
