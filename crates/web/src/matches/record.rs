//! Matches as files: a record to keep, and a record to step through.
//!
//! A record has the fields of crate `play`'s, so that whatever reads those reads these, and what a page
//! needs besides: the level and the texts of pasted games, and who resigned.

use std::sync::Arc;
use std::time::Duration;

use gamegrove_play::matches::{ClockRecord, SearchRecord};
use serde::{Deserialize, Serialize};

use super::{Match, Seat, Setting};
use crate::limits::Limits;
use crate::refusal::{Answer, Refusal};
use crate::room::Room;
use crate::visitor::Visitor;

/// A match as a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// What the match was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The game.
    pub game: String,
    /// The level of a video game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<usize>,
    /// What agents could spend.
    #[serde(default)]
    pub clocks: ClockRecord,
    /// The names of the roles.
    pub roles: Vec<String>,
    /// Who played each role.
    pub players: Vec<String>,
    /// What the random choices depended on.
    pub seed: u64,
    /// All steps.
    pub steps: Vec<RecordStep>,
    /// Why it stopped: `terminal`, `no-legal-move`, `step-limit`, `fault`, `resigned` or `unfinished`.
    pub ending: String,
    /// What the last state was worth to each role.
    pub goals: Vec<f32>,
    /// Who gave up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<String>,
    /// The rules of a pasted game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The level of a pasted video game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level_text: Option<String>,
}

/// A step of a match as a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordStep {
    /// The move of each role.
    pub moves: Vec<String>,
    /// The time each player took, in seconds.
    #[serde(default)]
    pub seconds: Vec<f64>,
    /// What each player's search found, for those that searched.
    #[serde(default)]
    pub searches: Vec<Option<SearchRecord>>,
}

impl Match {
    /// The match as a file.
    pub fn record(&self) -> Record {
        let play = self.play();
        let steps = (0..play.line.plies()).map(|step| {
            let notes = play.steps.get(step).cloned().unwrap_or_default();
            let search = |insight: &Option<crate::think::Insight>| {
                let insight = insight.as_ref()?;
                let best = insight.moves.first();
                Some(SearchRecord {
                    simulations: insight.simulations,
                    simulations_per_second: insight.simulations_per_second,
                    states_per_second: insight.states_per_second,
                    nodes: insight.nodes,
                    depth: insight.depth,
                    tree_depth: 0,
                    branching: 0.0,
                    mean: best.and_then(|best| best.mean),
                    visits: best.map_or(0, |best| best.visits),
                })
            };
            RecordStep {
                moves: play.line.joint(step),
                searches: notes.insights.iter().map(search).collect(),
                seconds: notes.seconds,
            }
        });
        let player = |seat: &Seat| match seat {
            Seat::Person => "person".to_owned(),
            Seat::Agent(agent) => agent.name.clone(),
            Seat::Recorded(name) => name.clone(),
        };
        Record {
            id: Some(self.id.clone()),
            game: self.room.name.clone(),
            level: self.room.level,
            clocks: ClockRecord {
                play_seconds: Some(self.setting.clock.as_secs_f64()),
                ..ClockRecord::default()
            },
            roles: self.room.roles().to_vec(),
            players: self.setting.seats.iter().map(player).collect(),
            seed: self.setting.seed,
            steps: steps.collect(),
            ending: play.over.unwrap_or("unfinished").to_owned(),
            goals: play.seen.goals.clone(),
            resigned: play.resigned.map(|role| self.room.roles()[role].clone()),
            rules: self.room.own.as_ref().map(|own| own.rules.clone()),
            level_text: self
                .room
                .own
                .as_ref()
                .map(|own| own.level.clone())
                .filter(|level| !level.is_empty()),
        }
    }

    /// A record to step through: every move is made again and must be legal. Call it on a worker
    /// thread.
    pub fn replay(
        id: String,
        visitor: Visitor,
        room: Arc<Room>,
        record: &Record,
        limits: &Limits,
    ) -> Answer<Arc<Match>> {
        let roles = room.roles().len();
        if record.steps.len() > limits.steps {
            return Err(Refusal::large(
                format!("the record has {} steps", record.steps.len()),
                format!("at most {} can be replayed", limits.steps),
            ));
        }
        let mut line = room.line(record.seed);
        for (number, step) in record.steps.iter().enumerate() {
            let seen = line.look(usize::MAX);
            if seen.over.is_some() {
                return Err(Refusal::wrong(
                    format!("the game is over before step {} of the record", number + 1),
                    "is it a record of this game?",
                ));
            }
            line.play(&step.moves).map_err(|problem| {
                Refusal::wrong(
                    format!("step {} of the record: {problem}", number + 1),
                    "is it a record of this game?",
                )
            })?;
        }
        let name = |role: usize| record.players.get(role).cloned().unwrap_or_default();
        let name = |role: usize| name(role).chars().take(80).collect();
        let clock = record.clocks.play_seconds.filter(|clock| (0.0..1e6).contains(clock));
        let setting = Setting {
            seats: (0..roles).map(|role| Seat::Recorded(name(role))).collect(),
            clock: Duration::from_secs_f64(clock.unwrap_or(0.0)),
            seed: record.seed,
            tick: Duration::from_millis(100),
        };
        Ok(Match::with_line(id, visitor, room, setting, line))
    }
}
