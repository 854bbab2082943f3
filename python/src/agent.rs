//! Agents, and what they decide.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use gamegrove_agents::{Agent as Description, Report};
use gamegrove_game::{Move, Role};
use gamegrove_play::agent::read_agent;
use gamegrove_play::{Board, Budget, Hooks, Player as Plays};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::{MOST_ROLES, items, said};
use crate::game::Game;
use crate::guest::playout;
use crate::interrupt::{self, Trouble};
use crate::state::State;

/// Somebody who plays: a named agent, a one-line spec, or a TOML file; its play-outs may follow a
/// Python function.
#[pyclass(frozen, module = "gamegrove")]
pub struct Agent {
    pub description: Description,
    playout: Option<Py<PyAny>>,
}

impl Agent {
    fn with(description: Description, playout: Option<Py<PyAny>>) -> PyResult<Agent> {
        if playout.is_some() && description.part.name != "mcts" {
            let help = "only agents of the kind mcts have play-outs that a function can steer";
            return Err(said(format!("{}: {help}", description.name)));
        }
        Ok(Agent { description, playout })
    }

    pub fn playout(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.playout.as_ref().map(|policy| policy.clone_ref(py))
    }

    /// The agent that somebody means by an agent or its name; nothing for other objects.
    pub fn meant(agent: &Bound<'_, PyAny>) -> PyResult<Option<Py<Agent>>> {
        if let Ok(agent) = agent.cast::<Agent>() {
            return Ok(Some(agent.clone().unbind()));
        }
        let Ok(text) = agent.extract::<String>() else { return Ok(None) };
        let description = read_agent(&text).map_err(said)?;
        Ok(Some(Py::new(agent.py(), Agent::with(description, None)?)?))
    }
}

#[pymethods]
impl Agent {
    #[new]
    #[pyo3(signature = (text, *, playout=None))]
    fn new(text: &str, playout: Option<Py<PyAny>>) -> PyResult<Agent> {
        Agent::with(read_agent(text).map_err(said)?, playout)
    }

    /// An agent from the text of a TOML file.
    #[staticmethod]
    #[pyo3(signature = (text, *, name="agent", playout=None))]
    fn from_toml(text: &str, name: &str, playout: Option<Py<PyAny>>) -> PyResult<Agent> {
        Agent::with(Description::from_toml(name, text).map_err(said)?, playout)
    }

    /// What it is called.
    #[getter]
    fn name(&self) -> &str {
        &self.description.name
    }

    /// What it is made of, as a one-line spec.
    #[getter]
    fn spec(&self) -> String {
        self.description.part.to_string()
    }

    /// What it does, in one sentence.
    #[getter]
    fn sentence(&self) -> &str {
        &self.description.sentence
    }

    /// The agent as the text of a TOML file.
    fn to_toml(&self) -> String {
        self.description.to_toml()
    }

    /// Searches a state once: the move for `role` (whose turn it is if none is given), with what the
    /// search found. Without a budget one second.
    #[pyo3(signature = (state, *, seconds=None, simulations=None, role=None, seed=0))]
    fn choose(
        &self,
        py: Python<'_>,
        state: &Bound<'_, State>,
        seconds: Option<f64>,
        simulations: Option<u64>,
        role: Option<&Bound<'_, PyAny>>,
        seed: u64,
    ) -> PyResult<Decision> {
        let role = state.get().role(role)?;
        let game = state.get().game();
        let own = state.getattr("game")?.cast_into::<Game>()?.unbind();
        let player = self.make(py, own, role, seed)?;
        player.decide(py, state.get(), game, budget(seconds, simulations)?)
    }

    /// Someone who plays a role of a whole game as this agent does, and remembers what it searched.
    #[pyo3(signature = (game, *, role=None, seed=0))]
    fn player(
        &self,
        py: Python<'_>,
        game: &Bound<'_, Game>,
        role: Option<&Bound<'_, PyAny>>,
        seed: u64,
    ) -> PyResult<Player> {
        let role = role.map_or(Ok(Role(0)), |role| game.get().role(role))?;
        self.make(py, game.clone().unbind(), role, seed)
    }

    fn __repr__(&self) -> String {
        format!("Agent({:?})", self.description.name)
    }

