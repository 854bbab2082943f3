//! A game of a known type behind the face of any game.

use std::any::Any;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::matches::{MatchRules, Terms, play_until_called_off, seat_seeds};
use gamegrove_agents::{Agent, AgentError, Budget, Maker, Player, Value};
use gamegrove_game::{
    BoxedLanes, Describe, Fault, Game, Goal, Guarded, Move, Perft, Rng, Role, walk,
};

use super::guest::{Seat, Seated, Taste, Unsteered};
use super::look::Look;
use super::play_outs::{PlayOuts, PlayOutsWanted, play_outs};
use super::show::Show;
use super::steered::Steered;
use super::{AnyGame, AnyPlayer, AnyPosition, Decided, Played, Spend, StopFlag};

/// What all positions of a game share.
pub(super) struct Setup<G: Describe, A> {
    name: String,
    roles: Vec<String>,
    /// Answers short questions; long work gets a clone.
    worker: Mutex<G>,
    lanes: Mutex<Option<BoxedLanes<G::State>>>,
    maker: Maker<G>,
    show: A,
}

/// A position of a game of a known type.
pub(super) struct At<G: Describe, A> {
    pub(super) setup: Arc<Setup<G, A>>,
    pub(super) state: G::State,
}

/// A game of a known type.
pub(super) struct Held<G: Describe, A>(pub(super) Arc<Setup<G, A>>);

impl<G: Describe, A> Setup<G, A> {
    pub(super) fn new(
        name: &str,
        game: G,
        lanes: Option<BoxedLanes<G::State>>,
        show: A,
    ) -> Arc<Setup<G, A>>
    where
        G: 'static,
    {
        Setup::played_by(Agent::player_on, name, game, lanes, show)
    }

    /// As [`new`](Setup::new), of a game whose players `maker` makes.
    pub(super) fn played_by(
        maker: Maker<G>,
        name: &str,
        game: G,
        lanes: Option<BoxedLanes<G::State>>,
        show: A,
    ) -> Arc<Setup<G, A>> {
        Arc::new(Setup {
            name: name.to_owned(),
            roles: Role::all(game.role_count()).map(|role| game.role_name(role)).collect(),
            worker: Mutex::new(game),
            lanes: Mutex::new(lanes),
            maker,
            show,
        })
    }

    fn worker(&self) -> MutexGuard<'_, G> {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker for long work.
    fn another(&self) -> G {
        self.worker().clone()
    }

