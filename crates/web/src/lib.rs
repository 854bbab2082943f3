//! The browser interface: an HTTP server with live events, and the page it serves.
//!
//! ```text
//! browser ─ guard ─ api ─ Rooms (a Board each) ─ Match (play::Match) ─ Mind (a Player)
//!                    │                           └─ live events
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
//!   reports on pasted rules. Crate `play` has the interface to games and draws them.
//! - Matches: [`mod@matches`] drives matches of crate `play` by events. [`thinking`] lets agents think and
//!   bounds how much they remember.
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
mod compress;
mod connections;
mod experiments;
mod findings;
mod gallery;
mod guard;
mod limits;
mod matches;
mod page;
mod pool;
mod refusal;
mod room;
mod rooms;
mod server;
mod thinking;
mod visitor;

pub use limits::Limits;
pub use page::is_built;
pub use server::{Config, Server};
