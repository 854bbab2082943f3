//! Forward differential propagation: only what changes is touched [Sironi 2019, 4.2.3].
//!
//! Each gate counts its inputs that hold, offset so that the top bit of the counter is the gate's
//! value. When a line changes, the counters of its readers change; a reader whose top bit changes is
//! marked, and marks cancel out when it changes back. Marked gates are worked off in the order of the
//! circuit, so every gate changes at most once however the ways to it cross. Answers (legal moves,
//! goals, end, next state) are bits that change with the line they show, so reading them is copying.
//!
//! Three things make this fast where it would be slow. The gates that only the next state needs stay
//! marked until a move is made, and those that only goals need until goals are asked for. Moves need not be
//! followed through the circuit: [`effects`] says what each does to the state. Inputs that change all the time and are read by very
//! many gates are [`guards`]. Which of these a game gets is decided by [`tune`], from a few hundred
//! steps of random play.
//!
//! A cycle is evaluated as one: counters see only what comes from outside, and when that changes
//! the cycle is worked out anew from all false, because members could keep each other true.

mod effects;
mod guards;
mod movers;
mod plan;
mod tune;

use std::ops::Range;
use std::sync::Arc;

use gamegrove_game::{Move, Role};

use self::effects::Effects;
use self::movers::Movers;
use self::plan::{Cycle, HOLDS, NO_LINE, Plan, SPAN, groups, offset, reads_moves};
use super::Evaluator;
use crate::circuit::{Circuit, Gate, Signal};
use crate::invariants::Flaw;
use crate::network::Network;
use crate::state::Bits;

/// Follows changes through the circuit.
#[derive(Clone, Debug)]
pub struct Forward {
    plan: Arc<Plan>,
    /// The effects of moves, where they are not followed through the circuit.
    movers: Option<Arc<Movers>>,
    work: Work,
    effects: Effects,
    settings: Arc<Settings>,
}

/// How changes are followed. All settings give the same answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whether it is worked out once per joint move what it does. Not possible where recursion
    /// depends on moves.
    pub effects: bool,
    /// The fewest gates for which an input is made a guard; none if no input is.
    pub guard_from: Option<usize>,
    /// How often each line of the circuit changed in `steps` steps; empty if nothing was counted.
    pub toggles: Vec<u32>,
    /// The steps that were looked at.
    pub steps: u32,
}

/// The part that changes during play.
#[derive(Clone, Debug)]
struct Work {
    counters: Vec<u32>,
    /// One bit for each line; the base propositions' part is the state that was looked at.
    values: Vec<u64>,
    /// Gates whose value has changed and whose readers do not know it yet.
    marks: Marks,
    answers: Vec<u64>,
    /// The legal moves of a role whose turn it is not.
    waiting: Vec<u64>,
    /// The line of the move that each role makes.
    made: Vec<u32>,
    /// For each group of guarded gates, whether the guard lets their other inputs decide; and the gates whose
    /// other inputs let the guard decide.
    open: Vec<bool>,
    ready: Vec<u64>,
    /// Room to work out a cycle.
    cycle_counters: Vec<u32>,
    cycle_open: Vec<u32>,
}

/// A set of gates that is emptied in order.
#[derive(Clone, Debug)]
struct Marks {
    words: Vec<u64>,
    summary: Vec<u64>,
}

impl Marks {
    #[inline]
    fn toggle(&mut self, gate: usize) {
        self.words[gate / 64] ^= 1 << (gate % 64);
        self.summary[gate / SPAN] |= 1 << (gate / 64 % 64);
    }

    fn set(&mut self, gate: usize) {
        self.words[gate / 64] |= 1 << (gate % 64);
        self.summary[gate / SPAN] |= 1 << (gate / 64 % 64);
    }
}

impl Forward {
    /// An evaluator for a circuit, tuned by random play from `start`.
    pub fn tuned(circuit: &Circuit, start: &[u64]) -> Forward {
        tune::tune(circuit, start)
    }

