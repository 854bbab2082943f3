//! The state of a running game as plain data.
//!
//! All sprites stand in one array of small records; those that can change anything but their
//! existence have a second record, the body. Sprites of a type are chained in the order of their
//! creation by numbers, so that a copy of a state is a copy of a few flat arrays. Heads, tails and
//! counts of all chains share one array (see [`Layout`]). The sprites on each block are not part of a
//! state: a tick finds them when it needs them (`contacts`).

use std::hash::{Hash, Hasher};

use crate::chance::Chance;
use crate::ontology::Action;
use crate::rules::{MAX_COUNTERS, MAX_PLAYERS};
use crate::types::TypeId;
use crate::value::Vector;

/// More sprites than this are not created.
pub const MAX_SPRITES: usize = 10_000;
/// No sprite, no body, end of a chain.
pub const NOBODY: u16 = u16::MAX;

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width.
    pub w: i32,
    /// Height.
    pub h: i32,
}

impl Rect {
    /// Whether the two share a pixel.
    #[inline]
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.w > 0
            && self.h > 0
            && other.w > 0
            && other.h > 0
            && self.x < other.x + other.w
            && other.x < self.x + self.w
            && self.y < other.y + other.h
            && other.y < self.y + self.h
    }

    /// Whether `other` lies inside.
    pub fn contains(&self, other: &Rect) -> bool {
        self.w > 0
            && self.h > 0
            && other.w > 0
            && other.h > 0
            && other.x >= self.x
            && other.y >= self.y
            && other.x + other.w <= self.x + self.w
            && other.y + other.h <= self.y + self.h
    }

    /// The centre of the rectangle.
    pub fn center(&self) -> Vector {
        (f64::from(self.x) + f64::from(self.w) / 2.0, f64::from(self.y) + f64::from(self.h) / 2.0)
    }
}

/// The values that every sprite has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sprite {
    pub x: i32,
    pub y: i32,
    /// Grows with creation; never used twice in a game.
    pub id: u32,
    /// Next and previous of the type.
    pub next: u16,
    pub prev: u16,
    pub ty: u16,
    /// Its body, or [`NOBODY`] for scenery.
    pub body: u16,
    pub flags: u8,
}

impl Sprite {
    /// Moves while nothing needs to know where sprites are.
    #[inline]
    pub fn shift(&mut self, dx: i32, dy: i32) {
        self.x = self.x.saturating_add(dx).clamp(-FAR, FAR);
        self.y = self.y.saturating_add(dy).clamp(-FAR, FAR);
    }
}

/// Nothing flies so far that sums of coordinates could overflow.
pub(crate) const FAR: i32 = 1 << 28;

/// Killed in this tick, gone at its end.
pub(crate) const KILLED: u8 = 1;
/// Made by an avatar.
pub(crate) const FROM_AVATAR: u8 = 2;
/// A dead avatar.
pub(crate) const DISABLED: u8 = 4;
/// The values of sprites that can change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Body {
    /// Where it was when the tick began.
    pub last: Rect,
    pub w: i32,
    pub h: i32,
    pub orientation: Vector,
    pub speed: f64,
    pub gravity: f64,
    pub rotation: f64,
    /// Ticks since it moved.
    pub lastmove: i32,
    pub health: i32,
    pub max_health: i32,
    pub time_to_live: i32,
    /// Age of flickers, sprites made by spawn points, repeated moves of characters, tick of a
    /// wizard's last block.
    pub count: i32,
    /// First tick of spawn points, -1 before; the number of the sprite a path chaser runs to.
    pub start: i32,
    /// The type that a spawn point makes or an avatar leaves behind; -1 for none.
    pub product: i32,
    /// Where the target of a path chaser was seen last.
    pub seen: (i32, i32),
    /// Last move of a character; facing of cars and wizards.
    pub heading: Vector,
    pub oriented: bool,
    pub first_tick: bool,
    pub on_ground: bool,
    pub fleeing: bool,
    pub has_seen: bool,
    pub player: u8,
    /// Next free body.
    pub link: u16,
}

/// Where a player stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Player {
    /// Points so far.
    pub score: f64,
    /// Whether the player has won or lost, once that is decided.
    pub win: Option<bool>,
    /// The player's last action.
    pub last_action: Action,
    /// The avatar's sprite; [`NOBODY`] if the level has none.
    pub(crate) avatar: u16,
}

