//! Values of parameters that change while the search runs: tuned on line, or drawn at random.
//!
//! `tune=ntbea(parameters=[c, epsilon, k, ref])` makes every simulation one noisy evaluation of one
//! combination per role, rewarded with that role's goal [Sironi 2019, 6.2.1]. `sim-rnd`,
//! `turn-rnd`, `game-rnd`, `state-rnd` and `move-rnd` draw values that nothing learns from [Sironi 2019, 7.2]. Simulations
//! carry their combinations with them, so any number can be under way.
//!
//! With `roles=one` all roles get the same combination, rewarded with the goal of the role that the search
//! is for: the first of the two ways of [Sironi 2019, 6.2.1], of which the source investigates the second.
//! `draw=each` draws every parameter by itself where the default draws a legal combination.

use std::sync::Arc;

use gamegrove_game::{Game, Rng, Role};
use gamegrove_settings::{Part, Record};
use gamegrove_tuning::{
    BuildError, Combination, Draw, Moment, PerRole, Randomiser, Redraw, Rewards, Space, Strategy,
    Value as Chosen, registry,
};

use crate::budget::Budget;
use crate::clocks::{Clocks, Expected};
use crate::core::{Counts, Learned};
use crate::parameter::{Declared, Domains, Parameter, ParameterId, Values};
use crate::part::{Options, SettingsError};
use crate::search::Search;
use crate::select::Selection;
use crate::simulation::Simulation;
use crate::tunables::Tunables;

/// The option.
pub const TUNE: Parameter = Parameter::part(
    "tune",
    "none",
    "how parameters are tuned while the search runs: parameters=[c, k] says which; game-rnd, turn-rnd, \
     sim-rnd, state-rnd and move-rnd draw them at random",
);

/// The options that all strategies share.
pub static TUNE_PARAMETERS: &[Parameter] = &[
    Parameter::text(
        "parameters",
        "",
        "a list of names such as [c, k]",
        "the parameters to tune; a name may say where the parameter is: playout.epsilon",
    ),
    Parameter::word("roles", &["each", "one"], "whether each role has values of its own"),
];

const DRAW: Parameter = Parameter::word(
    "draw",
    &["legal", "each"],
    "of randomisers: draws legal combinations, or every parameter by itself",
);

/// What the settings ask for.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The strategy, with its own options.
    strategy: Part,
    parameters: Vec<String>,
    /// Whether all roles get one combination.
    shared: bool,
}

impl Wanted {
    /// The name of the strategy.
    pub fn strategy(&self) -> &str {
        &self.strategy.name
    }

    /// Reads the part `tune`.
    pub fn read(name: &str, options: &mut Options<'_>) -> Result<Option<Wanted>, SettingsError> {
        if name == "none" {
            return Ok(None);
        }
        let parameters = options.names("parameters")?;
        let shared = options.word("roles", &[("each", false), ("one", true)])?;
        let strategy = Part { name: name.to_owned(), options: options.others() };
        Ok(Some(Wanted { strategy, parameters, shared }))
    }
}

/// Gives simulations their values, and learns from them.
pub struct Tuner {
    space: Arc<Space>,
    /// Where the values of each parameter of the space go, and what its choices are as numbers.
    places: Vec<Place>,
    source: Source,
    /// What is drawn anew for every move that is rated.
    for_moves: Option<Arc<Domains>>,
    /// Whether all roles get one combination.
    shared: bool,
    clocks: Clocks,
    /// How many turns a game has, where simulations stop before its end.
    turns: Option<f64>,
    /// Whether the strategies know how many simulations to expect.
    planned: bool,
    /// What was chosen, if it is noted.
    noted: Option<Choices>,
}

/// A parameter of the space in the search.
struct Place {
    id: ParameterId,
    /// Its choices as numbers; what is none has no meaning.
    numbers: Vec<f64>,
}

impl Place {
    fn all(space: &Space, ids: &[ParameterId]) -> Vec<Place> {
        let number = |value: &Chosen| value.number().unwrap_or(f64::NAN);
        let place = |(parameter, &id): (usize, &ParameterId)| Place {
            id,
            numbers: space.choices(parameter).iter().map(number).collect(),
        };
        ids.iter().enumerate().map(place).collect()
    }
}

