//! The stream of play-outs: all lanes step together, each through its own play-out.
//!
//! One sweep: new starts and next states into the bases; what depends on the state; legal moves,
//! turned so that each lane has them in its words; lanes that are over are told and freed; the
//! others choose; the choices, turned back, are the moves; what depends on moves.

use std::sync::Arc;

use gamegrove_game::{
    Driver, Ending, Entered, Finish, Goal, Move, MoveSet, Rng, Role, Start, Tally,
};

use super::kernel::{Block, Machine};
use super::memory::Memory;
use super::packing::Packing;
use super::program::{Pin, Program};
use crate::state::{Bits, ones};

/// What all workers of a game share.
#[derive(Debug)]
pub(super) struct Shared {
    pub program: Program,
    pub packing: Packing,
    pub initial: Bits,
    /// The values of each role's goals.
    pub goal_values: Vec<Vec<f32>>,
}

/// What a worker owns.
#[derive(Clone, Debug)]
pub(super) struct Buffers {
    pub shared: Arc<Shared>,
    slots: Memory,
    /// Legal moves, then choices.
    moves: Memory,
    /// Where lanes start, one word of a state after another.
    starts: Memory,
    /// States or starts while they are turned.
    turned: Memory,
    rngs: Vec<Rng>,
    lanes: Vec<Lane>,
}

/// A play-out in flight.
#[derive(Clone, Debug, Default)]
struct Lane {
    /// The sweep it started with.
    since: u64,
    /// The sweep that ends it.
    until: u64,
    first: Vec<Move>,
}

impl Buffers {
    /// Buffers for `words` words of lanes.
    pub fn new(shared: Arc<Shared>, words: usize) -> Buffers {
        let state_rows = shared.program.bases.div_ceil(64) * 64;
        Buffers {
            slots: Memory::new(shared.program.slots * words),
            moves: Memory::new(shared.packing.blocks.len() * 64 * words),
            starts: Memory::new(state_rows * words),
            turned: Memory::new(state_rows * words),
            rngs: vec![Rng::new(0); 64 * words],
            lanes: vec![Lane::default(); 64 * words],
            shared,
        }
    }

    /// Runs play-outs until the driver has no more.
    pub fn run<const N: usize, M: Machine<N>, D: Driver<Bits>>(
        &mut self,
        seed: u64,
        driver: &mut D,
    ) -> Tally {
        let shared = Arc::clone(&self.shared);
        let roles = shared.goal_values.len();
        let mut stream = Stream::<N, D> {
            shared: &shared,
            slots: self.slots.rows_mut(),
            moves: self.moves.rows_mut().as_chunks_mut().0,
            starts: self.starts.rows_mut().as_chunks_mut().0,
            turned: self.turned.rows_mut().as_chunks_mut().0,
            rngs: &mut self.rngs,
            lanes: &mut self.lanes,
            driver,
            seed,
            active: [0; N],
            fresh: [0; N],
            opening: [0; N],
            entering: [0; N],
            can_move: vec![[0; N]; roles],
            next_limit: u64::MAX,
            start: Start {
                state: shared.initial.clone(),
                first: Vec::new(),
                enter: false,
                limit: u32::MAX,
                number: 0,
            },
            started: 0,
            state: shared.initial.clone(),
            sets: shared.packing.places.iter().map(|p| vec![0; p.blocks]).collect(),
            goals: vec![Goal::WORST; roles],
            joint: Vec::with_capacity(roles),
            tally: Tally::default(),
        };
        stream.run::<M>();
        stream.tally
    }
}

