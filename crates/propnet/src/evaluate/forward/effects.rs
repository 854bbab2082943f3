//! What a joint move does to the state, worked out once.
//!
//! Given the moves, most of the gates that read them are constant: nearly every fact stays as it
//! is, a few are set or cleared, and a few depend on the state still. So the part of the circuit that
//! reads moves is evaluated partially for a joint move, the first time it is made. What comes out is
//! three masks over the words of the state (facts that stay, that are as the circuit says without
//! looking at moves, that are set) and a short list of gates for the rest.

use gamegrove_game::Move;
use rustc_hash::FxHashMap;

use super::plan::{Numbering, grouped};
use crate::circuit::{Circuit, Gate, Signal};

/// A value that is known up to the state: a line of the plan, twice, and one more if negated.
type Partial = u32;

const FALSE: Partial = u32::MAX - 1;
const TRUE: Partial = u32::MAX;

/// The gates that read moves. Their values are temporary lines behind those of the plan.
#[derive(Debug)]
pub(super) struct Movers {
    kinds: Vec<Gate>,
    starts: Vec<u32>,
    inputs: Vec<Partial>,
    /// Who reads each move and then each gate.
    reader_starts: Vec<u32>,
    readers: Vec<u32>,
    /// The first move's line of each role, and behind that the first gate's.
    move_lines: Vec<u32>,
    first_base: u32,
    /// Facts whose next value reads moves, with that value.
    moved: Vec<(u32, Partial)>,
    /// A bit for each fact whose next value reads no move.
    unmoved: Vec<u64>,
    /// What others are worked out from: nobody moves, or all but one role wait.
    footings: Vec<Footing>,
}

/// The values of all gates for some moves.
#[derive(Debug)]
struct Footing {
    /// The lines of the moves made.
    made: Vec<u32>,
    values: Vec<Partial>,
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
                    pairs.push(((input >> 1) - first_move, place as u32));
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
        // The move that most gates read is the one for waiting, if there is one: where somebody
        // moves and all others wait it is a shorter way from there.
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
        let mut values = Vec::with_capacity(self.kinds.len());
        let mut desk = Desk { values: &mut values, made: &made, list: Vec::new() };
        for gate in 0..self.kinds.len() {
            let value = desk.evaluate(self, gate);
            desk.values.push(value);
        }
        Footing { made, values }
    }

    /// How many temporary lines there are.
    pub fn gate_count(&self) -> usize {
        self.kinds.len()
    }

    fn first_gate(&self) -> u32 {
        self.move_lines.last().copied().unwrap_or(0)
    }

    fn inputs(&self, gate: usize) -> &[Partial] {
        &self.inputs[self.starts[gate] as usize..self.starts[gate + 1] as usize]
    }

    fn readers(&self, line: u32) -> &[u32] {
        let source = (line - self.move_lines[0]) as usize;
        &self.readers[self.reader_starts[source] as usize..self.reader_starts[source + 1] as usize]
    }
}

/// Partial evaluation for one joint move.
struct Desk<'a> {
    /// The value of each gate.
    values: &'a mut Vec<Partial>,
    /// The lines of the moves made.
    made: &'a [u32],
    /// The inputs of the gate evaluated last that are not known.
    list: Vec<Partial>,
}

impl Desk<'_> {
    fn look(&self, movers: &Movers, input: Partial) -> Partial {
        let line = input >> 1;
        match line.checked_sub(movers.first_gate()) {
            _ if input >= FALSE || line < movers.move_lines[0] => input,
            Some(gate) => self.values[gate as usize] ^ (input & 1),
            None => FALSE | u32::from(self.made.contains(&line)) ^ (input & 1),
        }
    }

    /// The value of a gate, and in `list` what it is made of.
    fn evaluate(&mut self, movers: &Movers, gate: usize) -> Partial {
        let (neutral, decisive) = match movers.kinds[gate] {
            Gate::And => (TRUE, FALSE),
            Gate::Or => (FALSE, TRUE),
        };
        self.list.clear();
        for &input in movers.inputs(gate) {
            let value = self.look(movers, input);
            if value == decisive {
                return decisive;
            }
            if value != neutral {
                self.list.push(value);
            }
        }
        self.list.sort_unstable();
        self.list.dedup();
        // A line and its opposite stand side by side.
        if self.list.windows(2).any(|two| two[0] ^ 1 == two[1]) {
            return decisive;
        }
        match self.list.as_slice() {
            [] => neutral,
            [only] => *only,
            _ => (movers.first_gate() + gate as u32) << 1,
        }
    }
}

/// The words of masks for one word of the state: stays, as known, is set.
type Masks = [u64; 3];

