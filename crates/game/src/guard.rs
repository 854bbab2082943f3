//! A game for work that must end when somebody says so, and that goes on after a fault.
//!
//! A simulation asks about hundreds of states, and with rules that are hard to evaluate each question
//! takes a while; whoever searches under a clock cannot wait for the end of it. Once the flag is set
//! every state is the end of play, so a simulation under way is over with its next question. What a
//! search has found by then is to be thrown away.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{
    Batches, Describe, Evaluation, Fault, Features, Game, Goal, Move, MoveSet, Rng, Role, Senses,
    TypedMoves,
};

/// A game that can be stopped. A state whose evaluation hits a limit is the end of play, as the
/// reasoner says; the next state is evaluated afresh.
#[derive(Clone, Debug)]
pub struct Guarded<G> {
    game: G,
    stop: Arc<AtomicBool>,
}

impl<G: Game> Guarded<G> {
    /// The same game, until `stop` is set.
    pub fn new(game: G, stop: &Arc<AtomicBool>) -> Self {
        Guarded { game, stop: Arc::clone(stop) }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn has_failed(&mut self) -> bool {
        self.game.take_fault().is_some()
    }
}

impl<G: Game> Game for Guarded<G> {
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
        if self.is_stopped() {
            return true;
        }
        let over = self.game.is_terminal(state);
        self.has_failed() || over
    }

    fn legal_moves(&mut self, state: &G::State, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        if self.is_stopped() {
            return;
        }
        self.game.legal_moves(state, role, moves);
        if self.has_failed() {
            // What was found before the limit may rest on conditions that were not looked at.
            moves.clear();
        }
    }

    fn any_move(&mut self, state: &G::State, role: Role) -> Option<Move> {
        if self.is_stopped() {
            return None;
        }
        let found = self.game.any_move(state, role);
        self.has_failed();
        found
    }

    fn legal_set(&mut self, state: &G::State, role: Role) -> Option<MoveSet<'_>> {
        if self.is_stopped() {
            return None;
        }
        self.game.legal_set(state, role)
    }

    fn apply(&mut self, state: &G::State, joint: &[Move], next: &mut G::State) {
        if self.is_stopped() {
            next.clone_from(state);
            return;
        }
        self.game.apply(state, joint, next);
        if self.has_failed() {
            next.clone_from(state);
        }
    }

    fn advance(&mut self, state: &mut G::State, joint: &[Move]) {
        // Planners try many steps in place; keeping the state before each, as `apply` does where a
        // limit is hit, would cost them a copy.
        if !self.is_stopped() {
            self.game.advance(state, joint);
            self.has_failed();
        }
    }

    fn goals(&mut self, state: &G::State, goals: &mut [Goal]) {
        goals.fill(Goal::WORST);
        if self.is_stopped() {
            return;
        }
        self.game.goals(state, goals);
        if self.has_failed() {
            goals.fill(Goal::WORST);
        }
    }

    fn batches(&mut self) -> Option<&mut dyn Batches<G::State>> {
        if self.is_stopped() { None } else { self.game.batches() }
    }

    fn end_turn(&mut self) {
        self.game.end_turn();
    }

    fn resample(&mut self, state: &mut G::State, rng: &mut Rng) {
        self.game.resample(state, rng);
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

    fn features(&self) -> Option<Box<dyn Features<G::State>>> {
        self.game.features()
    }

    fn stop_when(&mut self, stop: &Arc<AtomicBool>) {
        self.game.stop_when(stop);
    }

    fn take_fault(&mut self) -> Option<Fault> {
        self.has_failed();
        self.is_stopped().then_some(Fault::Stopped)
    }
}

impl<G: Describe> Describe for Guarded<G> {
    fn role_name(&self, role: Role) -> String {
        self.game.role_name(role)
    }

    fn move_name(&self, role: Role, mov: Move) -> String {
        self.game.move_name(role, mov)
    }

    fn find_move(&mut self, role: Role, name: &str) -> Option<Move> {
        self.game.find_move(role, name)
    }

    fn facts(&self, state: &G::State) -> Vec<String> {
        self.game.facts(state)
    }

    fn picture(&self, state: &G::State) -> Option<String> {
        self.game.picture(state)
    }

    fn outcome_in_words(&self, state: &G::State, role: Role, mov: Move) -> Option<String> {
        self.game.outcome_in_words(state, role, mov)
    }

    fn interpret(&mut self, state: &G::State, role: Role, text: &str) -> Option<Move> {
        self.game.interpret(state, role, text)
    }

    fn notation(&self) -> Option<&'static str> {
        self.game.notation()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts up without end. States divisible by seven cannot be evaluated, and the fault stays
    /// until it is taken.
    #[derive(Clone, Default)]
    struct Endless(bool);

    impl Game for Endless {
        type State = u64;

        fn role_count(&self) -> usize {
            1
        }

        fn move_bound(&self, _: Role) -> usize {
            1
        }

        fn initial_state(&mut self) -> u64 {
            1
        }

        fn is_terminal(&mut self, state: &u64) -> bool {
            self.0 |= state.is_multiple_of(7);
            self.0
        }

        fn legal_moves(&mut self, _: &u64, _: Role, moves: &mut Vec<Move>) {
            moves.clear();
            moves.push(Move(0));
        }

        fn apply(&mut self, state: &u64, _: &[Move], next: &mut u64) {
            *next = state + 1;
        }

        fn goals(&mut self, _: &u64, goals: &mut [Goal]) {
            goals.fill(Goal::BEST);
        }

        fn take_fault(&mut self) -> Option<Fault> {
            std::mem::take(&mut self.0).then_some(Fault::Terms)
        }
    }

    #[test]
    fn a_fault_ends_one_state_and_not_the_game() {
        let mut game = Guarded::new(Endless::default(), &Arc::default());
        let ended: Vec<bool> = (5..10).map(|state| game.is_terminal(&state)).collect();
        assert_eq!(ended, [false, false, true, false, false]);
    }

    #[test]
    fn every_state_is_the_end_once_it_is_stopped() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut game = Guarded::new(Endless::default(), &stop);
        let (mut moves, mut next) = (Vec::new(), 0);
        game.legal_moves(&1, Role(0), &mut moves);
        game.apply(&1, &moves, &mut next);
        assert_eq!((moves.len(), next, game.is_terminal(&next)), (1, 2, false));
        stop.store(true, Ordering::Relaxed);
        game.legal_moves(&2, Role(0), &mut moves);
        assert!(game.is_terminal(&2) && moves.is_empty());
        assert_eq!(game.take_fault(), Some(Fault::Stopped));
    }
}
