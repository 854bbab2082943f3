//! Matches between agents, written in Python or not.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use gamegrove_agents::AgentError;
use gamegrove_game::Rng;
use gamegrove_game::Role;
use gamegrove_play::matches::{Clocks, Ending, MatchRules, Tally, add_match, assignments, group};
use gamegrove_play::{
    Board, Hooks, Played, Player, Seat, StopFlag, play as play_match, player_seeds,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::agent::{Agent, duration};
use crate::error::{MOST_ROLES, items, said};
use crate::game::Game;
use crate::guest::{PythonGuest, playout};
use crate::interrupt::{self, Trouble};

/// Somebody who can take a seat, as often as wished.
enum Contestant {
    Agent(gamegrove_agents::Agent, Option<Py<PyAny>>),
    Python(String, Py<PyAny>),
}

impl Contestant {
    fn meant(agent: &Bound<'_, PyAny>) -> PyResult<Contestant> {
        let py = agent.py();
        if let Some(meant) = Agent::meant(agent)? {
            let agent = meant.get();
            return Ok(Contestant::Agent(agent.description.clone(), agent.playout(py)));
        }
        if !agent.hasattr("choose")? && !agent.is_callable() {
            let help = "an agent is an Agent, its name, an object with a method `choose`, or a \
                        function of state and role";
            return Err(PyTypeError::new_err(help));
        }
        let name = match agent.getattr_opt("name")? {
            Some(name) => name.str()?.to_string_lossy().into_owned(),
            None if agent.hasattr("choose")? => agent.get_type().name()?.to_string(),
            None => match agent.getattr_opt("__name__")? {
                Some(name) => name.str()?.to_string_lossy().into_owned(),
                None => agent.get_type().name()?.to_string(),
            },
        };
        Ok(Contestant::Python(name, agent.clone().unbind()))
    }

    fn name(&self) -> &str {
        match self {
            Contestant::Agent(agent, _) => &agent.name,
            Contestant::Python(name, _) => name,
        }
    }

    fn is_python(&self) -> bool {
        !matches!(self, Contestant::Agent(_, None))
    }

    /// The player of a role, which has a seed of its own.
    fn seat(&self, order: &Order, role: Role, own: u64) -> Result<Seat, AgentError> {
        let with = |object: &Py<PyAny>| {
            Python::attach(|py| (object.clone_ref(py), order.game.clone_ref(py)))
        };
        let player: Box<dyn Player> = match self {
            Contestant::Agent(agent, policy) => {
                let policy = policy.as_ref().map(|policy| {
                    let (policy, game) = with(policy);
                    playout(policy, game, &order.trouble)
                });
                let hooks = Hooks { playout: policy };
                order.board.player(agent, role, own, &hooks)?
            }
            Contestant::Python(_, agent) => {
                let (agent, game) = with(agent);
                Box::new(PythonGuest::new(agent, game, role, &order.trouble))
            }
        };
        Ok(Seat::new(self.name(), player))
    }
}

/// Everything a match depends on but its seed.
struct Order {
    game: Py<Game>,
    board: Arc<dyn Board>,
    contestants: Vec<Contestant>,
    clocks: Clocks,
    step_limit: usize,
    facts: bool,
    trouble: Arc<Trouble>,
}

impl Order {
    fn play(&self, seats: &[usize], seed: u64, stop: &StopFlag) -> Result<Played, AgentError> {
        let (clocks, step_limit, facts) = (self.clocks, self.step_limit, self.facts);
        let rules = MatchRules { clocks, step_limit, seed, facts };
        let roles = Role::all(seats.len());
        let own = player_seeds(&self.board, seed);
        let seated = roles.zip(seats).zip(own);
        let seated =
            seated.map(|((role, &agent), own)| self.contestants[agent].seat(self, role, own));
        let mut seated = seated.collect::<Result<Vec<_>, _>>()?;
        // A worker of its own: matches side by side do not wait for each other.
        Ok(play_match(&self.board.another(), &mut seated, &rules, None, stop))
    }
}

fn clocks(
    seconds: Option<f64>,
    simulations: Option<u64>,
    start_seconds: f64,
    ponder: bool,
) -> PyResult<Clocks> {
    let start = duration(start_seconds)?;
    let clocks = match (seconds, simulations) {
        (Some(_), Some(_)) => {
            return Err(said("a match is played by seconds or by simulations, not by both"));
        }
        (None, Some(count)) => Clocks::simulations(count),
        (seconds, None) => Clocks::time(start, duration(seconds.unwrap_or(1.0))?),
    };
    Ok(Clocks { ponder, ..clocks })
}

/// How long a match that was interrupted is waited for.
const PATIENCE: Option<Duration> = Some(Duration::from_secs(5));

/// A value as Python objects, by way of JSON.
pub fn told<'py>(py: Python<'py>, value: &serde_json::Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value.to_string(),))
}

fn in_json(value: serde_json::Result<serde_json::Value>) -> PyResult<serde_json::Value> {
    value.map_err(said)
}

