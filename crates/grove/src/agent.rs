//! The agents that a person can play against.

use std::fmt;
use std::str::FromStr;

use gamegrove_game::{Game, Move, Rng, Role};

use crate::reasoner::unknown;

/// Which agent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentSpec {
    /// Picks each legal move equally often.
    Random,
}

impl AgentSpec {
    /// All there are.
    pub const ALL: [AgentSpec; 1] = [AgentSpec::Random];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            AgentSpec::Random => "random",
        }
    }

    /// The agent, with its own stream of random numbers.
    pub fn build<G: Game>(self, rng: Rng) -> Box<dyn Agent<G>> {
        match self {
            AgentSpec::Random => Box::new(Random(rng)),
        }
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for AgentSpec {
    type Err = String;

    fn from_str(name: &str) -> Result<AgentSpec, String> {
        let known = AgentSpec::ALL.into_iter().find(|agent| agent.name() == name);
        known.ok_or_else(|| unknown("agent", name, &AgentSpec::ALL.map(AgentSpec::name)))
    }
}

/// Somebody who chooses moves.
pub trait Agent<G: Game> {
    /// One of the legal moves of `role` in `state`; `None` only if there is none.
    fn choose(
        &mut self,
        game: &mut G,
        state: &G::State,
        role: Role,
        legal: &[Move],
    ) -> Option<Move>;
}

struct Random(Rng);

impl<G: Game> Agent<G> for Random {
    fn choose(&mut self, _: &mut G, _: &G::State, _: Role, legal: &[Move]) -> Option<Move> {
        self.0.pick(legal)
    }
}
