//! What all requests share.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::runtime::Handle;

use crate::experiments::Experiments;
use crate::gallery::Gallery;
use crate::limits::Limits;
use crate::matches::Registry;
use crate::pool::Pool;
use crate::room::Room;
use crate::rooms::Rooms;
use crate::thinking::Minds;
use crate::visitor::Visitor;

/// What all requests share.
#[derive(Debug)]
pub struct App {
    /// The limits.
    pub limits: Arc<Limits>,
    /// For small pieces of work: looking at a position, making a move.
    pub quick: Pool,
    /// The same for pasted games, whose rules may be hard on purpose.
    pub pasted: Pool,
    /// For searches; for those in what somebody pasted.
    pub search: Pool,
    pub pasted_search: Pool,
    /// For agents of video games, which choose in every tick, whatever searches are running.
    pub realtime: Pool,
    /// For what visitors look at besides matches (drawings of the gallery, experiments), so that no
    /// match waits for it.
    pub browsing: Pool,
    /// What agents remember.
    pub minds: Minds,
    /// The games.
    pub rooms: Rooms,
    /// The list of games and their drawings.
    pub gallery: Gallery,
    /// The matches.
    pub matches: Registry,
    /// The experiments.
    pub experiments: Experiments,
    /// How many clients of each visitor listen to live events.
    pub listeners: Arc<Mutex<HashMap<Visitor, usize>>>,
    /// Where timers run.
    pub runtime: Handle,
}

/// Threads for small pieces of work.
const QUICK_THREADS: usize = 4;
/// Threads for small pieces of work with pasted games.
const PASTED_THREADS: usize = 2;
/// Threads for what people look at besides matches.
const BROWSING_THREADS: usize = 2;
/// Threads that set games up; pasted games have one of their own.
const SETUP_THREADS: usize = 2;

impl App {
    /// Starts the threads. Call it on the runtime that is to have the timers.
    pub fn new(limits: Limits, experiments: &Path) -> io::Result<App> {
        let limits = Arc::new(limits);
        let setup = |threads| Pool::new("games to be set up", threads, limits.setup_queue);
        let setup = (setup(SETUP_THREADS)?, setup(1)?);
        Ok(App {
            quick: Pool::new("their turn", QUICK_THREADS, limits.quick_queue)?,
            pasted: Pool::new("pasted games", PASTED_THREADS, limits.quick_queue)?,
            search: Pool::new("agents to think", limits.search_threads, limits.searches)?,
            pasted_search: Pool::new("agents to think", 1, limits.searches)?,
            realtime: Pool::new("agents to act", limits.search_threads, limits.searches)?,
            browsing: Pool::new("their turn", BROWSING_THREADS, limits.browsing_queue)?,
            minds: Minds::new(limits.minds),
            rooms: Rooms::new(&limits, setup),
            gallery: Gallery::default(),
            matches: Registry::new(&limits),
            experiments: Experiments::new(experiments),
            listeners: Arc::default(),
            runtime: Handle::current(),
            limits,
        })
    }

    /// Where small pieces of work in a game are done.
    pub fn quick_in(&self, room: &Room) -> &Pool {
        if room.own.is_some() { &self.pasted } else { &self.quick }
    }

    /// How many clients listen to live events.
    pub fn watching(&self) -> usize {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }

    /// Where agents think about a game.
    pub fn search_in(&self, room: &Room) -> &Pool {
        if room.own.is_some() { &self.pasted_search } else { &self.search }
    }
}
