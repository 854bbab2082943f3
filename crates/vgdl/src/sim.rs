//! One tick in the making: the state with the tables it is advanced by, and the small operations
//! everything else is made of: creating, killing, placing and finding sprites.

use crate::contacts::Contacts;
use crate::level::World;
use crate::state::{
    ABSENT, Body, FAR, FROM_AVATAR, KILLED, MAX_SPRITES, NOBODY, Rect, Sprite, State,
};
use crate::types::{SpriteType, TypeId};
use crate::value::Vector;

/// Memory that a tick needs and leaves to the next one; one per thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(crate) contacts: Contacts,
    pub(crate) killed: Vec<u16>,
    pub(crate) shields: Vec<(u16, u16, u16)>,
    /// Effect and sprite of what was already carried along in this tick.
    pub(crate) pulled: Vec<(u16, u16)>,
    pub(crate) seconds: Vec<u16>,
    pub(crate) found: Vec<(u64, u64)>,
    pub(crate) firsts: Vec<u16>,
    pub(crate) targets: Vec<u16>,
    pub(crate) moves: Vec<Vector>,
    /// Sprites looked at in this tick.
    pub(crate) work: u64,
    /// A tick ran into [`MAX_WORK`].
    pub(crate) overworked: bool,
}

/// Sprites one tick may look at. Real games need a few thousand; a description can ask for ten
/// thousand sprites in one block that all meet each other, for each of its effects.
pub const MAX_WORK: u64 = 30_000_000;

impl Scratch {
    /// Whether a tick was cut short by [`MAX_WORK`] since the last call. The game is then over.
    pub fn take_overworked(&mut self) -> bool {
        std::mem::take(&mut self.overworked)
    }
}

/// A state that is being advanced.
pub(crate) struct Sim<'a> {
    pub w: &'a World,
    pub s: &'a mut State,
    pub x: &'a mut Scratch,
}

impl<'a> Sim<'a> {
    #[inline]
    pub fn sprite(&self, slot: u16) -> &Sprite {
        &self.s.sprites[usize::from(slot)]
    }

    #[inline]
    pub fn sprite_mut(&mut self, slot: u16) -> &mut Sprite {
        &mut self.s.sprites[usize::from(slot)]
    }

    #[inline]
    pub fn type_of(&self, slot: u16) -> TypeId {
        TypeId(self.sprite(slot).ty)
    }

