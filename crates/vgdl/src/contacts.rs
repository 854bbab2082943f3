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
use crate::state::{NOBODY, Rect, Sprite, State};

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
    /// Blocks of the sprites that have entered, by slot.
    spans: Vec<Span>,
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
            spans: Vec::new(),
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

    #[inline]
    fn enter_block(&mut self, fixed: &Fixed, at: usize, slot: u16, bit: u8) {
        let own = usize::from(bit) & BITS;
        let block = &mut self.blocks[at];
        let met = (block.types | fixed.types[at]) & fixed.meets[own] & !self.with[own];
        if block.head == 0 {
            self.entered.push(at as u32);
        }
        block.types |= 1 << own;
        self.entries.push(Entry { slot, next: block.head });
        block.head = self.entries.len() as u32;
        if met != 0 {
            self.with[own] |= met;
            for other in bits(met) {
                self.with[other] |= 1 << own;
            }
        }
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
    /// For each bit the bits that rules let meet.
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

/// The blocks a sprite lies on.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    first: u32,
    /// How many more to the right and down.
    right: u16,
    down: u16,
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
        if contacts.spans.len() < self.s.sprites.len() {
            contacts.spans.resize(self.s.sprites.len(), Span::default());
        }
        for &(ty, bit) in &world.loose {
            let mut at = self.s.index[self.s.layout.heads + ty.index()];
            while at != NOBODY {
                self.enter(at, bit);
                at = self.sprite(at).next;
            }
        }
        let mut kept = 0;
        while let Some(&(slot, id)) = self.s.still.get(kept) {
            let sprite = self.sprite(slot);
            if sprite.id == id {
                self.enter(slot, world.bits[usize::from(sprite.ty)]);
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
            let bit = self.w.bits[usize::from(self.sprite(slot).ty)];
            if bit != NO_BIT {
                if self.x.contacts.spans.len() <= usize::from(slot) {
                    self.x.contacts.spans.resize(self.s.sprites.len(), Span::default());
                }
                self.enter(slot, bit);
            }
        }
    }

    #[inline]
    fn enter(&mut self, slot: u16, bit: u8) {
        let span = self.find_span(slot);
        let contacts = &mut self.x.contacts;
        contacts.spans[usize::from(slot)] = span;
        let (fixed, across) = (&self.w.fixed, self.w.across());
        let mut row = span.first as usize;
        for _ in 0..=span.down {
            for at in row..=row + usize::from(span.right) {
                contacts.enter_block(fixed, at, slot, bit);
            }
            row += across;
        }
    }

    #[inline]
    fn find_span(&self, slot: u16) -> Span {
        let w = self.w;
        let Sprite { x, y, .. } = *self.sprite(slot);
        let (left, top) = (w.column(x), w.row(y));
        let (right, down) = if w.one_block {
            // Most sprites lie exactly on a block. What is far outside counts as beside the screen.
            let (x, y) = (x.clamp(-w.block, w.screen.w), y.clamp(-w.block, w.screen.h));
            (i32::from(x != left * w.block), i32::from(y != top * w.block))
        } else {
            let Rect { w: width, h: height, .. } = self.rect(slot);
            (w.column(x + width - 1) - left, w.row(y + height - 1) - top)
        };
        Span {
            first: ((top + 1) * (w.cols + 2) + left + 1) as u32,
            right: right as u16,
            down: down as u16,
        }
    }

    /// Calls `each` for every sprite that overlaps the one in `at` and shares a block with it that
    /// holds one of `types`, some of them more than once; how many were looked at.
    #[inline]
    pub fn each_touching(&self, at: u16, types: u64, mut each: impl FnMut(u16, &Sprite)) -> u64 {
        let span = if self.sprite(at).body == NOBODY {
            self.find_span(at)
        } else {
            self.x.contacts.spans[usize::from(at)]
        };
        let mut seen = 1;
        let mut row = span.first as usize;
        for _ in 0..=span.down {
            for block in row..=row + usize::from(span.right) {
                let here = self.x.contacts.blocks[block].types | self.w.fixed.types[block];
                if here & types != 0 {
                    seen += self.each_on_block(at, block, types, &mut each);
                }
            }
            row += self.w.across();
        }
        seen
    }

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
            let mut next = contacts.blocks[block].head;
            while next != 0 {
                let entry = contacts.entries[next as usize - 1];
                seen += 1;
                if entry.slot != at && self.overlap(at, entry.slot) {
                    each(entry.slot, self.sprite(entry.slot));
                }
                next = entry.next;
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
