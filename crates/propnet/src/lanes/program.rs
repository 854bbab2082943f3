//! Instructions, the memory they work on, and where the answers lie.
//!
//! Memory is a row of *slots*, each one bit per lane: first a slot that is false, then bases and
//! moves, then values on the way. A slot is used again as soon as no instruction reads its value any more, so
//! that what is in use stays close to the processor. Instructions of one function that need not
//! wait for each other stand together in *runs*, so that one decision serves many of them.

use std::ops::Range;

use super::cover::{Cell, cover};
use super::function::{A, Function};
use super::gates::{Answers, Gates, Segment, in_rounds};
use super::logic::Logic;
use crate::circuit::{Circuit, Signal};
use crate::watch::Watch;

/// An answer's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pin {
    pub slot: u32,
    pub negated: bool,
}

/// Instructions of one function.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub function: Function,
    pub ops: Range<u32>,
}

/// Runs that are made once, or in rounds until the feedback stays as it is.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub runs: Range<u32>,
    pub feedback: Range<u32>,
}

/// A slot that is false at first and takes a value after each round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carry {
    pub slot: u32,
    pub source: Pin,
}

/// The slot that is false, and what an instruction reads where its function does not care.
pub(super) const NOTHING: u32 = 0;

/// One instruction: the slot it writes and the three it reads.
pub(super) type Op = [u32; 4];

/// A circuit as instructions.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub bases: usize,
    /// The first move's slot of each role, and behind that the first slot of other values.
    pub move_slots: Vec<u32>,
    pub slots: usize,
    pub ops: Vec<Op>,
    pub runs: Vec<Run>,
    pub carries: Vec<Carry>,
    /// The instructions for answers about a state.
    pub early: Vec<Part>,
    /// The further instructions for the next state.
    pub late: Vec<Part>,
    pub answers: Answers<Pin>,
    /// For each role and move whether it also needs the role's turn.
    pub needs_turn: Vec<Vec<bool>>,
}

impl Program {
    /// The program of a circuit.
    pub fn watched<E>(circuit: &Circuit, watch: Watch<'_, E>) -> Result<Program, E> {
        let mut gates = Gates::new(circuit);
        gates.flatten();
        gates.share_pairs(watch)?;
        let logic = Logic::new(&gates, watch)?;
        drop(gates);
        let cells = cover(&logic, watch)?;
        Writer::new(circuit, &logic, &cells).write(watch)
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        self.ops.capacity() * size_of::<Op>()
    }

    /// The slots of bases.
    pub fn base_slots(&self) -> Range<usize> {
        1..1 + self.bases
    }
}

/// Where a line's value lies.
#[derive(Clone, Copy)]
struct Value {
    pin: Pin,
    /// How many instructions and answers still read it.
    readers: u32,
}

/// Lays out instructions and memory.
struct Writer<'a> {
    logic: &'a Logic,
    cells: &'a [Cell],
    /// By line.
    values: Vec<Value>,
    free: Vec<u32>,
    program: Program,
}

impl<'a> Writer<'a> {
    fn new(circuit: &'a Circuit, logic: &'a Logic, cells: &'a [Cell]) -> Self {
        let fixed = logic.first_gate;
        let lines = fixed as usize + logic.gates.len();
        let pin = |line: usize| Pin { slot: line as u32, negated: false };
        let values = (0..lines).map(|line| Value { pin: pin(line), readers: 0 }).collect();
        let unknown = Pin { slot: NOTHING, negated: false };
        let program = Program {
            bases: circuit.bases,
            move_slots: circuit.move_lines.clone(),
            slots: fixed as usize,
            ops: Vec::with_capacity(cells.len()),
            runs: Vec::new(),
            carries: Vec::new(),
            early: Vec::new(),
            late: Vec::new(),
            answers: logic.answers.map(|_| unknown),
            needs_turn: circuit.turns.iter().map(|turn| turn.needed.clone()).collect(),
        };
        Writer { logic, cells, values, free: Vec::new(), program }
    }

    fn write<E>(mut self, watch: Watch<'_, E>) -> Result<Program, E> {
        for cell in self.cells {
            for &line in cell.lines() {
                self.values[line as usize].readers += 1;
            }
        }
        // Answers stay until they are asked for; those about a state until moves are known.
        let answers = &self.logic.answers;
        for signal in answers.about_state().chain(answers.next.iter().copied()) {
            self.values[signal.line() as usize].readers += 1;
        }
        for feedback in &self.logic.feedback {
            self.values[feedback.source.line() as usize].readers += 1;
        }
        let logic = self.logic;
        let segment_of = |cell: &Cell| logic.segments[cell.gate as usize];
        let mut segments: Vec<Segment> = self.cells.iter().map(segment_of).collect();
        segments.extend(logic.feedback.iter().map(|f| f.segment));
        segments.sort_unstable();
        segments.dedup();
        let mut cells: Vec<&Cell> = self.cells.iter().collect();
        cells.sort_by_key(|cell| segment_of(cell));
        let mut late = false;
        for segment in segments {
            if !late && segment >= logic.late {
                late = true;
                self.end_of_early();
            }
            let start = cells.partition_point(|cell| segment_of(cell) < segment);
            let end = cells.partition_point(|cell| segment_of(cell) <= segment);
            let part = self.part(segment, &cells[start..end], watch)?;
            if late { self.program.late.push(part) } else { self.program.early.push(part) }
        }
        if !late {
            self.end_of_early();
        }
        self.next();
        let slots = self.program.slots as u32;
        assert!(self.program.ops.iter().flatten().all(|&slot| slot < slots), "slots exist");
        Ok(self.program)
    }

