//! The network as a circuit: AND and OR gates over signals that may be negated.
//!
//! This is the form that programs are made from. Propositions, transitions and NOT gates cost
//! nothing here: they are other names for a signal. Constants are folded, gates with one input or
//! with the same inputs as another are gone, and so is what no answer depends on. That each role
//! makes exactly one move is used to name fewer moves. Gates are in an
//! order in which each comes after what it reads; first those that the answers about a state need
//! (legal moves, goals, end), then those that only the next state needs. The gates of a cycle stand
//! together.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::ops::Range;

use gamegrove_gdl::Meter;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

use crate::build::BuildError;
use crate::invariants::{Flaw, answers_read_no_moves, no_negation_in_cycles};
use crate::kind::Kind;
use crate::network::{Network, NodeId};
use crate::order::Order;
use crate::watch::Watch;

/// A value somewhere in the circuit: a line, as it is or negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signal(u32);

impl Signal {
    /// The signal that never holds: line 0 as it is.
    pub const FALSE: Signal = Signal(0);
    /// The signal that always holds.
    pub const TRUE: Signal = Signal(1);

    /// A line as it is, or negated.
    pub fn new(line: u32, negated: bool) -> Signal {
        Signal(line << 1 | u32::from(negated))
    }

    /// The line; 0 is the constant, then come bases, moves and gates.
    pub fn line(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the line is negated.
    pub fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The opposite.
    pub fn opposite(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

/// The function of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// All inputs hold.
    And,
    /// One of the inputs holds.
    Or,
}

/// A condition that most moves of a role share, usually that it is the role's turn. Kept apart, it
/// changes one signal when it changes, not one for every move.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The condition; always true if there is none.
    pub signal: Signal,
    /// For each move whether it needs the condition.
    pub needed: Vec<bool>,
}

/// A network as gates and signals.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// How many base propositions there are: lines 1 and following.
    pub bases: usize,
    /// The first move's line of each role, and behind that the first gate's line.
    pub move_lines: Vec<u32>,
    /// The gates.
    pub gates: Vec<Gate>,
    starts: Vec<u32>,
    signals: Vec<Signal>,
    /// How many gates the answers about a state need; the others are needed for the next state.
    pub early: usize,
    /// The gates of each cycle, in order.
    pub cycles: Vec<Range<u32>>,
    /// Whether play is over.
    pub terminal: Signal,
    /// Whether each move of each role is legal, as far as [`turns`](Circuit::turns) does not say.
    pub legal: Vec<Vec<Signal>>,
    /// The signals that most moves of each role need to be legal.
    pub turns: Vec<Turn>,
    /// Whether each goal of each role holds.
    pub goals: Vec<Vec<Signal>>,
    /// The value of each base proposition in the next state.
    pub next: Vec<Signal>,
}

impl Circuit {
    /// The circuit of a network.
    pub fn new(network: &Network) -> Result<Circuit, Flaw> {
        Circuit::watched(network, &mut |_| Ok(()))
    }

    /// As [`new`](Circuit::new), within the limits of a meter.
    pub fn new_within(network: &Network, meter: &mut Meter) -> Result<Circuit, BuildError> {
        meter.check(network.edge_count() * ORDER_BYTES)?;
        let watch = &mut |bytes| meter.step(|| bytes).map_err(BuildError::from);
        let circuit = Circuit::watched(network, watch)?;
        meter.check(circuit.bytes())?;
        Ok(circuit)
    }

    fn watched<E: From<Flaw>>(network: &Network, watch: Watch<'_, E>) -> Result<Circuit, E> {
        let order = Order::new(network);
        no_negation_in_cycles(network, &order)?;
        answers_read_no_moves(network, &order)?;
        Drawing::new(network).draw(network, &order, watch)
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        self.gates.capacity() + (self.starts.capacity() + self.signals.capacity()) * 4
    }

    /// The line of a gate.
    pub fn line_of(&self, gate: usize) -> u32 {
        self.first_gate() + gate as u32
    }

