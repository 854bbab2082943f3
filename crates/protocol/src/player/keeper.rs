//! The thread that keeps a match: it follows the moves, has a legal move at once and lets a search look
//! for a better one.
//!
//! It never searches itself, so that it can take the next message at any time. What takes long happens in
//! other threads: reasoners are set up by [`improve`], searches run in a [`Seeker`]. If one of its own
//! questions takes too long, the thread that answers the request takes what the [`Slot`] holds.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use gamegrove_game::{Move, Rng, Role};
use gamegrove_gdl::{Diagnostic, Rulesheet};
use gamegrove_play::Board;
use gamegrove_play::library::Kind;
use gamegrove_play::load::Source;
use tokio::sync::oneshot;

use super::SeatConfig;
use super::position::{Position, Rules, improve};
use super::seeker::{Brief, Seeker, Task};
use super::slot::{Slot, Ticket};
use crate::wording::Spelling;

/// What a keeper hears.
pub(super) enum Event {
    /// A move is wanted.
    Play(Play),
    /// The thread of the request has answered it: time was up.
    Answered(Ticket, String),
    /// A better reasoner is ready.
    Reasoner(Arc<dyn Board>),
    /// No better reasoner will come.
    SetUp,
    /// A search is done with its task.
    Done(u64),
    /// The match is over.
    End,
}

/// A request for a move.
pub(super) struct Play {
    pub(super) ticket: Ticket,
    /// The joint move of the last step.
    pub(super) joint: Option<Vec<String>>,
    /// When to stop thinking.
    pub(super) think: Instant,
    pub(super) reply: oneshot::Sender<String>,
}

/// How a match begins.
pub(super) struct Beginning {
    pub(super) rules: String,
    pub(super) role: String,
    pub(super) play_clock: Duration,
    /// When the start clock is over.
    pub(super) think: Instant,
    /// Hears when the player is ready, or why it cannot play.
    pub(super) ready: oneshot::Sender<Result<(), String>>,
}

/// Shared by all threads of a match within this process.
#[derive(Clone)]
pub(super) struct Ties {
    pub(super) config: Arc<SeatConfig>,
    pub(super) seed: u64,
    pub(super) slot: Arc<Slot>,
    /// Set when the match is over.
    pub(super) stop: Arc<AtomicBool>,
    pub(super) inbox: Sender<Event>,
}

/// Keeps a match until its end.
pub(super) fn keep(beginning: Beginning, ties: Ties, events: Receiver<Event>) {
    let Beginning { rules, role, play_clock, think, ready } = beginning;
    let spelling = Spelling::of(&rules);
    let (rules, position, role) = match begin(rules, &role, &ties.stop) {
        Ok(begun) => begun,
        Err(why) => {
            let _ = ready.send(Err(why));
            return;
        }
    };
    let building = Arc::new(AtomicBool::new(false));
    let builder = build(rules, &building, &ties);
    let mut keeper = Keeper {
        rng: Rng::stream(ties.seed, 1),
        events,
        position,
        role,
        play_clock,
        spelling,
        seeker: None,
        legal: None,
        last_joint: None,
        last_answer: None,
        pending: None,
        starting: Some((think, ready)),
        task: 0,
        done: 0,
        task_deadline: Instant::now(),
        is_set_up: builder.is_none(),
        better: None,
        building,
        left_behind: builder.into_iter().collect(),
        ties,
    };
    keeper.look(0);
    keeper.run();
    keeper.end();
}

/// The rules with a first prover, and the role.
fn begin(
    text: String,
    role: &str,
    stop: &Arc<AtomicBool>,
) -> Result<(Rules, Position, Role), String> {
    let sheet = Rulesheet::load(text.as_bytes()).map_err(|found| {
        let first = found.iter().find(|finding| finding.is_error());
        let first = first.map_or("", |finding: &Diagnostic| &finding.message);
        format!("the rules have errors: {first}")
    })?;
    let source = Source::pasted("match", text, Vec::new(), Some(Kind::Gdl))
        .map_err(|problem| problem.to_string())?;
    let rules = Rules { source, sheet: Arc::new(sheet) };
    let position = Position::start(&rules, stop).map_err(|error| error.to_string())?;
    let role = position.role(role).ok_or_else(|| format!("the rules have no role {role}"))?;
    Ok((rules, position, role))
}