    /// Notes where the next state is. What is one base now and another next is put aside: bases
    /// are overwritten one after another.
    fn next(&mut self) {
        let start = self.program.ops.len() as u32;
        let mut pins = Vec::new();
        for (bit, &signal) in self.logic.answers.next.iter().enumerate() {
            let mut pin = self.pin(signal);
            if self.program.base_slots().contains(&(pin.slot as usize))
                && pin.slot as usize != 1 + bit
            {
                let slot = self.slot();
                self.program.ops.push([slot, pin.slot, NOTHING, NOTHING]);
                pin.slot = slot;
            }
            pins.push(pin);
        }
        self.program.answers.next = pins;
        let ops = start..self.program.ops.len() as u32;
        if !ops.is_empty() {
            let run = self.program.runs.len() as u32;
            self.program.runs.push(Run { function: Function(A), ops });
            self.program.late.push(Part { runs: run..run + 1, feedback: 0..0 });
        }
    }

    /// A slot that is free.
    fn slot(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.program.slots += 1;
            self.program.slots as u32 - 1
        })
    }

    fn pin(&self, signal: Signal) -> Pin {
        let pin = self.values[signal.line() as usize].pin;
        Pin { slot: pin.slot, negated: pin.negated != signal.negated() }
    }

    /// Notes where the answers about a state are, and lets go of them.
    fn end_of_early(&mut self) {
        let answers = self.logic.answers.map(|signal| self.pin(signal));
        self.program.answers = answers;
        let about_state: Vec<Signal> = self.logic.answers.about_state().collect();
        for signal in about_state {
            self.release(signal.line());
        }
    }

    fn part<E>(
        &mut self,
        segment: Segment,
        cells: &[&Cell],
        watch: Watch<'_, E>,
    ) -> Result<Part, E> {
        let first_run = self.program.runs.len() as u32;
        let rounds = in_rounds(segment);
        let mut kept: Vec<u32> = Vec::new();
        for (function, of_function) in self.schedule(cells) {
            let start = self.program.ops.len() as u32;
            for at in of_function {
                watch(self.program.bytes() + self.values.len() * size_of::<Value>())?;
                self.instruction(cells[at as usize], rounds.then_some(&mut kept));
            }
            let ops = start..self.program.ops.len() as u32;
            self.program.runs.push(Run { function, ops });
        }
        let first_carry = self.program.carries.len() as u32;
        for feedback in self.logic.feedback.iter().filter(|f| f.segment == segment) {
            let source = self.pin(feedback.source);
            self.program.carries.push(Carry { slot: feedback.line, source });
            kept.push(feedback.source.line());
        }
        for line in kept {
            self.release(line);
        }
        Ok(Part {
            runs: first_run..self.program.runs.len() as u32,
            feedback: first_carry..self.program.carries.len() as u32,
        })
    }

    /// An order for the instructions of one part: runs of one function each, the longest first.
    fn schedule(&self, cells: &[&Cell]) -> Vec<(Function, Vec<u32>)> {
        let mut place_of = vec![u32::MAX; self.logic.gates.len()];
        for (place, cell) in cells.iter().enumerate() {
            place_of[cell.gate as usize] = place as u32;
        }
        let mut waiting = vec![0u32; cells.len()];
        let mut readers: Vec<Vec<u32>> = vec![Vec::new(); cells.len()];
        for (place, cell) in cells.iter().enumerate() {
            for &line in cell.lines() {
                let source = self.logic.gate(line).map_or(u32::MAX, |gate| place_of[gate]);
                if source != u32::MAX {
                    waiting[place] += 1;
                    readers[source as usize].push(place as u32);
                }
            }
        }
        let mut ready: Vec<Vec<u32>> = vec![Vec::new(); 256];
        let kind = |place: u32| usize::from(cells[place as usize].function.0);
        for place in (0..cells.len() as u32).filter(|&place| waiting[place as usize] == 0) {
            ready[kind(place)].push(place);
        }
        let mut runs = Vec::new();
        loop {
            let longest = (0..256).max_by_key(|&function| ready[function].len());
            let Some(function) = longest.filter(|&function| !ready[function].is_empty()) else {
                return runs;
            };
            // What becomes ready meanwhile joins the run.
            let mut run = Vec::new();
            while !ready[function].is_empty() {
                for place in std::mem::take(&mut ready[function]) {
                    run.push(place);
                    for &reader in &readers[place as usize] {
                        waiting[reader as usize] -= 1;
                        if waiting[reader as usize] == 0 {
                            ready[kind(reader)].push(reader);
                        }
                    }
                }
            }
            runs.push((Function(function as u8), run));
        }
    }

    /// Writes one instruction. In rounds nothing may be overwritten before the end, so what would
    /// be let go is kept in `rounds`.
    fn instruction(&mut self, cell: &Cell, rounds: Option<&mut Vec<u32>>) {
        let lines = cell.lines();
        let slot_of = |place: usize| {
            lines.get(place).map_or(NOTHING, |&line| self.values[line as usize].pin.slot)
        };
        let (a, b, c) = (slot_of(0), slot_of(1), slot_of(2));
        match rounds {
            Some(kept) => kept.extend_from_slice(lines),
            None => lines.iter().for_each(|&line| self.release(line)),
        }
        let slot = self.slot();
        self.program.ops.push([slot, a, b, c]);
        let line = self.logic.first_gate + cell.gate;
        self.values[line as usize].pin = Pin { slot, negated: cell.negated };
    }

    /// Counts one reader of a line as done; its slot is free after the last.
    fn release(&mut self, line: u32) {
        let value = &mut self.values[line as usize];
        value.readers -= 1;
        if value.readers == 0 && line >= self.logic.first_gate {
            self.free.push(value.pin.slot);
        }
    }
}
