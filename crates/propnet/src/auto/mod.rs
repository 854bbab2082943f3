//! The best reasoner at any time: the prover at once, the network when it is ready and faster.
//!
//! [`Auto::new`] sets up a prover, which takes milliseconds for any rulesheet, and starts a thread that
//! builds the network within limits. A player asks for the [`best`](Auto::best) reasoner before
//! each search and gets it together with the position in that reasoner's own terms. A network that
//! arrives is used only after it gave the prover's answers along random games: in the thread from the
//! first state, and here from the current position. The prover stays in use where no network can be built,
//! and where it is faster, if that is asked for ([`Auto::measured`]; see [`rates`]).
//! [`Auto::status`] says in one line what is used and why. Dropping the handle stops the thread.
//!
//! States and moves are carried between reasoners by name (see [`codec`]).

mod attempt;
mod codec;
mod compare;
mod rates;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::{Duration, Instant};

use gamegrove_game::{Describe, Game, Move, Rng, Role};
use gamegrove_gdl::{FactSet, Limits, Program, Prover, ProverError, ProverLimits};
use thiserror::Error;

use self::attempt::Attempt;
pub use self::attempt::WhyNot;
pub use self::codec::Codec;
pub use self::compare::{Disagreement, compare};
pub use self::rates::Rates;
use crate::game::Propnet;
use crate::state::Bits;

/// A game with the best reasoner there is so far, and a position in it.
#[derive(Debug)]
pub struct Auto {
    prover: Prover,
    /// The position; not kept up to date while a network is used.
    facts: FactSet,
    network: Option<InUse>,
    worker: Worker,
    status: Status,
}

#[derive(Debug)]
struct InUse {
    game: Propnet,
    state: Bits,
    codec: Codec,
}

/// The thread that builds the network.
#[derive(Debug)]
struct Worker {
    cancel: Arc<AtomicBool>,
    /// Ends the waiting for it.
    stop: Option<Arc<AtomicBool>>,
    results: Receiver<Result<Attempt, WhyNot>>,
}

/// How often the flag is looked at while a network is waited for.
const GLANCE: Duration = Duration::from_millis(20);

impl Worker {
    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // All of the work looks at this every few thousand steps, so no wait is needed.
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// The reasoner in use, and the reason for it.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// The prover, while a network is being built.
    Building,
    /// The network.
    Network {
        /// Its size.
        components: usize,
        /// How long it took until it was ready.
        time: Duration,
        /// Parts that were left out to get it, if any.
        remark: Option<String>,
        /// How fast it and the prover are, if that was measured.
        rates: Option<Rates>,
    },
    /// The prover: there will be no network.
    Prover(WhyNot),
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Building => write!(f, "the prover, while the network is built"),
            Status::Network { components, time, remark, rates } => {
                let seconds = time.as_secs_f64();
                write!(f, "the network: {components} components, ready after {seconds:.3} s")?;
                rates.iter().try_for_each(|rates| write!(f, "; {rates}"))?;
                remark.iter().try_for_each(|remark| write!(f, "; {remark}"))
            }
            Status::Prover(why) => write!(f, "the prover: {why}"),
        }
    }
}

/// A reasoner with the position in its own terms.
#[derive(Debug)]
pub enum Best<'a> {
    /// The prover.
    Prover(&'a mut Prover, &'a FactSet),
    /// The network.
    Network(&'a mut Propnet, &'a Bits),
}

/// A joint move that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// Some roles have no move.
    #[error("{found} moves for {roles} roles")]
    Count {
        /// Moves given.
        found: usize,
        /// Roles there are.
        roles: usize,
    },
    /// A move is not legal here.
    #[error("`{name}` is not a legal move of {role} here")]
    Illegal {
        /// Whose move.
        role: String,
        /// The move.
        name: String,
    },
}

/// Steps of random play from the current position in which a network must agree with the prover
/// before it is used, and how long that may take.
const LIVE_STEPS: u32 = 20;
const LIVE_TIME: Duration = Duration::from_millis(50);

impl Auto {
    /// A game that is ready at once. The network is built beside it within `limits`. Their flag ends the
    /// set-up of the prover and the waiting for a network.
    pub fn new(program: &Arc<Program>, limits: &Limits) -> Result<Auto, ProverError> {
        Auto::with_prover(program, limits, ProverLimits::default(), false)
    }

    /// As [`new`](Auto::new), but the network is used only if it is faster than the prover: both play at
    /// random for some tens of milliseconds of processor time. The two number moves differently, so
    /// what is then done with equal seeds depends on what was measured.
    pub fn measured(program: &Arc<Program>, limits: &Limits) -> Result<Auto, ProverError> {
        Auto::with_prover(program, limits, ProverLimits::default(), true)
    }

    /// As [`measured`](Auto::measured) or [`new`](Auto::new), with limits for the prover too: for rules of
    /// any origin.
    pub fn with_prover(
        program: &Arc<Program>,
        limits: &Limits,
        prover: ProverLimits,
        timed: bool,
    ) -> Result<Auto, ProverError> {
        let stop = limits.cancel.clone();
        let mut prover = Prover::stoppable(program, prover, &stop.clone().unwrap_or_default())?;
        let facts = prover.initial_state();
        // A flag of its own: dropping the handle ends the thread and nothing else.
        let cancel = Arc::<AtomicBool>::default();
        let limits = Limits { cancel: Some(Arc::clone(&cancel)), ..limits.clone() };
        let (sender, results) = channel();
        let (rules, mut twin) = (Arc::clone(program), prover.detached());
        let flag = Arc::clone(&cancel);
        // Copies of this one may be in use after the handle is gone.
        prover.stop_with(None);
        let spawned = std::thread::Builder::new().name("network".to_owned()).spawn(move || {
            twin.stop_with(Some(&flag));
            // The receiver may be gone.
            let _ = sender.send(Attempt::run(&rules, twin, &limits, timed));
        });
        let status = match spawned {
            Ok(_) => Status::Building,
            Err(error) => Status::Prover(WhyNot::NoThread(error.to_string())),
        };
        let worker = Worker { cancel, stop, results };
        Ok(Auto { prover, facts, network: None, worker, status })
    }

