//! A glance at the states that follow the one a play-out is in.

use gamegrove_game::{Game, Move, Role};

use crate::tree::Facts;
use crate::worker::Look;

/// A state of a play-out, with what follows it.
pub trait Position {
    /// The number of roles.
    fn roles(&self) -> usize;

    /// The legal moves of a role.
    fn legal(&self, role: Role) -> &[Move];

    /// What the state after a line of joint moves is. A line of two that begins like the last one
    /// costs one step, not two.
    fn after(&mut self, line: &[&[Move]]) -> Facts<'_>;
}

/// States to look ahead with.
pub(crate) struct Scratch<S> {
    first: S,
    next: S,
    spare: S,
    /// The joint move that `first` follows, if it is known.
    led: Vec<Move>,
    look: Look,
}

impl<S: Clone> Scratch<S> {
    pub(crate) fn new(state: &S) -> Self {
        let [first, next, spare] = [state.clone(), state.clone(), state.clone()];
        Scratch { first, next, spare, led: Vec::new(), look: Look::default() }
    }
}

/// The state a worker is in, as a [`Position`].
pub(crate) struct Ahead<'w, G: Game> {
    game: &'w mut G,
    state: &'w G::State,
    here: &'w Look,
    scratch: &'w mut Scratch<G::State>,
}

impl<'w, G: Game> Ahead<'w, G> {
    pub(crate) fn new(
        game: &'w mut G,
        state: &'w G::State,
        here: &'w Look,
        scratch: &'w mut Scratch<G::State>,
    ) -> Self {
        scratch.led.clear();
        Ahead { game, state, here, scratch }
    }
}

impl<G: Game> Position for Ahead<'_, G> {
    fn roles(&self) -> usize {
        self.game.role_count()
    }

    fn legal(&self, role: Role) -> &[Move] {
        self.here.of_role(role)
    }

    fn after(&mut self, line: &[&[Move]]) -> Facts<'_> {
        let Ahead { game, state, here, scratch } = self;
        let Some((first, rest)) = line.split_first() else { return here.facts() };
        if scratch.led != *first {
            game.apply(state, first, &mut scratch.first);
            scratch.led.clear();
            scratch.led.extend_from_slice(first);
        }
        let mut at = &scratch.first;
        for joint in rest {
            game.apply(at, joint, &mut scratch.spare);
            std::mem::swap(&mut scratch.next, &mut scratch.spare);
            at = &scratch.next;
        }
        scratch.look.at(*game, at);
        scratch.look.facts()
    }
}
