//! What all requests share.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use tokio::runtime::Handle;

use crate::experiments::Experiments;
use crate::gallery::Gallery;
use crate::limits::Limits;
use crate::matches::Registry;
use crate::pool::Pool;
use crate::rooms::Rooms;

/// What all requests share.
#[derive(Debug)]
pub struct App {
    /// The limits.
    pub limits: Arc<Limits>,
    /// For small pieces of work: looking at a position, making a move.
    pub quick: Pool,
    /// For searches.
    pub search: Pool,
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
