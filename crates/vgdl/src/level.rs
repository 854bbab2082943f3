//! Rules and the text of a level to a [`World`]: everything that stays the same while the level is
//! played, and the state it starts in (`vgdl-ontology`, 2.1.10 to 2.1.12).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashSet;

use crate::analysis::Analysis;
use crate::behave::Habit;
use crate::chance::Chance;
use crate::contacts::{BITS, Fixed, MAX_SPAN, NO_BIT};
use crate::diagnostic::{Diagnostic, Span};
use crate::effect::{Effect, EffectId, Kind};
use crate::ontology::{Action, Class};
use crate::paths::Paths;
use crate::rules::{MAX_COUNTERS, MAX_PLAYERS, Rules};
use crate::sim::{Scratch, Sim};
use crate::state::{Body, Layout, NOBODY, Player, Rect, State};
use crate::types::{SpriteType, TypeId};
use crate::value::{NONE, RIGHT};

/// Most columns or rows of a level.
pub const MAX_SIDE: usize = 1000;
/// Side of the window the block size is derived from.
const WINDOW: i32 = 800;
/// Most pairs of types that the tables of a level list.
const MAX_MEETINGS: usize = 2_000_000;

/// Number of the next world.
static WORLDS: AtomicU64 = AtomicU64::new(1);

/// The sprites that an effect may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    Nothing,
    First,
    Everything,
}

/// One effect of a pair, prepared.
#[derive(Clone, Debug)]
pub(crate) struct Collision {
    pub first: TypeId,
    pub second: TypeId,
    pub effect: EffectId,
    pub moves: Moves,
    /// The effect takes all second sprites at once.
    pub batch: bool,
    /// The types of the first family that can meet anything, in order.
    pub firsts: Arc<[FirstType]>,
    /// Place of each type in the second family; [`NOBODY`] for the others.
    pub ranks: Arc<[u16]>,
}

/// A type on the first side of a collision.
#[derive(Clone, Debug)]
pub(crate) struct FirstType {
    pub ty: TypeId,
    /// Types of the second family it can meet.
    pub seconds: Vec<TypeId>,
    pub feels_ground: bool,
}

/// One type on the first side of one effect, in the order of the rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check {
    /// Bit of the first type.
    pub bit: u8,
    /// Whether the check must be made even if nothing touches.
    pub always: bool,
    /// Place of the collision, and of the type in it.
    pub collision: u16,
    pub first: u16,
    /// Bits of the second types.
    pub seconds: u64,
}

/// An effect at the end of the screen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub ty: TypeId,
    pub effect: EffectId,
}

/// A level of a game, ready to be played.
#[derive(Debug)]
pub struct World {
    /// The rules.
    pub rules: Arc<Rules>,
    /// The number of blocks across.
    pub cols: i32,
    /// The number of blocks down.
    pub rows: i32,
    /// Pixels of a block.
    pub block: i32,
    pub(crate) screen: Rect,
    pub(crate) templates: Vec<Body>,
    pub(crate) sizes: Vec<(i32, i32)>,
    /// All sprites are exactly as large as a block.
    pub(crate) one_block: bool,
    /// Bit of each type in sets of types; [`NO_BIT`] for those that meet nothing.
    pub(crate) bits: Vec<u8>,
    /// Types with bits whose sprites move, with their bits.
    pub(crate) loose: Vec<(TypeId, u8)>,
    /// Sprites are so large, or of no size, that blocks are of no use.
    pub(crate) odd_sizes: bool,
    pub(crate) checks: Vec<Check>,
    /// Bits of the types whose sprites are not all scenery of the level.
    pub(crate) listed_types: u64,
    /// A number that differs between levels.
    pub(crate) id: u64,
    pub(crate) fixed: Fixed,
    /// Types whose sprites never change, only come and go.
    pub(crate) scenery: Vec<bool>,
    /// Types whose sprites stay on the blocks where the level puts them.
    pub(crate) never_outside: Vec<bool>,
    pub(crate) is_avatar_class: Vec<bool>,
    /// The actions of avatars of each type, as a list and as bits.
    pub(crate) actions: Vec<(&'static [Action], u8)>,
    /// The types of each family that can have sprites, and whether these are avatars.
    pub(crate) members: Vec<Vec<(TypeId, bool)>>,
    pub(crate) leaves_walls: Vec<bool>,
    /// Types whose sprites keep a target, also when it is dead.
    pub(crate) keepers: Vec<TypeId>,
    /// Types in the order they are updated.
    pub(crate) updates: Vec<TypeId>,
    pub(crate) habits: Vec<Habit>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) collisions: Vec<Collision>,
    pub(crate) resource_types: Vec<TypeId>,
    pub(crate) resource_columns: Vec<u16>,
    pub(crate) resource_limits: Vec<i32>,
    pub(crate) paths: Option<Paths>,
    reciprocal: u64,
    start: State,
}

