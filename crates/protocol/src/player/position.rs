//! Where a match stands, with the best reasoner there is so far.
//!
//! Three reasoners come one after another. A prover that is set up in a hurry is there after
//! milliseconds; a thread brings a well-ordered prover and later a network. The state is carried from one
//! to the next by its facts.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gamegrove_game::{Move, Role};
use gamegrove_gdl::{Limits, Prover, ProverError, ProverLimits, Rulesheet};
use gamegrove_play::load::Source;
use gamegrove_play::{Board, Setup, State, open_network, open_prover};
use gamegrove_propnet::{Auto, Best, Status};

/// A position of a match.
pub(super) struct Position {
    board: Arc<dyn Board>,
    state: State,
}

/// The rules of a match.
#[derive(Clone)]
pub(super) struct Rules {
    pub(super) source: Source,
    pub(super) sheet: Arc<Rulesheet>,
}

/// What set-up of the first prover may take: it asks nothing that may take long. The order of
/// conditions may then not be the best.
const HURRIED: ProverLimits =
    ProverLimits { work: 100_000_000, samples: 0, memory: 512 << 20, static_steps: 200_000 };

/// When a reasoner takes over, its legal moves are compared. Beyond this number only their count is.
const MOST_COMPARED: usize = 5_000;

/// How long to wait for the network between two looks at the flag that ends the match.
const PATIENCE: Duration = Duration::from_millis(50);

impl Position {
    /// The start of a game, within milliseconds for most rulesheets. All questions end when `stop` is set.
    pub(super) fn start(rules: &Rules, stop: &Arc<AtomicBool>) -> Result<Position, ProverError> {
        let prover = Prover::stoppable(&rules.sheet.program, HURRIED, stop)?;
        let board = open_prover(&rules.source, &rules.sheet, prover, &Setup::default());
        let state = board.start(0);
        Ok(Position { board, state })
    }

    /// The reasoner in use.
    pub(super) fn board(&self) -> &Arc<dyn Board> {
        &self.board
    }

    /// The state of the match.
    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// The role called `name`.
    pub(super) fn role(&self, name: &str) -> Option<Role> {
        let roles = &self.board.about().roles;
        Role::all(roles.len()).find(|role| roles[role.index()] == name)
    }

    /// The moves of a role. A reasoner that could not find all has the ones it found.
    pub(super) fn legal(&self, role: Role) -> Vec<Move> {
        self.board.legal_moves(&self.state, role).0
    }

    /// The name of a move of a role that is found sooner than all.
    pub(super) fn any_move(&self, role: Role) -> Option<String> {
        let found = self.board.any_move(&self.state, role);
        found.map(|mov| self.board.move_name(role, mov))
    }

    /// Makes a joint move given by names. Returns it as the reasoner numbers moves; `None` if it is not
    /// legal here.
    pub(super) fn advance(&mut self, joint: &[String]) -> Option<Vec<Move>> {
        let roles = self.board.about().roles.len();
        if joint.len() != roles {
            return None;
        }
        let mut moves = Vec::with_capacity(roles);
        for (role, name) in Role::all(roles).zip(joint) {
            // Asked first: reasoners know the names of moves they have met.
            let (legal, _) = self.board.legal_moves(&self.state, role);
            let found = self.board.find_move(role, name);
            moves.push(found.filter(|mov| legal.contains(mov))?);
        }
        self.state = self.board.next(&self.state, &moves).ok()?;
        Some(moves)
    }

    /// Goes on with a better reasoner; `false` if it does not know this position, or finds other moves of
    /// the role in it.
    pub(super) fn adopt(&mut self, board: Arc<dyn Board>, role: Role) -> bool {
        let Some(state) = board.state_of(&self.board.facts(&self.state)) else { return false };
        let better = Position { board, state };
        let (own, found) = (self.legal(role), better.legal(role));
        // The present reasoner may have hit a limit: it lacks moves then, and knows no others.
        let agrees = if own.len().max(found.len()) > MOST_COMPARED {
            own.len() <= found.len()
        } else {
            let names = |position: &Position, moves: &[Move]| -> BTreeSet<String> {
                moves.iter().map(|&mov| position.board.move_name(role, mov)).collect()
            };
            names(self, &own).is_subset(&names(&better, &found))
        };
        if agrees {
            *self = better;
        }
        agrees
    }
}

/// Sets better reasoners up, best last, and hands each over as soon as it is ready. Their questions end
/// when `stop` is set. Ends soon after `building` is set, which is set when it returns.
pub(super) fn improve(
    rules: &Rules,
    memory: usize,
    lanes: bool,
    (stop, building): (&Arc<AtomicBool>, &Arc<AtomicBool>),
    hand_over: &mut dyn FnMut(Arc<dyn Board>),
) {
    let limits = Limits { cancel: Some(Arc::clone(building)), memory, ..Limits::default() };
    let Ok(mut auto) = Auto::measured(&rules.sheet.program, &limits) else { return };
    auto.stop_with(stop);
    let setup = Setup::default();
    if let Best::Prover(prover, _) = auto.current() {
        hand_over(open_prover(&rules.source, &rules.sheet, prover.clone(), &setup));
    }
    while *auto.status() == Status::Building && !building.load(Ordering::Relaxed) {
        if let Best::Network(network, _) = auto.best_within(PATIENCE) {
            let network = network.clone();
            hand_over(open_network(&rules.source, &rules.sheet, network, &setup, lanes));
        }
    }
}
