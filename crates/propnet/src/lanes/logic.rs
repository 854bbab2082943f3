//! Gates with two inputs each: the form in which gates are covered by instructions.
//!
//! Wide gates become trees of threes, as an instruction takes three inputs. Equal gates are one.

use rustc_hash::FxHashMap;

use super::gates::{Answers, Feedback, Gates, Segment};
use crate::circuit::Signal;
use crate::watch::Watch;

/// ANDs of two signed lines; lines are numbered as in [`Gates`] up to the first gate.
#[derive(Clone, Debug)]
pub(super) struct Logic {
    pub first_gate: u32,
    /// The inputs of each gate; each gate comes after what it reads.
    pub gates: Vec<[Signal; 2]>,
    pub segments: Vec<Segment>,
    pub late: Segment,
    pub feedback: Vec<Feedback>,
    pub answers: Answers<Signal>,
}

impl Logic {
    /// Gates with two inputs for gates with any number.
    pub fn new<E>(wide: &Gates, watch: Watch<'_, E>) -> Result<Logic, E> {
        let mut logic = Logic {
            first_gate: wide.first_gate(),
            gates: Vec::new(),
            segments: Vec::new(),
            late: wide.late,
            feedback: Vec::new(),
            answers: wide.answers.clone(),
        };
        let mut known: FxHashMap<[Signal; 2], u32> = FxHashMap::default();
        let mut meaning: Vec<Signal> = vec![Signal::FALSE; wide.inputs.len()];
        let follow = |meaning: &[Signal], signal: Signal| match wide.gate(signal.line()) {
            Some(gate) if signal.negated() => meaning[gate].opposite(),
            Some(gate) => meaning[gate],
            None => signal,
        };
        let mut signals: Vec<Signal> = Vec::new();
        for at in wide.order() {
            let at = at as usize;
            watch(logic.gates.capacity() * 12 + known.capacity() * 13)?;
            signals.clear();
            signals.extend(wide.inputs[at].iter().map(|&signal| follow(&meaning, signal)));
            signals.sort_unstable();
            signals.dedup();
            let never = signals.windows(2).any(|two| two[0].opposite() == two[1]);
            if never {
                signals = vec![Signal::FALSE];
            }
            let segment = wide.segments[at];
            while signals.len() > 1 {
                signals = signals
                    .chunks(3)
                    .map(|three| {
                        let and = |a: Signal, b| logic.and(&mut known, a, b, segment);
                        three.iter().copied().reduce(and).unwrap_or(Signal::TRUE)
                    })
                    .collect();
            }
            meaning[at] = signals.first().copied().unwrap_or(Signal::TRUE);
        }
        logic.answers = wide.answers.map(|signal| follow(&meaning, signal));
        let sources = wide.feedback.iter();
        logic.feedback =
            sources.map(|f| Feedback { source: follow(&meaning, f.source), ..*f }).collect();
        Ok(logic)
    }

    fn and(
        &mut self,
        known: &mut FxHashMap<[Signal; 2], u32>,
        a: Signal,
        b: Signal,
        segment: Segment,
    ) -> Signal {
        let inputs = [a.min(b), a.max(b)];
        match inputs {
            [Signal::FALSE, _] => return Signal::FALSE,
            [Signal::TRUE, other] => return other,
            [a, b] if a == b => return a,
            [a, b] if a.opposite() == b => return Signal::FALSE,
            _ => {}
        }
        // Gates come segment by segment, so an equal one is early enough.
        let gate = *known.entry(inputs).or_insert_with(|| {
            self.gates.push(inputs);
            self.segments.push(segment);
            self.gates.len() as u32 - 1
        });
        Signal::new(self.first_gate + gate, false)
    }

    /// The gate of a line, if it is one.
    pub fn gate(&self, line: u32) -> Option<usize> {
        line.checked_sub(self.first_gate).map(|gate| gate as usize)
    }

    /// The signals that must be computed: answers and feedback.
    pub fn roots(&self) -> impl Iterator<Item = Signal> + '_ {
        self.answers
            .about_state()
            .chain(self.answers.next.iter().copied())
            .chain(self.feedback.iter().map(|f| f.source))
    }
}
