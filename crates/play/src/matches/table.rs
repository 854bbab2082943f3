//! A table: a game made ready, at which agents play whole matches. Whoever runs matches need not know
//! the game's type, and its code is compiled once.

use gamegrove_agents::{Agent, AgentError, Player};
use gamegrove_game::{BoxedLanes, Describe, Rng, Role};

use crate::matches::clock::Clocks;
use crate::matches::record::MatchRecord;
use crate::matches::referee::{Terms, play_uneven_match};
use crate::matches::visitor::{Host, Traveller, Visitor};

/// Rules of a match that do not depend on who plays.
#[derive(Clone, Copy, Debug)]
pub struct MatchRules {
    /// The clocks.
    pub clocks: Clocks,
    /// Steps after which the match is given up.
    pub step_limit: usize,
    /// What the match depends on, besides agents and these rules.
    pub seed: u64,
    /// Whether the facts of every state are recorded.
    pub facts: bool,
}

/// What the players of a match with this seed get as theirs, by role.
pub fn seat_seeds(seed: u64) -> impl Iterator<Item = u64> {
    let mut seeds = Rng::stream(seed, 0);
    std::iter::repeat_with(move || seeds.next_u64())
}

/// Who plays a role.
#[derive(Clone, Copy)]
pub struct Chair<'a> {
    /// The agent.
    pub agent: &'a Agent,
    /// The table of the same game that it thinks at, if not the one the match is played at.
    pub at: Option<&'a dyn Table>,
}

/// A game made ready for matches.
pub trait Table: Send {
    /// How many roles the game has.
    fn role_count(&self) -> usize;

    /// Whether `agent` can play here; the settings may ask for what the game does not have.
    fn admit(&self, agent: &Agent) -> Result<(), AgentError>;

    /// Plays one match; `seats` has one agent per role. Equal rules and seats give equal matches if
    /// the clocks count simulations, whatever was played here before.
    fn play(&mut self, seats: &[&Agent], rules: &MatchRules) -> Result<MatchRecord, AgentError> {
        self.play_uneven(seats, &[], rules)
    }

    /// As [`play`](Table::play), where each seat gets so many times the allowance of the clocks; once
    /// if `patience` says nothing.
    fn play_uneven(
        &mut self,
        seats: &[&Agent],
        patience: &[u32],
        rules: &MatchRules,
    ) -> Result<MatchRecord, AgentError> {
        let seats: Vec<Chair<'_>> = seats.iter().map(|agent| Chair { agent, at: None }).collect();
        self.play_seated(&seats, patience, rules)
    }

    /// As [`play_uneven`](Table::play_uneven), where some may think at tables of their own.
    fn play_seated(
        &mut self,
        seats: &[Chair<'_>],
        patience: &[u32],
        rules: &MatchRules,
    ) -> Result<MatchRecord, AgentError>;

    /// Someone who plays `role` as `agent` does, thinks with the game of this table, and plays at
    /// another one.
    fn visitor(&self, agent: &Agent, role: Role, seed: u64)
    -> Result<Box<dyn Visitor>, AgentError>;

    /// Another table for another thread.
    fn another(&self) -> Box<dyn Table>;
}

/// A [`Table`] for any game, with lanes where there are some.
#[derive(Clone)]
pub struct Seating<G: Describe> {
    name: String,
    game: G,
    lanes: Option<BoxedLanes<G::State>>,
}

impl<G: Describe> Seating<G> {
    /// A table for the game called `name`.
    pub fn new(name: &str, game: G, lanes: Option<BoxedLanes<G::State>>) -> Seating<G> {
        Seating { name: name.to_owned(), game, lanes }
    }
}

impl<G> Seating<G>
where
    G: Describe + 'static,
{
    fn player(
        &self,
        agent: &Agent,
        role: Role,
        seed: u64,
    ) -> Result<Box<dyn Player<G>>, AgentError> {
        agent.player_on(self.game.clone(), self.lanes.clone(), role, seed)
    }
}

impl<G> Table for Seating<G>
where
    G: Describe + 'static,
{
    fn role_count(&self) -> usize {
        self.game.role_count()
    }

    fn admit(&self, agent: &Agent) -> Result<(), AgentError> {
        agent.player(self.game.clone(), Role(0), 0).map(|_| ())
    }

    fn play_seated(
        &mut self,
        seats: &[Chair<'_>],
        patience: &[u32],
        rules: &MatchRules,
    ) -> Result<MatchRecord, AgentError> {
        let terms = Terms {
            game: self.name.clone(),
            players: seats.iter().map(|seat| seat.agent.name.clone()).collect(),
            clocks: rules.clocks,
            step_limit: rules.step_limit,
            seed: rules.seed,
            facts: rules.facts,
        };
        let players: Result<Vec<Box<dyn Player<G>>>, AgentError> = Role::all(seats.len())
            .zip(seats)
            .zip(seat_seeds(rules.seed))
            .map(|((role, seat), seed)| match seat.at {
                None => self.player(seat.agent, role, seed),
                Some(table) => {
                    let visitor = table.visitor(seat.agent, role, seed)?;
                    Ok(Box::new(Host::new(self.game.clone(), role, visitor)) as _)
                }
            })
            .collect();
        Ok(play_uneven_match(&mut self.game, &mut players?, patience, &terms))
    }

    fn visitor(
        &self,
        agent: &Agent,
        role: Role,
        seed: u64,
    ) -> Result<Box<dyn Visitor>, AgentError> {
        let player = self.player(agent, role, seed)?;
        Ok(Box::new(Traveller::new(self.game.clone(), role, player)))
    }

    fn another(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}
