//! Uniformly random games.

use crate::{Game, Goal, Move, Rng, Role};

/// How a random game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// In a terminal state.
    Terminal,
    /// In a state that is not terminal but leaves this role without a legal move.
    Stuck(Role),
    /// At the limit of steps.
    TooLong,
}

/// The course of one random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// Joint moves played.
    pub steps: u32,
    /// The reason for its end.
    pub ending: Ending,
}

/// Plays games, with the buffers that takes; one per thread.
#[derive(Clone, Debug)]
pub struct Player<G: Game> {
    /// The game played.
    pub game: G,
    /// The state the last game stopped in.
    pub state: G::State,
    next: G::State,
    moves: Vec<Move>,
    joint: Vec<Move>,
}

impl<G: Game> Player<G> {
    /// A player for `game`.
    pub fn new(mut game: G) -> Self {
        let state = game.initial_state();
        Player { next: state.clone(), state, game, moves: Vec::new(), joint: Vec::new() }
    }

    /// Plays uniformly random moves from `start` until the game ends or `limit` joint moves have
    /// been played. [`state`](Player::state) then holds the last state.
    pub fn random_game(&mut self, start: &G::State, limit: u32, rng: &mut Rng) -> Playout {
        self.random_game_with(start, limit, rng, |_, _, _| {})
    }

    /// As [`random_game`](Player::random_game), showing `watch` every joint move before it is
    /// played.
    pub fn random_game_with(
        &mut self,
        start: &G::State,
        limit: u32,
        rng: &mut Rng,
        mut watch: impl FnMut(&mut G, &G::State, &[Move]),
    ) -> Playout {
        self.state.clone_from(start);
        let mut steps = 0;
        loop {
            if self.game.is_terminal(&self.state) {
                return Playout { steps, ending: Ending::Terminal };
            }
            if steps == limit {
                return Playout { steps, ending: Ending::TooLong };
            }
            self.joint.clear();
            for role in Role::all(self.game.role_count()) {
                self.game.legal_moves(&self.state, role, &mut self.moves);
                match rng.pick(&self.moves) {
                    Some(mov) => self.joint.push(mov),
                    None => return Playout { steps, ending: Ending::Stuck(role) },
                }
            }
            watch(&mut self.game, &self.state, &self.joint);
            self.game.apply(&self.state, &self.joint, &mut self.next);
            std::mem::swap(&mut self.state, &mut self.next);
            steps += 1;
        }
    }

    /// The goals of the state the last game stopped in, one per role.
    pub fn goals(&mut self) -> Vec<Goal> {
        let mut goals = vec![Goal::default(); self.game.role_count()];
        self.game.goals(&self.state, &mut goals);
        goals
    }
}
