//! A player of one role of one game.

use gamegrove_game::{Game, Goal, Move, Role};
use gamegrove_search::{AmafEntries, Budget, NoEffect, OutlineNode, Report};

/// A player of one role of one match, from its first state to its last.
pub trait Player<G: Game>: Send {
    /// The match has started in `state`; the start clock is running.
    fn prepare(&mut self, _state: &G::State, _budget: &Budget<'_>) {}

    /// The move to play in `state`, within the budget; `None` only if there is no legal one. Called
    /// once in every step of the match, also when there is nothing to choose.
    fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move>;

    /// Goes on thinking about the position it was last asked about, in time that costs nothing: while
    /// others think. `false` if it has nothing more to find out there.
    fn ponder(&mut self, _budget: &Budget<'_>) -> bool {
        false
    }

    /// Whether [`ponder`](Player::ponder) continues the work of [`choose`](Player::choose), so that one
    /// decision can be made in slices.
    fn can_continue(&self) -> bool {
        false
    }

    /// The move it would play now in that position; `None` if only [`choose`](Player::choose) knows.
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
}

/// Which part of a search tree is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outline {
    /// The most visited nodes and the first moves, this many of each at most.
    Top(usize),
    /// This many steps below the root, with this many successors of each node at most.
    Levels(usize, usize),
}

/// The smallest game there is: one role, one move, over at once. Settings are tried on it.
#[derive(Clone, Debug)]
pub(crate) struct Trifle;

impl Game for Trifle {
    type State = bool;

    fn role_count(&self) -> usize {
        1
    }

    fn move_bound(&self, _: Role) -> usize {
        1
    }

    fn initial_state(&mut self) -> bool {
        false
    }

    fn is_terminal(&mut self, state: &bool) -> bool {
        *state
    }

    fn legal_moves(&mut self, _: &bool, _: Role, moves: &mut Vec<Move>) {
        moves.clear();
        moves.push(Move(0));
    }

    fn apply(&mut self, _: &bool, _: &[Move], next: &mut bool) {
        *next = true;
    }

    fn goals(&mut self, _: &bool, goals: &mut [Goal]) {
        goals.fill(Goal::BEST);
    }
}
