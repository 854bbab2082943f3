//! Plays by Monte-Carlo tree search.

use gamegrove_game::{Game, Move, Role};
use gamegrove_search::{Budget, Part, Report, Search, SettingsError};

use crate::player::Player;

struct Searcher<G: Game> {
    search: Search<G>,
    role: Role,
    /// The start clock was searched, so the first step is a step already begun.
    prepared: bool,
}

pub(super) fn player<G: Game + 'static>(
    part: &Part,
    game: G,
    role: Role,
    seed: u64,
) -> Result<Box<dyn Player<G>>, SettingsError> {
    Ok(Box::new(Searcher { search: Search::new(game, part, seed)?, role, prepared: false }))
}

impl<G: Game> Player<G> for Searcher<G> {
    fn prepare(&mut self, state: &G::State, budget: &Budget<'_>) {
        self.search.set_root(state);
        self.search.run(budget);
        self.prepared = true;
    }

    fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        if !std::mem::take(&mut self.prepared) {
            self.search.set_root(state);
        }
        self.search.run(budget);
        self.search.best_move(self.role)
    }

    fn report(&self) -> Option<Report> {
        Some(self.search.report(self.role))
    }
}