    #[inline]
    pub fn def(&self, slot: u16) -> &'a SpriteType {
        let world: &'a World = self.w;
        &world.rules.types.types[usize::from(self.sprite(slot).ty)]
    }

    #[inline]
    pub fn body(&self, slot: u16) -> &Body {
        let sprite = self.sprite(slot);
        match self.s.bodies.get(usize::from(sprite.body)) {
            Some(body) => body,
            None => &self.w.templates[usize::from(sprite.ty)],
        }
    }

    /// The body of a sprite that has one. Scenery has none: the analysis of the level makes sure
    /// that no effect changes it.
    #[inline]
    pub fn body_mut(&mut self, slot: u16) -> Option<&mut Body> {
        let at = usize::from(self.sprite(slot).body);
        debug_assert!(at < self.s.bodies.len(), "an effect changes scenery");
        self.s.bodies.get_mut(at)
    }

    #[inline]
    pub fn rect(&self, slot: u16) -> Rect {
        let sprite = self.sprite(slot);
        let (w, h) = self.size(sprite);
        Rect { x: sprite.x, y: sprite.y, w, h }
    }

    /// Width and height.
    #[inline]
    pub fn size(&self, sprite: &Sprite) -> (i32, i32) {
        match self.s.bodies.get(usize::from(sprite.body)) {
            Some(body) => (body.w, body.h),
            None => self.w.sizes[usize::from(sprite.ty)],
        }
    }

    #[inline]
    pub fn last(&self, slot: u16) -> Rect {
        match self.s.bodies.get(usize::from(self.sprite(slot).body)) {
            Some(body) => body.last,
            None => self.rect(slot),
        }
    }

    /// How far the sprite has come since the tick began.
    pub fn last_direction(&self, slot: u16) -> Vector {
        let (sprite, last) = (self.sprite(slot), self.last(slot));
        (f64::from(sprite.x - last.x), f64::from(sprite.y - last.y))
    }

    pub fn is_killed(&self, slot: u16) -> bool {
        self.sprite(slot).flags & KILLED != 0
    }

    /// Sprites of the type and its family.
    pub fn count_family(&self, ty: TypeId) -> usize {
        self.w.rules.types[ty].family.iter().map(|&member| self.s.count(member)).sum()
    }

    /// Puts a sprite somewhere else.
    #[inline]
    pub fn place(&mut self, slot: u16, x: i32, y: i32) {
        let (x, y) = (x.clamp(-FAR, FAR), y.clamp(-FAR, FAR));
        let sprite = self.sprite_mut(slot);
        if (sprite.x, sprite.y) != (x, y) {
            (sprite.x, sprite.y) = (x, y);
            self.note(slot);
        }
    }

    /// Gives a sprite another rectangle, size included.
    pub fn set_rect(&mut self, slot: u16, rect: Rect) {
        if !self.w.one_block
            && self.sprite(slot).body != NOBODY
            && let Some(body) = self.body_mut(slot)
            && (body.w, body.h) != (rect.w, rect.h)
        {
            (body.w, body.h) = (rect.w, rect.h);
            self.note(slot);
        }
        self.place(slot, rect.x, rect.y);
    }

    /// Makes a sprite, unless a singleton or the limit forbids it.
    pub fn create(&mut self, ty: TypeId, x: i32, y: i32) -> Option<u16> {
        let forbidden = self.w.rules.types[ty].ancestry.iter().any(|&ancestor| {
            self.w.rules.types[ancestor].singleton && self.count_family(ancestor) > 0
        });
        if forbidden { None } else { self.create_forced(ty, x, y) }
    }

    /// Makes a sprite even if a singleton forbids it.
    pub fn create_forced(&mut self, ty: TypeId, x: i32, y: i32) -> Option<u16> {
        if self.s.live as usize > MAX_SPRITES || self.w.rules.types[ty].class.is_none() {
            return None;
        }
        let at = ty.index();
        let (x, y) = (x.clamp(-FAR, FAR), y.clamp(-FAR, FAR));
        let body = if self.w.scenery[at] { NOBODY } else { self.create_body(ty, x, y) };
        let slot = match self.s.free_sprite {
            NOBODY => {
                let slot = self.s.sprites.len() as u16;
                self.s.sprites.push(EMPTY);
                slot
            }
            free => {
                self.s.free_sprite = self.sprite(free).next;
                free
            }
        };
        let layout = self.s.layout;
        let tail = self.s.index[layout.tails + at];
        let id = self.s.next_id;
        *self.sprite_mut(slot) = Sprite { x, y, id, prev: tail, ty: ty.0, body, ..EMPTY };
        if tail == NOBODY {
            self.s.index[layout.heads + at] = slot;
        } else {
            self.sprite_mut(tail).next = slot;
        }
        self.s.index[layout.tails + at] = slot;
        self.s.index[layout.counts + at] += 1;
        self.s.next_id += 1;
        self.s.live += 1;
        if self.w.is_still(ty) {
            self.s.still.push((slot, id));
        }
        self.note(slot);
        Some(slot)
    }

    fn create_body(&mut self, ty: TypeId, x: i32, y: i32) -> u16 {
        let at = ty.index();
        let mut body = self.w.templates[at];
        body.last = Rect { x, y, w: body.w, h: body.h };
        let first = &mut self.s.index[self.s.layout.created + at];
        if *first == 0 {
            // The framework builds the first sprite of a type from its parameters and copies the
            // others from it: the first begins with the last rectangle of a whole block, and only
            // the first knows what an avatar leaves behind.
            *first = 1;
            (body.last.w, body.last.h) = (self.w.block, self.w.block);
        } else if self.w.leaves_walls[at] {
            body.product = 0;
        }
        let width = self.w.resource_types.len();
        match self.s.free_body {
            NOBODY => {
                self.s.bodies.push(body);
                let len = self.s.bodies.len();
                self.s.resources.resize(len * width, ABSENT);
                (len - 1) as u16
            }
            free => {
                let place = usize::from(free);
                self.s.free_body = self.s.bodies[place].link;
                self.s.bodies[place] = body;
                self.s.resources[place * width..(place + 1) * width].fill(ABSENT);
                free
            }
        }
    }

    /// Kills a sprite; an avatar is only disabled unless it was transformed.
    pub fn kill(&mut self, slot: u16, transformed: bool) {
        if self.def(slot).class.is_some_and(crate::ontology::Class::is_avatar) && !transformed {
            self.sprite_mut(slot).flags |= crate::state::DISABLED;
        } else if !self.is_killed(slot) {
            self.sprite_mut(slot).flags |= KILLED;
            self.x.killed.push(slot);
        }
    }

    /// Removes what was killed in this tick.
    pub fn bury(&mut self) {
        for at in 0..self.x.killed.len() {
            let slot = self.x.killed[at];
            self.remove(slot);
        }
        self.x.killed.clear();
    }

    pub fn remove(&mut self, slot: u16) {
        if !self.w.keepers.is_empty() {
            self.remember_place(slot);
        }
        let Sprite { next, prev, ty, body, .. } = *self.sprite(slot);
        let (layout, ty) = (self.s.layout, usize::from(ty));
        if prev == NOBODY {
            self.s.index[layout.heads + ty] = next;
        } else {
            self.sprite_mut(prev).next = next;
        }
        if next == NOBODY {
            self.s.index[layout.tails + ty] = prev;
        } else {
            self.sprite_mut(next).prev = prev;
        }
        self.s.index[layout.counts + ty] -= 1;
        self.s.live -= 1;
        if body != NOBODY {
            self.s.bodies[usize::from(body)].link = self.s.free_body;
            self.s.free_body = body;
        }
        for player in &mut self.s.players {
            if player.avatar == slot {
                player.avatar = NOBODY;
            }
        }
        let free = self.s.free_sprite;
        *self.sprite_mut(slot) = Sprite { next: free, ..EMPTY };
        self.s.free_sprite = slot;
    }

    /// Tells the path chasers that keep this sprite as their target where it was last: the framework goes
    /// on asking the dead sprite itself, which stands where it died.
    fn remember_place(&mut self, slot: u16) {
        let Sprite { x, y, id, .. } = *self.sprite(slot);
        for at in 0..self.w.keepers.len() {
            let mut keeper = self.s.index[self.s.layout.heads + self.w.keepers[at].index()];
            while keeper != NOBODY {
                let Sprite { next, body, .. } = *self.sprite(keeper);
                if let Some(body) = self.s.bodies.get_mut(usize::from(body))
                    && (body.product, body.start as u32) == (i32::from(slot), id)
                {
                    body.seen = (x, y);
                }
                keeper = next;
            }
        }
    }

    /// Whether a sprite with this number still stands in this slot.
    pub fn is_sprite(&self, slot: u16, id: u32) -> bool {
        self.s.sprites.get(usize::from(slot)).is_some_and(|s| s.id == id && s.ty != NOBODY)
    }

    pub fn mark_from_avatar(&mut self, slot: u16) {
        self.sprite_mut(slot).flags |= FROM_AVATAR;
    }

    /// Notes work done; whether this tick may go on.
    #[inline]
    pub fn may_go_on(&mut self, work: u64) -> bool {
        self.x.work += work;
        self.x.work <= MAX_WORK
    }

    /// How much of a resource a sprite has, if it ever had any.
    pub fn resource(&self, slot: u16, resource: TypeId) -> Option<i32> {
        let column = self.w.resource_columns[resource.index()];
        let body = self.sprite(slot).body;
        if column == NOBODY || body == NOBODY {
            return None;
        }
        let at = usize::from(body) * self.w.resource_types.len() + usize::from(column);
        Some(self.s.resources[at]).filter(|&amount| amount != ABSENT)
    }

    pub fn set_resource(&mut self, slot: u16, resource: TypeId, amount: i32) {
        let column = self.w.resource_columns[resource.index()];
        let body = self.sprite(slot).body;
        if column != NOBODY && body != NOBODY {
            let at = usize::from(body) * self.w.resource_types.len() + usize::from(column);
            self.s.resources[at] = amount;
        }
    }

    /// Changes an amount, which never falls below 0.
    pub fn add_resource(&mut self, slot: u16, resource: TypeId, amount: i32) {
        let before = self.resource(slot, resource).unwrap_or(0);
        self.set_resource(slot, resource, before.saturating_add(amount).max(0));
    }
}

const EMPTY: Sprite = Sprite {
    x: 0,
    y: 0,
    id: u32::MAX,
    next: NOBODY,
    prev: NOBODY,
    ty: NOBODY,
    body: NOBODY,
    flags: 0,
};
