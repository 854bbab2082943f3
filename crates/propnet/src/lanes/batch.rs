//! A batch on lanes: each lane is a game whose moves come from outside.
//!
//! The rows of seats are actions, so that legal actions are rows as they come and choices are rows as they
//! are made. A [`Group`] is as many games as there are lanes; groups are independent of each other.

use std::marker::PhantomData;
use std::sync::Arc;

use gamegrove_game::{
    Actions, Batch, BatchError, BatchSetup, BatchView, Move, Restart, RngBank, Role,
};

use super::kernel::{Block, Machine, Offsets, Turns, index, read};
use super::memory::Memory;
use super::packing::{Packing, Seat};
use super::program::Pin;
use super::stream::{Shared, holds, lanes, remove};
use crate::network::Network;

/// Steps of random play after which roles that took turns all the time are taken to do so always.
const PROBED: u32 = 500;

/// The part that all groups share.
struct Plan<const N: usize> {
    shared: Arc<Shared>,
    ops: Offsets<N>,
    packing: Packing,
    way: Way,
    /// How many seats hold choices; they come first.
    choosers: usize,
    names: Vec<String>,
    /// For each role the move of each action.
    moves: Vec<Vec<Option<u32>>>,
    /// The slots of bases as they are.
    bases: Vec<Pin>,
    setup: BatchSetup,
}

/// Games on all lanes of a width.
pub(super) struct LaneBatch<const N: usize, M> {
    plan: Plan<N>,
    groups: Vec<Group<N>>,
    machine: PhantomData<fn() -> M>,
}

/// A batch of a network's game.
pub(super) fn batch<const N: usize, M: Machine<N> + 'static>(
    shared: &Arc<Shared>,
    network: &Network,
    setup: BatchSetup,
) -> Result<Box<dyn Batch>, BatchError> {
    if setup.games == 0 || setup.limit == 0 {
        return Err(BatchError::Empty);
    }
    // No proof says that roles take turns, or that a role never waits on its turn: random games show it.
    let ways = [Way::Turns, Way::TurnsWithWaits].into_iter().filter(|_| shared.sharing.is_some());
    for way in ways {
        let trial =
            BatchSetup { games: 64 * N, limit: PROBED, restart: Restart::AtOnce, threads: 1 };
        let mut probe = LaneBatch::<N, M>::new(shared, network, trial, way);
        let steps = |probe: &mut LaneBatch<N, M>| {
            (0..PROBED).try_for_each(|_| probe.step(Actions::AtRandom, BatchView::default()))
        };
        match probe.as_mut().map_err(|error| error.clone()).and_then(steps) {
            Err(BatchError::Choosers { .. }) => {}
            Err(error) => return Err(error),
            Ok(()) => return Ok(Box::new(LaneBatch::<N, M>::new(shared, network, setup, way)?)),
        }
    }
    Ok(Box::new(LaneBatch::<N, M>::new(shared, network, setup, Way::Together)?))
}

/// Which roles choose in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The role whose turn it is; its waiting move is never legal.
    Turns,
    /// The role whose turn it is; it may also wait, so that is an action.
    TurnsWithWaits,
    /// All roles.
    Together,
}

