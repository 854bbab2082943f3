//! What does not change during play: the readers of a line, and where answers stand.
//!
//! Lines are numbered anew: gates first, in zones that are settled one after another, then base
//! propositions, then moves. Zones and base propositions start at whole words, so that a state is a
//! slice of the values.

use std::ops::Range;

use super::Settings;
use super::guards::Guards;
use crate::circuit::{Circuit, Gate, Signal};

/// Gates are marked in words of words; a zone starts at a new word of words.
pub(super) const SPAN: usize = 64 * 64;
pub(super) const NO_LINE: u32 = u32::MAX;

/// Where a circuit's lines are in the plan.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// The number of each gate; [`NO_LINE`] for gates that are left out.
    gates: Vec<u32>,
    first_gate: u32,
    circuit_moves: u32,
    /// Whether moves and what reads them are among the lines that changes are followed through.
    pub with_moves: bool,
    /// The first gate that legal moves and the end of play do not need, and the first that only goals need.
    pub late: usize,
    pub goals: usize,
    /// The end of the gates.
    pub end: usize,
    pub first_base: usize,
    /// The first move's line of each role, and behind that the end.
    pub move_lines: Vec<u32>,
}

impl Numbering {
    /// Numbers for all gates, or for those that read no moves.
    pub fn new(circuit: &Circuit, reads_moves: &[bool], with_moves: bool) -> Numbering {
        let mut gates = vec![NO_LINE; circuit.gates.len()];
        let mut next = 0;
        let mut zone = |wanted: &dyn Fn(usize) -> bool| {
            let first = usize::next_multiple_of(next, SPAN);
            next = first;
            for (gate, number) in gates.iter_mut().enumerate().filter(|(gate, _)| wanted(*gate)) {
                debug_assert!(gate < circuit.gates.len());
                *number = next as u32;
                next += 1;
            }
            first
        };
        let asked = cone(
            circuit,
            std::iter::once(circuit.terminal)
                .chain(circuit.turns.iter().map(|turn| turn.signal))
                .chain(circuit.legal.iter().flatten().copied()),
        );
        let needed = cone(circuit, circuit.next.iter().copied());
        zone(&|gate| asked[gate]);
        let late = zone(&|gate| !asked[gate] && needed[gate] && !reads_moves[gate]);
        zone(&|gate| with_moves && reads_moves[gate]);
        let goals = zone(&|gate| !asked[gate] && !needed[gate]);
        let end = next;
        let first_base = end.next_multiple_of(64);
        let first_move = (first_base + circuit.bases).next_multiple_of(64) as u32;
        let circuit_moves = circuit.move_lines[0];
        let move_lines =
            circuit.move_lines.iter().map(|line| line - circuit_moves + first_move).collect();
        let first_gate = circuit.first_gate();
        Numbering {
            gates,
            first_gate,
            circuit_moves,
            with_moves,
            late,
            goals,
            end,
            first_base,
            move_lines,
        }
    }

    /// The number of a gate of the circuit, unless it is left out.
    pub fn gate(&self, gate: usize) -> Option<usize> {
        let number = self.gates[gate];
        (number != NO_LINE).then_some(number as usize)
    }

    /// The line of a signal; none for constants and gates that are left out.
    pub fn line(&self, signal: Signal) -> Option<u32> {
        let line = signal.line();
        match line.checked_sub(self.first_gate) {
            _ if line == 0 => None,
            Some(gate) => self.gate(gate as usize).map(|number| number as u32),
            None => match line.checked_sub(self.circuit_moves) {
                Some(mov) => Some(self.move_lines[0] + mov),
                None => Some(line - 1 + self.first_base as u32),
            },
        }
    }

    /// Behind the last line.
    pub fn lines(&self) -> usize {
        self.move_lines.last().map_or(0, |&line| line as usize)
    }
}

/// Which gates some signals depend on.
fn cone(circuit: &Circuit, roots: impl Iterator<Item = Signal>) -> Vec<bool> {
    let mut inside = vec![false; circuit.gates.len()];
    let mut open: Vec<Signal> = roots.collect();
    while let Some(signal) = open.pop() {
        if let Some(gate) = signal.line().checked_sub(circuit.first_gate())
            && !std::mem::replace(&mut inside[gate as usize], true)
        {
            open.extend_from_slice(circuit.inputs(gate as usize));
        }
    }
    inside
}