/// An effect that an avatar, or something it made, took part in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The tick.
    pub tick: i32,
    /// Whether it was something the avatar made, not the avatar itself.
    pub from_avatar: bool,
    /// Type of the avatar or of what it made.
    pub active_type: TypeId,
    /// Type of the other sprite.
    pub passive_type: TypeId,
    /// Number of the avatar's sprite or of what it made.
    pub active_id: u32,
    /// Number of the other sprite.
    pub passive_id: u32,
    /// Where the active sprite was, in pixels.
    pub position: (i32, i32),
}

/// A timed effect that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Waiting {
    pub at: i32,
    pub timed: u16,
}

/// Where the parts of [`State::index`] begin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layout {
    pub heads: usize,
    pub tails: usize,
    pub counts: usize,
    pub created: usize,
    pub end: usize,
}

impl Layout {
    pub fn new(types: usize) -> Self {
        Layout { heads: 0, tails: types, counts: 2 * types, created: 3 * types, end: 4 * types }
    }
}

/// A moment of a game.
#[derive(Debug)]
pub struct State {
    pub(crate) tick: i32,
    pub(crate) ended: bool,
    /// Cleared while a stop counter forbids the end.
    pub(crate) can_end: bool,
    pub(crate) chance: Chance,
    pub(crate) next_id: u32,
    pub(crate) live: u32,
    pub(crate) free_sprite: u16,
    pub(crate) free_body: u16,
    pub(crate) players: [Player; MAX_PLAYERS],
    pub(crate) counters: [i32; MAX_COUNTERS],
    pub(crate) index: Vec<u16>,
    pub(crate) sprites: Vec<Sprite>,
    pub(crate) bodies: Vec<Body>,
    /// Amounts of resources per body; [`ABSENT`] until first touched.
    pub(crate) resources: Vec<i32>,
    pub(crate) waiting: Vec<Waiting>,
    /// Products of random bombers that an effect has replaced: type, old, new.
    pub(crate) replaced: Vec<(u16, u16, u16)>,
    /// Slot and number of scenery that came into being after the start, with some that is gone.
    pub(crate) still: Vec<(u16, u32)>,
    /// Events of the last tick.
    pub(crate) events: Vec<Event>,
    /// Part of the index that chains sprites by type.
    pub(crate) layout: Layout,
}

/// A resource the sprite never had.
pub(crate) const ABSENT: i32 = i32::MIN;

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            index: self.index.clone(),
            sprites: self.sprites.clone(),
            bodies: self.bodies.clone(),
            resources: self.resources.clone(),
            waiting: self.waiting.clone(),
            replaced: self.replaced.clone(),
            still: self.still.clone(),
            events: self.events.clone(),
            ..*self
        }
    }

    /// Copies into memory that is already there.
    fn clone_from(&mut self, from: &Self) {
        let mut target = std::mem::replace(self, State { ..from.header() });
        target.index.clone_from(&from.index);
        target.sprites.clone_from(&from.sprites);
        target.bodies.clone_from(&from.bodies);
        target.resources.clone_from(&from.resources);
        target.waiting.clone_from(&from.waiting);
        target.replaced.clone_from(&from.replaced);
        target.still.clone_from(&from.still);
        target.events.clone_from(&from.events);
        self.index = target.index;
        self.sprites = target.sprites;
        self.bodies = target.bodies;
        self.resources = target.resources;
        self.waiting = target.waiting;
        self.replaced = target.replaced;
        self.still = target.still;
        self.events = target.events;
    }
}

impl State {
    /// The parts of fixed size, with empty arrays, which cost no allocation.
    fn header(&self) -> State {
        State {
            index: Vec::new(),
            sprites: Vec::new(),
            bodies: Vec::new(),
            resources: Vec::new(),
            waiting: Vec::new(),
            replaced: Vec::new(),
            still: Vec::new(),
            events: Vec::new(),
            ..*self
        }
    }