impl<const N: usize, M: Machine<N>> LaneBatch<N, M> {
    fn new(
        shared: &Arc<Shared>,
        network: &Network,
        setup: BatchSetup,
        way: Way,
    ) -> Result<Self, BatchError> {
        let sharing = shared.sharing.as_ref().filter(|_| way != Way::Together);
        let roles = network.roles().len();
        let mut names: Vec<String> = Vec::new();
        let mut known = rustc_hash::FxHashMap::default();
        let mut numbers: Vec<Vec<Option<usize>>> = Vec::new();
        for role in 0..roles {
            let waits = sharing.and_then(|sharing| sharing.waits[role]).map(|(_, mov)| mov);
            let never_chooses = sharing.is_some() && waits.is_none();
            let number = |(mov, line): (usize, &crate::network::MoveLine)| {
                let waits = waits == Some(mov as u32) && way == Way::Turns;
                if waits || never_chooses {
                    return None;
                }
                let name = network.names().get(line.name).unwrap_or("?");
                Some(*known.entry(name.to_owned()).or_insert_with(|| {
                    names.push(name.to_owned());
                    names.len() - 1
                }))
            };
            numbers.push(network.moves(role).iter().enumerate().map(number).collect());
        }
        let mut moves = vec![vec![None; names.len()]; roles];
        for (moves, numbers) in moves.iter_mut().zip(&numbers) {
            for (mov, number) in numbers.iter().enumerate() {
                if let Some(number) = number {
                    moves[*number] = Some(mov as u32);
                }
            }
        }
        let program = &shared.program;
        let packing = Packing::of_actions(program, sharing, names.len(), &moves);
        let choosers = packing.choosers();
        let bases = program.base_slots().map(|slot| Pin { slot: slot as u32, negated: false });
        let plan = Plan {
            shared: Arc::clone(shared),
            ops: Offsets::new(program),
            packing,
            way,
            choosers,
            names,
            moves,
            bases: bases.collect(),
            setup,
        };
        let group = |first| Group::new(&plan, first, setup.games - first);
        let groups = (0..setup.games).step_by(64 * N).map(group).collect();
        let mut batch = LaneBatch { plan, groups, machine: PhantomData };
        batch.reset(0, BatchView::default())?;
        if batch.groups.iter().any(|group| holds(&group.terminal, 0) || holds(&group.stuck, 0)) {
            return Err(BatchError::OverAtStart);
        }
        Ok(batch)
    }

    /// How long each buffer is per game.
    fn sizes(&self) -> Sizes {
        let plan = &self.plan;
        let (facts, actions) = (plan.bases.len(), plan.names.len());
        Sizes {
            facts,
            fact_bits: facts.div_ceil(64),
            legal: plan.choosers * actions,
            legal_bits: plan.choosers * actions.div_ceil(64),
            goals: plan.moves.len(),
            chosen: plan.choosers,
        }
    }

