//! Which sprites may touch, found once a tick so that most pairs of types need no look at all.
//!
//! When everything has moved, every sprite that is not scenery of the level enters the blocks it
//! lies on. A block knows the types on it as bits, so entering tells which types share a block
//! somewhere: two types that do not cannot touch, and their effects are skipped by one test. What
//! moves or comes into being while effects run enters again; nothing leaves before the tick ends.
//! So everything here is a superset of the truth, and whoever asks compares rectangles.
//!
//! Scenery that the level puts somewhere stays there until it is killed. Its blocks are found once
//! per level ([`Fixed`]).

use crate::level::World;
use crate::sim::Sim;
use crate::state::{NOBODY, Sprite, State};

/// Bits of a set of types. Games with more types share bits, which only makes the sets larger.
pub(crate) const BITS: usize = 63;
/// Not a type: set where a block lies outside the screen.
pub(crate) const OUTSIDE: u64 = 1 << BITS;
/// A type that meets nothing.
pub(crate) const NO_BIT: u8 = u8::MAX;
/// Sprites are at most this many blocks wide and high where blocks are used at all.
pub(crate) const MAX_SPAN: i32 = 8;

/// The types on a block, and the first sprite that entered it.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    types: u64,
    /// Place in the list of entries plus 1; 0 for none.
    head: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    slot: u16,
    next: u32,
}

/// What is known in one tick; empty between ticks.
#[derive(Clone, Debug)]
pub(crate) struct Contacts {
    /// Whether moves are noted: from the end of all movement to the end of the tick.
    on: bool,
    blocks: Vec<Block>,
    entries: Vec<Entry>,
    entered: Vec<u32>,
    /// For each bit the bits it shares a block with.
    with: [u64; BITS + 1],
}

impl Default for Contacts {
    fn default() -> Self {
        Contacts {
            on: false,
            blocks: Vec::new(),
            entries: Vec::new(),
            entered: Vec::new(),
            with: [0; BITS + 1],
        }
    }
}

impl Contacts {
    /// Whether a sprite of the type with this bit may touch one of `types`.
    #[inline]
    pub fn may_touch(&self, bit: u8, types: u64) -> bool {
        self.with[usize::from(bit) & BITS] & types != 0
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for &block in &self.entered {
            self.blocks[block as usize] = Block::default();
        }
        self.entered.clear();
        self.entries.clear();
        self.on = false;
    }
}

/// Scenery as the level puts it, by blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fixed {
    types: Vec<u64>,
    /// Where the sprites of a block begin in the list.
    starts: Vec<u32>,
    /// Slot and number of each sprite; a dead one's slot holds another number.
    sprites: Vec<(u16, u32)>,
    /// Bits that share a block at the start.
    with: Vec<u64>,
    /// Bits that rules let meet.
    meets: Vec<u64>,
}

impl Fixed {
    /// The scenery of `state`, the start of `world`.
    pub fn new(world: &World, state: &State) -> Fixed {
        let (across, down) = (world.cols as usize + 2, world.rows as usize + 2);
        let mut fixed = Fixed {
            types: vec![0; across * down],
            starts: Vec::with_capacity(across * down + 1),
            sprites: Vec::new(),
            with: vec![0; BITS + 1],
            meets: vec![OUTSIDE; BITS + 1],
        };
        for check in &world.checks {
            let first = usize::from(check.bit);
            fixed.meets[first] |= check.seconds;
            for second in bits(check.seconds) {
                fixed.meets[second] |= 1 << first;
            }
        }
        for at in 0..across {
            fixed.types[at] = OUTSIDE;
            fixed.types[(down - 1) * across + at] = OUTSIDE;
        }
        for row in 0..down {
            fixed.types[row * across] = OUTSIDE;
            fixed.types[row * across + across - 1] = OUTSIDE;
        }
        let mut placed: Vec<(usize, u16)> = Vec::new();
        for ty in state.types().filter(|ty| world.is_still(*ty)) {
            let bit = world.bits[ty.index()];
            for slot in state.slots(ty) {
                let Sprite { x, y, .. } = state.sprites[usize::from(slot)];
                let block = world.block_at(x, y);
                let below = fixed.types[block] & !OUTSIDE;
                for other in bits(below) {
                    fixed.with[other] |= 1 << bit;
                }
                fixed.with[usize::from(bit)] |= below;
                fixed.types[block] |= 1 << bit;
                placed.push((block, slot));
            }
        }
        placed.sort_unstable();
        for block in 0..=across * down {
            fixed.starts.push(placed.partition_point(|&(at, _)| at < block) as u32);
        }
        fixed.sprites = placed
            .iter()
            .map(|&(_, slot)| (slot, state.sprites[usize::from(slot)].id))
            .collect();
        fixed
    }
}

/// The numbers of the bits that are set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// The blocks a rectangle lies on.
#[derive(Clone, Copy)]
struct Span {
    first: usize,
    /// How many more to the right and down.
    right: usize,
    down: usize,
}

impl Span {
    #[inline]
    fn blocks(self, across: usize) -> impl Iterator<Item = usize> {
        (0..=self.down).flat_map(move |row| {
            let start = self.first + row * across;
            start..=start + self.right
        })
    }
}

