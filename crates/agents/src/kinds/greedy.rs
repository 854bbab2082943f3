//! Looks one step ahead: the move with the best mean goal right after it, over a few replies of the
//! other roles drawn at random. Goals of states that are not the end count as they stand.

use gamegrove_game::{Game, Goal, Move, Rng, Role};
use gamegrove_search::{Budget, Part, SettingsError};

use super::only_number;
use crate::player::Player;

struct Greedy<G: Game> {
    game: G,
    role: Role,
    rng: Rng,
    replies: u32,
    moves: Vec<Vec<Move>>,
    next: G::State,
    goals: Vec<Goal>,
}

pub(super) fn player<G: Game + 'static>(
    part: &Part,
    mut game: G,
    role: Role,
    seed: u64,
) -> Result<Box<dyn Player<G>>, SettingsError> {
    let replies = only_number(part, "replies", 4, 1_000_000)?;
    let roles = game.role_count();
    Ok(Box::new(Greedy {
        next: game.initial_state(),
        game,
        role,
        rng: Rng::new(seed),
        replies,
        moves: vec![Vec::new(); roles],
        goals: vec![Goal::default(); roles],
    }))
}

impl<G: Game> Player<G> for Greedy<G> {
    fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        for role in Role::all(self.moves.len()) {
            self.game.legal_moves(state, role, &mut self.moves[role.index()]);
            if self.moves[role.index()].is_empty() {
                return self.rng.pick(&self.moves[self.role.index()]);
            }
        }
        let own = self.role.index();
        let forced = self.moves.iter().enumerate().all(|(at, m)| at == own || m.len() == 1);
        let replies = if forced { 1 } else { self.replies };
        let (mut best, mut equals, mut top) = (self.moves[own][0], 0, f64::NEG_INFINITY);
        for at in 0..self.moves[own].len() {
            // A clock that is over leaves the best so far; a budget of simulations is not counted
            // here, as nothing is simulated.
            if at > 0 && budget.is_spent(0).is_some() {
                break;
            }
            let mut sum = 0.0;
            for _ in 0..replies {
                let joint: Vec<Move> = (0..self.moves.len())
                    .map(|role| match role == own {
                        true => self.moves[own][at],
                        false => self.moves[role][self.rng.below(self.moves[role].len())],
                    })
                    .collect();
                self.game.apply(state, &joint, &mut self.next);
                self.game.goals(&self.next, &mut self.goals);
                sum += f64::from(self.goals[own].0);
            }
            if sum > top {
                (top, equals, best) = (sum, 1, self.moves[own][at]);
            } else if sum == top {
                equals += 1;
                if self.rng.below(equals) == 0 {
                    best = self.moves[own][at];
                }
            }
        }
        Some(best)
    }
}