/// What tuning chose for simulations, one after the other and for one role after the other.
#[derive(Clone, Debug, Default)]
pub struct Choices(Vec<Combination>);

enum Source {
    Tuned(PerRole),
    /// What was noted of another search, to be given again; how many were.
    Repeated(Choices, usize),
    Drawn(Redraw, Vec<(Randomiser, Rng)>),
}

impl Tuner {
    /// Makes what the settings ask for, among the parameters that the search has.
    pub fn new(
        wanted: &Wanted,
        declared: &[Declared],
        roles: usize,
        seed: u64,
        rewards: Rewards,
        selection: Option<&dyn Selection>,
    ) -> Result<Tuner, SettingsError> {
        let tunables = Tunables::among(declared, &wanted.parameters, rewards)?;
        let space = Arc::clone(tunables.space());
        let problems = if wanted.shared { 1 } else { roles };
        let source = match Redraw::find(wanted.strategy()) {
            Ok(redraw) => {
                let drawn = match Record::read(&wanted.strategy, &[DRAW])?.word(DRAW.name) {
                    "each" => Draw::Each,
                    _ => Draw::Legal,
                };
                let draw = |role: usize| {
                    let mut rng = Rng::stream(seed, role as u64 + 1);
                    (Randomiser::new(redraw, drawn, &space, &mut rng), rng)
                };
                Source::Drawn(redraw, (0..problems).map(draw).collect())
            }
            _ => {
                known(wanted.strategy())?;
                PerRole::new(&wanted.strategy, &space, rewards, problems, seed)
                    .map(Source::Tuned)
                    .map_err(|error| match error {
                    BuildError::Settings(error) => error,
                    error => bad(wanted.strategy(), &error),
                })?
            }
        };
        let ids: Vec<ParameterId> = tunables.places().iter().map(|one| one.id).collect();
        let for_moves = match &source {
            Source::Drawn(Redraw::Move, _) => {
                let read = selection.map_or(&[][..], Selection::reads_for_moves);
                Some(Arc::new(domains(&space, &ids, read)))
            }
            _ => None,
        };
        let places = Place::all(&space, &ids);
        let (shared, clocks) = (wanted.shared, Clocks::default());
        let (turns, planned, noted) = (None, false, None);
        Ok(Tuner { space, places, source, for_moves, shared, clocks, turns, planned, noted })
    }

    /// The same for games that end long after simulations do: strategies that plan expect so many turns.
    pub fn with_turns(self, turns: f64) -> Tuner {
        Tuner { turns: Some(turns), ..self }
    }

    /// The greatest value that a parameter can get here; `None` if it is not tuned.
    pub fn greatest(&self, id: ParameterId) -> Option<f64> {
        let place = self.places.iter().find(|place| place.id == id)?;
        place.numbers.iter().copied().filter(|number| !number.is_nan()).reduce(f64::max)
    }

    /// Gives a simulation its values.
    pub fn begin(&mut self, combinations: &mut Vec<Combination>, values: &mut Values) {
        match &mut self.source {
            Source::Tuned(tuned) => {
                tuned.next(combinations);
                if let Some(Choices(noted)) = &mut self.noted {
                    noted.extend_from_slice(combinations);
                }
                write_all(&self.places, combinations, values);
            }
            Source::Repeated(Choices(choices), given) => {
                let problems = if self.shared { 1 } else { values.roles() };
                let (from, to) = (*given % choices.len().max(1), choices.len());
                write_all(&self.places, &choices[from..to.min(from + problems)], values);
                *given += problems;
            }
            Source::Drawn(..) => {
                if let Some(domains) = &self.for_moves {
                    values.draw_for_moves(domains);
                }
                self.draw(Moment::Simulation, true, values);
            }
        }
    }

