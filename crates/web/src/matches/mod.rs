//! One match: who sits where, what was played, who is thinking, and who watches.
//!
//! A match moves on whenever something happens to it: a person chooses, a search is done, a timer is
//! over. [`Match::settle`] is the one place that looks what comes next. It runs on worker threads and
//! never waits. Watchers get the newest state through a channel that holds one value, so a slow one
//! misses steps and costs nothing.

mod live;
mod record;
mod registry;
mod video;
mod view;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gamegrove_agents::Agent;
use gamegrove_search::OutlineNode;
use gamegrove_vgdl::ontology::Action;
use tokio::sync::watch;

pub use self::live::News;
pub use self::record::Record;
pub use self::registry::Registry;
pub use self::view::{PositionView, StateView};
use crate::app::App;
use crate::line::{Line, Seen, TreeView, any_of};
use crate::refusal::{Answer, Refusal};
use crate::room::Room;
use crate::think::{Insight, Order, Thinker, Thought};
use crate::visitor::{Visitor, token};

/// Who plays a role.
#[derive(Clone, Debug)]
pub enum Seat {
    /// A person at the page.
    Person,
    /// An agent.
    Agent(Box<Agent>),
    /// Nobody: the match is a replay, and this is who played.
    Recorded(String),
}

/// How a match is to be.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Who plays each role.
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
    /// Who started it.
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

/// A search that is under way or done, for people to look into.
#[derive(Debug)]
struct Searched {
    ply: usize,
    role: usize,
    nodes: Vec<OutlineNode>,
}

/// A hint that was asked for.
#[derive(Clone, Debug)]
struct Hint {
    ply: usize,
    role: usize,
    mov: Option<String>,
    /// What to do after it, in video games.
    after: Vec<String>,
}

struct Play {
    line: Box<dyn Line>,
    seen: Seen,
    /// What each role has chosen in this step.
    chosen: Vec<Option<String>>,
    /// Roles whose agents think.
    thinking: Vec<bool>,
    /// Changes when moves are taken back, so that thoughts about what is gone are dropped.
    epoch: u64,
    steps: Vec<StepNotes>,
    step_began: Instant,
    over: Option<&'static str>,
    resigned: Option<usize>,
    trouble: Option<String>,
    hint: Option<Hint>,
    hinting: bool,
    searched: Vec<Searched>,
    /// When the next step of a match without people may begin.
    next: Instant,
    /// A timer runs that will look again.
    timer: bool,
    /// What is held down, and what was pressed since the last tick, by role.
    keys: Vec<(Action, Option<Action>)>,
    paused: bool,
}

impl std::fmt::Debug for Play {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Play").field("plies", &self.line.plies()).finish_non_exhaustive()
    }
}

/// What is known about a step besides its moves.
#[derive(Clone, Debug, Default)]
struct StepNotes {
    seconds: Vec<f64>,
    insights: Vec<Option<Insight>>,
}

/// The time between two steps of a match without people: long enough to be seen.
const PACE: Duration = Duration::from_millis(500);
/// Nobody plays on while nobody watches; so often it is looked.
const NOBODY: Duration = Duration::from_millis(1000);
/// The searches whose trees are kept.
const KEPT_TREES: usize = 3;
/// How long hints are thought about.
const HINT: Duration = Duration::from_secs(2);
/// The ticks that a hint in a video game is for.
const HINT_TICKS: usize = 10;

