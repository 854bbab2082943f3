//! Positions so near the end that all that can follow is looked at, instead of a search.
//!
//! One rule per file, one line each in [`ENDGAMES`].

mod minimax;

use gamegrove_game::{Game, Goal, Move, Rng, Role};

use crate::budget::Budget;
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::worker::Look;

/// All rules. Without one every position is searched.
pub static ENDGAMES: &[Entry<dyn Endgame>] = &[minimax::ENTRY];

/// Plays a position out in full, if that can be done.
pub trait Endgame: Send {
    /// The move that `role` should play, if all that matters was looked at.
    fn solve(
        &self,
        walk: &mut dyn Walk,
        role: Role,
        budget: &Budget<'_>,
        rng: &mut Rng,
    ) -> Option<Move>;
}

/// A position from which one can go on and come back.
pub trait Walk {
    /// The number of roles.
    fn roles(&self) -> usize;

    /// The goals of all roles if play is over.
    fn ended(&self) -> Option<&[Goal]>;

    /// The legal moves of a role.
    fn legal(&self, role: Role) -> &[Move];

    /// Plays a joint move.
    fn play(&mut self, joint: &[Move]);

    /// Takes the last joint move back.
    fn take_back(&mut self);
}

/// Makes the rule called `name`.
pub(crate) fn build(
    name: &str,
    options: &mut Options<'_>,
) -> Result<Box<dyn Endgame>, SettingsError> {
    crate::registry::build("endgame", ENDGAMES, name, options)
}

/// A [`Walk`] from a state of a game.
pub(crate) struct Line<'g, G: Game> {
    game: &'g mut G,
    /// The states so far with what was seen there; those beyond `depth` are spare.
    levels: Vec<(G::State, Look)>,
    depth: usize,
}

impl<'g, G: Game> Line<'g, G> {
    pub(crate) fn new(game: &'g mut G, state: &G::State) -> Self {
        let mut look = Look::default();
        look.at(game, state);
        Line { game, levels: vec![(state.clone(), look)], depth: 0 }
    }
}

impl<G: Game> Walk for Line<'_, G> {
    fn roles(&self) -> usize {
        self.game.role_count()
    }

    fn ended(&self) -> Option<&[Goal]> {
        let look = &self.levels[self.depth].1;
        look.ended.then_some(&look.goals)
    }

    fn legal(&self, role: Role) -> &[Move] {
        self.levels[self.depth].1.of_role(role)
    }

    fn play(&mut self, joint: &[Move]) {
        if self.levels.len() == self.depth + 1 {
            self.levels.push((self.levels[self.depth].0.clone(), Look::default()));
        }
        let (before, after) = self.levels.split_at_mut(self.depth + 1);
        let (state, look) = &mut after[0];
        self.game.apply(&before[self.depth].0, joint, state);
        look.at(self.game, state);
        self.depth += 1;
    }

    fn take_back(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }
}