/// A run in progress.
struct Stream<'a, const N: usize, D> {
    shared: &'a Shared,
    slots: &'a mut [[u64; N]],
    moves: &'a mut [Block<N>],
    starts: &'a mut [Block<N>],
    turned: &'a mut [Block<N>],
    rngs: &'a mut [Rng],
    lanes: &'a mut [Lane],
    driver: &'a mut D,
    seed: u64,
    /// Lanes in flight.
    active: [u64; N],
    /// Lanes whose start is not in the bases yet.
    fresh: [u64; N],
    /// Lanes that are to make a given first move.
    opening: [u64; N],
    /// Lanes that are to tell the state they enter.
    entering: [u64; N],
    /// Lanes in which each role has a legal move.
    can_move: Vec<[u64; N]>,
    /// The first sweep that may end a lane by its limit.
    next_limit: u64,
    start: Start<Bits>,
    started: u64,
    state: Bits,
    sets: Vec<Vec<u64>>,
    goals: Vec<Goal>,
    joint: Vec<Move>,
    tally: Tally,
}

impl<const N: usize, D: Driver<Bits>> Stream<'_, N, D> {
    fn run<M: Machine<N>>(&mut self) {
        loop {
            self.offer();
            self.advance::<M>();
            if self.active == [0; N] || self.driver.give_up() {
                return;
            }
            M::execute(&self.shared.program, &self.shared.program.early, self.slots);
            self.gather();
            self.moves.iter_mut().for_each(M::turn);
            self.enter::<M>();
            self.finish();
            if D::CHOOSES {
                self.ask();
            } else {
                for (block, fields) in self.moves.iter_mut().zip(&self.shared.packing.small) {
                    M::choose(block, fields, self.rngs);
                }
                self.choose_among_many();
            }
            self.open();
            if D::WATCHES {
                self.tell();
            }
            self.opening = [0; N];
            self.moves.iter_mut().for_each(M::turn);
            self.scatter();
            M::execute(&self.shared.program, &self.shared.program.late, self.slots);
            self.tally.sweeps += 1;
        }
    }

    /// Offers idle lanes to the driver until it refuses one.
    fn offer(&mut self) {
        for group in 0..N {
            let mut idle = !self.active[group];
            while idle != 0 {
                let bit = idle & idle.wrapping_neg();
                idle ^= bit;
                let lane = group * 64 + bit.trailing_zeros() as usize;
                self.start.number = self.started;
                if !self.driver.start(lane, &mut self.start) {
                    return;
                }
                self.started += 1;
                self.rngs[lane] = Rng::stream(self.seed, self.start.number);
                let here = &mut self.lanes[lane];
                let opens = self.start.first.len() == self.goals.len();
                here.since = self.tally.sweeps;
                here.until = here.since + u64::from(self.start.limit) + u64::from(opens);
                self.next_limit = self.next_limit.min(here.until);
                here.first.clone_from(&self.start.first);
                self.active[group] |= bit;
                self.fresh[group] |= bit;
                self.opening[group] |= if opens { bit } else { 0 };
                self.entering[group] |= if self.start.enter { bit } else { 0 };
                for (block, &word) in self.starts.iter_mut().zip(self.start.state.words()) {
                    block[lane % 64][group] = word;
                }
            }
        }
    }

    /// Makes the next state the state, and puts new starts in.
    fn advance<M: Machine<N>>(&mut self) {
        let bases = self.shared.program.base_slots();
        if self.fresh == [0; N] {
            for (base, pin) in bases.zip(&self.shared.program.answers.next) {
                self.slots[base] = read(self.slots, *pin);
            }
            return;
        }
        for (turned, starts) in self.turned.iter_mut().zip(self.starts.iter()) {
            *turned = *starts;
            M::turn(turned);
        }
        let fresh = self.fresh;
        let rows = self.turned.as_flattened();
        for ((base, pin), row) in bases.zip(&self.shared.program.answers.next).zip(rows) {
            let next = read(self.slots, *pin);
            self.slots[base] =
                std::array::from_fn(|at| next[at] & !fresh[at] | row[at] & fresh[at]);
        }
        self.fresh = [0; N];
    }

    /// Legal moves into blocks, and which roles can move.
    fn gather(&mut self) {
        self.can_move.fill([0; N]);
        for (block, lines) in self.moves.iter_mut().zip(&self.shared.packing.blocks) {
            for (row, line) in block.iter_mut().zip(lines) {
                let legal = read(self.slots, line.legal);
                let turn = read(self.slots, line.turn);
                let can_move = &mut self.can_move[usize::from(line.role)];
                for at in 0..N {
                    row[at] = legal[at] & turn[at];
                    can_move[at] |= row[at];
                }
            }
            block[lines.len()..].fill([0; N]);
        }
    }

    /// Choices from blocks to the moves' slots.
    fn scatter(&mut self) {
        for (block, lines) in self.moves.iter().zip(&self.shared.packing.blocks) {
            for (row, line) in block.iter().zip(lines) {
                self.slots[line.slot as usize] = *row;
            }
        }
    }

    /// A lane's legal moves of a role, copied to its set.
    fn legal(&mut self, lane: usize, role: usize) {
        let place = self.shared.packing.places[role];
        for (at, word) in self.sets[role].iter_mut().enumerate() {
            let field = place.field(at);
            let bits = self.moves[place.first_block + at][lane % 64][lane / 64];
            *word = bits >> field.shift & field.mask;
        }
    }

    /// Makes a move the only one of a lane's role.
    fn put(&mut self, lane: usize, role: usize, mov: Move) {
        let place = self.shared.packing.places[role];
        for at in 0..place.blocks {
            let field = place.field(at);
            let bits = &mut self.moves[place.first_block + at][lane % 64][lane / 64];
            *bits &= !(field.mask << field.shift);
            if mov.index() / 64 == at {
                *bits |= (1 << (mov.index() % 64) & field.mask) << field.shift;
            }
        }
    }

    /// Tells the driver of lanes that have made their first move.
    fn enter<M: Machine<N>>(&mut self) {
        let told: [u64; N] =
            std::array::from_fn(|at| self.entering[at] & !self.opening[at] & self.active[at]);
        if told == [0; N] {
            return;
        }
        let bases = &self.slots[self.shared.program.base_slots()];
        for (turned, rows) in self.turned.iter_mut().zip(bases.chunks(64)) {
            turned[..rows.len()].copy_from_slice(rows);
            turned[rows.len()..].fill([0; N]);
            M::turn(turned);
        }
        let terminal = read(self.slots, self.shared.program.answers.terminal);
        for lane in lanes(told) {
            for (word, turned) in self.state.words_mut().iter_mut().zip(self.turned.iter()) {
                *word = turned[lane % 64][lane / 64];
            }
            for role in 0..self.sets.len() {
                self.legal(lane, role);
            }
            let over = terminal[lane / 64] >> (lane % 64) & 1 == 1;
            self.driver.entered(lane, &Entered::new(&self.state, over, &self.sets));
        }
        remove(&mut self.entering, &told);
    }

    /// Tells the driver of lanes that are over, and frees them.
    fn finish(&mut self) {
        let terminal = read(self.slots, self.shared.program.answers.terminal);
        let mut over = terminal;
        for can_move in &self.can_move {
            for at in 0..N {
                over[at] |= !can_move[at];
            }
        }
        if self.tally.sweeps >= self.next_limit {
            self.next_limit = u64::MAX;
            for lane in lanes(self.active) {
                let until = self.lanes[lane].until;
                if until <= self.tally.sweeps {
                    over[lane / 64] |= 1 << (lane % 64);
                } else {
                    self.next_limit = self.next_limit.min(until);
                }
            }
        }
        over.iter_mut().zip(&self.active).for_each(|(over, active)| *over &= active);
        for lanes in [&mut self.active, &mut self.opening, &mut self.entering] {
            remove(lanes, &over);
        }
        for lane in lanes(over) {
            let (group, bit) = (lane / 64, lane % 64);
            let holds = |words: &[u64; N]| words[group] >> bit & 1 == 1;
            let steps = (self.tally.sweeps - self.lanes[lane].since) as u32;
            let stuck = self.can_move.iter().position(|can_move| !holds(can_move));
            let ending = match stuck {
                _ if holds(&terminal) => Ending::Terminal,
                _ if self.tally.sweeps >= self.lanes[lane].until => Ending::TooLong,
                Some(role) => Ending::Stuck(Role(role as u8)),
                None => Ending::TooLong,
            };
            for (role, goal) in self.goals.iter_mut().enumerate() {
                let (mut sum, mut count) = (0.0, 0u16);
                let pins = &self.shared.program.answers.goals[role];
                for (pin, value) in pins.iter().zip(&self.shared.goal_values[role]) {
                    if (self.slots[pin.slot as usize][group] >> bit & 1 == 1) != pin.negated {
                        sum += value;
                        count += 1;
                    }
                }
                *goal = Goal(sum / f32::from(count.max(1)));
            }
            self.tally.playouts += 1;
            self.tally.states += u64::from(steps);
            self.driver.finished(lane, &Finish { goals: &self.goals, steps, ending });
        }
    }

    /// Chooses for roles with more moves than fit in a word.
    fn choose_among_many(&mut self) {
        for role in 0..self.sets.len() {
            if self.shared.packing.places[role].blocks == 1 {
                continue;
            }
            for lane in lanes(self.active) {
                self.legal(lane, role);
                let legal = MoveSet::new(&self.sets[role]);
                if let Some(mov) = legal.pick(&mut self.rngs[lane]) {
                    self.put(lane, role, mov);
                }
            }
        }
    }

    /// Has the driver choose.
    fn ask(&mut self) {
        for lane in lanes(self.active) {
            if self.opening[lane / 64] >> (lane % 64) & 1 == 1 {
                continue;
            }
            for role in 0..self.sets.len() {
                self.legal(lane, role);
                let legal = MoveSet::new(&self.sets[role]);
                if legal.count() < 2 {
                    continue;
                }
                let rng = &mut self.rngs[lane];
                let mov = self.driver.choose(lane, Role(role as u8), legal, rng);
                let mov = if legal.contains(mov) { mov } else { legal.nth(0).unwrap_or(mov) };
                self.put(lane, role, mov);
            }
        }
    }

    /// Makes the first moves of lanes that were given one.
    fn open(&mut self) {
        for lane in lanes(self.opening) {
            for role in 0..self.sets.len() {
                let mov = self.lanes[lane].first[role];
                self.put(lane, role, mov);
            }
        }
    }

    /// Tells the driver what was chosen.
    fn tell(&mut self) {
        let chosen: [u64; N] = std::array::from_fn(|at| self.active[at] & !self.opening[at]);
        for lane in lanes(chosen) {
            self.joint.clear();
            for role in 0..self.sets.len() {
                self.legal(lane, role);
                let mov = ones(&self.sets[role]).next().unwrap_or(0);
                self.joint.push(Move(mov as u32));
            }
            self.driver.moved(lane, &self.joint);
        }
    }
}

/// A pin's value.
#[inline(always)]
fn read<const N: usize>(slots: &[[u64; N]], pin: Pin) -> [u64; N] {
    let flip = if pin.negated { !0 } else { 0 };
    slots[pin.slot as usize].map(|word| word ^ flip)
}

/// Takes lanes out of others.
fn remove<const N: usize>(from: &mut [u64; N], lanes: &[u64; N]) {
    from.iter_mut().zip(lanes).for_each(|(from, lanes)| *from &= !lanes);
}

/// The lanes whose bits are set.
fn lanes<const N: usize>(words: [u64; N]) -> impl Iterator<Item = usize> {
    words.into_iter().enumerate().flat_map(|(group, word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let lane = (rest != 0).then(|| group * 64 + rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            lane
        })
    })
}
