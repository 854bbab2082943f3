//! Payoffs of sequences of (move, field of the avatar), for Progressive History and NST in games with
//! an avatar [Sironi 2019, 3.2.4].
//!
//! An element is a move played while the avatar stood on a field. Sequences are kept by a hash of
//! their elements. Statistics age when a step of the real game is played; that is done when they are
//! looked at next.

use rustc_hash::FxHashMap;

use super::stat::{Payoff, Stat};
use gamegrove_game::Move;

/// The longest sequences that can be kept.
pub(crate) const LONGEST: usize = 5;

/// More sequences are not kept; a game of 2000 steps needs far fewer.
const MOST: usize = 400_000;

/// Statistics of sequences.
#[derive(Debug)]
pub struct Grams {
    /// By length less one.
    by_length: [FxHashMap<u64, Aged>; LONGEST],
    step: u32,
    decay: f64,
}

#[derive(Clone, Copy, Debug)]
struct Aged {
    stat: Stat,
    step: u32,
}

/// A move played on a field.
pub(crate) fn element(mov: Move, cell: u32) -> u64 {
    u64::from(cell) << 8 | u64::from(mov.0 & 0xff)
}

/// A sequence with one more element.
fn longer(key: u64, element: u64) -> u64 {
    (key.rotate_left(23) ^ element).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Grams {
    /// No sequences; `decay` is what remains of a statistic after a step of the real game.
    pub fn new(decay: f64) -> Grams {
        Grams { by_length: Default::default(), step: 0, decay }
    }

    /// A step of the real game was played; if it brought points all is forgotten, since what led to
    /// them is done.
    pub fn new_step(&mut self, scored: bool) {
        self.step += 1;
        let kept: usize = self.by_length.iter().map(FxHashMap::len).sum();
        if scored || kept > MOST {
            self.by_length.iter_mut().for_each(FxHashMap::clear);
        }
    }

    /// Adds a simulation: all its sequences of up to `length` elements, each as often as it came up.
    pub fn add(&mut self, elements: &[u64], length: usize, payoff: &Payoff) {
        for end in 1..=elements.len() {
            let mut key = 0;
            for back in 1..=length.min(LONGEST).min(end) {
                key = longer(key, elements[end - back]);
                let step = self.step;
                let aged = self.by_length[back - 1].entry(key);
                let aged = aged.or_insert(Aged { stat: Stat::EMPTY, step });
                aged.stat = age(aged, step, self.decay);
                aged.step = step;
                aged.stat.add(payoff, 1.0);
            }
        }
    }

    /// Tells the statistics of the sequences that end with `last` after `before`, shortest first, as
    /// long as `visit` says so.
    pub fn each(
        &self,
        before: &[u64],
        last: u64,
        length: usize,
        visit: &mut dyn FnMut(Option<Stat>) -> bool,
    ) {
        let mut key = longer(0, last);
        for back in 1..=length.min(LONGEST) {
            let found = self.by_length[back - 1].get(&key);
            let stat = found.map(|aged| age(aged, self.step, self.decay));
            if !visit(stat) || before.len() < back {
                return;
            }
            key = longer(key, before[before.len() - back]);
        }
    }

    /// How many sequences of so many elements are known.
    #[cfg(test)]
    pub(crate) fn sequences(&self, length: usize) -> usize {
        self.by_length[length - 1].len()
    }

    /// The statistic of one element.
    pub fn single(&self, element: u64) -> Option<Stat> {
        let aged = self.by_length[0].get(&longer(0, element))?;
        Some(age(aged, self.step, self.decay))
    }
}

fn age(aged: &Aged, step: u32, decay: f64) -> Stat {
    let mut stat = aged.stat;
    if decay < 1.0 && step > aged.step {
        stat.decay(decay.powi((step - aged.step) as i32));
    }
    stat
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visits(grams: &Grams, before: &[u64], last: u64, length: usize) -> Vec<Option<f64>> {
        let mut found = Vec::new();
        grams.each(before, last, length, &mut |stat| {
            found.push(stat.map(|stat| stat.visits));
            true
        });
        found
    }

    #[test]
    fn sequences_are_counted_as_often_as_they_come_up() {
        let mut grams = Grams::new(0.5);
        let (a, b) = (element(Move(1), 7), element(Move(2), 8));
        grams.add(&[a, b, a, b], 3, &Payoff::default());
        assert_eq!(visits(&grams, &[a], b, 3), [Some(2.0), Some(2.0)]);
        assert_eq!(visits(&grams, &[b, a], b, 3), [Some(2.0), Some(2.0), Some(1.0)]);
        assert_eq!(visits(&grams, &[b], b, 3), [Some(2.0), None]);
        assert_eq!(visits(&grams, &[], element(Move(1), 9), 1), [None]);
        assert_eq!(grams.single(a).map(|stat| stat.visits), Some(2.0));
        grams.new_step(false);
        grams.new_step(false);
        assert_eq!(grams.single(a).map(|stat| stat.visits), Some(0.5));
        grams.new_step(true);
        assert_eq!(grams.single(a), None);
    }
}
