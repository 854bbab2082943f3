//! The circuit as ANDs of any number of signed lines, without cycles.
//!
//! An OR is the opposite of an AND of opposites, so one kind of gate is enough. A gate that only
//! one other reads, in the same sense, is taken into its reader. What several gates have in common
//! is computed once ([`share_pairs`](Gates::share_pairs)).
//!
//! A cycle is cut: a gate of it that is read before it is computed is read through a *feedback*
//! line instead, which is false at first and takes the gate's value after each round, until nothing
//! changes. As no negation lies on a cycle this ends, with the least fixpoint.
//!
//! Every gate belongs to a *segment*: what depends on the state alone comes before what depends on
//! moves, and within both the rounds of cycles alternate with what comes before and after them.
//! Cycles that do not wait for each other share their rounds.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::circuit::{Circuit, Gate, Signal};
use crate::watch::Watch;

/// Wider gates are not looked through for pairs: their number grows with the square.
const WIDEST_FOR_PAIRS: usize = 40;

/// More pairs than this are not counted: it would take minutes and gigabytes.
const MOST_PAIRS: usize = 2_000_000;

/// Inputs of a gate.
pub(super) type Inputs = SmallVec<[Signal; 6]>;

/// Where in the program something is computed. Even segments run once, odd ones in rounds.
pub(super) type Segment = u32;

/// Whether a segment runs in rounds.
pub(super) fn in_rounds(segment: Segment) -> bool {
    segment % 2 == 1
}

/// The first segment that runs once in which a line of `segment` can be read.
fn straight_after(segment: Segment) -> Segment {
    segment + segment % 2
}

/// A line that carries a gate of a cycle back to its readers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feedback {
    /// The line that is read.
    pub line: u32,
    /// Its value after a round.
    pub source: Signal,
    /// Where.
    pub segment: Segment,
}

/// The answers of the circuit.
#[derive(Clone, Debug)]
pub(super) struct Answers<T> {
    pub terminal: T,
    pub turns: Vec<T>,
    pub legal: Vec<Vec<T>>,
    pub goals: Vec<Vec<T>>,
    pub next: Vec<T>,
}

impl<T: Copy> Answers<T> {
    /// All answers, each replaced.
    pub fn map<U>(&self, mut change: impl FnMut(T) -> U) -> Answers<U> {
        let mut lists = |lists: &Vec<Vec<T>>| -> Vec<Vec<U>> {
            lists.iter().map(|list| list.iter().map(|&t| change(t)).collect()).collect()
        };
        let (legal, goals) = (lists(&self.legal), lists(&self.goals));
        Answers {
            terminal: change(self.terminal),
            turns: self.turns.iter().map(|&t| change(t)).collect(),
            legal,
            goals,
            next: self.next.iter().map(|&t| change(t)).collect(),
        }
    }

    /// The answers about a state.
    pub fn about_state(&self) -> impl Iterator<Item = T> + '_ {
        std::iter::once(self.terminal)
            .chain(self.turns.iter().copied())
            .chain(self.legal.iter().chain(&self.goals).flatten().copied())
    }
}

/// ANDs over signed lines: first the constant, bases and moves, then feedback, then gates.
#[derive(Clone, Debug)]
pub(super) struct Gates {
    /// The first move's line.
    pub first_move: u32,
    /// The first feedback line.
    pub first_feedback: u32,
    pub feedback: Vec<Feedback>,
    pub inputs: Vec<Inputs>,
    pub segments: Vec<Segment>,
    /// The first segment that may read moves.
    pub late: Segment,
    pub answers: Answers<Signal>,
}

