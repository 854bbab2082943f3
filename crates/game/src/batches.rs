//! Random games by the batch.

use std::ops::AddAssign;
use std::time::Duration;

use crate::{Goal, Rng};

/// Plays random games by the batch: an optional ability of a game ([`Game::batches`]).
///
/// A game with this ability keeps an account of its work by a clock of its own, which need not be that of
/// the machine: what answers for it may be modelled. A search opens the account and ends with it; what
/// the terms mean is known to the game alone.
///
/// [`Game::batches`]: crate::Game::batches
pub trait Batches<S> {
    /// Plays `count` uniformly random games from `state`, in which play is not over: writes their mean
    /// goals to `goals` and returns how many joint moves they took. They depend on `rng` alone.
    fn play_outs(&mut self, state: &S, count: u32, rng: &mut Rng, goals: &mut [Goal]) -> u64;

    /// Opens a new account under these terms: names and values of a search's options.
    fn open_account(&mut self, terms: &[(&'static str, f64)]);

    /// Whether the time that the terms allow is used up.
    fn is_spent(&self) -> bool;

    /// The account so far.
    fn account(&self) -> Account;
}

/// The work of a game since its account was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// How long it took by the game's own clock.
    pub time: Duration,
    /// The counts of the game, by name.
    pub counts: Vec<(&'static str, u64)>,
}

impl Account {
    /// The count of this name; 0 if there is none.
    pub fn count(&self, name: &str) -> u64 {
        self.counts.iter().find(|(known, _)| *known == name).map_or(0, |&(_, count)| count)
    }
}

impl AddAssign for Account {
    /// Adds what was done one after the other.
    fn add_assign(&mut self, other: Account) {
        self.time += other.time;
        for (name, count) in other.counts {
            match self.counts.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += count,
                None => self.counts.push((name, count)),
            }
        }
    }
}