/// Sets better reasoners up in a thread of its own.
fn build(rules: Rules, building: &Arc<AtomicBool>, ties: &Ties) -> Option<JoinHandle<()>> {
    let memory = ties.config.network_memory;
    let lanes = ties.config.agent.suits_lanes();
    let (inbox, stop, building) =
        (ties.inbox.clone(), Arc::clone(&ties.stop), Arc::clone(building));
    let body = move || {
        // The match may be over: then nothing receives what is sent.
        let mut hand_over = |board| {
            let _ = inbox.send(Event::Reasoner(board));
        };
        improve(&rules, memory, lanes, (&stop, &building), &mut hand_over);
        let _ = inbox.send(Event::SetUp);
    };
    std::thread::Builder::new().name("reasoner".to_owned()).spawn(body).ok()
}

/// A request that is being thought about.
struct Pending {
    ticket: Ticket,
    think: Instant,
    /// Requests that wait for the answer: more than one if a request came again.
    replies: Vec<oneshot::Sender<String>>,
}

struct Keeper {
    ties: Ties,
    events: Receiver<Event>,
    rng: Rng,
    position: Position,
    role: Role,
    play_clock: Duration,
    spelling: Spelling,
    seeker: Option<Seeker>,
    /// The moves of the position, if they are known.
    legal: Option<Vec<Move>>,
    last_joint: Option<Vec<String>>,
    /// What was answered in this position.
    last_answer: Option<String>,
    pending: Option<Pending>,
    /// The end of the start clock, and the request that waits for "ready".
    starting: Option<(Instant, oneshot::Sender<Result<(), String>>)>,
    /// The last task given to a search, and the last one done.
    task: u64,
    done: u64,
    /// When the last task was to be done.
    task_deadline: Instant,
    /// Whether no better reasoner will come.
    is_set_up: bool,
    /// A better reasoner that has come and is not used yet.
    better: Option<Arc<dyn Board>>,
    /// Ends the set-up of better reasoners.
    building: Arc<AtomicBool>,
    /// Threads that were told to end.
    left_behind: Vec<JoinHandle<()>>,
}

/// How often to look whether the network has arrived.
const GLANCE: Duration = Duration::from_millis(20);
/// How long after its deadline a search is given up.
const STUCK: Duration = Duration::from_millis(60);
/// A search that has less time than this left is not started anew with a better reasoner.
const TOO_LATE_TO_CHANGE: Duration = Duration::from_millis(50);