    /// An evaluator for a circuit with settings of one's own choice.
    pub fn with_settings(circuit: &Circuit, settings: &Settings) -> Forward {
        let reads_moves = reads_moves(circuit);
        let mut settings = settings.clone();
        settings.effects &= Movers::possible(circuit, &reads_moves);
        let plan = Plan::new(circuit, &reads_moves, &settings);
        let movers =
            settings.effects.then(|| Arc::new(Movers::new(circuit, &reads_moves, &plan.numbering)));
        let temporary = movers.as_ref().map_or(0, |movers| movers.gate_count());
        let mut work = Work {
            counters: vec![0; plan.numbering.end],
            values: vec![0; (plan.numbering.lines() + temporary).div_ceil(64)],
            marks: Marks {
                words: vec![0; plan.numbering.end.div_ceil(64)],
                summary: vec![0; plan.numbering.end.div_ceil(SPAN)],
            },
            answers: vec![0; (plan.next.0 + plan.next.1) as usize],
            waiting: Vec::new(),
            made: vec![NO_LINE; plan.legal.len()],
            open: plan.guards.groups.iter().map(|group| group.signal.negated()).collect(),
            ready: vec![0; plan.guards.words()],
            cycle_counters: Vec::new(),
            cycle_open: Vec::new(),
        };
        work.start(&plan, circuit);
        let effects = Effects::new(circuit, movers.is_some());
        Forward { plan: Arc::new(plan), movers, work, effects, settings: Arc::new(settings) }
    }

    /// How many inputs are guards.
    pub fn guard_count(&self) -> usize {
        self.plan.guards.groups.len()
    }

    /// The settings in use.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

impl Work {
    /// The consistent assignment in which no base proposition and no move holds.
    fn start(&mut self, plan: &Plan, circuit: &Circuit) {
        let mut holds = vec![false; circuit.first_gate() as usize + circuit.gates.len()];
        let value = |holds: &[bool], s: Signal| holds[s.line() as usize] != s.negated();
        for group in groups(circuit) {
            loop {
                let mut changed = false;
                for gate in group.clone() {
                    let mut inputs = circuit.inputs(gate).iter().map(|&s| value(&holds, s));
                    let now = match circuit.gates[gate] {
                        Gate::And => inputs.all(|value| value),
                        Gate::Or => inputs.any(|value| value),
                    };
                    let line = circuit.line_of(gate) as usize;
                    changed |= std::mem::replace(&mut holds[line], now) != now;
                }
                if !changed {
                    break;
                }
            }
        }
        for group in groups(circuit) {
            let cyclic = circuit.cycles.iter().any(|cycle| cycle.start as usize == group.start);
            for gate in group.clone() {
                let Some(number) = plan.numbering.gate(gate) else { continue };
                let guard = plan.guards.of_gate(number).map(|g| plan.guards.groups[g].signal);
                let inner = |s: Signal| {
                    let from = s.line().checked_sub(circuit.first_gate());
                    cyclic && from.is_some_and(|from| group.contains(&(from as usize)))
                };
                let inputs = circuit.inputs(gate).iter();
                let counted = inputs.clone().filter(|&&s| Some(s) != guard && !inner(s));
                let count = counted.filter(|&&s| value(&holds, s)).count();
                let needed = inputs.len() - usize::from(guard.is_some());
                self.counters[number] = offset(circuit.gates[gate], needed) + count as u32;
                if holds[circuit.line_of(gate) as usize] {
                    self.values[number / 64] |= 1 << (number % 64);
                }
            }
        }
        for (number, group) in plan.guards.groups.iter().enumerate() {
            let is_or = group.kind == Gate::Or;
            self.open[number] = value(&holds, group.signal) != is_or;
            for (at, &gate) in group.gates.iter().enumerate() {
                if (self.counters[gate as usize] & HOLDS != 0) != is_or {
                    self.ready[group.first_word + at / 64] |= 1 << (at % 64);
                }
            }
        }
        for (bit, signal) in plan.answers(circuit) {
            if value(&holds, signal) {
                self.answers[bit as usize / 64] |= 1 << (bit % 64);
            }
        }
    }