    /// Does work in all groups, each with its part of what is given and of what is written.
    fn each(
        &mut self,
        actions: &[i64],
        view: BatchView<'_>,
        work: impl Fn(&Plan<N>, &mut Group<N>, &[i64], &mut BatchView<'_>) + Sync,
    ) -> Result<(), BatchError> {
        let sizes = self.sizes();
        sizes.check(self.plan.setup.games, &view)?;
        let (mut actions, mut view) = (actions, view);
        let mut jobs: Vec<_> = Vec::with_capacity(self.groups.len());
        for group in &mut self.groups {
            let count = if actions.is_empty() { 0 } else { group.games * self.plan.choosers };
            let (own, rest) = actions.split_at(count);
            actions = rest;
            let part = sizes.part(group.games, &mut view);
            jobs.push((group, own, part));
        }
        let plan = &self.plan;
        let run = |jobs: &mut [(&mut Group<N>, &[i64], BatchView<'_>)]| {
            for (group, actions, view) in jobs {
                work(plan, group, actions, view);
            }
        };
        let each = jobs.len().div_ceil(plan.setup.threads.max(1));
        if each == jobs.len() {
            run(&mut jobs);
        } else {
            std::thread::scope(|scope| {
                for jobs in jobs.chunks_mut(each) {
                    scope.spawn(|| run(jobs));
                }
            });
        }
        let crowded = self.groups.iter().find_map(|group| Some(group.first + group.crowded?));
        crowded.map_or(Ok(()), |game| Err(BatchError::Choosers { game }))
    }
}

impl<const N: usize, M: Machine<N>> Batch for LaneBatch<N, M> {
    fn games(&self) -> usize {
        self.plan.setup.games
    }

    fn roles(&self) -> usize {
        self.plan.moves.len()
    }

    fn choosers(&self) -> usize {
        self.plan.choosers
    }

    fn actions(&self) -> &[String] {
        &self.plan.names
    }

    fn move_of(&self, role: Role, action: usize) -> Option<Move> {
        self.plan.moves.get(role.index())?.get(action)?.map(Move)
    }

    fn facts(&self) -> usize {
        self.plan.bases.len()
    }

    fn reset(&mut self, seed: u64, view: BatchView<'_>) -> Result<(), BatchError> {
        self.each(&[], view, |plan, group, _, view| {
            group.reset::<M>(plan, seed);
            group.write::<M>(plan, view);
        })
    }

    fn step(&mut self, actions: Actions<'_>, view: BatchView<'_>) -> Result<(), BatchError> {
        let Actions::Given(actions) = actions else {
            return self.each(&[], view, |plan, group, _, view| {
                group.choose::<M>(plan, view.chosen);
                group.step::<M>(plan);
                group.write::<M>(plan, view);
            });
        };
        let wanted = self.plan.setup.games * self.plan.choosers;
        if actions.len() != wanted {
            return Err(BatchError::Length { what: "actions", given: actions.len(), wanted });
        }
        self.sizes().check(self.plan.setup.games, &view)?;
        for (group, actions) in
            self.groups.iter_mut().zip(actions.chunks(64 * N * self.plan.choosers))
        {
            group.check(&self.plan, actions)?;
        }
        self.each(actions, view, |plan, group, actions, view| {
            group.take(plan, actions);
            group.step::<M>(plan);
            group.write::<M>(plan, view);
        })
    }

    fn state(&mut self, game: usize) -> Option<Vec<u64>> {
        let group = self
            .groups
            .get_mut(game / (64 * N))
            .filter(|group| game < group.first + group.games)?;
        let lane = game % (64 * N);
        let slots = group.slots.rows_mut::<N>();
        let mut words = vec![0; self.plan.bases.len().div_ceil(64)];
        for (bit, row) in slots[self.plan.shared.program.base_slots()].iter().enumerate() {
            words[bit / 64] |= u64::from(holds(row, lane)) << (bit % 64);
        }
        Some(words)
    }
}

/// How many entries a game has in each buffer; others have one.
struct Sizes {
    facts: usize,
    fact_bits: usize,
    legal: usize,
    legal_bits: usize,
    goals: usize,
    chosen: usize,
}

impl Sizes {
    fn check(&self, games: usize, view: &BatchView<'_>) -> Result<(), BatchError> {
        let parts = [
            ("facts", view.facts.len(), self.facts),
            ("last_facts", view.last_facts.len(), self.facts),
            ("fact_bits", view.fact_bits.len(), self.fact_bits),
            ("legal", view.legal.len(), self.legal),
            ("legal_bits", view.legal_bits.len(), self.legal_bits),
            ("goals", view.goals.len(), self.goals),
            ("terminated", view.terminated.len(), 1),
            ("truncated", view.truncated.len(), 1),
            ("movers", view.movers.len(), 1),
            ("chosen", view.chosen.len(), self.chosen),
        ];
        let wrong = |&(_, given, each): &(_, usize, usize)| given != 0 && given != games * each;
        match parts.into_iter().find(wrong) {
            Some((what, given, each)) => {
                Err(BatchError::Length { what, given, wanted: games * each })
            }
            None => Ok(()),
        }
    }

    /// The part of the next `games`.
    fn part<'a>(&self, games: usize, view: &mut BatchView<'a>) -> BatchView<'a> {
        BatchView {
            facts: front(&mut view.facts, games * self.facts),
            last_facts: front(&mut view.last_facts, games * self.facts),
            fact_bits: front(&mut view.fact_bits, games * self.fact_bits),
            legal: front(&mut view.legal, games * self.legal),
            legal_bits: front(&mut view.legal_bits, games * self.legal_bits),
            goals: front(&mut view.goals, games * self.goals),
            terminated: front(&mut view.terminated, games),
            truncated: front(&mut view.truncated, games),
            movers: front(&mut view.movers, games),
            chosen: front(&mut view.chosen, games * self.chosen),
        }
    }
}

/// Takes the first entries off, if there are any.
fn front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let all = std::mem::take(slice);
    let (front, rest) = all.split_at_mut(count.min(all.len()));
    *slice = rest;
    front
}

