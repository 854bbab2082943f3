//! Tuning before play: whole matches decide which values of an agent's parameters are best.
//!
//! ```text
//! Order ─ Task ─┬─ Driver: match 1, 2, ... of the budget, each with the values a strategy proposes ─┐
//!               └─ check: the tuned agent against the original, on new seeds ───────────────────────┴─ Tuned ─ TuneReport
//! ```
//!
//! A match is one noisy sample of one combination of values; the strategies are those of crate
//! `tuning`. Which values match number `n` gets depends on the results of the matches before
//! `n - ahead` and on nothing else, so any number of threads and processes, stopped and started as
//! often as one likes, arrive at the same result. Finished matches are in a [`Store`](crate::Store)
//! under a hash of everything they depend on, the values included: whoever starts again proposes
//! the same values and finds the results.
//!
//! Specification: [Sironi 2019, 6.3.1] for NTBEA; `halving` is described where it is.

mod driver;
mod report;
mod run;
mod schedule;

use std::sync::Arc;

use gamegrove_agents::{Agent, Part, Tunables};
use gamegrove_game::Rng;
use gamegrove_play::matches::Clocks;
use gamegrove_tuning::{Rewards, Strategy, registry};
use thiserror::Error;

use crate::plan::PlannedGame;
use crate::store::StoreError;
use crate::venue::Venue;

pub use report::{Candidate, Checked, SingleValue, TuneReport, TunedParameter};
pub use run::{Progress, run};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Order {
    /// The agent whose parameters are tuned.
    pub agent: Agent,
    /// Which of them.
    pub parameters: Vec<String>,
    /// Who plays against the candidates; the agent as it is, if nobody is named.
    pub opponent: Option<Agent>,
    /// The games, which come up equally often.
    pub games: Vec<String>,
    /// What a player may spend on a move.
    pub clocks: Clocks,
    /// What answers questions about the rules.
    pub reasoner: String,
    /// The strategy, with options.
    pub strategy: Part,
    /// Matches that tune.
    pub matches: u32,
    /// Matches of the tuned agent against the original, afterwards.
    pub checks: u32,
    /// How many matches may be under way before the first one's result is known.
    pub ahead: u32,
    /// Steps after which a match is given up.
    pub step_limit: u32,
    /// What the random choices depend on.
    pub seed: u64,
}

/// An order that was looked at and makes sense.
#[derive(Clone, Debug)]
pub struct Task {
    order: Order,
    tunables: Tunables,
    games: Vec<PlannedGame>,
}

/// Why nothing is tuned.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The order makes no sense; the text says which part of it, and what to do.
    #[error("{0}")]
    Order(String),
    /// A game cannot be played.
    #[error("game `{name}`: {problem}")]
    Game {
        /// Its name.
        name: String,
        /// Why.
        problem: String,
    },
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What tuning found, as far as it is.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The values and points of every match that tuned, in order.
    pub(crate) trials: Vec<(gamegrove_tuning::Combination, f64)>,
    /// The best values; nothing before all matches are played.
    pub(crate) best: Option<gamegrove_tuning::Combination>,
    /// The game and the points of every match of the check.
    pub(crate) checks: Vec<(usize, f64)>,
    /// Whether everything was played.
    pub complete: bool,
    /// Matches played by this process.
    pub played: u64,
}

impl Task {
    /// Looks at an order.
    pub fn new(order: Order, venue: &dyn Venue) -> Result<Task, TuneError> {
        let wrong = |error: &dyn std::fmt::Display| TuneError::Order(error.to_string());
        let tunables = order.agent.tunables(&order.parameters).map_err(|error| wrong(&error))?;
        let mut games = Vec::new();
        for name in &order.games {
            if order.games.iter().filter(|other| *other == name).count() > 1 {
                return Err(TuneError::Order(format!("the game `{name}` is listed twice")));
            }
            let problem = |problem| TuneError::Game { name: name.clone(), problem };
            let facts = venue.look(name).map_err(problem)?;
            games.push(PlannedGame {
                name: name.clone(),
                label: name.clone(),
                facts: Some(facts),
                clocks: order.clocks,
                levels: Vec::new(),
            });
        }
        if games.is_empty() {
            return Err(TuneError::Order("no game to play".to_owned()));
        }
        let task = Task { order, tunables, games };
        task.strategy().map_err(|error| wrong(&error))?;
        Ok(task)
    }

    /// The strategy, before its first proposal.
    fn strategy(&self) -> Result<Box<dyn Strategy>, gamegrove_tuning::BuildError> {
        let space = Arc::clone(self.tunables.space());
        let shared = Rng::stream(self.order.seed, 0);
        let mut strategy = registry::build(&self.order.strategy, &space, Rewards::UNIT, &shared)?;
        strategy.set_budget(u64::from(self.order.matches));
        Ok(strategy)
    }

    /// Who plays against the candidates.
    fn opponent(&self) -> &Agent {
        self.order.opponent.as_ref().unwrap_or(&self.order.agent)
    }

    /// The agent with the values of a combination.
    fn candidate(&self, combination: &gamegrove_tuning::Combination) -> Agent {
        let part = self.tunables.apply(&self.order.agent.part, combination);
        Agent { part, ..self.order.agent.clone() }
    }

    /// The tuned agent, with its story; nothing before tuning is over.
    pub fn tuned_agent(&self, tuned: &Tuned) -> Option<Agent> {
        let order = &self.order;
        let best = tuned.best.as_ref()?;
        let known =
            |text: &str| if text.is_empty() { order.agent.name.clone() } else { text.to_owned() };
        let against = match &order.opponent {
            Some(opponent) => format!(" against {}", opponent.name),
            None => String::new(),
        };
        let title = known(&order.agent.title);
        let story = format!(
            "{} tuned by {} in {} matches of {}{against}, seed {}",
            order.parameters.join(", "),
            order.strategy,
            order.matches,
            order.games.join(", "),
            order.seed
        );
        Some(Agent {
            title: format!("{title}, tuned"),
            sentence: format!("{title} with values found by matches."),
            source: match order.agent.source.as_str() {
                "" => story,
                source => format!("{source}; {story}"),
            },
            ..self.candidate(best)
        })
    }
}
