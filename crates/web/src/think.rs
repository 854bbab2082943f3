//! An agent thinks about a position, in slices, and tells what it has found so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gamegrove_agents::{Agent, Budget, Part, Report, Stop};
use gamegrove_game::{Describe, Guarded, Lanes, Role};
use gamegrove_search::{OutlineNode, Team, Value};
use serde::Serialize;

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
    /// Ends the work when it is set.
    pub stop: Arc<AtomicBool>,
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
    /// Simulations that began with it.
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
}

/// A position of a game of a known type.
pub struct Mind<G: Describe, L> {
    pub(crate) game: G,
    pub(crate) lanes: Option<L>,
    pub(crate) state: G::State,
}

/// The moves that are told.
const TOLD: usize = 15;
/// The time between two tellings.
const SLICE: Duration = Duration::from_millis(250);

impl<G, L> Thinker for Mind<G, L>
where
    G: Describe + 'static,
    L: Lanes<State = G::State> + 'static,
{
    fn think(
        self: Box<Self>,
        order: &Order,
        tell: &mut dyn FnMut(Insight),
    ) -> Result<Thought, String> {
        let Mind { game, lanes, state } = *self;
        // What a game offers beyond the rules gets lost behind a guard, and games with it are quick.
        let special = game.move_types().is_some() || game.evaluation().is_some();
        if special || lanes.is_some() {
            return think_with(game, lanes, &state, order, tell);
        }
        let guarded = Guarded::new(game, &order.stop);
        think_with(guarded, lanes, &state, order, tell)
    }
}

fn think_with<G, L>(
    mut game: G,
    lanes: Option<L>,
    state: &G::State,
    order: &Order,
    tell: &mut dyn FnMut(Insight),
) -> Result<Thought, String>
where
    G: Describe + 'static,
    L: Lanes<State = G::State> + 'static,
{
    let role = Role(u8::try_from(order.role).unwrap_or(0));
    let thought = if order.agent.part.name == "mcts" {
        search(&mut game, lanes, state, role, order, tell)?
    } else {
        let mut player = order
            .agent
            .player_on(game.clone(), lanes, role, order.seed)
            .map_err(|error| error.to_string())?;
        let chosen = player.choose(state, &Budget::until(Instant::now() + order.time));
        Thought { mov: chosen.map(|mov| game.move_name(role, mov)), ..Thought::default() }
    };
    match order.stop.load(Ordering::Relaxed) {
        // What a stopped game says is worth nothing.
        true => Ok(Thought::default()),
        false => Ok(thought),
    }
}

fn search<G, L>(
    game: &mut G,
    lanes: Option<L>,
    state: &G::State,
    role: Role,
    order: &Order,
    tell: &mut dyn FnMut(Insight),
) -> Result<Thought, String>
where
    G: Describe + 'static,
    L: Lanes<State = G::State> + 'static,
{
    let part = within_limits(&order.agent.part, order);
    let mut team =
        Team::new(game, &part, order.seed).map_err(|error| error.to_string())?.for_role(role);
    let mut lanes: Vec<L> = match lanes {
        Some(lanes) if team.suits_lanes() => vec![lanes; team.len()],
        _ => Vec::new(),
    };
    team.set_root(state);
    let start = Instant::now();
    let deadline = start + order.time;
    loop {
        let until = deadline.min(Instant::now() + SLICE);
        let stop = team.run(&mut lanes, &Budget::until(until).and_unless(&order.stop));
        if stop != Stop::Time || Instant::now() >= deadline {
            break;
        }
        tell(insight(game, &team.report(role), role, order, start.elapsed(), false));
    }
    let mov = team.best_move(role).map(|mov| game.move_name(role, mov));
    let found = insight(game, &team.report(role), role, order, start.elapsed(), true);
    let top = team.first().most_visited(role, order.nodes);
    let tree = with_all_first_moves(top, team.first().outline(role, 1, order.nodes));
    Ok(Thought { mov, insight: Some(found), tree })
}

/// Adds to the top of a tree what is missing of its first moves: those that were hardly tried are of
/// interest too.
fn with_all_first_moves(mut top: Vec<OutlineNode>, first: Vec<OutlineNode>) -> Vec<OutlineNode> {
    for child in first.into_iter().skip(1) {
        let root = &top[0].children;
        if !root.iter().any(|&known| top[known].moves == child.moves) {
            let number = top.len();
            top[0].children.push(number);
            top.push(child);
        }
    }
    top
}

/// The settings of an agent with one thread and bounded memory; for games of chance an open tree.
fn within_limits(part: &Part, order: &Order) -> Part {
    let mut part = part.clone();
    let asked = match part.get("memory") {
        Some(Value::Number(megabytes)) => *megabytes,
        _ => f64::INFINITY,
    };
    part.options.retain(|(key, _)| key != "memory" && key != "threads" && key != "parallel");
    if order.chance && part.get("tree").is_none() {
        part = part.with("tree", "open");
    }
    part.with("memory", asked.min(order.megabytes))
}

fn insight<G: Describe>(
    game: &G,
    report: &Report,
    role: Role,
    order: &Order,
    taken: Duration,
    done: bool,
) -> Insight {
    let seconds = taken.as_secs_f64();
    let candidate = |found: &gamegrove_search::MoveReport| Candidate {
        name: game.move_name(role, found.mov),
        visits: found.visits,
        mean: found.mean,
        interval: found.half_width,
        line: found
            .line
            .iter()
            .skip(1)
            .take(4)
            .map(|step| {
                let names: Vec<String> =
                    step.iter().map(|&(role, mov)| game.move_name(role, mov)).collect();
                names.join(" ")
            })
            .filter(|step| !step.is_empty())
            .collect(),
    };
    Insight {
        ply: 0,
        role: order.role,
        agent: order.agent.name.clone(),
        seconds,
        simulations: report.simulations,
        simulations_per_second: report.simulations as f64 / seconds.max(1e-9),
        nodes: report.nodes,
        depth: report.depth,
        moves: report.moves.iter().take(TOLD).map(candidate).collect(),
        more: report.moves.len().saturating_sub(TOLD),
        done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_get_one_thread_and_bounded_memory() {
        let order = Order {
            agent: Agent::find("mcts(threads=8, memory=9000)").expect("an agent"),
            role: 0,
            time: Duration::ZERO,
            seed: 1,
            megabytes: 32.0,
            nodes: 10,
            chance: true,
            stop: Arc::default(),
        };
        let part = within_limits(&order.agent.part, &order);
        assert_eq!(part.to_string(), "mcts(tree=open, memory=32)");
        let small = Agent::find("mcts(memory=5)").expect("an agent");
        let part = within_limits(&small.part, &Order { chance: false, ..order });
        assert_eq!(part.to_string(), "mcts(memory=5)");
    }
}
