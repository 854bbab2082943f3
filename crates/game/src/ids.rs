//! Small types that keep roles, moves and goals from being mixed up.

use std::fmt;

/// A player of the game, numbered from 0 in the order the rules name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Role(pub u8);

impl Role {
    /// The role's place in arrays that hold one entry per role.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// All roles of a game with `count` of them, in order.
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Role> + ExactSizeIterator + Clone {
        let count = u8::try_from(count).expect("a game has at most 255 roles");
        (0..count).map(Role)
    }
}

/// A move of one role: a dense number that means the same in every state of the game, so that
/// tables of move statistics are plain arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub u32);

impl Move {
    /// The move's place in arrays that hold one entry per move of its role.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The worth of a state to a role, from 0 (worst) to 100 (best).
///
/// Rules give whole numbers; the mean of several goals of a faulty rulesheet need not be one.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Goal(pub f32);

impl Goal {
    /// The worst outcome.
    pub const WORST: Goal = Goal(0.0);
    /// The best outcome.
    pub const BEST: Goal = Goal(100.0);

    /// The goal as a share of the best outcome, between 0 and 1.
    pub fn share(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
