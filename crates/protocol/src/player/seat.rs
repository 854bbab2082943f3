//! A seat at the table: hears messages, one match at a time, and answers each before its clock is over.
//!
//! The thread that receives requests never searches. It waits for an answer until the reply's deadline
//! and then sends the best move there is (see [`Slot`]).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use gamegrove_game::Rng;
use gamegrove_play::matches::SearchRecord;
use tokio::sync::oneshot;
use tokio::time::timeout_at;

use super::SeatConfig;
use super::keeper::{Beginning, Event, Play, Ties, keep};
use super::slot::{Slot, Ticket};
use crate::message::Message;
use crate::wording::spaced;

/// An answer to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Whether the message could be understood and followed.
    pub is_ok: bool,
    /// What to send back.
    pub text: String,
}

impl Reply {
    fn ok(text: impl Into<String>) -> Reply {
        Reply { is_ok: true, text: text.into() }
    }

    fn refused(text: impl Into<String>) -> Reply {
        Reply { is_ok: false, text: text.into() }
    }
}

/// A player of one match after another.
#[derive(Debug)]
pub struct Seat {
    config: Arc<SeatConfig>,
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    current: Option<Arc<Match>>,
    /// Matches that are over, until their threads have ended.
    leaving: Vec<JoinHandle<()>>,
    started: u64,
}

/// A match as the threads that answer see it.
#[derive(Debug)]
struct Match {
    id: String,
    play_clock: Duration,
    inbox: Sender<Event>,
    stop: Arc<AtomicBool>,
    slot: Arc<Slot>,
    tickets: AtomicU64,
    /// When the next message is overdue.
    overdue: Mutex<Instant>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// Matches that may still be busy ending when the next one starts.
const MOST_LEAVING: usize = 4;
/// How long a start waits for room at least, whatever its clock says.
const LEAST_WAIT: Duration = Duration::from_secs(2);
/// Messages longer than this are read in a thread of their own.
const LONG_MESSAGE: usize = 1 << 15;

impl Seat {
    /// A free seat.
    pub fn new(config: SeatConfig) -> Seat {
        Seat { config: Arc::new(config), table: Mutex::default() }
    }

    /// Answers a message that arrived at `arrived`. Must be called within a tokio runtime.
    pub async fn answer(&self, arrived: Instant, body: Vec<u8>) -> Reply {
        let message = if body.len() > LONG_MESSAGE {
            match tokio::task::spawn_blocking(move || Message::read(&body)).await {
                Ok(message) => message,
                Err(_) => return Reply::refused("the message could not be read"),
            }
        } else {
            Message::read(&body)
        };
        self.give_up_abandoned();
        match message {
            Err(error) => Reply::refused(error.to_string()),
            Ok(Message::Info) => {
                let status = if self.is_taken() { "busy" } else { "available" };
                Reply::ok(format!("( ( name {} ) ( status {status} ) )", self.config.name))
            }
            Ok(Message::Preview { .. }) => {
                Reply::ok(if self.is_taken() { "busy" } else { "ready" })
            }
            Ok(Message::Start { id, role, rules, start_clock, play_clock }) => {
                let start = Start { id, role, rules, start_clock, play_clock };
                self.start(arrived, start).await
            }
            Ok(Message::Play { id, joint }) => match self.of(&id) {
                Some(known) => self.play(arrived, &known, joint).await,
                None => Reply::ok("busy"),
            },
            Ok(Message::Stop { id, .. }) => self.end(&id, "done"),
            Ok(Message::Abort { id }) => self.end(&id, "aborted"),
        }
    }

    /// What the search before the last move found, if the seat [keeps](SeatConfig::reports) that.
    pub fn last_search(&self) -> Option<SearchRecord> {
        let current = self.current()?;
        current.slot.found(current.tickets.load(Ordering::Relaxed))
    }

    /// Ends a match whose manager has not been heard of for too long.
    pub fn give_up_abandoned(&self) {
        let mut table = self.table();
        if table.current.as_ref().is_some_and(|current| current.is_abandoned()) {
            table.clear();
        }
    }

    /// Whether no match is played and all work for earlier ones has ended.
    pub fn is_idle(&self) -> bool {
        let mut table = self.table();
        table.leaving.retain(|thread| !thread.is_finished());
        table.current.is_none() && table.leaving.is_empty()
    }

    async fn start(&self, arrived: Instant, start: Start) -> Reply {
        let deadlines =
            self.config.margin.deadlines(arrived, start.start_clock, self.config.longest_think);
        let (id, clocks) = (start.id.clone(), (start.start_clock, start.play_clock));
        let (ready, heard) = oneshot::channel();
        let beginning = Beginning {
            rules: start.rules,
            role: start.role,
            play_clock: start.play_clock,
            think: deadlines.think,
            ready,
        };
        self.wait_for_room(deadlines.reply.max(arrived + LEAST_WAIT)).await;
        let begun = match self.begin(&id, clocks, beginning) {
            Ok(begun) => begun,
            Err(reply) => return reply,
        };
        match timeout_at(deadlines.reply.into(), heard).await {
            Ok(Ok(Err(why))) => {
                self.leave(&begun);
                Reply::refused(why)
            }
            Ok(Err(_)) if !begun.stop.load(Ordering::Relaxed) => {
                self.leave(&begun);
                Reply::refused("the rules could not be worked out")
            }
            // Ready, or as ready as one gets within the start clock.
            _ => Reply::ok("ready"),
        }
    }

