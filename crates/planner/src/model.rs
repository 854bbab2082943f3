//! The forward model: a game played for one role, with what that role perceives.

use gamegrove_game::{Category, Game, Move, Rng, Role, Senses};

use super::near::{Near, Way};

/// The perception of one state. Distances are filled in only where they are asked for.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// Steps played.
    pub tick: u32,
    /// Points.
    pub score: f64,
    /// Won or lost, once that is decided.
    pub verdict: Option<bool>,
    /// Whether play is over.
    pub over: bool,
    /// The field the avatar is on; [`NOWHERE`] without one.
    pub cell: u32,
    /// The kind of the avatar, which may change.
    pub kind: usize,
    /// Health of the avatar.
    pub health: i32,
    /// How much the avatar has collected.
    pub goods: i64,
    /// The distance to the nearest thing of each kind, infinite if there is none to be reached.
    pub distances: Vec<f64>,
}

/// No field.
pub const NOWHERE: u32 = u32::MAX >> 8;

/// A game as one role plays it. Others are supposed to move at random.
pub(crate) struct Model<G: Game> {
    pub(crate) game: G,
    pub(crate) senses: Box<dyn Senses<G::State>>,
    pub(crate) role: Role,
    /// Steps tried since the start.
    pub(crate) advances: u64,
    pub(crate) near: Near,
    roles: usize,
    joint: Vec<Move>,
    legal: Vec<Move>,
    places: Vec<(f64, f64)>,
    pub(crate) touched: Vec<usize>,
    resources: Vec<(usize, i32)>,
    /// Whether waiting is among the moves that are tried.
    wait: bool,
    /// Whether things that stay where they are get distances from the start.
    pub(crate) statics: bool,
    /// Kinds of things that stay where they are and have not brought points yet.
    unnoticed: Vec<usize>,
}

impl<G: Game> Model<G> {
    pub(crate) fn new(
        game: G,
        senses: Box<dyn Senses<G::State>>,
        role: Role,
        way: Way,
        wait: bool,
    ) -> Model<G> {
        let near = Near::new(senses.board(), way);
        let roles = game.role_count();
        Model {
            game,
            senses,
            role,
            advances: 0,
            near,
            roles,
            joint: vec![Move(0); roles],
            legal: Vec::new(),
            places: Vec::new(),
            touched: Vec::new(),
            resources: Vec::new(),
            wait,
            statics: true,
            unnoticed: Vec::new(),
        }
    }

    /// Writes the moves worth trying in `state`: all but waiting, unless that is wanted or all there is.
    pub(crate) fn moves(&mut self, state: &G::State, moves: &mut Vec<Move>) {
        self.game.legal_moves(state, self.role, moves);
        if !self.wait && moves.len() > 1 {
            let waiting = self.senses.waiting();
            moves.retain(|&mov| mov != waiting);
        }
    }

    /// Plays one step in place.
    pub(crate) fn advance(&mut self, state: &mut G::State, mov: Move, rng: &mut Rng) {
        for role in Role::all(self.roles) {
            self.joint[role.index()] = if role == self.role {
                mov
            } else {
                self.game.legal_moves(state, role, &mut self.legal);
                rng.pick(&self.legal).unwrap_or(self.senses.waiting())
            };
        }
        self.game.advance(state, &self.joint);
        self.advances += 1;
    }

    /// A copy of `state` with a future of its own.
    pub(crate) fn copy(&mut self, state: &G::State, into: &mut G::State, rng: &mut Rng) {
        into.clone_from(state);
        self.game.resample(into, rng);
    }

    /// Perceives what costs little.
    pub(crate) fn glance(&mut self, state: &G::State, look: &mut Look) {
        look.tick = self.senses.tick(state);
        look.score = self.senses.score(state, self.role);
        look.verdict = self.senses.verdict(state, self.role);
        look.over = self.game.is_terminal(state);
        let avatar = self.senses.avatar(state, self.role);
        look.cell = avatar.map_or(NOWHERE, |avatar| self.near.cell(avatar.place));
        look.kind = avatar.map_or(usize::MAX, |avatar| avatar.kind);
        look.health = avatar.map_or(0, |avatar| avatar.health);
    }

    /// Perceives what the avatar has collected.
    pub(crate) fn count_goods(&mut self, state: &G::State, look: &mut Look) {
        self.senses.resources(state, self.role, &mut self.resources);
        look.goods = self.resources.iter().map(|&(_, amount)| i64::from(amount)).sum();
    }

    /// The kinds that the avatar met in the last step, in `touched`.
    pub(crate) fn feel(&mut self, state: &G::State) {
        self.senses.touched(state, self.role, &mut self.touched);
    }

