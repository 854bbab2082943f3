//! The units of work that the speed of the engine is measured in: one tick with random actions, one
//! copy of a state, and one roll-out of ten ticks from the start.
//!
//! The clock is the caller's: a [`Load`] does one unit when asked.

use std::hint::black_box;
use std::sync::Arc;

use gamegrove_game::Rng;

use crate::chance::Chance;
use crate::level::World;
use crate::ontology::Action;
use crate::rules::MAX_PLAYERS;
use crate::sim::Scratch;
use crate::state::State;

/// Ticks of a roll-out.
pub const ROLLOUT: usize = 10;

/// Work on one level, with its own random choices.
#[derive(Debug)]
pub struct Load {
    world: Arc<World>,
    rng: Rng,
    scratch: Scratch,
    state: State,
    copy: State,
}

impl Load {
    /// Work on `world` with choices from `rng`.
    pub fn new(world: Arc<World>, mut rng: Rng) -> Load {
        let mut state = world.start().clone();
        state.set_chance(Chance::fast(rng.next_u64()));
        Load { copy: state.clone(), state, rng, scratch: Scratch::default(), world }
    }

    /// Plays one tick; a game that is over starts anew first.
    pub fn advance(&mut self) {
        if self.state.is_over() {
            self.restart();
        }
        self.act();
    }

    /// Copies the start into memory that is already there.
    pub fn copy(&mut self) {
        self.copy.clone_from(black_box(self.world.start()));
        black_box(&mut self.copy);
    }

    /// Copies the start and plays [`ROLLOUT`] ticks.
    pub fn rollout(&mut self) {
        self.restart();
        for _ in 0..ROLLOUT {
            self.act();
        }
    }

    /// Whether a tick was cut short since the last call, see [`Scratch::take_overworked`].
    pub fn take_overworked(&mut self) -> bool {
        self.scratch.take_overworked()
    }

    fn restart(&mut self) {
        self.state.clone_from(self.world.start());
        self.state.set_chance(Chance::fast(self.rng.next_u64()));
    }

    fn act(&mut self) {
        let mut actions = [Action::Nil; MAX_PLAYERS];
        let players = self.world.rules.players;
        for (player, action) in actions.iter_mut().enumerate().take(players) {
            let listed = self.world.actions(&self.state, player);
            *action = self.rng.pick(listed).unwrap_or_default();
        }
        self.world.advance(&mut self.state, &actions[..players], &mut self.scratch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::compile;

    #[test]
    fn units_do_what_they_say() {
        let text = "BasicGame\n SpriteSet\n  a > MovingAvatar\n LevelMapping\n  A > a
 InteractionSet\n  a EOS > stepBack\n TerminationSet\n  Timeout limit=15\n";
        let compiled = compile(text);
        let world = World::load(&compiled.rules, "A ").world.expect("a level");
        let mut load = Load::new(world.clone(), Rng::new(1));
        for tick in 1..=16 {
            load.advance();
            assert_eq!(load.state.tick(), tick);
        }
        assert!(load.state.is_over());
        load.advance();
        assert_eq!(load.state.tick(), 1, "the next game");
        load.rollout();
        assert_eq!(load.state.tick(), ROLLOUT as i32);
        load.copy();
        assert_eq!(load.copy, *world.start());
        assert!(!load.take_overworked());
    }
}
