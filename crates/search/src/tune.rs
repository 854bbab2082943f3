//! Values of parameters that change while the search runs: tuned on line, or drawn at random.
//!
//! `tune=ntbea(parameters=[c, epsilon, k, ref])` makes every simulation one noisy evaluation of one
//! combination per role, rewarded with that role's goal (parameter-tuning, section 2.1). `sim-rnd`,
//! `turn-rnd`, `game-rnd` and `state-rnd` draw values that nothing learns from (section 8). Simulations
//! carry their combinations with them, so any number can be under way.

use std::hash::Hash;
use std::sync::Arc;

use gamegrove_game::{Rng, Role};
use gamegrove_tuning::strategies::lsi;
use gamegrove_tuning::{
    Combination, Domain, Moment, Parameter as Tunable, PerRole, Randomiser, Redraw, Rewards, Space,
    Value, published, registry,
};

use crate::core::Core;
use crate::parameter::{Declared, Parameter, ParameterId, Values};
use crate::part::{Options, SettingsError};
use crate::simulation::Simulation;

/// The option.
pub(crate) const TUNE: Parameter = Parameter::part(
    "tune",
    "how parameters are tuned while the search runs: none, mab, he, nmc, lsi, ea, ntbea, cma-es, \
     local, or drawn at random: game-rnd, turn-rnd, sim-rnd, state-rnd; parameters=[c, k] says which",
);

/// What the settings ask for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wanted {
    strategy: String,
    parameters: Vec<String>,
    options: Vec<(String, String)>,
}

impl Wanted {
    /// Reads the part `tune`.
    pub(crate) fn read(
        name: &str,
        options: &mut Options<'_>,
    ) -> Result<Option<Wanted>, SettingsError> {
        if name == "none" {
            return Ok(None);
        }
        let parameters = options.names("parameters")?;
        Ok(Some(Wanted { strategy: name.to_owned(), parameters, options: options.others() }))
    }
}

/// Gives simulations their values, and learns from them.
pub(crate) struct Tuner {
    space: Arc<Space>,
    /// Where the values of each parameter of the space go.
    places: Vec<ParameterId>,
    source: Source,
    /// Whether the strategies know how many simulations to expect.
    planned: bool,
}

enum Source {
    Tuned(PerRole),
    Drawn(Redraw, Vec<(Randomiser, Rng)>),
}

impl Tuner {
    /// Makes what the settings ask for, among the parameters that the search has.
    pub(crate) fn new(
        wanted: &Wanted,
        declared: &[Declared],
        roles: usize,
        seed: u64,
        rewards: Rewards,
    ) -> Result<Tuner, SettingsError> {
        let chosen: Vec<&Declared> =
            wanted.parameters.iter().map(|name| find(name, declared)).collect::<Result<_, _>>()?;
        let tunables: Vec<Tunable> =
            chosen.iter().map(|one| tunable(one, rewards)).collect::<Result<_, _>>()?;
        let both = |name: &str| tunables.iter().any(|one| one.name == name);
        let rules = match both("k") && both("ref") {
            true => vec![published::k_switches_ref()],
            false => Vec::new(),
        };
        let space = Space::new(tunables, &rules).map_err(|error| bad(&wanted.strategy, &error))?;
        let space = Arc::new(space);
        let options: Vec<(&str, &str)> =
            wanted.options.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
        let source = match Redraw::find(&wanted.strategy) {
            Ok(redraw) if options.is_empty() => {
                let draw = |role: usize| {
                    let mut rng = Rng::stream(seed, role as u64 + 1);
                    (Randomiser::new(redraw, &space, &mut rng), rng)
                };
                Source::Drawn(redraw, (0..roles).map(draw).collect())
            }
            _ => {
                known(&wanted.strategy)?;
                PerRole::new(&wanted.strategy, &options, &space, rewards, roles, seed)
                    .map(Source::Tuned)
                    .map_err(|error| bad(&wanted.strategy, &error))?
            }
        };
        Ok(Tuner {
            space,
            places: chosen.iter().map(|one| one.id).collect(),
            source,
            planned: false,
        })
    }

    /// Gives a simulation its values.
    pub(crate) fn begin(&mut self, combinations: &mut Vec<Combination>, values: &mut Values) {
        match &mut self.source {
            Source::Tuned(tuned) => {
                tuned.next(combinations);
                for (role, combination) in (0..).map(Role).zip(combinations.iter()) {
                    write(&self.space, &self.places, role, combination, values);
                }
            }
            Source::Drawn(..) => self.draw(Moment::Simulation, true, values),
        }
    }

    /// Learns what a simulation's values were worth to each role.
    pub(crate) fn reward(&mut self, combinations: &[Combination], rewards: &[f64]) {
        if let Source::Tuned(tuned) = &mut self.source {
            tuned.update(combinations, rewards);
        }
    }

    /// A turn starts: what is drawn once a turn is drawn anew.
    pub(crate) fn begin_turn(&mut self) {
        if let Source::Drawn(_, drawn) = &mut self.source {
            for (randomiser, rng) in drawn {
                randomiser.on(Moment::Turn, rng);
            }
        }
    }