/// As many games as there are lanes.
struct Group<const N: usize> {
    /// The number of its first game, and how many it has.
    first: usize,
    games: usize,
    slots: Memory,
    /// Legal actions and choices, as rows, and either of them or facts turned.
    legal: Memory,
    chosen: Memory,
    turned: Memory,
    /// The facts of games that ended with the last step, as rows.
    last: Memory,
    scratch: Memory,
    random: Memory,
    bank: RngBank,
    /// All lanes, then the lanes in which it is each role's turn.
    of_moves: Vec<[u64; N]>,
    /// The lanes in which each role sits on its seat, makes its waiting move, and has a legal move.
    on_seats: Vec<[u64; N]>,
    waits: Vec<[u64; N]>,
    can_move: Vec<[u64; N]>,
    /// Lanes with a choice, for each chooser.
    choices: Vec<[u64; N]>,
    terminal: [u64; N],
    stuck: [u64; N],
    /// Lanes without a game.
    absent: [u64; N],
    /// Lanes in which play is over, those without a game included.
    over: [u64; N],
    /// Lanes that ended with the last step, by the rules and by the limit.
    terminated: [u64; N],
    truncated: [u64; N],
    /// Steps so far, the step each game started with, and the first that may end one by its limit.
    now: u64,
    since: Vec<u64>,
    next_limit: u64,
    goals: Vec<f32>,
    /// A lane in which several roles choose that share a seat.
    crowded: Option<usize>,
}

impl<const N: usize> Group<N> {
    fn new(plan: &Plan<N>, first: usize, games: usize) -> Group<N> {
        let (roles, games) = (plan.moves.len(), games.min(64 * N));
        let blocks = plan.packing.blocks.len();
        let fact_rows = plan.bases.len().div_ceil(64) * 64;
        let mut absent = [!0; N];
        (0..games).for_each(|lane| absent[lane / 64] &= !(1 << (lane % 64)));
        Group {
            first,
            games,
            slots: Memory::new(plan.shared.program.slots * N),
            legal: Memory::new(blocks * 64 * N),
            chosen: Memory::new(blocks * 64 * N),
            turned: Memory::new(fact_rows.max(blocks * 64) * N),
            last: Memory::new(fact_rows * N),
            scratch: Memory::new(plan.packing.scratch_rows() * N),
            random: Memory::new(64 * N),
            bank: RngBank::new(0, N),
            of_moves: vec![[!0; N]; 1 + roles],
            on_seats: vec![[!0; N]; roles],
            waits: vec![[0; N]; roles],
            can_move: vec![[0; N]; roles],
            choices: vec![[0; N]; plan.choosers],
            terminal: [0; N],
            stuck: [0; N],
            absent,
            over: absent,
            terminated: [0; N],
            truncated: [0; N],
            now: 0,
            since: vec![0; 64 * N],
            next_limit: 0,
            goals: vec![0.0; 64 * N * roles],
            crowded: None,
        }
    }

    /// All games as they start.
    fn reset<M: Machine<N>>(&mut self, plan: &Plan<N>, seed: u64) {
        self.bank.reseed(seed);
        for lane in 0..self.games {
            self.bank.start(index::<N>(lane), (self.first + lane) as u64);
        }
        let initial = plan.shared.initial.words();
        M::advance_alike(&plan.bases, self.slots.rows_mut(), initial, &[!0; N]);
        self.now = 0;
        self.since.fill(0);
        self.next_limit = u64::from(plan.setup.limit);
        self.goals.fill(0.0);
        (self.terminated, self.truncated) = ([0; N], [0; N]);
        self.over = self.absent;
        self.crowded = None;
        self.look::<M>(plan);
        self.settle(plan);
    }

    /// Works out what depends on the state.
    fn look<M: Machine<N>>(&mut self, plan: &Plan<N>) {
        let program = &plan.shared.program;
        let slots = self.slots.rows_mut::<N>();
        M::execute(program, &plan.ops, &program.early, slots);
        self.terminal = read(slots, program.answers.terminal);
        for (turn, &pin) in self.of_moves[1..].iter_mut().zip(&program.answers.turns) {
            *turn = read(slots, pin);
        }
        self.can_move.fill([0; N]);
        let (mut taken, mut crowded) = ([0; N], [0; N]);
        for (role, wait) in plan.packing.waits.iter().enumerate() {
            let Some((source, _)) = wait else { continue };
            let legal = slots[source.legal as usize].map(|word| word ^ source.flip);
            let turn = self.of_moves[usize::from(source.turn)];
            for at in 0..N {
                let waits = if plan.way == Way::Turns { legal[at] } else { 0 };
                crowded[at] |= turn[at] & (taken[at] | waits);
                taken[at] |= turn[at];
                self.waits[role][at] = legal[at] & !turn[at];
            }
            self.on_seats[role] = turn;
            self.can_move[role] = self.waits[role];
        }
        remove(&mut crowded, &self.terminal);
        remove(&mut crowded, &self.absent);
        self.crowded = self.crowded.or(lanes(crowded).next());
        let turns = Turns { of_moves: &self.of_moves, on_seats: &self.on_seats };
        let legal = self.legal.rows_mut().as_chunks_mut().0;
        M::gather(&plan.packing, slots, &turns, legal, &mut self.can_move);
        self.stuck = [0; N];
        for can_move in &self.can_move {
            for (stuck, can_move) in self.stuck.iter_mut().zip(can_move) {
                *stuck |= !can_move;
            }
        }
    }

