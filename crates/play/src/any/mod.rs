//! Games and positions whose types nobody needs to know: for callers that are compiled once and play
//! whatever is opened, such as bindings for other languages.
//!
//! ```text
//! Source ─ open ─ Arc<dyn AnyGame> ─ start ─ Arc<dyn AnyPosition> ─ look, after, play_outs, ...
//!                        └── player (an Agent) ─ Box<dyn AnyPlayer>
//!                        └── play (Seats: agents and guests) ─ Played
//! ```
//!
//! Positions are values: they share the game's one worker for short questions, and long work gets a
//! clone of it, so nobody waits for anybody. Whoever plays from outside is a [`Guest`]; whoever steers
//! play-outs from outside has a [`Taste`]. Long work ends soon after its flag `stop` is set.

mod guest;
mod look;
mod open;
mod play_outs;
mod setup;
mod show;
mod steered;
mod video;

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::matches::realtime::RealTimeRecord;
use crate::matches::{MatchRecord, MatchRules};
use gamegrove_agents::{Agent, AgentError, Report};
use gamegrove_game::{Fault, Move, Perft, Rng, Role};
use serde::Serialize;

pub use self::guest::{Guest, Seat, Taste};
pub use self::look::Look;
pub use self::open::{Opened, open};
pub use self::play_outs::{PlayOuts, PlayOutsWanted};

/// A flag that ends long work when it is set.
pub type StopFlag = Arc<AtomicBool>;

/// A game that was set up.
pub trait AnyGame: Send + Sync {
    /// The names of the roles.
    fn roles(&self) -> &[String];

    /// Every move of a role seen so far is below this number.
    fn move_bound(&self, role: Role) -> usize;

    /// The name of a move.
    fn move_name(&self, role: Role, mov: Move) -> String;

    /// The move of a role called `name`, if the game has met one.
    fn find_move(&self, role: Role, name: &str) -> Option<Move>;

    /// Where play starts. Equal seeds have equal chance, in games of chance.
    fn start(&self, seed: u64) -> Arc<dyn AnyPosition>;

    /// How many random games can be under way at once; 0 if they are played one after another.
    fn lanes(&self) -> usize;

    /// What positions look like to a learner: the sizes of the array that
    /// [`observe`](AnyPosition::observe) fills. Nothing if the facts that may ever hold are not known.
    fn shape(&self) -> Option<Vec<usize>>;

    /// What the entries along the last axis of that array mean.
    fn shape_names(&self) -> Vec<String>;

    /// Someone who plays a role from now on, as `agent` says; with a taste its play-outs follow that.
    fn player(
        &self,
        agent: &Agent,
        taste: Option<&Taste>,
        role: Role,
        seed: u64,
    ) -> Result<Box<dyn AnyPlayer>, AgentError>;

    /// Plays a match, one seat per role.
    ///
    /// # Panics
    /// If there is not one seat per role.
    fn play(
        &self,
        seats: Vec<Seat>,
        rules: &MatchRules,
        stop: &StopFlag,
    ) -> Result<Played, AgentError>;
}

/// A position of a game.
pub trait AnyPosition: Send + Sync + Any {
    /// Whether play is over here, and what each role may do.
    fn look(&self) -> Result<Look, Fault>;

    /// The position that follows when each role plays its entry of `joint`, which must be legal.
    fn after(&self, joint: &[Move]) -> Result<Arc<dyn AnyPosition>, Fault>;

    /// What it is worth to each role, from 0 to 100.
    fn goals(&self) -> Result<Vec<f32>, Fault>;

    /// The points of each role, in games that have points besides goals.
    fn scores(&self) -> Option<Vec<f64>>;

    /// What holds, one sentence per fact, sorted.
    fn facts(&self) -> Vec<String>;

    /// A drawing in characters.
    fn text(&self) -> String;

    /// A drawing; `last` is the position before it, with the joint move that led here. Nothing if no
    /// board can be seen in the facts.
    fn svg(&self, last: Option<(&dyn AnyPosition, &[Move])>, title: &str) -> Option<String>;

    /// What a learner sees, in row-major order; `false` if the game has no [`shape`](AnyGame::shape).
    fn observe(&self, seen: &mut Vec<u8>) -> bool;

    /// Walks all sequences of `depth` joint moves; nothing if it was stopped.
    fn perft(&self, depth: u32, stop: &StopFlag) -> Result<Option<Perft>, Fault>;

    /// Plays random games from here, as many as `into` has room for; what is not played when it is
    /// stopped stays as it was.
    fn play_outs(
        &self,
        wanted: &PlayOutsWanted,
        into: PlayOuts<'_>,
        stop: &StopFlag,
    ) -> Result<(), Fault>;

    /// The same position with another future, in games of chance.
    fn with_chance(&self, rng: &mut Rng) -> Arc<dyn AnyPosition>;

    /// Whether it is the same position of the same game.
    fn equals(&self, other: &dyn AnyPosition) -> bool;

    /// A number that is equal for equal positions.
    fn digest(&self) -> u64;

    /// For finding out its type.
    fn as_any(&self) -> &dyn Any;
}

/// What may be spent on a decision; at least one of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spend {
    /// So much time.
    pub time: Option<Duration>,
    /// So many simulations.
    pub simulations: Option<u64>,
}

/// What a player decided.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The move; none if there is no legal one.
    pub mov: Option<Move>,
    /// What the search found out, if there was one.
    pub report: Option<Report>,
    /// How long it took.
    pub taken: Duration,
}

/// Someone who plays one role of one game.
pub trait AnyPlayer: Send {
    /// Decides in a position of its game; nothing if the position is one of another game.
    fn choose(
        &mut self,
        position: &dyn AnyPosition,
        spend: Spend,
        stop: &StopFlag,
    ) -> Option<Decided>;

    /// Hears what all roles played.
    fn played(&mut self, joint: &[Move]);
}

/// The record of a match of any game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Played {
    /// Of a board game.
    Board(MatchRecord),
    /// Of a video game.
    Video(RealTimeRecord),
}

impl Played {
    /// What the end was worth to each role, from 0 to 100.
    pub fn goals(&self) -> Vec<f32> {
        match self {
            Played::Board(record) => record.goals.clone(),
            Played::Video(record) => {
                let worth = |won: &Option<bool>| if *won == Some(true) { 100.0 } else { 0.0 };
                record.won.iter().map(worth).collect()
            }
        }
    }
}
