//! Plays a match of a shipped game between two named agents and prints moves and result.
//!
//! ```sh
//! cargo run --release -p gamegrove-examples --example play_a_game
//! ```

#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;

use gamegrove_agents::Agent;
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::matches::{Clocks, MatchRules};
use gamegrove_play::{Entrant, Setup, StopFlag, open, referee, seats};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let source = Source::open("connect_four")?;
    let board = open(&source, &LevelChoice::Number(0), &Setup::default())?;
    // Any name of `grove agents` or a description of an agent.
    let entrants = [Agent::find("uct")?, Agent::find("mcts(select=grave,playout=mast)")?];
    let rules =
        MatchRules { clocks: Clocks::simulations(300), step_limit: 100, seed: 1, facts: false };
    let mut players = seats(&board, &entrants.map(Entrant::new), rules.seed)?;
    let record = referee(&board, &mut players, &rules, &StopFlag::default());
    for step in &record.steps {
        println!("{}", step.moves.join("  "));
    }
    for (role, (player, goal)) in record.players.iter().zip(&record.goals).enumerate() {
        println!("{} {player}: {goal} points", record.roles[role]);
    }
    Ok(())
}
