//! Forward differential propagation: only what changes is touched (`propnets.md` 6.3).
//!
//! Each gate counts its inputs that hold, offset so that the top bit of the counter is the gate's
//! value. When a line changes, the counters of its readers change; a reader whose top bit changes is
//! marked, and marks cancel out when it changes back. Marked gates are worked off in the order of the
//! circuit, so every gate changes at most once however the ways to it cross. Answers (legal moves,
//! goals, end, next state) are bits that change with the line they show, so reading them is copying.
//!
//! The gates that only the next state needs are left marked until somebody makes a move.
//!
//! A cycle is evaluated as one: counters see only what comes from outside, and when that changes
//! the cycle is worked out anew from all false, because members could keep each other true.

use std::ops::Range;
use std::sync::Arc;

use gamegrove_game::{Move, Role};

use super::Evaluator;
use crate::circuit::{Circuit, Gate, Signal};
use crate::invariants::Flaw;
use crate::network::Network;

/// Follows changes through the circuit.
#[derive(Clone, Debug)]
pub struct Forward {
    plan: Arc<Plan>,
    work: Work,
}

/// What changes during play.
#[derive(Clone, Debug)]
struct Work {
    counters: Vec<u32>,
    /// Gates whose value has changed and whose readers do not know it yet.
    marks: Marks,
    answers: Vec<u64>,
    /// The legal moves of a role whose turn it is not.
    waiting: Vec<u64>,
    /// The state that was looked at.
    state: Vec<u64>,
    /// The line of the move that each role makes.
    made: Vec<u32>,
    /// The values of gates in cycles, and room to work them out.
    cycle_values: Vec<bool>,
    cycle_counters: Vec<u32>,
    cycle_open: Vec<u32>,
}

const HOLDS: u32 = 1 << 31;
/// Gates are marked in words of words; the late ones start at a new word of words.
const SPAN: usize = 64 * 64;
const NO_LINE: u32 = u32::MAX;

/// What does not change during play. Lines are numbered with the gates first.
#[derive(Debug)]
struct Plan {
    /// Gate numbers from here on are late; there may be unused numbers before.
    late: usize,
    gates: usize,
    first_base: u32,
    /// The first move's line of each role, and behind that the end.
    move_lines: Vec<u32>,
    target_starts: Vec<u32>,
    targets: Vec<Target>,
    shown_starts: Vec<u32>,
    /// Bits of the answers that show a line.
    shown: Vec<u32>,
    /// First word and number of words of each role's legal moves and goals, and of the next state.
    legal: Vec<(u32, u32)>,
    /// The moves of each role that are legal only when it is its turn.
    need_turn: Vec<Vec<u64>>,
    goals: Vec<(u32, u32)>,
    next: (u32, u32),
    /// The cycle of each gate that starts one.
    cycle_starts: Vec<u32>,
    cycles: Vec<Cycle>,
}

/// A reader of a line.
#[derive(Clone, Copy, Debug)]
struct Target(u32);

impl Target {
    fn new(gate: u32, negated: bool, in_cycle: bool) -> Target {
        Target(gate << 2 | u32::from(in_cycle) << 1 | u32::from(negated))
    }

    #[inline]
    fn gate(self) -> usize {
        (self.0 >> 2) as usize
    }

    #[inline]
    fn in_cycle(self) -> bool {
        self.0 & 2 != 0
    }

    #[inline]
    fn negated(self) -> u32 {
        self.0 & 1
    }
}

