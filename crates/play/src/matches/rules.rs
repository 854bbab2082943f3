//! What a match is played by, besides game and players.

use gamegrove_game::Rng;

use crate::matches::clock::Clocks;

/// Rules of a match that do not depend on its players.
#[derive(Clone, Copy, Debug)]
pub struct MatchRules {
    /// The clocks.
    pub clocks: Clocks,
    /// Steps after which the match is given up.
    pub step_limit: usize,
    /// What the match depends on, besides agents and these rules.
    pub seed: u64,
    /// Whether the facts of every state are recorded.
    pub facts: bool,
}

/// The seeds of the players of a match with this seed, by role.
pub fn seat_seeds(seed: u64) -> impl Iterator<Item = u64> {
    let mut seeds = Rng::stream(seed, 0);
    std::iter::repeat_with(move || seeds.next_u64())
}