    /// A line has changed: tells its readers. Nearly all of the time is spent here.
    #[inline(always)]
    fn change(&mut self, plan: &Plan, line: usize, now: bool) {
        for &target in plan.targets(line) {
            let gate = target.gate();
            let up = u32::from(now) ^ target.negated();
            let old = self.counters[gate];
            // One more or one less.
            let new = old.wrapping_add(up << 1).wrapping_sub(1);
            self.counters[gate] = new;
            if target.in_cycle() {
                self.marks.set(plan.cycle_first(gate));
            } else if (old ^ new) & HOLDS != 0 && (!target.guarded() || self.left_open(plan, gate))
            {
                self.marks.toggle(gate);
            }
        }
        for extra in plan.extras(line) {
            match extra.get() {
                Ok(bit) => self.answers[bit / 64] ^= 1 << (bit % 64),
                Err(group) => self.swing(plan, group),
            }
        }
    }

    /// The other inputs of a gate behind a guard have changed; whether the gate changes with them.
    #[inline]
    fn left_open(&mut self, plan: &Plan, gate: usize) -> bool {
        let (bit, group) = plan.guards.bit(gate);
        self.ready[bit / 64] ^= 1 << (bit % 64);
        self.open[group]
    }

    /// A guard has changed: the gates that leave it to the guard change with it.
    fn swing(&mut self, plan: &Plan, group: usize) {
        self.open[group] = !self.open[group];
        let group = &plan.guards.groups[group];
        for word in 0..group.words() {
            let mut ready = self.ready[group.first_word + word];
            while ready != 0 {
                let gate = group.gates[word * 64 + ready.trailing_zeros() as usize];
                ready &= ready - 1;
                self.marks.toggle(gate as usize);
            }
        }
    }

    /// Works off the marks in the given words of words.
    #[inline]
    fn settle(&mut self, plan: &Plan, spans: Range<usize>) {
        for span in spans {
            while self.marks.summary[span] != 0 {
                let word = span * 64 + self.marks.summary[span].trailing_zeros() as usize;
                while self.marks.words[word] != 0 {
                    let marked = self.marks.words[word];
                    let bit = marked & marked.wrapping_neg();
                    let gate = word * 64 + marked.trailing_zeros() as usize;
                    self.marks.words[word] = marked ^ bit;
                    if !plan.cycles.is_empty() && plan.cycle_starts[gate] != NO_LINE {
                        self.settle_cycle(plan, plan.cycle_starts[gate] as usize);
                    } else {
                        self.values[word] ^= bit;
                        let now = self.values[word] & bit != 0;
                        self.change(plan, gate, now);
                    }
                }
                self.marks.summary[span] &= self.marks.summary[span] - 1;
            }
        }
    }

    fn settle_cycle(&mut self, plan: &Plan, cycle: usize) {
        let cycle = &plan.cycles[cycle];
        self.work_out(cycle);
        for at in 0..cycle.starts.len() - 1 {
            let gate = cycle.first as usize + at;
            let now = self.cycle_counters[at] & HOLDS != 0;
            if (self.values[gate / 64] >> (gate % 64) & 1 == 1) != now {
                self.values[gate / 64] ^= 1 << (gate % 64);
                self.change(plan, gate, now);
            }
        }
    }

    /// The least fixpoint of a cycle, in `cycle_counters`.
    fn work_out(&mut self, cycle: &Cycle) {
        let members = cycle.starts.len() - 1;
        let first = cycle.first as usize;
        self.cycle_counters.clear();
        self.cycle_counters.extend_from_slice(&self.counters[first..first + members]);
        self.cycle_open.clear();
        let holds = |&at: &u32| self.cycle_counters[at as usize] & HOLDS != 0;
        self.cycle_open.extend((0..members as u32).filter(holds));
        while let Some(at) = self.cycle_open.pop() {
            let at = at as usize;
            for &reader in &cycle.readers[cycle.starts[at] as usize..cycle.starts[at + 1] as usize]
            {
                let counter = &mut self.cycle_counters[reader as usize];
                let held = *counter & HOLDS != 0;
                *counter += 1;
                if !held && *counter & HOLDS != 0 {
                    self.cycle_open.push(reader);
                }
            }
        }
    }

