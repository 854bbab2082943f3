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
    /// Blocks of the sprites that have entered, by slot.
    spans: Vec<Span>,
    /// For each bit the bits it shares a block with.
    with: [u64; BITS + 1],
    /// Checks that must be looked at, as bits in words.
    due: Vec<u64>,
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
            due: Vec::new(),
        }
    }
}

impl Contacts {
    /// Whether a sprite of the type with this bit may touch one of `types`.
    #[inline]
    pub fn may_touch(&self, bit: u8, types: u64) -> bool {
        self.with[usize::from(bit) & BITS] & types != 0
    }

    /// The first check that is due from number `from` on.
    #[inline]
    pub fn next_due(&self, from: usize) -> Option<usize> {
        let mut word = from / 64;
        let mut here = self.due.get(word)? & (u64::MAX << (from % 64));
        while here == 0 {
            word += 1;
            here = *self.due.get(word)?;
        }
        Some(word * 64 + here.trailing_zeros() as usize)
    }

    fn start(&mut self, fixed: &Fixed, sprites: usize) {
        self.on = true;
        self.with = fixed.with;
        self.due.clear();
        self.due.extend_from_slice(&fixed.due);
        if self.blocks.len() < fixed.types.len() {
            self.blocks.resize(fixed.types.len(), Block::default());
        }
        if self.spans.len() < sprites {
            self.spans.resize(sprites, Span::default());
        }
    }

    #[inline]
    fn enter(&mut self, fixed: &Fixed, span: Span, across: usize, slot: u16, bit: u8) {
        self.spans[usize::from(slot)] = span;
        let mut first = span.first as usize;
        if span.right | span.down == 0 {
            return self.enter_block(fixed, first, slot, bit);
        }
        for _ in 0..=span.down {
            for at in first..first + usize::from(span.right) + 1 {
                self.enter_block(fixed, at, slot, bit);
            }
            first += across;
        }
    }

    #[inline]
    fn enter_block(&mut self, fixed: &Fixed, at: usize, slot: u16, bit: u8) {
        let own = usize::from(bit) & BITS;
        let block = &mut self.blocks[at];
        let met = (block.types | fixed.types[at]) & fixed.meets[own] & !self.with[own];
        let head = block.head;
        block.types |= 1 << own;
        self.entries.push(Entry { slot, next: head });
        block.head = self.entries.len() as u32;
        if head == 0 {
            self.entered.push(at as u32);
        }
        if met != 0 {
            self.meet(fixed, own, met);
        }
    }

    #[cold]
    fn meet(&mut self, fixed: &Fixed, own: usize, met: u64) {
        self.with[own] |= met;
        for other in bits(met) {
            self.with[other] |= 1 << own;
            fixed.make_due(other, &mut self.due);
        }
        fixed.make_due(own, &mut self.due);
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
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    types: Vec<u64>,
    /// Where the sprites of a block begin in the list.
    starts: Vec<u32>,
    /// Slot and number of each sprite; a dead one's slot holds another number.
    sprites: Vec<(u16, u32)>,
    /// For each bit the bits it shares a block with at the start.
    with: [u64; BITS + 1],
    /// For each bit the bits that rules let it meet.
    meets: [u64; BITS + 1],
    /// Checks that are due in every tick.
    due: Vec<u64>,
    /// For each bit the checks that have it on the first side.
    checks: Vec<u64>,
}

impl Default for Fixed {
    fn default() -> Self {
        Fixed {
            types: Vec::new(),
            starts: Vec::new(),
            sprites: Vec::new(),
            with: [0; BITS + 1],
            meets: [OUTSIDE; BITS + 1],
            due: Vec::new(),
            checks: Vec::new(),
        }
    }
}

impl Fixed {
    /// The scenery of `state`, the start of `world`.
    pub fn new(world: &World, state: &State) -> Fixed {
        let (across, down) = (world.cols as usize + 2, world.rows as usize + 2);
        let words = world.checks.len().div_ceil(64);
        let mut fixed = Fixed {
            types: vec![0; across * down],
            due: vec![0; words],
            checks: vec![0; words * (BITS + 1)],
            ..Fixed::default()
        };
        for (number, check) in world.checks.iter().enumerate() {
            let first = usize::from(check.bit);
            let (word, bit) = (number / 64, 1 << (number % 64));
            fixed.checks[first * words + word] |= bit;
            if check.always {
                fixed.due[word] |= bit;
            }
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
        let mut due = std::mem::take(&mut fixed.due);
        for bit in (0..BITS).filter(|&bit| fixed.with[bit] & fixed.meets[bit] != 0) {
            fixed.make_due(bit, &mut due);
        }
        fixed.due = due;
        fixed
    }

    /// Adds the checks that have `bit` on the first side.
    fn make_due(&self, bit: usize, due: &mut [u64]) {
        let own = &self.checks[bit * due.len()..][..due.len()];
        due.iter_mut().zip(own).for_each(|(due, own)| *due |= own);
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
        let (world, across) = (self.w, self.w.across());
        self.x.contacts.start(&world.fixed, self.s.sprites.len());
        for &(ty, bit) in &world.loose {
            let mut at = self.s.index[self.s.layout.heads + ty.index()];
            while let Some(sprite) = self.s.sprites.get(usize::from(at)) {
                let span = self.find_span(sprite);
                self.x.contacts.enter(&world.fixed, span, across, at, bit);
                at = sprite.next;
            }
        }
        let mut kept = 0;
        while let Some(&(slot, id)) = self.s.still.get(kept) {
            if self.sprite(slot).id == id {
                self.note(slot);
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
            let sprite = self.sprite(slot);
            let bit = self.w.bits[usize::from(sprite.ty)];
            if bit != NO_BIT {
                let span = self.find_span(sprite);
                if self.x.contacts.spans.len() <= usize::from(slot) {
                    self.x.contacts.spans.resize(self.s.sprites.len(), Span::default());
                }
                self.x.contacts.enter(&self.w.fixed, span, self.w.across(), slot, bit);
            }
        }
    }

    #[inline]
    fn find_span(&self, sprite: &Sprite) -> Span {
        let w = self.w;
        // What is far outside counts as beside the screen.
        let x = sprite.x.clamp(-w.block, w.screen.w);
        let y = sprite.y.clamp(-w.block, w.screen.h);
        let (left, top) = (w.divide(x), w.divide(y));
        let (right, down) = if w.one_block {
            (i32::from(x != left * w.block), i32::from(y != top * w.block))
        } else {
            let (width, height) = self.size(sprite);
            (w.column(sprite.x + width - 1) - left, w.row(sprite.y + height - 1) - top)
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
            self.find_span(self.sprite(at))
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
