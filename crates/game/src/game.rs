//! What every game can answer.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::{Batches, Evaluation, Features, Goal, Move, MoveSet, Rng, Role, Senses, TypedMoves};

/// A game: one to many roles, all of which move in every step.
///
/// Turn-taking is the special case in which the waiting roles have one move without effect.
///
/// A value of this type is a *worker*: the rules are shared between clones, the buffers a query
/// needs belong to each clone. Give every thread a clone of its own. Queries take `&mut self` so
/// that they may use those buffers and may remember the state they looked at last: asking
/// [`is_terminal`](Game::is_terminal), [`legal_moves`](Game::legal_moves) and
/// [`apply`](Game::apply) one after another about one state costs one evaluation, not three.
///
/// Queries do not fail. A reasoner that runs into a limit (a rulesheet may ask for more work than
/// a machine can do) treats the state as the end of play and reports it in
/// [`take_fault`](Game::take_fault); code that runs a whole game asks for it once at the end.
pub trait Game: Clone + Send {
    /// A position: a value that can be kept, compared and handed to another worker of the game.
    type State: Clone + Eq + Hash + fmt::Debug + Send + Sync;

    /// How many roles there are; at least one.
    fn role_count(&self) -> usize;

    /// Every move of `role` seen so far is below this number. It may grow while a game without a
    /// known set of moves is explored, so tables indexed by [`Move`] grow on demand.
    fn move_bound(&self, role: Role) -> usize;

    /// The state in which play starts.
    fn initial_state(&mut self) -> Self::State;

    /// Whether play is over in `state`.
    fn is_terminal(&mut self, state: &Self::State) -> bool;

    /// Writes the legal moves of `role` in `state` to `moves`, replacing what it held. The order is
    /// the same whenever the same state is asked about.
    fn legal_moves(&mut self, state: &Self::State, role: Role, moves: &mut Vec<Move>);

    /// A legal move of `role` in `state`; `None` if there is none, or none was found within the limits.
    /// Reasoners that find one sooner than all do so.
    fn any_move(&mut self, state: &Self::State, role: Role) -> Option<Move> {
        let mut moves = Vec::new();
        self.legal_moves(state, role, &mut moves);
        moves.first().copied()
    }

    /// The moves of [`legal_moves`](Game::legal_moves) as bits, where the game has them so and its queries hit
    /// no limits. A move's place
    /// among the bits is its place in the list.
    fn legal_set(&mut self, _state: &Self::State, _role: Role) -> Option<MoveSet<'_>> {
        None
    }

    /// A legal move of `role` in `state`, each equally likely; `None` if there is none. Takes one
    /// number from `rng` if there is a choice. `moves` is a buffer.
    #[inline]
    fn random_move(
        &mut self,
        state: &Self::State,
        role: Role,
        moves: &mut Vec<Move>,
        rng: &mut Rng,
    ) -> Option<Move> {
        if let Some(set) = self.legal_set(state, role) {
            return set.pick(rng);
        }
        self.legal_moves(state, role, moves);
        match moves[..] {
            [] => None,
            [only] => Some(only),
            _ => Some(moves[rng.below(moves.len())]),
        }
    }

    /// Writes to `next` the state that follows when each role plays its entry of `joint`, which
    /// must be legal. What `next` held is overwritten; its memory is used again.
    fn apply(&mut self, state: &Self::State, joint: &[Move], next: &mut Self::State);

    /// Writes the worth of `state` for each role to `goals`, which has one entry per role. Only
    /// terminal states are sure to have goals; a missing one counts as the worst, several as their
    /// mean.
    fn goals(&mut self, state: &Self::State, goals: &mut [Goal]);

    /// As [`apply`](Game::apply), in place. Games whose states are large do it without a copy.
    fn advance(&mut self, state: &mut Self::State, joint: &[Move]) {
        let mut next = state.clone();
        self.apply(state, joint, &mut next);
        *state = next;
    }

    /// The game's way to play many random games at once, if it has one.
    fn batches(&mut self) -> Option<&mut dyn Batches<Self::State>> {
        None
    }

    /// A step of the match is over; what is remembered of states that are past may go.
    fn end_turn(&mut self) {}

    /// Gives `state` another future drawn from `rng`, in games of chance; a search calls it so that
    /// it does not foresee chance. Games without chance have one future.
    fn resample(&mut self, _state: &mut Self::State, _rng: &mut Rng) {}

    /// Reads the features of states, if this game has features.
    fn features(&self) -> Option<Box<dyn Features<Self::State>>> {
        None
    }

    /// Reads the types of moves, if moves of this game have types.
    fn move_types(&self) -> Option<Box<dyn TypedMoves<Self::State>>> {
        None
    }

    /// Rates states by weights, if this game can.
    fn evaluation(&self) -> Option<Box<dyn Evaluation<Self::State>>> {
        None
    }

    /// Perceives states for a player, if this game is a world of things.
    fn senses(&self) -> Option<Box<dyn Senses<Self::State>>> {
        None
    }

    /// Ends questions that this worker and its clones are asked from now on soon after `stop` is set, with
    /// [`Fault::Stopped`]. Reasoners whose questions are always short do nothing.
    fn stop_when(&mut self, _stop: &Arc<AtomicBool>) {}

    /// The limit that was hit since the last call, if any.
    fn take_fault(&mut self) -> Option<Fault> {
        None
    }
}

/// A limit that kept a reasoner from answering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// One query took more elementary steps than allowed.
    Work {
        /// The limit in steps.
        limit: u64,
    },
    /// Calls were nested too deeply.
    Depth {
        /// The limit in levels.
        limit: u64,
    },
    /// Terms grew beyond all bounds.
    Terms,
    /// The stop flag was set.
    Stopped,
    /// The facts of one state outgrew their limit.
    State {
        /// The limit in bytes.
        limit: u64,
    },
    /// The tables of one query, or the terms that were met, outgrew their limit.
    Memory {
        /// The limit in bytes.
        limit: u64,
    },
    /// A device that answers for the game gave no answer.
    Unanswered {
        /// The reason.
        problem: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Work { limit } => {
                write!(f, "one query of the rules needed more than {limit} elementary steps")
            }
            Fault::Depth { limit } => {
                write!(f, "relations are nested more than {limit} levels deep")
            }
            Fault::Terms => write!(f, "the rules build terms without end"),
            Fault::Stopped => write!(f, "the work was stopped"),
            Fault::Memory { limit } => {
                write!(f, "the rules needed more than {limit} bytes of memory")
            }
            Fault::State { limit } => {
                write!(f, "the facts of one state take more than {limit} bytes")
            }
            Fault::Unanswered { problem } => f.write_str(problem),
        }
    }
}

impl std::error::Error for Fault {}
