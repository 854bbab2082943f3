//! Plays by Monte-Carlo tree search, one state at a time or on lanes.

use gamegrove_game::{BoxedLanes, Game, Move, Role};
use gamegrove_search::{
    AmafEntries, Budget, NoEffect, OutlineNode, Part, Report, SettingsError, Stop, Team,
};

use crate::player::{Outline, Player};

struct Searcher<G: Game> {
    team: Team<G>,
    /// One worker for each member of the team, or none.
    lanes: Vec<BoxedLanes<G::State>>,
    role: Role,
    /// The start clock was searched, so the first step is a step already begun.
    prepared: bool,
    /// Why the last search ended; `None` before the first.
    stop: Option<Stop>,
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
    Ok(Box::new(Searcher { team, lanes, role, prepared: false, stop: None }))
}

impl<G: Game> Searcher<G> {
    fn run(&mut self, budget: &Budget<'_>) -> Stop {
        *self.stop.insert(self.team.run(&mut self.lanes, budget))
    }
}

impl<G: Game> Player<G> for Searcher<G> {
    fn prepare(&mut self, state: &G::State, budget: &Budget<'_>) {
        self.team.set_root(state);
        self.run(budget);
        self.prepared = true;
    }

    fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        if std::mem::take(&mut self.prepared) {
            self.team.end_start_clock();
        } else {
            self.team.set_root(state);
        }
        self.run(budget);
        self.team.best_move(self.role)
    }

    fn ponder(&mut self, budget: &Budget<'_>) -> bool {
        let ends = |stop| matches!(stop, Stop::Solved | Stop::Expansions | Stop::OwnTime);
        self.stop.is_some() && !ends(self.run(budget))
    }

    fn can_continue(&self) -> bool {
        true
    }

    fn favourite(&mut self) -> Option<Move> {
        self.stop.and_then(|_| self.team.best_move(self.role))
    }

    fn played(&mut self, joint: &[Move]) {
        self.team.played(joint);
    }

    fn report(&self) -> Option<Report> {
        Some(Report { stop: self.stop, ..self.team.report(self.role) })
    }

    fn amaf_entries(&self) -> Option<AmafEntries> {
        self.team.first().amaf_entries()
    }

    fn without_effect(&mut self) -> Vec<NoEffect> {
        self.team.without_effect(!self.lanes.is_empty())
    }

    fn outline(&self, part: Outline) -> Vec<OutlineNode> {
        let search = self.team.first();
        match part {
            Outline::Levels(depth, width) => search.outline(self.role, depth, width),
            Outline::Top(nodes) => {
                let top = search.most_visited(self.role, nodes);
                with_all_first_moves(top, search.outline(self.role, 1, nodes))
            }
        }
    }
}

/// Adds the first moves that are missing from the top of a tree: those that were hardly tried are of
/// interest too.
fn with_all_first_moves(mut top: Vec<OutlineNode>, first: Vec<OutlineNode>) -> Vec<OutlineNode> {
    for child in first.into_iter().skip(1) {
        let root = &top[0].children;
        if !root.iter().any(|&known| top[known].moves == child.moves) {
            let number = top.len();
            top[0].children.push(number);
            top.push(child);
        }
    }
    top
}
