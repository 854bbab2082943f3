//! One match: its seats, its searches and its viewers. The moves are in a [`Course`].
//!
//! A match moves on whenever something happens to it: a person chooses, a search is done, a timer is
//! over. [`Match::settle`] is the one place that looks what comes next. It runs on worker threads and
//! never waits. Watchers get the newest state through a channel that holds one value, so a slow one
//! misses steps and costs nothing.

mod agents;
mod live;
mod record;
mod registry;
mod tree;
mod video;
mod view;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gamegrove_agents::Agent;
use gamegrove_game::{Fault, Move, Role};
use gamegrove_play::matches::StepRecord;
use gamegrove_play::{Broken, Drawing, Match as Course, State, View};
use tokio::sync::watch;

pub use self::live::News;
pub use self::record::Record;
pub use self::registry::Registry;
use self::tree::Searched;
pub use self::tree::TreeView;
pub use self::view::{PositionView, StateView};
use crate::app::App;
use crate::refusal::{Answer, Refusal};
use crate::room::Room;
use crate::thinking::{Insight, Memory};
use crate::visitor::{Visitor, token};

/// The player of a role.
#[derive(Clone, Debug)]
pub enum Seat {
    /// A person at the page.
    Person,
    /// An agent.
    Agent(Box<Agent>),
    /// No player, because the match is a replay; the name of the recorded player.
    Recorded(String),
}

impl Seat {
    fn is_person(&self) -> bool {
        matches!(self, Seat::Person)
    }
}

/// How a match is to be.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The player of each role.
    pub seats: Vec<Seat>,
    /// How long agents think about a move.
    pub clock: Duration,
    /// What random choices depend on.
    pub seed: u64,
    /// The time of a video game's tick.
    pub tick: Duration,
}

/// A match.
#[derive(Debug)]
pub struct Match {
    /// Its name in addresses.
    pub id: String,
    /// The visitor that started it.
    pub visitor: Visitor,
    /// With it other visitors may play too.
    pub key: String,
    /// The game.
    pub room: Arc<Room>,
    /// How it is to be.
    pub setting: Setting,
    play: Mutex<Play>,
    news: watch::Sender<News>,
    insight: watch::Sender<News>,
    touched: Mutex<Instant>,
    closed: Arc<AtomicBool>,
}

/// A hint that was asked for.
#[derive(Clone, Debug)]
struct Hint {
    ply: usize,
    role: Role,
    mov: Option<Move>,
    /// What to do after it, in video games.
    after: Vec<Move>,
}

struct Play {
    course: Course,
    /// The moves of each step by the names that people read.
    names: Vec<Vec<String>>,
    /// What the searches before each step found, by role.
    insights: Vec<Vec<Option<Insight>>>,
    /// What the players of the roles remember.
    memories: Vec<Arc<Memory>>,
    /// Roles whose agents think.
    thinking: Vec<bool>,
    /// Changes when moves are taken back, so that thoughts about what is gone are dropped.
    epoch: u64,
    step_began: Instant,
    trouble: Option<String>,
    hint: Option<Hint>,
    hinting: bool,
    searched: Vec<Searched>,
    /// When the next step of a match without people may begin.
    next: Instant,
    /// A timer runs that will look again.
    timer: bool,
    /// What is held down, and what was pressed since the last tick, by role.
    keys: Vec<(Option<Move>, Option<Move>)>,
    paused: bool,
}

impl std::fmt::Debug for Play {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Play").field("plies", &self.course.plies()).finish_non_exhaustive()
    }
}

/// Rules can give a role more moves than can be listed, and a position more facts than can be kept.
const MAX_MOVES: usize = 20_000;
const MAX_FACTS: usize = 20_000;
/// The time between two steps of a match without people: long enough to be seen.
const PACE: Duration = Duration::from_millis(500);
/// Agents wait while no visitor watches. This is how often that is checked.
const NOBODY: Duration = Duration::from_millis(1000);

/// Why the rules cannot be played on in a state, if a role has too many moves or too many facts hold.
pub fn too_large(view: &View, facts: usize) -> Option<String> {
    if Role::all(view.roles()).any(|role| view.legal(role).len() > MAX_MOVES) {
        return Some(format!("a role has more than {MAX_MOVES} legal moves here"));
    }
    (facts > MAX_FACTS).then(|| format!("the position has more than {MAX_FACTS} facts"))
}

impl Play {
    fn new(course: Course) -> Play {
        let roles = course.view().roles();
        let mut play = Play {
            names: Vec::new(),
            insights: Vec::new(),
            memories: Vec::new(),
            thinking: vec![false; roles],
            epoch: 0,
            step_began: Instant::now(),
            trouble: None,
            hint: None,
            hinting: false,
            searched: Vec::new(),
            next: Instant::now(),
            timer: false,
            keys: vec![(None, None); roles],
            paused: false,
            course,
        };
        play.forget();
        play.look();
        play
    }