/// The outcome of reading a level.
#[derive(Debug)]
pub struct Loaded {
    /// The level, unless it cannot be played.
    pub world: Option<Arc<World>>,
    /// Findings about the text.
    pub findings: Vec<Diagnostic>,
}

impl World {
    /// Reads a level of `rules`.
    pub fn load(rules: &Arc<Rules>, text: &str) -> Loaded {
        let mut findings = Vec::new();
        let lines: Vec<Vec<char>> = text
            .lines()
            .take(MAX_SIDE + 1)
            .map(|l| l.chars().take(MAX_SIDE + 1).collect())
            .collect();
        let (cols, rows) = (lines.first().map_or(0, Vec::len), lines.len());
        if cols == 0 || cols > MAX_SIDE || rows > MAX_SIDE {
            let message = format!("a level has 1 to {MAX_SIDE} rows and columns");
            findings.push(
                Diagnostic::error("bad-level", Span::new(0, 0), message)
                    .help("the first line decides the width"),
            );
            return Loaded { world: None, findings };
        }
        let mut world = World::new(rules, cols as i32, rows as i32);
        let mut sprites = Vec::new();
        let mut unknown = FxHashSet::default();
        let mut offset = 0;
        for (y, raw) in text.split_inclusive('\n').enumerate().take(rows) {
            let places = raw.char_indices().map(|(at, _)| offset + at);
            for ((x, c), at) in lines[y].iter().enumerate().take(cols).zip(places) {
                match rules.mapping.get(c) {
                    Some(types) => sprites.extend(types.iter().map(|&ty| (ty, x as i32, y as i32))),
                    None if *c != ' ' && unknown.insert(*c) => findings.push(
                        Diagnostic::warning(
                            "unknown-character",
                            Span::new(at, at + c.len_utf8()),
                            format!("`{c}` is not in the LevelMapping"),
                        )
                        .label("no sprites come from this")
                        .help("map it, or leave the block blank"),
                    ),
                    None => {}
                }
            }
            offset += raw.len();
        }
        if !world.prepare(&sprites) {
            findings.push(
                Diagnostic::error(
                    "too-many-pairs",
                    Span::new(0, 0),
                    format!("the rules let more than {MAX_MEETINGS} pairs of types meet"),
                )
                .help("use fewer types below each other in the interactions"),
            );
            return Loaded { world: None, findings };
        }
        world.populate(&sprites, &mut findings);
        world.find_paths();
        Loaded { world: Some(Arc::new(world)), findings }
    }

