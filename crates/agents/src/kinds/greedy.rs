//! Looks one step ahead: the move with the best mean goal right after it, over a few replies of the
//! other roles drawn at random. Goals of states that are not the end count as they stand.
//!
//! With `weights` states are rated by the game's own evaluation instead [Fernandes 2013, 2.4]:
//! `weights=each(c1_0=1.5, other=1)` gives the weights by name and what all others are.

use gamegrove_game::{Game, Goal, Move, Rng, Role};
use gamegrove_search::{Budget, Composition, Options, Rating, Weights};
use gamegrove_settings::{Parameter, Part, SettingsError};

use crate::player::Player;

const REPLIES: Parameter = Parameter::whole(
    "replies",
    4.0,
    (1.0, 1e6),
    "replies of the other roles that each move is tried with",
);
const WEIGHTS: Parameter = Parameter::part(
    "weights",
    "none",
    "rates states by the game\'s own evaluation: each(NAME=NUMBER, ..., other=1)",
);

/// The options of the kind `greedy`.
pub(super) const PARAMETERS: &[Parameter] = &[REPLIES, WEIGHTS];

struct Greedy<G: Game> {
    game: G,
    role: Role,
    rng: Rng,
    replies: u32,
    moves: Vec<Vec<Move>>,
    next: G::State,
    goals: Vec<Goal>,
    rating: Option<Rating<G::State>>,
}

pub(super) fn player<G: Game + 'static>(
    part: &Part,
    mut game: G,
    role: Role,
    seed: u64,
) -> Result<Box<dyn Player<G>>, SettingsError> {
    let mut composition = Composition::default();
    let mut options = Options::new(part, &mut composition);
    let replies = options.number(&REPLIES)? as u32;
    let weights = options.optional(&WEIGHTS, Weights::read)?;
    options.finish()?;
    let rating = weights.map(|weights| Rating::new(&game, &weights, WEIGHTS.name)).transpose()?;
    let roles = game.role_count();
    Ok(Box::new(Greedy {
        next: game.initial_state(),
        game,
        role,
        rng: Rng::new(seed),
        replies,
        moves: vec![Vec::new(); roles],
        goals: vec![Goal::default(); roles],
        rating,
    }))
}

impl<G: Game> Greedy<G> {
    /// The worth of the state after a move.
    fn worth(&mut self) -> f64 {
        if let Some(rating) = &mut self.rating {
            return rating.value(&self.next, self.role);
        }
        self.game.goals(&self.next, &mut self.goals);
        // A state that the reasoner cannot work out is a bad one; the next is worked out afresh.
        match self.game.take_fault() {
            Some(_) => f64::from(Goal::WORST.0),
            None => f64::from(self.goals[self.role.index()].0),
        }
    }
}

impl<G: Game> Player<G> for Greedy<G> {
    fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        for role in Role::all(self.moves.len()) {
            self.game.legal_moves(state, role, &mut self.moves[role.index()]);
            if self.moves[role.index()].is_empty() {
                return self.rng.pick(&self.moves[self.role.index()]);
            }
        }
        if self.game.take_fault().is_some() {
            return None;
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
                sum += self.worth();
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