    /// Takes legal actions from games that are over, and notes where there is a choice.
    fn settle(&mut self, plan: &Plan<N>) {
        let rows = self.legal.rows_mut::<N>();
        for (seat, choice) in plan.packing.seats.iter().zip(&mut self.choices) {
            let (mut once, mut twice) = ([0; N], [0; N]);
            for row in &mut rows[seat.rows()] {
                for at in 0..N {
                    row[at] &= !self.over[at];
                    twice[at] |= once[at] & row[at];
                    once[at] |= row[at];
                }
            }
            *choice = twice;
        }
    }

    /// Whether the actions of all games with a choice are legal.
    fn check(&mut self, plan: &Plan<N>, actions: &[i64]) -> Result<(), BatchError> {
        let rows = self.legal.rows_mut::<N>();
        for (chooser, (seat, &choice)) in plan.packing.seats.iter().zip(&self.choices).enumerate() {
            let rows = &rows[seat.rows()];
            for lane in lanes(choice) {
                let action = actions[lane * plan.choosers + chooser];
                let row = usize::try_from(action).ok().and_then(|action| rows.get(action));
                if !row.is_some_and(|row| holds(row, lane)) {
                    return Err(BatchError::Illegal { game: self.first + lane, chooser, action });
                }
            }
        }
        Ok(())
    }

    /// Makes the given actions the choices; they were checked.
    fn take(&mut self, plan: &Plan<N>, actions: &[i64]) {
        let (legal, chosen) = (self.legal.rows_mut::<N>(), self.chosen.rows_mut::<N>());
        chosen.copy_from_slice(legal);
        for (chooser, (seat, choice)) in plan.packing.seats.iter().zip(&self.choices).enumerate() {
            let rows = &mut chosen[seat.rows()];
            rows.iter_mut().for_each(|row| remove(row, choice));
            for lane in lanes(*choice) {
                let action = actions[lane * plan.choosers + chooser] as usize;
                rows[action][lane / 64] |= 1 << (lane % 64);
            }
        }
    }

    /// Chooses at random, and writes what was chosen if that is wanted.
    fn choose<M: Machine<N>>(&mut self, plan: &Plan<N>, told: &mut [i64]) {
        let (legal, chosen) = (self.legal.rows_mut::<N>(), self.chosen.rows_mut::<N>());
        chosen.copy_from_slice(legal);
        let blocks = &plan.packing.blocks;
        let turned = self.turned.rows_mut::<N>().as_chunks_mut::<64>().0;
        if let ([random], true) = (self.random.rows_mut().as_chunks_mut().0, plan.packing.on_rows) {
            let scratch = self.scratch.rows_mut();
            for seat in &plan.packing.seats {
                M::choose_on_rows(&mut chosen[seat.rows()], scratch, &mut self.bank, random);
            }
            if !told.is_empty() {
                turn::<N, M>(chosen, turned, blocks);
            }
        } else {
            let chosen = chosen.as_chunks_mut().0;
            chosen.iter_mut().zip(blocks).for_each(|(block, &rows)| M::to_lanes(block, rows));
            for seat in &plan.packing.seats {
                M::choose(seat, chosen, &mut self.bank);
            }
            if !told.is_empty() {
                turned[..chosen.len()].copy_from_slice(chosen);
            }
            chosen.iter_mut().zip(blocks).for_each(|(block, &rows)| M::to_rows(block, rows));
        }
        let seats = || plan.packing.seats.iter().zip(&self.choices);
        for (lane, told) in told.chunks_mut(plan.choosers).enumerate() {
            for ((seat, choice), told) in seats().zip(told) {
                let mut words = words(seat, turned, lane).enumerate();
                let first = words.find(|(_, word)| *word != 0).filter(|_| holds(choice, lane));
                *told = first
                    .map_or(-1, |(at, word)| 64 * at as i64 + i64::from(word.trailing_zeros()));
            }
        }
    }