/// Which gates depend on the moves of the step.
pub(super) fn reads_moves(circuit: &Circuit) -> Vec<bool> {
    let mut reads = vec![false; circuit.gates.len()];
    let moves = circuit.move_lines[0]..circuit.first_gate();
    for group in groups(circuit) {
        let inputs = group.clone().flat_map(|gate| circuit.inputs(gate));
        let found = inputs.map(|signal| signal.line()).any(|line| {
            moves.contains(&line)
                || line.checked_sub(circuit.first_gate()).is_some_and(|gate| reads[gate as usize])
        });
        reads[group].fill(found);
    }
    reads
}

/// The gates in order, those of a cycle together.
pub(super) fn groups(circuit: &Circuit) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut cycles = circuit.cycles.iter().peekable();
    let mut gate = 0;
    std::iter::from_fn(move || {
        let start = gate;
        gate = match cycles.next_if(|cycle| cycle.start as usize == start) {
            Some(cycle) => cycle.end as usize,
            None => start + 1,
        };
        (start < circuit.gates.len()).then_some(start..gate)
    })
}

/// A reader of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target(u32);

impl Target {
    fn new(gate: u32, negated: bool, in_cycle: bool, guarded: bool) -> Target {
        let flags = u32::from(guarded) << 2 | u32::from(in_cycle) << 1 | u32::from(negated);
        Target(gate << 3 | flags)
    }

    #[inline]
    pub fn gate(self) -> usize {
        (self.0 >> 3) as usize
    }

    #[inline]
    pub fn in_cycle(self) -> bool {
        self.0 & 2 != 0
    }

    #[inline]
    pub fn guarded(self) -> bool {
        self.0 & 4 != 0
    }

    #[inline]
    pub fn negated(self) -> u32 {
        self.0 & 1
    }
}

/// The other consequences of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extra(u32);

impl Extra {
    /// The bit of the answers that shows the line, or the group of gates that the line guards.
    #[inline]
    pub fn get(self) -> Result<usize, usize> {
        let number = (self.0 >> 1) as usize;
        if self.0 & 1 == 0 { Ok(number) } else { Err(number) }
    }
}

#[derive(Debug)]
pub(super) struct Cycle {
    pub first: u32,
    /// Readers within the cycle, by member.
    pub starts: Vec<u32>,
    pub readers: Vec<u32>,
}

#[derive(Debug)]
pub(super) struct Plan {
    pub numbering: Numbering,
    /// Where each line's targets and extras start, and behind that where the last ones end.
    starts: Vec<[u32; 2]>,
    targets: Vec<Target>,
    extras: Vec<Extra>,
    /// First word and number of words of each role's legal moves and goals, and of the next state.
    pub legal: Vec<(u32, u32)>,
    /// The moves of each role that are legal only when it is its turn.
    pub need_turn: Vec<Vec<u64>>,
    pub goals: Vec<(u32, u32)>,
    pub next: (u32, u32),
    /// The cycle of each gate that starts one.
    pub cycle_starts: Vec<u32>,
    pub cycles: Vec<Cycle>,
    pub guards: Guards,
}

impl Plan {
    pub fn new(circuit: &Circuit, reads_moves: &[bool], settings: &Settings) -> Plan {
        let numbering = Numbering::new(circuit, reads_moves, !settings.effects);
        let mut cycle_of = vec![NO_LINE; circuit.gates.len()];
        let mut cycle_starts = vec![NO_LINE; numbering.end];
        let mut kept = Vec::new();
        for cycle in &circuit.cycles {
            let Some(first) = numbering.gate(cycle.start as usize) else { continue };
            cycle_of[cycle.start as usize..cycle.end as usize].fill(kept.len() as u32);
            cycle_starts[first] = kept.len() as u32;
            kept.push(cycle.clone());
        }
        let guards = Guards::new(circuit, &numbering, &cycle_of, settings);
        let mut plan = Plan {
            numbering,
            starts: Vec::new(),
            targets: Vec::new(),
            extras: Vec::new(),
            legal: Vec::new(),
            need_turn: Vec::new(),
            goals: Vec::new(),
            next: (0, 0),
            cycle_starts,
            cycles: Vec::new(),
            guards,
        };
        let target_starts = plan.connect(circuit, &kept, &cycle_of);
        let extra_starts = plan.lay_out(circuit);
        let starts = target_starts.into_iter().zip(extra_starts);
        plan.starts = starts.map(|(target, extra)| [target, extra]).collect();
        plan
    }

    /// The gates that read a line and have it in their counters.
    #[inline]
    pub fn targets(&self, line: usize) -> &[Target] {
        &self.targets[self.starts[line][0] as usize..self.starts[line + 1][0] as usize]
    }

    #[inline]
    pub fn extras(&self, line: usize) -> &[Extra] {
        &self.extras[self.starts[line][1] as usize..self.starts[line + 1][1] as usize]
    }