    /// Waits while too many matches are busy ending: a late start is better than none.
    async fn wait_for_room(&self, until: Instant) {
        while self.is_crowded() && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Whether a match that started now would be refused.
    fn is_taken(&self) -> bool {
        self.current().is_some() || self.is_crowded()
    }

    fn is_crowded(&self) -> bool {
        let mut table = self.table();
        table.leaving.retain(|thread| !thread.is_finished());
        table.leaving.len() >= MOST_LEAVING
    }

    /// Takes the seat for a match, unless it is taken.
    fn begin(
        &self,
        id: &str,
        (start_clock, play_clock): (Duration, Duration),
        beginning: Beginning,
    ) -> Result<Arc<Match>, Reply> {
        let mut table = self.table();
        match &table.current {
            // The same message again: the connection may have been lost.
            Some(known) if known.is(id) && !known.has_begun() => return Err(Reply::ok("ready")),
            // A manager that starts its match over means it.
            Some(known) if known.is(id) => table.clear(),
            Some(_) => return Err(Reply::ok("busy")),
            None => {}
        }
        table.leaving.retain(|thread| !thread.is_finished());
        if table.leaving.len() >= MOST_LEAVING {
            return Err(Reply::ok("busy"));
        }
        table.started += 1;
        let (inbox, events) = channel();
        let (slot, stop) = (Arc::<Slot>::default(), Arc::<AtomicBool>::default());
        let ties = Ties {
            config: Arc::clone(&self.config),
            seed: Rng::stream(self.config.seed, table.started).next_u64(),
            slot: Arc::clone(&slot),
            stop: Arc::clone(&stop),
            inbox: inbox.clone(),
        };
        let thread = std::thread::Builder::new()
            .name("keeper".to_owned())
            .spawn(move || keep(beginning, ties, events))
            .map_err(|_| Reply::ok("busy"))?;
        let begun = Arc::new(Match {
            id: id.to_owned(),
            play_clock,
            inbox,
            stop,
            slot,
            tickets: AtomicU64::new(0),
            overdue: Mutex::new(Instant::now()),
            thread: Mutex::new(Some(thread)),
        });
        let longest = start_clock.min(self.config.longest_think);
        begun.expect_message(longest + self.config.patience(play_clock));
        table.current = Some(Arc::clone(&begun));
        Ok(begun)
    }

    async fn play(
        &self,
        arrived: Instant,
        known: &Arc<Match>,
        joint: Option<Vec<String>>,
    ) -> Reply {
        let clock = known.play_clock;
        let deadlines = self.config.margin.deadlines(arrived, clock, self.config.longest_think);
        let longest = clock.min(self.config.longest_think);
        known.expect_message(longest + self.config.patience(clock));
        let ticket: Ticket = known.tickets.fetch_add(1, Ordering::Relaxed) + 1;
        let (reply, heard) = oneshot::channel();
        let play = Play { ticket, joint, think: deadlines.think, reply };
        // If the keeper is gone, the request is dropped, and the wait below ends at once.
        let _ = known.inbox.send(Event::Play(play));
        let text = match timeout_at(deadlines.reply.into(), heard).await {
            Ok(Ok(text)) => text,
            _ => {
                let text = known.slot.answer(ticket).unwrap_or_else(|| "nil".to_owned());
                let _ = known.inbox.send(Event::Answered(ticket, text.clone()));
                text
            }
        };
        Reply::ok(spaced(&text))
    }

    fn end(&self, id: &str, word: &str) -> Reply {
        match self.of(id) {
            Some(known) => {
                self.leave(&known);
                Reply::ok(word)
            }
            None => Reply::ok("busy"),
        }
    }

    /// Leaves a match, if it is still the current one.
    fn leave(&self, left: &Arc<Match>) {
        let mut table = self.table();
        if table.current.as_ref().is_some_and(|current| Arc::ptr_eq(current, left)) {
            table.clear();
        }
    }

    fn current(&self) -> Option<Arc<Match>> {
        self.table().current.clone()
    }

    fn of(&self, id: &str) -> Option<Arc<Match>> {
        self.current().filter(|current| current.is(id))
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Every change is complete before anything that could panic.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.table().clear();
    }
}

impl Table {
    /// Ends the current match; its threads end by themselves.
    fn clear(&mut self) {
        if let Some(current) = self.current.take() {
            current.stop.store(true, Ordering::Relaxed);
            let _ = current.inbox.send(Event::End);
            let mut thread = current.thread.lock().unwrap_or_else(PoisonError::into_inner);
            self.leaving.extend(thread.take());
        }
    }
}

impl Match {
    fn is(&self, id: &str) -> bool {
        self.id.eq_ignore_ascii_case(id)
    }

    /// Whether a move has been asked for.
    fn has_begun(&self) -> bool {
        self.tickets.load(Ordering::Relaxed) > 0
    }

    fn expect_message(&self, within: Duration) {
        *self.overdue.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + within;
    }

    fn is_abandoned(&self) -> bool {
        Instant::now() > *self.overdue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What START says.
struct Start {
    id: String,
    role: String,
    rules: String,
    start_clock: Duration,
    play_clock: Duration,
}