    /// Makes the moves that were chosen.
    fn step<M: Machine<N>>(&mut self, plan: &Plan<N>) {
        let program = &plan.shared.program;
        let initial = plan.shared.initial.words();
        let slots = self.slots.rows_mut::<N>();
        let turns = Turns { of_moves: &self.of_moves, on_seats: &self.on_seats };
        M::scatter(&plan.packing, self.chosen.rows_mut().as_chunks().0, &turns, slots);
        for (wait, row) in plan.packing.waits.iter().zip(&self.waits) {
            if let Some((source, _)) = wait {
                let slot = &mut slots[source.slot as usize];
                if plan.way == Way::Turns {
                    *slot = [0; N];
                }
                slot.iter_mut().zip(row).for_each(|(slot, waits)| *slot |= waits);
            }
        }
        M::execute(program, &plan.ops, &program.late, slots);
        // Where play is over the next state is the start.
        M::advance_alike(&program.answers.next, slots, initial, &self.over);
        self.now += 1;
        let started = self.over;
        self.start(plan, &started);
        self.look::<M>(plan);
        self.end(plan);
        if plan.setup.restart == Restart::AtOnce {
            let mut ended = self.over;
            remove(&mut ended, &self.absent);
            if ended != [0; N] {
                let slots = self.slots.rows_mut::<N>();
                let last = &mut self.last.rows_mut()[..plan.bases.len()];
                last.copy_from_slice(&slots[program.base_slots()]);
                M::advance_alike(&plan.bases, slots, initial, &ended);
                self.start(plan, &ended);
                self.over = self.absent;
                self.look::<M>(plan);
            }
        }
        self.settle(plan);
    }

    /// Notes that games have just started.
    fn start(&mut self, plan: &Plan<N>, started: &[u64; N]) {
        for lane in lanes(*started) {
            self.since[lane] = self.now;
        }
        if self.next_limit == u64::MAX {
            self.next_limit = self.now + u64::from(plan.setup.limit);
        }
    }

    /// Finds out which games are over now, and what they are worth.
    fn end(&mut self, plan: &Plan<N>) {
        let roles = plan.moves.len();
        for at in 0..N {
            let before = self.terminated[at] | self.truncated[at];
            for lane in lanes([before]) {
                let lane = 64 * at + lane;
                self.goals[lane * roles..(lane + 1) * roles].fill(0.0);
            }
            self.terminated[at] = (self.terminal[at] | self.stuck[at]) & !self.absent[at];
        }
        self.truncated = [0; N];
        if self.now >= self.next_limit {
            self.next_limit = u64::MAX;
            for lane in (0..self.games).filter(|&lane| !holds(&self.terminated, lane)) {
                let until = self.since[lane] + u64::from(plan.setup.limit);
                if until <= self.now {
                    self.truncated[lane / 64] |= 1 << (lane % 64);
                } else {
                    self.next_limit = self.next_limit.min(until);
                }
            }
        }
        let ended: [u64; N] = std::array::from_fn(|at| self.terminated[at] | self.truncated[at]);
        self.over = std::array::from_fn(|at| ended[at] | self.absent[at]);
        let slots = self.slots.rows_mut::<N>();
        for lane in lanes(ended) {
            for role in 0..roles {
                let (mut sum, mut count) = (0.0, 0u16);
                let pins = &plan.shared.program.answers.goals[role];
                for (&pin, value) in pins.iter().zip(&plan.shared.goal_values[role]) {
                    if holds(&slots[pin.slot as usize], lane) != pin.negated {
                        sum += value;
                        count += 1;
                    }
                }
                self.goals[lane * roles + role] = sum / f32::from(count.max(1));
            }
        }
    }

