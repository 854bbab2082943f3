//! What a player is believed to prefer among types of moves, and how that changes as it is watched.
//!
//! A player considers one type of move after another and takes or declines each where it is offered;
//! if it declines all others, it takes the last type [Fernandes 2013, 4.2.1, 4.2.2]. A belief is the chance that
//! a type is taken, one number for each type but the last. Types are numbered here by their place in
//! the game's order of thought.
//!
//! A type was *offered* if there were moves of it and none of an earlier type was taken; there was a
//! choice if moves of a later type were there too. Only choices teach: declining is to choose a later
//! type, accepting is to choose this one. Two ways to learn (section 9.3, ambiguity A14):
//!
//! - Bayes: with certainty C that what is seen belongs to the model, accepting makes
//!   `p = C p / (C p + (1 - C) (1 - p))`, declining the same with C and 1 - C exchanged.
//! - Nudge: how far the model is trusted is a number T of its own, which starts at 1/2. What is seen has
//!   the likelihood `C model + (1 - C) uniform` under the model and `uniform` otherwise, and T is
//!   changed by Bayes' rule; then `p += (1 - T) (seen - p)`, where seen is 1 or 0.
//!
//! All numbers stay within bounds, so that the belief follows a player that changes its ways.

use gamegrove_game::{MAX_MOVE_TYPES, Rng, Role};

/// How many moves of each type there are to choose from, by place in the order of thought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Offer {
    /// The number of moves of each type.
    pub counts: [u32; MAX_MOVE_TYPES],
}

impl Offer {
    /// What moves of these types offer.
    #[inline]
    pub fn of(types: &[u8]) -> Offer {
        let mut counts = [0; MAX_MOVE_TYPES];
        for &kind in types {
            counts[usize::from(kind) % MAX_MOVE_TYPES] += 1;
        }
        Offer { counts }
    }

    /// How many moves there are.
    pub fn total(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// The types that were offered with a choice, up to `last`; each with whether it is `last`.
    fn choices(&self, last: usize) -> impl Iterator<Item = (usize, bool)> + '_ {
        let mut left = self.total();
        self.counts.iter().enumerate().take(last + 1).filter_map(move |(kind, &count)| {
            left -= count;
            (count > 0 && left > 0).then_some((kind, kind == last))
        })
    }

    /// The type that a player takes if it accepts each type with these chances [Fernandes 2013, 4.2.2]. There
    /// must be a move.
    #[inline]
    pub fn draw(&self, accepts: &[f64; MAX_MOVE_TYPES], rng: &mut Rng) -> usize {
        let mut left = self.total();
        for (kind, (&count, &accept)) in self.counts.iter().zip(accepts).enumerate() {
            if count > 0 {
                left -= count;
                if left == 0 || rng.unit() < accept {
                    return kind;
                }
            }
        }
        0
    }

    /// How likely it is that such a player takes this type.
    fn chance(&self, accepts: &[f64; MAX_MOVE_TYPES], taken: usize) -> f64 {
        let choices = self.choices(taken);
        choices.map(|(at, took)| if took { accepts[at] } else { 1.0 - accepts[at] }).product()
    }
}

/// What is believed of one player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beliefs {
    /// How likely each type is taken where it is offered.
    pub accepts: [f64; MAX_MOVE_TYPES],
    /// How far these numbers are trusted, if that is kept apart.
    pub trust: f64,
}

impl Default for Beliefs {
    fn default() -> Self {
        Beliefs { accepts: [0.5; MAX_MOVE_TYPES], trust: 0.5 }
    }
}

/// The roles that beliefs are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Modelled {
    /// All roles but the one the search is for.
    #[default]
    Others,
    /// Every role, each by its own moves.
    Each,
    /// Every role, with one belief by the moves of all.
    Shared,
}

impl Modelled {
    /// Whether a search for `searcher` keeps a belief about `role`.
    #[inline]
    pub(crate) fn includes(self, role: Role, searcher: Role) -> bool {
        self != Modelled::Others || role != searcher
    }