    fn new(rules: &Arc<Rules>, cols: i32, rows: i32) -> World {
        let block = rules.square_size.unwrap_or_else(|| (WINDOW / cols.max(rows)).max(2));
        let types = &rules.types.types;
        let scaled = |factor: f64| ((f64::from(block) * factor) as i32).clamp(-10_000, 10_000);
        let sizes: Vec<_> = types.iter().map(|t| (scaled(t.w_mult), scaled(t.h_mult))).collect();
        let odd = |side: i32| side <= 0 || side > MAX_SPAN * block;
        let odd_sizes = sizes.iter().any(|&(w, h)| odd(w) || odd(h));
        let layout = Layout::new(types.len());
        let mut index = vec![NOBODY; layout.end];
        index[layout.counts..].fill(0);
        World {
            cols,
            rows,
            block,
            screen: Rect { x: 0, y: 0, w: cols * block, h: rows * block },
            templates: types.iter().zip(&sizes).map(|(t, &size)| template(t, size)).collect(),
            one_block: sizes.iter().all(|&size| size == (block, block)),
            bits: vec![NO_BIT; types.len()],
            loose: Vec::new(),
            odd_sizes,
            checks: Vec::new(),
            listed_types: 0,
            id: WORLDS.fetch_add(1, Ordering::Relaxed),
            fixed: Fixed::default(),
            sizes,
            scenery: vec![false; types.len()],
            never_outside: vec![false; types.len()],
            is_avatar_class: types.iter().map(|t| t.class.is_some_and(Class::is_avatar)).collect(),
            actions: types.iter().map(actions).collect(),
            members: types.iter().map(|t| members(rules, t)).collect(),
            leaves_walls: types
                .iter()
                .map(|t| t.class == Some(Class::OngoingTurningAvatar))
                .collect(),
            keepers: (0u16..)
                .zip(types)
                .filter(|(_, t)| {
                    matches!(t.class, Some(Class::PathAltChaser | Class::RandomPathAltChaser))
                })
                .map(|(number, _)| TypeId(number))
                .collect(),
            updates: Vec::new(),
            habits: types.iter().map(Habit::of).collect(),
            edges: Vec::new(),
            collisions: Vec::new(),
            resource_types: Vec::new(),
            resource_columns: vec![NOBODY; types.len()],
            resource_limits: types
                .iter()
                .map(|t| if t.class == Some(Class::Resource) { t.limit } else { 0 })
                .collect(),
            paths: None,
            reciprocal: (1u64 << 32).div_ceil(block as u64),
            start: State {
                tick: 0,
                ended: false,
                can_end: true,
                chance: Chance::framework(0),
                next_id: 0,
                live: 0,
                free_sprite: NOBODY,
                free_body: NOBODY,
                players: [Player { avatar: NOBODY, ..Player::default() }; MAX_PLAYERS],
                counters: [0; MAX_COUNTERS],
                index,
                sprites: Vec::new(),
                bodies: Vec::new(),
                resources: Vec::new(),
                waiting: Vec::new(),
                replaced: Vec::new(),
                still: Vec::new(),
                events: Vec::new(),
                layout,
            },
            rules: rules.clone(),
        }
    }

    /// Fills the tables that depend on which sprites the level has; whether they fit in memory.
    fn prepare(&mut self, sprites: &[(TypeId, i32, i32)]) -> bool {
        let rules = self.rules.clone();
        let analysis = Analysis::new(&rules, sprites);
        self.resource_types = analysis.resources.clone();
        for (column, ty) in self.resource_types.iter().enumerate() {
            self.resource_columns[ty.index()] = column as u16;
        }
        let count = rules.types.types.len();
        self.never_outside = (0..count).map(|t| analysis.scenery[t] && !analysis.made[t]).collect();
        let moving = |ty: &&TypeId| {
            let class = rules.types[**ty].class;
            !analysis.scenery[ty.index()] && !class.is_some_and(Class::is_avatar)
        };
        self.updates = rules.types.order.iter().rev().filter(moving).copied().collect();
        for &ty in &rules.edges {
            let effects = rules.edge_effects.get(&ty).map(Vec::as_slice).unwrap_or_default();
            self.edges.extend(effects.iter().map(|&effect| Edge { ty, effect }));
        }
        let mut meets = vec![false; count];
        for edge in &self.edges {
            rules.types[edge.ty].family.iter().for_each(|ty| meets[ty.index()] = true);
        }
        let mut meetings = 0;
        for pair in &rules.pairs {
            let mut ranks = vec![NOBODY; count];
            for (rank, ty) in rules.types[pair.second].family.iter().enumerate() {
                ranks[ty.index()] = rank as u16;
            }
            let firsts: Vec<FirstType> = rules.types[pair.first]
                .family
                .iter()
                .map(|&ty| {
                    let family = rules.types[pair.second].family.iter().copied();
                    let seconds: Vec<TypeId> =
                        family.filter(|&second| analysis.can_meet(ty, second)).collect();
                    FirstType {
                        ty,
                        seconds,
                        feels_ground: rules.types[ty].class.is_some_and(Class::feels_ground),
                    }
                })
                .filter(|first| !first.seconds.is_empty())
                .collect();
            meetings += count + firsts.iter().map(|first| first.seconds.len()).sum::<usize>();
            if meetings > MAX_MEETINGS {
                return false;
            }
            let (firsts, ranks): (Arc<[FirstType]>, Arc<[u16]>) = (firsts.into(), ranks.into());
            for first in &*firsts {
                meets[first.ty.index()] = true;
                first.seconds.iter().for_each(|ty| meets[ty.index()] = true);
            }
            for &effect in &pair.effects {
                self.collisions.push(Collision {
                    first: pair.first,
                    second: pair.second,
                    effect,
                    moves: moves(&rules.effects[usize::from(effect.0)].kind),
                    batch: rules.effects[usize::from(effect.0)].is_batch(),
                    firsts: firsts.clone(),
                    ranks: ranks.clone(),
                });
            }
        }
        self.scenery = analysis.scenery;
        self.number_bits(&meets);
        true
    }

