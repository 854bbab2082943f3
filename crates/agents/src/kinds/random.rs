//! Plays any legal move.

use gamegrove_game::{Game, Move, Rng, Role};
use gamegrove_search::Budget;

use crate::player::Player;

struct Random<G> {
    game: G,
    role: Role,
    rng: Rng,
    moves: Vec<Move>,
}

pub(super) fn player<G: Game + 'static>(game: G, role: Role, seed: u64) -> Box<dyn Player<G>> {
    Box::new(Random { game, role, rng: Rng::new(seed), moves: Vec::new() })
}

impl<G: Game> Player<G> for Random<G> {
    fn choose(&mut self, state: &G::State, _: &Budget<'_>) -> Option<Move> {
        self.game.legal_moves(state, self.role, &mut self.moves);
        // Moves found before a limit may rest on conditions that were not looked at.
        if self.game.take_fault().is_some() {
            return None;
        }
        self.rng.pick(&self.moves)
    }
}
