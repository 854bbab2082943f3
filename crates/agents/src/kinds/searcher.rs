//! Plays by Monte-Carlo tree search, one state at a time or on lanes.

use gamegrove_game::{BoxedLanes, Game, Move, Role};
use gamegrove_search::{Budget, Part, Report, SettingsError, Stop, Team};

use crate::player::Player;

struct Searcher<G: Game> {
    team: Team<G>,
    /// One worker for each member of the team, or none.
    lanes: Vec<BoxedLanes<G::State>>,
    role: Role,
    /// The start clock was searched, so the first step is a step already begun.
    prepared: bool,
    /// There is a position to think about.
    begun: bool,
}

pub(super) fn player<G: Game + 'static>(
    part: &Part,
    game: G,
    lanes: Option<BoxedLanes<G::State>>,
    role: Role,
    seed: u64,
) -> Result<Box<dyn Player<G>>, SettingsError> {
    let team = Team::new(&game, part, seed)?.for_role(role);
    let lanes = lanes.filter(|_| team.suits_lanes());
    let lanes = lanes.map_or_else(Vec::new, |lanes| vec![lanes; team.len()]);
    Ok(Box::new(Searcher { team, lanes, role, prepared: false, begun: false }))
}

impl<G: Game> Player<G> for Searcher<G> {
    fn prepare(&mut self, state: &G::State, budget: &Budget<'_>) {
        self.team.set_root(state);
        self.team.run(&mut self.lanes, budget);
        (self.prepared, self.begun) = (true, true);
    }

    fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        if !std::mem::take(&mut self.prepared) {
            self.team.set_root(state);
            self.begun = true;
        }
        self.team.run(&mut self.lanes, budget);
        self.team.best_move(self.role)
    }

    fn ponder(&mut self, budget: &Budget<'_>) -> bool {
        let ends = |stop| matches!(stop, Stop::Solved | Stop::Expansions | Stop::Device);
        self.begun && !ends(self.team.run(&mut self.lanes, budget))
    }

    fn favourite(&mut self) -> Option<Move> {
        if self.begun { self.team.best_move(self.role) } else { None }
    }

    fn played(&mut self, joint: &[Move]) {
        self.team.played(joint);
    }

    fn report(&self) -> Option<Report> {
        Some(self.team.report(self.role))
    }
}
