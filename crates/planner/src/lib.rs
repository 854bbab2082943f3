//! Planning for one role in a world of things, in real time [van Eeden 2015, 2.4] [Sironi 2019, 3.2.4].
//!
//! ```text
//! Part (settings) ─ compose ─ Plan ─ choose ─ Move
//!                               ├─ Model: the game as one role plays and perceives it
//!                               ├─ Tree of moves, selection, `rollout/` below it
//!                               └─ `value/`: what a simulation was worth, `Knowledge` of things
//! ```
//!
//! A plan needs a game that can be perceived ([`gamegrove_game::Senses`]) and knows nothing else of
//! it. Vanilla MCTS, KB Fast-Evo and MAASTCTS2 are settings of it. It is apart from [`Search`](gamegrove_search::Search)
//! because it has one role, points without bounds instead of goals, simulations that stop long before
//! the end, and a few moves that are the same in every state: none of what makes the other large.
//!
//! # Modules
//!
//! - [`model`] is the game as one role sees it, [`tree`] has sequences of moves, [`select`] chooses in
//!   it, [`simulate`] makes one simulation.
//! - [`rollout`] and [`value`] have one strategy per file and one line in a registry each.
//! - [`knowledge`] is what touching things brought, [`grams`] what moves on fields brought, [`near`] has
//!   distances around walls, [`stat`] payoffs.
//! - [`safety`], [`losses`], [`novelty`] and [`decide`] are parts of MAASTCTS2 and of [van Eeden 2015];
//!   [`solve`] looks for solutions where chance plays no part.
//! - [`genetic`] and [`one_step`] are other players. [`settings`] reads the settings.

mod decide;
mod genetic;
mod grams;
mod knowledge;
mod losses;
mod model;
mod near;
mod novelty;
mod one_step;
mod rollout;
mod safety;
mod select;
mod settings;
mod simulate;
mod solve;
mod stat;
mod tree;
#[cfg(test)]
mod trials;
mod value;

use std::time::Duration;

use gamegrove_game::{Category, Game, Move, Rng, Role};
use gamegrove_search::{Budget, Meter, Part, Report, SettingsError, Tuner, Values};
use gamegrove_tuning::{Combination, Rewards};

use self::grams::Grams;
use self::knowledge::Knowledge;
use self::model::{Look, Model};
use self::rollout::Sight;
use self::settings::{Compared, Composed};
use self::solve::Solver;
use self::stat::{Bounds, Payoff};
use self::tree::Tree;

pub use self::genetic::{GENETIC_PARAMETERS, Genetic};
pub use self::one_step::{ONE_STEP_PARAMETERS, OneStep};
pub use self::rollout::{Choice, ROLLOUTS, Rollout};
pub use self::select::{FORMULAS, Formula};
pub use self::settings::PLAN_PARAMETERS;
pub use self::value::{Trial, VALUES, Valuation};

/// Nodes of a tree; a decision of 100 ms does not make as many.
const MOST_NODES: usize = 100_000;

/// A plan for one role of one game, from its first step to its last.
pub struct Plan<G: Game> {
    model: Model<G>,
    parts: Composed,
    sight: Sight,
    /// Whether meetings with things are of interest.
    learns: bool,
    rng: Rng,
    values: Values,
    tuner: Option<Tuner>,
    combinations: Vec<Combination>,
    tree: Tree<G::State>,
    bounds: Bounds,
    knowledge: Knowledge,
    categories: Vec<Category>,
    /// Meetings in the real game: by kind of the avatar, then of the thing.
    met: Vec<Vec<u64>>,
    root_kind: usize,
    grams: Grams,
    /// The longest sequences that any simulation may look at.
    longest: usize,
    /// Whether chance plays a part, once that was looked into.
    deterministic: Option<bool>,
    solver: Solver<G::State>,
    root: Look,
    last_score: f64,
    played: Option<Move>,
    begun: bool,
    iterations: u64,
    deepest: usize,
    /// Memory that simulations use again.
    run: simulate::Run<G::State>,
}