    /// Gives the types that meet anything their bits, and lists the checks of a tick.
    fn number_bits(&mut self, meets: &[bool]) {
        let meeting = (0..meets.len()).filter(|&ty| meets[ty]);
        for (number, ty) in meeting.enumerate() {
            self.bits[ty] = (number % BITS) as u8;
            let id = TypeId(ty as u16);
            if !self.never_outside[ty] {
                self.listed_types |= 1 << self.bits[ty];
            }
            if !self.scenery[ty] && self.rules.types[id].class.is_some() {
                self.loose.push((id, self.bits[ty]));
            }
        }
        for (number, collision) in self.collisions.iter().enumerate() {
            for (at, first) in collision.firsts.iter().enumerate() {
                self.checks.push(Check {
                    bit: self.bits[first.ty.index()],
                    always: first.feels_ground || self.odd_sizes,
                    collision: number as u16,
                    first: at as u16,
                    seconds: first.seconds.iter().fold(0, |s, ty| s | 1 << self.bits[ty.index()]),
                });
            }
        }
    }

    /// Whether sprites of the type stand on blocks and never move.
    #[inline]
    pub(crate) fn is_still(&self, ty: TypeId) -> bool {
        self.scenery[ty.index()] && self.bits[ty.index()] != NO_BIT
    }

    /// Blocks across, the border included.
    #[inline]
    pub(crate) fn across(&self) -> usize {
        self.cols as usize + 2
    }

    /// The block that a corner lies on, counted with the border; everything outside is in the
    /// border.
    pub(crate) fn block_at(&self, x: i32, y: i32) -> usize {
        (self.row(y) + 1) as usize * self.across() + (self.column(x) + 1) as usize
    }

    /// Creates the sprites of the level and gives the players their avatars.
    fn populate(&mut self, sprites: &[(TypeId, i32, i32)], findings: &mut Vec<Diagnostic>) {
        let mut state = self.start.clone();
        let mut scratch = Scratch::default();
        let mut sim = Sim { w: self, s: &mut state, x: &mut scratch };
        let mut avatars = Vec::new();
        for &(ty, x, y) in sprites {
            if let Some(slot) = sim.create(ty, x * sim.w.block, y * sim.w.block)
                && sim.def(slot).is_avatar
            {
                avatars.push(slot);
            }
        }
        let players = sim.w.rules.players;
        if avatars.len() > players {
            findings.push(Diagnostic::warning(
                "many-avatars",
                Span::new(0, 0),
                format!("the level has {} avatars for {players} players", avatars.len()),
            ));
            for &surplus in &avatars[players..] {
                sim.remove(surplus);
            }
        }
        // Players in the order of their types; of one type the youngest first. The first type of
        // all is never looked at.
        let mut found: Vec<u16> = Vec::new();
        for &ty in sim.w.rules.types.order.iter().skip(1).rev() {
            found.extend(
                sim.s.slots(ty).filter(|&slot| sim.w.is_avatar_class[sim.type_of(slot).index()]),
            );
        }
        found.reverse();
        if found.len() < players {
            findings.push(
                Diagnostic::error("no-avatar", Span::new(0, 0), "the level lacks an avatar")
                    .help("map a character to an avatar and use it once per player"),
            );
        }
        for (player, &slot) in found.iter().enumerate().take(players) {
            sim.s.players[player].avatar = slot;
            if let Some(body) = sim.body_mut(slot) {
                body.player = player as u8;
            }
        }
        for (number, timed) in sim.w.rules.timed.iter().enumerate() {
            if timed.first != i32::MAX {
                sim.wait(number as u16, timed.first);
            }
        }
        state.still.clear();
        self.fixed = Fixed::new(self, &state);
        self.start = state;
    }

