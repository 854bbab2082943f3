//! Where a match stands, with the best reasoner there is so far.
//!
//! Three of them come one after another. A prover that was set up in a hurry is there after
//! milliseconds; [`Auto`] brings a well-ordered prover and later a network.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gamegrove_game::{Describe, Game, Move, Role};
use gamegrove_gdl::{FactSet, Program, Prover, ProverError, ProverLimits};
use gamegrove_propnet::{Auto, Best, MoveError, Status, WithGame, step_by_names};

/// A position of a match.
pub(super) enum Position {
    /// Known to the prover that was ready first.
    Early(Box<(Prover, FactSet)>),
    /// Known to the best reasoner.
    Full(Box<Auto>),
}

/// What set-up of the first prover may take: it asks nothing that may take long, at the cost of an order
/// of conditions that may not be the best.
const HURRIED: ProverLimits =
    ProverLimits { work: 100_000_000, samples: 0, memory: 512 << 20, static_steps: 200_000 };

/// The moves of one role.
#[derive(Debug)]
pub(super) struct Legal {
    pub(super) moves: Vec<Move>,
    pub(super) names: Vec<String>,
}

impl Position {
    /// The start of a game, within milliseconds for most rulesheets. All queries end when somebody
    /// sets `stop`.
    pub(super) fn start(
        program: &Arc<Program>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Position, ProverError> {
        let mut prover = Prover::stoppable(program, HURRIED, stop)?;
        let state = prover.initial_state();
        Ok(Position::Early(Box::new((prover, state))))
    }

    /// The reasoner in use with the position.
    pub(super) fn current(&mut self) -> Best<'_> {
        match self {
            Position::Early(early) => Best::Prover(&mut early.0, &early.1),
            Position::Full(auto) => auto.current(),
        }
    }

    /// The role called `name`.
    pub(super) fn role(&mut self, name: &str) -> Option<Role> {
        self.current().run(FindRole(name))
    }

    /// The moves of a role. A reasoner that could not find all has the ones it found.
    pub(super) fn legal(&mut self, role: Role) -> Legal {
        self.current().run(FindLegal(role))
    }

    /// Makes a joint move given by names. Returns it as the reasoner numbers moves.
    pub(super) fn advance(&mut self, joint: &[String]) -> Result<Vec<Move>, MoveError> {
        let moves = match self {
            Position::Early(early) => {
                let (state, moves) = step_by_names(&mut early.0, &early.1, joint)?;
                early.1 = state;
                moves
            }
            Position::Full(auto) => auto.advance(joint)?,
        };
        // What a limit cut short is still the best guess; the next query starts afresh.
        self.current().run(Forget);
        Ok(moves)
    }

    /// Hands the position over to a better reasoner; `false` if it does not know this position.
    pub(super) fn adopt(&mut self, mut auto: Box<Auto>) -> bool {
        let facts = self.current().run(Facts);
        let known = auto.go_to(&facts);
        if known {
            *self = Position::Full(auto);
        }
        known
    }

    /// Takes the network if it has arrived; whether it was adopted just now.
    pub(super) fn improve(&mut self) -> bool {
        let Position::Full(auto) = self else { return false };
        if *auto.status() != Status::Building {
            return false;
        }
        matches!(auto.best(), Best::Network(..))
    }

    /// Whether a network is being built.
    pub(super) fn is_improving(&self) -> bool {
        matches!(self, Position::Full(auto) if *auto.status() == Status::Building)
    }
}

struct FindRole<'a>(&'a str);

impl WithGame for FindRole<'_> {
    type Output = Option<Role>;

    fn run<G: Describe>(self, game: &mut G, _: &G::State) -> Option<Role> {
        Role::all(game.role_count()).find(|&role| game.role_name(role) == self.0)
    }
}

struct FindLegal(Role);

impl WithGame for FindLegal {
    type Output = Legal;

    fn run<G: Describe>(self, game: &mut G, state: &G::State) -> Legal {
        let mut moves = Vec::new();
        game.legal_moves(state, self.0, &mut moves);
        let names = moves.iter().map(|&mov| game.move_name(self.0, mov)).collect();
        game.take_fault();
        Legal { moves, names }
    }
}

struct Facts;

impl WithGame for Facts {
    type Output = Vec<String>;

    fn run<G: Describe>(self, game: &mut G, state: &G::State) -> Vec<String> {
        game.facts(state)
    }
}

struct Forget;

impl WithGame for Forget {
    type Output = ();

    fn run<G: Describe>(self, game: &mut G, _: &G::State) {
        game.take_fault();
    }
}