impl Sim<'_> {
    /// Enters all sprites that can meet anything, and from now on those that move.
    pub fn find_contacts(&mut self) {
        let world = self.w;
        let plane = world.fixed.types.len();
        let contacts = &mut self.x.contacts;
        contacts.on = true;
        contacts.with.copy_from_slice(&world.fixed.with);
        if contacts.blocks.len() < plane {
            contacts.blocks.resize(plane, Block::default());
        }
        for &(ty, bit) in &world.loose {
            let mut at = self.s.index[self.s.layout.heads + ty.index()];
            while at != NOBODY {
                let Sprite { x, y, next, .. } = *self.sprite(at);
                self.enter(at, bit, x, y);
                at = next;
            }
        }
        let mut kept = 0;
        while let Some(&(slot, id)) = self.s.still.get(kept) {
            let sprite = *self.sprite(slot);
            if sprite.id == id {
                self.enter(slot, world.bits[usize::from(sprite.ty)], sprite.x, sprite.y);
                kept += 1;
            } else {
                self.s.still.swap_remove(kept);
            }
        }
    }

    /// Notes that a sprite is somewhere new.
    #[inline]
    pub fn note(&mut self, slot: u16) {
        if self.x.contacts.on {
            let Sprite { x, y, ty, .. } = *self.sprite(slot);
            let bit = self.w.bits[usize::from(ty)];
            if bit != NO_BIT {
                self.enter(slot, bit, x, y);
            }
        }
    }

    #[inline]
    fn enter(&mut self, slot: u16, bit: u8, x: i32, y: i32) {
        let span = self.span(slot, x, y);
        if span.right | span.down == 0 {
            self.enter_block(span.first, slot, bit);
        } else {
            for block in span.blocks(self.w.across()) {
                self.enter_block(block, slot, bit);
            }
        }
    }

    #[inline]
    fn enter_block(&mut self, at: usize, slot: u16, bit: u8) {
        let fixed = &self.w.fixed;
        let contacts = &mut self.x.contacts;
        let block = &mut contacts.blocks[at];
        let own = usize::from(bit) & BITS;
        let met = (block.types | fixed.types[at]) & fixed.meets[own] & !contacts.with[own];
        if block.head == 0 {
            contacts.entered.push(at as u32);
        }
        block.types |= 1 << own;
        contacts.entries.push(Entry { slot, next: block.head });
        block.head = contacts.entries.len() as u32;
        if met != 0 {
            contacts.with[own] |= met;
            for other in bits(met) {
                contacts.with[other] |= 1 << own;
            }
        }
    }

    /// The blocks a sprite lies on.
    #[inline]
    fn span(&self, slot: u16, x: i32, y: i32) -> Span {
        let w = self.w;
        let (cx, cy) = (w.cell_of(x), w.cell_of(y));
        let (width, height) = if w.one_block {
            (w.block, w.block)
        } else {
            let rect = self.rect(slot);
            (rect.w, rect.h)
        };
        // The corner of most sprites is that of a block.
        let right = if w.one_block && x == cx * w.block { cx } else { w.cell_of(x + width - 1) };
        let down = if w.one_block && y == cy * w.block { cy } else { w.cell_of(y + height - 1) };
        let (left, top) = (cx.min(w.cols), cy.min(w.rows));
        Span {
            first: (top + 1) as usize * w.across() + (left + 1) as usize,
            right: (right.min(w.cols) - left).max(0) as usize,
            down: (down.min(w.rows) - top).max(0) as usize,
        }
    }

    /// Whether the sprite shares a block with one of `types`.
    #[inline]
    pub fn may_touch(&self, slot: u16, types: u64) -> bool {
        let Sprite { x, y, .. } = *self.sprite(slot);
        let on = |at: usize| self.x.contacts.blocks[at].types | self.w.fixed.types[at];
        let span = self.span(slot, x, y);
        if span.right | span.down == 0 {
            return on(span.first) & types != 0;
        }
        span.blocks(self.w.across()).any(|at| on(at) & types != 0)
    }

    /// Calls `each` for every sprite that overlaps the one in `at` and shares a block with it that
    /// holds one of `types`, some of them more than once; how many were looked at.
    #[inline]
    pub fn each_touching(&self, at: u16, types: u64, mut each: impl FnMut(u16, &Sprite)) -> u64 {
        let Sprite { x, y, .. } = *self.sprite(at);
        let span = self.span(at, x, y);
        if span.right | span.down == 0 {
            return 1 + self.each_on_block(at, span.first, types, &mut each);
        }
        let blocks = span.blocks(self.w.across());
        1 + blocks.map(|block| self.each_on_block(at, block, types, &mut each)).sum::<u64>()
    }

    #[inline]
    fn each_on_block(
        &self,
        at: u16,
        block: usize,
        types: u64,
        each: &mut impl FnMut(u16, &Sprite),
    ) -> u64 {
        let (fixed, contacts) = (&self.w.fixed, &self.x.contacts);
        let mut seen = 0;
        if fixed.types[block] & types != 0 {
            let list = fixed.starts[block] as usize..fixed.starts[block + 1] as usize;
            for &(slot, id) in &fixed.sprites[list] {
                let other = self.sprite(slot);
                seen += 1;
                if other.id == id && slot != at && self.overlap(at, slot) {
                    each(slot, other);
                }
            }
        }
        if contacts.blocks[block].types & types != 0 {
            let mut entry = contacts.blocks[block].head;
            while let Some(&Entry { slot, next }) = contacts.entries.get(entry as usize - 1) {
                seen += 1;
                if slot != at && self.overlap(at, slot) {
                    each(slot, self.sprite(slot));
                }
                if next == 0 {
                    break;
                }
                entry = next;
            }
        }
        seen
    }

    /// Whether two sprites overlap.
    #[inline]
    pub fn overlap(&self, a: u16, b: u16) -> bool {
        if self.w.one_block {
            let (a, b, block) = (self.sprite(a), self.sprite(b), self.w.block);
            return (a.x - b.x).abs() < block && (a.y - b.y).abs() < block;
        }
        self.rect(a).overlaps(&self.rect(b))
    }
}
