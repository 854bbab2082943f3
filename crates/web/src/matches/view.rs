//! A match as the page sees it.

use serde::Serialize;

use super::{Match, Play, Seat};
use crate::drawing::Drawing;
use crate::line::Choice;
use crate::refusal::{Answer, Refusal};

/// The moves of the last steps that are sent with every state.
const HISTORY: usize = 400;

/// A match as it stands.
#[derive(Clone, Debug, Serialize)]
pub struct StateView {
    id: String,
    game: GameView,
    roles: Vec<String>,
    seats: Vec<SeatView>,
    clock: f64,
    seed: u64,
    reasoner: String,
    /// Steps made.
    ply: usize,
    drawing: Drawing,
    /// For each person that has yet to choose: the legal moves.
    legal: Vec<Option<Vec<Choice>>>,
    /// How many legal moves each role has.
    counts: Vec<usize>,
    chosen: Vec<bool>,
    thinking: Vec<bool>,
    over: Option<Over>,
    trouble: Option<String>,
    hint: Option<HintView>,
    hinting: bool,
    paused: bool,
    /// The moves so far, step by step; of long matches the last.
    moves: Vec<Vec<String>>,
    /// The step that `moves` begins with.
    first: usize,
    expectations: Vec<Expectation>,
    /// The searches whose trees can be opened, as step and role.
    trees: Vec<(usize, usize)>,
    replay: bool,
    /// Milliseconds of a video game's tick.
    tick: u128,
}

/// A game, in short.
#[derive(Clone, Debug, Serialize)]
struct GameView {
    name: String,
    title: String,
    kind: gamegrove_play::library::Kind,
    level: Option<usize>,
    own: bool,
}

/// Who plays a role.
#[derive(Clone, Debug, Serialize)]
struct SeatView {
    kind: &'static str,
    name: String,
    title: String,
}

/// How a match ended.
#[derive(Clone, Debug, Serialize)]
struct Over {
    reason: &'static str,
    goals: Vec<f32>,
    resigned: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
struct HintView {
    role: usize,
    #[serde(rename = "move")]
    mov: Option<String>,
    /// What to do after it, tick by tick, in video games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    after: Vec<String>,
}

/// What an agent expected when it chose.
#[derive(Clone, Debug, Serialize)]
pub struct Expectation {
    /// Steps before it.
    pub ply: usize,
    /// For whom.
    pub role: usize,
    /// The mean goal of the most visited move.
    pub mean: f64,
}

/// A position of a match, to step through.
#[derive(Clone, Debug, Serialize)]
pub struct PositionView {
    ply: usize,
    /// Steps of the whole match.
    plies: usize,
    drawing: Drawing,
    /// What led here.
    last: Vec<String>,
    goals: Vec<f32>,
    over: Option<&'static str>,
    /// What the search before this step found, by role.
    insights: Vec<Option<crate::think::Insight>>,
}

impl Seat {
    fn view(&self) -> SeatView {
        match self {
            Seat::Person => {
                SeatView { kind: "person", name: "person".to_owned(), title: "you".to_owned() }
            }
            Seat::Agent(agent) => {
                SeatView { kind: "agent", name: agent.name.clone(), title: agent.title.clone() }
            }
            Seat::Recorded(name) => {
                SeatView { kind: "recorded", name: name.clone(), title: name.clone() }
            }
        }
    }
}

impl Match {
    /// How the match stands.
    pub fn state(&self, most: usize) -> StateView {
        let play = self.play();
        self.state_with(&play, most)
    }

    pub(super) fn state_of(&self, play: &Play) -> StateView {
        self.state_with(play, crate::limits::Limits::default().listed_moves)
    }

    fn state_with(&self, play: &Play, most: usize) -> StateView {
        let plies = play.line.plies();
        let first = if self.room.is_video() { plies } else { plies.saturating_sub(HISTORY) };
        let legal = |role: usize| {
            let waits = matches!(self.setting.seats[role], Seat::Person)
                && play.chosen[role].is_none()
                && play.over.is_none()
                && !self.room.is_video();
            waits.then(|| play.line.choices(role, most))
        };
        let roles = self.room.roles();
        StateView {
            id: self.id.clone(),
            game: GameView {
                name: self.room.name.clone(),
                title: self.room.title.clone(),
                kind: self.room.kind,
                level: self.room.level,
                own: self.room.own.is_some(),
            },
            roles: roles.to_vec(),
            seats: self.setting.seats.iter().map(Seat::view).collect(),
            clock: self.setting.clock.as_secs_f64(),
            seed: self.setting.seed,
            reasoner: self.room.reasoner.clone(),
            ply: plies,
            drawing: play.line.draw(usize::MAX),
            legal: (0..roles.len()).map(legal).collect(),
            counts: play.seen.legal.iter().map(Vec::len).collect(),
            chosen: play.chosen.iter().map(Option::is_some).collect(),
            thinking: play.thinking.clone(),
            over: play.over.map(|reason| Over {
                reason,
                goals: play.seen.goals.clone(),
                resigned: play.resigned,
            }),
            trouble: play.trouble.clone(),
            hint: play
                .hint
                .as_ref()
                // In a video game it is for as many ticks as it has moves.
                .filter(|hint| plies <= hint.ply + hint.after.len())
                .map(|hint| HintView {
                    role: hint.role,
                    mov: hint.mov.clone(),
                    after: hint.after.clone(),
                }),
            hinting: play.hinting,
            paused: play.paused,
            moves: (first..plies).map(|step| play.line.joint(step)).collect(),
            first,
            expectations: expectations(play),
            trees: play.searched.iter().map(|kept| (kept.ply, kept.role)).collect(),
            replay: self.is_replay(),
            tick: self.setting.tick.as_millis(),
        }
    }

    /// The position after so many steps.
    pub fn position(&self, ply: usize) -> Answer<PositionView> {
        let play = self.play();
        let plies = play.line.plies();
        if ply > plies {
            return Err(Refusal::missing(
                format!("the match has {plies} steps so far"),
                "choose an earlier one",
            ));
        }
        let seen = play.line.look(ply);
        let before = ply.checked_sub(1).and_then(|step| play.steps.get(step));
        Ok(PositionView {
            ply,
            plies,
            drawing: play.line.draw(ply),
            last: ply.checked_sub(1).map_or_else(Vec::new, |step| play.line.joint(step)),
            goals: seen.goals,
            over: seen.over,
            insights: before.map_or_else(Vec::new, |notes| notes.insights.clone()),
        })
    }
}

fn expectations(play: &Play) -> Vec<Expectation> {
    let notes = play.steps.iter().enumerate();
    notes
        .flat_map(|(ply, notes)| {
            notes.insights.iter().enumerate().filter_map(move |(role, insight)| {
                let mean = insight.as_ref()?.moves.first()?.mean?;
                Some(Expectation { ply, role, mean })
            })
        })
        .collect()
}
