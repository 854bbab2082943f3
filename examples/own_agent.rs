//! An agent of your own: it tries each legal move, and plays the one after which the opponent has the fewest moves. It
//! plays othello against random moves.
//!
//! ```sh
//! cargo run --release -p gamegrove-examples --example own_agent
//! ```

#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::sync::Arc;

use gamegrove_agents::Agent;
use gamegrove_game::{Move, Role};
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::matches::{Clocks, MatchRules};
use gamegrove_play::{
    Board, Budget, Entrant, Player, Seat, Setup, State, StopFlag, open, referee, seats,
};

struct Mobility {
    board: Arc<dyn Board>,
    role: Role,
}

impl Mobility {
    /// How many moves the others have after a move.
    fn replies(&self, state: &State, mov: Move) -> usize {
        let joint = self.board.view(state).ok().and_then(|view| view.complete(self.role, mov));
        let next = joint.and_then(|joint| self.board.next(state, &joint).ok());
        let view = next.and_then(|next| self.board.view(&next).ok());
        view.map_or(usize::MAX, |view| {
            Role::all(view.roles())
                .filter(|&role| role != self.role)
                .map(|role| view.legal(role).len())
                .sum()
        })
    }
}

impl Player for Mobility {
    fn choose(&mut self, state: &State, _budget: &Budget) -> Option<Move> {
        let view = self.board.view(state).ok()?;
        view.legal(self.role).iter().copied().min_by_key(|&mov| self.replies(state, mov))
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let board = open(&Source::open("othello")?, &LevelChoice::Number(0), &Setup::default())?;
    let entrants = [Entrant::new(Agent::find("random")?), Entrant::new(Agent::find("random")?)];
    let mut goals = 0.0;
    for seed in 1..=10 {
        let rules =
            MatchRules { clocks: Clocks::simulations(1), step_limit: 200, seed, facts: false };
        let mut players = seats(&board, &entrants, seed)?;
        let own = Mobility { board: Arc::clone(&board), role: Role(0) };
        players[0] = Seat::new("mobility", Box::new(own));
        goals += referee(&board, &mut players, &rules, &StopFlag::default()).goals[0];
    }
    println!("mobility gets {} points a match against random moves", goals / 10.0);
    Ok(())
}