/// What joint moves do, as far as they have been made.
#[derive(Clone, Debug)]
pub(super) struct Effects {
    /// For each role the moves, and what a step in its number counts for in the key.
    radixes: Vec<(u32, u64)>,
    numbers: Numbers,
    words: usize,
    masks: Vec<Masks>,
    /// Where each effect's gates start, and behind that the end.
    starts: Vec<u32>,
    /// Gates: head, target, inputs.
    code: Vec<u32>,
    room: Room,
}

/// The effects of joint moves by their keys.
#[derive(Clone, Debug)]
enum Numbers {
    Few(Vec<u32>),
    Many(FxHashMap<u64, u32>),
}

/// Buffers for working out an effect.
#[derive(Clone, Debug, Default)]
struct Room {
    /// The values of each footing, changed while an effect is worked out.
    values: Vec<Vec<Partial>>,
    changed: Vec<u32>,
    marks: Vec<u64>,
    made: Vec<u32>,
    needed: Vec<u32>,
    seen: Vec<u64>,
    inputs: u64,
}

/// As many joint moves as this have a table.
const FEW: u64 = 1 << 16;
/// Beyond this the effects known are forgotten.
const MOST_BYTES: usize = 32 << 20;
const UNKNOWN: u32 = u32::MAX;

fn joint_count(circuit: &Circuit) -> Option<u64> {
    let counts = circuit.legal.iter().map(|moves| moves.len() as u64 + 1);
    counts.fold(Some(1u64), |product, count| product?.checked_mul(count))
}

impl Effects {
    pub fn new(circuit: &Circuit, used: bool) -> Effects {
        let mut step = 1u64;
        let mut radixes = Vec::new();
        for moves in &circuit.legal {
            radixes.push((moves.len() as u32, step));
            step = step.saturating_mul(moves.len() as u64 + 1);
        }
        let numbers = match step {
            _ if !used => Numbers::Few(Vec::new()),
            ..=FEW => Numbers::Few(vec![UNKNOWN; step as usize]),
            _ => Numbers::Many(FxHashMap::default()),
        };
        let words = circuit.bases.div_ceil(64);
        Effects {
            radixes,
            numbers,
            words,
            masks: Vec::new(),
            starts: vec![0],
            code: Vec::new(),
            room: Room::default(),
        }
    }

    /// The effect of a joint move.
    #[inline]
    pub fn of(&mut self, movers: &Movers, joint: &[Move]) -> usize {
        let mut key = 0;
        for (&(moves, step), mov) in self.radixes.iter().zip(joint) {
            // A move that does not exist is no move.
            key += u64::from(mov.0.min(moves)) * step;
        }
        let known = match &self.numbers {
            Numbers::Few(table) => table[key as usize],
            Numbers::Many(map) => map.get(&key).copied().unwrap_or(UNKNOWN),
        };
        if known != UNKNOWN { known as usize } else { self.work_out(movers, joint, key) }
    }

    /// How many words the gates of an effect take.
    pub fn length(&self, effect: usize) -> usize {
        (self.starts[effect + 1] - self.starts[effect]) as usize
    }

    /// How many inputs were looked at to work effects out.
    pub fn worked(&self) -> u64 {
        self.room.inputs
    }

    #[cold]
    fn work_out(&mut self, movers: &Movers, joint: &[Move], key: u64) -> usize {
        if self.masks.len() * size_of::<Masks>() + self.code.len() * 4 > MOST_BYTES {
            self.masks.clear();
            self.code.clear();
            self.starts.truncate(1);
            match &mut self.numbers {
                Numbers::Few(table) => table.fill(UNKNOWN),
                Numbers::Many(map) => map.clear(),
            }
        }
        let footing = self.partially(movers, joint);
        self.write(movers, footing);
        let number = self.starts.len() - 1;
        self.starts.push(self.code.len() as u32);
        match &mut self.numbers {
            Numbers::Few(table) => table[key as usize] = number as u32,
            Numbers::Many(map) => _ = map.insert(key, number as u32),
        }
        number
    }