impl<G: Game> Plan<G> {
    /// Composes a plan. Equal seeds give equal plans, as long as no clock is running.
    pub fn new(game: G, part: &Part, role: Role, seed: u64) -> Result<Plan<G>, SettingsError> {
        let parts = settings::compose(part)?;
        let Some(senses) = game.senses() else { return Err(unable(&part.name)) };
        let tuner = parts.tune.as_ref().map(|wanted| {
            // A stream of its own, so that tuning does not shift what the search draws.
            let seed = Rng::stream(seed, 1 << 40).next_u64();
            Tuner::new(wanted, &parts.declared, 1, seed, Rewards::UNIT, None)
        });
        // Half of the ticks a game may have; no simulation goes to its end and tells more.
        let tuner = tuner.transpose()?.map(|tuner| tuner.with_turns(value::LAST_TICK / 2.0));
        if tuner.as_ref().is_some_and(Tuner::draws_in_states) {
            return Err(SettingsError::BadValue {
                part: part.name.clone(),
                key: "tune".to_owned(),
                wanted: "drawn for every game, turn or simulation of a plan, not in its states"
                    .to_owned(),
                value: parts.tune.as_ref().map_or("", |wanted| wanted.strategy()).to_owned(),
            });
        }
        let kinds = senses.kinds();
        let categories = (0..kinds).map(|kind| senses.category(kind)).collect();
        let settings = &parts.settings;
        let mut model = Model::new(game, senses, role, settings.way(), settings.wait);
        model.statics = settings.statics;
        let state = model.game.initial_state();
        let values = Values::new(&parts.declared, 1);
        let longest = parts.rollout.gram_length().map_or(0.0, |id| {
            let greatest = tuner.as_ref().and_then(|tuner| tuner.greatest(id));
            greatest.unwrap_or(values.get(Role(0), id))
        });
        let longest = (longest as usize).max(usize::from(parts.select.uses_history()));
        let sight = parts.rollout.sight();
        let mut bounds = Bounds::new(settings.scale);
        if settings.compared == Compared::Session {
            bounds.see(&Payoff { win: 1.0, ..Payoff::default() });
            bounds.see(&Payoff { loss: 1.0, ..Payoff::default() });
        }
        Ok(Plan {
            run: simulate::Run::new(&state),
            sight,
            learns: sight.distances || parts.value.measures(),
            rng: Rng::new(seed),
            values,
            longest,
            tuner,
            combinations: Vec::new(),
            tree: Tree::new(),
            bounds,
            knowledge: Knowledge::new(kinds),
            categories,
            met: vec![vec![0; kinds]; kinds],
            root_kind: usize::MAX,
            grams: Grams::new(if settings.reuse { settings.decay } else { 1.0 }),
            deterministic: None,
            solver: Solver::new(),
            root: Look::default(),
            last_score: 0.0,
            played: None,
            begun: false,
            iterations: 0,
            deepest: 0,
            model,
            parts,
        })
    }

    /// Uses the time before the first step.
    pub fn prepare(&mut self, state: &G::State, budget: &Budget<'_>) {
        self.look_into(state);
        if self.solves() {
            self.search_solution(state, budget);
        }
    }

    /// The move to play in `state`; `None` if there is none.
    pub fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        self.look_into(state);
        self.solver.clear_away();
        if let Some(tuner) = &mut self.tuner {
            tuner.end_clock(self.iterations, 0, true);
        }
        self.iterations = 0;
        self.deepest = 0;
        if self.solves()
            && let Some(mov) = self.solution(state, budget)
        {
            self.played = Some(mov);
            self.begun = false;
            return Some(mov);
        }
        if let Some(tuner) = &mut self.tuner {
            tuner.begin_clock(budget);
        }
        self.set_root(state);
        if self.tree.nodes[0].arms.is_empty() {
            return None;
        }
        let advances = self.model.advances;
        let limit = advances.saturating_add(budget.advance_limit());
        self.make_safe(state, budget, limit);
        let buffer = Duration::from_secs_f64(self.parts.settings.buffer_ms / 1e3);
        let mut meter = Meter::new(self.vary(budget), buffer);
        while meter.is_spent(self.iterations).is_none() && self.model.advances < limit {
            self.iterate(state);
            self.iterations += 1;
        }
        let mov = self.decide(state);
        self.played = Some(mov);
        Some(mov)
    }

    /// The budget of this decision, without some of its simulations if that is wanted.
    fn vary<'a>(&mut self, budget: &Budget<'a>) -> Budget<'a> {
        let (share, all) = (self.parts.settings.vary, budget.simulation_limit());
        if share <= 0.0 || all == u64::MAX {
            return *budget;
        }
        let left_out = (all as f64 * share * self.rng.unit()).round() as u64;
        budget.and_simulations(all - left_out.min(all))
    }

    /// The findings of the last decision.
    pub fn report(&self) -> Report {
        self.describe()
    }

    /// Finds out once whether chance plays a part, if a part of the planner depends on it.
    fn look_into(&mut self, state: &G::State) {
        let settings = &self.parts.settings;
        if self.deterministic.is_none() && (settings.detect || settings.solve) {
            self.deterministic = Some(self.model.is_deterministic(state, &mut self.rng));
        }
    }

    /// Whether the game is known to be without chance.
    fn is_deterministic(&self) -> bool {
        self.deterministic == Some(true)
    }
}

/// Whether `part` is one of the kinds of planners of this crate, and its settings are sound. What a
/// planner needs of a game is not asked.
pub fn check(part: &Part) -> Option<Result<(), SettingsError>> {
    match part.name.as_str() {
        "plan" => Some(settings::compose(part).map(|_| ())),
        "genetic" => Some(genetic::read(part).map(|_| ())),
        "one_step" => Some(one_step::read(part).map(|_| ())),
        _ => None,
    }
}

/// The error for a planner in a game without things that can be perceived.
pub fn unable(part: &str) -> SettingsError {
    SettingsError::Unable {
        part: part.to_owned(),
        what: "things that can be perceived, as video games have them".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_search::registry_fault;

    use super::*;

    #[test]
    fn every_entry_lists_exactly_its_options() {
        assert_eq!(registry_fault(ROLLOUTS), None);
        assert_eq!(registry_fault(VALUES), None);
    }
}