    /// Gives what was learned of one role to all it is believed of.
    #[inline]
    pub(crate) fn spread(self, beliefs: &mut [Beliefs], from: Role) {
        if self == Modelled::Shared {
            let learned = beliefs[from.index()];
            beliefs.fill(learned);
        }
    }
}

/// How beliefs change with what is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Each number is a belief of its own, changed by Bayes' rule.
    Bayes,
    /// The model as a whole is believed more or less, and its numbers move the faster the less it is.
    Nudge,
}

impl Beliefs {
    /// Learns that a move of type `taken` was chosen from an offer; `certainty` is how sure it is that
    /// what is seen belongs to the model, `bounds` what every number stays within.
    pub fn learn(
        &mut self,
        update: Update,
        certainty: f64,
        (least, most): (f64, f64),
        offer: &Offer,
        taken: usize,
    ) {
        if update == Update::Nudge {
            if offer.choices(taken).next().is_none() {
                return;
            }
            let uniform = f64::from(offer.counts[taken]) / f64::from(offer.total().max(1));
            let likely =
                certainty * offer.chance(&self.accepts, taken) + (1.0 - certainty) * uniform;
            self.trust = posterior(self.trust, likely, uniform).clamp(least, most);
        }
        for (at, took) in offer.choices(taken) {
            let accept = &mut self.accepts[at];
            let changed = match update {
                Update::Bayes if took => posterior(*accept, certainty, 1.0 - certainty),
                Update::Bayes => posterior(*accept, 1.0 - certainty, certainty),
                Update::Nudge => {
                    *accept + (1.0 - self.trust) * (f64::from(u8::from(took)) - *accept)
                }
            };
            *accept = changed.clamp(least, most);
        }
    }
}

