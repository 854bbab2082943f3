//! Values of parameters that change while the search runs: tuned on line, or drawn at random.
//!
//! `tune=ntbea(parameters=[c, epsilon, k, ref])` makes every simulation one noisy evaluation of one
//! combination per role, rewarded with that role's goal (parameter-tuning, section 2.1). `sim-rnd`,
//! `turn-rnd`, `game-rnd` and `state-rnd` draw values that nothing learns from (section 8). Simulations
//! carry their combinations with them, so any number can be under way.

use std::hash::Hash;
use std::sync::Arc;

use gamegrove_game::{Rng, Role};
use gamegrove_tuning::{
    Combination, Moment, PerRole, Randomiser, Redraw, Rewards, Space, registry,
};

use crate::budget::Budget;
use crate::core::Core;
use crate::parameter::{Declared, Parameter, ParameterId, Values};
use crate::part::{Options, SettingsError};
use crate::simulation::Simulation;
use crate::tunables::Tunables;

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
    /// Whether turns have so many simulations, not so much time.
    counted: bool,
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
        let tunables = Tunables::among(declared, &wanted.parameters, rewards)?;
        let space = Arc::clone(tunables.space());
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
            places: tunables.places().iter().map(|one| one.id).collect(),
            source,
            planned: false,
            counted: false,
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

    /// Hears what a turn may spend.
    pub(crate) fn note_budget(&mut self, budget: &Budget<'_>) {
        if let Some(tuner) = &mut self.tuner {
            tuner.counted = budget.is_counted();
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
                // A start clock as long as the clock of a turn.
                let expected = simulations as f64 * turns;
                if tuner.counted {
                    // Later turns do not have more simulations because those are shorter.
                    tuned.set_budget(expected.round() as u64);
                } else {
                    tuned.forecast(expected);
                }
                tuner.planned = true;
            }
            _ => tuner.begin_turn(),
        }
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_game::Game;
    use gamegrove_gdl::{Limits, Rulesheet};
    use gamegrove_propnet::{Propnet, Sequence, build_from_rules};
    use gamegrove_tuning::{Domain, Parameter as Tunable, Value};

    use super::*;
    use crate::{Part, Search};

    fn tic_tac_toe() -> Propnet {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/gdl/tic_tac_toe.kif");
        let sheet = Rulesheet::load(&std::fs::read(path).expect("it ships")).expect("good rules");
        let network = build_from_rules(&sheet.program, 0, &Limits::default()).expect("it grounds");
        Propnet::new(&Arc::new(Sequence::default().run(&network))).expect("a sound network")
    }

    /// A tuner that has one value for each parameter.
    fn without_choice(declared: &[Declared], strategy: &str) -> Tuner {
        let chosen: Vec<&Declared> = ["c", "epsilon", "k", "ref"]
            .iter()
            .filter_map(|name| declared.iter().find(|one| one.parameter.name == *name))
            .collect();
        let one = |declared: &&Declared| {
            let value = declared.value;
            Tunable::new(declared.parameter.name, Value::Real(value), Domain::reals(&[value]))
        };
        let space = Arc::new(Space::new(chosen.iter().map(one).collect(), &[]).expect("sound"));
        let tuned = PerRole::new(strategy, &[], &space, Rewards::GOALS, 2, 5).expect("it exists");
        Tuner {
            places: chosen.iter().map(|one| one.id).collect(),
            space,
            source: Source::Tuned(tuned),
            planned: false,
            counted: false,
        }
    }

    #[test]
    fn a_tuner_without_a_choice_changes_nothing() {
        // Specification, section 13.
        let mut game = tic_tac_toe();
        let settings = Part::named("mcts").with("select", "grave").with("playout", "mast");
        for strategy in ["mab", "he", "nmc", "local", "lsi", "ea", "ntbea"] {
            let mut tuned = Search::new(game.clone(), &settings, 3).expect("good settings");
            tuned.core.tuner = Some(without_choice(&tuned.core.declared, strategy));
            let mut plain = Search::new(game.clone(), &settings, 3).expect("good settings");
            for _ in 0..3 {
                for search in [&mut plain, &mut tuned] {
                    search.set_root(&game.initial_state());
                    search.run(&Budget::simulations(300));
                }
                let (plain, tuned) = (plain.report(Role(0)), tuned.report(Role(0)));
                assert_eq!(plain.moves, tuned.moves, "{strategy}");
                assert!(tuned.tuned.is_some());
            }
        }
    }

    #[test]
    fn each_role_is_steered_by_its_own_values() {
        // The share of the most visited first move, if roles choose by chance wherever they are.
        let favourite = |by_chance: &[u8]| {
            let mut game = tic_tac_toe();
            let settings = Part::named("mcts").with("select", Part::named("uct").with("c", 0.2));
            let mut search = Search::new(game.clone(), &settings, 3).expect("good settings");
            let t = search.core.declared.iter().find(|one| one.parameter.name == "t");
            let t = t.expect("it is declared").id;
            for &role in by_chance {
                search.simulation.values.set(Role(role), t, f64::INFINITY);
            }
            search.set_root(&game.initial_state());
            search.run(&Budget::simulations(2_000));
            let visits: Vec<u32> = search.report(Role(0)).moves.iter().map(|m| m.visits).collect();
            f64::from(visits[0]) / f64::from(visits.iter().sum::<u32>())
        };
        // The first role has nine first moves.
        assert!(favourite(&[]) > 0.3);
        assert!(favourite(&[1]) > 0.3);
        assert!(favourite(&[0]) < 0.15);
        assert!(favourite(&[0, 1]) < 0.15);
    }

    #[test]
    fn planners_hear_what_is_to_come() {
        // With turns of so many simulations there are no more of them than that; with time there are.
        let mut game = tic_tac_toe();
        let names = gamegrove_tuning::published::SP_2.parameters;
        let names = crate::Value::List(names.iter().map(|&name| name.into()).collect());
        let tune = Part::named("lsi").with("parameters", names).with("candidates", 5.0);
        let settings = Part::named("mcts").with("playout", "mast").with("tune", tune);
        let mut search = Search::new(game.clone(), &settings, 1).expect("good settings");
        let settled = |search: &Search<Propnet>| match &search.core.tuner {
            Some(Tuner { source: Source::Tuned(tuned), .. }) => {
                tuned.role(0).expect("there is a role").is_settled()
            }
            _ => false,
        };
        let mut turns = 0;
        while !settled(&search) {
            search.set_root(&game.initial_state());
            search.run(&Budget::simulations(200));
            turns += 1;
            assert!(turns < 100);
        }
        // Random games have seven or eight moves.
        assert!((5..=10).contains(&turns), "{turns}");
    }
}