    /// Learns what a simulation's values were worth to each role, in a search for role `own`.
    pub fn reward(&mut self, combinations: &[Combination], rewards: &[f64], own: Role) {
        if let Source::Tuned(tuned) = &mut self.source {
            let from = if self.shared { own.index().min(rewards.len()) } else { 0 };
            tuned.update(combinations, &rewards[from..]);
        }
    }

    /// A budget is there to be spent. If a clock begins with it, what is drawn once a turn is drawn anew, and
    /// strategies that plan hear how many simulations to expect.
    pub fn begin_clock(&mut self, budget: &Budget<'_>) {
        let Some(Expected { clock, game }) = self.clocks.begin(budget) else { return };
        match &mut self.source {
            Source::Tuned(tuned) => {
                if let Some((turn, turns)) = game.filter(|_| !self.planned) {
                    match self.turns {
                        // Simulations that all stop before the end do not get shorter.
                        Some(turns) => tuned.set_budget((turn * turns).round() as u64),
                        None => tuned.forecast(turn * turns),
                    }
                    self.planned = true;
                }
                tuned.begin_move(clock);
            }
            Source::Drawn(_, drawn) => {
                for (randomiser, rng) in drawn {
                    randomiser.on(Moment::Turn, rng);
                }
            }
            Source::Repeated(..) => {}
        }
    }

    /// The clock is over, after so many simulations of the present root with so many steps in all; after
    /// the last clock of a turn another root follows.
    pub fn end_clock(&mut self, simulations: u64, steps: u64, turn_ends: bool) {
        self.clocks.end(simulations, steps);
        if turn_ends {
            self.clocks.new_root();
        }
    }

    /// Draws values anew if this is the moment; writes them in any case if `always`.
    fn draw(&mut self, moment: Moment, always: bool, values: &mut Values) {
        let Source::Drawn(_, drawn) = &mut self.source else { return };
        for (role, (randomiser, rng)) in (0..).map(Role).zip(drawn) {
            if randomiser.on(moment, rng).is_none() && !always {
                continue;
            }
            if self.shared {
                write_all(&self.places, std::slice::from_ref(randomiser.current()), values);
            } else {
                write(&self.places, role, randomiser.current(), values);
            }
        }
    }

    /// Whether values change from state to state.
    pub fn draws_in_states(&self) -> bool {
        matches!(self.source, Source::Drawn(Redraw::State | Redraw::Move, _))
    }

    /// What is recommended for a role so far, by name.
    pub fn recommended(&self, role: Role) -> Option<String> {
        let Source::Tuned(tuned) = &self.source else { return None };
        let problem = if self.shared { 0 } else { role.index() };
        let best = tuned.role(problem)?.best()?;
        Some(self.space.describe(&best))
    }
}

/// For tests and measurements.
impl Tuner {
    /// Notes from now on what is chosen.
    pub fn note_choices(&mut self) {
        self.noted = Some(Choices::default());
    }

    /// What was noted so far.
    pub fn noted(&self) -> &[Combination] {
        self.noted.as_ref().map_or(&[], |Choices(noted)| noted)
    }

    /// The strategy of the first role.
    fn first(&self) -> Option<&dyn Strategy> {
        match &self.source {
            Source::Tuned(tuned) => tuned.role(0),
            _ => None,
        }
    }

    /// How many rewards the first role's strategy has learnt from.
    pub fn samples(&self) -> u64 {
        self.first().map_or(0, Strategy::samples)
    }

    /// Whether the first role's strategy has decided.
    pub fn is_settled(&self) -> bool {
        self.first().is_some_and(Strategy::is_settled)
    }
}

/// For measurements of what choosing costs: two searches with equal seeds, of which one gets again
/// what the other chose, differ in nothing but the choosing.
impl<G: Game> Search<G> {
    /// Notes from now on what tuning chooses.
    pub fn note_choices(&mut self) {
        if let Some(tuner) = &mut self.known.core.learned.tuner {
            tuner.noted = Some(Choices::default());
        }
    }

    /// What was noted; nothing is noted any longer.
    pub fn noted_choices(&mut self) -> Choices {
        self.known
            .core
            .learned
            .tuner
            .as_mut()
            .and_then(|tuner| tuner.noted.take())
            .unwrap_or_default()
    }

