//! What an agent gets to see of a state, as the framework shows it (`video-games`, 2.2).
//!
//! Observations are made when they are asked for; a state itself keeps none. Sprites that are
//! hidden from a player do not appear. What agents ask in every step of a simulation (sprites of a
//! type or category, the nearest of them, the avatar, its resources, the events of the last tick)
//! allocates nothing; the framework's lists and grid ([`View::by_category`], [`View::grid`]) do.

use crate::level::World;
use crate::ontology::Action;
use crate::state::{ABSENT, DISABLED, Event, FROM_AVATAR, NOBODY, State};
use crate::types::{Category, TypeId};
use crate::value::Vector;

/// A sprite that is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Its category.
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

impl Observation {
    /// With its distance to a point in pixels.
    fn measured(self, (x, y): (i32, i32)) -> Observation {
        let (dx, dy) = (f64::from(self.position.0 - x), f64::from(self.position.1 - y));
        Observation { square_distance: dx * dx + dy * dy, ..self }
    }
}

/// An agent's knowledge of its own avatar; its resources are [`View::resources`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AvatarView {
    /// Its type.
    pub ty: TypeId,
    /// Its corner in pixels.
    pub position: (i32, i32),
    /// Its speed.
    pub speed: f64,
    /// The direction it faces.
    pub orientation: Vector,
    /// Its health points.
    pub health: i32,
    /// The most health points it ever had.
    pub max_health: i32,
    /// The most health points it can have.
    pub limit_health: i32,
    /// Whether it is alive.
    pub alive: bool,
    /// Its action in the last tick.
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

    /// The types that have sprites to be seen, and how many of exactly this type.
    pub fn types(&self) -> impl Iterator<Item = (TypeId, usize)> + use<'a> {
        let view = *self;
        let counted = self.state.types().map(move |ty| (ty, view.state.count(ty)));
        counted.filter(move |&(ty, count)| count > 0 && view.is_visible(ty))
    }

    /// How many sprites of exactly this type are seen.
    pub fn count(&self, ty: TypeId) -> usize {
        if self.is_visible(ty) { self.state.count(ty) } else { 0 }
    }

    /// The sprites of exactly this type in the order of their creation.
    pub fn of_type(&self, ty: TypeId) -> impl Iterator<Item = Observation> + use<'a> {
        let (view, seen) = (*self, self.is_visible(ty));
        let slots = self.state.slots(ty).take_while(move |_| seen);
        slots.map(move |slot| view.observe(slot))
    }

    /// The sprites of a category, by type and in the order of their creation.
    pub fn in_category(&self, category: Category) -> impl Iterator<Item = Observation> + use<'a> {
        self.sprites().filter(move |seen| seen.category == category)
    }

    /// The sprite of exactly this type that is nearest to a point in pixels, with its distance. Among
    /// equals it is the oldest.
    pub fn nearest(&self, ty: TypeId, to: (i32, i32)) -> Option<Observation> {
        let with_distance = self.of_type(ty).map(|seen| seen.measured(to));
        with_distance.min_by(|a, b| a.square_distance.total_cmp(&b.square_distance))
    }

    /// The block a point in pixels lies in, as column and row; `None` outside the level.
    pub fn block_of(&self, (x, y): (i32, i32)) -> Option<(usize, usize)> {
        let inside = (0..self.world.screen.w).contains(&x) && (0..self.world.screen.h).contains(&y);
        let block = self.world.block;
        inside.then(|| ((x / block) as usize, (y / block) as usize))
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
                list.iter_mut().for_each(|seen| *seen = seen.measured((x, y)));
                list.sort_by(|a, b| a.square_distance.total_cmp(&b.square_distance));
            }
            lists.push(list);
        }
        lists
    }

    /// The sprites in each block, columns first. A sprite between blocks is in all it touches.
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
        let body = self.state.bodies.get(usize::from(sprite.body))?;
        let def = &self.world.rules.types[TypeId(sprite.ty)];
        Some(AvatarView {
            ty: TypeId(sprite.ty),
            position: (sprite.x, sprite.y),
            speed: body.speed,
            orientation: body.orientation,
            health: body.health,
            max_health: body.max_health,
            limit_health: def.limit_health,
            alive: sprite.flags & DISABLED == 0,
            last_action: player.last_action,
        })
    }

    /// The resources the avatar has had and how many of each it has now.
    pub fn resources(&self) -> impl Iterator<Item = (TypeId, i32)> + use<'a> {
        let (world, state) = (self.world, self.state);
        let avatar = state.sprites.get(usize::from(state.players[self.player].avatar));
        let body = avatar.map_or(NOBODY, |sprite| sprite.body);
        let width = world.resource_types.len();
        let amounts = state.resources.iter().skip(usize::from(body) * width).take(width);
        let all = world.resource_types.iter().zip(amounts);
        all.filter(|&(_, &amount)| amount != ABSENT).map(|(&ty, &amount)| (ty, amount))
    }

    /// How many of a resource the avatar has.
    pub fn resource(&self, ty: TypeId) -> i32 {
        self.resources().find(|&(held, _)| held == ty).map_or(0, |(_, amount)| amount)
    }

    /// Events of the last tick.
    pub fn events(&self) -> &'a [Event] {
        &self.state.events
    }

    /// The number of the tick that is played next.
    pub fn tick(&self) -> i32 {
        self.state.tick
    }

    /// Points of the player.
    pub fn score(&self) -> f64 {
        self.state.players[self.player].score
    }

    /// Whether the player has won or lost, once that is decided.
    pub fn win(&self) -> Option<bool> {
        self.state.players[self.player].win
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
/// small; a player of a game collects them here.
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