    /// Writes what is wanted.
    fn write<M: Machine<N>>(&mut self, plan: &Plan<N>, view: &mut BatchView<'_>) {
        let bases = plan.shared.program.base_slots();
        let facts = Seat::new(0, plan.bases.len(), 0);
        let fact_blocks = blocks_of(plan.bases.len());
        let turned = self.turned.rows_mut::<N>().as_chunks_mut::<64>().0;
        let restarted = |lane: usize| {
            plan.setup.restart == Restart::AtOnce
                && (holds(&self.terminated, lane) || holds(&self.truncated, lane))
        };
        if !view.last_facts.is_empty() && (0..self.games).any(restarted) {
            turn::<N, M>(self.last.rows_mut(), turned, &fact_blocks);
            let each = plan.bases.len();
            for lane in (0..self.games).filter(|&lane| restarted(lane)) {
                let own = &mut view.last_facts[lane * each..][..each];
                M::to_bytes(&facts, turned, lane, each, own);
            }
        }
        if !view.facts.is_empty() || !view.fact_bits.is_empty() {
            turn::<N, M>(&self.slots.rows_mut()[bases], turned, &fact_blocks);
            M::to_bytes(&facts, turned, 0, plan.bases.len(), view.facts);
            for (lane, into) in view.fact_bits.chunks_mut(fact_blocks.len().max(1)).enumerate() {
                into.iter_mut().zip(words(&facts, turned, lane)).for_each(|(to, word)| *to = word);
            }
        }
        if !view.legal.is_empty() || !view.legal_bits.is_empty() {
            turn::<N, M>(self.legal.rows_mut(), turned, &plan.packing.blocks);
            let actions = plan.names.len();
            let seats = &plan.packing.seats[..plan.choosers];
            for (chooser, seat) in seats.iter().enumerate() {
                if let Some(own) = view.legal.get_mut(chooser * actions..) {
                    M::to_bytes(seat, turned, 0, plan.choosers * actions, own);
                }
            }
            for (at, into) in view.legal_bits.chunks_mut(actions.div_ceil(64).max(1)).enumerate() {
                let words = words(&seats[at % plan.choosers], turned, at / plan.choosers);
                into.iter_mut().zip(words).for_each(|(to, word)| *to = word);
            }
        }
        let goals = &self.goals[..view.goals.len()];
        view.goals.copy_from_slice(goals);
        for (lane, into) in view.terminated.iter_mut().enumerate() {
            *into = u8::from(holds(&self.terminated, lane));
        }
        for (lane, into) in view.truncated.iter_mut().enumerate() {
            *into = u8::from(holds(&self.truncated, lane));
        }
        if !view.movers.is_empty() {
            view.movers.fill(u8::MAX);
            for (role, turn) in self.on_seats.iter().enumerate() {
                if plan.packing.waits[role].is_some() {
                    let here = std::array::from_fn(|at| turn[at] & !self.over[at]);
                    lanes::<N>(here).for_each(|lane| view.movers[lane] = role as u8);
                }
            }
        }
    }
}

/// How many rows each block of so many rows has.
fn blocks_of(rows: usize) -> Vec<usize> {
    (0..rows).step_by(64).map(|start| (rows - start).min(64)).collect()
}

/// Turns a copy of rows; `used` says how many there are in each block.
fn turn<const N: usize, M: Machine<N>>(rows: &[[u64; N]], turned: &mut [Block<N>], used: &[usize]) {
    for ((turned, rows), &used) in turned.iter_mut().zip(rows.chunks(64)).zip(used) {
        turned[..rows.len()].copy_from_slice(rows);
        turned[used..].fill([0; N]);
        M::to_lanes(turned, used);
    }
}

/// A lane's bits of a seat, in turned blocks.
fn words<'a, const N: usize>(
    seat: &Seat,
    turned: &'a [Block<N>],
    lane: usize,
) -> impl Iterator<Item = u64> + use<'a, N> {
    let seat = *seat;
    let blocks = &turned[seat.first_block..seat.first_block + seat.blocks];
    let word = move |(at, block): (usize, &Block<N>)| {
        block[lane % 64][lane / 64] >> seat.shift & seat.mask(at)
    };
    blocks.iter().enumerate().map(word)
}