/// Plays one match, one agent per role in the order of roles; returns its record. A game may be given by its
/// name.
#[pyfunction]
#[pyo3(signature = (game, agents, *, seconds=None, simulations=None, start_seconds=0.0, seed=1,
                    step_limit=10_000, ponder=true, facts=false))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn play<'py>(
    game: &Bound<'py, PyAny>,
    agents: &Bound<'py, PyAny>,
    seconds: Option<f64>,
    simulations: Option<u64>,
    start_seconds: f64,
    seed: u64,
    step_limit: usize,
    ponder: bool,
    facts: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = game.py();
    let game = &Game::meant(game)?;
    let agents = items(agents, MOST_ROLES, Ok)?;
    let board = Arc::clone(&game.get().board);
    let roles = board.about().roles.len();
    if agents.len() != roles {
        let (name, count) = (&game.get().name, agents.len());
        return Err(said(format!(
            "{name} has {roles} roles: give one agent for each, not {count}"
        )));
    }
    let order = Order {
        game: game.clone().unbind(),
        board,
        contestants: agents.iter().map(Contestant::meant).collect::<PyResult<_>>()?,
        clocks: clocks(seconds, simulations, start_seconds, ponder)?,
        step_limit,
        facts,
        trouble: Arc::default(),
    };
    let trouble = Arc::clone(&order.trouble);
    let seats: Vec<usize> = (0..roles).collect();
    let played =
        interrupt::run_with(py, &trouble, PATIENCE, move |stop| order.play(&seats, seed, stop))?;
    let record = played.map_err(said)?;
    told(py, &in_json(serde_json::to_value(&record))?)
}

/// Plays many matches in which all agents hold all roles equally often; returns their results. Equal
/// seeds give the matches that `grove match` plays. Agents written in Python play one match at a time.
#[pyfunction]
#[pyo3(signature = (game, agents, *, runs=100, seconds=None, simulations=None, start_seconds=0.0,
                    seed=1, step_limit=10_000, ponder=true, threads=1))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn tournament<'py>(
    game: &Bound<'py, PyAny>,
    agents: &Bound<'py, PyAny>,
    runs: usize,
    seconds: Option<f64>,
    simulations: Option<u64>,
    start_seconds: f64,
    seed: u64,
    step_limit: usize,
    ponder: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let py = game.py();
    let game = &Game::meant(game)?;
    let agents = items(agents, MOST_ROLES, Ok)?;
    if agents.is_empty() || agents.len() > MOST_AGENTS {
        return Err(said(format!("a tournament has 1 to {MOST_AGENTS} agents")));
    }
    if runs == 0 {
        return Err(said("a tournament has at least one match"));
    }
    let board = Arc::clone(&game.get().board);
    let roles = board.about().roles.len();
    if ways(agents.len(), roles) > MOST_WAYS {
        let name = &game.get().name;
        return Err(said(format!("{name} has too many roles for so many agents; name fewer")));
    }
    let order = Order {
        game: game.clone().unbind(),
        board,
        contestants: agents.iter().map(Contestant::meant).collect::<PyResult<_>>()?,
        clocks: clocks(seconds, simulations, start_seconds, ponder)?,
        step_limit,
        facts: false,
        trouble: Arc::default(),
    };
    let python = order.contestants.iter().any(Contestant::is_python);
    let threads = if python { 1 } else { threads.min(runs).clamp(1, 1024) };
    let trouble = Arc::clone(&order.trouble);
    let names: Vec<String> = order.contestants.iter().map(|c| c.name().to_owned()).collect();
    let ways = assignments(names.len(), roles);
    let runs = runs.div_ceil(ways.len()) * ways.len();
    let seats = ways.clone();
    let played = interrupt::run_with(py, &trouble, PATIENCE, move |stop| {
        let one = |run: usize| {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let seed = Rng::stream(seed, run as u64).next_u64();
            let record = order.play(&seats[run % seats.len()], seed, stop)?;
            let (offences, unfinished) = match &record {
                Played::Board(board) => (board.offences.len(), board.ending == Ending::StepLimit),
                Played::Video(_) => (0, false),
            };
            Ok(Some((record.goals(), offences, unfinished)))
        };
        if threads == 1 {
            return Ok((0..runs).map(one).collect::<Result<Vec<_>, _>>());
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map(|pool| pool.install(|| (0..runs).into_par_iter().map(one).collect()))
    })?;
    let played: Vec<Option<(Vec<_>, usize, bool)>> =
        played.map_err(said)?.map_err(|error: AgentError| said(error))?;
    let mut tallies = vec![Tally::default(); names.len()];
    let (mut offences, mut unfinished) = (0, 0);
    for (run, played) in played.iter().enumerate() {
        if let Some((goals, replaced, cut)) = played {
            offences += replaced;
            unfinished += usize::from(*cut);
            add_match(&mut tallies, group(&ways, run), &ways[run % ways.len()], goals);
        }
    }
    let standings = tallies.iter().zip(&names).map(|(tally, name)| tally.standing(name));
    let standings = in_json(serde_json::to_value(standings.collect::<Vec<_>>()))?;
    let name = &game.get().name;
    told(
        py,
        &serde_json::json!({
            "game": name,
            "runs": runs,
            "agents": standings,
            "offences": offences,
            "unfinished": unfinished,
            "seed": seed,
        }),
    )
}

/// More agents than this would never meet often enough.
const MOST_AGENTS: usize = 64;
/// More ways to share the roles than this cannot all be played.
const MOST_WAYS: f64 = 1e6;

/// At most how many ways there are to share the roles.
fn ways(agents: usize, roles: usize) -> f64 {
    (agents as f64).powi(i32::try_from(roles).unwrap_or(i32::MAX))
}
