//! Which sprites may touch, found once a tick so that most pairs of types need no look at all.
//!
//! When everything has moved, every sprite that is not scenery of the level enters the blocks it
//! lies on. A block knows the types on it as bits, so entering tells which types share a block
//! somewhere: two types that do not cannot touch, and their effects are skipped by one test. What
//! moves or comes into being while effects run enters again; nothing leaves before the tick ends.
//! So the lists are supersets of the true contacts, and callers compare rectangles.
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

#[derive(Clone, Copy, Debug)]
struct Entry {
    slot: u16,
    next: u32,
}

/// The knowledge of one tick; as at the start of the level between ticks.
#[derive(Clone, Debug)]
pub(crate) struct Contacts {
    /// Whether moves are noted: from the end of all movement to the end of the tick.
    on: bool,
    /// Whether the sprites of blocks are listed. They are listed at the first question of a tick.
    listed: bool,
    /// The level that `types` is about.
    world: u64,
    /// Types on each block, scenery included.
    types: Vec<u64>,
    /// Where the list of each block begins: a place in `entries` plus 1, or 0.
    heads: Vec<u32>,
    entries: Vec<Entry>,
    /// Blocks that anything entered.
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
            listed: false,
            world: 0,
            types: Vec::new(),
            heads: Vec::new(),
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

    fn start(&mut self, world: &World, sprites: usize) {
        let fixed = &world.fixed;
        // Sprites of odd sizes would enter too many blocks, or none: all checks are due.
        self.on = !world.odd_sizes;
        self.with = fixed.with;
        self.due.clear();
        self.due.extend_from_slice(&fixed.due);
        if self.world != world.id {
            self.world = world.id;
            self.types.clone_from(&fixed.types);
            self.heads.clear();
            self.heads.resize(fixed.types.len(), 0);
        }
        if self.spans.len() < sprites {
            self.spans.resize(sprites, Span::default());
        }
    }

    #[inline]
    fn enter(&mut self, world: &World, span: Span, slot: u16, bit: u8) {
        self.spans[usize::from(slot)] = span;
        let own = usize::from(bit) & BITS;
        let (first, set) = (span.first as usize, 1 << own);
        let near = if span.right | span.down == 0 {
            self.entered.push(span.first);
            let near = self.types[first];
            self.types[first] = near | set;
            near
        } else {
            self.enter_all(span, world.across(), set)
        };
        let met = near & world.fixed.meets[own] & !self.with[own];
        if met != 0 {
            self.meet(&world.fixed, own, met);
        }
        if self.listed {
            self.list(span, world.across(), slot);
        }
    }

    /// Sets a bit on all blocks of a span; what was on them.
    #[inline]
    fn enter_all(&mut self, span: Span, across: usize, set: u64) -> u64 {
        let (mut first, mut near) = (span.first as usize, 0);
        for _ in 0..=span.down {
            for at in first..first + usize::from(span.right) + 1 {
                self.entered.push(at as u32);
                near |= self.types[at];
                self.types[at] |= set;
            }
            first += across;
        }
        near
    }

    /// Enters a sprite into the lists of its blocks.
    fn list(&mut self, span: Span, across: usize, slot: u16) {
        let mut first = span.first as usize;
        for _ in 0..=span.down {
            for at in first..first + usize::from(span.right) + 1 {
                self.entries.push(Entry { slot, next: self.heads[at] });
                self.heads[at] = self.entries.len() as u32;
            }
            first += across;
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

    /// The types on the blocks of a span.
    #[inline]
    fn types_on(&self, span: Span, across: usize) -> u64 {
        let first = span.first as usize;
        if span.right <= 1 && span.down <= 1 {
            let (right, below) = (usize::from(span.right), usize::from(span.down) * across);
            let all = &self.types[first..];
            return all[0] | all[right] | all[below] | all[below + right];
        }
        let rows = (0..=usize::from(span.down)).map(|row| first + row * across);
        rows.flat_map(|row| &self.types[row..=row + usize::from(span.right)]).fold(0, |a, b| a | b)
    }

    /// Clears the entries of the tick.
    pub fn clear(&mut self, fixed: &Fixed) {
        for &block in &self.entered {
            self.types[block as usize] = fixed.types[block as usize];
        }
        if self.listed {
            for &block in &self.entered {
                self.heads[block as usize] = 0;
            }
            self.entries.clear();
            self.listed = false;
        }
        self.entered.clear();
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
        fixed.sprites =
            placed.iter().map(|&(_, slot)| (slot, state.sprites[usize::from(slot)].id)).collect();
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
        let world = self.w;
        self.x.contacts.start(world, self.s.sprites.len());
        if !self.x.contacts.on {
            return;
        }
        for &(ty, bit) in &world.loose {
            let mut at = self.s.index[self.s.layout.heads + ty.index()];
            while let Some(sprite) = self.s.sprites.get(usize::from(at)) {
                let span = self.find_span(sprite);
                self.x.contacts.enter(world, span, at, bit);
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
                self.x.contacts.enter(self.w, span, slot, bit);
            }
        }
    }

    /// Makes sure that the sprites of blocks are listed, if `types` has any that are not scenery of
    /// the level.
    pub fn list_blocks(&mut self, types: u64) {
        let world = self.w;
        if self.x.contacts.listed || types & world.listed_types == 0 {
            return;
        }
        self.x.contacts.listed = true;
        let across = world.across();
        for &(ty, _) in &world.loose {
            let mut at = self.s.index[self.s.layout.heads + ty.index()];
            while let Some(sprite) = self.s.sprites.get(usize::from(at)) {
                let span = self.x.contacts.spans[usize::from(at)];
                self.x.contacts.list(span, across, at);
                at = sprite.next;
            }
        }
        for at in 0..self.s.still.len() {
            // Nothing is removed before the tick ends.
            let slot = self.s.still[at].0;
            let span = self.x.contacts.spans[usize::from(slot)];
            self.x.contacts.list(span, across, slot);
        }
    }

    #[inline(always)]
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
        let across = self.w.across();
        if self.x.contacts.types_on(span, across) & types == 0 {
            return 1;
        }
        let mut seen = 1;
        let mut row = span.first as usize;
        for _ in 0..=span.down {
            for block in row..row + usize::from(span.right) + 1 {
                if self.x.contacts.types[block] & types != 0 {
                    seen += self.each_on_block(at, block, types, &mut each);
                }
            }
            row += across;
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
        let mut next = contacts.heads[block];
        while next != 0 {
            let entry = contacts.entries[next as usize - 1];
            seen += 1;
            if entry.slot != at && self.overlap(at, entry.slot) {
                each(entry.slot, self.sprite(entry.slot));
            }
            next = entry.next;
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