    /// The memory that a copy takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self)
            + size_of_val(self.index.as_slice())
            + size_of_val(self.sprites.as_slice())
            + size_of_val(self.bodies.as_slice())
            + size_of_val(self.resources.as_slice())
            + size_of_val(self.waiting.as_slice())
            + size_of_val(self.replaced.as_slice())
            + size_of_val(self.still.as_slice())
            + size_of_val(self.events.as_slice())
    }

    /// The number of the tick that is played next.
    pub fn tick(&self) -> i32 {
        self.tick
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.ended
    }

    /// Where player `player` stands.
    pub fn player(&self, player: usize) -> &Player {
        &self.players[player]
    }

    /// The events of the last tick.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Replaces the random generator, for example by a fresh one for another future.
    pub fn set_chance(&mut self, chance: Chance) {
        self.chance = chance;
    }

    /// How many sprites have exactly this type.
    #[inline]
    pub fn count(&self, ty: TypeId) -> usize {
        usize::from(self.index[self.layout.counts + ty.index()])
    }

    /// The sprites of exactly this type in the order of their creation.
    pub(crate) fn slots(&self, ty: TypeId) -> Slots<'_> {
        Slots { state: self, at: self.index[self.layout.heads + ty.index()] }
    }

    pub(crate) fn types(&self) -> impl Iterator<Item = TypeId> + use<> {
        let count = self.layout.tails - self.layout.heads;
        (0..count).map(|t| TypeId(t as u16))
    }

    /// Bytes a copy moves.
    pub fn size(&self) -> usize {
        size_of::<State>()
            + size_of_val(self.index.as_slice())
            + size_of_val(self.sprites.as_slice())
            + size_of_val(self.bodies.as_slice())
            + size_of_val(self.resources.as_slice())
    }
}

/// Iterates over a chain of sprites.
pub(crate) struct Slots<'s> {
    state: &'s State,
    at: u16,
}

impl Iterator for Slots<'_> {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        let at = self.at;
        if at == NOBODY {
            return None;
        }
        self.at = self.state.sprites[usize::from(at)].next;
        Some(at)
    }
}

/// The content of a sprite without its place in the arrays: what equality and hashing see.
///
/// Numbers of sprites are left out: they tell how the state came about, not what it is. Doubles
/// are compared by their bits.
fn content<'s>(state: &'s State, slot: u16, width: usize, out: &mut impl FnMut(u64)) {
    let sprite: &'s Sprite = &state.sprites[usize::from(slot)];
    out(sprite.x as u32 as u64 | (u64::from(sprite.y as u32) << 32));
    out(u64::from(sprite.flags) | u64::from(sprite.ty) << 8);
    if sprite.body == NOBODY {
        return;
    }
    let at = usize::from(sprite.body);
    let b = &state.bodies[at];
    for double in
        [b.orientation.0, b.orientation.1, b.speed, b.gravity, b.rotation, b.heading.0, b.heading.1]
    {
        out(double.to_bits());
    }
    for int in [
        b.last.x,
        b.last.y,
        b.last.w,
        b.last.h,
        b.w,
        b.h,
        b.lastmove,
        b.health,
        b.max_health,
        b.time_to_live,
        b.count,
        b.product,
        b.seen.0,
        b.seen.1,
    ] {
        out(int as u32 as u64);
    }
    let flags = [b.oriented, b.first_tick, b.on_ground, b.fleeing, b.has_seen];
    out(flags.iter().fold(u64::from(b.player), |all, &flag| all << 1 | u64::from(flag)));
    for &amount in state.resources.iter().skip(at * width).take(width) {
        out(amount as u32 as u64);
    }
}

fn visit(state: &State, mut out: impl FnMut(u64)) {
    out(state.tick as u32 as u64 | u64::from(state.ended) << 32 | u64::from(state.can_end) << 33);
    for player in &state.players {
        out(player.score.to_bits());
        out(player.win.map_or(2, u64::from) | (player.last_action as u64) << 2);
    }
    state.counters.iter().for_each(|&c| out(c as u32 as u64));
    for waiting in &state.waiting {
        out(waiting.at as u32 as u64 | u64::from(waiting.timed) << 32);
    }
    for &(ty, old, new) in &state.replaced {
        out(u64::from(ty) | u64::from(old) << 16 | u64::from(new) << 32);
    }
    let width =
        if state.bodies.is_empty() { 0 } else { state.resources.len() / state.bodies.len() };
    for ty in state.types() {
        out(state.count(ty) as u64);
        for slot in state.slots(ty) {
            content(state, slot, width, &mut out);
        }
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        let mut mine = Vec::with_capacity(1024);
        visit(self, |word| mine.push(word));
        let mut at = 0;
        let mut same = self.chance == other.chance;
        visit(other, |word| {
            same &= mine.get(at) == Some(&word);
            at += 1;
        });
        same && at == mine.len()
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.chance.hash(hasher);
        visit(self, |word| hasher.write_u64(word));
    }
}
