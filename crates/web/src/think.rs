//! An agent thinks about a position, in slices, and tells what it has found so far.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use gamegrove_agents::{Agent, Maker};
use gamegrove_game::{BoxedLanes, Describe, Guarded, Move};
use gamegrove_search::OutlineNode;
use serde::Serialize;

use crate::brain::{Brain, Memory};
use crate::minds::Forget;

/// What to think about, and how long.
#[derive(Clone, Debug)]
pub struct Order {
    /// Who thinks.
    pub agent: Agent,
    /// For whom.
    pub role: usize,
    /// How long.
    pub time: Duration,
    /// What random choices depend on.
    pub seed: u64,
    /// Megabytes that the tree may take.
    pub megabytes: f64,
    /// Nodes of the tree to keep for people.
    pub nodes: usize,
    /// Whether the game has chance, so that states are played anew in every simulation.
    pub chance: bool,
    /// How long a planner may look around before its first move.
    pub prepare: Duration,
    /// How many moves are wanted, one after another; the time is for all of them.
    pub ahead: usize,
}

/// What a search has found so far.
#[derive(Clone, Debug, Serialize)]
pub struct Insight {
    /// Steps before the position.
    pub ply: usize,
    /// The role it thinks for.
    pub role: usize,
    /// Who thinks.
    pub agent: String,
    /// How long already.
    pub seconds: f64,
    /// Simulations.
    pub simulations: u64,
    /// Simulations per second.
    pub simulations_per_second: f64,
    /// States that these went through, per second.
    pub states_per_second: f64,
    /// Nodes in the tree.
    pub nodes: usize,
    /// How deep simulations went in the tree.
    pub depth: usize,
    /// The moves, the most visited first.
    pub moves: Vec<Candidate>,
    /// How many more there are.
    pub more: usize,
    /// Whether it goes on.
    pub done: bool,
}

/// A move that a search looks at.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// Its name.
    #[serde(rename = "move")]
    pub name: String,
    /// Simulations that began with it, those of earlier searches included that are remembered.
    pub visits: u32,
    /// Their mean goal.
    pub mean: Option<f64>,
    /// Half the width of the 95 % interval of the mean.
    pub interval: Option<f64>,
    /// What is expected to follow.
    pub line: Vec<String>,
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct Thought {
    /// The move; none if the work was stopped or there is none.
    pub mov: Option<String>,
    /// The moves after it, if more were wanted.
    pub after: Vec<String>,
    /// What the search found, if there was one.
    pub insight: Option<Insight>,
    /// The top of the tree.
    pub tree: Vec<OutlineNode>,
}

/// Someone who thinks about one position.
pub trait Thinker: Send {
    /// Thinks; `tell` hears now and then what was found so far.
    fn think(
        self: Box<Self>,
        order: &Order,
        tell: &mut dyn FnMut(Insight),
    ) -> Result<Thought, String>;

    /// Ends the work when it is set.
    fn stop(&self) -> Arc<AtomicBool>;

    /// What it remembers afterwards, if it does.
    fn memory(&self) -> Option<Weak<dyn Forget>>;
}

/// A position of a game of a known type, and what led to it.
pub struct Mind<G: Describe> {
    pub(crate) game: G,
    pub(crate) lanes: Option<BoxedLanes<G::State>>,
    /// Makes agents that do not search.
    pub(crate) maker: Maker<Guarded<G>>,
    pub(crate) state: G::State,
    /// Steps before the position.
    pub(crate) ply: usize,
    /// What was played since the memory was last used, with the state after each step.
    pub(crate) missed: Vec<(Vec<Move>, G::State)>,
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) memory: Option<Arc<Memory<G>>>,
}

impl<G> Thinker for Mind<G>
where
    G: Describe + 'static,
{
    fn think(
        self: Box<Self>,
        order: &Order,
        tell: &mut dyn FnMut(Insight),
    ) -> Result<Thought, String> {
        let Mind { game, lanes, maker, state, ply, missed, stop, memory } = *self;
        let mut held = memory.as_deref().and_then(Memory::hold);
        let mut forgotten = None;
        let slot = held.as_deref_mut().unwrap_or(&mut forgotten);
        let mut brain = match slot.take().filter(|brain| brain.follows(ply, &missed, &stop)) {
            Some(mut brain) => {
                brain.follow(&missed, &state);
                brain
            }
            None => Brain::new(Guarded::new(game, &stop), lanes, maker, &stop, &state, order)?,
        };
        let thought = brain.think(&state, order, tell);
        if stop.load(Ordering::Relaxed) {
            // What a stopped game says is worth nothing, and it stays stopped.
            return Ok(Thought::default());
        }
        brain.ply = ply;
        *slot = Some(brain);
        if let Some(memory) = &memory {
            memory.note(ply);
        }
        Ok(thought)
    }

    fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    fn memory(&self) -> Option<Weak<dyn Forget>> {
        self.memory.as_ref().map(|memory| -> Weak<dyn Forget> {
            let memory: Weak<Memory<G>> = Arc::downgrade(memory);
            memory
        })
    }
}
