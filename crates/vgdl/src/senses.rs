//! What a searching player perceives of a level: [`Senses`] on top of the framework's observations.

use std::sync::Arc;

use gamegrove_game::{Avatar, Category as Seen, Move, Role, Senses};

use crate::game::VideoGame;
use crate::level::World;
use crate::ontology::Action;
use crate::state::{DISABLED, FROM_AVATAR, NOBODY, State};
use crate::types::{Category, TypeId};

/// Perceives the states of one level.
#[derive(Clone, Debug)]
pub(crate) struct Eyes(pub Arc<World>);

impl Eyes {
    /// A place in pixels as a place in blocks.
    fn blocks(&self, x: i32, y: i32) -> (f64, f64) {
        let block = f64::from(self.0.block);
        (f64::from(x) / block, f64::from(y) / block)
    }

    fn is_hidden(&self, kind: usize, role: Role) -> bool {
        self.0.rules.types[TypeId(kind as u16)].is_hidden(role.index())
    }
}

impl Senses<State> for Eyes {
    fn kinds(&self) -> usize {
        self.0.rules.types.types.len()
    }

    fn category(&self, kind: usize) -> Seen {
        match self.0.rules.types[TypeId(kind as u16)].category(false) {
            Category::Avatar => Seen::Avatar,
            Category::Resource => Seen::Resource,
            Category::Portal => Seen::Portal,
            Category::Npc => Seen::Character,
            Category::Static => Seen::Static,
            Category::FromAvatar | Category::Movable => Seen::Movable,
        }
    }

    fn is_wall(&self, kind: usize) -> bool {
        // The framework gives the type `wall` the number 0 in every game.
        self.0.rules.types[TypeId(kind as u16)].ancestry.contains(&TypeId(0))
    }

    fn board(&self) -> (usize, usize) {
        (self.0.cols.max(0) as usize, self.0.rows.max(0) as usize)
    }

    fn tick(&self, state: &State) -> u32 {
        state.tick.max(0) as u32
    }

    fn score(&self, state: &State, role: Role) -> f64 {
        state.players[role.index()].score
    }

    fn verdict(&self, state: &State, role: Role) -> Option<bool> {
        state.players[role.index()].win
    }

    fn avatar(&self, state: &State, role: Role) -> Option<Avatar> {
        let sprite = state.sprites.get(usize::from(state.players[role.index()].avatar))?;
        if sprite.flags & DISABLED != 0 {
            return None;
        }
        let body = state.bodies.get(usize::from(sprite.body))?;
        Some(Avatar {
            kind: usize::from(sprite.ty),
            place: self.blocks(sprite.x, sprite.y),
            facing: body.orientation,
            speed: body.speed,
            health: body.health,
        })
    }

    fn count(&self, state: &State, role: Role, kind: usize) -> usize {
        if self.is_hidden(kind, role) { 0 } else { state.count(TypeId(kind as u16)) }
    }

    fn places(&self, state: &State, role: Role, kind: usize, places: &mut Vec<(f64, f64)>) {
        places.clear();
        if self.is_hidden(kind, role) {
            return;
        }
        for slot in state.slots(TypeId(kind as u16)) {
            let sprite = &state.sprites[usize::from(slot)];
            if sprite.flags & FROM_AVATAR == 0 {
                places.push(self.blocks(sprite.x, sprite.y));
            }
        }
    }

    fn touched(&self, state: &State, role: Role, kinds: &mut Vec<usize>) {
        kinds.clear();
        let met = state.events.iter().map(|event| event.passive_type.index());
        kinds.extend(met.filter(|&kind| !self.is_hidden(kind, role)));
    }

    fn resources(&self, state: &State, role: Role, resources: &mut Vec<(usize, i32)>) {
        resources.clear();
        let held = self.0.view(state, role.index()).resources();
        resources.extend(held.map(|(ty, amount)| (ty.index(), amount)));
    }

    fn direction(&self, mov: Move) -> Option<(f64, f64)> {
        let direction = VideoGame::action(mov).direction();
        (direction != (0.0, 0.0)).then_some(direction)
    }

    fn waiting(&self) -> Move {
        Move(Action::Nil as u32)
    }

    fn bytes(&self, state: &State) -> usize {
        state.bytes()
    }

