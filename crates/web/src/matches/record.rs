//! Matches as files: a record to keep, and a record to step through.
//!
//! A record is one of crate `play`, with what a page needs besides: the level, the texts of pasted games, and
//! the role that resigned.

use std::sync::Arc;
use std::time::Duration;

use gamegrove_play::Match as Course;
use gamegrove_play::matches::{Clocks, MatchRecord, MatchRules, StepRecord};
use serde::{Deserialize, Serialize};

use super::{Match, Play, Seat, Setting};
use crate::limits::Limits;
use crate::refusal::{Answer, Refusal};
use crate::room::Room;
use crate::visitor::Visitor;

/// A match as a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The match.
    #[serde(flatten)]
    pub played: MatchRecord,
    /// The level of a video game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<usize>,
    /// The role that gave up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<String>,
    /// The rules of a pasted game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The level of a pasted video game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level_text: Option<String>,
}

impl Match {
    /// The match as a file.
    pub fn record(&self) -> Record {
        let course = &self.play().course;
        let player = |seat: &Seat| match seat {
            Seat::Person => "person".to_owned(),
            Seat::Agent(agent) => agent.name.clone(),
            Seat::Recorded(name) => name.clone(),
        };
        let players = self.setting.seats.iter().map(player).collect();
        let own = self.room.own.as_ref();
        Record {
            played: MatchRecord { id: Some(self.id.clone()), ..course.record(players) },
            level: self.room.level,
            resigned: course.resigned().map(|role| self.room.roles()[role.index()].clone()),
            rules: own.map(|own| own.rules.clone()),
            level_text: own.map(|own| own.level.clone()).filter(|level| !level.is_empty()),
        }
    }

    /// A match that goes on after moves that were made before. Call it on a worker thread.
    pub fn after(
        id: String,
        visitor: Visitor,
        room: Arc<Room>,
        setting: Setting,
        moves: Vec<Vec<String>>,
        limits: &Limits,
    ) -> Answer<Arc<Match>> {
        let steps = moves.into_iter().map(|moves| StepRecord { moves, ..StepRecord::default() });
        let play = played(&room, &setting, &steps.collect::<Vec<_>>(), limits)?;
        Ok(Match::with_play(id, visitor, room, setting, play))
    }

    /// A record to step through: every move is made again and must be legal. Call it on a worker
    /// thread.
    pub fn replay(
        id: String,
        visitor: Visitor,
        room: Arc<Room>,
        record: &MatchRecord,
        limits: &Limits,
    ) -> Answer<Arc<Match>> {
        let name = |role: usize| record.players.get(role).cloned().unwrap_or_default();
        let name = |role: usize| name(role).chars().take(80).collect();
        let clock = record.clocks.play_seconds.filter(|clock| (0.0..1e6).contains(clock));
        let setting = Setting {
            seats: (0..room.roles().len()).map(|role| Seat::Recorded(name(role))).collect(),
            clock: Duration::from_secs_f64(clock.unwrap_or(0.0)),
            seed: record.seed,
            tick: Duration::from_millis(100),
        };
        let play = played(&room, &setting, &record.steps, limits)?;
        Ok(Match::with_play(id, visitor, room, setting, play))
    }
}

/// A match in which these steps were made; each of them must be legal.
fn played(room: &Room, setting: &Setting, steps: &[StepRecord], limits: &Limits) -> Answer<Play> {
    if steps.len() > limits.steps {
        return Err(Refusal::large(
            format!("the record has {} steps", steps.len()),
            format!("at most {} can be replayed", limits.steps),
        ));
    }
    let rules = MatchRules {
        clocks: Clocks::time(Duration::ZERO, setting.clock),
        step_limit: limits.steps,
        seed: setting.seed,
        facts: false,
    };
    let mut play = Play::new(Course::new(Arc::clone(&room.board), rules));
    for step in steps {
        play.replay(step).map_err(|broken| {
            let error = format!("step {} of the record: {}", broken.step + 1, broken.problem);
            Refusal::wrong(error, "is it a record of this game?")
        })?;
    }
    Ok(play)
}