    /// Lets all players forget what they remember.
    fn forget(&mut self) {
        self.memories = self.thinking.iter().map(|_| Arc::default()).collect();
    }

    /// Whether the match goes on.
    fn is_open(&self) -> bool {
        self.course.ending().is_none()
    }

    /// Makes the step that all roles have chosen.
    fn step(&mut self) {
        let before = self.course.state().clone();
        if self.course.step().is_some() {
            self.note_step(&before);
        }
    }

    /// Makes the step of a record.
    fn replay(&mut self, step: &StepRecord) -> Result<(), Broken> {
        let before = self.course.state().clone();
        self.course.replay(step)?;
        self.note_step(&before);
        Ok(())
    }

    fn note_step(&mut self, before: &State) {
        let plies = self.course.plies();
        let joint = self.course.joint(plies - 1).unwrap_or_default();
        let joint: Vec<(Role, Move)> = Role::all(joint.len()).zip(joint.iter().copied()).collect();
        self.names.push(self.course.board().short_names(before, &joint));
        self.insights.resize_with(plies, Vec::new);
        self.thinking.fill(false);
        self.step_began = Instant::now();
        self.look();
    }

    /// Takes note of the limit that was hit, if one was; the rules themselves may ask for too much.
    fn look(&mut self) {
        if self.is_open() {
            let facts = self.course.board().facts(self.course.state()).len();
            if let Some(problem) = too_large(self.course.view(), facts) {
                self.course.fail(Fault::Unanswered { problem });
            }
        }
        self.trouble = self.course.fault().map(ToString::to_string);
    }

    /// Takes steps back.
    fn undo(&mut self, plies: usize) {
        self.course.undo(plies);
        self.names.truncate(plies);
        self.insights.truncate(plies);
        self.searched.retain(|kept| kept.ply <= plies);
        self.thinking.fill(false);
        // What was thought about steps that are gone must not count.
        self.forget();
        self.epoch += 1;
        (self.hint, self.hinting) = (None, false);
        self.step_began = Instant::now();
        self.look();
    }
}

impl Match {
    /// A match as it was played so far.
    fn with_play(
        id: String,
        visitor: Visitor,
        room: Arc<Room>,
        setting: Setting,
        play: Play,
    ) -> Arc<Match> {
        Arc::new(Match {
            id,
            visitor,
            key: token(),
            room,
            setting,
            play: Mutex::new(play),
            news: watch::Sender::new(News::default()),
            insight: watch::Sender::new(News::default()),
            touched: Mutex::new(Instant::now()),
            closed: Arc::default(),
        })
    }

