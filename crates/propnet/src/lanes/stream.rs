//! The stream of play-outs: all lanes step together, each through its own play-out.
//!
//! One sweep has these steps:
//!
//! 1. New starts and next states are written into the bases.
//! 2. What depends on the state is evaluated, so that legal moves stand as rows.
//! 3. Lanes whose game is over are reported and freed. The others choose moves.
//! 4. What depends on moves is evaluated.
//!
//! Where the driver chooses or a role has many moves, the rows are turned before
//! the choice, so that each lane has its moves in its words, and turned back afterwards. Where the driver
//! tells its preferences, the lanes keep the moves that are preferred most, on rows, and choose among those.

use std::sync::Arc;

use gamegrove_game::{
    Driver, Ending, Entered, Finish, Goal, Move, MoveSet, Rng, RngBank, Role, Start, Tally,
};

use super::kernel::{Block, Machine, Offsets, Turns, index, read};
use super::memory::Memory;
use super::packing::Packing;
use super::program::Program;
use crate::state::{Bits, ones};

/// The part that all workers of a game share.
#[derive(Debug)]
pub(super) struct Shared {
    pub program: Program,
    /// Each role with its own seat, and roles that take turns on one.
    pub packing: Packing,
    pub sharing: Option<Packing>,
    pub initial: Bits,
    /// The values of each role's goals.
    pub goal_values: Vec<Vec<f32>>,
}

/// The part that a worker owns.
#[derive(Clone, Debug)]
pub(super) struct Buffers {
    pub shared: Arc<Shared>,
    slots: Memory,
    /// Legal moves, then choices.
    moves: Memory,
    /// Rows of moves turned to be looked at, where choices are made on rows.
    shown: Memory,
    /// The buffers of a choice on rows.
    scratch: Memory,
    random: Memory,
    /// Where lanes start, one word of a state after another.
    starts: Memory,
    /// States or starts while they are turned.
    turned: Memory,
    /// For choices made here, and for the driver's.
    bank: RngBank,
    rngs: Vec<Rng>,
    lanes: Vec<Lane>,
    /// The number of the move that was chosen on each seat, lane by lane.
    chosen: Vec<Move>,
}

/// A play-out in flight.
#[derive(Clone, Debug, Default)]
struct Lane {
    /// The sweep it started with.
    since: u64,
    /// The sweep that ends it.
    until: u64,
    first: Vec<Move>,
    /// The joint moves that were chosen here, if the driver wants to know them.
    played: Vec<Move>,
}

impl Buffers {
    /// Buffers for `words` words of lanes.
    pub fn new(shared: Arc<Shared>, words: usize) -> Buffers {
        let state_rows = shared.program.bases.div_ceil(64) * 64;
        let layouts = || std::iter::once(&shared.packing).chain(&shared.sharing);
        let blocks = layouts().map(|packing| packing.blocks.len()).max().unwrap_or(0);
        let on_rows = layouts().any(|packing| packing.on_rows);
        let scratch = layouts().map(Packing::scratch_rows).max().unwrap_or(0);
        Buffers {
            slots: Memory::new(shared.program.slots * words),
            moves: Memory::new(blocks * 64 * words),
            shown: Memory::new(if on_rows { blocks * 64 * words } else { 0 }),
            scratch: Memory::new(scratch * words),
            random: Memory::new(64 * words),
            starts: Memory::new(state_rows * words),
            turned: Memory::new(state_rows * words),
            bank: RngBank::new(0, words),
            rngs: vec![Rng::new(0); 64 * words],
            lanes: vec![Lane::default(); 64 * words],
            chosen: Vec::new(),
            shared,
        }
    }

    /// Runs play-outs until the driver has no more.
    pub fn run<const N: usize, M: Machine<N>>(
        &mut self,
        seed: u64,
        driver: &mut dyn Driver<Bits>,
    ) -> Tally {
        let shared = Arc::clone(&self.shared);
        if driver.preferences().is_some() && self.shown.len() == 0 {
            self.shown = Memory::new(self.moves.len());
        }
        let mut stream = self.stream::<N>(&shared, seed, driver);
        stream.run::<M>(&Offsets::new(&shared.program));
        stream.tally
    }

