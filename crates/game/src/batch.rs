//! Many games at once that are stepped with moves from outside, for programs that learn.
//!
//! One *action space* serves all roles: a move's name has the same number for every role. Where roles
//! take turns, a game wants one action a step, that of the role whose turn it is, and the move that
//! the others make meanwhile has no number. Otherwise it wants one action of every role.

use std::error::Error;
use std::fmt;

use crate::Move;
use crate::Role;

/// How a batch is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchSetup {
    /// How many games there are.
    pub games: usize,
    /// Joint moves after which a game is cut off.
    pub limit: u32,
    /// When a game that is over starts again.
    pub restart: Restart,
    /// How many threads step the games.
    pub threads: usize,
}

/// When a game that is over starts again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// In the step that ends it: rewards and ends belong to the finished game, facts and legal actions to the
    /// new one.
    AtOnce,
    /// With the next step, whose action for this game is ignored.
    NextStep,
}

/// Where a batch writes what it is asked for, game by game. An empty part is not wanted; any other has
/// exactly the length that is said here, in games `n`, roles `r`, [`choosers`](Batch::choosers) `c`,
/// actions `a` and facts `f`.
#[derive(Debug, Default)]
pub struct BatchView<'a> {
    /// `n * f`: whether each fact holds.
    pub facts: &'a mut [u8],
    /// `n * f`: the same of games that ended in this step and have started again. The others stay as
    /// they were.
    pub last_facts: &'a mut [u8],
    /// `n * ceil(f / 64)`: facts as bits.
    pub fact_bits: &'a mut [u64],
    /// `n * c * a`: whether each action is legal; none is where play is over.
    pub legal: &'a mut [u8],
    /// `n * c * ceil(a / 64)`: legal actions as bits.
    pub legal_bits: &'a mut [u64],
    /// `n * r`: the goals of games that ended in this step, 0 for the others.
    pub goals: &'a mut [f32],
    /// `n`: whether the game ended in this step by the rules.
    pub terminated: &'a mut [u8],
    /// `n`: whether it was cut off at the limit.
    pub truncated: &'a mut [u8],
    /// `n`: the role whose turn it is; 255 where roles do not take turns and where play is over.
    pub movers: &'a mut [u8],
    /// `n * c`: what was chosen in a step at random; -1 where there was no choice.
    pub chosen: &'a mut [i64],
}

/// The moves of the games of a batch in a step.
#[derive(Clone, Copy, Debug)]
pub enum Actions<'a> {
    /// These actions, `games * choosers`. Where a role has at most one legal move, and in games that
    /// start again in this step, any number will do.
    Given(&'a [i64]),
    /// Random legal actions, each equally likely. Game `n` takes its random numbers from stream `n` of
    /// the seed, one for each choice among several actions, in the order of their numbers.
    AtRandom,
}

/// Games that are stepped together.
pub trait Batch: Send {
    /// How many games there are.
    fn games(&self) -> usize;

    /// How many roles there are.
    fn roles(&self) -> usize;

    /// How many actions a game wants in a step: one where roles take turns, else one of each role.
    fn choosers(&self) -> usize;

    /// The names of the actions.
    fn actions(&self) -> &[String];

    /// The move of a role that an action stands for, if the role has it.
    fn move_of(&self, role: Role, action: usize) -> Option<Move>;

    /// How many facts may hold.
    fn facts(&self) -> usize;

    /// Starts all games again.
    fn reset(&mut self, seed: u64, view: BatchView<'_>) -> Result<(), BatchError>;

    /// Steps all games. After an error they are as before, unless it is [`BatchError::Choosers`].
    fn step(&mut self, actions: Actions<'_>, view: BatchView<'_>) -> Result<(), BatchError>;

    /// The state of a game as the words of its bits.
    fn state(&mut self, game: usize) -> Option<Vec<u64>>;
}

/// The reason why a batch refused a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchError {
    /// The game's reasoner has no batches.
    Unsupported,
    /// No game was asked for, or no step.
    Empty,
    /// The game is over at its start.
    OverAtStart,
    /// A buffer has the wrong length.
    Length {
        /// Which one.
        what: &'static str,
        /// Its length.
        given: usize,
        /// The expected value.
        wanted: usize,
    },
    /// An action is not legal.
    Illegal {
        /// The game.
        game: usize,
        /// The chooser.
        chooser: usize,
        /// The action.
        action: i64,
    },
    /// Roles that took turns until now choose at the same time.
    Choosers {
        /// The game.
        game: usize,
    },
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Unsupported => {
                write!(f, "This game has no network, so it cannot be played in batches")
            }
            BatchError::Empty => write!(f, "A batch needs at least one game and one step"),
            BatchError::OverAtStart => write!(f, "The game is over in its first state"),
            BatchError::Length { what, given, wanted } => {
                write!(f, "`{what}` has {given} entries; it needs {wanted}")
            }
            BatchError::Illegal { game, chooser, action } => {
                write!(f, "Action {action} is not legal in game {game} (chooser {chooser})")
            }
            BatchError::Choosers { game } => {
                write!(f, "Several roles choose at the same time in game {game}")
            }
        }
    }
}

impl Error for BatchError {}