impl Gates {
    /// The gates of a circuit.
    pub fn new(circuit: &Circuit) -> Gates {
        let first_feedback = circuit.first_gate();
        let mut gates = Gates {
            first_move: circuit.move_lines.first().copied().unwrap_or(first_feedback),
            first_feedback,
            feedback: Vec::new(),
            inputs: Vec::with_capacity(circuit.gates.len()),
            segments: Vec::with_capacity(circuit.gates.len()),
            late: 0,
            answers: Answers {
                terminal: circuit.terminal,
                turns: circuit.turns.iter().map(|turn| turn.signal).collect(),
                legal: circuit.legal.clone(),
                goals: circuit.goals.clone(),
                next: circuit.next.clone(),
            },
        };
        let mut carried: FxHashMap<u32, u32> = FxHashMap::default();
        for cycle in &circuit.cycles {
            for gate in cycle.clone() {
                for input in circuit.inputs(gate as usize) {
                    let source = input.line().wrapping_sub(circuit.first_gate());
                    if (gate..cycle.end).contains(&source) {
                        let next = first_feedback + carried.len() as u32;
                        carried.entry(source).or_insert(next);
                    }
                }
            }
        }
        let first_gate = first_feedback + carried.len() as u32;
        // Where an OR is wanted, its opposite is computed.
        let renamed = |signal: Signal| match signal.line().checked_sub(circuit.first_gate()) {
            None => signal,
            Some(gate) => {
                let opposite = circuit.gates[gate as usize] == Gate::Or;
                Signal::new(first_gate + gate, signal.negated() != opposite)
            }
        };
        let mut cycles = circuit.cycles.iter().peekable();
        let mut gate = 0u32;
        while (gate as usize) < circuit.gates.len() {
            if gate as usize == circuit.early {
                gates.late = gates.segments.iter().max().map_or(0, |&s| straight_after(s) + 2);
            }
            let base = if gate as usize >= circuit.early { gates.late } else { 0 };
            let cyclic = cycles.next_if(|cycle| cycle.start == gate);
            let members = cyclic.cloned().unwrap_or(gate..gate + 1);
            let sources = members.clone().flat_map(|gate| circuit.inputs(gate as usize));
            let outside = sources.filter_map(|s| s.line().checked_sub(circuit.first_gate()));
            let outside = outside.filter(|source| !members.contains(source));
            let before = outside.map(|source| straight_after(gates.segments[source as usize]));
            let straight = before.max().unwrap_or(0).max(base);
            let segment = if cyclic.is_some() { straight + 1 } else { straight };
            for gate in members.clone() {
                let opposite = circuit.gates[gate as usize] == Gate::Or;
                let inputs = circuit.inputs(gate as usize).iter().map(|&input| {
                    let source = input.line().wrapping_sub(circuit.first_gate());
                    let read = if cyclic.is_some() && (gate..members.end).contains(&source) {
                        Signal::new(carried[&source], input.negated())
                    } else {
                        renamed(input)
                    };
                    if opposite { read.opposite() } else { read }
                });
                gates.inputs.push(inputs.collect());
                gates.segments.push(segment);
            }
            gate = members.end;
        }
        if circuit.early == circuit.gates.len() {
            gates.late = gates.segments.iter().max().map_or(0, |&s| straight_after(s) + 2);
        }
        let mut feedback: Vec<Feedback> = carried
            .iter()
            .map(|(&gate, &line)| Feedback {
                line,
                source: renamed(Signal::new(circuit.first_gate() + gate, false)),
                segment: gates.segments[gate as usize],
            })
            .collect();
        feedback.sort_by_key(|f| f.line);
        gates.feedback = feedback;
        gates.answers = gates.answers.map(renamed);
        gates
    }

    /// The line of the first gate.
    pub fn first_gate(&self) -> u32 {
        self.first_feedback + self.feedback.len() as u32
    }

    /// The gate of a line, if it is one.
    pub fn gate(&self, line: u32) -> Option<usize> {
        line.checked_sub(self.first_gate()).map(|gate| gate as usize)
    }

    /// The segment in which a line has its value.
    pub fn segment(&self, line: u32) -> Segment {
        if let Some(gate) = self.gate(line) {
            self.segments[gate]
        } else if line >= self.first_feedback {
            self.feedback[(line - self.first_feedback) as usize].segment
        } else if line >= self.first_move {
            self.late
        } else {
            0
        }
    }