    /// A run in which nothing has happened yet.
    pub fn stream<'a, const N: usize>(
        &'a mut self,
        shared: &'a Shared,
        seed: u64,
        driver: &'a mut dyn Driver<Bits>,
    ) -> Stream<'a, N> {
        let roles = shared.goal_values.len();
        self.bank.reseed(seed);
        let legal = &shared.program.answers.legal;
        let prefers = driver.preferences().is_some();
        Stream {
            prefers,
            chooses: driver.chooses() && !prefers,
            watches: driver.watches(),
            shared,
            slots: self.slots.rows_mut(),
            moves: self.moves.rows_mut().as_chunks_mut().0,
            shown: self.shown.rows_mut().as_chunks_mut().0,
            scratch: self.scratch.rows_mut(),
            random: self.random.rows_mut().as_chunks_mut().0,
            starts: self.starts.rows_mut().as_chunks_mut().0,
            turned: self.turned.rows_mut().as_chunks_mut().0,
            packing: &shared.packing,
            turns: vec![[!0; N]; roles],
            turns_of_moves: vec![[!0; N]; 1 + roles],
            waits: vec![[0; N]; roles],
            bank: &mut self.bank,
            rngs: &mut self.rngs,
            lanes: &mut self.lanes,
            chosen: &mut self.chosen,
            // No play-out has this number.
            chance: Rng::stream(seed, u64::MAX),
            driver,
            seed,
            terminal: [0; N],
            active: [0; N],
            fresh: [0; N],
            common: shared.initial.clone(),
            alike: true,
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
            sets: legal.iter().map(|pins| vec![0; pins.len().div_ceil(64).max(1)]).collect(),
            goals: vec![Goal::WORST; roles],
            joint: Vec::with_capacity(roles),
            tally: Tally::default(),
        }
    }
}

/// A run in progress.
pub(super) struct Stream<'a, const N: usize> {
    pub shared: &'a Shared,
    pub slots: &'a mut [[u64; N]],
    moves: &'a mut [Block<N>],
    shown: &'a mut [Block<N>],
    scratch: &'a mut [[u64; N]],
    random: &'a mut [Block<N>],
    starts: &'a mut [Block<N>],
    turned: &'a mut [Block<N>],
    /// The layout of this sweep.
    packing: &'a Packing,
    /// Lanes in which each role sits on its seat, and in which it makes its waiting move.
    turns: Vec<[u64; N]>,
    /// All lanes, then those in which it is each role's turn.
    turns_of_moves: Vec<[u64; N]>,
    waits: Vec<[u64; N]>,
    pub bank: &'a mut RngBank,
    rngs: &'a mut [Rng],
    lanes: &'a mut [Lane],
    chosen: &'a mut Vec<Move>,
    /// Says which lanes choose at random and which by preference.
    chance: Rng,
    driver: &'a mut dyn Driver<Bits>,
    /// The driver's wishes for a run.
    prefers: bool,
    chooses: bool,
    watches: bool,
    seed: u64,
    /// Lanes whose state is terminal.
    pub terminal: [u64; N],
    /// Lanes in flight.
    pub active: [u64; N],
    /// Lanes whose start is not in the bases yet.
    pub fresh: [u64; N],
    /// The last start, and whether all fresh lanes start there.
    pub common: Bits,
    alike: bool,
    /// Lanes that are to make a given first move.
    opening: [u64; N],
    /// Lanes that are to tell the state they enter.
    entering: [u64; N],
    /// Lanes in which each role has a legal move.
    pub can_move: Vec<[u64; N]>,
    /// The first sweep that may end a lane by its limit.
    pub next_limit: u64,
    start: Start<Bits>,
    pub started: u64,
    state: Bits,
    sets: Vec<Vec<u64>>,
    goals: Vec<Goal>,
    joint: Vec<Move>,
    pub tally: Tally,
}