    fn lanes(&self) -> Option<BoxedLanes<G::State>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl<G, A> Setup<G, A>
where
    G: Describe + 'static,
    A: Show<G> + 'static,
{
    /// Someone who plays a role of this game.
    pub(super) fn agent(
        self: &Arc<Self>,
        agent: &Agent,
        taste: Option<&Taste>,
        role: Role,
        seed: u64,
    ) -> Result<Box<dyn Player<G>>, AgentError> {
        let Some(taste) = taste else {
            return (self.maker)(agent, self.another(), self.lanes(), role, seed);
        };
        let game = Arc::new(Held(Arc::clone(self)));
        let steered = Steered::new(game, Arc::clone(taste));
        let player = plain(agent).player(steered, role, seed)?;
        Ok(Box::new(Unsteered { setup: Arc::clone(self), player }))
    }

    /// A state as a position.
    pub(super) fn at(self: &Arc<Self>, state: &G::State) -> Arc<dyn AnyPosition> {
        Arc::new(At { setup: Arc::clone(self), state: state.clone() })
    }

    /// The players of a match, with a seed for each.
    pub(super) fn seated(
        self: &Arc<Self>,
        seats: Vec<Seat>,
        seeds: impl Iterator<Item = u64>,
    ) -> Result<Vec<Box<dyn Player<G>>>, AgentError> {
        assert_eq!(seats.len(), self.roles.len(), "every role has a seat");
        let roles = Role::all(seats.len());
        let seat = |((role, seat), seed)| -> Result<Box<dyn Player<G>>, AgentError> {
            match seat {
                Seat::Agent(agent, taste) => self.agent(&agent, taste.as_ref(), role, seed),
                Seat::Guest(_, guest) => {
                    Ok(Box::new(Seated { setup: Arc::clone(self), role, guest }))
                }
            }
        };
        roles.zip(seats).zip(seeds).map(seat).collect()
    }
}

/// The agent with play-outs in which all moves are equally likely: those ask the game for their moves.
fn plain(agent: &Agent) -> Agent {
    let mut plain = agent.clone();
    let parts = std::iter::once(&mut plain.part).chain(&mut plain.video);
    for part in parts.filter(|part| part.name == "mcts") {
        part.options.retain(|(key, _)| key != "playout");
        part.options.push(("playout".to_owned(), Value::from("random")));
    }
    plain
}

impl<G, A> AnyGame for Held<G, A>
where
    G: Describe + 'static,
    A: Show<G> + 'static,
{
    fn roles(&self) -> &[String] {
        &self.0.roles
    }

    fn move_bound(&self, role: Role) -> usize {
        self.0.worker().move_bound(role)
    }

    fn move_name(&self, role: Role, mov: Move) -> String {
        self.0.worker().move_name(role, mov)
    }

    fn find_move(&self, role: Role, name: &str) -> Option<Move> {
        self.0.worker().find_move(role, name)
    }

    fn start(&self, _seed: u64) -> Arc<dyn AnyPosition> {
        let state = self.0.worker().initial_state();
        Arc::new(At { setup: Arc::clone(&self.0), state })
    }

    fn lanes(&self) -> usize {
        self.0.lanes().map_or(0, |lanes| lanes.width())
    }

    fn shape(&self) -> Option<Vec<usize>> {
        self.0.show.shape()
    }

    fn shape_names(&self) -> Vec<String> {
        self.0.show.shape_names(&self.0.worker())
    }

    fn player(
        &self,
        agent: &Agent,
        taste: Option<&Taste>,
        role: Role,
        seed: u64,
    ) -> Result<Box<dyn AnyPlayer>, AgentError> {
        let player = self.0.agent(agent, taste, role, seed)?;
        Ok(Box::new(Thinking { setup: Arc::clone(&self.0), player, rng: Rng::stream(seed, 1) }))
    }

    fn play(
        &self,
        seats: Vec<Seat>,
        rules: &MatchRules,
        stop: &StopFlag,
    ) -> Result<Played, AgentError> {
        let terms = Terms {
            game: self.0.name.clone(),
            players: seats.iter().map(|seat| seat.name().to_owned()).collect(),
            clocks: rules.clocks,
            step_limit: rules.step_limit,
            seed: rules.seed,
            facts: rules.facts,
        };
        let mut players = self.0.seated(seats, seat_seeds(rules.seed))?;
        let mut game = self.0.another();
        Ok(Played::Board(play_until_called_off(&mut game, &mut players, &[], &terms, stop)))
    }
}

impl<G, A> AnyPosition for At<G, A>
where
    G: Describe + 'static,
    A: Show<G> + 'static,
{
    fn look(&self) -> Result<Look, Fault> {
        let mut game = self.setup.worker();
        let look = Look::at(&mut *game, &self.state);
        sound(&mut *game, look)
    }

    fn after(&self, joint: &[Move]) -> Result<Arc<dyn AnyPosition>, Fault> {
        let mut game = self.setup.worker();
        let mut next = self.state.clone();
        game.apply(&self.state, joint, &mut next);
        let next = sound(&mut *game, next)?;
        drop(game);
        Ok(Arc::new(At { setup: Arc::clone(&self.setup), state: next }))
    }

    fn goals(&self) -> Result<Vec<f32>, Fault> {
        let mut game = self.setup.worker();
        let mut goals = vec![Goal::default(); self.setup.roles.len()];
        game.goals(&self.state, &mut goals);
        sound(&mut *game, goals.iter().map(|goal| goal.0).collect())
    }

    fn scores(&self) -> Option<Vec<f64>> {
        let senses = self.setup.worker().senses()?;
        let roles = Role::all(self.setup.roles.len());
        Some(roles.map(|role| senses.score(&self.state, role)).collect())
    }

    fn facts(&self) -> Vec<String> {
        self.setup.worker().facts(&self.state)
    }

    fn text(&self) -> String {
        let game = self.setup.another();
        self.setup.show.text(&game, &self.state)
    }

    fn svg(&self, last: Option<(&dyn AnyPosition, &[Move])>, title: &str) -> Option<String> {
        let last = last.and_then(|(before, joint)| {
            let before = before.as_any().downcast_ref::<Self>()?;
            Some((&before.state, joint))
        });
        let game = self.setup.another();
        self.setup.show.svg(&game, &self.state, last, title)
    }

    fn observe(&self, seen: &mut Vec<u8>) -> bool {
        let Some(shape) = self.setup.show.shape() else { return false };
        seen.clear();
        seen.resize(shape.iter().product(), 0);
        self.setup.show.observe(&self.setup.worker(), &self.state, seen);
        true
    }

    fn perft(&self, depth: u32, stop: &StopFlag) -> Result<Option<Perft>, Fault> {
        let mut game = Guarded::new(self.setup.another(), stop);
        match walk::count(&mut game, &self.state, depth, 1, &mut |_, _| ()) {
            Err(Fault::Stopped) => Ok(None),
            found => found.map(Some),
        }
    }

    fn play_outs(
        &self,
        wanted: &PlayOutsWanted,
        into: PlayOuts<'_>,
        stop: &StopFlag,
    ) -> Result<(), Fault> {
        let lanes = self.setup.lanes();
        play_outs(&self.setup.another(), lanes.as_ref(), &self.state, wanted, into, stop)
    }

    fn with_chance(&self, rng: &mut Rng) -> Arc<dyn AnyPosition> {
        let mut state = self.state.clone();
        self.setup.worker().resample(&mut state, rng);
        Arc::new(At { setup: Arc::clone(&self.setup), state })
    }

    fn equals(&self, other: &dyn AnyPosition) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| {
            Arc::ptr_eq(&self.setup, &other.setup) && self.state == other.state
        })
    }

    fn digest(&self) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one(&self.state)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// An answer, unless the game hit a limit while it was worked out.