    fn find_paths(&mut self) {
        let Some(obstacles) = &self.rules.obstacles else { return };
        let mut blocked = vec![false; (self.cols * self.rows) as usize];
        for &ty in obstacles.iter().filter(|&&ty| !self.rules.types[ty].is_hidden(0)) {
            for slot in self.start.slots(ty) {
                let sprite = &self.start.sprites[usize::from(slot)];
                blocked[(sprite.y / self.block * self.cols + sprite.x / self.block) as usize] =
                    true;
            }
        }
        let avatar = self.start.players[0].avatar;
        let sideways = self.start.sprites.get(usize::from(avatar)).is_some_and(|sprite| {
            let class = self.rules.types.types[usize::from(sprite.ty)].class;
            class.is_some_and(|class| class.actions().len() == 3)
        });
        self.paths = Paths::new(self.cols, self.rows, &blocked, sideways);
    }

    /// The state the level starts in.
    pub fn start(&self) -> &State {
        &self.start
    }

    #[inline]
    pub(crate) fn effect(&self, id: EffectId) -> &Effect {
        &self.rules.effects[usize::from(id.0)]
    }

    /// The column a coordinate lies in, from -1 to the number of columns: all that is left of the
    /// level is in the border, and so on.
    #[inline]
    pub(crate) fn column(&self, x: i32) -> i32 {
        self.divide(x.clamp(-self.block, self.screen.w))
    }

    /// The row a coordinate lies in, as with columns.
    #[inline]
    pub(crate) fn row(&self, y: i32) -> i32 {
        self.divide(y.clamp(-self.block, self.screen.h))
    }

    /// The column or row of a coordinate that lies in the level or its border.
    #[inline]
    pub(crate) fn divide(&self, at: i32) -> i32 {
        ((((at + self.block) as u64) * self.reciprocal) >> 32) as i32 - 1
    }
}

fn actions(t: &SpriteType) -> (&'static [Action], u8) {
    let listed = t.class.map_or(&[][..], Class::actions);
    (listed, listed.iter().fold(0, |all, &action| all | 1 << action as u8))
}

fn members(rules: &Rules, t: &SpriteType) -> Vec<(TypeId, bool)> {
    let real = t.family.iter().filter(|&&member| rules.types[member].class.is_some());
    real.map(|&member| (member, rules.types[member].class.is_some_and(Class::is_avatar))).collect()
}

/// The initial values of a new sprite of the type.
fn template(t: &SpriteType, (w, h): (i32, i32)) -> Body {
    let product = t.targets.first().copied().flatten().map(|ty| i32::from(ty.0));
    let product = match t.class {
        Some(Class::OngoingTurningAvatar) => product.unwrap_or(0),
        Some(class) if class.is_spawn_point() => product.unwrap_or(-1),
        _ => -1,
    };
    Body {
        last: Rect::default(),
        w,
        h,
        orientation: t.orientation,
        speed: t.speed,
        gravity: t.gravity,
        rotation: 0.0,
        lastmove: 0,
        health: t.health,
        max_health: t.max_health,
        time_to_live: t.time_to_live,
        count: 0,
        start: -1,
        product,
        seen: (0, 0),
        heading: if t.class == Some(Class::WizardAvatar) { RIGHT } else { NONE },
        oriented: t.is_oriented,
        first_tick: true,
        on_ground: false,
        fleeing: t.fleeing,
        has_seen: false,
        player: 0,
        link: NOBODY,
    }
}

fn moves(kind: &Kind) -> Moves {
    match kind {
        Kind::StepBack { .. }
        | Kind::TurnAround
        | Kind::Align { .. }
        | Kind::AttractGaze { .. }
        | Kind::BounceForward
        | Kind::PullWithIt { .. }
        | Kind::WrapAround { .. }
        | Kind::TeleportToExit
        | Kind::WallStop => Moves::First,
        Kind::UndoAll { .. } | Kind::WallBounce | Kind::WallReverse => Moves::Everything,
        _ => Moves::Nothing,
    }
}
