//! A game whose random moves are chosen by a function from outside.
//!
//! Play-outs in which all moves are equally likely take their moves from [`Game::random_move`]. Here that
//! is a policy from outside, which sees the whole position; a search needs to know nothing of it. The
//! game is one of any type, so that searches for it are compiled once: next to what a policy from outside
//! costs, that is not slow. What a game offers besides its rules (features, types of moves) is not there.

use std::sync::Arc;

use gamegrove_game::{Fault, Game, Goal, Move, Rng, Role};

use crate::board::Board;
use crate::player::PlayoutFn;
use crate::state::State;
use crate::view::View;

/// A game of any type, with play-outs by a policy.
#[derive(Clone)]
pub(crate) struct Steered {
    game: Arc<dyn Board>,
    playout: PlayoutFn,
    /// The state that was looked at last, and what was seen.
    seen: Option<(State, View)>,
    fault: Option<Fault>,
}

impl Steered {
    /// The same game with play-outs by `playout`.
    pub(crate) fn new(game: Arc<dyn Board>, playout: PlayoutFn) -> Steered {
        Steered { game, playout, seen: None, fault: None }
    }

    fn look(&mut self, state: &State) -> &View {
        let known = self.seen.take().filter(|(seen, _)| seen.is_same(state));
        let seen = known.unwrap_or_else(|| {
            let view = self.game.view(state).unwrap_or_else(|fault| {
                self.fault = Some(fault);
                View::Over(vec![0.0; self.game.about().roles.len()])
            });
            (state.clone(), view)
        });
        &self.seen.insert(seen).1
    }
}

impl Game for Steered {
    type State = State;

    fn role_count(&self) -> usize {
        self.game.about().roles.len()
    }

    fn move_bound(&self, role: Role) -> usize {
        self.game.move_bound(role)
    }

    fn initial_state(&mut self) -> State {
        self.game.start(0)
    }

    fn is_terminal(&mut self, state: &State) -> bool {
        self.look(state).is_over()
    }

    fn legal_moves(&mut self, state: &State, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend_from_slice(self.look(state).legal(role));
    }

    fn random_move(
        &mut self,
        state: &State,
        role: Role,
        moves: &mut Vec<Move>,
        rng: &mut Rng,
    ) -> Option<Move> {
        self.legal_moves(state, role, moves);
        match moves[..] {
            [] => None,
            [only] => Some(only),
            _ => {
                let chosen = (self.playout)(state, role, moves, rng);
                Some(moves[chosen.min(moves.len() - 1)])
            }
        }
    }

    fn apply(&mut self, state: &State, joint: &[Move], next: &mut State) {
        *next = match self.game.next(state, joint) {
            Ok(after) => after,
            Err(fault) => {
                self.fault = Some(fault);
                state.clone()
            }
        };
    }

    fn goals(&mut self, state: &State, goals: &mut [Goal]) {
        match self.game.goals(state) {
            Ok(found) => goals.iter_mut().zip(found).for_each(|(goal, worth)| *goal = Goal(worth)),
            Err(fault) => {
                goals.fill(Goal::WORST);
                self.fault = Some(fault);
            }
        }
    }

    fn resample(&mut self, state: &mut State, rng: &mut Rng) {
        *state = self.game.resample(state, rng);
    }

    fn take_fault(&mut self) -> Option<Fault> {
        self.fault.take()
    }
}