    /// Learns where walls are, and what is too common to be looked for.
    pub(crate) fn survey(&mut self, state: &G::State) {
        let kinds = self.senses.kinds();
        let walls: usize = (0..kinds)
            .filter(|&kind| self.senses.is_wall(kind))
            .map(|kind| self.senses.count(state, self.role, kind))
            .sum();
        let (cols, rows) = self.senses.board();
        if self.near.kinds.is_empty() {
            let is_static = |kind: usize| self.senses.category(kind) == Category::Static;
            let worth = |kind: usize| {
                let common = 3 * self.senses.count(state, self.role, kind) > cols * rows;
                self.senses.category(kind) != Category::Avatar
                    && !self.senses.is_wall(kind)
                    && !(common && is_static(kind))
            };
            let later = |kind: usize| !self.statics && is_static(kind);
            self.near.kinds = (0..kinds).map(|kind| worth(kind) && !later(kind)).collect();
            self.unnoticed = (0..kinds).filter(|&kind| worth(kind) && later(kind)).collect();
        }
        if self.near.walls != Some(walls) {
            let mut blocked = Vec::new();
            for kind in (0..kinds).filter(|&kind| self.senses.is_wall(kind)) {
                self.senses.places(state, self.role, kind, &mut self.places);
                blocked.extend_from_slice(&self.places);
            }
            self.near.set_walls(&blocked, walls);
        }
    }

    /// Counts things that stay where they are among those to approach once `pays` says they bring points.
    pub(crate) fn notice(&mut self, pays: impl Fn(usize) -> bool) {
        for kind in self.unnoticed.extract_if(.., |kind| pays(*kind)) {
            self.near.kinds[kind] = true;
        }
    }

    /// Measures the distance from `from` to the nearest thing of each kind.
    pub(crate) fn measure_from(&mut self, state: &G::State, from: &[u32], out: &mut [Vec<f64>]) {
        let kinds = self.senses.kinds();
        for distances in out.iter_mut() {
            distances.clear();
            distances.resize(kinds, f64::INFINITY);
        }
        for kind in 0..kinds {
            if !self.near.kinds.get(kind).copied().unwrap_or(false)
                || self.senses.count(state, self.role, kind) == 0
            {
                continue;
            }
            self.senses.places(state, self.role, kind, &mut self.places);
            for (&cell, distances) in from.iter().zip(out.iter_mut()) {
                distances[kind] = self.near.nearest(cell, &self.places);
            }
        }
    }

    /// Measures the distance from the avatar to the nearest thing of each kind.
    pub(crate) fn measure(&mut self, state: &G::State, look: &mut Look) {
        let mut own = [std::mem::take(&mut look.distances)];
        self.measure_from(state, &[look.cell], &mut own);
        let [distances] = own;
        look.distances = distances;
    }

    /// Whether no two runs of the same moves differ: nothing moves by itself, and a few sequences of
    /// random moves lead to what looks the same [Sironi 2019, 3.2.4].
    pub(crate) fn is_deterministic(&mut self, state: &G::State, rng: &mut Rng) -> bool {
        let character = (0..self.senses.kinds()).any(|kind| {
            self.senses.category(kind) == Category::Character
                && self.senses.count(state, self.role, kind) > 0
        });
        if character {
            return false;
        }
        let (mut copy, mut moves) = (state.clone(), Vec::new());
        for _ in 0..5 {
            let mut sequence: Vec<Move> = Vec::new();
            let mut seen = None;
            for _ in 0..3 {
                self.copy(state, &mut copy, rng);
                for at in 0..5 {
                    if sequence.len() == at {
                        self.moves(&copy, &mut moves);
                        sequence.push(rng.pick(&moves).unwrap_or(self.senses.waiting()));
                    }
                    self.advance(&mut copy, sequence[at], rng);
                }
                let likeness = self.senses.likeness(&copy, self.role);
                if *seen.get_or_insert(likeness) != likeness {
                    return false;
                }
            }
        }
        true
    }

    /// Writes what is seen as a sorted list of numbers: the avatar, things and where they are, how
    /// many there are of each kind [Sironi 2019, 3.2.4].
    pub(crate) fn atoms(&mut self, state: &G::State, atoms: &mut Vec<u64>) {
        atoms.clear();
        if let Some(avatar) = self.senses.avatar(state, self.role) {
            let cell = u64::from(self.near.cell(avatar.place));
            let facing = ((avatar.facing.0 + 1.0) * 3.0 + avatar.facing.1 + 1.0) as u64 & 15;
            atoms.push(1 << 60 | (avatar.kind as u64) << 40 | cell << 4 | facing);
        }
        for kind in 0..self.senses.kinds() {
            let count = self.senses.count(state, self.role, kind);
            if count == 0 || self.senses.is_wall(kind) {
                continue;
            }
            atoms.push(2 << 60 | (kind as u64) << 40 | count as u64);
            if self.near.kinds.get(kind).copied().unwrap_or(false) {
                self.senses.places(state, self.role, kind, &mut self.places);
                let cells = self.places.iter().map(|&place| u64::from(self.near.cell(place)));
                atoms.extend(cells.map(|cell| 3 << 60 | (kind as u64) << 40 | cell));
            }
        }
        self.senses.resources(state, self.role, &mut self.resources);
        let held = self.resources.iter();
        atoms.extend(held.map(|&(kind, n)| 4 << 60 | (kind as u64) << 40 | u64::from(n as u32)));
        atoms.sort_unstable();
        atoms.dedup();
    }
}
