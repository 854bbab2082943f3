//! The GGP protocol over HTTP, both sides (search-and-ggp, section 8; cadiaplayer, section 2.2).
//!
//! ```text
//! manager ─ HTTP ─ Server ─ Seat ─ keeper (position, legal move at once)
//!                                   ├─ Auto (network, built beside it)
//!                                   └─ seeker (search, under a clock)
//! play::matches::referee ─ Wires ─┬─ client ─ HTTP ─ any GGP player
//!                         └─ Seat (an agent in this process)
//! ```
//!
//! A [`Seat`] answers messages in time, whatever the rules and the clock, and knows nothing of HTTP;
//! [`Server`] puts it on a port. [`Wires`] are the players of a match as the referee asks them, all at
//! the same time. [`Message`] is the one reader and writer of messages.

mod client;
mod message;
mod player;
mod scramble;
mod server;
mod timing;
mod wires;
mod wording;

pub use client::{Address, AddressError};
pub use message::{Message, MessageError};
pub use player::{Reply, Seat, SeatConfig};
pub use scramble::Scrambler;
pub use server::Server;
pub use timing::Margin;
pub use wires::{Contender, Wires, WiresError};
pub use wording::flatten;

/// The port that players listen on if nobody says otherwise.
pub const DEFAULT_PORT: u16 = 9147;
/// The type of the content of messages and replies.
pub(crate) const CONTENT_TYPE: &str = "text/acl";
