//! Plays what is left of an experiment, on as many threads as wished.
//!
//! Every game is played by one thread from beginning to end, so with no more threads than cores
//! clocks mean what they say. Threads claim games in the store, so any number of processes may do
//! the same at once; who finds everything claimed waits, in case another process dies.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use gamegrove_agents::Agent;
use thiserror::Error;

use crate::agenda::Agenda;
use crate::plan::Plan;
use crate::status::Status;
use crate::store::{Session, Store, StoreError};
use crate::venue::{Row, Venue};

/// Why a run stopped early.
#[derive(Debug, Error)]
pub enum RunError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A game cannot be played.
    #[error("{what}: {problem}")]
    Game {
        /// The cell.
        what: String,
        /// Why.
        problem: String,
    },
}

/// What a run did.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// Games played by this run.
    pub played: u64,
    /// How far the experiment is now.
    pub status: Status,
}

/// How often the caller hears how far it is.
const BEAT: Duration = Duration::from_millis(200);
/// How often the store is asked what other processes did.
const LOOK_AROUND: Duration = Duration::from_secs(2);
/// How long a thread without work waits before it looks again.
const NAP: Duration = Duration::from_millis(100);

/// Plays the games of the agenda that are not in the store, `session.threads` at a time.
///
/// `watch` runs on the caller's thread a few times a second. When it breaks, no further game is
/// started; those under way are finished and kept.
pub fn run(
    plan: &Plan,
    store: &mut Store,
    venue: &dyn Venue,
    session: &Session,
    agenda: Agenda,
    mut watch: impl FnMut(&Status) -> ControlFlow<()>,
) -> Result<Done, RunError> {
    store.work(session)?;
    let playing = session.threads.max(1) as u64;
    let mut status = Status::of(Status::read(plan, store)?.cells, playing);
    let hall = Hall {
        plan,
        desk: Mutex::new(Desk {
            store,
            agenda,
            queue: VecDeque::new(),
            looked: false,
            contradictions: 0,
        }),
        venue,
        admitted: (0..plan.games.len()).map(|_| OnceLock::new()).collect(),
        stop: AtomicBool::new(false),
    };
    let (sender, receiver) = mpsc::channel();
    let mut played = 0;
    let mut failure = None;
    std::thread::scope(|scope| {
        for _ in 0..session.threads.max(1) {
            let (hall, sender) = (&hall, sender.clone());
            scope.spawn(move || hall.work(&sender));
        }
        drop(sender);
        let mut looked = Instant::now();
        loop {
            match receiver.recv_timeout(BEAT) {
                Ok(Ok(cell)) => {
                    let (cell, seconds): (usize, f64) = cell;
                    played += 1;
                    let mut cells = std::mem::take(&mut status.cells);
                    cells[cell].done = (cells[cell].done + 1).min(cells[cell].runs);
                    cells[cell].seconds += seconds;
                    status = Status::of(cells, status.playing.max(1));
                }
                Ok(Err(error)) => {
                    hall.stop.store(true, Ordering::Relaxed);
                    failure.get_or_insert(error);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if looked.elapsed() >= LOOK_AROUND {
                match Status::read(plan, hall.desk().store) {
                    Ok(read) => status = read,
                    Err(error) => {
                        hall.stop.store(true, Ordering::Relaxed);
                        failure.get_or_insert(error.into());
                    }
                }
                looked = Instant::now();
            }
            if watch(&status).is_break() {
                hall.stop.store(true, Ordering::Relaxed);
            }
        }
    });
    if let Some(error) = failure {
        return Err(error);
    }
    store.rest()?;
    Ok(Done { played, status: Status::read(plan, store)? })
}

type News = Sender<Result<(usize, f64), RunError>>;

/// What the threads share.
struct Hall<'a> {
    plan: &'a Plan,
    desk: Mutex<Desk<'a>>,
    venue: &'a dyn Venue,
    /// Whether the agents of each game can play it, once that was tried.
    admitted: Vec<OnceLock<Result<(), String>>>,
    stop: AtomicBool,
}

/// Where threads get their games.
struct Desk<'a> {
    store: &'a mut Store,
    agenda: Agenda,
    /// Games that may be free.
    queue: VecDeque<(usize, u32)>,
    /// Whether the queue was filled before.
    looked: bool,
    /// How often in a row a game that nobody has could not be claimed.
    contradictions: u32,
}

