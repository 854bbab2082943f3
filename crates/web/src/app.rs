//! What all requests share.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use tokio::runtime::Handle;

use crate::experiments::Experiments;
use crate::gallery::Gallery;
use crate::limits::Limits;
use crate::matches::Registry;
use crate::minds::Minds;
use crate::pool::Pool;
use crate::room::Room;
use crate::rooms::Rooms;

/// What all requests share.
#[derive(Debug)]
pub struct App {
    /// The limits.
    pub limits: Arc<Limits>,
    /// For small pieces of work: looking at a position, making a move.
    pub quick: Pool,
    /// The same for what somebody pasted, whose rules may be hard on purpose.
    pub pasted: Pool,
    /// For searches.
    pub search: Pool,
    /// For agents of video games, who have to choose in every tick, whatever others search.
    pub realtime: Pool,
    /// For what people look at besides matches, drawings of the gallery and experiments, so that nobody's
    /// play waits for it.
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
    /// Clients that listen to live events.
    pub listeners: Arc<AtomicUsize>,
    /// Where timers run.
    pub runtime: Handle,
}

impl App {
    /// Where small pieces of work in a game are done.
    pub fn quick_in(&self, room: &Room) -> &Pool {
        if room.own.is_some() { &self.pasted } else { &self.quick }
    }
}
