//! Whole matches between agents, as data.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use gamegrove_agents::{Agent, AgentError};
use gamegrove_game::Role;
use serde::Serialize;

use crate::board::Board;
use crate::bridge::Bridge;
use crate::budget::StopFlag;
use crate::matches::realtime::{RealTimeRecord, RealTimeRules};
use crate::matches::{MatchRecord, MatchRules, seat_seeds};
use crate::player::{Hooks, Player, PlayoutFn};
use crate::real_time::{self, real_time};
use crate::referee::{Seat, referee};

/// A match to be played: everything it depends on.
#[derive(Clone)]
pub struct Fixture {
    /// The agents by role.
    pub entrants: Vec<Entrant>,
    /// Clocks, limit and seed.
    pub rules: MatchRules,
    /// How a game in real time is played; if nothing is said, as the clocks mean.
    pub real_time: Option<RealTimeRules>,
}

/// An agent in a match.
#[derive(Clone)]
pub struct Entrant {
    /// The agent, which makes the player.
    pub agent: Agent,
    /// How many times the allowance of the clocks it gets.
    pub factor: u32,
    /// The board of the same game that it thinks with, if it has a reasoner of its own.
    pub board: Option<Arc<dyn Board>>,
    /// Chooses the moves of its play-outs, if that comes from outside.
    pub playout: Option<PlayoutFn>,
}

impl Entrant {
    /// An agent with the allowance of the clocks and the board of the match.
    pub fn new(agent: Agent) -> Entrant {
        Entrant { agent, factor: 1, board: None, playout: None }
    }

    /// Its player of a role in a match on `board`.
    pub fn player(
        &self,
        board: &Arc<dyn Board>,
        role: Role,
        seed: u64,
    ) -> Result<Box<dyn Player>, AgentError> {
        let hooks = Hooks { playout: self.playout.clone() };
        match &self.board {
            None => board.player(&self.agent, role, seed, &hooks),
            Some(own) => {
                let player = own.player(&self.agent, role, seed, &hooks)?;
                Ok(Box::new(Bridge::new(Arc::clone(board), Arc::clone(own), role, player)))
            }
        }
    }
}

/// The record of a match of any game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Played {
    /// A game that is played step by step.
    Board(MatchRecord),
    /// A game in real time.
    Video(RealTimeRecord),
}

impl Played {
    /// The worth of the end to each role, from 0 to 100.
    pub fn goals(&self) -> Vec<f32> {
        match self {
            Played::Board(record) => record.goals.clone(),
            Played::Video(record) => {
                let worth = |won: &Option<bool>| if *won == Some(true) { 100.0 } else { 0.0 };
                record.won.iter().map(worth).collect()
            }
        }
    }
}

/// The seeds of the players of a match, by role: on every route the same.
pub fn player_seeds(board: &Arc<dyn Board>, seed: u64) -> Vec<u64> {
    let roles = board.about().roles.len();
    match board.about().real_time {
        Some(_) => Role::all(roles).map(|role| real_time::seat_seed(seed, role)).collect(),
        None => seat_seeds(seed).take(roles).collect(),
    }
}

/// The players of a match with this seed.
pub fn seats(
    board: &Arc<dyn Board>,
    entrants: &[Entrant],
    seed: u64,
) -> Result<Vec<Seat>, AgentError> {
    let seeds = player_seeds(board, seed);
    let roles = Role::all(entrants.len());
    let seat = |((role, entrant), seed): ((Role, &Entrant), u64)| {
        let player = entrant.player(board, role, seed)?;
        Ok(Seat { name: entrant.agent.name.clone(), player, factor: entrant.factor })
    };
    roles.zip(entrants).zip(seeds).map(seat).collect()
}

/// Plays one match between players that were made already.
///
/// # Panics
/// If there is not one seat per role.
pub fn play(
    board: &Arc<dyn Board>,
    seats: &mut [Seat],
    rules: &MatchRules,
    in_real_time: Option<&RealTimeRules>,
    stop: &StopFlag,
) -> Played {
    if board.about().real_time.is_none() {
        return Played::Board(referee(board, seats, rules, stop));
    }
    let meant = || RealTimeRules::of_clocks(&rules.clocks, rules.step_limit);
    let terms = in_real_time.copied().unwrap_or_else(meant);
    let mut goes_on = |_: &crate::State, _: &[_]| !stop.load(Ordering::Relaxed);
    Played::Video(real_time(board, seats, &terms, rules.seed, &mut goes_on))
}

/// Plays matches one after another.
pub(crate) fn play_in_turn(
    board: &Arc<dyn Board>,
    fixtures: &[Fixture],
    stop: &StopFlag,
    done: &mut dyn FnMut(usize, Result<Played, AgentError>),
) {
    for (number, fixture) in fixtures.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let played = seats(board, &fixture.entrants, fixture.rules.seed).map(|mut seats| {
            play(board, &mut seats, &fixture.rules, fixture.real_time.as_ref(), stop)
        });
        done(number, played);
    }
}
