//! The thread that searches: it thinks about one position at a time, under a clock, and says every few
//! milliseconds what it would play.
//!
//! Between two requests it goes on with the position at hand, if it may [Finnsson 2012, 3.3]. One that does not come back from a simulation in time is left alone: dropping the
//! handle stops it at its next question about the rules.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvError, Sender, TryRecvError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use gamegrove_agents::Agent;
use gamegrove_game::{Move, Role};
use gamegrove_play::matches::SearchRecord;
use gamegrove_play::{Board, Budget, Hooks, Player, State, StopFlag};

use super::slot::{Slot, Ticket};

/// A position to think about.
#[derive(Debug)]
pub(super) struct Task {
    /// The number of this task; the thread names it when it is done.
    pub(super) number: u64,
    /// The request for which moves are published.
    pub(super) ticket: Ticket,
    pub(super) state: State,
    /// The moves that may be played: nothing else is published.
    pub(super) legal: Arc<Vec<Move>>,
    /// The joint move that led here from the task before.
    pub(super) joint: Option<Vec<Move>>,
    /// Whether this is the start clock.
    pub(super) is_start: bool,
    /// When to stop.
    pub(super) deadline: Instant,
    /// Until when to go on with the position after that, unless another task comes.
    pub(super) ponder_until: Instant,
}

/// What a thread that searches needs besides the game.
#[derive(Clone)]
pub(super) struct Brief {
    pub(super) agent: Agent,
    pub(super) role: Role,
    pub(super) seed: u64,
    pub(super) slot: Arc<Slot>,
    /// Whether to note in the slot what searches found.
    pub(super) reports: bool,
    /// Called with the number of a task that is done.
    pub(super) done: Arc<dyn Fn(u64) + Send + Sync>,
}

/// A thread that searches with one reasoner.
pub(super) struct Seeker {
    /// The reasoner it searches with.
    board: Arc<dyn Board>,
    tasks: Sender<Task>,
    cancel: StopFlag,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Seeker {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

impl Seeker {
    /// Starts a thread that searches with a reasoner; `None` if the system has no thread to give.
    pub(super) fn start(board: &Arc<dyn Board>, brief: Brief) -> Option<Seeker> {
        let (tasks, receiver) = channel();
        let cancel = StopFlag::default();
        let (flag, own) = (Arc::clone(&cancel), board.stoppable(&cancel));
        let body = move || {
            // An agent that this game cannot serve searches nothing: its moves are random ones.
            let player = own.player(&brief.agent, brief.role, brief.seed, &Hooks::default()).ok();
            Thinking { board: own, player, brief, cancel: flag, tasks: receiver }.run();
        };
        let thread = std::thread::Builder::new().name("seeker".to_owned()).spawn(body).ok()?;
        Some(Seeker { board: Arc::clone(board), tasks, cancel, thread: Some(thread) })
    }

    /// Whether it searches with this reasoner.
    pub(super) fn has(&self, board: &Arc<dyn Board>) -> bool {
        Arc::ptr_eq(&self.board, board)
    }

    /// Gives the thread another task; `false` if it is gone.
    pub(super) fn think(&self, task: Task) -> bool {
        self.tasks.send(task).is_ok()
    }

    /// Stops the thread; the handle is for waiting.
    pub(super) fn stop(mut self) -> Option<JoinHandle<()>> {
        self.thread.take()
    }
}

struct Thinking {
    board: Arc<dyn Board>,
    player: Option<Box<dyn Player>>,
    brief: Brief,
    cancel: StopFlag,
    tasks: Receiver<Task>,
}

/// How long a search goes on before it is asked for its favourite; also how soon it notices the next
/// request while it ponders.
const LEAST_SLICE: Duration = Duration::from_millis(5);
const MOST_SLICE: Duration = Duration::from_millis(50);

impl Thinking {
    fn run(mut self) {
        let mut waiting = None;
        while let Ok(task) = waiting.take().map_or_else(|| self.tasks.recv(), Ok) {
            let start = Instant::now();
            let more = self.think(&task);
            if self.is_cancelled() {
                return;
            }
            if self.brief.reports {
                self.note(&task, start.elapsed());
            }
            (self.brief.done)(task.number);
            if more {
                match self.ponder(&task) {
                    Ok(next) => waiting = next,
                    Err(RecvError) => return,
                }
            }
        }
    }

    /// Thinks until the deadline; whether there is more to find out.
    fn think(&mut self, task: &Task) -> bool {
        if let (Some(joint), Some(player)) = (&task.joint, &mut self.player) {
            player.played(joint);
        }
        let now = Instant::now();
        let slice =
            (task.deadline.saturating_duration_since(now) / 20).clamp(LEAST_SLICE, MOST_SLICE);
        let cancel = Arc::clone(&self.cancel);
        let budget = |deadline: Instant| {
            let slice = Budget::until(deadline.min(Instant::now() + slice));
            slice.of_clock_until(deadline).with_stop(&cancel)
        };
        let Some(player) = &mut self.player else { return false };
        let first = if task.is_start {
            player.prepare(&task.state, &budget(task.deadline));
            player.favourite()
        } else {
            player.choose(&task.state, &budget(task.deadline))
        };
        self.publish(task, first);
        while Instant::now() < task.deadline && !self.is_cancelled() {
            let Some(player) = &mut self.player else { return false };
            let more = player.ponder(&budget(task.deadline));
            let favourite = player.favourite();
            self.publish(task, favourite);
            if !more {
                return false;
            }
        }
        true
    }

    /// Goes on with the position of a task that is done until the next one comes, which it returns.
    fn ponder(&mut self, task: &Task) -> Result<Option<Task>, RecvError> {
        while Instant::now() < task.ponder_until {
            match self.tasks.try_recv() {
                Ok(next) => return Ok(Some(next)),
                Err(TryRecvError::Disconnected) => return Err(RecvError),
                Err(TryRecvError::Empty) => {}
            }
            let Some(player) = &mut self.player else { break };
            let budget = Budget::until(Instant::now() + LEAST_SLICE).with_stop(&self.cancel);
            if !player.ponder(&budget) || self.is_cancelled() {
                break;
            }
        }
        Ok(None)
    }

    fn publish(&self, task: &Task, favourite: Option<Move>) {
        // A search that was stopped half-way has seen ends of play that are none.
        if self.is_cancelled() {
            return;
        }
        if let Some(mov) = favourite.filter(|mov| task.legal.contains(mov)) {
            self.brief.slot.publish(task.ticket, self.board.move_name(self.brief.role, mov));
        }
    }

    /// Notes what the search for a task found.
    fn note(&mut self, task: &Task, taken: Duration) {
        let Some(player) = &mut self.player else { return };
        if let Some((mov, report)) = player.favourite().zip(player.report()) {
            let found = SearchRecord::new(&report, mov, taken.as_secs_f64());
            self.brief.slot.note(task.ticket, found);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}
