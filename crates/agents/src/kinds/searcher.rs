//! Plays by Monte-Carlo tree search, one state at a time or on lanes.

use std::marker::PhantomData;

use gamegrove_game::{Driver, Game, Lanes, Move, Role, Tally};
use gamegrove_search::{Budget, Part, Report, Search, SettingsError};

use crate::player::Player;

struct Searcher<G: Game, L> {
    search: Search<G>,
    lanes: Option<L>,
    role: Role,
    /// The start clock was searched, so the first step is a step already begun.
    prepared: bool,
}

/// The lanes of a game that has none; there is no value of it to be had.
pub struct NoLanes<S>(PhantomData<fn() -> S>);

impl<S> Clone for NoLanes<S> {
    fn clone(&self) -> Self {
        NoLanes(PhantomData)
    }
}

impl<S> Lanes for NoLanes<S> {
    type State = S;

    fn width(&self) -> usize {
        0
    }

    fn run<D: Driver<S>>(&mut self, _: u64, _: &mut D) -> Tally {
        Tally::default()
    }
}

pub(super) fn player<G: Game + 'static, L: Lanes<State = G::State> + 'static>(
    part: &Part,
    game: G,
    lanes: Option<L>,
    role: Role,
    seed: u64,
) -> Result<Box<dyn Player<G>>, SettingsError> {
    let search = Search::new(game, part, seed)?.for_role(role);
    let lanes = lanes.filter(|_| search.suits_lanes());
    Ok(Box::new(Searcher { search, lanes, role, prepared: false }))
}

impl<G: Game, L: Lanes<State = G::State>> Searcher<G, L> {
    fn run(&mut self, budget: &Budget<'_>) {
        match &mut self.lanes {
            Some(lanes) => self.search.run_on(lanes, budget),
            None => self.search.run(budget),
        };
    }
}

impl<G: Game, L: Lanes<State = G::State>> Player<G> for Searcher<G, L> {
    fn prepare(&mut self, state: &G::State, budget: &Budget<'_>) {
        self.search.set_root(state);
        self.run(budget);
        self.prepared = true;
    }

    fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        if !std::mem::take(&mut self.prepared) {
            self.search.set_root(state);
        }
        self.run(budget);
        self.search.best_move(self.role)
    }

    fn played(&mut self, joint: &[Move]) {
        self.search.played(joint);
    }

    fn report(&self) -> Option<Report> {
        Some(self.search.report(self.role))
    }
}
