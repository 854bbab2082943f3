//! One tick of a game (`vgdl-ontology`, 2.2).

use crate::level::World;
use crate::ontology::Action;
use crate::sim::{Scratch, Sim};
use crate::state::{DISABLED, State};

impl World {
    /// Plays one tick with one action per player; nothing happens once the game is over.
    ///
    /// An action that the player's avatar does not list counts as none. Missing actions too.
    pub fn advance(&self, state: &mut State, actions: &[Action], scratch: &mut Scratch) {
        self.play(state, actions, scratch, false);
    }

    /// As [`advance`](World::advance), with the collision rule as it is written: every sprite
    /// against every other. Slow; there to check the fast way.
    pub fn advance_by_reference(
        &self,
        state: &mut State,
        actions: &[Action],
        scratch: &mut Scratch,
    ) {
        self.play(state, actions, scratch, true);
    }

    fn play(&self, state: &mut State, actions: &[Action], scratch: &mut Scratch, reference: bool) {
        if state.ended {
            return;
        }
        state.events.clear();
        let mut sim = Sim { w: self, s: state, x: scratch };
        for player in 0..self.rules.players {
            let action = actions.get(player).copied().unwrap_or_default();
            sim.move_player(player, action);
        }
        sim.update_sprites();
        if reference {
            sim.handle_events_by_reference();
        } else {
            sim.handle_events();
        }
        sim.bury();
        sim.x.shields.clear();
        sim.x.pulled.clear();
        sim.check_end();
        sim.s.tick += 1;
        if !sim.may_go_on(0) {
            sim.s.ended = true;
            sim.x.overworked = true;
        }
        sim.x.work = 0;
    }

    /// The actions that the avatar of `player` lists, in the framework's order; none once the game
    /// is over. Doing nothing is always possible and not among them.
    pub fn actions(&self, state: &State, player: usize) -> &'static [Action] {
        if state.ended {
            return &[];
        }
        let avatar = usize::from(state.players[player].avatar);
        let Some(sprite) = state.sprites.get(avatar) else { return &[] };
        self.actions.get(usize::from(sprite.ty)).map_or(&[], |&(listed, _)| listed)
    }
}

impl Sim<'_> {
    fn move_player(&mut self, player: usize, action: Action) {
        let slot = self.s.players[player].avatar;
        let Some(sprite) = self.s.sprites.get(usize::from(slot)) else { return };
        if sprite.flags & DISABLED != 0 {
            return;
        }
        let (_, listed) = self.w.actions[usize::from(sprite.ty)];
        let action = if listed & 1 << action as u8 != 0 { action } else { Action::Nil };
        self.before_moving(slot);
        self.s.players[player].last_action = action;
        self.update_avatar(slot, action);
    }
}