    /// The line of the first gate.
    pub fn first_gate(&self) -> u32 {
        self.move_lines.last().copied().unwrap_or(0)
    }

    /// The inputs of a gate.
    pub fn inputs(&self, gate: usize) -> &[Signal] {
        &self.signals[self.starts[gate] as usize..self.starts[gate + 1] as usize]
    }

    /// How many inputs all gates have together.
    pub fn input_count(&self) -> usize {
        self.signals.len()
    }
}

/// The cost, per connection, of finding the order of a network.
const ORDER_BYTES: usize = 12;

/// A circuit in the making: gates in the order they are met, dead ones included.
struct Drawing {
    first_gate: u32,
    move_lines: Vec<u32>,
    /// The signal of each component of the network.
    meaning: Vec<Signal>,
    gates: Vec<Gate>,
    starts: Vec<u32>,
    signals: Vec<Signal>,
    cycles: Vec<Range<u32>>,
    known: HashTable<u32>,
}

fn hash(gate: Gate, inputs: &[Signal]) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one((gate, inputs))
}

impl Drawing {
    fn new(network: &Network) -> Drawing {
        let mut meaning = vec![Signal::FALSE; network.len()];
        meaning[NodeId::TRUE.index()] = Signal::TRUE;
        let mut line = 1;
        for base in network.bases() {
            meaning[base.index()] = Signal::new(line, false);
            line += 1;
        }
        let mut move_lines = Vec::new();
        for role in 0..network.roles().len() {
            move_lines.push(line);
            for mov in network.moves(role) {
                meaning[mov.input.index()] = Signal::new(line, false);
                line += 1;
            }
        }
        move_lines.push(line);
        Drawing {
            first_gate: line,
            move_lines,
            meaning,
            gates: Vec::new(),
            starts: vec![0],
            signals: Vec::new(),
            cycles: Vec::new(),
            known: HashTable::new(),
        }
    }

    fn bytes(&self) -> usize {
        self.gates.capacity()
            + (self.meaning.capacity() + self.starts.capacity() + self.signals.capacity()) * 4
            + self.known.capacity() * 5
    }

    fn draw<E>(
        mut self,
        network: &Network,
        order: &Order,
        watch: Watch<'_, E>,
    ) -> Result<Circuit, E> {
        for (members, cyclic) in order.groups() {
            watch(self.bytes())?;
            if cyclic {
                self.cycle(network, members);
            } else {
                self.component(network, members[0]);
            }
        }
        let roles = 0..network.roles().len();
        let (mut legal, mut turns) = (Vec::new(), Vec::new());
        for role in roles.clone() {
            let moves = network.moves(role).iter();
            let mut signals = moves.map(|line| self.meaning[line.legal.index()]).collect();
            turns.push(self.turn(&mut signals));
            legal.push(signals);
        }
        let of = |node: NodeId| self.meaning[node.index()];
        let goals = |role: usize| network.goals(role).iter().map(|line| of(line.node)).collect();
        let circuit = Circuit {
            bases: network.bases().len(),
            terminal: of(network.terminal()),
            legal,
            turns,
            goals: roles.map(goals).collect(),
            next: network.bases().iter().map(|&base| of(network.transition(base))).collect(),
            move_lines: self.move_lines,
            gates: self.gates,
            starts: self.starts,
            signals: self.signals,
            cycles: self.cycles,
            early: 0,
        };
        Ok(sorted(circuit))
    }

    fn component(&mut self, network: &Network, node: NodeId) {
        let inputs = network.inputs(node);
        let meaning = match network.kind(node) {
            Kind::True | Kind::False | Kind::Base | Kind::Input => return,
            Kind::Not => self.meaning[inputs[0].index()].opposite(),
            Kind::And => self.gate(Gate::And, self.meanings(inputs)),
            Kind::Or => self.gate(Gate::Or, self.meanings(inputs)),
            _ => self.meaning[inputs[0].index()],
        };
        self.meaning[node.index()] = meaning;
    }

    fn meanings(&self, nodes: &[NodeId]) -> Vec<Signal> {
        nodes.iter().map(|node| self.meaning[node.index()]).collect()
    }

