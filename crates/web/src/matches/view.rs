//! A match as the page sees it.

use gamegrove_game::Role;
use gamegrove_play::library::Kind;
use gamegrove_play::matches::Ending;
use gamegrove_play::{Drawing, Match as Course, Spot, View};
use serde::Serialize;

use super::{Match, Play, Seat};
use crate::refusal::{Answer, Refusal};
use crate::thinking::Insight;

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
    /// The same by the names that people read.
    names: Vec<Vec<String>>,
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
    kind: Kind,
    level: Option<usize>,
    own: bool,
}

/// The player of a role.
#[derive(Clone, Debug, Serialize)]
struct SeatView {
    kind: &'static str,
    name: String,
    title: String,
}

/// How a match ended.
#[derive(Clone, Debug, Serialize)]
struct Over {
    reason: Ending,
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

/// A legal move.
#[derive(Clone, Debug, Serialize)]
struct Choice {
    /// The term of the rules.
    name: String,
    /// The name that people read.
    short: String,
    /// The cells it means.
    spots: Vec<Spot>,
    /// What it does, if the game can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
}

/// What an agent expected when it chose.
#[derive(Clone, Debug, Serialize)]
pub struct Expectation {
    /// Steps before it.
    pub ply: usize,
    /// The role for which it was found.
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
    /// The same by the names that people read.
    names: Vec<String>,
    goals: Vec<f32>,
    over: Option<Ending>,
    /// What the search before this step found, by role.
    insights: Vec<Option<Insight>>,
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
        let course = &play.course;
        let plies = course.plies();
        let first = if self.room.is_video() { plies } else { plies.saturating_sub(HISTORY) };
        let roles = || Role::all(self.setting.seats.len());
        let legal = |role: Role| {
            let waits = self.setting.seats[role.index()].is_person()
                && course.wanted().any(|wanted| wanted == role)
                && !self.room.is_video();
            waits.then(|| choices(course, role, most))
        };
        let name = |role, mov| course.board().move_name(role, mov);
        // In a video game a hint is for as many ticks as it has moves.
        let hint = play.hint.as_ref().filter(|hint| plies <= hint.ply + hint.after.len());
        StateView {
            id: self.id.clone(),
            game: GameView {
                name: self.room.name.clone(),
                title: self.room.title.clone(),
                kind: self.room.kind,
                level: self.room.level,
                own: self.room.own.is_some(),
            },
            roles: self.room.roles().to_vec(),
            seats: self.setting.seats.iter().map(Seat::view).collect(),
            clock: self.setting.clock.as_secs_f64(),
            seed: self.setting.seed,
            reasoner: self.room.reasoner.clone(),
            ply: plies,
            drawing: draw(course, plies),
            legal: roles().map(legal).collect(),
            counts: roles().map(|role| course.view().legal(role).len()).collect(),
            chosen: roles().map(|role| course.chosen(role).is_some()).collect(),
            thinking: play.thinking.clone(),
            over: course.ending().map(|reason| Over {
                reason,
                goals: course.goals().to_vec(),
                resigned: course.resigned().map(Role::index),
            }),
            trouble: play.trouble.clone(),
            hint: hint.map(|hint| HintView {
                role: hint.role.index(),
                mov: hint.mov.map(|mov| name(hint.role, mov)),
                after: hint.after.iter().map(|&mov| name(hint.role, mov)).collect(),
            }),
            hinting: play.hinting,
            paused: play.paused,
            moves: course.steps()[first..].iter().map(|step| step.moves.clone()).collect(),
            names: play.names[first..].to_vec(),
            first,
            expectations: expectations(play),
            trees: play.searched.iter().map(|kept| (kept.ply, kept.role.index())).collect(),
            replay: self.is_replay(),
            tick: self.setting.tick.as_millis(),
        }
    }

    /// The position after so many steps.
    pub fn position(&self, ply: usize) -> Answer<PositionView> {
        let play = self.play();
        let course = &play.course;
        let plies = course.plies();
        if ply > plies {
            return Err(Refusal::missing(
                format!("the match has {plies} steps so far"),
                "choose an earlier one",
            ));
        }
        let (board, state) = (course.board(), course.state_after(ply));
        let over = match board.view(&state) {
            Ok(View::Over(_)) => Some(Ending::Terminal),
            Ok(view) => view.is_stuck().then_some(Ending::NoLegalMove),
            Err(_) => Some(Ending::Fault),
        };
        let made = ply.checked_sub(1);
        let last = made.and_then(|step| course.steps().get(step));
        let insights = made.and_then(|step| play.insights.get(step));
        Ok(PositionView {
            ply,
            plies,
            drawing: draw(course, ply),
            last: last.map_or_else(Vec::new, |step| step.moves.clone()),
            names: made.map_or_else(Vec::new, |step| play.names[step].clone()),
            goals: board.goals(&state).unwrap_or_else(|_| vec![0.0; self.room.roles().len()]),
            over,
            insights: insights.cloned().unwrap_or_default(),
        })
    }
}

/// The drawing of the position after so many steps.
fn draw(course: &Course, ply: usize) -> Drawing {
    let (board, state) = (course.board(), course.state_after(ply));
    let before = ply.checked_sub(1).map(|step| (course.state_after(step), step));
    let last = before.as_ref().and_then(|(before, step)| Some((before, course.joint(*step)?)));
    board.draw(&state, last)
}

/// The legal moves of a role, the first of them.
fn choices(course: &Course, role: Role, most: usize) -> Vec<Choice> {
    let (board, state) = (course.board(), course.state());
    let legal = course.view().legal(role);
    let legal = &legal[..legal.len().min(most)];
    let names = board.names(state, role, legal);
    let listed = names.iter().zip(board.spots(state, role, legal)).zip(legal);
    let choice = listed.map(|((name, spots), &mov)| Choice {
        name: name.term.clone(),
        short: name.short.clone(),
        spots,
        words: board.outcome(state, role, mov),
    });
    choice.collect()
}

fn expectations(play: &Play) -> Vec<Expectation> {
    let notes = play.insights.iter().enumerate();
    notes
        .flat_map(|(ply, insights)| {
            insights.iter().enumerate().filter_map(move |(role, insight)| {
                let mean = insight.as_ref()?.moves.first()?.mean?;
                Some(Expectation { ply, role, mean })
            })
        })
        .collect()
}
