//! Guards: inputs that change often and are read by many gates.
//!
//! "It is white's turn" changes in every step and is a condition of hundreds of gates, nearly all of
//! which do not hold anyway. Such an input is kept out of the counters. The gates that would follow
//! it, because their other inputs leave it to the guard, are a set; when the guard changes only
//! those change, and the others are not touched.

use rustc_hash::FxHashMap;

use super::Settings;
use super::plan::{NO_LINE, Numbering};
use crate::circuit::{Circuit, Gate, Signal};

/// An input that changes in fewer than one of this many steps is no guard.
const RARELY: u32 = 50;

/// Gates of one kind that read the same guard.
#[derive(Debug)]
pub(super) struct Group {
    pub signal: Signal,
    pub kind: Gate,
    /// The first of the words in which the group's gates have their bits.
    pub first_word: usize,
    pub gates: Vec<u32>,
}

impl Group {
    pub fn words(&self) -> usize {
        self.gates.len().div_ceil(64)
    }
}

/// All groups, and where each gate's bit is.
#[derive(Debug, Default)]
pub(super) struct Guards {
    pub groups: Vec<Group>,
    /// The bit of each gate behind a guard.
    bits: Vec<u32>,
    /// The group that each word of bits belongs to.
    word_groups: Vec<u32>,
}

impl Guards {
    pub fn new(
        circuit: &Circuit,
        numbering: &Numbering,
        cycle_of: &[u32],
        settings: &Settings,
    ) -> Guards {
        let Some(least) = settings.guard_from else { return Guards::default() };
        let often = |signal: Signal| match settings.toggles.get(signal.line() as usize) {
            // Nothing was counted: all count as lines that change in every step.
            None => Some(1),
            Some(&count) => (count * RARELY >= settings.steps).then_some(count),
        };
        let mut by_guard: FxHashMap<(Signal, Gate), Vec<u32>> = FxHashMap::default();
        // First each gate says what it wants; then it gets what enough gates wanted.
        for choosing in [true, false] {
            let wanted: FxHashMap<(Signal, Gate), usize> =
                by_guard.drain().map(|(guard, gates)| (guard, gates.len())).collect();
            for (gate, &cycle) in cycle_of.iter().enumerate() {
                let Some(number) = numbering.gate(gate) else { continue };
                let (inputs, kind) = (circuit.inputs(gate), circuit.gates[gate]);
                if cycle != NO_LINE || inputs.len() < 2 {
                    continue;
                }
                let known = inputs.iter().filter(|&&signal| numbering.line(signal).is_some());
                let open = known.filter(|&&signal| {
                    choosing || wanted.get(&(signal, kind)).is_some_and(|&count| count >= least)
                });
                let candidates = open.filter_map(|&signal| Some((often(signal)?, signal)));
                // The one that changes most; of equals the lowest.
                let best = candidates.max_by_key(|&(count, s)| (count, std::cmp::Reverse(s)));
                if let Some((_, signal)) = best {
                    by_guard.entry((signal, kind)).or_default().push(number as u32);
                }
            }
        }
        let mut guards = Guards { bits: vec![NO_LINE; numbering.end], ..Guards::default() };
        let mut groups: Vec<_> =
            by_guard.into_iter().filter(|(_, gates)| gates.len() >= least).collect();
        groups.sort_unstable_by_key(|((signal, kind), _)| (*signal, *kind == Gate::Or));
        for ((signal, kind), gates) in groups {
            let first_word = guards.word_groups.len();
            for (at, &gate) in gates.iter().enumerate() {
                guards.bits[gate as usize] = (first_word * 64 + at) as u32;
            }
            let group = Group { signal, kind, first_word, gates };
            guards.word_groups.resize(first_word + group.words(), guards.groups.len() as u32);
            guards.groups.push(group);
        }
        guards
    }

    /// How many words of bits there are.
    pub fn words(&self) -> usize {
        self.word_groups.len()
    }

    /// The bit of a gate behind a guard, and its group.
    #[inline]
    pub fn bit(&self, gate: usize) -> (usize, usize) {
        let bit = self.bits[gate] as usize;
        (bit, self.word_groups[bit / 64] as usize)
    }

    /// The group of a gate, if it is behind a guard.
    pub fn of_gate(&self, gate: usize) -> Option<usize> {
        let bit = *self.bits.get(gate)?;
        (bit != NO_LINE).then(|| self.word_groups[bit as usize / 64] as usize)
    }
}