#[derive(Debug)]
struct Cycle {
    first: u32,
    /// Readers within the cycle, by member.
    starts: Vec<u32>,
    readers: Vec<u32>,
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
    /// An evaluator for a circuit.
    pub fn with_circuit(circuit: &Circuit) -> Forward {
        let plan = Plan::new(circuit);
        let mut work = Work {
            counters: vec![0; plan.gates],
            marks: Marks {
                words: vec![0; plan.gates.div_ceil(64)],
                summary: vec![0; plan.gates.div_ceil(SPAN)],
            },
            answers: vec![0; (plan.next.0 + plan.next.1) as usize],
            waiting: Vec::new(),
            state: vec![0; plan.next.1 as usize],
            made: vec![NO_LINE; plan.legal.len()],
            cycle_values: if plan.cycles.is_empty() { Vec::new() } else { vec![false; plan.gates] },
            cycle_counters: Vec::new(),
            cycle_open: Vec::new(),
        };
        work.start(&plan, circuit);
        Forward { plan: Arc::new(plan), work }
    }
}

impl Work {
    /// The consistent assignment in which no base proposition and no move holds.
    fn start(&mut self, plan: &Plan, circuit: &Circuit) {
        let mut holds = vec![false; circuit.first_gate() as usize + circuit.gates.len()];
        let value = |holds: &[bool], s: Signal| holds[s.line() as usize] != s.negated();
        let count = |holds: &[bool], gate: usize| {
            circuit.inputs(gate).iter().filter(|&&s| value(holds, s)).count() as u32
        };
        let mut gate = 0;
        let mut cycles = circuit.cycles.iter().peekable();
        while gate < circuit.gates.len() {
            let group = match cycles.next_if(|cycle| cycle.start as usize == gate) {
                Some(cycle) => gate..cycle.end as usize,
                None => gate..gate + 1,
            };
            for member in group.clone() {
                // All false, so a cycle's own gates count for nothing here.
                self.counters[plan.number(circuit, member)] =
                    offset(circuit, member) + count(&holds, member);
            }
            let cyclic =
                group.len() > 1 || plan.cycle_starts[plan.number(circuit, gate)] != NO_LINE;
            if cyclic {
                let cycle = &plan.cycles[plan.cycle_starts[plan.number(circuit, gate)] as usize];
                self.work_out(cycle);
                for (at, member) in group.clone().enumerate() {
                    let now = self.cycle_counters[at] & HOLDS != 0;
                    self.cycle_values[plan.number(circuit, member)] = now;
                    holds[circuit.line_of(member) as usize] = now;
                }
            } else {
                holds[circuit.line_of(gate) as usize] =
                    self.counters[plan.number(circuit, gate)] & HOLDS != 0;
            }
            gate = group.end;
        }
        for (bit, signal) in plan.answers(circuit) {
            if value(&holds, signal) {
                self.answers[bit as usize / 64] |= 1 << (bit % 64);
            }
        }
    }

