//! Players of games whose type is not known.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gamegrove_agents::{
    AmafEntries, NoEffect, Outline, OutlineNode, Player as TypedPlayer, Report,
};
use gamegrove_game::{Game, Move, Rng, Role};

use crate::budget::Budget;
use crate::state::State;

/// Chooses among several legal moves of a role in a play-out: the place of the move in the list.
pub type PlayoutFn = Arc<dyn Fn(&State, Role, &[Move], &mut Rng) -> usize + Send + Sync>;

/// Things a player gets from outside besides its settings.
#[derive(Clone, Default)]
pub struct Hooks {
    /// Chooses the moves of its play-outs.
    pub playout: Option<PlayoutFn>,
}

/// A player of one role of one match, from its first state to its last. Agents are made by
/// [`Board::player`](crate::Board::player); a program from outside implements this itself.
pub trait Player: Send {
    /// The match has started in this state; the start clock is running.
    fn prepare(&mut self, _state: &State, _budget: &Budget) {}

    /// The move to play; `None` only if there is no legal one. Called once in every step of the match, also
    /// when there is nothing to choose.
    fn choose(&mut self, state: &State, budget: &Budget) -> Option<Move>;

    /// Continues with the state it was last asked about, while others decide. `false` if there is nothing
    /// more to find out.
    fn ponder(&mut self, _budget: &Budget) -> bool {
        false
    }

    /// Whether [`ponder`](Player::ponder) continues the work of [`choose`](Player::choose), so that one
    /// decision can be made in slices.
    fn can_continue(&self) -> bool {
        false
    }

    /// The move it would play now in that state; `None` if only [`choose`](Player::choose) knows.
    fn favourite(&mut self) -> Option<Move> {
        None
    }

    /// The joint move that all roles played in the last step.
    fn played(&mut self, _joint: &[Move]) {}

    /// The findings of the last search, if there was one.
    fn report(&self) -> Option<Report> {
        None
    }

    /// The number of statistics of moves below nodes; `None` if none are kept. Looks at all nodes.
    fn amaf_entries(&self) -> Option<AmafEntries> {
        None
    }

    /// The given settings that have no effect in this game, and why.
    fn without_effect(&mut self) -> Vec<NoEffect> {
        Vec::new()
    }

    /// A part of the search tree; empty for players that keep no tree.
    fn outline(&self, _part: Outline) -> Vec<OutlineNode> {
        Vec::new()
    }

    /// Forgets the match: the next question is answered as by a new player with the same seed.
    fn forget(&mut self) {}
}

/// Decides in slices where the player can: `look` sees it between two slices and may end the search, which
/// then plays its favourite.
pub fn choose_in_slices(
    player: &mut dyn Player,
    state: &State,
    budget: &Budget,
    slice: Duration,
    look: &mut dyn FnMut(&mut dyn Player) -> ControlFlow<()>,
) -> Option<Move> {
    let Some(time) = budget.time_limit().filter(|_| player.can_continue()) else {
        return player.choose(state, budget);
    };
    let end = Instant::now() + time;
    let part = || {
        let left = end.saturating_duration_since(Instant::now());
        budget.clone().and_time(left.min(slice)).of_clock_until(end)
    };
    let mut chosen = player.choose(state, &part());
    while Instant::now() < end && !budget.is_stopped() && look(player).is_continue() {
        let more = player.ponder(&part());
        chosen = player.favourite().or(chosen);
        if !more {
            break;
        }
    }
    chosen
}

/// Makes a player of a known type of game. It cannot fail: the settings were tried.
pub(crate) type MakeAgain<G> = Box<dyn Fn(&G) -> Box<dyn TypedPlayer<G>> + Send>;

/// A player of a known type of game behind the interface. It is the owner of chance for its player: what
/// it passes on was drawn anew, here or by the driver of the match.
pub(crate) struct Seated<G: Game> {
    pub(crate) game: G,
    /// Whether chance takes part in the game.
    pub(crate) chance: Option<Rng>,
    pub(crate) make: MakeAgain<G>,
    /// The player, unless it was forgotten.
    pub(crate) player: Option<Box<dyn TypedPlayer<G>>>,
    /// The state of the game in a state of unknown type.
    pub(crate) read: fn(&State) -> &G::State,
}

impl<G: Game> Seated<G> {
    fn player(&mut self) -> &mut Box<dyn TypedPlayer<G>> {
        self.player.get_or_insert_with(|| (self.make)(&self.game))
    }

    /// Asks the player about a state in which chance is drawn anew.
    fn ask<T>(
        &mut self,
        state: &State,
        ask: impl FnOnce(&mut dyn TypedPlayer<G>, &G::State) -> T,
    ) -> T {
        let own = (self.read)(state);
        match &mut self.chance {
            Some(rng) if !state.is_shown() => {
                let mut drawn = own.clone();
                self.game.resample(&mut drawn, rng);
                ask(self.player().as_mut(), &drawn)
            }
            _ => ask(self.player().as_mut(), own),
        }
    }
}

impl<G: Game + 'static> Player for Seated<G> {
    fn prepare(&mut self, state: &State, budget: &Budget) {
        self.ask(state, |player, state| player.prepare(state, &budget.begin()));
    }

    fn choose(&mut self, state: &State, budget: &Budget) -> Option<Move> {
        self.ask(state, |player, state| player.choose(state, &budget.begin()))
    }

    fn ponder(&mut self, budget: &Budget) -> bool {
        self.player.as_mut().is_some_and(|player| player.ponder(&budget.begin()))
    }

    fn can_continue(&self) -> bool {
        self.player.as_ref().is_some_and(|player| player.can_continue())
    }

    fn favourite(&mut self) -> Option<Move> {
        self.player.as_mut()?.favourite()
    }

    fn played(&mut self, joint: &[Move]) {
        if let Some(player) = &mut self.player {
            player.played(joint);
        }
    }

    fn report(&self) -> Option<Report> {
        self.player.as_ref()?.report()
    }

    fn amaf_entries(&self) -> Option<AmafEntries> {
        self.player.as_ref()?.amaf_entries()
    }

    fn without_effect(&mut self) -> Vec<NoEffect> {
        self.player().without_effect()
    }

    fn outline(&self, part: Outline) -> Vec<OutlineNode> {
        self.player.as_ref().map_or_else(Vec::new, |player| player.outline(part))
    }

    fn forget(&mut self) {
        self.player = None;
    }
}
