//! A level as a [`Game`], so that any search plays it.
//!
//! The random generator is a part of the state: applying the same moves to the same state gives the
//! same next state. A search that wants other futures gives its copy of the root another generator
//! with [`VideoGame::reseed`] and plays on in open loop.

use std::sync::Arc;

use gamegrove_game::{Describe, Fault, Game, Goal, Move, Rng, Role, Senses};

use crate::chance::Chance;
use crate::level::World;
use crate::ontology::Action;
use crate::senses::Eyes;
use crate::sim::{MAX_WORK, Scratch};
use crate::state::State;
use crate::types::TypeId;

/// The goal of a game that is neither won nor lost yet.
const UNDECIDED: Goal = Goal(50.0);

/// A level that can be played by search.
#[derive(Clone, Debug)]
pub struct VideoGame {
    world: Arc<World>,
    scratch: Scratch,
    seed: u64,
}

impl VideoGame {
    /// The game of `world`; `seed` decides the chance of the start state.
    pub fn new(world: Arc<World>, seed: u64) -> Self {
        VideoGame { world, scratch: Scratch::default(), seed }
    }

    /// The compiled level.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Gives a state the future that belongs to `seed`.
    pub fn reseed(&self, state: &mut State, seed: u64) {
        state.set_chance(Chance::fast(seed));
    }

    /// Plays one tick in place.
    pub fn advance(&mut self, state: &mut State, actions: &[Action]) {
        self.world.advance(state, actions, &mut self.scratch);
    }

    /// The action that `mov` stands for.
    pub fn action(mov: Move) -> Action {
        Action::ALL.get(mov.index()).copied().unwrap_or_default()
    }
}

impl Game for VideoGame {
    type State = State;

    fn role_count(&self) -> usize {
        self.world.rules.players
    }

    fn move_bound(&self, _role: Role) -> usize {
        Action::ALL.len()
    }

    fn initial_state(&mut self) -> State {
        let mut state = self.world.start().clone();
        state.set_chance(Chance::fast(self.seed));
        state
    }

    fn is_terminal(&mut self, state: &State) -> bool {
        state.is_over()
    }

    /// The actions of the role's avatar and doing nothing; a role without an avatar can only do
    /// nothing.
    fn legal_moves(&mut self, state: &State, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        let listed = self.world.actions(state, role.index()).iter();
        moves.extend(listed.filter(|&&a| a != Action::Nil).map(|&a| Move(a as u32)));
        moves.push(Move(Action::Nil as u32));
    }

    fn apply(&mut self, state: &State, joint: &[Move], next: &mut State) {
        next.clone_from(state);
        Game::advance(self, next, joint);
    }

    fn advance(&mut self, state: &mut State, joint: &[Move]) {
        let mut actions = [Action::Nil; crate::rules::MAX_PLAYERS];
        for (action, &mov) in actions.iter_mut().zip(joint) {
            *action = VideoGame::action(mov);
        }
        let players = self.world.rules.players;
        self.world.advance(state, &actions[..players], &mut self.scratch);
    }

    fn goals(&mut self, state: &State, goals: &mut [Goal]) {
        for (player, goal) in goals.iter_mut().enumerate() {
            *goal = match state.player(player).win {
                Some(true) => Goal::BEST,
                Some(false) => Goal::WORST,
                None => UNDECIDED,
            };
        }
    }

    fn resample(&mut self, state: &mut State, rng: &mut Rng) {
        state.set_chance(Chance::fast(rng.next_u64()));
    }

    fn senses(&self) -> Option<Box<dyn Senses<State>>> {
        Some(Box::new(Eyes(self.world.clone())))
    }

    fn take_fault(&mut self) -> Option<Fault> {
        self.scratch.take_overworked().then_some(Fault::Work { limit: MAX_WORK })
    }
}

impl Describe for VideoGame {
    fn role_name(&self, role: Role) -> String {
        if self.role_count() == 1 { "player".into() } else { format!("player{}", role.0 + 1) }
    }

    fn move_name(&self, _role: Role, mov: Move) -> String {
        VideoGame::action(mov).name().to_owned()
    }

    fn find_move(&mut self, _role: Role, name: &str) -> Option<Move> {
        Action::named(name).map(|action| Move(action as u32))
    }

    fn facts(&self, state: &State) -> Vec<String> {
        let mut facts = vec![format!("tick {}", state.tick())];
        for player in 0..self.role_count() {
            let name = self.role_name(Role(player as u8));
            facts.push(format!("score {name} {}", state.player(player).score));
        }
        for ty in state.types() {
            let name = &self.world.rules.types[TypeId(ty.0)].name;
            for slot in state.slots(ty) {
                let sprite = &state.sprites[usize::from(slot)];
                facts.push(format!("{name} at {} {}", sprite.x, sprite.y));
            }
        }
        facts.sort();
        facts
    }
}