    #[inline]
    fn look_at(&mut self, plan: &Plan, state: &[u64]) {
        let first = plan.numbering.first_base / 64;
        // A call to compare memory would take longer than these few words.
        let held = &self.values[first..first + state.len()];
        if held.iter().zip(state).all(|(held, now)| held == now) {
            return;
        }
        for (word, &now) in state.iter().enumerate() {
            let mut changed = std::mem::replace(&mut self.values[first + word], now) ^ now;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed - 1;
                let line = (first + word) * 64 + bit as usize;
                self.change(plan, line, now >> bit & 1 == 1);
            }
        }
        self.settle(plan, 0..plan.numbering.late / SPAN);
    }

    /// Makes a joint move by following it through the circuit.
    fn make(&mut self, plan: &Plan, joint: &[Move]) {
        let move_lines = &plan.numbering.move_lines;
        for role in 0..self.made.len() {
            let lines = move_lines[role]..move_lines[role + 1];
            let line = joint.get(role).and_then(|mov| lines.start.checked_add(mov.0));
            let line = line.filter(|line| lines.contains(line)).unwrap_or(NO_LINE);
            let before = std::mem::replace(&mut self.made[role], line);
            if before != line {
                for (line, now) in [(before, false), (line, true)] {
                    if line != NO_LINE {
                        let line = line as usize;
                        self.values[line / 64] ^= 1 << (line % 64);
                        self.change(plan, line, now);
                    }
                }
            }
        }
    }

    fn part(&self, (first, count): (u32, u32)) -> &[u64] {
        &self.answers[first as usize..(first + count) as usize]
    }
}

impl Evaluator for Forward {
    fn new(network: &Arc<Network>) -> Result<Self, Flaw> {
        Ok(Forward::tuned(&Circuit::new(network)?, Bits::initial(network).words()))
    }

    #[inline]
    fn is_terminal(&mut self, state: &[u64]) -> bool {
        self.work.look_at(&self.plan, state);
        self.work.answers[0] & 1 == 1
    }

    #[inline]
    fn legal(&mut self, state: &[u64], role: Role) -> &[u64] {
        let (plan, work) = (&*self.plan, &mut self.work);
        work.look_at(plan, state);
        let (turn, (first, count)) = (1 + role.index(), plan.legal[role.index()]);
        if work.answers[turn / 64] >> (turn % 64) & 1 == 1 {
            return work.part((first, count));
        }
        let words = &work.answers[first as usize..(first + count) as usize];
        let masked = words.iter().zip(&plan.need_turn[role.index()]).map(|(w, mask)| w & !mask);
        work.waiting.clear();
        work.waiting.extend(masked);
        &work.waiting
    }

    #[inline]
    fn goals(&mut self, state: &[u64], role: Role) -> &[u64] {
        let (plan, work) = (&*self.plan, &mut self.work);
        work.look_at(plan, state);
        // What goals read may be read by the next state, too, and is found there then.
        work.settle(plan, plan.numbering.late / SPAN..work.marks.summary.len());
        work.part(plan.goals[role.index()])
    }

    #[inline]
    fn next(&mut self, state: &[u64], joint: &[Move], next: &mut [u64]) {
        let (plan, work) = (&*self.plan, &mut self.work);
        work.look_at(plan, state);
        let zones = plan.numbering.late / SPAN..plan.numbering.goals / SPAN;
        match &self.movers {
            None => {
                work.make(plan, joint);
                work.settle(plan, zones);
                next.copy_from_slice(work.part(plan.next));
            }
            Some(movers) => {
                work.settle(plan, zones);
                let effect = self.effects.of(movers, joint);
                let (first, count) = plan.next;
                let known = &work.answers[first as usize..(first + count) as usize];
                self.effects.apply(effect, &mut work.values, state, known, next);
            }
        }
    }
}
