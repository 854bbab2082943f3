//! The end of a game, and its winners.

use crate::rules::{Condition, Termination};
use crate::sim::Sim;
use crate::state::DISABLED;
use crate::types::TypeId;

/// A game is over after this many ticks at the latest.
pub const MAX_TICKS: i32 = 2000;

impl Sim<'_> {
    /// Sprites of the family that are not dead avatars.
    pub fn alive(&self, ty: TypeId) -> i32 {
        let mut alive = 0;
        for &(member, avatar) in &self.w.members[ty.index()] {
            alive += self.s.count(member);
            // Only avatars can be disabled, and there are few of them.
            if avatar {
                let dead = |&slot: &u16| self.sprite(slot).flags & DISABLED != 0;
                alive -= self.s.slots(member).filter(dead).count();
            }
        }
        alive as i32
    }

    /// Types of the family that have sprites of their own.
    pub fn kinds(&self, ty: TypeId) -> i32 {
        let family = &self.w.rules.types[ty].family;
        family.iter().filter(|&&m| self.alive(m) > 0 && self.s.count(m) > 0).count() as i32
    }

    /// Ends the game if a termination holds or time is up.
    pub fn check_end(&mut self) {
        let world = self.w;
        for termination in &world.rules.terminations {
            if self.holds(termination) {
                self.s.ended = true;
                let wins = self.winners(termination);
                for player in 0..world.rules.players {
                    self.s.players[player].win = Some(wins.get(player).copied().unwrap_or(false));
                }
                break;
            }
        }
        if self.s.tick >= MAX_TICKS {
            self.s.ended = true;
            for player in &mut self.s.players[..world.rules.players] {
                player.win = Some(player.win == Some(true));
            }
        }
    }

    fn holds(&mut self, termination: &Termination) -> bool {
        let limit = termination.limit;
        let sum = |sim: &Self, of: &[TypeId]| of.iter().map(|&ty| sim.alive(ty)).sum::<i32>();
        match &termination.condition {
            Condition::SpriteCounter { of } => self.s.can_end && self.alive(*of) <= limit,
            Condition::SpriteCounterMore { of } => self.s.can_end && self.alive(*of) >= limit,
            Condition::MultiSpriteCounter { of, min } => {
                let count = sum(self, of);
                self.s.can_end && (count == limit || *min && count > limit)
            }
            Condition::MultiSpriteCounterSubTypes { of, kinds } => {
                let count = of.map_or(0, |of| self.alive(of));
                self.s.can_end && count == limit && of.is_some_and(|of| self.kinds(of) == *kinds)
            }
            Condition::Timeout { .. } => self.s.tick >= limit,
            Condition::StopCounter { of, min } => {
                let count = sum(self, of);
                self.s.can_end = if *min { count <= limit } else { count != limit };
                false
            }
        }
    }

    fn winners(&self, termination: &Termination) -> Vec<bool> {
        let players = self.w.rules.players;
        if let Condition::Timeout { use_counter: true, compare, limits } = &termination.condition {
            let counters = &self.s.counters[..self.w.rules.counters];
            return if *compare {
                let equal = counters.iter().all(|c| Some(c) == counters.first());
                (0..players).map(|player| (player == 0) != equal).collect()
            } else if players == counters.len() {
                // The framework keeps only what it wrote for the last player.
                let last = players - 1;
                vec![limits.get(last) == counters.get(last)]
            } else {
                vec![false; players]
            };
        }
        if termination.count_score {
            let scores: Vec<f64> =
                self.s.players[..players].iter().map(|player| player.score).collect();
            let mut best = scores[0];
            for &score in &scores[1..] {
                if score != 0.0 && score > best {
                    best = score;
                }
            }
            let nothing = scores.iter().all(|&score| score == 0.0);
            return scores.iter().map(|&score| !nothing && score == best).collect();
        }
        termination.win.clone()
    }
}