impl Keeper {
    fn run(&mut self) {
        loop {
            let busy = self.pending.is_some() || self.starting.is_some();
            let event = if busy && self.may_improve() {
                self.events.recv_timeout(GLANCE)
            } else {
                self.events.recv().map_err(|_| RecvTimeoutError::Disconnected)
            };
            match event {
                Ok(Event::Play(play)) => self.play(play),
                Ok(Event::Answered(ticket, text)) => self.was_answered(ticket, text),
                Ok(Event::Reasoner(board)) => self.meet(board),
                Ok(Event::SetUp) => {
                    self.is_set_up = true;
                    self.restart();
                    self.glance();
                }
                Ok(Event::Done(task)) => self.finished(task),
                Err(RecvTimeoutError::Timeout) => self.glance(),
                Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.ties.stop.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    /// Ends all work and waits for its threads.
    fn end(mut self) {
        self.ties.stop.store(true, Ordering::Relaxed);
        self.building.store(true, Ordering::Relaxed);
        self.dismiss();
        drop(self.position);
        // A reasoner that was sent too late would be kept alive by the channel.
        drop(self.events);
        for thread in self.left_behind {
            let _ = thread.join();
        }
    }

    fn play(&mut self, play: Play) {
        self.finish_start();
        let Play { ticket, joint, think, reply } = play;
        if self.is_again(joint.as_deref()) {
            match (&mut self.pending, &self.last_answer) {
                (Some(pending), _) => {
                    // Moves are published for the newer request from now on.
                    pending.replies.push(reply);
                    return;
                }
                (None, Some(answer)) => {
                    let _ = reply.send(answer.clone());
                    return;
                }
                (None, None) => {}
            }
        }
        // A request that still waits for an earlier answer gets the best move so far.
        self.answer();
        let mut moves = None;
        if let Some(joint) = joint {
            match self.position.advance(&joint) {
                Some(made) => moves = Some(made),
                // The position does not change. The search must not take the next move for this one.
                None => self.dismiss(),
            }
            self.last_joint = Some(joint);
            self.legal = None;
        }
        self.last_answer = None;
        self.pending = Some(Pending { ticket, think, replies: vec![reply] });
        self.look(ticket);
        let choices = self.legal.as_ref().map_or(0, Vec::len);
        if choices == 0 || Instant::now() >= think {
            self.dismiss();
            self.answer();
            return;
        }
        if self.adopt() {
            moves = None;
        }
        if choices == 1 {
            // Nothing to choose: the answer leaves, the thinking goes on in the others' time.
            self.answer();
            self.think(ticket, moves, false, Instant::now());
        } else {
            self.think(ticket, moves, false, think);
        }
    }

    /// Whether a request is the last one once more: the connection may have been lost. Moves that are
    /// legal here again are taken for the next step unless the last request is still open.
    fn is_again(&mut self, joint: Option<&[String]>) -> bool {
        let same = joint == self.last_joint.as_deref();
        if !same || (self.pending.is_none() && self.last_answer.is_none()) {
            return false;
        }
        match joint {
            None => true,
            Some(_) if self.pending.is_some() => true,
            Some(joint) => {
                let (position, role) = (&mut self.position, self.role);
                let legal = self.legal.get_or_insert_with(|| position.legal(role));
                let name = joint.get(role.index());
                let mov = name.and_then(|name| position.board().find_move(role, name));
                !mov.is_some_and(|mov| legal.contains(&mov))
            }
        }
    }

    /// Finds the legal moves of the position and publishes any of them: first one that is found soon, for
    /// finding all may take longer than the clock.
    fn look(&mut self, ticket: Ticket) {
        let (position, role, slot) = (&self.position, self.role, &self.ties.slot);
        if self.legal.is_none()
            && let Some(name) = position.any_move(role)
        {
            slot.publish(ticket, name);
        }
        let legal = self.legal.get_or_insert_with(|| position.legal(role));
        if !legal.is_empty() {
            let at = self.rng.below(legal.len());
            let name = |at: usize| position.board().move_name(role, legal[at % legal.len()]);
            slot.publish(ticket, name(at));
            // The move that is played is less likely to be legal again.
            slot.keep_for_guesses(ticket, name(at + 1));
        }
    }

    /// Starts a search of the position until `deadline`.
    fn think(
        &mut self,
        ticket: Ticket,
        joint: Option<Vec<Move>>,
        is_start: bool,
        deadline: Instant,
    ) {
        // A search that is not done long after its time hangs in a simulation without end.
        let now = Instant::now();
        if self.done < self.task && now > self.task_deadline + STUCK {
            self.dismiss();
        }
        self.task += 1;
        self.task_deadline = deadline;
        let config = &self.ties.config;
        let patience =
            if config.ponder { config.patience(self.play_clock) } else { Duration::ZERO };
        let seeks = self.seeker.as_ref().is_some_and(|seeker| seeker.has(self.position.board()));
        if !seeks {
            self.dismiss();
            self.seeker = Seeker::start(self.position.board(), self.brief());
        }
        let task = Task {
            number: self.task,
            ticket,
            state: self.position.state().clone(),
            legal: Arc::new(self.legal.clone().unwrap_or_default()),
            // A search that is new has not seen the task before.
            joint: joint.filter(|_| seeks),
            is_start,
            deadline,
            ponder_until: deadline + patience,
        };
        let started = self.seeker.as_ref().is_some_and(|seeker| seeker.think(task));
        if !started {
            self.dismiss();
            self.finished(self.task);
        }
    }

    fn brief(&self) -> Brief {
        let inbox = self.ties.inbox.clone();
        Brief {
            agent: self.ties.config.agent.clone(),
            role: self.role,
            seed: Rng::stream(self.ties.seed, 2 + self.task).next_u64(),
            slot: Arc::clone(&self.ties.slot),
            reports: self.ties.config.reports,
            done: Arc::new(move |task| {
                let _ = inbox.send(Event::Done(task));
            }),
        }
    }

    /// Stops the search.
    fn dismiss(&mut self) {
        let thread = self.seeker.take().and_then(Seeker::stop);
        self.left_behind.retain(|thread| !thread.is_finished());
        self.left_behind.extend(thread);
    }

    fn finished(&mut self, task: u64) {
        self.done = self.done.max(task);
        if task == self.task {
            self.finish_start();
            self.answer();
        }
    }

    fn finish_start(&mut self) {
        if let Some((_, ready)) = self.starting.take() {
            let _ = ready.send(Ok(()));
        }
    }

    /// Answers waiting requests with the best move so far.
    fn answer(&mut self) {
        let Some(pending) = self.pending.take() else { return };
        let best = self.ties.slot.answer(pending.ticket);
        let text = best.map_or_else(|| "nil".to_owned(), |best| self.spelling.spell(&best));
        for reply in pending.replies {
            let _ = reply.send(text.clone());
        }
        self.last_answer = Some(text);
    }

    fn was_answered(&mut self, ticket: Ticket, text: String) {
        if self.pending.as_ref().is_some_and(|pending| pending.ticket == ticket) {
            self.pending = None;
            self.last_answer = Some(text);
        }
    }

    /// Whether a better reasoner may still come.
    fn may_improve(&self) -> bool {
        !self.is_set_up
    }

    /// Takes a better reasoner over, now or with the next request: between two requests a search goes on.
    fn meet(&mut self, board: Arc<dyn Board>) {
        self.better = Some(board);
        if self.pending.is_some() || self.starting.is_some() {
            self.adopt();
            self.restart();
        }
    }

    /// Goes on with the better reasoner that has come, if one has and it knows the position.
    fn adopt(&mut self) -> bool {
        let better = self.better.take();
        let adopted = better.is_some_and(|board| self.position.adopt(board, self.role));
        if adopted {
            // Moves have other numbers, and the search knows only the old ones.
            self.dismiss();
            self.legal = Some(self.position.legal(self.role));
        }
        adopted
    }

    /// Looks whether the start clock is over.
    fn glance(&mut self) {
        let over = |think: Instant| Instant::now() >= think;
        let waits = self.ties.config.search_at_start || self.may_improve();
        if !waits || self.starting.as_ref().is_some_and(|(think, _)| over(*think)) {
            self.finish_start();
        }
    }

    /// Starts a search of the position if it is time for one and none runs.
    fn restart(&mut self) {
        if self.seeker.is_some() {
            return;
        }
        let (ticket, deadline, is_start) = match (&self.pending, &self.starting) {
            (Some(pending), _) => (pending.ticket, pending.think, false),
            (None, Some((think, _))) if self.ties.config.search_at_start => (0, *think, true),
            (None, _) => return,
        };
        if deadline.saturating_duration_since(Instant::now()) > TOO_LATE_TO_CHANGE {
            self.think(ticket, None, is_start, deadline);
        } else {
            self.finish_start();
            self.answer();
        }
    }
}
