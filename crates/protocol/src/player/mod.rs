//! A player that managers can call: it answers every message in time, whatever it says.

mod keeper;
mod position;
mod seat;
mod seeker;
mod slot;

use std::time::Duration;

use gamegrove_agents::Agent;

pub use self::seat::{Reply, Seat};
use crate::timing::Margin;

/// The settings of a player.
#[derive(Clone, Debug)]
pub struct SeatConfig {
    /// What it calls itself.
    pub name: String,
    /// How it chooses moves.
    pub agent: Agent,
    /// What it keeps back of every clock.
    pub margin: Margin,
    /// Whether it goes on thinking while others do.
    pub ponder: bool,
    /// Whether it searches during the start clock.
    pub search_at_start: bool,
    /// What random choices depend on, besides the match's name.
    pub seed: u64,
    /// The longest it thinks about one message, whatever the clock says.
    pub longest_think: Duration,
    /// How long it waits for the next message after all clocks are over, before it takes a match for
    /// abandoned.
    pub patience: Duration,
    /// Whether it keeps what its searches found for [`Seat::last_search`]. Looking at a large tree
    /// takes time that a player on the wire has better uses for.
    pub reports: bool,
    /// The most memory that building a network may take, in bytes.
    pub network_memory: usize,
}

impl SeatConfig {
    /// A player that uses all the time it has.
    pub fn new(agent: Agent) -> SeatConfig {
        SeatConfig {
            name: "gamegrove".to_owned(),
            agent,
            margin: Margin::default(),
            ponder: true,
            search_at_start: true,
            seed: 1,
            longest_think: Duration::from_secs(3600),
            patience: Duration::from_secs(60),
            reports: false,
            network_memory: 2 << 30,
        }
    }

    /// How long the next message of a match may take: another player's clock, twice, and patience.
    pub(crate) fn patience(&self, clock: Duration) -> Duration {
        clock.min(self.longest_think).saturating_mul(2).saturating_add(self.patience)
    }
}
