//! A player that thinks with another reasoner than the one its match is played with. States and move
//! numbers of one mean nothing to the other, so moves go between them by name.

use std::sync::Arc;

use gamegrove_agents::{NoEffect, Outline, OutlineNode, Report};
use gamegrove_game::{Move, Role};

use crate::board::Board;
use crate::budget::Budget;
use crate::player::Player;
use crate::state::State;

/// A player of one board in a match on another one.
pub(crate) struct Bridge {
    /// The board of the match.
    home: Arc<dyn Board>,
    /// The board it thinks with.
    own: Arc<dyn Board>,
    role: Role,
    player: Box<dyn Player>,
    /// The state of the match on its own board.
    state: State,
    /// Whether that state still follows the match.
    follows: bool,
    /// The move it chose last: by the numbers of its own board, and of the match.
    chosen: Option<(Move, Option<Move>)>,
}

impl Bridge {
    pub(crate) fn new(
        home: Arc<dyn Board>,
        own: Arc<dyn Board>,
        role: Role,
        player: Box<dyn Player>,
    ) -> Bridge {
        let state = own.start(0);
        Bridge { home, own, role, player, state, follows: true, chosen: None }
    }

    /// The number in the match of a move of its own board.
    fn at_home(&self, mov: Move) -> Option<Move> {
        self.home.find_move(self.role, &self.own.move_name(self.role, mov))
    }

    /// Makes a step on its own board; nothing if a move means nothing there.
    fn follow(&mut self, joint: &[Move]) -> Option<()> {
        let roles = Role::all(joint.len()).zip(joint);
        let own: Option<Vec<Move>> = roles
            .map(|(role, &mov)| self.own.find_move(role, &self.home.move_name(role, mov)))
            .collect();
        let own = own?;
        self.player.played(&own);
        self.state = self.own.next(&self.state, &own).ok()?;
        Some(())
    }
}

impl Player for Bridge {
    fn prepare(&mut self, _: &State, budget: &Budget) {
        self.player.prepare(&self.state, budget);
    }

    fn choose(&mut self, _: &State, budget: &Budget) -> Option<Move> {
        if !self.follows {
            return None;
        }
        let own = self.player.choose(&self.state, budget)?;
        let found = self.at_home(own);
        self.chosen = Some((own, found));
        found
    }

    fn ponder(&mut self, budget: &Budget) -> bool {
        self.follows && self.player.ponder(budget)
    }

    fn can_continue(&self) -> bool {
        self.player.can_continue()
    }

    fn favourite(&mut self) -> Option<Move> {
        let own = self.player.favourite()?;
        self.at_home(own)
    }

    fn played(&mut self, joint: &[Move]) {
        self.follows = self.follows && self.follow(joint).is_some();
    }

    fn without_effect(&mut self) -> Vec<NoEffect> {
        self.player.without_effect()
    }

    /// The report, with no move but the chosen one: only its number in the match is known.
    fn report(&self) -> Option<Report> {
        let mut report = self.player.report()?;
        let (own, found) = self.chosen?;
        let found = found?;
        report.moves.retain(|told| told.mov == own);
        for told in &mut report.moves {
            told.mov = found;
            told.line.clear();
        }
        Some(report)
    }

    /// Moves of the tree have numbers of its own board, so there is none to show.
    fn outline(&self, _: Outline) -> Vec<OutlineNode> {
        Vec::new()
    }

    fn forget(&mut self) {
        self.player.forget();
    }
}
