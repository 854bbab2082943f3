//! A game whose random moves are somebody's choice.
//!
//! Play-outs in which all moves are equally likely take their moves from [`Game::random_move`]. Behind
//! this wrapper that is a policy from outside, which sees the whole state; a search needs to know
//! nothing of it.

use std::sync::Arc;

use gamegrove_game::{
    Evaluation, Fault, Features, Game, Goal, Move, Rng, Role, Senses, TypedMoves,
};

/// Chooses among several legal moves of a role in a state: the place of the move in the list. A place
/// beyond the list counts as its last.
pub(super) type Steer<S> = dyn Fn(&S, Role, &[Move], &mut Rng) -> usize + Send + Sync;

/// A game whose random moves are chosen by a policy.
pub(super) struct Steered<G: Game> {
    game: G,
    steer: Arc<Steer<G::State>>,
}

impl<G: Game> Steered<G> {
    /// The same game with play-outs by `steer`.
    pub(super) fn new(game: G, steer: Arc<Steer<G::State>>) -> Self {
        Steered { game, steer }
    }
}

impl<G: Game> Clone for Steered<G> {
    fn clone(&self) -> Self {
        Steered { game: self.game.clone(), steer: Arc::clone(&self.steer) }
    }
}

impl<G: Game> Game for Steered<G> {
    type State = G::State;

    fn role_count(&self) -> usize {
        self.game.role_count()
    }

    fn move_bound(&self, role: Role) -> usize {
        self.game.move_bound(role)
    }

    fn initial_state(&mut self) -> G::State {
        self.game.initial_state()
    }

    fn is_terminal(&mut self, state: &G::State) -> bool {
        self.game.is_terminal(state)
    }

    fn legal_moves(&mut self, state: &G::State, role: Role, moves: &mut Vec<Move>) {
        self.game.legal_moves(state, role, moves);
    }

    fn random_move(
        &mut self,
        state: &G::State,
        role: Role,
        moves: &mut Vec<Move>,
        rng: &mut Rng,
    ) -> Option<Move> {
        self.game.legal_moves(state, role, moves);
        match moves[..] {
            [] => None,
            [only] => Some(only),
            _ => Some(moves[(self.steer)(state, role, moves, rng).min(moves.len() - 1)]),
        }
    }

    fn apply(&mut self, state: &G::State, joint: &[Move], next: &mut G::State) {
        self.game.apply(state, joint, next);
    }

    fn goals(&mut self, state: &G::State, goals: &mut [Goal]) {
        self.game.goals(state, goals);
    }

    fn advance(&mut self, state: &mut G::State, joint: &[Move]) {
        self.game.advance(state, joint);
    }

    fn resample(&mut self, state: &mut G::State, rng: &mut Rng) {
        self.game.resample(state, rng);
    }

    fn features(&self) -> Option<Box<dyn Features<G::State>>> {
        self.game.features()
    }

    fn move_types(&self) -> Option<Box<dyn TypedMoves<G::State>>> {
        self.game.move_types()
    }

    fn evaluation(&self) -> Option<Box<dyn Evaluation<G::State>>> {
        self.game.evaluation()
    }

    fn senses(&self) -> Option<Box<dyn Senses<G::State>>> {
        self.game.senses()
    }

    fn take_fault(&mut self) -> Option<Fault> {
        self.game.take_fault()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One role adds 1, 2 or 3 until ten is reached or passed; the state is the goal.
    #[derive(Clone, Debug)]
    struct Sum;

    impl Game for Sum {
        type State = u32;

        fn role_count(&self) -> usize {
            1
        }

        fn move_bound(&self, _: Role) -> usize {
            4
        }

        fn initial_state(&mut self) -> u32 {
            0
        }

        fn is_terminal(&mut self, state: &u32) -> bool {
            *state >= 10
        }

        fn legal_moves(&mut self, _: &u32, _: Role, moves: &mut Vec<Move>) {
            moves.clear();
            moves.extend([Move(1), Move(2), Move(3)]);
        }

        fn apply(&mut self, state: &u32, joint: &[Move], next: &mut u32) {
            *next = state + joint[0].0;
        }

        fn goals(&mut self, state: &u32, goals: &mut [Goal]) {
            goals.fill(Goal(*state as f32));
        }
    }

    #[test]
    fn random_moves_are_those_of_the_policy() {
        let steer = |state: &u32, _: Role, _: &[Move], _: &mut Rng| (*state % 2) as usize + 1;
        let mut game = Steered::new(Sum, Arc::new(steer));
        let (mut moves, mut rng) = (Vec::new(), Rng::new(1));
        assert_eq!(game.random_move(&0, Role(0), &mut moves, &mut rng), Some(Move(2)));
        assert_eq!(game.random_move(&1, Role(0), &mut moves, &mut rng), Some(Move(3)));
        let mut wild = Steered::new(Sum, Arc::new(|_: &u32, _, _: &[Move], _: &mut Rng| 99));
        assert_eq!(wild.random_move(&0, Role(0), &mut moves, &mut rng), Some(Move(3)));
    }
}
