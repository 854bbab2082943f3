//! What an agent gets to see of a state, as the framework shows it (`video-games`, 2.2).
//!
//! Observations are made when they are asked for; a state itself keeps none. Sprites that are
//! hidden from a player do not appear.

use crate::level::World;
use crate::ontology::Action;
use crate::state::{ABSENT, DISABLED, Event, FROM_AVATAR, NOBODY, State};
use crate::types::{Category, TypeId};
use crate::value::Vector;

/// A sprite that is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// What kind of thing it is.
    pub category: Category,
    /// Its type.
    pub ty: TypeId,
    /// Its number.
    pub id: u32,
    /// Its corner in pixels.
    pub position: (i32, i32),
    /// Square of the distance to the reference point, 0 without one.
    pub square_distance: f64,
}

/// What an agent knows of its own avatar.
#[derive(Clone, Debug, PartialEq)]
pub struct AvatarView {
    /// Its type.
    pub ty: TypeId,
    /// Its corner in pixels.
    pub position: (i32, i32),
    /// Its speed.
    pub speed: f64,
    /// Where it looks.
    pub orientation: Vector,
    /// Its health points.
    pub health: i32,
    /// The most health points it ever had.
    pub max_health: i32,
    /// The most health points it can have.
    pub limit_health: i32,
    /// Amounts of the resources it has had.
    pub resources: Vec<(TypeId, i32)>,
    /// Whether it lives.
    pub alive: bool,
    /// What it did in the last tick.
    pub last_action: Action,
}

/// The view of one player on a state.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    world: &'a World,
    state: &'a State,
    player: usize,
}

impl World {
    /// How player `player` sees `state`.
    pub fn view<'a>(&'a self, state: &'a State, player: usize) -> View<'a> {
        View { world: self, state, player }
    }
}

impl<'a> View<'a> {
    fn observe(&self, slot: u16) -> Observation {
        let sprite = &self.state.sprites[usize::from(slot)];
        let def = &self.world.rules.types[TypeId(sprite.ty)];
        Observation {
            category: def.category(sprite.flags & FROM_AVATAR != 0),
            ty: TypeId(sprite.ty),
            id: sprite.id,
            position: (sprite.x, sprite.y),
            square_distance: 0.0,
        }
    }

    fn is_visible(&self, ty: TypeId) -> bool {
        !self.world.rules.types[ty].is_hidden(self.player)
    }

    /// All sprites that are seen, by type and in the order of their creation.
    pub fn sprites(&self) -> impl Iterator<Item = Observation> + use<'a> {
        let view = *self;
        let types = self.state.types().filter(move |&ty| view.is_visible(ty));
        types.flat_map(move |ty| view.state.slots(ty).map(move |slot| view.observe(slot)))
    }

    /// The sprites of a category, one list per type; with a reference point (in pixels) the nearest
    /// come first.
    pub fn by_category(
        &self,
        category: Category,
        reference: Option<(i32, i32)>,
    ) -> Vec<Vec<Observation>> {
        let mut lists = Vec::new();
        for ty in self.state.types().filter(|&ty| self.is_visible(ty)) {
            let mut list: Vec<Observation> =
                self.state.slots(ty).map(|slot| self.observe(slot)).collect();
            if !list.iter().any(|seen| seen.category == category) {
                continue;
            }
            if let Some((x, y)) = reference {
                for seen in &mut list {
                    let (dx, dy) = (seen.position.0 - x, seen.position.1 - y);
                    seen.square_distance = f64::from(dx).powi(2) + f64::from(dy).powi(2);
                }
                list.sort_by(|a, b| a.square_distance.total_cmp(&b.square_distance));
            }
            lists.push(list);
        }
        lists
    }

    /// What lies in each block, columns first: a sprite between blocks is in all it touches.
    pub fn grid(&self) -> Vec<Vec<Vec<Observation>>> {
        let world = self.world;
        let (cols, rows, block) = (world.cols, world.rows, world.block);
        let mut grid = vec![vec![Vec::new(); rows as usize]; cols as usize];
        for seen in self.sprites() {
            let (x, y) = seen.position;
            let (cx, cy) = (x / block, y / block);
            if !(0..cols).contains(&cx) || !(0..rows).contains(&cy) {
                continue;
            }
            for ty in cy..=(cy + i32::from(y % block > 0)).min(rows - 1) {
                for tx in cx..=(cx + i32::from(x % block > 0)).min(cols - 1) {
                    grid[tx as usize][ty as usize].push(seen);
                }
            }
        }
        grid
    }

    /// The player's avatar; `None` if the level has none.
    pub fn avatar(&self) -> Option<AvatarView> {
        let player = &self.state.players[self.player];
        let sprite = self.state.sprites.get(usize::from(player.avatar))?;
        let place = usize::from(sprite.body);
        let body = self.state.bodies.get(place)?;
        let def = &self.world.rules.types[TypeId(sprite.ty)];
        let width = self.world.resource_types.len();
        let amounts = &self.state.resources[place * width..(place + 1) * width];
        Some(AvatarView {
            ty: TypeId(sprite.ty),
            position: (sprite.x, sprite.y),
            speed: body.speed,
            orientation: body.orientation,
            health: body.health,
            max_health: body.max_health,
            limit_health: def.limit_health,
            resources: self
                .world
                .resource_types
                .iter()
                .zip(amounts)
                .filter(|&(_, &amount)| amount != ABSENT)
                .map(|(&ty, &amount)| (ty, amount))
                .collect(),
            alive: sprite.flags & DISABLED == 0,
            last_action: player.last_action,
        })
    }

    /// The actions the avatar lists, without doing nothing.
    pub fn actions(&self) -> &'static [Action] {
        self.world.actions(self.state, self.player)
    }

    /// Width and height of the level in pixels.
    pub fn size(&self) -> (i32, i32) {
        (self.world.screen.w, self.world.screen.h)
    }

    /// Health of a sprite that is seen, by its number; 0 for most.
    pub fn health(&self, ty: TypeId, id: u32) -> Option<i32> {
        let slot = self.state.slots(ty).find(|&s| self.state.sprites[usize::from(s)].id == id)?;
        match self.state.sprites[usize::from(slot)].body {
            NOBODY => Some(self.world.rules.types[ty].health),
            body => Some(self.state.bodies[usize::from(body)].health),
        }
    }
}

/// All events of a game so far. A state keeps only those of its last tick, so that copies stay
/// small; whoever plays a game collects them here.
#[derive(Clone, Debug, Default)]
pub struct History {
    events: Vec<Event>,
}

impl History {
    /// Adds what happened in the tick that led to `state`.
    pub fn add(&mut self, state: &State) {
        self.events.extend_from_slice(state.events());
    }

    /// The events, oldest first.
    pub fn events(&self) -> &[Event] {
        &self.events
    }
}