    fn likeness(&self, state: &State, role: Role) -> u64 {
        let player = &state.players[role.index()];
        let mut sum = mix(player.score.to_bits() ^ player.win.map_or(2, u64::from) << 1);
        for ty in state.types() {
            if self.is_hidden(ty.index(), role) {
                continue;
            }
            // Sums, so that which of two equal sprites is where makes no difference.
            for slot in state.slots(ty) {
                let sprite = &state.sprites[usize::from(slot)];
                let place = u64::from(sprite.x as u32) | u64::from(sprite.y as u32) << 32;
                let mut own = mix(place ^ u64::from(ty.0) << 24 ^ u64::from(sprite.flags) << 56);
                if sprite.body != NOBODY {
                    let body = &state.bodies[usize::from(sprite.body)];
                    let (dx, dy) = body.orientation;
                    own = mix(own ^ body.health as u32 as u64 ^ dx.to_bits() ^ dy.to_bits() >> 1);
                }
                sum = sum.wrapping_add(own);
            }
        }
        let mut resources = Vec::new();
        self.resources(state, role, &mut resources);
        for (kind, amount) in resources {
            sum = sum.wrapping_add(mix((kind as u64) << 40 ^ u64::from(amount as u32)));
        }
        mix(sum)
    }
}

/// The finisher of SplitMix64.
fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use gamegrove_game::Game;

    use super::*;
    use crate::rules::compile;

    const TEXT: &str = "BasicGame
  SpriteSet
    goal > Door
    gem > Resource limit=5
    secret > Immovable hidden=True
    avatar > MovingAvatar
  InteractionSet
    avatar wall > stepBack
    gem avatar > collectResource scoreChange=2
    goal avatar > killSprite
  TerminationSet
    SpriteCounter stype=goal win=True
  LevelMapping
    g > goal
    x > gem
    s > secret
";

    #[test]
    fn a_level_is_perceived_as_it_is() {
        let compiled = compile(TEXT);
        let world = World::load(&compiled.rules, "wwwwww\nwAxsgw\nwwwwww").world.unwrap();
        let mut game = VideoGame::new(world, 1);
        let eyes = game.senses().unwrap();
        let kind = |name: &str| {
            let types = &game.world().rules.types.types;
            types.iter().position(|ty| ty.name == name).unwrap()
        };
        let (wall, goal, gem, secret) = (kind("wall"), kind("goal"), kind("gem"), kind("secret"));
        let mut state = game.initial_state();
        let start = eyes.likeness(&state, Role(0));
        assert_eq!(eyes.board(), (6, 3));
        assert!(eyes.is_wall(wall) && !eyes.is_wall(goal));
        assert_eq!(eyes.category(goal), Seen::Portal);
        assert_eq!(eyes.category(gem), Seen::Resource);
        assert_eq!((eyes.count(&state, Role(0), gem), eyes.count(&state, Role(0), secret)), (1, 0));
        let mut places = Vec::new();
        eyes.places(&state, Role(0), goal, &mut places);
        assert_eq!(places, [(4.0, 1.0)]);
        assert_eq!(eyes.avatar(&state, Role(0)).unwrap().place, (1.0, 1.0));
        let right = Move(Action::Right as u32);
        assert_eq!(eyes.direction(right), Some((1.0, 0.0)));
        assert_eq!(eyes.direction(Move(Action::Nil as u32)), None);

        game.advance(&mut state, &[Action::Right]);
        let mut kinds = Vec::new();
        eyes.touched(&state, Role(0), &mut kinds);
        assert_eq!(kinds, [gem]);
        assert_eq!((eyes.score(&state, Role(0)), eyes.tick(&state)), (2.0, 1));
        let mut resources = Vec::new();
        eyes.resources(&state, Role(0), &mut resources);
        assert_eq!(resources, [(gem, 1)]);
        assert_ne!(eyes.likeness(&state, Role(0)), start);

        let moved = eyes.likeness(&state, Role(0));
        game.advance(&mut state, &[Action::Nil]);
        assert_eq!(
            eyes.likeness(&state, Role(0)),
            moved,
            "time alone changes nothing that is seen"
        );
        game.advance(&mut state, &[Action::Right]);
        game.advance(&mut state, &[Action::Right]);
        assert_eq!(eyes.verdict(&state, Role(0)), Some(true));
    }
}