    /// It never changes, so it is its own copy.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let own = slf.get();
        let restore = slf.py().get_type::<Agent>().getattr("_restore")?;
        let text = own.description.to_toml();
        Ok((restore, (text, own.description.name.clone(), own.playout(slf.py()))))
    }

    #[staticmethod]
    fn _restore(text: &str, name: &str, playout: Option<Py<PyAny>>) -> PyResult<Agent> {
        Agent::from_toml(text, name, playout)
    }
}

impl Agent {
    fn make(&self, py: Python<'_>, game: Py<Game>, role: Role, seed: u64) -> PyResult<Player> {
        let board = Arc::clone(&game.get().board);
        let trouble = Arc::<Trouble>::default();
        let policy = self.playout(py).map(|policy| playout(policy, game, &trouble));
        let hooks = Hooks { playout: policy };
        let (agent, own) = (self.description.clone(), Arc::clone(&board));
        let player =
            interrupt::run(py, move |_| board.player(&agent, role, seed, &hooks))?.map_err(said)?;
        Ok(Player { player: Arc::new(Mutex::new(player)), board: own, role, trouble })
    }
}

/// What may be spent on a decision.
pub fn budget(seconds: Option<f64>, simulations: Option<u64>) -> PyResult<Budget> {
    let time = seconds.map(duration).transpose()?;
    let counted = simulations.map(Budget::simulations);
    Ok(match (time, counted) {
        (Some(time), Some(counted)) => counted.and_time(time),
        (None, Some(counted)) => counted,
        (time, None) => Budget::time(time.unwrap_or(Duration::from_secs(1))),
    })
}

/// A time in seconds.
pub fn duration(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|time| time.as_secs() < 1 << 32)
        .ok_or_else(|| said(format!("{seconds} is no number of seconds to wait")))
}

/// Someone who plays a role of a game.
#[pyclass(frozen, module = "gamegrove")]
pub struct Player {
    player: Arc<Mutex<Box<dyn Plays>>>,
    board: Arc<dyn Board>,
    role: Role,
    trouble: Arc<Trouble>,
}

impl Player {
    fn decide(
        &self,
        py: Python<'_>,
        state: &State,
        game: &Game,
        budget: Budget,
    ) -> PyResult<Decision> {
        if !self.board.knows(&state.at) {
            return Err(PyTypeError::new_err("a state of another game"));
        }
        let (at, player) = (state.at.clone(), Arc::clone(&self.player));
        let patience = Some(Duration::from_secs(2));
        let decided = interrupt::run_with(py, &self.trouble, patience, move |stop| {
            let mut player = player.lock().unwrap_or_else(PoisonError::into_inner);
            let start = Instant::now();
            let mov = player.choose(&at, &budget.with_stop(stop));
            Decided { mov, report: player.report(), taken: start.elapsed() }
        })?;
        Decision::new(py, &decided, game, self.role)
    }
}

#[pymethods]
impl Player {
    /// The role it plays.
    #[getter]
    fn role(&self) -> u8 {
        self.role.0
    }

    /// The move to play in a state, with what the search found. Without a budget one second.
    #[pyo3(signature = (state, *, seconds=None, simulations=None))]
    fn choose(
        &self,
        py: Python<'_>,
        state: &Bound<'_, State>,
        seconds: Option<f64>,
        simulations: Option<u64>,
    ) -> PyResult<Decision> {
        let state = state.get();
        self.decide(py, state, state.game(), budget(seconds, simulations)?)
    }

    /// Says what all roles played, so that the next search goes on where this one was. Waits for a search
    /// that is under way.
    fn played(&self, py: Python<'_>, joint: &Bound<'_, PyAny>) -> PyResult<()> {
        let joint: Vec<Move> = items(joint, MOST_ROLES, |mov| mov.extract().map(Move))?;
        let roles = Role::all(self.board.about().roles.len());
        if joint.len() != roles.len() {
            let (given, wanted) = (joint.len(), roles.len());
            return Err(said(format!("A joint move has {wanted} moves, not {given}")));
        }
        let unknown = |&(role, mov): &(Role, &Move)| mov.index() >= self.board.move_bound(role);
        if let Some((role, mov)) = roles.zip(&joint).find(unknown) {
            let name = &self.board.about().roles[role.index()];
            return Err(said(format!("{name} has no move {}", mov.0)));
        }
        let player = Arc::clone(&self.player);
        interrupt::run(py, move |_| {
            player.lock().unwrap_or_else(PoisonError::into_inner).played(&joint);
        })
    }
}

