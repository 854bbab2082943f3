//! Players of one match who know the game by different reasoners: states and move numbers of one mean
//! nothing to the other, so moves go between them by name.

use gamegrove_agents::{Budget, Player, Report};
use gamegrove_game::{Describe, Move, Role};

/// Someone who plays one role of a match by the names of moves, and keeps up with its state alone.
pub trait Visitor: Send {
    /// The match has started; the start clock is running.
    fn prepare(&mut self, budget: &Budget<'_>);

    /// The move to play.
    fn choose(&mut self, budget: &Budget<'_>) -> Option<String>;

    /// All roles played these moves. `false` if one of them means nothing here, and the match is lost
    /// to the visitor.
    fn played(&mut self, joint: &[String]) -> bool;

    /// What the last search found out, of moves only about the one it chose.
    fn report(&self) -> Option<Report>;
}

/// A player as a visitor of matches played elsewhere.
pub(crate) struct Traveller<G: Describe> {
    game: G,
    state: G::State,
    role: Role,
    player: Box<dyn Player<G>>,
    /// What it chose last.
    chosen: Option<Move>,
}

impl<G: Describe> Traveller<G> {
    pub(crate) fn new(mut game: G, role: Role, player: Box<dyn Player<G>>) -> Traveller<G> {
        let state = game.initial_state();
        Traveller { game, state, role, player, chosen: None }
    }
}

impl<G: Describe> Visitor for Traveller<G> {
    fn prepare(&mut self, budget: &Budget<'_>) {
        self.player.prepare(&self.state, budget);
    }

    fn choose(&mut self, budget: &Budget<'_>) -> Option<String> {
        self.chosen = self.player.choose(&self.state, budget);
        self.chosen.map(|mov| self.game.move_name(self.role, mov))
    }

    fn played(&mut self, joint: &[String]) -> bool {
        let found = Role::all(joint.len()).zip(joint);
        let found: Option<Vec<Move>> =
            found.map(|(role, name)| self.game.find_move(role, name)).collect();
        let Some(joint) = found else { return false };
        self.player.played(&joint);
        self.game.advance(&mut self.state, &joint);
        true
    }

    fn report(&self) -> Option<Report> {
        let mut report = self.player.report()?;
        report.moves.retain(|found| Some(found.mov) == self.chosen);
        report.moves.iter_mut().for_each(|found| found.line.clear());
        Some(report)
    }
}

/// A visitor as a player of the game the match is played with.
pub(crate) struct Host<G> {
    game: G,
    role: Role,
    visitor: Box<dyn Visitor>,
    /// The visitor still knows where the match is.
    follows: bool,
    /// What it chose last.
    chosen: Option<Move>,
}

impl<G: Describe> Host<G> {
    pub(crate) fn new(game: G, role: Role, visitor: Box<dyn Visitor>) -> Host<G> {
        Host { game, role, visitor, follows: true, chosen: None }
    }
}

impl<G: Describe> Player<G> for Host<G> {
    fn prepare(&mut self, _: &G::State, budget: &Budget<'_>) {
        self.visitor.prepare(budget);
    }

    fn choose(&mut self, _: &G::State, budget: &Budget<'_>) -> Option<Move> {
        if !self.follows {
            return None;
        }
        let name = self.visitor.choose(budget)?;
        self.chosen = self.game.find_move(self.role, &name);
        self.chosen
    }

    fn played(&mut self, joint: &[Move]) {
        let names = Role::all(joint.len()).zip(joint);
        let names: Vec<String> = names.map(|(role, &mov)| self.game.move_name(role, mov)).collect();
        self.follows &= self.visitor.played(&names);
    }

    fn report(&self) -> Option<Report> {
        let (mut report, chosen) = (self.visitor.report()?, self.chosen?);
        // The visitor tells of the move it chose alone, by a number of its own.
        report.moves.iter_mut().for_each(|found| found.mov = chosen);
        Some(report)
    }
}
