//! What a player sees of the hardware: three calls, coarse on purpose, because every exchange
//! between host and hardware is slow [Sironi 2019, 4.4.1].

use std::io;

use gamegrove_propnet::Bits;
use thiserror::Error;

use crate::emulate::RunTotals;

/// The number of a move among a role's moves.
pub type Move = u32;

/// More joint moves than this are not listed for one state.
const MOST_JOINT_MOVES: usize = 1_000_000;

/// The reason why the hardware gave no answer.
#[derive(Debug, Error)]
pub enum DriverError {
    /// A state leads to more states than can be listed.
    #[error("{joint} joint moves are legal in one state; at most {MOST_JOINT_MOVES} are listed")]
    TooManyMoves {
        /// How many there are; the largest number if there are more.
        joint: usize,
    },
    /// Another device answers, not the hardware of this game.
    #[error("the device answers {found:#x} where {expected:#x} was expected: {what}")]
    WrongDevice {
        /// The word that was read.
        found: u32,
        /// The expected word.
        expected: u32,
        /// The meaning of the word, and the remedy.
        what: &'static str,
    },
    /// The device stays busy.
    #[error("the device is still busy after {0} questions; reset it, or lower the limit of steps")]
    Busy(u64),
    /// The way to the device is broken.
    #[error("the device cannot be reached: {0}")]
    Connection(#[from] io::Error),
    /// The device's answer is not a number.
    #[error("the device answers {0:?}, which is not a number")]
    Garbled(String),
}

/// The successors of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successors {
    /// Whether play is over here; then nothing follows.
    pub terminal: bool,
    /// The goal of each role here.
    pub goals: Vec<u8>,
    /// The legal moves of each role.
    pub legal: Vec<Vec<Move>>,
    /// The state after each legal joint move; the last role's move changes fastest.
    pub next: Vec<(Vec<Move>, Bits)>,
}

/// The results of random games from a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores {
    /// How many were played.
    pub playouts: u32,
    /// Their sums.
    pub totals: RunTotals,
}

impl Scores {
    /// The mean goal of a role.
    pub fn mean(&self, role: usize) -> f64 {
        self.totals.sums[role] as f64 / f64::from(self.playouts.max(1))
    }

    /// Clock cycles per state visited.
    pub fn cycles_per_state(&self) -> f64 {
        self.totals.cycles as f64 / self.totals.steps.max(1) as f64
    }
}

/// Hardware that knows one game.
pub trait Driver {
    /// The first state.
    fn initial_state(&mut self) -> Result<Bits, DriverError>;

    /// All that follows a state.
    fn next_states(&mut self, state: &Bits) -> Result<Successors, DriverError>;

    /// Plays so many uniformly random games from a state.
    fn scores(&mut self, state: &Bits, playouts: u32) -> Result<Scores, DriverError>;

    /// Starts the random choices anew. Back ends of one netlist that were given the same seed and
    /// asked the same questions give the same scores, bit for bit.
    fn seed(&mut self, seed: u64) -> Result<(), DriverError>;
}

/// All joint moves; none in a terminal state, or where a role cannot move.
pub(crate) fn joint_moves(
    legal: &[Vec<Move>],
    terminal: bool,
) -> Result<Vec<Vec<Move>>, DriverError> {
    if terminal {
        return Ok(Vec::new());
    }
    let joint = legal.iter().fold(1usize, |product, moves| product.saturating_mul(moves.len()));
    if joint > MOST_JOINT_MOVES {
        return Err(DriverError::TooManyMoves { joint });
    }
    let mut all = vec![Vec::new(); joint.min(1)];
    for moves in legal {
        let longer = |start: &Vec<Move>| -> Vec<Vec<Move>> {
            let with = |&mov: &Move| start.iter().copied().chain([mov]).collect();
            moves.iter().map(with).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    Ok(all)
}
