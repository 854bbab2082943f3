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
//!
//! # Modules
//!
//! - [`message`] reads and writes messages, [`wording`] has their spelling, [`scramble`] hides words
//!   from players, [`timing`] has deadlines.
//! - [`player`] is a player that managers call. The thread of a request waits for the answer; at the
//!   reply deadline it sends what `player/slot` holds. `player/keeper`, one thread a match, follows the
//!   moves and has a legal move at once. `player/position` brings better reasoners, set up in a thread of
//!   their own. `player/seeker` searches in slices and publishes its favourite move after each.
//!   [`server`] puts a seat on a port, [`places`] limits its connections.
//! - [`wires`] is the game manager, [`client`] sends its messages.
//!
//! # Invariants
//!
//! Every PLAY is answered before its clock is over, with a legal move if the legal moves of the position
//! could be found by then. There is one match at a time, and nothing of it is left when its keeper has
//! ended. Sizes, connections and waiting times are limited.

mod client;
mod message;
mod places;
mod player;
mod scramble;
mod server;
mod timing;
mod wires;
mod wording;

pub use client::{Address, AddressError};
pub use message::{Message, MessageError};
pub use places::{Place, Places};
pub use player::{Reply, Seat, SeatConfig};
pub use scramble::Scrambler;
pub use server::Server;
pub use timing::Margin;
pub use wires::{Contender, Wires, WiresError};
pub use wording::flatten;

/// The port that players listen on by default.
pub const DEFAULT_PORT: u16 = 9147;
/// The type of the content of messages and replies.
pub(crate) const CONTENT_TYPE: &str = "text/acl";
