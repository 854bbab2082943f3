//! Players of games in real time: planning, evolving sequences, looking one step ahead.

use gamegrove_game::{Game, Move, Role};
use gamegrove_planner::{Genetic, OneStep, Plan};
use gamegrove_search::{Budget, Part, Report, SettingsError};

use crate::player::Player;

pub(super) fn plan<G: Game + 'static>(
    part: &Part,
    game: G,
    role: Role,
    seed: u64,
) -> Result<Box<dyn Player<G>>, SettingsError> {
    Ok(Box::new(Planner(Plan::new(game, part, role, seed)?)))
}

pub(super) fn genetic<G: Game + 'static>(
    part: &Part,
    game: G,
    role: Role,
    seed: u64,
) -> Result<Box<dyn Player<G>>, SettingsError> {
    Ok(Box::new(Evolver(Genetic::new(game, part, role, seed)?)))
}

pub(super) fn one_step<G: Game + 'static>(
    part: &Part,
    game: G,
    role: Role,
    seed: u64,
) -> Result<Box<dyn Player<G>>, SettingsError> {
    Ok(Box::new(Stepper(OneStep::new(game, part, role, seed)?)))
}

struct Planner<G: Game>(Plan<G>);

impl<G: Game> Player<G> for Planner<G> {
    fn prepare(&mut self, state: &G::State, budget: &Budget<'_>) {
        self.0.prepare(state, budget);
    }

    fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        self.0.choose(state, budget)
    }

    fn report(&self) -> Option<Report> {
        Some(self.0.report())
    }
}

struct Evolver<G: Game>(Genetic<G>);

impl<G: Game> Player<G> for Evolver<G> {
    fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        self.0.choose(state, budget)
    }
}

struct Stepper<G: Game>(OneStep<G>);

impl<G: Game> Player<G> for Stepper<G> {
    fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        self.0.choose(state, budget)
    }
}
