//! The gates that read moves, partially evaluated.
//!
//! Every gate knows how many of its inputs decide by themselves and how many depend on the state, so
//! a move that is made costs as much as what it changes, however many moves a gate reads. Changes start
//! from a *footing* near by: all roles but one wait, which is every state of a game with turns.

use super::plan::{Numbering, grouped};
use crate::circuit::{Circuit, Gate, Signal};

/// A value that is known up to the state: a line of the plan, twice, and one more if negated.
pub(super) type Partial = u32;

pub(super) const FALSE: Partial = u32::MAX - 1;
pub(super) const TRUE: Partial = u32::MAX;

/// The gates that read moves. Their values are temporary lines behind those of the plan.
#[derive(Debug)]
pub(super) struct Movers {
    pub kinds: Vec<Gate>,
    starts: Vec<u32>,
    inputs: Vec<Partial>,
    /// The readers of each move and then of each gate: the gate twice, and one more if negated.
    reader_starts: Vec<u32>,
    readers: Vec<u32>,
    /// The first move's line of each role, and behind that the first gate's.
    pub move_lines: Vec<u32>,
    pub first_base: u32,
    /// Facts whose next value reads moves, with that value.
    pub moved: Vec<(u32, Partial)>,
    /// A bit for each fact whose next value reads no move.
    pub unmoved: Vec<u64>,
    /// The starting points for others: no role moves, or all but one wait.
    pub footings: Vec<Footing>,
}

/// All gates for some moves.
#[derive(Debug)]
pub(super) struct Footing {
    /// The lines of the moves made.
    pub made: Vec<u32>,
    pub cells: Vec<Cell>,
}

/// A gate, partially evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Inputs that decide by themselves.
    decisive: u32,
    /// Inputs that depend on the state.
    open: u32,
    /// Those inputs, all combined by XOR: if it is one, this is it.
    sum: Partial,
    pub value: Partial,
}

impl Cell {
    /// An input becomes `new`; it was `old`.
    pub fn told(&mut self, kind: Gate, old: Partial, new: Partial) {
        let (neutral, decisive) = constants(kind);
        for (value, step) in [(old, u32::MAX), (new, 1)] {
            if value == decisive {
                self.decisive = self.decisive.wrapping_add(step);
            } else if value != neutral {
                self.open = self.open.wrapping_add(step);
                self.sum ^= value;
            }
        }
    }

    /// The value that follows from the inputs; `own` is the gate's own line.
    pub fn follows(&self, kind: Gate, own: Partial) -> Partial {
        let (neutral, decisive) = constants(kind);
        match (self.decisive, self.open) {
            (0, 0) => neutral,
            (0, 1) => self.sum,
            (0, _) => own,
            _ => decisive,
        }
    }
}

/// The input that says nothing to a gate, and the one that decides.
fn constants(kind: Gate) -> (Partial, Partial) {
    match kind {
        Gate::And => (TRUE, FALSE),
        Gate::Or => (FALSE, TRUE),
    }
}

impl Movers {
    /// Whether effects can be worked out: not for cycles, and not where joint moves cannot be
    /// numbered.
    pub fn possible(circuit: &Circuit, reads_moves: &[bool]) -> bool {
        let cyclic = circuit.cycles.iter().any(|cycle| reads_moves[cycle.start as usize]);
        !cyclic && joint_count(circuit).is_some()
    }

    pub fn new(circuit: &Circuit, reads_moves: &[bool], numbering: &Numbering) -> Movers {
        let first_gate = numbering.lines() as u32;
        let mut places = vec![0; circuit.gates.len()];
        let gates: Vec<usize> =
            (0..circuit.gates.len()).filter(|&gate| reads_moves[gate]).collect();
        for (place, &gate) in gates.iter().enumerate() {
            places[gate] = place as u32;
        }
        let partial = |signal: Signal| -> Partial {
            let negated = u32::from(signal.negated());
            match (numbering.line(signal), signal.line().checked_sub(circuit.first_gate())) {
                (Some(line), _) => line << 1 | negated,
                (None, Some(gate)) => (first_gate + places[gate as usize]) << 1 | negated,
                (None, None) => FALSE | negated,
            }
        };
        let first_move = numbering.move_lines[0];
        let (mut starts, mut inputs, mut pairs) = (vec![0], Vec::new(), Vec::new());
        for (place, &gate) in gates.iter().enumerate() {
            for &signal in circuit.inputs(gate) {
                let input = partial(signal);
                inputs.push(input);
                if input < FALSE && input >> 1 >= first_move {
                    pairs.push(((input >> 1) - first_move, (place as u32) << 1 | input & 1));
                }
            }
            starts.push(inputs.len() as u32);
        }
        let sources = (first_gate - first_move) as usize + gates.len();
        let (reader_starts, readers) = grouped(sources, pairs);
        let words = circuit.bases.div_ceil(64);
        let mut movers = Movers {
            kinds: gates.iter().map(|&gate| circuit.gates[gate]).collect(),
            starts,
            inputs,
            reader_starts,
            readers,
            move_lines: numbering.move_lines.clone(),
            first_base: numbering.first_base as u32,
            moved: Vec::new(),
            unmoved: vec![0; words],
            footings: Vec::new(),
        };
        for (bit, &signal) in circuit.next.iter().enumerate() {
            let next = partial(signal);
            if next < FALSE && next >> 1 >= first_move {
                movers.moved.push((bit as u32, next));
            } else {
                movers.unmoved[bit / 64] |= 1 << (bit % 64);
            }
        }
        movers.footings.push(movers.footing(Vec::new()));
        // The move that most gates read is the one for waiting, if there is one: where one role
        // moves and all others wait, that is the shorter way.
        let waiting: Vec<u32> = (1..movers.move_lines.len())
            .filter_map(|role| {
                let lines = movers.move_lines[role - 1]..movers.move_lines[role];
                lines.max_by_key(|&line| (movers.readers(line).len(), std::cmp::Reverse(line)))
            })
            .collect();
        if waiting.len() > 1 {
            for mover in 0..waiting.len() {
                let others = (0..waiting.len()).filter(|&role| role != mover);
                let footing = movers.footing(others.map(|role| waiting[role]).collect());
                movers.footings.push(footing);
            }
        }
        movers
    }