    /// Draws values anew if this is the moment; writes them in any case if `always`.
    fn draw(&mut self, moment: Moment, always: bool, values: &mut Values) {
        let Source::Drawn(_, drawn) = &mut self.source else { return };
        for (role, (randomiser, rng)) in (0..).map(Role).zip(drawn) {
            if randomiser.on(moment, rng).is_some() || always {
                write(&self.space, &self.places, role, randomiser.current(), values);
            }
        }
    }

    /// Whether values change from state to state.
    pub(crate) fn draws_in_states(&self) -> bool {
        matches!(self.source, Source::Drawn(Redraw::State, _))
    }

    /// What is recommended for a role so far, by name.
    pub(crate) fn recommended(&self, role: Role) -> Option<String> {
        let Source::Tuned(tuned) = &self.source else { return None };
        let best = tuned.role(role.index())?.best()?;
        Some(self.space.describe(&best))
    }
}

/// Writes a combination's values; what has no meaning in it keeps the value it had.
fn write(
    space: &Space,
    places: &[ParameterId],
    role: Role,
    combination: &Combination,
    values: &mut Values,
) {
    for (&place, value) in places.iter().zip(space.values(combination)) {
        if let Some(number) = value.number() {
            values.set(role, place, number);
        }
    }
}

fn find<'d>(name: &str, declared: &'d [Declared]) -> Result<&'d Declared, SettingsError> {
    let is_it = |one: &&Declared| {
        one.parameter.name == name || format!("{}.{}", one.part, one.parameter.name) == name
    };
    declared.iter().find(is_it).ok_or_else(|| {
        let names: Vec<&str> = declared.iter().map(|one| one.parameter.name).collect();
        crate::part::unknown_name("parameters", name, &names)
    })
}

/// The parameter as tuners know it: as published, or over its own domain.
fn tunable(declared: &Declared, rewards: Rewards) -> Result<Tunable, SettingsError> {
    let Parameter { name, domain, least, greatest, .. } = declared.parameter;
    // Video games have rewards of their own, and other domains of parameters with equal names.
    let (board, video) = (published::board_parameters(), published::video_parameters());
    let (first, then) = if rewards == Rewards::UNIT { (video, board) } else { (board, video) };
    if let Some(published) = first.into_iter().chain(then).find(|one| one.name == name) {
        return Ok(published);
    }
    if domain.is_empty() {
        return Err(SettingsError::BadValue {
            part: "tune".to_owned(),
            key: "parameters".to_owned(),
            wanted: "parameters with a domain to tune over".to_owned(),
            value: name.to_owned(),
        });
    }
    let values = Domain::reals(domain);
    let values = match (least.is_finite() && greatest.is_finite()).then_some((least, greatest)) {
        Some((least, greatest)) => values.with_range(least, greatest),
        None => values,
    };
    Ok(Tunable::new(name, Value::Real(declared.value), values))
}

/// Complains about a strategy that does not exist, with all that do.
fn known(name: &str) -> Result<(), SettingsError> {
    let tuned = registry::STRATEGIES.iter().map(|strategy| strategy.name);
    let names: Vec<&str> = tuned.chain(Redraw::ALL.map(Redraw::name)).collect();
    if names.contains(&name) {
        Ok(())
    } else {
        Err(crate::part::unknown_name("tune", name, &names))
    }
}

fn bad(strategy: &str, error: &dyn std::fmt::Display) -> SettingsError {
    SettingsError::Tuning { strategy: strategy.to_owned(), problem: error.to_string() }
}

impl<S: Clone + Eq + Hash> Core<S> {
    /// Gives a simulation its values, if they are tuned or drawn.
    #[inline]
    pub(crate) fn give_values(&mut self, simulation: &mut Simulation) {
        if let Some(tuner) = &mut self.tuner {
            tuner.begin(&mut simulation.combinations, &mut simulation.values);
        }
    }

    /// Draws values for the state that a simulation has reached, if they are drawn in states.
    #[inline]
    pub(crate) fn redraw_values(&mut self, simulation: &mut Simulation) {
        if let Some(tuner) = &mut self.tuner {
            tuner.draw(Moment::State, false, &mut simulation.values);
        }
    }

    /// Learns what a simulation's values were worth.
    pub(crate) fn reward_values(&mut self, simulation: &Simulation) {
        if let Some(tuner) = &mut self.tuner {
            tuner.reward(&simulation.combinations, simulation.trace.goals());
        }
    }

    /// Takes back the values of a simulation that will not finish.
    pub(crate) fn forget_values(&mut self, simulation: &Simulation) {
        if let Some(Tuner { source: Source::Tuned(tuned), .. }) = &mut self.tuner {
            tuned.cancel(&simulation.combinations);
        }
    }

    /// A turn starts: values may be drawn anew, and strategies that plan hear how many simulations to
    /// expect from what the first turn brought (parameter-tuning, formula 6.2).
    pub(crate) fn begin_turn(&mut self) {
        let (simulations, steps) = (self.counts.simulations, self.counts.steps);
        let Some(tuner) = &mut self.tuner else { return };
        match &mut tuner.source {
            Source::Tuned(tuned) if !tuner.planned && simulations > 0 => {
                let turns = steps as f64 / simulations as f64;
                tuned.set_budget(lsi::budget(lsi::KAPPA, simulations, 1.0, 1.0, turns));
                tuner.planned = true;
            }
            _ => tuner.begin_turn(),
        }
    }
}