    /// The signals that must be computed: answers and feedback.
    pub fn roots(&self) -> impl Iterator<Item = Signal> + '_ {
        self.answers
            .about_state()
            .chain(self.answers.next.iter().copied())
            .chain(self.feedback.iter().map(|f| f.source))
    }

    /// Takes gates that one other gate of the same segment reads as they are into that gate.
    pub fn flatten(&mut self) {
        let mut readers = vec![0u32; self.inputs.len()];
        let reads = self.inputs.iter().flatten().copied().chain(self.roots());
        for gate in reads.filter_map(|signal| self.gate(signal.line())).collect::<Vec<_>>() {
            readers[gate] += 1;
        }
        // Gates come after what they read, so what is taken in is flat already.
        for at in 0..self.inputs.len() {
            let mut flat = Inputs::new();
            for signal in std::mem::take(&mut self.inputs[at]) {
                match self.gate(signal.line()) {
                    Some(gate)
                        if !signal.negated()
                            && readers[gate] == 1
                            && self.segments[gate] == self.segments[at] =>
                    {
                        flat.extend(std::mem::take(&mut self.inputs[gate]));
                    }
                    _ => flat.push(signal),
                }
            }
            flat.sort_unstable();
            flat.dedup();
            self.inputs[at] = flat;
        }
    }

    /// Computes pairs of inputs that several gates have in common once, the most frequent first.
    pub fn share_pairs<E>(&mut self, watch: Watch<'_, E>) -> Result<(), E> {
        let mut pairs = Pairs { widest: self.widest_for_pairs(), ..Pairs::default() };
        for (gate, inputs) in self.inputs.iter().enumerate() {
            watch(pairs.bytes())?;
            for &signal in inputs {
                pairs.readers(signal).push(gate as u32);
            }
            pairs.count_all(inputs);
        }
        while let Some((a, b)) = pairs.most_frequent() {
            watch(pairs.bytes())?;
            let (few, other) = match pairs.readers(a).len() <= pairs.readers(b).len() {
                true => (a, b),
                false => (b, a),
            };
            let both: Vec<u32> = pairs.readers(few).clone();
            let mut both: Vec<u32> = both
                .into_iter()
                .filter(|&gate| {
                    let inputs = &self.inputs[gate as usize];
                    inputs.contains(&few) && inputs.contains(&other)
                })
                .collect();
            both.sort_unstable();
            both.dedup();
            let Some(first) = both.iter().map(|&gate| self.segments[gate as usize]).min() else {
                pairs.forget(a, b);
                continue;
            };
            let ready = self.segment(a.line()).max(self.segment(b.line()));
            // What rounds need but do not change is computed before them.
            let hoisted = in_rounds(first) && ready < first;
            let segment = if hoisted { straight_after(ready) } else { first };
            let shared = Signal::new(self.first_gate() + self.inputs.len() as u32, false);
            for &gate in &both {
                let inputs = &mut self.inputs[gate as usize];
                inputs.retain(|signal| *signal != a && *signal != b);
                pairs.exchange([a, b], shared, inputs);
                inputs.push(shared);
                pairs.readers(shared).push(gate);
            }
            pairs.forget(a, b);
            for signal in [a, b] {
                pairs.readers(signal).push(self.inputs.len() as u32);
            }
            self.inputs.push([a, b].into_iter().collect());
            self.segments.push(segment);
        }
        Ok(())
    }

    /// The widest gates that are looked through for pairs: [`WIDEST_FOR_PAIRS`], or fewer where
    /// that would be more than [`MOST_PAIRS`] pairs.
    fn widest_for_pairs(&self) -> usize {
        let pairs_up_to = |widest: usize| {
            let widths = self.inputs.iter().map(SmallVec::len).filter(|&w| w <= widest);
            widths.map(|width| width * width / 2).sum::<usize>()
        };
        (2..=WIDEST_FOR_PAIRS).rev().find(|&widest| pairs_up_to(widest) <= MOST_PAIRS).unwrap_or(1)
    }

    /// The gates in an order in which each comes after what it reads, segment by segment.
    pub fn order(&self) -> Vec<u32> {
        let mut waiting: Vec<u32> = vec![0; self.inputs.len()];
        let mut readers: Vec<Vec<u32>> = vec![Vec::new(); self.inputs.len()];
        for (at, inputs) in self.inputs.iter().enumerate() {
            for gate in inputs.iter().filter_map(|signal| self.gate(signal.line())) {
                waiting[at] += 1;
                readers[gate].push(at as u32);
            }
        }
        let ready = (0..self.inputs.len() as u32).filter(|&at| waiting[at as usize] == 0);
        let mut open: BinaryHeap<Reverse<(Segment, u32)>> =
            ready.map(|at| Reverse((self.segments[at as usize], at))).collect();
        let mut order = Vec::with_capacity(self.inputs.len());
        while let Some(Reverse((_, at))) = open.pop() {
            order.push(at);
            for &reader in &readers[at as usize] {
                waiting[reader as usize] -= 1;
                if waiting[reader as usize] == 0 {
                    open.push(Reverse((self.segments[reader as usize], reader)));
                }
            }
        }
        order
    }
}