    /// Gives simulations these choices from now on, and learns nothing from them. The search must
    /// tune the same parameters.
    pub fn repeat_choices(&mut self, choices: Choices) {
        if let Some(tuner) = &mut self.known.core.learned.tuner {
            tuner.source = Source::Repeated(choices, 0);
        }
    }
}

/// Writes the values of one combination for each role, or of the only one for all roles.
fn write_all(places: &[Place], combinations: &[Combination], values: &mut Values) {
    for role in Role::all(values.roles()) {
        if let Some(combination) = combinations.get(role.index()).or(combinations.first()) {
            write(places, role, combination, values);
        }
    }
}

/// Writes a combination's values; what has no meaning in it keeps the value it had.
fn write(places: &[Place], role: Role, combination: &Combination, values: &mut Values) {
    if let Some(reals) = combination.reals() {
        for (place, &number) in places.iter().zip(reals) {
            values.set(role, place.id, number);
        }
    }
    for (place, &index) in places.iter().zip(combination.indices().unwrap_or(&[])) {
        if let Some(&number) = place.numbers.get(usize::from(index)).filter(|n| !n.is_nan()) {
            values.set(role, place.id, number);
        }
    }
}

/// The values of those parameters of the space that are read for each move.
fn domains(space: &Space, places: &[ParameterId], read: &[ParameterId]) -> Domains {
    let number = |values: &[Chosen]| values.iter().filter_map(|value| value.number()).collect();
    let of = |(at, place): (usize, &ParameterId)| {
        read.contains(place).then(|| (*place, number(space.parameters()[at].domain.values())))
    };
    places.iter().enumerate().filter_map(of).collect()
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

impl Learned {
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

    /// Takes back the values of a simulation that will not finish.
    pub(crate) fn forget_values(&mut self, simulation: &Simulation) {
        if let Some(Tuner { source: Source::Tuned(tuned), .. }) = &mut self.tuner {
            tuned.cancel(&simulation.combinations);
        }
    }

    /// A budget is there to be spent.
    pub(crate) fn begin_clock(&mut self, budget: &Budget<'_>) {
        if let Some(tuner) = &mut self.tuner {
            tuner.begin_clock(budget);
        }
    }

    /// A clock is over; `turn_ends` if another root follows.
    pub(crate) fn end_clock(&mut self, counts: &Counts, turn_ends: bool) {
        if let Some(tuner) = &mut self.tuner {
            tuner.end_clock(counts.simulations, counts.steps, turn_ends);
        }
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_gdl::{Limits, Rulesheet};
    use gamegrove_propnet::{Propnet, Sequence, build_from_rules};
    use gamegrove_tuning::{Domain, Parameter as Tunable, Value};

    use super::*;
    use crate::Part;

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
        let tuned =
            PerRole::new(&Part::named(strategy), &space, Rewards::GOALS, 2, 5).expect("it exists");
        let ids: Vec<ParameterId> = chosen.iter().map(|one| one.id).collect();
        Tuner {
            places: Place::all(&space, &ids),
            space,
            source: Source::Tuned(tuned),
            for_moves: None,
            shared: false,
            clocks: Clocks::default(),
            turns: None,
            planned: false,
            noted: None,
        }
    }

    #[test]
    fn a_tuner_without_a_choice_changes_nothing() {
        // [Sironi 2019, 6].
        let mut game = tic_tac_toe();
        let settings = Part::named("mcts").with("select", "grave").with("playout", "mast");
        for strategy in ["mab", "he", "nmc", "local", "lsi", "ea", "ntbea"] {
            let mut tuned = Search::new(game.clone(), &settings, 3).expect("good settings");
            tuned.known.core.learned.tuner =
                Some(without_choice(&tuned.known.core.strategies.declared, strategy));
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
    fn choices_that_are_repeated_give_the_same_search() {
        let game = tic_tac_toe();
        let names = gamegrove_tuning::published::AP_4.parameters;
        let names = crate::Value::List(names.iter().map(|&name| name.into()).collect());
        for strategy in ["mab", "he", "nmc", "lsi", "ea", "ntbea", "cma-es"] {
            let tune = Part::named(strategy).with("parameters", names.clone());
            let settings = Part::named("mcts").with("select", "grave").with("playout", "mast");
            let settings = settings.with("tune", tune);
            let make = || Search::new(game.clone(), &settings, 3).expect("good settings");
            let (mut tuned, mut repeated) = (make(), make());
            tuned.note_choices();
            tuned.set_root(&game.clone().initial_state());
            tuned.run(&Budget::simulations(300));
            let choices = tuned.noted_choices();
            assert_eq!(choices.0.len(), 600);
            repeated.repeat_choices(choices);
            repeated.set_root(&game.clone().initial_state());
            repeated.run(&Budget::simulations(300));
            let (tuned, repeated) = (tuned.report(Role(0)), repeated.report(Role(0)));
            assert_eq!(tuned.moves, repeated.moves, "{strategy}");
        }
    }

    #[test]
    fn what_rates_moves_is_drawn_for_each_of_them() {
        let game = tic_tac_toe();
        let names = crate::Value::List(["c", "epsilon", "k", "ref"].map(Into::into).to_vec());
        let tune = Part::named("move-rnd").with("parameters", names);
        let settings = Part::named("mcts").with("select", "grave").with("playout", "mast");
        let search = Search::new(game, &settings.with("tune", tune), 3).expect("good settings");
        let mut values = search.known.core.default_values();
        let mut rng = Rng::new(1);
        assert!(values.for_moves(&mut rng).is_none());
        let mut tuner = search.known.core.learned.tuner.expect("it is tuned");
        tuner.begin(&mut Vec::new(), &mut values);
        let id = |name: &str| {
            let declared = search.known.core.strategies.declared.iter();
            declared.filter(|one| one.parameter.name == name).map(|one| one.id).next()
        };
        let mut drawn = values.for_moves(&mut rng).expect("they are drawn");
        let mut seen = |name: &str| {
            let id = id(name).expect("it is declared");
            let mut seen: Vec<f64> = (0..1_000).map(|_| drawn.draw(id, -1.0)).collect();
            seen.sort_by(f64::total_cmp);
            seen.dedup();
            seen
        };
        // Nine values of C, ten of K; the others are read once in a state.
        assert_eq!((seen("c").len(), seen("k").len()), (9, 10));
        assert_eq!((seen("epsilon"), seen("ref")), (vec![-1.0], vec![-1.0]));
    }

    #[test]
    fn each_role_is_steered_by_its_own_values() {
        // The share of the most visited first move, if roles choose by chance wherever they are.
        let favourite = |by_chance: &[u8]| {
            let mut game = tic_tac_toe();
            let settings = Part::named("mcts").with("select", Part::named("uct").with("c", 0.2));
            let mut search = Search::new(game.clone(), &settings, 3).expect("good settings");
            let t =
                search.known.core.strategies.declared.iter().find(|one| one.parameter.name == "t");
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
        let settled = |search: &Search<Propnet>| {
            search.known.core.learned.tuner.as_ref().is_some_and(Tuner::is_settled)
        };
        // Turns until LSI has decided, with a start clock of so many simulations before the first.
        let mut turns_until_settled = |kappa: f64, start: Option<u64>| {
            let tune = Part::named("lsi").with("parameters", names.clone()).with("kappa", kappa);
            let tune = tune.with("candidates", 5.0);
            let settings = Part::named("mcts").with("playout", "mast").with("tune", tune);
            let mut search = Search::new(game.clone(), &settings, 1).expect("good settings");
            let mut turns = 0;
            while !settled(&search) {
                search.set_root(&game.initial_state());
                if let Some(start) = start.filter(|_| turns == 0) {
                    search.run(&Budget::simulations(start));
                    search.end_start_clock();
                }
                search.run(&Budget::simulations(200));
                turns += 1;
                assert!(turns < 100);
            }
            turns
        };
        // Random games have seven or eight moves.
        let once = turns_until_settled(1.0, None);
        assert!((5..=10).contains(&once), "{once}");
        let thrice = turns_until_settled(3.0, None);
        assert!(
            (3 * once - 4..=3 * once + 4).contains(&thrice),
            "{thrice} with kappa = 3, {once} with 1"
        );
        // A start clock ten times as long has its own samples and does not make turns longer.
        let early = turns_until_settled(1.0, Some(2_000));
        assert!(early <= 2, "{early}");
        let clock = turns_until_settled(3.0, Some(2_000));
        assert!((10..thrice).contains(&clock), "{clock}");
    }

    #[test]
    fn moves_can_be_tuned_one_by_one() {
        let mut game = tic_tac_toe();
        let names = gamegrove_tuning::published::SP_2.parameters;
        let names = crate::Value::List(names.iter().map(|&name| name.into()).collect());
        let tune = Part::named("lsi").with("parameters", names).with("per", "move");
        let settings = Part::named("mcts").with("playout", "mast").with("tune", tune);
        let mut search = Search::new(game.clone(), &settings, 1).expect("good settings");
        for _ in 0..3 {
            search.set_root(&game.initial_state());
            search.run(&Budget::simulations(50));
            let settled = |search: &Search<Propnet>| {
                search.known.core.learned.tuner.as_ref().is_some_and(Tuner::is_settled)
            };
            assert!(!settled(&search), "a move begins undecided");
            search.set_root(&game.initial_state());
            search.run(&Budget::simulations(2_000));
            assert!(settled(&search), "of 2000 simulations 1500 rate values and 500 choose");
        }
    }

    #[test]
    fn all_roles_can_share_one_combination() {
        let game = tic_tac_toe();
        let names = crate::Value::List(["c", "epsilon"].map(Into::into).to_vec());
        for (strategy, roles) in [("ntbea", "one"), ("sim-rnd", "one"), ("ntbea", "each")] {
            let tune = Part::named(strategy).with("parameters", names.clone()).with("roles", roles);
            let settings = Part::named("mcts").with("playout", "mast").with("tune", tune);
            let search = Search::new(game.clone(), &settings, 3).expect("good settings");
            let mut search = search.for_role(Role(1));
            let ids: Vec<ParameterId> =
                search.known.core.strategies.declared.iter().map(|one| one.id).collect();
            let mut differ = 0;
            for _ in 0..50 {
                let simulation = &mut search.simulation;
                let tuner = search.known.core.learned.tuner.as_mut().expect("it is tuned");
                tuner.begin(&mut simulation.combinations, &mut simulation.values);
                let value = |role, id| simulation.values.get(Role(role), id);
                differ += usize::from(ids.iter().any(|&id| value(0, id) != value(1, id)));
                if strategy == "ntbea" {
                    let expected = if roles == "one" { 1 } else { 2 };
                    assert_eq!(simulation.combinations.len(), expected);
                    tuner.reward(&simulation.combinations, &[0.0, 100.0], Role(1));
                }
            }
            assert_eq!(differ == 0, roles == "one", "{strategy}: {differ}");
        }
        // The goal that counts is that of the role the search is for: a tuner that hears only wins knows
        // nothing better than what it did.
        let tune = Part::named("mab").with("parameters", names).with("roles", "one");
        let tune = tune.with("batch", 1.0).with("fpu", 0.5);
        let settings = Part::named("mcts").with("playout", "mast").with("tune", tune);
        for (own, repeats) in [(Role(0), false), (Role(1), true)] {
            let search = Search::new(game.clone(), &settings, 3).expect("good settings");
            let mut search = search.for_role(own);
            let mut chosen = Vec::new();
            for _ in 0..5 {
                let simulation = &mut search.simulation;
                let tuner = search.known.core.learned.tuner.as_mut().expect("it is tuned");
                tuner.begin(&mut simulation.combinations, &mut simulation.values);
                chosen.push(simulation.combinations[0].clone());
                tuner.reward(&simulation.combinations, &[0.0, 100.0], own);
            }
            assert_eq!(chosen.windows(2).all(|pair| pair[0] == pair[1]), repeats, "{own:?}");
        }
    }
}
