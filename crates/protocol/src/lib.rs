//! The GGP protocol over HTTP, both sides [Sironi 2019, 3.1.2] [Finnsson 2012, 2.1.2].
//!
//! ```text
//! manager ─ HTTP ─ Server ─ Seat ─ keeper (position, legal move at once)
//!                                   ├─ improve (a better prover, then a network)
//!                                   └─ seeker (search, under a clock)
//! play::Match ─ Wires ─┬─ client ─ HTTP ─ any GGP player
//!                      └─ Seat (an agent in this process)
//! ```
//!
//! A [`Seat`] answers messages in time, whatever the rules and the clock, and knows nothing of HTTP;
//! [`Server`] puts it on a port. [`Wires`] drive a match whose players are asked all at the same time. [`Message`] is the one reader and writer of messages.

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