    /// The reasoner in use, and the reason for it.
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// Makes the prover's own queries, and those of its clones to come, end when `stop` is set.
    pub fn stop_with(&mut self, stop: &Arc<AtomicBool>) {
        self.prover.stop_with(Some(stop));
    }

    /// The network's game, if it is used: for callers that need the network itself.
    pub fn network(&self) -> Option<&Propnet> {
        self.network.as_ref().map(|used| &used.game)
    }

    /// The best reasoner there is now, with the position.
    pub fn best(&mut self) -> Best<'_> {
        if self.status == Status::Building {
            match self.worker.results.try_recv() {
                Ok(result) => self.arrived(result),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => self.arrived(Err(WhyNot::Broken)),
            }
        }
        self.current()
    }

    /// As [`best`](Auto::best), waiting for the network for at most `time`, or until the flag of the limits
    /// is set.
    pub fn best_within(&mut self, time: Duration) -> Best<'_> {
        let start = Instant::now();
        while self.status == Status::Building && !self.worker.is_stopped() {
            let left = time.saturating_sub(start.elapsed());
            match self.worker.results.recv_timeout(left.min(GLANCE)) {
                Ok(result) => self.arrived(result),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => break,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.arrived(Err(WhyNot::Broken)),
            }
        }
        self.best()
    }

    /// The names of what holds in the position.
    pub fn facts(&self) -> Vec<String> {
        match &self.network {
            Some(used) => used.game.facts(&used.state),
            None => self.prover.facts(&self.facts),
        }
    }

    /// Makes a joint move, one name per role. Returns it in the terms of the reasoner that is used.
    pub fn advance(&mut self, joint: &[String]) -> Result<Vec<Move>, MoveError> {
        let moves;
        match &mut self.network {
            Some(used) => {
                (used.state, moves) = step_by_names(&mut used.game, &used.state, joint)?;
            }
            None => {
                (self.facts, moves) = step_by_names(&mut self.prover, &self.facts, joint)?;
            }
        }
        Ok(moves)
    }

    /// The reasoner in use, with the position, as it is: a network that has arrived meanwhile waits
    /// for [`best`](Auto::best).
    pub fn current(&mut self) -> Best<'_> {
        match &mut self.network {
            Some(used) => Best::Network(&mut used.game, &used.state),
            None => Best::Prover(&mut self.prover, &self.facts),
        }
    }

    /// Goes to the state in which these facts hold, as [`facts`](Auto::facts) writes them. `false`,
    /// and nothing done, if they are no state that the rules could name.
    pub fn go_to(&mut self, facts: &[String]) -> bool {
        let Some(state) = self.prover.state_of(facts) else { return false };
        if let Some(used) = &mut self.network {
            match used.codec.bits(facts) {
                Some(bits) => used.state = bits,
                // No play leads there, so the network does not know it; the prover does.
                None => {
                    self.network = None;
                    self.status = Status::Prover(WhyNot::Unknown);
                }
            }
        }
        self.facts = state;
        true
    }

    /// Goes back to the start of the game.
    pub fn restart(&mut self) {
        self.facts = self.prover.initial_state();
        if let Some(used) = &mut self.network {
            used.state = used.game.initial_state();
        }
    }

    fn arrived(&mut self, result: Result<Attempt, WhyNot>) {
        let adopted = result.and_then(|attempt| {
            let Attempt { mut game, codec, time, remark, rates } = attempt;
            if let Some(rates) = rates.as_ref().filter(|rates| rates.prover_is_fastest()) {
                return Err(WhyNot::Slower(rates.clone()));
            }
            let facts = self.prover.facts(&self.facts);
            let state = codec.bits(&facts).ok_or(WhyNot::Unknown)?;
            let deadline = Instant::now() + LIVE_TIME;
            let (mut rng, mut twin) = (Rng::new(1), self.prover.detached());
            let goes_on = |step: u32| step < LIVE_STEPS && Instant::now() < deadline;
            compare(&mut twin, &self.facts, &mut game, &state, &mut rng, goes_on)?;
            let components = game.network().len();
            self.network = Some(InUse { game, state, codec });
            Ok(Status::Network { components, time, remark, rates })
        });
        self.status = adopted.unwrap_or_else(Status::Prover);
    }
}

/// The state after a joint move given by names, and the moves. All of them must be legal.
pub fn step_by_names<G: Describe>(
    game: &mut G,
    state: &G::State,
    joint: &[String],
) -> Result<(G::State, Vec<Move>), MoveError> {
    let roles = game.role_count();
    if joint.len() != roles {
        return Err(MoveError::Count { found: joint.len(), roles });
    }
    let (mut legal, mut moves): (Vec<Move>, Vec<Move>) = (Vec::new(), Vec::new());
    for (role, name) in Role::all(roles).zip(joint) {
        // Asked first: reasoners know the names of moves they have met.
        game.legal_moves(state, role, &mut legal);
        let found = game.find_move(role, name).filter(|mov| legal.contains(mov));
        moves.push(found.ok_or_else(|| MoveError::Illegal {
            role: game.role_name(role),
            name: name.clone(),
        })?);
    }
    let mut next = state.clone();
    game.apply(state, &moves, &mut next);
    Ok((next, moves))
}
