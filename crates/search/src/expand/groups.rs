//! Keeps one move of each group of similar moves.
//!
//! Move abstraction [Fernandes 2013, 4.1.3]: which moves are alike is the game's to say
//! ([`gamegrove_game::TypedMoves::groups`]). The one that is kept is drawn anew for each node.

use gamegrove_game::{Move, Rng};
use rustc_hash::FxHashMap;

use super::Expansion;
use crate::parameter::Parameter;
use crate::registry::Entry;

const KEEP: Parameter = Parameter::word(
    "keep",
    &["random", "first"],
    "which of several moves that are alike is kept: any, or the first in the game's order",
);

pub(super) const ENTRY: Entry<dyn Expansion> = Entry {
    name: "groups",
    sentence: "one move of each group of similar moves is looked at; for games with typed moves",
    source: "[Fernandes 2013, 4.1.3]",
    parameters: &[KEEP],
    build: |options| {
        let random = options.choice(&KEEP, &[true, false])?;
        Ok(Box::new(Groups { random, known: FxHashMap::default() }))
    },
};

struct Groups {
    random: bool,
    /// For each group its place among those kept, and how many of it were met.
    known: FxHashMap<u64, (u32, u32)>,
}

impl Expansion for Groups {
    fn keep(&mut self, moves: &[Move], groups: &[u64], rng: &mut Rng, kept: &mut Vec<Move>) {
        self.known.clear();
        for (&mov, &group) in moves.iter().zip(groups) {
            let next = kept.len() as u32;
            let (place, met) = self.known.entry(group).or_insert((next, 0));
            *met += 1;
            if *met == 1 {
                kept.push(mov);
            } else if self.random && rng.below(*met as usize) == 0 {
                // Each of those met so far is kept with the same chance.
                kept[*place as usize] = mov;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::{Composition, Options, Part};

    fn kept(part: &Part, rng: &mut Rng) -> Vec<u32> {
        let mut composition = Composition::default();
        let mut rule =
            (ENTRY.build)(&mut Options::new(part, &mut composition)).expect("good options");
        let moves: Vec<Move> = (0..6).map(Move).collect();
        let mut kept = Vec::new();
        rule.keep(&moves, &[7, 1, 7, 9, 1, 7], rng, &mut kept);
        kept.into_iter().map(|mov| mov.0).collect()
    }

    #[test]
    fn one_of_each_group_is_kept_with_equal_chances() {
        let mut rng = Rng::new(3);
        assert_eq!(kept(&Part::named("groups").with("keep", "first"), &mut rng), [0, 1, 3]);
        let mut counts = [0i32; 6];
        let part = Part::named("groups");
        for _ in 0..6_000 {
            let kept = kept(&part, &mut rng);
            assert_eq!(kept.len(), 3);
            kept.into_iter().for_each(|mov| counts[mov as usize] += 1);
        }
        for (mov, share) in [(0, 3), (2, 3), (5, 3), (1, 2), (4, 2), (3, 1)] {
            // Six standard deviations of 6,000 draws are below 240.
            assert!((counts[mov] - 6_000 / share).abs() <= 240, "{counts:?}");
        }
    }
}