/// Bayes' rule for a yes or no; the belief stays where what is seen is impossible either way.
fn posterior(prior: f64, if_true: f64, if_false: f64) -> f64 {
    let (yes, no) = (prior * if_true, (1.0 - prior) * if_false);
    if yes + no > 0.0 { yes / (yes + no) } else { prior }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: (f64, f64) = (0.05, 0.95);

    fn beliefs(accepts: [f64; 3]) -> Beliefs {
        let mut all = Beliefs::default();
        all.accepts[..3].copy_from_slice(&accepts);
        all
    }

    /// Kills, pushes, free moves, presses.
    fn offer(counts: [u32; 4]) -> Offer {
        let mut all = Offer::default();
        all.counts[..4].copy_from_slice(&counts);
        all
    }

    fn learned(counts: [u32; 4], taken: usize) -> [f64; 3] {
        let mut beliefs = beliefs([0.75, 0.65, 0.5]);
        beliefs.learn(Update::Bayes, 0.8, BOUNDS, &offer(counts), taken);
        [beliefs.accepts[0], beliefs.accepts[1], beliefs.accepts[2]]
    }

    fn near(seen: [f64; 3], expected: [f64; 3]) {
        for (seen, expected) in seen.into_iter().zip(expected) {
            assert!((seen - expected).abs() < 5e-4, "{seen} {expected}");
        }
    }

    #[test]
    fn the_numbers_of_the_specification() {
        near(learned([1, 1, 1, 1], 0), [0.923, 0.65, 0.5]);
        // A push although there was a kill: 0.75 to 0.429, and 0.65 to 0.8 * 0.65 / 0.59.
        near(learned([1, 1, 1, 1], 1), [0.429, 0.8814, 0.5]);
        // A press declines all three.
        near(learned([1, 1, 1, 1], 3), [0.429, 0.3171, 0.2]);
        near(learned([0, 0, 1, 1], 2), [0.75, 0.65, 0.8]);
    }

    #[test]
    fn no_choice_teaches_nothing() {
        for taken in 0..4 {
            let mut counts = [0; 4];
            counts[taken] = 7;
            assert_eq!(learned(counts, taken), [0.75, 0.65, 0.5]);
        }
        // After the kill is declined pushes are all there is: only the kill was a choice.
        near(learned([1, 3, 0, 0], 1), [0.429, 0.65, 0.5]);
        near(learned([0, 0, 0, 1], 3), [0.75, 0.65, 0.5]);
        let mut nudged = beliefs([0.75, 0.65, 0.5]);
        nudged.learn(Update::Nudge, 0.8, BOUNDS, &offer([0, 4, 0, 0]), 1);
        assert_eq!(nudged, beliefs([0.75, 0.65, 0.5]));
    }

    #[test]
    fn bounds_hold_and_a_change_of_style_shows() {
        let mut one = beliefs([0.75, 0.65, 0.5]);
        for _ in 0..50 {
            one.learn(Update::Bayes, 0.8, BOUNDS, &offer([1, 1, 1, 1]), 0);
        }
        assert_eq!(one.accepts[0], 0.95);
        for _ in 0..4 {
            one.learn(Update::Bayes, 0.8, BOUNDS, &offer([1, 1, 1, 1]), 3);
        }
        assert!(one.accepts[0] < 0.1, "{}", one.accepts[0]);
        for certainty in [0.0, 0.3, 0.5, 1.0] {
            for update in [Update::Bayes, Update::Nudge] {
                let mut any = beliefs([0.75, 0.65, 0.5]);
                for round in 0..100 {
                    any.learn(update, certainty, BOUNDS, &offer([1, 2, 3, 4]), round % 4);
                    assert!(any.accepts[..3].iter().all(|p| (0.05..=0.95).contains(p)));
                    assert!((0.05..=0.95).contains(&any.trust));
                }
            }
        }
    }

    #[test]
    fn half_certain_learns_nothing_and_less_learns_the_opposite() {
        let mut half = beliefs([0.75, 0.65, 0.5]);
        half.learn(Update::Bayes, 0.5, BOUNDS, &offer([1, 1, 1, 1]), 3);
        near([half.accepts[0], half.accepts[1], half.accepts[2]], [0.75, 0.65, 0.5]);
        let mut less = beliefs([0.75, 0.65, 0.5]);
        less.learn(Update::Bayes, 0.3, BOUNDS, &offer([1, 1, 1, 1]), 0);
        assert!(less.accepts[0] < 0.75);
    }

    #[test]
    fn nudging_by_hand() {
        // Two kills and two pushes, a kill is taken: the model says 0.75, chance says 0.5.
        let mut one = beliefs([0.75, 0.65, 0.5]);
        one.learn(Update::Nudge, 0.8, BOUNDS, &offer([2, 2, 0, 0]), 0);
        let likely = 0.8 * 0.75 + 0.2 * 0.5;
        let trust = likely * 0.5 / (likely * 0.5 + 0.5 * 0.5);
        assert!((one.trust - trust).abs() < 1e-12);
        assert!((one.accepts[0] - (0.75 + (1.0 - trust) * 0.25)).abs() < 1e-12);
    }

    #[test]
    fn types_are_drawn_as_often_as_believed() {
        let (mut rng, rounds) = (Rng::new(5), 40_000);
        let mut seen = [0.0; 4];
        let accepts = beliefs([0.75, 0.65, 0.5]).accepts;
        for _ in 0..rounds {
            seen[offer([2, 3, 4, 5]).draw(&accepts, &mut rng)] += 1.0;
        }
        for (kind, seen) in seen.into_iter().enumerate() {
            let expected = offer([2, 3, 4, 5]).chance(&accepts, kind);
            let tolerance = 6.0 * f64::sqrt(expected * (1.0 - expected) / f64::from(rounds));
            assert!((seen / f64::from(rounds) - expected).abs() < tolerance, "{seen} {expected}");
        }
        // What is left is taken, whatever is believed.
        assert_eq!(offer([0, 0, 3, 0]).draw(&[0.0; MAX_MOVE_TYPES], &mut rng), 2);
        assert_eq!(offer([1, 1, 0, 0]).draw(&[0.0; MAX_MOVE_TYPES], &mut rng), 1);
    }
}