impl<const N: usize> Stream<'_, N> {
    fn run<M: Machine<N>>(&mut self, ops: &Offsets<N>) {
        loop {
            self.offer();
            self.advance::<M>();
            if self.active == [0; N] || self.driver.give_up() {
                return;
            }
            self.look::<M>(ops);
            if self.stays_in_rows() {
                self.enter::<M>();
                self.finish();
                self.open_on_rows();
                self.prefer::<M>();
                if self.on_rows() {
                    self.choose_on_rows::<M>();
                } else {
                    self.turn_to_lanes::<M>();
                    self.choose::<M>();
                    self.turn_to_rows::<M>();
                }
            } else {
                self.turn_to_lanes::<M>();
                self.enter::<M>();
                self.finish();
                self.open();
                if self.chooses {
                    self.ask();
                } else {
                    self.choose::<M>();
                }
                self.turn_to_rows::<M>();
            }
            if self.watches && !self.chooses {
                self.note();
            }
            self.opening = [0; N];
            self.play::<M>(ops);
        }
    }

    /// Works out what depends on the state: legal moves as rows, and which lanes are over.
    pub fn look<M: Machine<N>>(&mut self, ops: &Offsets<N>) {
        let program = &self.shared.program;
        M::execute(program, ops, &program.early, self.slots);
        self.terminal = read(self.slots, program.answers.terminal);
        self.take_seats();
        let turns = Turns { of_moves: &self.turns_of_moves, on_seats: &self.turns };
        M::gather(self.packing, self.slots, &turns, self.moves, &mut self.can_move);
    }

    /// Makes the moves that are left in the rows.
    pub fn play<M: Machine<N>>(&mut self, ops: &Offsets<N>) {
        let program = &self.shared.program;
        let turns = Turns { of_moves: &self.turns_of_moves, on_seats: &self.turns };
        M::scatter(self.packing, self.moves, &turns, self.slots);
        self.wait();
        M::execute(program, ops, &program.late, self.slots);
        self.tally.sweeps += 1;
    }

    pub fn turn_to_lanes<M: Machine<N>>(&mut self) {
        for (block, &rows) in self.moves.iter_mut().zip(&self.packing.blocks) {
            M::to_lanes(block, rows);
        }
    }

    pub fn turn_to_rows<M: Machine<N>>(&mut self) {
        for (block, &rows) in self.moves.iter_mut().zip(&self.packing.blocks) {
            M::to_rows(block, rows);
        }
    }

    /// Leaves of each lane's legal moves one, in turned blocks.
    pub fn choose<M: Machine<N>>(&mut self) {
        for seat in &self.packing.seats {
            M::choose(seat, self.moves, self.bank);
        }
    }

    /// Decides whether roles share a seat in this sweep. They may where never two of them have
    /// their turn at once.
    fn take_seats(&mut self) {
        self.packing = &self.shared.packing;
        self.can_move.fill([0; N]);
        self.turns.fill([!0; N]);
        let pins = &self.shared.program.answers.turns;
        for (turn, &pin) in self.turns_of_moves[1..].iter_mut().zip(pins) {
            *turn = read(self.slots, pin);
        }
        let Some(sharing) = &self.shared.sharing else { return };
        let (mut taken, mut crowded) = ([0; N], [0; N]);
        for (role, wait) in sharing.waits.iter().enumerate() {
            let Some((source, _)) = wait else { continue };
            let legal = self.slots[source.legal as usize].map(|word| word ^ source.flip);
            let turn = self.turns_of_moves[usize::from(source.turn)];
            for at in 0..N {
                crowded[at] |= turn[at] & taken[at];
                taken[at] |= turn[at];
                self.waits[role][at] = legal[at] & !turn[at];
            }
            self.turns[role] = turn;
        }
        let matters = |at: usize| crowded[at] & self.active[at] & !self.terminal[at] != 0;
        if (0..N).any(matters) {
            self.turns.fill([!0; N]);
            return;
        }
        for (role, _) in sharing.waits.iter().enumerate().filter(|(_, wait)| wait.is_some()) {
            self.can_move[role] = self.waits[role];
        }
        self.packing = sharing;
    }

    /// Whether choices of this sweep are made on rows.
    pub fn on_rows(&self) -> bool {
        self.packing.on_rows && !self.chooses
    }

    /// Whether legal moves are rows until this sweep's choice.
    fn stays_in_rows(&self) -> bool {
        self.prefers || self.on_rows()
    }

    /// Leaves of legal moves those that the driver prefers, except in lanes that choose at random.
    fn prefer<M: Machine<N>>(&mut self) {
        if !self.prefers {
            return;
        }
        let rows = self.moves.as_flattened_mut();
        for (role, preference) in self.driver.preferences().into_iter().flatten().enumerate() {
            let seat = &self.packing.seats[self.packing.seat_of[role]];
            let mut by_preference = chances(&mut self.chance, 1.0 - preference.random);
            for (lanes, turn) in by_preference.iter_mut().zip(&self.turns[role]) {
                *lanes &= turn;
            }
            M::prefer(&mut rows[seat.rows()], &preference.order, &by_preference);
        }
    }

    /// Leaves of each lane's legal moves one, in rows.
    pub fn choose_on_rows<M: Machine<N>>(&mut self) {
        let [random] = &mut *self.random else { return };
        let rows = self.moves.as_flattened_mut();
        for seat in &self.packing.seats {
            M::choose_on_rows(&mut rows[seat.rows()], self.scratch, self.bank, random);
        }
    }

    /// Turns a copy of the moves, for [`legal`](Stream::legal).
    fn show<M: Machine<N>>(&mut self) {
        let blocks = self.shown.iter_mut().zip(self.moves.iter()).zip(&self.packing.blocks);
        for ((shown, moves), rows) in blocks {
            *shown = *moves;
            M::to_lanes(shown, *rows);
        }
    }

    /// The moves of roles that wait.
    fn wait(&mut self) {
        for (role, wait) in self.packing.waits.iter().enumerate() {
            if let Some((source, _)) = wait {
                let slot = &mut self.slots[source.slot as usize];
                slot.iter_mut().zip(&self.waits[role]).for_each(|(slot, waits)| *slot |= waits);
            }
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
                if self.chooses {
                    self.rngs[lane] = Rng::stream(self.seed, self.start.number);
                } else {
                    self.bank.start(index::<N>(lane), self.start.number);
                }
                let here = &mut self.lanes[lane];
                let opens = self.start.first.len() == self.goals.len();
                here.since = self.tally.sweeps;
                here.until = here.since + u64::from(self.start.limit) + u64::from(opens);
                self.next_limit = self.next_limit.min(here.until);
                here.first.clone_from(&self.start.first);
                here.played.clear();
                self.active[group] |= bit;
                self.opening[group] |= if opens { bit } else { 0 };
                self.entering[group] |= if self.start.enter { bit } else { 0 };
                if self.start.state != self.common {
                    // The first start of a sweep says what the others are compared with.
                    self.alike &= self.fresh == [0; N];
                    self.common.clone_from(&self.start.state);
                }
                self.fresh[group] |= bit;
                for (block, &word) in self.starts.iter_mut().zip(self.start.state.words()) {
                    block[lane % 64][group] = word;
                }
            }
        }
    }

    /// Makes the next state the state, and puts new starts in.
    pub fn advance<M: Machine<N>>(&mut self) {
        let next = &self.shared.program.answers.next;
        if self.alike || M::count(&self.fresh) <= few::<N>() {
            M::advance_alike(next, self.slots, self.common.words(), &self.fresh);
            if !self.alike {
                self.correct_starts();
            }
        } else {
            for (turned, starts) in self.turned.iter_mut().zip(self.starts.iter()) {
                *turned = *starts;
                M::to_lanes(turned, 64);
            }
            M::advance(next, self.slots, self.turned.as_flattened(), &self.fresh);
        }
        self.alike = true;
        self.fresh = [0; N];
    }

    /// Gives fresh lanes, which all start from the last start now, their own ones.
    fn correct_starts(&mut self) {
        let first = self.shared.program.base_slots().start;
        for lane in lanes(self.fresh) {
            let (group, bit) = (lane / 64, 1 << (lane % 64));
            for (word, (starts, common)) in self.starts.iter().zip(self.common.words()).enumerate()
            {
                for wrong in ones(&[starts[lane % 64][group] ^ common]) {
                    self.slots[first + 64 * word + wrong][group] ^= bit;
                }
            }
        }
    }

    /// A lane's legal moves of a role, or what is left of them, copied to its set: from turned blocks, or
    /// from rows that are not turned.
    fn legal(&mut self, lane: usize, role: usize, turned: bool) {
        let stays_in_rows = self.stays_in_rows();
        let set = &mut self.sets[role];
        set.fill(0);
        if !holds(&self.turns[role], lane) {
            if let Some((_, mov)) = self.packing.waits[role]
                && holds(&self.waits[role], lane)
            {
                set[mov as usize / 64] |= 1 << (mov % 64);
            }
            return;
        }
        let seat = self.packing.seats[self.packing.seat_of[role]];
        if !turned {
            let rows = &self.moves.as_flattened()[seat.rows()];
            for (word, rows) in set.iter_mut().zip(rows.chunks(64)) {
                *word = column(rows, lane);
            }
            return;
        }
        let turned = if stays_in_rows { &self.shown } else { &self.moves };
        for (at, word) in set.iter_mut().enumerate() {
            let bits = turned[seat.first_block + at][lane % 64][lane / 64];
            *word = bits >> seat.shift & seat.mask(at);
        }
    }

    /// Makes a move the only one of a lane's role. A role that waits has no choice.
    fn put(&mut self, lane: usize, role: usize, mov: Move) {
        if !holds(&self.turns[role], lane) {
            return;
        }
        let seat = self.packing.seats[self.packing.seat_of[role]];
        for at in 0..seat.blocks {
            let mask = seat.mask(at);
            let bits = &mut self.moves[seat.first_block + at][lane % 64][lane / 64];
            *bits &= !(mask << seat.shift);
            if mov.index() / 64 == at {
                *bits |= (1 << (mov.index() % 64) & mask) << seat.shift;
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
        // Turning all lanes is worth it for many of them.
        let few = M::count(&told) <= few::<N>();
        let turned = !(few && self.stays_in_rows());
        if turned && self.stays_in_rows() {
            self.show::<M>();
        }
        let bases = self.shared.program.base_slots();
        if !few {
            for (turned, rows) in self.turned.iter_mut().zip(self.slots[bases.clone()].chunks(64)) {
                turned[..rows.len()].copy_from_slice(rows);
                turned[rows.len()..].fill([0; N]);
                M::to_lanes(turned, 64);
            }
        }
        for lane in lanes(told) {
            if few {
                let rows = self.slots[bases.clone()].chunks(64);
                for (word, rows) in self.state.words_mut().iter_mut().zip(rows) {
                    *word = column(rows, lane);
                }
            } else {
                for (word, turned) in self.state.words_mut().iter_mut().zip(self.turned.iter()) {
                    *word = turned[lane % 64][lane / 64];
                }
            }
            let over = holds(&self.terminal, lane);
            for role in 0..self.sets.len() {
                if over {
                    self.sets[role].fill(0);
                } else {
                    self.legal(lane, role, turned);
                }
            }
            self.driver.entered(lane, &Entered::new(&self.state, over, &self.sets));
        }
        remove(&mut self.entering, &told);
    }

    /// Tells the driver of lanes that are over, and frees them.
    fn finish(&mut self) {
        let mut over = self.terminal;
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
            let steps = (self.tally.sweeps - self.lanes[lane].since) as u32;
            let stuck = self.can_move.iter().position(|can_move| !holds(can_move, lane));
            let ending = match stuck {
                _ if holds(&self.terminal, lane) => Ending::Terminal,
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
            let (goals, moves) = (&*self.goals, &*self.lanes[lane].played);
            self.driver.finished(lane, &Finish { goals, steps, ending, moves });
        }
    }

    /// Has the driver choose, and tells it what all roles of a lane do.
    fn ask(&mut self) {
        for lane in lanes(self.active) {
            if holds(&self.opening, lane) {
                continue;
            }
            self.joint.clear();
            for role in 0..self.sets.len() {
                if let Some(mov) = self.waiting(lane, role) {
                    self.joint.push(mov);
                    continue;
                }
                self.legal(lane, role, true);
                let legal = MoveSet::new(&self.sets[role]);
                let mut mov = legal.nth(0).unwrap_or(Move(0));
                if !legal.has_at_most_one() {
                    let rng = &mut self.rngs[lane];
                    let chosen = self.driver.choose(lane, Role(role as u8), legal, rng);
                    mov = if legal.contains(chosen) { chosen } else { mov };
                    self.put(lane, role, mov);
                }
                self.joint.push(mov);
            }
            if self.watches {
                self.driver.moved(lane, &self.joint);
            }
        }
    }

    /// The move of a role that only waits.
    #[inline]
    fn waiting(&self, lane: usize, role: usize) -> Option<Move> {
        if holds(&self.turns[role], lane) || !holds(&self.waits[role], lane) {
            return None;
        }
        self.packing.waits[role].map(|(_, mov)| Move(mov))
    }

    /// Makes the first moves of lanes that were given one; then nothing is left to choose.
    fn open(&mut self) {
        for lane in lanes(self.opening) {
            for role in 0..self.sets.len() {
                let mov = self.lanes[lane].first[role];
                self.put(lane, role, mov);
            }
        }
    }

    /// As [`open`](Stream::open), on rows.
    fn open_on_rows(&mut self) {
        if self.opening == [0; N] {
            return;
        }
        let rows = self.moves.as_flattened_mut();
        for seat in &self.packing.seats {
            rows[seat.rows()].iter_mut().for_each(|row| remove(row, &self.opening));
        }
        for lane in lanes(self.opening) {
            for (role, first) in self.lanes[lane].first.iter().enumerate() {
                let seat = &self.packing.seats[self.packing.seat_of[role]];
                if holds(&self.turns[role], lane)
                    && let Some(row) = rows[seat.rows()].get_mut(first.index())
                {
                    row[lane / 64] |= 1 << (lane % 64);
                }
            }
        }
    }

    /// Keeps what was chosen, for the end of the play-out.
    fn note(&mut self) {
        let chose: [u64; N] = std::array::from_fn(|at| self.active[at] & !self.opening[at]);
        let rows = self.moves.as_flattened();
        self.chosen.resize(self.packing.seats.len() * 64 * N, Move(0));
        for (seat, chosen) in self.packing.seats.iter().zip(self.chosen.chunks_mut(64 * N)) {
            for (mov, row) in (0..).map(Move).zip(&rows[seat.rows()]) {
                for lane in lanes(std::array::from_fn::<u64, N, _>(|at| row[at] & chose[at])) {
                    chosen[lane] = mov;
                }
            }
        }
        for lane in lanes(chose) {
            for (role, &seat) in self.packing.seat_of.iter().enumerate() {
                let mov = match self.packing.waits[role] {
                    Some((_, wait)) if !holds(&self.turns[role], lane) => Move(wait),
                    _ => self.chosen[seat * 64 * N + lane],
                };
                self.lanes[lane].played.push(mov);
            }
        }
    }
}

/// Lanes, each with the same probability, to the last bit of it.
fn chances<const N: usize>(rng: &mut Rng, probability: f64) -> [u64; N] {
    if probability >= 1.0 {
        return [!0; N];
    }
    // Each lane has a number between 0 and 1, of which one bit after another is drawn until it is clear
    // whether the number is below the probability.
    let (mut below, mut equal, mut rest) = ([0; N], [!0; N], probability);
    while rest > 0.0 && equal != [0; N] {
        rest *= 2.0;
        let one = rest >= 1.0;
        rest -= if one { 1.0 } else { 0.0 };
        for (below, equal) in below.iter_mut().zip(&mut equal) {
            let bits = rng.next_u64();
            *below |= if one { *equal & !bits } else { 0 };
            *equal &= if one { bits } else { !bits };
        }
    }
    below
}

/// For how many lanes it is faster to look at each than to turn all.
fn few<const N: usize>() -> u64 {
    3 * N as u64
}

/// The bits of one lane in up to 64 rows.
#[inline]
fn column<const N: usize>(rows: &[[u64; N]], lane: usize) -> u64 {
    let (group, bit) = (lane / 64, lane % 64);
    rows.iter().rev().fold(0, |word, row| word << 1 | row[group] >> bit & 1)
}

/// Whether a lane's bit is set.
#[inline]
pub(super) fn holds<const N: usize>(words: &[u64; N], lane: usize) -> bool {
    words[lane / 64] >> (lane % 64) & 1 == 1
}

/// Takes lanes out of others.
pub(super) fn remove<const N: usize>(from: &mut [u64; N], lanes: &[u64; N]) {
    from.iter_mut().zip(lanes).for_each(|(from, lanes)| *from &= !lanes);
}

/// The lanes whose bits are set.
pub(super) fn lanes<const N: usize>(words: [u64; N]) -> impl Iterator<Item = usize> {
    words.into_iter().enumerate().flat_map(|(group, word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let lane = (rest != 0).then(|| group * 64 + rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            lane
        })
    })
}