    /// Evaluates what the joint move changes, from the footing that is nearest.
    fn partially(&mut self, movers: &Movers, joint: &[Move]) -> usize {
        let room = &mut self.room;
        if room.values.is_empty() {
            room.values = movers.footings.iter().map(|footing| footing.values.clone()).collect();
            room.marks = vec![0; movers.kinds.len().div_ceil(64)];
            room.seen = room.marks.clone();
        }
        room.made.clear();
        for (role, mov) in joint.iter().enumerate().take(movers.move_lines.len() - 1) {
            let lines = movers.move_lines[role]..movers.move_lines[role + 1];
            room.made.extend(lines.start.checked_add(mov.0).filter(|line| lines.contains(line)));
        }
        let stands = |footing: &Footing| footing.made.iter().all(|line| room.made.contains(line));
        let footing = movers.footings.iter().rposition(stands).unwrap_or(0);
        let fresh = room.made.iter().filter(|line| !movers.footings[footing].made.contains(line));
        for &line in fresh {
            for &gate in movers.readers(line) {
                room.marks[gate as usize / 64] |= 1 << (gate % 64);
            }
        }
        let values = &mut room.values[footing];
        let mut desk = Desk { values, made: &room.made, list: Vec::new() };
        for word in 0..room.marks.len() {
            while room.marks[word] != 0 {
                let gate = word * 64 + room.marks[word].trailing_zeros() as usize;
                room.marks[word] &= room.marks[word] - 1;
                room.inputs += movers.inputs(gate).len() as u64;
                let value = desk.evaluate(movers, gate);
                if std::mem::replace(&mut desk.values[gate], value) != value {
                    room.changed.push(gate as u32);
                    for &reader in movers.readers(movers.first_gate() + gate as u32) {
                        room.marks[reader as usize / 64] |= 1 << (reader % 64);
                    }
                }
            }
        }
        footing
    }

    /// Writes masks and gates down, and makes the footing what it was.
    fn write(&mut self, movers: &Movers, footing: usize) {
        let first = self.masks.len();
        self.masks.extend(movers.unmoved.iter().map(|&unmoved| [0, unmoved, 0]));
        let room = &mut self.room;
        let values = &mut room.values[footing];
        let mut desk = Desk { values, made: &room.made, list: Vec::new() };
        let mut open: Vec<(u32, Partial)> = Vec::new();
        room.needed.clear();
        let mut need = |value: Partial, needed: &mut Vec<u32>| {
            if value < FALSE
                && let Some(gate) = (value >> 1).checked_sub(movers.first_gate())
                && room.seen[gate as usize / 64] >> (gate % 64) & 1 == 0
            {
                room.seen[gate as usize / 64] |= 1 << (gate % 64);
                needed.push(gate);
            }
        };
        for &(bit, next) in &movers.moved {
            let value = desk.look(movers, next);
            let masks = &mut self.masks[first + bit as usize / 64];
            if value == TRUE {
                masks[2] |= 1 << (bit % 64);
            } else if value == (movers.first_base + bit) << 1 {
                masks[0] |= 1 << (bit % 64);
            } else if value != FALSE {
                open.push((bit, value));
                need(value, &mut room.needed);
            }
        }
        let mut at = 0;
        while at < room.needed.len() {
            desk.evaluate(movers, room.needed[at] as usize);
            desk.list.iter().for_each(|&value| need(value, &mut room.needed));
            at += 1;
        }
        room.needed.sort_unstable();
        for &gate in &room.needed {
            room.seen[gate as usize / 64] = 0;
            desk.evaluate(movers, gate as usize);
            let is_or = movers.kinds[gate as usize] == Gate::Or;
            self.code.push((desk.list.len() as u32) << 2 | u32::from(is_or) << 1);
            self.code.push(movers.first_gate() + gate);
            self.code.extend_from_slice(&desk.list);
        }
        for (bit, value) in open {
            self.code.extend([1 << 2 | 1, bit, value]);
        }
        let values = &mut room.values[footing];
        for gate in room.changed.drain(..) {
            values[gate as usize] = movers.footings[footing].values[gate as usize];
        }
    }

    /// Writes the next state. `known` is what the circuit says without looking at moves.
    #[inline]
    pub fn apply(
        &self,
        effect: usize,
        values: &mut [u64],
        state: &[u64],
        known: &[u64],
        next: &mut [u64],
    ) {
        let masks = &self.masks[effect * self.words..(effect + 1) * self.words];
        for (((next, masks), state), known) in next.iter_mut().zip(masks).zip(state).zip(known) {
            *next = state & masks[0] | known & masks[1] | masks[2];
        }
        let mut code = &self.code[self.starts[effect] as usize..self.starts[effect + 1] as usize];
        while let [head, target, rest @ ..] = code {
            let (inputs, after) = rest.split_at((head >> 2) as usize);
            code = after;
            let is_or = head >> 1 & 1;
            let decided = inputs.iter().any(|&input| {
                let line = (input >> 1) as usize;
                (values[line / 64] >> (line % 64)) as u32 & 1 ^ (input & 1) == is_or
            });
            let value = u64::from(is_or ^ u32::from(!decided));
            let place = *target as usize;
            if head & 1 == 1 {
                next[place / 64] |= value << (place % 64);
            } else {
                let word = &mut values[place / 64];
                *word = *word & !(1 << (place % 64)) | value << (place % 64);
            }
        }
    }
}
