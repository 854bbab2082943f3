//! The pseudo-random player behind the estimates of the game tree.
//!
//! A type of move is chosen by thresholds,
//! strongest first, then a move of that type, each equally likely.

use gamegrove_game::{Move, Rng};
use serde::Serialize;

use crate::move_type::MoveType;

/// How often each type is taken where it is offered.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Preferences {
    /// A kill.
    pub kill: f64,
    /// A push, when there was no kill or it was declined.
    pub push: f64,
    /// A free move rather than a press, when kills and pushes were absent or declined.
    pub free: f64,
}

impl Preferences {
    /// One of `moves`, of which `types` are the types; `None` if there is none.
    pub fn pick(&self, moves: &[Move], types: &[u8], rng: &mut Rng) -> Option<Move> {
        let mut counts = [0; 4];
        for &kind in types {
            counts[usize::from(kind)] += 1;
        }
        let kind = self.pick_type(counts, rng)?;
        let chosen = rng.below(counts[kind.index()]);
        let of_kind = |&(_, &other): &(&Move, &u8)| usize::from(other) == kind.index();
        moves.iter().zip(types).filter(of_kind).nth(chosen).map(|(&mov, _)| mov)
    }

    /// The type to choose from when there are `counts` moves of each, by [`MoveType::index`].
    pub fn pick_type(&self, counts: [usize; 4], rng: &mut Rng) -> Option<MoveType> {
        let [kills, pushes, presses, frees] = counts;
        if kills > 0 && (pushes + presses + frees == 0 || rng.unit() < self.kill) {
            return Some(MoveType::Kill);
        }
        if pushes > 0 && (presses + frees == 0 || rng.unit() < self.push) {
            return Some(MoveType::Push);
        }
        if frees > 0 && (presses == 0 || rng.unit() < self.free) {
            return Some(MoveType::Free);
        }
        (presses > 0).then_some(MoveType::Press)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: Preferences = Preferences { kill: 0.75, push: 0.65, free: 0.5 };

    #[test]
    fn types_are_chosen_as_often_as_preferred() {
        let mut rng = Rng::new(5);
        let mut seen = [0.0; 4];
        let rounds = 40_000;
        for _ in 0..rounds {
            seen[EVEN.pick_type([2, 3, 4, 5], &mut rng).unwrap().index()] += 1.0;
        }
        let expected = [0.75, 0.25 * 0.65, 0.25 * 0.35 * 0.5, 0.25 * 0.35 * 0.5];
        for (seen, expected) in seen.into_iter().zip(expected) {
            // Six standard deviations.
            let tolerance = 6.0 * f64::sqrt(expected * (1.0 - expected) / f64::from(rounds));
            assert!((seen / f64::from(rounds) - expected).abs() < tolerance, "{seen} {expected}");
        }
    }

    #[test]
    fn what_is_left_is_taken() {
        let never = Preferences { kill: 0.0, push: 0.0, free: 0.0 };
        let mut rng = Rng::new(6);
        for kind in MoveType::ALL {
            let mut counts = [0; 4];
            counts[kind.index()] = 1;
            assert_eq!(never.pick_type(counts, &mut rng), Some(kind));
        }
        assert_eq!(never.pick_type([0; 4], &mut rng), None);
        assert_eq!(never.pick_type([1, 1, 1, 1], &mut rng), Some(MoveType::Press));
        // A kill and a push only: declining both leaves a push, as the weaker type.
        assert_eq!(never.pick_type([1, 1, 0, 0], &mut rng), Some(MoveType::Push));
    }

    #[test]
    fn moves_of_the_type_only() {
        let mut rng = Rng::new(7);
        let always = Preferences { kill: 1.0, push: 1.0, free: 1.0 };
        let moves: Vec<Move> = (0..6).map(Move).collect();
        for _ in 0..100 {
            let mov = always.pick(&moves, &[3, 0, 1, 0, 2, 0], &mut rng).unwrap();
            assert!([1, 3, 5].contains(&mov.0));
        }
        assert_eq!(always.pick(&[], &[], &mut rng), None);
    }
}
