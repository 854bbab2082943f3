//! One tick in the making: the state with the tables it is advanced by, and the small operations
//! everything else is made of: creating, killing, placing and finding sprites.

use crate::level::World;
use crate::state::{
    ABSENT, Body, FROM_AVATAR, KILLED, MAX_SPRITES, NOBODY, Rect, Sprite, State, UNALIGNED,
    UNALIGNED_X, UNALIGNED_Y,
};
use crate::types::{SpriteType, TypeId};
use crate::value::Vector;

/// Which sprites are looked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Among {
    /// Those that stay where the level puts them.
    pub fixed: bool,
    /// All others.
    pub loose: bool,
}

/// Memory that a tick needs and leaves to the next one; one per thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
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
        let (w, h) = match self.s.bodies.get(usize::from(sprite.body)) {
            Some(body) => (body.w, body.h),
            None => self.w.sizes[usize::from(sprite.ty)],
        };
        Rect { x: sprite.x, y: sprite.y, w, h }
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

    /// The block of a corner in the index, and how the corner lies on it. Everything outside is in
    /// the border.
    #[inline]
    fn cell(&self, ty: u16, x: i32, y: i32) -> (u32, u8) {
        let w = self.w;
        let (cx, cy) = (w.cell_of(x), w.cell_of(y));
        // Block numbers are exact up to the border; beyond it only a division tells.
        let off = |at: i32, cell: i32| {
            at != cell * w.block && (w.is_near(at) || at.rem_euclid(w.block) != 0)
        };
        let flags = (u8::from(off(x, cx)) * UNALIGNED_X) | (u8::from(off(y, cy)) * UNALIGNED_Y);
        let (cx, cy) = (cx.min(w.cols), cy.min(w.rows));
        let plane = if w.never_outside[usize::from(ty)] { 0 } else { self.s.layout.plane };
        let cell = plane + (cy + 1) as usize * self.s.layout.across + (cx + 1) as usize;
        (cell as u32, flags)
    }

    /// Chains a sprite into its block. Types that meet nothing are left out, so that blocks hold
    /// only what can be met there.
    fn enter_cell(&mut self, slot: u16) {
        let Sprite { x, y, ty, .. } = *self.sprite(slot);
        if !self.w.in_cells[usize::from(ty)] {
            return;
        }
        let (cell, flags) = self.cell(ty, x, y);
        let head = std::mem::replace(&mut self.s.index[cell as usize], slot);
        let sprite = self.sprite_mut(slot);
        sprite.cell = cell;
        (sprite.below, sprite.above) = (head, NOBODY);
        sprite.flags = sprite.flags & !UNALIGNED | flags;
        if head != NOBODY {
            self.sprite_mut(head).above = slot;
        }
        self.s.unaligned += u32::from(flags != 0);
    }

    fn leave_cell(&mut self, slot: u16) {
        let Sprite { cell, below, above, flags, ty, .. } = *self.sprite(slot);
        if !self.w.in_cells[usize::from(ty)] {
            return;
        }
        if above == NOBODY {
            self.s.index[cell as usize] = below;
        } else {
            self.sprite_mut(above).below = below;
        }
        if below != NOBODY {
            self.sprite_mut(below).above = above;
        }
        self.s.unaligned -= u32::from(flags & UNALIGNED != 0);
    }

    /// Puts a sprite somewhere else.
    #[inline]
    pub fn place(&mut self, slot: u16, x: i32, y: i32) {
        // Nothing flies so far that sums of coordinates could overflow.
        let (x, y) = (x.clamp(-FAR, FAR), y.clamp(-FAR, FAR));
        let sprite = self.sprite(slot);
        if (sprite.x, sprite.y) == (x, y) {
            return;
        }
        let Sprite { ty, cell: old, flags, .. } = *sprite;
        if self.w.in_cells[usize::from(ty)] {
            let (cell, lies) = self.cell(ty, x, y);
            if cell == old {
                // A small step inside the block.
                self.s.unaligned += u32::from(lies != 0);
                self.s.unaligned -= u32::from(flags & UNALIGNED != 0);
                let sprite = self.sprite_mut(slot);
                sprite.flags = flags & !UNALIGNED | lies;
                (sprite.x, sprite.y) = (x, y);
                return;
            }
        }
        self.leave_cell(slot);
        let sprite = self.sprite_mut(slot);
        (sprite.x, sprite.y) = (x, y);
        self.enter_cell(slot);
    }

    /// Gives a sprite another rectangle, size included.
    pub fn set_rect(&mut self, slot: u16, rect: Rect) {
        self.place(slot, rect.x, rect.y);
        if self.sprite(slot).body != NOBODY
            && let Some(body) = self.body_mut(slot)
        {
            (body.w, body.h) = (rect.w, rect.h);
        }
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
        self.enter_cell(slot);
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
        self.leave_cell(slot);
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

    /// Whether a sprite with this number still stands in this slot.
    pub fn is_sprite(&self, slot: u16, id: u32) -> bool {
        self.s.sprites.get(usize::from(slot)).is_some_and(|s| s.id == id && s.ty != NOBODY)
    }

    pub fn mark_from_avatar(&mut self, slot: u16) {
        self.sprite_mut(slot).flags |= FROM_AVATAR;
    }

    /// Calls `each` for every sprite in a block that overlaps the one in `at`, of those that stay
    /// where the level puts them if `fixed`, of the others if `loose`; how many were looked at.
    #[inline]
    pub fn each_touching(&self, at: u16, among: Among, mut each: impl FnMut(u16, &Sprite)) -> u64 {
        let sprite = self.sprite(at);
        let plane = self.s.layout.plane;
        let own = sprite.cell as usize % plane;
        let mut seen = 1;
        if !self.w.one_block {
            if among.fixed {
                seen += self.each_in_reach(at, 0, &mut each);
            }
            if among.loose {
                seen += self.each_in_reach(at, plane, &mut each);
            }
            return seen;
        }
        let on_block = sprite.flags & UNALIGNED == 0;
        if among.fixed {
            seen += if on_block {
                self.each_at(at, own, &mut each)
            } else {
                self.each_around(at, own, 0, 0, &mut each)
            };
        }
        if among.loose {
            seen += if on_block && self.s.unaligned == 0 {
                self.each_at(at, own + plane, &mut each)
            } else {
                self.each_around(at, own, 1, plane, &mut each)
            };
        }
        seen
    }

    /// Blocks on blocks: to overlap is to be at the same place.
    #[inline]
    fn each_at(&self, at: u16, cell: usize, each: &mut impl FnMut(u16, &Sprite)) -> u64 {
        let (x, y) = (self.sprite(at).x, self.sprite(at).y);
        self.each_in_cell(cell, |slot, other| {
            if slot != at && (other.x, other.y) == (x, y) {
                each(slot, other);
            }
        })
    }

    /// Sprites of one block each: looks at the blocks the sprite lies on, and `before` blocks to the
    /// left and above, where sprites between blocks begin that reach over.
    fn each_around(
        &self,
        at: u16,
        own: usize,
        before: usize,
        plane: usize,
        each: &mut impl FnMut(u16, &Sprite),
    ) -> u64 {
        let Sprite { x, y, flags, .. } = *self.sprite(at);
        let (across, block) = (self.s.layout.across, self.w.block);
        let right = usize::from(flags & UNALIGNED_X != 0);
        let down = usize::from(flags & UNALIGNED_Y != 0);
        let mut seen = 0;
        for row in 0..=before + down {
            // The border wraps to the next row, where nothing can overlap.
            let Some(first) = (own + row * across).checked_sub(before * (across + 1)) else {
                continue;
            };
            for cell in first..=first + before + right {
                if cell >= self.s.layout.plane {
                    break;
                }
                seen += self.each_in_cell(plane + cell, |slot, other| {
                    if (other.x - x).abs() < block && (other.y - y).abs() < block && slot != at {
                        each(slot, other);
                    }
                });
            }
        }
        seen
    }

    /// Sprites of any size: looks at all blocks in which one might begin that reaches here.
    fn each_in_reach(&self, at: u16, plane: usize, each: &mut impl FnMut(u16, &Sprite)) -> u64 {
        let (w, rect) = (self.w, self.rect(at));
        let left = w.cell_of(rect.x - w.largest.0 + 1).min(w.cols) + 1;
        let right = w.cell_of(rect.x + rect.w - 1).min(w.cols) + 1;
        let top = w.cell_of(rect.y - w.largest.1 + 1).min(w.rows) + 1;
        let bottom = w.cell_of(rect.y + rect.h - 1).min(w.rows) + 1;
        let mut seen = 0;
        for cy in top..=bottom {
            let row = plane + cy as usize * self.s.layout.across;
            for cell in row + left as usize..=row + right as usize {
                seen += self.each_in_cell(cell, |slot, other| {
                    if slot != at && rect.overlaps(&self.rect(slot)) {
                        each(slot, other);
                    }
                });
            }
        }
        seen
    }

    #[inline]
    fn each_in_cell(&self, cell: usize, mut each: impl FnMut(u16, &Sprite)) -> u64 {
        let mut slot = self.s.index[cell];
        let mut seen = 0;
        while slot != NOBODY {
            let sprite = &self.s.sprites[usize::from(slot)];
            each(slot, sprite);
            slot = sprite.below;
            seen += 1;
        }
        seen
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

const FAR: i32 = 1 << 28;
const EMPTY: Sprite = Sprite {
    x: 0,
    y: 0,
    id: u32::MAX,
    cell: 0,
    next: NOBODY,
    prev: NOBODY,
    below: NOBODY,
    above: NOBODY,
    ty: NOBODY,
    body: NOBODY,
    flags: 0,
};