    /// A line has changed: tells its readers.
    #[inline]
    fn change(&mut self, plan: &Plan, line: usize, now: bool) {
        let targets = plan.target_starts[line] as usize..plan.target_starts[line + 1] as usize;
        for &target in &plan.targets[targets] {
            let gate = target.gate();
            let up = u32::from(now) ^ target.negated();
            let old = self.counters[gate];
            // One more or one less.
            let new = old.wrapping_add(up << 1).wrapping_sub(1);
            self.counters[gate] = new;
            if target.in_cycle() {
                self.marks.set(plan.cycle_first(gate));
            } else if (old ^ new) & HOLDS != 0 {
                self.marks.toggle(gate);
            }
        }
        let shown = plan.shown_starts[line] as usize..plan.shown_starts[line + 1] as usize;
        for &bit in &plan.shown[shown] {
            self.answers[bit as usize / 64] ^= 1 << (bit % 64);
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
                    let gate = word * 64 + marked.trailing_zeros() as usize;
                    self.marks.words[word] = marked & (marked - 1);
                    if !plan.cycles.is_empty() && plan.cycle_starts[gate] != NO_LINE {
                        self.settle_cycle(plan, plan.cycle_starts[gate] as usize);
                    } else {
                        let now = self.counters[gate] & HOLDS != 0;
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
            if std::mem::replace(&mut self.cycle_values[gate], now) != now {
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
        if self.state == state {
            return;
        }
        for (word, &now) in state.iter().enumerate().take(self.state.len()) {
            let mut changed = std::mem::replace(&mut self.state[word], now) ^ now;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed - 1;
                let line = plan.first_base as usize + word * 64 + bit as usize;
                self.change(plan, line, now >> bit & 1 == 1);
            }
        }
        self.settle(plan, 0..plan.late / SPAN);
    }

    fn part(&self, (first, count): (u32, u32)) -> &[u64] {
        &self.answers[first as usize..(first + count) as usize]
    }
}

/// A counter without inputs that hold.
fn offset(circuit: &Circuit, gate: usize) -> u32 {
    match circuit.gates[gate] {
        Gate::And => HOLDS - circuit.inputs(gate).len() as u32,
        Gate::Or => HOLDS - 1,
    }
}

impl Evaluator for Forward {
    fn new(network: &Arc<Network>) -> Result<Self, Flaw> {
        Ok(Forward::with_circuit(&Circuit::new(network)?))
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
        self.work.look_at(&self.plan, state);
        self.work.part(self.plan.goals[role.index()])
    }

    #[inline]
    fn next(&mut self, state: &[u64], joint: &[Move], next: &mut [u64]) {
        let (plan, work) = (&*self.plan, &mut self.work);
        work.look_at(plan, state);
        for role in 0..work.made.len() {
            let lines = plan.move_lines[role]..plan.move_lines[role + 1];
            let line = joint.get(role).and_then(|mov| lines.start.checked_add(mov.0));
            let line = line.filter(|line| lines.contains(line)).unwrap_or(NO_LINE);
            let before = std::mem::replace(&mut work.made[role], line);
            if before != line {
                if before != NO_LINE {
                    work.change(plan, before as usize, false);
                }
                if line != NO_LINE {
                    work.change(plan, line as usize, true);
                }
            }
        }
        work.settle(plan, plan.late / SPAN..work.marks.summary.len());
        next.copy_from_slice(work.part(plan.next));
    }
}

impl Plan {
    fn new(circuit: &Circuit) -> Plan {
        let late = circuit.early.next_multiple_of(SPAN);
        let gates = late + circuit.gates.len() - circuit.early;
        let first_base = gates as u32;
        let shift = first_base.wrapping_sub(1);
        let mut plan = Plan {
            late,
            gates,
            first_base,
            move_lines: circuit.move_lines.iter().map(|line| line.wrapping_add(shift)).collect(),
            target_starts: Vec::new(),
            targets: Vec::new(),
            shown_starts: Vec::new(),
            shown: Vec::new(),
            legal: Vec::new(),
            need_turn: Vec::new(),
            goals: Vec::new(),
            next: (0, 0),
            cycle_starts: vec![NO_LINE; gates],
            cycles: Vec::new(),
        };
        let mut cycle_of = vec![NO_LINE; circuit.gates.len()];
        for (number, cycle) in circuit.cycles.iter().enumerate() {
            cycle_of[cycle.start as usize..cycle.end as usize].fill(number as u32);
            let first = plan.number(circuit, cycle.start as usize);
            plan.cycle_starts[first] = number as u32;
        }
        plan.connect(circuit, &cycle_of);
        plan.lay_out(circuit);
        plan
    }

    /// The number of a gate of the circuit.
    fn number(&self, circuit: &Circuit, gate: usize) -> usize {
        if gate < circuit.early { gate } else { gate - circuit.early + self.late }
    }

    /// The line of a signal; none for constants.
    fn line(&self, circuit: &Circuit, signal: Signal) -> Option<u32> {
        match (signal.line(), signal.line().checked_sub(circuit.first_gate())) {
            (0, _) => None,
            (_, Some(gate)) => Some(self.number(circuit, gate as usize) as u32),
            (line, None) => Some(line - 1 + self.first_base),
        }
    }

    /// The gate that starts the cycle of a gate.
    fn cycle_first(&self, gate: usize) -> usize {
        let after = self.cycles.partition_point(|cycle| cycle.first as usize <= gate);
        self.cycles[after - 1].first as usize
    }

    fn connect(&mut self, circuit: &Circuit, cycle_of: &[u32]) {
        let mut pairs: Vec<(u32, Target)> = Vec::with_capacity(circuit.input_count());
        let mut inner: Vec<Vec<(u32, u32)>> = vec![Vec::new(); circuit.cycles.len()];
        for gate in 0..circuit.gates.len() {
            let number = self.number(circuit, gate) as u32;
            let cycle = cycle_of[gate];
            for &signal in circuit.inputs(gate) {
                let from = signal.line().checked_sub(circuit.first_gate());
                if let Some(from) = from
                    && cycle != NO_LINE
                    && cycle_of[from as usize] == cycle
                {
                    let start = circuit.cycles[cycle as usize].start;
                    inner[cycle as usize].push((from - start, gate as u32 - start));
                } else if let Some(line) = self.line(circuit, signal) {
                    let target = Target::new(number, signal.negated(), cycle != NO_LINE);
                    pairs.push((line, target));
                }
            }
        }
        let lines = self.first_base as usize + circuit.first_gate() as usize - 1;
        (self.target_starts, self.targets) = grouped(lines, pairs);
        for (cycle, pairs) in circuit.cycles.iter().zip(inner) {
            let (starts, readers) = grouped(cycle.len(), pairs);
            let first = self.number(circuit, cycle.start as usize) as u32;
            self.cycles.push(Cycle { first, starts, readers });
        }
    }

    /// Where each answer stands, and which lines it shows.
    fn lay_out(&mut self, circuit: &Circuit) {
        // In front the end of play and whose turn it is, one bit each.
        let mut words = (1 + circuit.turns.len()).div_ceil(64) as u32;
        let mut room = |count: usize| {
            let part = (words, count.div_ceil(64) as u32);
            words += part.1;
            part
        };
        self.legal = circuit.legal.iter().map(|list| room(list.len())).collect();
        self.goals = circuit.goals.iter().map(|list| room(list.len())).collect();
        self.next = room(circuit.next.len());
        self.need_turn = circuit.turns.iter().map(|turn| packed(&turn.needed)).collect();
        let shown =
            self.answers(circuit).filter_map(|(bit, s)| Some((self.line(circuit, s)?, bit)));
        let lines = self.target_starts.len() - 1;
        (self.shown_starts, self.shown) = grouped(lines, shown.collect());
    }

    /// All answers: the bit and what it shows.
    fn answers<'a>(&'a self, circuit: &'a Circuit) -> impl Iterator<Item = (u32, Signal)> + 'a {
        let of_roles = self.legal.iter().zip(&circuit.legal);
        let of_roles = of_roles.chain(self.goals.iter().zip(&circuit.goals));
        let lists = of_roles.map(|(part, list)| (part, list.as_slice()));
        let lists = lists.chain([(&self.next, circuit.next.as_slice())]);
        let bits = lists.flat_map(|(&(first, _), list)| (first * 64..).zip(list.iter().copied()));
        let turns = (1..).zip(circuit.turns.iter().map(|turn| turn.signal));
        std::iter::once((0, circuit.terminal)).chain(turns).chain(bits)
    }
}

fn packed(bits: &[bool]) -> Vec<u64> {
    let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
    bits.chunks(64).map(word).collect()
}

/// The second parts of pairs by their first parts, stored flat.
fn grouped<T: Copy>(keys: usize, pairs: Vec<(u32, T)>) -> (Vec<u32>, Vec<T>) {
    let mut starts = vec![0u32; keys + 1];
    for &(key, _) in &pairs {
        starts[key as usize + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut order: Vec<u32> = (0..pairs.len() as u32).collect();
    order.sort_by_key(|&at| pairs[at as usize].0);
    (starts, order.iter().map(|&at| pairs[at as usize].1).collect())
}