fn sound<G: Game, T>(game: &mut G, answer: T) -> Result<T, Fault> {
    game.take_fault().map_or(Ok(answer), Err)
}

/// Someone who plays a role of a game of a known type.
struct Thinking<G: Describe, A> {
    setup: Arc<Setup<G, A>>,
    player: Box<dyn Player<G>>,
    rng: Rng,
}

impl<G, A> AnyPlayer for Thinking<G, A>
where
    G: Describe + 'static,
    A: Show<G> + 'static,
{
    fn choose(
        &mut self,
        position: &dyn AnyPosition,
        spend: Spend,
        stop: &StopFlag,
    ) -> Option<Decided> {
        let at = position.as_any().downcast_ref::<At<G, A>>()?;
        if !Arc::ptr_eq(&at.setup, &self.setup) {
            return None;
        }
        let mut state = at.state.clone();
        // Nobody foresees chance.
        self.setup.worker().resample(&mut state, &mut self.rng);
        let start = Instant::now();
        let budget = match (spend.time.and_then(|time| start.checked_add(time)), spend.simulations)
        {
            (Some(end), Some(count)) => Budget::until(end).and_simulations(count),
            (Some(end), None) => Budget::until(end),
            (None, Some(count)) => Budget::simulations(count),
            (None, None) => Budget::simulations(0),
        };
        let mov = self.player.choose(&state, &budget.and_unless(stop));
        Some(Decided { mov, report: self.player.report(), taken: start.elapsed() })
    }

    fn played(&mut self, joint: &[Move]) {
        self.player.played(joint);
    }
}