    /// The signal of a gate over acyclic inputs.
    fn gate(&mut self, gate: Gate, mut signals: Vec<Signal>) -> Signal {
        let (neutral, decisive) = match gate {
            Gate::And => (Signal::TRUE, Signal::FALSE),
            Gate::Or => (Signal::FALSE, Signal::TRUE),
        };
        self.name_the_fewer(gate, &mut signals);
        signals.retain(|&signal| signal != neutral);
        signals.sort_unstable();
        signals.dedup();
        // A line and its opposite stand side by side.
        if signals.contains(&decisive) || signals.windows(2).any(|two| two[0].opposite() == two[1])
        {
            return decisive;
        }
        match signals.as_slice() {
            [] => return neutral,
            [only] => return *only,
            _ => {}
        }
        let same = |&at: &u32| {
            let at = at as usize;
            self.gates[at] == gate
                && self.signals[self.starts[at] as usize..self.starts[at + 1] as usize] == *signals
        };
        let key = hash(gate, &signals);
        if let Some(&known) = self.known.find(key, same) {
            return Signal::new(self.first_gate + known, false);
        }
        let number = self.add(gate, &signals);
        let (gates, starts, all) = (&self.gates, &self.starts, &self.signals);
        self.known.insert_unique(key, number, |&at| {
            let at = at as usize;
            hash(gates[at], &all[starts[at] as usize..starts[at + 1] as usize])
        });
        Signal::new(self.first_gate + number, false)
    }

    /// Takes the condition that most of these conjunctions share out of them.
    fn turn(&mut self, legal: &mut Vec<Signal>) -> Turn {
        let mut counts: FxHashMap<Signal, usize> = FxHashMap::default();
        let conditions = |drawing: &Drawing, signal: Signal| -> Vec<Signal> {
            match signal.line().checked_sub(drawing.first_gate) {
                Some(gate) if !signal.negated() && drawing.gates[gate as usize] == Gate::And => {
                    let (start, end) =
                        (drawing.starts[gate as usize], drawing.starts[gate as usize + 1]);
                    drawing.signals[start as usize..end as usize].to_vec()
                }
                _ => vec![signal],
            }
        };
        for &signal in legal.iter() {
            for condition in conditions(self, signal) {
                *counts.entry(condition).or_default() += 1;
            }
        }
        // The lowest of equals, so that the circuit does not depend on the map's order.
        let best = counts.into_iter().max_by_key(|&(s, count)| (count, std::cmp::Reverse(s)));
        let signal = match best {
            Some((signal, count)) if count > 3 && count * 2 > legal.len() => signal,
            _ => return Turn { signal: Signal::TRUE, needed: vec![false; legal.len()] },
        };
        let mut needed = Vec::with_capacity(legal.len());
        for move_signal in legal {
            let mut rest = conditions(self, *move_signal);
            let before = rest.len();
            rest.retain(|&condition| condition != signal);
            needed.push(rest.len() < before);
            if rest.len() < before {
                *move_signal = self.gate(Gate::And, rest);
            }
        }
        Turn { signal, needed }
    }

    /// Each role makes exactly one move, so "one of these moves" is "none of the others": where a
    /// gate names more than half of a role's moves, the others are named instead.
    fn name_the_fewer(&mut self, gate: Gate, signals: &mut Vec<Signal>) {
        let negated = gate == Gate::And;
        for role in 0..self.move_lines.len() - 1 {
            let lines = self.move_lines[role]..self.move_lines[role + 1];
            let is_move = |s: &Signal| lines.contains(&s.line()) && s.negated() == negated;
            if signals.iter().filter(|s| is_move(s)).count() <= lines.len() / 2 {
                continue;
            }
            let mut named = vec![false; lines.len()];
            for signal in signals.iter().filter(|s| is_move(s)) {
                named[(signal.line() - lines.start) as usize] = true;
            }
            signals.retain(|signal| !is_move(signal));
            let others = lines.clone().filter(|line| !named[(line - lines.start) as usize]);
            let others = others.map(|line| Signal::new(line, false)).collect();
            let other = self.gate(Gate::Or, others);
            signals.push(if negated { other } else { other.opposite() });
        }
    }