/// After more contradictions in a row the store is damaged.
const MOST_CONTRADICTIONS: u32 = 20;

/// What a thread gets.
enum Next {
    Game(usize, u32),
    /// All that is left is played by others.
    Wait,
    Over,
}

impl<'a> Hall<'a> {
    fn desk(&self) -> MutexGuard<'_, Desk<'a>> {
        // A poisoned desk is as good as ever: its state is the store's, which is always sound.
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does all day.
    fn work(&self, news: &News) {
        while !self.stop.load(Ordering::Relaxed) {
            let next = self.desk().next(self.plan);
            let told = match next {
                Ok(Next::Game(cell, run)) => {
                    let played = self.play(cell, run);
                    news.send(played.map(|seconds| (cell, seconds)))
                }
                Ok(Next::Wait) => {
                    std::thread::sleep(NAP);
                    Ok(())
                }
                Ok(Next::Over) => return,
                Err(error) => news.send(Err(error.into())),
            };
            if told.is_err() {
                return;
            }
        }
    }

    fn play(&self, cell: usize, run: u32) -> Result<f64, RunError> {
        let problem = |problem: String| RunError::Game { what: self.plan.cell_name(cell), problem };
        let game = self.plan.cells[cell].game;
        let reasoner = self.plan.spec.reasoner.get_ref();
        let admitted = self.admitted[game].get_or_init(|| {
            let cells = self.plan.cells.iter().filter(|cell| cell.game == game);
            let agents = cells.flat_map(|cell| &self.plan.matchups[cell.matchup].agents);
            let agents: Vec<&Agent> = agents.map(|&agent| &self.plan.agents[agent]).collect();
            self.venue.admit(&self.plan.games[game].name, reasoner, &agents)
        });
        admitted.clone().map_err(problem)?;
        let played = self.venue.play(reasoner, &self.plan.bout(cell, run)).map_err(problem)?;
        let seconds = played.cost.seconds;
        let row = Row {
            cell: self.plan.cells[cell].id.clone(),
            run,
            outcome: played.outcome,
            cost: played.cost,
            finished: now(),
        };
        self.desk().store.finish(&row)?;
        Ok(seconds)
    }
}

impl Desk<'_> {
    fn next(&mut self, plan: &Plan) -> Result<Next, StoreError> {
        if let Some(game) = self.claim(plan)? {
            return Ok(game);
        }
        // Everything seems taken: look what is left, and whether somebody died over it.
        self.store.drop_dead_claims()?;
        let left = self.agenda.next(plan, self.store)?;
        if left.is_empty() {
            return Ok(Next::Over);
        }
        let first = left.front().copied();
        self.queue = left;
        if let Some(game) = self.claim(plan)? {
            self.contradictions = 0;
            return Ok(game);
        }
        // Somebody may finish the game or claim it between two looks; that does not go on for long.
        let taken = first.map(|(cell, run)| self.store.is_taken(&plan.cells[cell].id, run));
        self.contradictions =
            if taken.transpose()?.unwrap_or(true) { 0 } else { self.contradictions + 1 };
        if self.contradictions > MOST_CONTRADICTIONS {
            return Err(self.store.damaged("a game is neither finished nor claimed, nor free"));
        }
        Ok(Next::Wait)
    }

    fn claim(&mut self, plan: &Plan) -> Result<Option<Next>, StoreError> {
        if !std::mem::replace(&mut self.looked, true) {
            self.queue = self.agenda.next(plan, self.store)?;
        }
        while let Some((cell, run)) = self.queue.pop_front() {
            if self.store.claim(&plan.cells[cell].id, run)? {
                return Ok(Some(Next::Game(cell, run)));
            }
        }
        Ok(None)
    }
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