impl Match {
    /// A match in which `line` was played. Call it on a worker thread.
    fn with_line(
        id: String,
        visitor: Visitor,
        room: Arc<Room>,
        setting: Setting,
        line: Box<dyn Line>,
    ) -> Arc<Match> {
        let roles = room.roles().len();
        let seen = line.look(usize::MAX);
        let play = Play {
            chosen: vec![None; roles],
            thinking: vec![false; roles],
            epoch: 0,
            steps: vec![StepNotes::default(); line.plies()],
            step_began: Instant::now(),
            over: seen.over,
            resigned: None,
            trouble: seen.fault.clone(),
            hint: None,
            hinting: false,
            searched: Vec::new(),
            next: Instant::now(),
            timer: false,
            keys: vec![(Action::Nil, None); roles],
            paused: false,
            line,
            seen,
        };
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

    /// Somebody is at it.
    pub fn touch(&self) {
        *self.touched.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// How long nobody has been at it.
    pub fn idle(&self) -> Duration {
        match self.news.receiver_count() {
            0 => self.touched.lock().unwrap_or_else(PoisonError::into_inner).elapsed(),
            _ => Duration::ZERO,
        }
    }

    /// Keeps only what is needed to go on, unless something is going on in it.
    pub fn forget(&self) {
        if let Ok(mut play) = self.play.try_lock() {
            play.line.forget();
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
        self.setting.seats.iter().any(|seat| matches!(seat, Seat::Person))
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
        loop {
            if play.over.is_some() || self.closed.load(Ordering::Relaxed) {
                break;
            }
            for role in 0..play.chosen.len() {
                if play.seen.legal[role].len() == 1 {
                    play.chosen[role] = Some(play.seen.legal[role][0].clone());
                }
            }
            if play.chosen.iter().all(Option::is_some) {
                self.step(&mut play, app);
                if !self.has_people() {
                    play.next = Instant::now() + PACE;
                }
                continue;
            }
            if !self.has_people() && !self.may_go_on(&mut play, app) {
                break;
            }
            self.ask_agents(&mut play, app);
            break;
        }
        self.publish(&mut play);
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

    /// Makes the step that everybody has chosen.
    fn step(&self, play: &mut Play, app: &App) {
        let joint: Vec<String> = play.chosen.iter().flatten().cloned().collect();
        let taken = play.step_began.elapsed().as_secs_f64();
        if let Err(trouble) = play.line.play(&joint) {
            play.over = Some("fault");
            play.trouble = Some(trouble);
            return;
        }
        let roles = joint.len();
        let mut notes = play.steps.get(play.line.plies() - 1).cloned().unwrap_or_default();
        notes.seconds.resize(roles, taken);
        notes.insights.resize(roles, None);
        play.steps.truncate(play.line.plies() - 1);
        play.steps.push(notes);
        play.chosen = vec![None; roles];
        play.thinking = vec![false; roles];
        play.step_began = Instant::now();
        play.hint = None;
        play.hinting = false;
        play.seen = play.line.look(usize::MAX);
        play.over = play.seen.over;
        play.trouble = play.seen.fault.clone();
        if play.over.is_none() && play.line.plies() >= app.limits.steps {
            play.over = Some("step-limit");
        }
    }

    /// Lets the agents think that have yet to choose.
    fn ask_agents(self: &Arc<Match>, play: &mut Play, app: &Arc<App>) {
        for role in 0..play.chosen.len() {
            let Seat::Agent(agent) = &self.setting.seats[role] else { continue };
            if play.chosen[role].is_some() || play.thinking[role] {
                continue;
            }
            play.thinking[role] = true;
            let order = self.order(play, app, agent, role, self.setting.clock);
            let asked = self.start_search(play, app, order, move |found, app, result| {
                let mut play = found.play();
                found.agent_chose(&mut play, role, result);
                drop(play);
                found.settle(app);
            });
            if let Err(refusal) = asked {
                // The queue is full: any move is better than none, and the page says why.
                play.trouble = Some(refusal.error);
                let any =
                    any_of(&play.seen.legal[role], self.setting.seed, play.line.plies() as u64);
                play.chosen[role] = any;
                play.thinking[role] = false;
                self.settle_after(PACE, app);
            }
        }
    }

    fn order(&self, play: &Play, app: &App, agent: &Agent, role: usize, time: Duration) -> Order {
        let mut rng = gamegrove_game::Rng::stream(self.setting.seed, play.line.plies() as u64);
        let seed = rng.next_u64().wrapping_add(role as u64);
        Order {
            agent: agent.clone(),
            role,
            time: time.min(app.limits.clock),
            seed,
            megabytes: app.limits.tree_megabytes,
            nodes: app.limits.tree_nodes,
            chance: self.room.is_video(),
            prepare: Duration::ZERO,
            ahead: 1,
        }
    }

    /// Lets somebody think, on the thread that calls this. Who does not come back in time is stopped, so
    /// that others get to think; what is remembered afterwards counts among all that is.
    fn think(
        &self,
        app: &App,
        thinker: Box<dyn Thinker>,
        order: &Order,
        tell: &mut dyn FnMut(Insight),
    ) -> Result<Thought, String> {
        let ends = thinker.stop();
        let patience = order.prepare + order.time + app.limits.search_grace;
        let timer = app.runtime.spawn(async move {
            tokio::time::sleep(patience).await;
            ends.store(true, Ordering::Relaxed);
        });
        let memory = thinker.memory();
        let result = thinker.think(order, tell);
        timer.abort();
        memory.iter().for_each(|memory| app.minds.used(memory));
        result
    }

    /// Starts a search; `done` hears what came out, unless the position is gone by then.
    fn start_search(
        self: &Arc<Match>,
        play: &Play,
        app: &Arc<App>,
        order: Order,
        done: impl FnOnce(&Arc<Match>, &Arc<App>, Result<Thought, String>) + Send + 'static,
    ) -> Answer<()> {
        // Who plans a few moves ahead leaves the real game, and must not remember that.
        let thinker = play.line.thinker((order.ahead == 1).then_some(order.role));
        let (ply, epoch) = (play.line.plies(), play.epoch);
        let found = Arc::clone(self);
        let shared = Arc::clone(app);
        let stop = thinker.stop();
        app.search.start(move || {
            let is_current = |found: &Match| {
                let play = found.play();
                let same = play.epoch == epoch && play.line.plies() == ply && play.over.is_none();
                same && !found.closed.load(Ordering::Relaxed)
            };
            if !is_current(&found) {
                return;
            }
            let result = found.think(&shared, thinker, &order, &mut |mut insight| {
                insight.ply = ply;
                if !is_current(&found) {
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
                found.play().line.write(&mut insight);
                found.tell_insight(&insight);
            });
            if !is_current(&found) {
                return;
            }
            let result = result.map(|mut thought| {
                if let Some(insight) = &mut thought.insight {
                    insight.ply = ply;
                    found.play().line.write(insight);
                    found.tell_insight(insight);
                }
                found.keep_tree(ply, order.role, std::mem::take(&mut thought.tree));
                thought
            });
            done(&found, &shared, result);
        })
    }

    fn keep_tree(&self, ply: usize, role: usize, nodes: Vec<OutlineNode>) {
        if nodes.is_empty() {
            return;
        }
        let mut play = self.play();
        play.searched.retain(|kept| (kept.ply, kept.role) != (ply, role));
        if play.searched.len() >= KEPT_TREES {
            play.searched.remove(0);
        }
        play.searched.push(Searched { ply, role, nodes });
    }

    /// Takes what an agent chose, or any legal move in its place.
    fn agent_chose(&self, play: &mut Play, role: usize, result: Result<Thought, String>) {
        let ply = play.line.plies();
        let thought = result.unwrap_or_else(|trouble| {
            play.trouble = Some(trouble);
            Thought::default()
        });
        let legal = &play.seen.legal[role];
        let mov = thought.mov.filter(|mov| legal.contains(mov));
        if mov.is_none() && play.trouble.is_none() {
            let name = &self.room.roles()[role];
            play.trouble = Some(format!("the agent of {name} ran out of time; any move was made"));
        }
        let any = || any_of(legal, self.setting.seed, ply as u64);
        play.chosen[role] = mov.or_else(any);
        play.thinking[role] = false;
        let roles = play.chosen.len();
        if play.steps.len() <= ply {
            play.steps.resize(ply + 1, StepNotes::default());
        }
        let taken = play.step_began.elapsed().as_secs_f64();
        let notes = &mut play.steps[ply];
        notes.seconds.resize(roles, 0.0);
        notes.insights.resize(roles, None);
        notes.seconds[role] = thought.insight.as_ref().map_or(taken, |insight| insight.seconds);
        notes.insights[role] = thought.insight;
    }

    /// A person chooses a move.
    pub fn choose(self: &Arc<Match>, app: &Arc<App>, role: usize, mov: &str) -> Answer<()> {
        let mut play = self.play();
        self.check_person(&play, role)?;
        if play.chosen[role].is_some() {
            return Err(Refusal::conflict("you have chosen already", "wait for the others"));
        }
        // A person may have typed it.
        let is_legal = play.seen.legal[role].iter().any(|legal| legal == mov);
        let found = if is_legal { Some(mov.to_owned()) } else { play.line.find(role, mov) };
        if found.is_none() {
            let mov: String = mov.chars().take(80).collect();
            return Err(Refusal::conflict(
                format!("{mov} is not legal here"),
                "choose one of the listed moves",
            ));
        }
        play.chosen[role] = found;
        drop(play);
        self.settle(app);
        Ok(())
    }

    fn check_person(&self, play: &Play, role: usize) -> Answer<()> {
        if !matches!(self.setting.seats.get(role), Some(Seat::Person)) {
            return Err(Refusal::conflict("no person plays that role", "choose your own role"));
        }
        match play.over {
            Some(_) => Err(Refusal::conflict("the game is over", "start a new one")),
            None => Ok(()),
        }
    }

    /// Takes back moves, up to and including the last one that a person chose.
    pub fn undo(self: &Arc<Match>, app: &Arc<App>) -> Answer<()> {
        if self.room.is_video() || !self.has_people() {
            return Err(Refusal::conflict("nothing can be taken back here", ""));
        }
        let mut play = self.play();
        let people: Vec<usize> = (0..self.setting.seats.len())
            .filter(|&role| matches!(self.setting.seats[role], Seat::Person))
            .collect();
        let plies = play.line.plies();
        let chose = |ply: &usize| {
            let legal = play.line.look(*ply).legal;
            people.iter().any(|&role| legal[role].len() > 1)
        };
        let Some(to) = (0..plies).rev().find(chose) else {
            return Err(Refusal::conflict("there is nothing to take back", ""));
        };
        play.line.shorten(to);
        play.steps.truncate(to);
        play.epoch += 1;
        play.chosen.fill(None);
        play.thinking.fill(false);
        play.hint = None;
        play.hinting = false;
        play.resigned = None;
        play.trouble = None;
        play.searched.retain(|kept| kept.ply <= to);
        play.seen = play.line.look(usize::MAX);
        play.over = play.seen.over;
        play.step_began = Instant::now();
        drop(play);
        self.settle(app);
        Ok(())
    }

    /// A person gives up.
    pub fn resign(&self, role: usize) -> Answer<()> {
        let mut play = self.play();
        self.check_person(&play, role)?;
        play.over = Some("resigned");
        play.resigned = Some(role);
        // The rules say nothing about resigning: it counts as a loss, and as a win for all others.
        if play.chosen.len() > 1 {
            let goal = |each: usize| if each == role { 0.0 } else { 100.0 };
            play.seen.goals = (0..play.chosen.len()).map(goal).collect();
        }
        play.epoch += 1;
        play.thinking.fill(false);
        self.publish(&mut play);
        Ok(())
    }

    /// Somebody thinks about what a person could play.
    pub fn hint(self: &Arc<Match>, app: &Arc<App>, role: usize) -> Answer<()> {
        let mut play = self.play();
        self.check_person(&play, role)?;
        if play.hinting {
            return Ok(());
        }
        let agent = self.room.agent(self.room.default_agent())?;
        let mut order = self.order(&play, app, &agent, role, HINT);
        if self.room.is_video() {
            // One tick's move is of no use to a person: the next few are, and time to read them.
            order.ahead = HINT_TICKS;
            play.paused = true;
        }
        self.start_search(&play, app, order, move |found, _, result| {
            let mut play = found.play();
            let ply = play.line.plies();
            play.hinting = false;
            match result {
                Ok(Thought { mov, after, .. }) => play.hint = Some(Hint { ply, role, mov, after }),
                Err(trouble) => play.trouble = Some(trouble),
            }
            found.publish(&mut play);
        })?;
        play.hinting = true;
        self.publish(&mut play);
        Ok(())
    }

    /// Stops or goes on with a match that nobody plays in, or a video game.
    pub fn pause(&self, paused: bool) {
        let mut play = self.play();
        play.paused = paused;
        self.publish(&mut play);
    }

    /// The end of the line after a move of a person, where nobody else has a choice.
    pub fn preview(&self, role: usize, mov: &str) -> Answer<crate::drawing::Drawing> {
        let play = self.play();
        self.check_person(&play, role)?;
        let joint: Option<Vec<String>> = (0..play.chosen.len())
            .map(|each| match play.seen.legal[each].as_slice() {
                _ if each == role => Some(mov.to_owned()),
                [only] => Some(only.clone()),
                _ => None,
            })
            .collect();
        let joint = joint.ok_or_else(|| {
            Refusal::conflict("what others play is not known yet", "choose without a preview")
        })?;
        play.line.preview(&joint).map_err(|error| Refusal::conflict(error, "choose another move"))
    }

    /// A node of the last searched tree, or of the one of this step.
    pub fn tree(&self, ply: Option<usize>, role: Option<usize>, node: usize) -> Answer<TreeView> {
        let play = self.play();
        let fits = |kept: &&Searched| {
            ply.is_none_or(|ply| kept.ply == ply) && role.is_none_or(|role| kept.role == role)
        };
        let kept = play.searched.iter().rev().find(fits).ok_or_else(|| {
            Refusal::missing(
                "no tree of this position is kept",
                "the trees of the last searches are; ask for a hint to search here",
            )
        })?;
        play.line
            .tree(kept.ply, &kept.nodes, node)
            .ok_or_else(|| Refusal::missing("the tree has no such node", "begin at its root"))
    }
}
