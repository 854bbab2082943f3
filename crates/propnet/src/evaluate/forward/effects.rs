//! What a joint move does to the state, worked out once.
//!
//! Given the moves, most of the gates that read them are constant: nearly every fact stays as it
//! is, a few are set or cleared, and a few depend on the state still. So the part of the circuit that
//! reads moves is evaluated partially for a joint move, the first time it is made (see [`super::movers`]).
//! What comes out is three masks over the words of the state (facts that stay, that are as the circuit
//! says without looking at moves, that are set) and a short list of gates for the rest.

use gamegrove_game::Move;
use rustc_hash::FxHashMap;

use super::movers::{Cell, Desk, FALSE, Footing, Movers, Partial, TRUE};
use crate::circuit::{Circuit, Gate};

/// The words of masks for one word of the state: stays, as known, is set.
type Masks = [u64; 3];

/// The effects of joint moves, for those that have been made.
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
    /// The gates of each footing, changed while an effect is worked out.
    cells: Vec<Vec<Cell>>,
    changed: Vec<u32>,
    marks: Vec<u64>,
    made: Vec<u32>,
    needed: Vec<u32>,
    seen: Vec<u64>,
    list: Vec<Partial>,
    touched: u64,
}

impl Room {
    /// Tells the readers of a line that it becomes `new`; it was `old`.
    fn tell(&mut self, movers: &Movers, footing: usize, line: u32, old: Partial, new: Partial) {
        let cells = &mut self.cells[footing];
        let readers = movers.readers(line);
        self.touched += readers.len() as u64;
        for &reader in readers {
            let (gate, negated) = (reader >> 1, reader & 1);
            let cell = &mut cells[gate as usize];
            cell.told(movers.kinds[gate as usize], old ^ negated, new ^ negated);
            self.marks[gate as usize / 64] |= 1 << (gate % 64);
            self.changed.push(gate);
        }
    }
}

/// As many joint moves as this have a table.
const FEW: u64 = 1 << 16;
/// Beyond this the effects known are forgotten.
const MOST_BYTES: usize = 32 << 20;
const UNKNOWN: u32 = u32::MAX;

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
        for (role, &(moves, step)) in self.radixes.iter().enumerate() {
            // A move that does not exist is no move.
            key += u64::from(joint.get(role).map_or(moves, |mov| mov.0.min(moves))) * step;
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
        self.room.touched
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
        if room.cells.is_empty() {
            room.cells = movers.footings.iter().map(|footing| footing.cells.clone()).collect();
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
        for at in 0..room.made.len() {
            let line = room.made[at];
            if !movers.footings[footing].made.contains(&line) {
                room.tell(movers, footing, line, FALSE, TRUE);
            }
        }
        for word in 0..room.marks.len() {
            while room.marks[word] != 0 {
                let gate = word * 64 + room.marks[word].trailing_zeros() as usize;
                room.marks[word] &= room.marks[word] - 1;
                let mut value =
                    room.cells[footing][gate].follows(movers.kinds[gate], movers.own(gate));
                if value == movers.own(gate) {
                    room.touched += movers.inputs(gate).len() as u64;
                    let desk = Desk { cells: &room.cells[footing], made: &room.made };
                    value = desk.simplest(movers, gate, &mut room.list);
                }
                let before = std::mem::replace(&mut room.cells[footing][gate].value, value);
                if before != value {
                    room.tell(movers, footing, movers.own(gate) >> 1, before, value);
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
        let desk = Desk { cells: &room.cells[footing], made: &room.made };
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
            let gate = room.needed[at] as usize;
            room.touched += movers.inputs(gate).len() as u64;
            desk.open_inputs(movers, gate, &mut room.list);
            room.list.iter().for_each(|&value| need(value, &mut room.needed));
            at += 1;
        }
        room.needed.sort_unstable();
        for &gate in &room.needed {
            room.seen[gate as usize / 64] = 0;
            let constant = desk.open_inputs(movers, gate as usize, &mut room.list);
            // A gate without inputs is a constant: an AND holds, an OR does not.
            let is_or = constant.map_or(movers.kinds[gate as usize] == Gate::Or, |value| !value);
            self.code.push((room.list.len() as u32) << 2 | u32::from(is_or) << 1);
            self.code.push(movers.first_gate() + gate);
            self.code.extend_from_slice(&room.list);
        }
        for (bit, value) in open {
            self.code.extend([1 << 2 | 1, bit, value]);
        }
        for gate in room.changed.drain(..) {
            room.cells[footing][gate as usize] = movers.footings[footing].cells[gate as usize];
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
