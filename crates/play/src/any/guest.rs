//! Who plays from outside: whole players, and policies for play-outs.

use std::sync::Arc;

use gamegrove_agents::{Agent, Budget, Player, Report};
use gamegrove_game::{Describe, Move, Rng, Role};

use super::setup::Setup;
use super::show::Show;
use super::steered::{Place, Steered};
use super::{AnyPosition, Spend};

/// Chooses among several legal moves of a role in a position: the place of the move in the list.
pub type Taste = Arc<dyn Fn(Arc<dyn AnyPosition>, Role, &[Move], &mut Rng) -> usize + Send + Sync>;

/// Someone who plays one role of one match and was not made here.
pub trait Guest: Send {
    /// The match starts in this position; the start clock is running.
    fn prepare(&mut self, _position: Arc<dyn AnyPosition>, _role: Role, _spend: Spend) {}

    /// The move to play; one that is not legal, or none, is replaced by the referee.
    fn choose(&mut self, position: Arc<dyn AnyPosition>, role: Role, spend: Spend) -> Option<Move>;

    /// What all roles played in the last step.
    fn played(&mut self, _joint: &[Move]) {}
}

/// Who holds a role of a match.
pub enum Seat {
    /// An agent, whose play-outs may follow a taste from outside.
    Agent(Agent, Option<Taste>),
    /// Someone from outside, with a name for the record.
    Guest(String, Box<dyn Guest>),
}

impl Seat {
    /// What the record calls it.
    pub fn name(&self) -> &str {
        match self {
            Seat::Agent(agent, _) => &agent.name,
            Seat::Guest(name, _) => name,
        }
    }
}

/// A guest at a game of a known type.
pub(super) struct Seated<G: Describe, A> {
    pub(super) setup: Arc<Setup<G, A>>,
    pub(super) role: Role,
    pub(super) guest: Box<dyn Guest>,
}

impl<G, A> Player<G> for Seated<G, A>
where
    G: Describe + 'static,
    A: Show<G> + 'static,
{
    fn prepare(&mut self, state: &G::State, budget: &Budget<'_>) {
        let position = self.setup.at(state);
        self.guest.prepare(position, self.role, spend(budget));
    }

    fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        let position = self.setup.at(state);
        self.guest.choose(position, self.role, spend(budget))
    }

    fn played(&mut self, joint: &[Move]) {
        self.guest.played(joint);
    }
}

fn spend(budget: &Budget<'_>) -> Spend {
    let simulations = budget.simulation_limit();
    Spend { time: budget.remaining(), simulations: (simulations < u64::MAX).then_some(simulations) }
}

/// A player of a steered game as one of the game itself.
pub(super) struct Unsteered<G: Describe, A> {
    pub(super) setup: Arc<Setup<G, A>>,
    pub(super) player: Box<dyn Player<Steered>>,
}

impl<G, A> Player<G> for Unsteered<G, A>
where
    G: Describe + 'static,
    A: Show<G> + 'static,
{
    fn prepare(&mut self, state: &G::State, budget: &Budget<'_>) {
        self.player.prepare(&Place(self.setup.at(state)), budget);
    }

    fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        self.player.choose(&Place(self.setup.at(state)), budget)
    }

    fn ponder(&mut self, budget: &Budget<'_>) -> bool {
        self.player.ponder(budget)
    }

    fn favourite(&mut self) -> Option<Move> {
        self.player.favourite()
    }

    fn played(&mut self, joint: &[Move]) {
        self.player.played(joint);
    }

    fn report(&self) -> Option<Report> {
        self.player.report()
    }
}
