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
//!
//! # Modules
//!
//! - Requests: [`server`] puts everything together, [`guard`] checks hosts, origins and headers, [`api`]
//!   has one file for each kind of thing, [`visitor`] tells visitors apart, [`connections`] and
//!   [`compress`] are about transport, [`refusal`] says what was wrong. [`page`] has the files that the
//!   build script had npm make.
//! - Games: [`rooms`] and [`room`] keep games that were set up, [`gallery`] lists them, [`findings`]
//!   reports on pasted rules. [`mod@line`] is the interface to a game of any type; it keeps states and
//!   asks the room's one worker.
//! - Matches: [`mod@matches`]. [`think`] and [`brain`] search for an agent, [`minds`] bounds how much is
//!   remembered.
//! - Drawing: [`drawing`], [`places`], [`sprites`], [`stock`], [`writing`].
//! - [`pool`] is threads with a bounded queue, [`limits`] has all limits, [`experiments`] reads stores,
//!   [`app`] is what requests share.
//!
//! # Invariants
//!
//! Nothing that plays or sets up games runs on threads that answer requests. Every queue and cache has a
//! bound. What a visitor sends becomes no path. No answer allows other hosts, inline scripts or inline
//! styles.

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