    fn footing(&self, made: Vec<u32>) -> Footing {
        let mut cells: Vec<Cell> = Vec::with_capacity(self.kinds.len());
        let mut list = Vec::new();
        for gate in 0..self.kinds.len() {
            let (kind, own) = (self.kinds[gate], self.own(gate));
            let (neutral, _) = constants(kind);
            let mut cell = Cell { decisive: 0, open: 0, sum: 0, value: neutral };
            let desk = Desk { cells: &cells, made: &made };
            self.inputs(gate).iter().for_each(|&i| cell.told(kind, neutral, desk.look(self, i)));
            cell.value = match cell.follows(kind, own) {
                value if value == own => desk.simplest(self, gate, &mut list),
                value => value,
            };
            cells.push(cell);
        }
        Footing { made, cells }
    }

    /// A gate's own line as a value.
    pub fn own(&self, gate: usize) -> Partial {
        (self.first_gate() + gate as u32) << 1
    }

    /// How many temporary lines there are.
    pub fn gate_count(&self) -> usize {
        self.kinds.len()
    }

    pub fn first_gate(&self) -> u32 {
        self.move_lines.last().copied().unwrap_or(0)
    }

    pub fn inputs(&self, gate: usize) -> &[Partial] {
        &self.inputs[self.starts[gate] as usize..self.starts[gate + 1] as usize]
    }

    pub fn readers(&self, line: u32) -> &[u32] {
        let source = (line - self.move_lines[0]) as usize;
        &self.readers[self.reader_starts[source] as usize..self.reader_starts[source + 1] as usize]
    }
}

/// Values for one joint move.
pub(super) struct Desk<'a> {
    pub cells: &'a [Cell],
    /// The lines of the moves made.
    pub made: &'a [u32],
}

impl Desk<'_> {
    pub fn look(&self, movers: &Movers, input: Partial) -> Partial {
        let line = input >> 1;
        match line.checked_sub(movers.first_gate()) {
            _ if input >= FALSE || line < movers.move_lines[0] => input,
            Some(gate) => self.cells[gate as usize].value ^ (input & 1),
            None => FALSE | u32::from(self.made.contains(&line)) ^ (input & 1),
        }
    }

    /// The value of a gate that has several inputs that depend on the state: they may be the same,
    /// or opposites.
    pub fn simplest(&self, movers: &Movers, gate: usize, list: &mut Vec<Partial>) -> Partial {
        match (self.open_inputs(movers, gate, list), list.as_slice()) {
            (Some(value), _) => FALSE | u32::from(value),
            (None, [only]) => *only,
            (None, _) => movers.own(gate),
        }
    }

    /// What a gate that depends on the state is made of, in `list`; nothing, and the constant, if it
    /// turns out to be one.
    pub fn open_inputs(
        &self,
        movers: &Movers,
        gate: usize,
        list: &mut Vec<Partial>,
    ) -> Option<bool> {
        let (neutral, decisive) = constants(movers.kinds[gate]);
        list.clear();
        list.extend(movers.inputs(gate).iter().map(|&input| self.look(movers, input)));
        list.retain(|&value| value != neutral);
        list.sort_unstable();
        list.dedup();
        // A line and its opposite stand side by side.
        let decided = list.contains(&decisive) || list.windows(2).any(|two| two[0] ^ 1 == two[1]);
        if decided {
            list.clear();
        }
        decided.then_some(decisive == TRUE)
    }
}

fn joint_count(circuit: &Circuit) -> Option<u64> {
    let mut counts = circuit.legal.iter().map(|moves| moves.len() as u64 + 1);
    counts.try_fold(1u64, u64::checked_mul)
}