    fn play(&self) -> MutexGuard<'_, Play> {
        self.play.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a visitor uses the match.
    pub fn touch(&self) {
        *self.touched.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// The time since a visitor used it.
    pub fn idle(&self) -> Duration {
        if self.news.receiver_count() == 0 { self.quiet() } else { Duration::ZERO }
    }

    /// The time since the last request for it; it may be watched meanwhile.
    pub fn quiet(&self) -> Duration {
        self.touched.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    /// Keeps only what is needed to go on, unless something is going on in it.
    pub fn forget(&self) {
        if let Ok(mut play) = self.play.try_lock() {
            play.forget();
            play.searched = Vec::new();
            self.news.send_replace(News::default());
            self.insight.send_replace(News::default());
        }
    }

    /// Ends all work for it.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    fn has_people(&self) -> bool {
        self.setting.seats.iter().any(Seat::is_person)
    }

    fn is_replay(&self) -> bool {
        self.setting.seats.iter().any(|seat| matches!(seat, Seat::Recorded(_)))
    }

    /// Looks what comes next and does it. Call it on a worker thread.
    pub fn settle(self: &Arc<Match>, app: &Arc<App>) {
        let mut play = self.play();
        if self.room.is_video() || self.is_replay() {
            self.publish(&mut play);
            return;
        }
        while play.is_open() && !self.closed.load(Ordering::Relaxed) {
            self.choose_forced(&mut play);
            if play.course.wanted().next().is_none() {
                play.step();
                (play.hint, play.hinting) = (None, false);
                if !self.has_people() {
                    play.next = Instant::now() + PACE;
                }
                continue;
            }
            if self.has_people() || self.may_go_on(&mut play, app) {
                self.ask_agents(&mut play, app);
            }
            break;
        }
        self.publish(&mut play);
    }

    /// Chooses for roles that have one legal move.
    fn choose_forced(&self, play: &mut Play) {
        let taken = play.step_began.elapsed();
        for role in play.course.wanted().collect::<Vec<Role>>() {
            if let [only] = *play.course.view().legal(role) {
                // A legal move is accepted.
                let _ = play.course.submit_after(role, only, taken, None);
            }
        }
    }

    /// Whether a match without people goes on now; else a timer looks again.
    fn may_go_on(self: &Arc<Match>, play: &mut Play, app: &Arc<App>) -> bool {
        let now = Instant::now();
        let wait = match self.news.receiver_count() {
            0 => NOBODY,
            _ if play.paused => NOBODY,
            _ => play.next.saturating_duration_since(now),
        };
        if wait.is_zero() {
            return true;
        }
        if !play.timer {
            play.timer = true;
            self.settle_after(wait, app);
        }
        false
    }

    /// Looks again after a while, from a worker thread.
    fn settle_after(self: &Arc<Match>, wait: Duration, app: &Arc<App>) {
        let (found, app) = (Arc::downgrade(self), Arc::clone(app));
        app.clone().runtime.spawn(async move {
            tokio::time::sleep(wait).await;
            let Some(found) = found.upgrade() else { return };
            let (settled, room) = (Arc::clone(&app), Arc::clone(&found.room));
            let job = move || {
                found.play().timer = false;
                found.settle(&settled);
            };
            // Too much to do: the next try is as good.
            while app.quick_in(&room).run(job.clone()).await.is_err() {
                tokio::time::sleep(NOBODY).await;
            }
        });
    }

    /// A person chooses a move.
    pub fn choose(self: &Arc<Match>, app: &Arc<App>, role: usize, mov: &str) -> Answer<()> {
        let mut play = self.play();
        let role = self.person(&play, role)?;
        if play.course.chosen(role).is_some() {
            return Err(Refusal::conflict("you have chosen already", "wait for the others"));
        }
        let course = &mut play.course;
        let named = course.legal_by_name(role, mov).ok();
        let found = named.or_else(|| course.board().interpret(course.state(), role, mov));
        let taken = play.step_began.elapsed();
        let Some(Ok(())) = found.map(|mov| play.course.submit_after(role, mov, taken, None)) else {
            let mov: String = mov.chars().take(80).collect();
            return Err(Refusal::conflict(
                format!("{mov} is not legal here"),
                "choose one of the listed moves",
            ));
        };
        drop(play);
        self.settle(app);
        Ok(())
    }

    /// The role, if a person plays it and may do something.
    fn person(&self, play: &Play, role: usize) -> Answer<Role> {
        let known = Role::all(self.setting.seats.len()).nth(role);
        let Some(role) = known.filter(|role| self.setting.seats[role.index()].is_person()) else {
            return Err(Refusal::conflict("no person plays that role", "choose your own role"));
        };
        match play.is_open() {
            false => Err(Refusal::conflict("the game is over", "start a new one")),
            true => Ok(role),
        }
    }

    /// Takes back moves, up to and including the last one that a person chose.
    pub fn undo(self: &Arc<Match>, app: &Arc<App>) -> Answer<()> {
        if self.room.is_video() || !self.has_people() {
            return Err(Refusal::conflict("nothing can be taken back here", ""));
        }
        let mut play = self.play();
        let course = &play.course;
        let people: Vec<Role> = Role::all(self.setting.seats.len())
            .filter(|role| self.setting.seats[role.index()].is_person())
            .collect();
        let chose = |ply: &usize| {
            let view = course.board().view(&course.state_after(*ply));
            view.is_ok_and(|view| people.iter().any(|&role| view.legal(role).len() > 1))
        };
        let Some(to) = (0..course.plies()).rev().find(chose) else {
            return Err(Refusal::conflict("there is nothing to take back", ""));
        };
        play.undo(to);
        drop(play);
        self.settle(app);
        Ok(())
    }

    /// A person gives up.
    pub fn resign(&self, role: usize) -> Answer<()> {
        let mut play = self.play();
        let role = self.person(&play, role)?;
        play.course.resign(role);
        play.epoch += 1;
        play.thinking.fill(false);
        self.publish(&mut play);
        Ok(())
    }

    /// Stops or continues a match between agents, or a video game.
    pub fn pause(&self, paused: bool) {
        let mut play = self.play();
        play.paused = paused;
        self.publish(&mut play);
    }

    /// The position after a move of a person, where no other role has a choice.
    pub fn preview(&self, role: usize, mov: &str) -> Answer<Drawing> {
        let play = self.play();
        let role = self.person(&play, role)?;
        let course = &play.course;
        let other = |error: String| Refusal::conflict(error, "choose another move");
        let mov = course.legal_by_name(role, mov).map_err(|error| other(error.to_string()))?;
        let joint = course.view().complete(role, mov).ok_or_else(|| {
            Refusal::conflict("what others play is not known yet", "choose without a preview")
        })?;
        let (board, state) = (course.board(), course.state());
        let next = board.next(state, &joint).map_err(|fault| other(fault.to_string()))?;
        Ok(board.draw(&next, Some((state, &joint))))
    }
}
