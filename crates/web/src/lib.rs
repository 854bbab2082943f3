//! The browser interface: an HTTP server with live events, and the page it serves.
//!
//! ```text
//! browser ─ guard ─ api ─ Rooms (games set up) ─ Match ─ Line (positions) ─ Thinker (searches)
//!                    │                            └─ live events
//!                    ├─ Gallery, Experiments
//!                    └─ page (files built into the program)
//! ```
//!
//! What a request may cost is in [`Limits`]. Games are played and set up on worker threads with bounded
//! queues; the threads that answer requests never wait for them. Nothing here writes to the disk or
//! asks another machine.

mod api;
mod app;
mod brain;
mod compress;
mod connections;
mod drawing;
mod experiments;
mod findings;
mod gallery;
mod guard;
mod limits;
mod line;
mod matches;
mod minds;
mod page;
mod places;
mod pool;
mod refusal;
mod room;
mod rooms;
mod server;
mod sprites;
mod stock;
mod think;
mod visitor;
mod writing;

pub use limits::Limits;
pub use page::is_built;
pub use server::{Config, Server};