    /// The gate that starts the cycle of a gate.
    pub fn cycle_first(&self, gate: usize) -> usize {
        let after = self.cycles.partition_point(|cycle| cycle.first as usize <= gate);
        self.cycles[after - 1].first as usize
    }

    /// Connects lines with the gates that read them; where the targets of each line start.
    fn connect(&mut self, circuit: &Circuit, cycles: &[Range<u32>], cycle_of: &[u32]) -> Vec<u32> {
        let mut pairs: Vec<(u32, Target)> = Vec::with_capacity(circuit.input_count());
        let mut inner: Vec<Vec<(u32, u32)>> = vec![Vec::new(); cycles.len()];
        for gate in 0..circuit.gates.len() {
            let Some(number) = self.numbering.gate(gate) else { continue };
            let cycle = cycle_of[gate];
            let guard = self.guards.of_gate(number);
            for &signal in circuit.inputs(gate) {
                let from = signal.line().checked_sub(circuit.first_gate());
                if let Some(from) = from
                    && cycle != NO_LINE
                    && cycle_of[from as usize] == cycle
                {
                    let start = cycles[cycle as usize].start;
                    inner[cycle as usize].push((from - start, gate as u32 - start));
                } else if let Some(line) = self.numbering.line(signal)
                    && guard.is_none_or(|group| self.guards.groups[group].signal != signal)
                {
                    let (in_cycle, guarded) = (cycle != NO_LINE, guard.is_some());
                    let negated = signal.negated();
                    pairs.push((line, Target::new(number as u32, negated, in_cycle, guarded)));
                }
            }
        }
        let (target_starts, targets) = grouped(self.numbering.lines(), pairs);
        self.targets = targets;
        for (cycle, pairs) in cycles.iter().zip(inner) {
            let (starts, readers) = grouped(cycle.len(), pairs);
            let first = self.numbering.gate(cycle.start as usize).unwrap_or(0) as u32;
            self.cycles.push(Cycle { first, starts, readers });
        }
        self.cycles.sort_by_key(|cycle| cycle.first);
        for (number, cycle) in self.cycles.iter().enumerate() {
            self.cycle_starts[cycle.first as usize] = number as u32;
        }
        target_starts
    }

    /// Where each answer stands, and what follows from each line beside gates; where the extras of
    /// each line start.
    fn lay_out(&mut self, circuit: &Circuit) -> Vec<u32> {
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
        let mut extras: Vec<(u32, Extra)> = Vec::new();
        for (bit, signal) in self.answers(circuit) {
            // Effects work out what reads moves.
            if let Some(line) = self.numbering.line(signal)
                && (line < self.numbering.move_lines[0] || self.numbering.with_moves)
            {
                extras.push((line, Extra(bit << 1)));
            }
        }
        for (number, group) in self.guards.groups.iter().enumerate() {
            if let Some(line) = self.numbering.line(group.signal) {
                extras.push((line, Extra((number as u32) << 1 | 1)));
            }
        }
        let (extra_starts, extras) = grouped(self.numbering.lines(), extras);
        self.extras = extras;
        extra_starts
    }

    /// All answers: the bit and what it shows.
    pub fn answers<'a>(&'a self, circuit: &'a Circuit) -> impl Iterator<Item = (u32, Signal)> + 'a {
        let of_roles = self.legal.iter().zip(&circuit.legal);
        let of_roles = of_roles.chain(self.goals.iter().zip(&circuit.goals));
        let lists = of_roles.map(|(part, list)| (part, list.as_slice()));
        let lists = lists.chain([(&self.next, circuit.next.as_slice())]);
        let bits = lists.flat_map(|(&(first, _), list)| (first * 64..).zip(list.iter().copied()));
        let turns = (1..).zip(circuit.turns.iter().map(|turn| turn.signal));
        std::iter::once((0, circuit.terminal)).chain(turns).chain(bits)
    }
}

/// The value of a counter while no input holds. The top bit becomes set when all `inputs` of an AND hold, or one of an
/// OR.
pub(super) fn offset(gate: Gate, inputs: usize) -> u32 {
    match gate {
        Gate::And => HOLDS - inputs as u32,
        Gate::Or => HOLDS - 1,
    }
}

pub(super) const HOLDS: u32 = 1 << 31;

fn packed(bits: &[bool]) -> Vec<u64> {
    let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
    bits.chunks(64).map(word).collect()
}

/// The second parts of pairs by their first parts, stored flat.
pub(super) fn grouped<T: Copy>(keys: usize, pairs: Vec<(u32, T)>) -> (Vec<u32>, Vec<T>) {
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