/// How often pairs of signals occur in one gate.
#[derive(Default)]
struct Pairs {
    widest: usize,
    counts: FxHashMap<(Signal, Signal), i32>,
    heap: BinaryHeap<(i32, Reverse<(Signal, Signal)>)>,
    readers: FxHashMap<Signal, Vec<u32>>,
}

impl Pairs {
    /// Memory in use, roughly: an entry of the map, and as many in the heap.
    fn bytes(&self) -> usize {
        self.counts.capacity() * 13 + self.heap.capacity() * 12
    }

    fn readers(&mut self, signal: Signal) -> &mut Vec<u32> {
        self.readers.entry(signal).or_default()
    }

    /// Counts all pairs of a gate's inputs.
    fn count_all(&mut self, inputs: &[Signal]) {
        if inputs.len() <= self.widest {
            for (at, &a) in inputs.iter().enumerate() {
                for &b in &inputs[at + 1..] {
                    self.add(a, b);
                }
            }
        }
    }

    /// In a gate with the inputs `rest` beside them, `new` takes the place of `old`.
    fn exchange(&mut self, old: [Signal; 2], new: Signal, rest: &[Signal]) {
        let counted = rest.len() + 2 <= self.widest;
        if !counted {
            self.count_all(rest);
        }
        if rest.len() < self.widest {
            for &other in rest {
                self.add(new, other);
                for old in old.into_iter().filter(|_| counted) {
                    *self.counts.entry(ordered(old, other)).or_default() -= 1;
                }
            }
        }
    }

    fn add(&mut self, a: Signal, b: Signal) {
        let pair = ordered(a, b);
        let count = self.counts.entry(pair).or_default();
        *count += 1;
        if *count > 1 {
            self.heap.push((*count, Reverse(pair)));
        }
    }

    /// The pair that most gates have, if more than one has it; the lowest of equals.
    fn most_frequent(&mut self) -> Option<(Signal, Signal)> {
        while let Some((count, Reverse(pair))) = self.heap.pop() {
            let now = self.counts.get(&pair).copied().unwrap_or(0);
            if now == count {
                return Some(pair);
            }
            if now > 1 && now < count {
                self.heap.push((now, Reverse(pair)));
            }
        }
        None
    }

    fn forget(&mut self, a: Signal, b: Signal) {
        self.counts.remove(&ordered(a, b));
    }
}

fn ordered(a: Signal, b: Signal) -> (Signal, Signal) {
    (a.min(b), a.max(b))
}