    fn add(&mut self, gate: Gate, signals: &[Signal]) -> u32 {
        self.gates.push(gate);
        self.signals.extend_from_slice(signals);
        self.starts.push(self.signals.len() as u32);
        self.gates.len() as u32 - 1
    }

    /// Every component of a cycle becomes a gate; propositions are gates with one input.
    fn cycle(&mut self, network: &Network, members: &[NodeId]) {
        let first = self.gates.len() as u32;
        for (at, node) in members.iter().enumerate() {
            self.meaning[node.index()] = Signal::new(self.first_gate + first + at as u32, false);
        }
        for &node in members {
            let gate = if network.kind(node) == Kind::Or { Gate::Or } else { Gate::And };
            let mut inputs = self.meanings(network.inputs(node));
            inputs.sort_unstable();
            inputs.dedup();
            self.add(gate, &inputs);
        }
        self.cycles.push(first..self.gates.len() as u32);
    }
}

/// The circuit without dead gates, those that answers about a state need first.
fn sorted(mut circuit: Circuit) -> Circuit {
    let first_gate = circuit.first_gate();
    let about_state: Vec<Signal> = std::iter::once(circuit.terminal)
        .chain(circuit.turns.iter().map(|turn| turn.signal))
        .chain(circuit.legal.iter().chain(&circuit.goals).flatten().copied())
        .collect();
    let early = cone(&circuit, &about_state);
    let late = cone(&circuit, &circuit.next);
    let mut order: Vec<u32> = Vec::new();
    order.extend((0..circuit.gates.len() as u32).filter(|&gate| early[gate as usize]));
    let early_count = order.len();
    order.extend(
        (0..circuit.gates.len() as u32)
            .filter(|&gate| late[gate as usize] && !early[gate as usize]),
    );
    let mut places = vec![0; circuit.gates.len()];
    for (place, &gate) in order.iter().enumerate() {
        places[gate as usize] = place as u32;
    }
    let moved = |signal: Signal| match signal.line().checked_sub(first_gate) {
        Some(gate) => Signal::new(first_gate + places[gate as usize], signal.negated()),
        None => signal,
    };
    let (mut starts, mut signals) = (vec![0], Vec::new());
    for &gate in &order {
        signals.extend(circuit.inputs(gate as usize).iter().map(|&signal| moved(signal)));
        starts.push(signals.len() as u32);
    }
    let live = |cycle: &&Range<u32>| early[cycle.start as usize] || late[cycle.start as usize];
    let cycles = circuit.cycles.iter().filter(live).map(|cycle| {
        let first = places[cycle.start as usize];
        first..first + cycle.len() as u32
    });
    let mut cycles: Vec<Range<u32>> = cycles.collect();
    cycles.sort_by_key(|cycle| cycle.start);
    circuit.cycles = cycles;
    circuit.gates = order.iter().map(|&gate| circuit.gates[gate as usize]).collect();
    circuit.starts = starts;
    circuit.signals = signals;
    circuit.early = early_count;
    circuit.terminal = moved(circuit.terminal);
    circuit.turns.iter_mut().for_each(|turn| turn.signal = moved(turn.signal));
    let answers = circuit.legal.iter_mut().chain(&mut circuit.goals).flatten();
    answers.chain(&mut circuit.next).for_each(|signal| *signal = moved(*signal));
    circuit
}

/// Which gates some signals depend on.
fn cone(circuit: &Circuit, roots: &[Signal]) -> Vec<bool> {
    let mut inside = vec![false; circuit.gates.len()];
    let mut open: Vec<Signal> = roots.to_vec();
    while let Some(signal) = open.pop() {
        if let Some(gate) = signal.line().checked_sub(circuit.first_gate())
            && !std::mem::replace(&mut inside[gate as usize], true)
        {
            open.extend_from_slice(circuit.inputs(gate as usize));
        }
    }
    inside
}