/// What a player decided.
struct Decided {
    mov: Option<Move>,
    report: Option<Report>,
    taken: Duration,
}

/// What an agent decided, and what its search found.
#[pyclass(frozen, module = "gamegrove")]
pub struct Decision {
    /// The move.
    #[pyo3(get, name = "move")]
    mov: u32,
    /// The move's name.
    #[pyo3(get)]
    name: String,
    /// How long it took.
    #[pyo3(get)]
    seconds: f64,
    /// Simulations.
    #[pyo3(get)]
    simulations: u64,
    /// Nodes in the tree.
    #[pyo3(get)]
    nodes: usize,
    /// Steps that simulations went within the tree, at most.
    #[pyo3(get)]
    depth: usize,
    /// Memory of tree and statistics, in bytes.
    #[pyo3(get)]
    bytes: usize,
    moves: Vec<Py<MoveStatistics>>,
}

/// What a search found about a move.
#[pyclass(frozen, module = "gamegrove")]
pub struct MoveStatistics {
    /// The move.
    #[pyo3(get, name = "move")]
    mov: u32,
    /// Its name.
    #[pyo3(get)]
    name: String,
    /// Simulations that began with it.
    #[pyo3(get)]
    visits: u32,
    /// Their mean goal, from 0 to 100.
    #[pyo3(get)]
    mean: Option<f64>,
    /// Half the width of the 95 % interval of the mean.
    #[pyo3(get)]
    interval: Option<f64>,
    /// What is expected to follow, beginning with this move.
    #[pyo3(get)]
    line: Vec<Vec<String>>,
}

impl Decision {
    fn new(py: Python<'_>, decided: &Decided, game: &Game, role: Role) -> PyResult<Decision> {
        let board = &game.board;
        let Some(mov) = decided.mov else {
            let name = &board.about().roles[role.index()];
            return Err(said(format!("{name} has no legal move here")));
        };
        let report = decided.report.as_ref();
        let statistics = |found: &gamegrove_search::MoveReport| {
            let step = |step: &Vec<(Role, Move)>| {
                step.iter().map(|&(role, mov)| board.move_name(role, mov)).collect()
            };
            let found = MoveStatistics {
                mov: found.mov.0,
                name: board.move_name(role, found.mov),
                visits: found.visits,
                mean: found.mean,
                interval: found.half_width,
                line: found.line.iter().map(step).collect(),
            };
            Py::new(py, found)
        };
        let moves = report.iter().flat_map(|report| &report.moves).map(statistics);
        Ok(Decision {
            mov: mov.0,
            name: board.move_name(role, mov),
            seconds: decided.taken.as_secs_f64(),
            simulations: report.map_or(0, |report| report.simulations),
            nodes: report.map_or(0, |report| report.nodes),
            depth: report.map_or(0, |report| report.depth),
            bytes: report.map_or(0, |report| report.bytes),
            moves: moves.collect::<PyResult<_>>()?,
        })
    }
}

#[pymethods]
impl Decision {
    /// What was found about each move, the most visited first.
    #[getter]
    fn moves(&self, py: Python<'_>) -> Vec<Py<MoveStatistics>> {
        self.moves.iter().map(|found| found.clone_ref(py)).collect()
    }

    /// Simulations per second.
    #[getter]
    fn simulations_per_second(&self) -> f64 {
        self.simulations as f64 / self.seconds.max(1e-9)
    }

    fn __repr__(&self) -> String {
        let (name, simulations, seconds) = (&self.name, self.simulations, self.seconds);
        format!("<{name} after {simulations} simulations in {seconds:.3} s>")
    }
}

#[pymethods]
impl MoveStatistics {
    fn __repr__(&self) -> String {
        let mean = self.mean.map_or("-".to_owned(), |mean| format!("{mean:.1}"));
        format!("<{}: {} visits, mean {mean}>", self.name, self.visits)
    }
}

/// What it is made of, to be made again elsewhere.
type Pickled = (String, String, Option<Py<PyAny>>);
