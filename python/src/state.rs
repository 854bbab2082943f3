//! Positions of a game. A state never changes: `apply` gives another one.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::{Arc, OnceLock};

use gamegrove_game::{Move, Role};
use gamegrove_play::{Board, PlayOuts, PlayOutsWanted, State as At, StopFlag, View};
use gamegrove_view::{TextStyle, Theme};
use numpy::PyArrayMethods;
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::array::{array, unwritten};
use crate::error::{MOST_ROLES, items, said};
use crate::game::{Game, number_of};
use crate::interrupt;

/// How a state was reached from the start of the game. Clones share their memory.
#[derive(Clone, Default)]
pub struct Course {
    last: Option<Arc<Event>>,
    /// The state before the last joint move. Earlier states are not kept: long games would fill the memory.
    before: Option<At>,
}

/// One event of a course, with the events before it.
struct Event {
    what: What,
    /// Joint moves up to here.
    steps: usize,
    earlier: Option<Arc<Event>>,
}

/// An event of a course.
#[derive(Clone)]
enum What {
    /// A joint move.
    Moved(Box<[Move]>),
    /// The chance to come was drawn anew from this seed.
    Drawn(u64),
}

impl Drop for Event {
    /// Frees the chain in a loop: in a long game the recursion would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.earlier.take();
        while let Some(event) = next {
            next = Arc::into_inner(event).and_then(|mut event| event.earlier.take());
        }
    }
}

impl Course {
    /// This course and a joint move that was made in the state `before`.
    pub fn moved(&self, before: At, joint: &[Move]) -> Course {
        self.with(What::Moved(joint.into()), self.steps() + 1, Some(before))
    }

    fn drawn(&self, seed: u64) -> Course {
        self.with(What::Drawn(seed), self.steps(), self.before.clone())
    }

    fn with(&self, what: What, steps: usize, before: Option<At>) -> Course {
        Course { last: Some(Arc::new(Event { what, steps, earlier: self.last.clone() })), before }
    }

    /// How many joint moves there were.
    pub fn steps(&self) -> usize {
        self.last.as_ref().map_or(0, |event| event.steps)
    }

    /// The events, the last first.
    fn events(&self) -> impl Iterator<Item = &What> {
        let first = self.last.as_deref();
        std::iter::successors(first, |event| event.earlier.as_deref()).map(|event| &event.what)
    }

    /// The state before the last joint move, and that move.
    fn last_step(&self) -> Option<(At, Box<[Move]>)> {
        let joint = self.events().find_map(|what| match what {
            What::Moved(joint) => Some(joint.clone()),
            What::Drawn(_) => None,
        });
        self.before.clone().zip(joint)
    }
}

/// A position of a game.
#[pyclass(frozen, module = "gamegrove")]
pub struct State {
    game: Py<Game>,
    pub at: At,
    view: OnceLock<View>,
    pub course: Course,
    /// What the start was drawn from; `None` if the course does not begin at the start of the game.
    pub seed: Option<u64>,
}

impl State {
    pub fn new(game: Py<Game>, at: At, course: Course, seed: Option<u64>) -> State {
        State { game, at, view: OnceLock::new(), course, seed }
    }

    /// What can be done here, worked out once.
    pub fn view(&self) -> PyResult<&View> {
        if let Some(view) = self.view.get() {
            return Ok(view);
        }
        let view = self.board().view(&self.at).map_err(said)?;
        Ok(self.view.get_or_init(|| view))
    }

    pub fn game(&self) -> &Game {
        self.game.get()
    }

    fn board(&self) -> &Arc<dyn Board> {
        &self.game().board
    }

    /// The role somebody means; whose turn it is if nothing is said.
    pub fn role(&self, role: Option<&Bound<'_, PyAny>>) -> PyResult<Role> {
        match role {
            Some(role) => self.game().role(role),
            None => self.view()?.turn().ok_or_else(|| said(self.no_turn())),
        }
    }

    fn no_turn(&self) -> &'static str {
        match self.view.get().is_some_and(View::is_over) {
            true => "play is over here",
            false => "several roles choose at the same time here: say which role is meant",
        }
    }

    /// The joint move that somebody means, which is legal.
    pub fn joint(&self, moves: &Bound<'_, PyAny>) -> PyResult<Vec<Move>> {
        let view = self.view()?;
        if view.is_over() {
            return Err(said("play is over here: no move can be made"));
        }
        let game = self.game();
        if let Some(number) = number_of(moves) {
            return self.alone(view, Move(number));
        }
        if let Ok(named) = moves.cast::<PyDict>() {
            return self.named(view, named);
        }
        if let Ok(name) = moves.cast::<PyString>() {
            let role = view.turn().ok_or_else(|| said(self.no_turn()))?;
            return self.alone(view, game.mov(role, name.as_any(), view.legal(role))?);
        }
        if !moves.hasattr("__iter__")? {
            let help =
                "a move is a number from 0 or a name; where several roles choose, a list of them";
            return Err(PyTypeError::new_err(help));
        }
        let mut joint = Vec::with_capacity(view.roles());
        let mut given = moves.try_iter()?;
        for role in Role::all(view.roles()) {
            let Some(mov) = given.next() else { break };
            let mov = game.mov(role, &mov?, view.legal(role))?;
            self.check(view, role, mov)?;
            joint.push(mov);
        }
        if joint.len() < view.roles() || given.next().is_some() {
            return Err(said(format!("{} needs {} moves a step", game.name, view.roles())));
        }
        Ok(joint)
    }

    /// The joint move of a dictionary from roles to moves; a role without a choice may be missing.
    fn named(&self, view: &View, moves: &Bound<'_, PyDict>) -> PyResult<Vec<Move>> {
        let game = self.game();
        let mut chosen = Vec::with_capacity(moves.len());
        for (role, mov) in moves {
            let role = game.role(&role)?;
            let mov = game.mov(role, &mov, view.legal(role))?;
            self.check(view, role, mov)?;
            chosen.push((role, mov));
        }
        view.join(&chosen).ok_or_else(|| said("A role that has a choice is missing"))
    }

    /// The joint move in which one role chooses and all others have no choice.
    fn alone(&self, view: &View, mov: Move) -> PyResult<Vec<Move>> {
        let Some(role) = view.turn() else {
            return Err(said("several roles choose at the same time here: give a move for each"));
        };
        self.check(view, role, mov)?;
        view.complete(role, mov).ok_or_else(|| said("a role has no legal move here"))
    }

    fn check(&self, view: &View, role: Role, mov: Move) -> PyResult<()> {
        if view.legal(role).contains(&mov) {
            return Ok(());
        }
        let any = self.board();
        let name = any.move_name(role, mov);
        Err(said(format!(
            "{name} ({}) is no legal move of {}",
            mov.0,
            any.about().roles[role.index()]
        )))
    }

    fn step(&self, py: Python<'_>, joint: &[Move]) -> PyResult<State> {
        let next = self.board().next(&self.at, joint).map_err(said)?;
        let course = self.course.moved(self.at.clone(), joint);
        Ok(State::new(self.game.clone_ref(py), next, course, self.seed))
    }
}

#[pymethods]
impl State {
    /// The game.
    #[getter(game)]
    pub fn own_game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Whether play is over.
    #[getter]
    fn terminal(&self) -> PyResult<bool> {
        let view = self.view()?;
        Ok(view.is_over() || view.is_stuck())
    }

    /// The role that chooses here: None if several do at the same time, or play is over.
    #[getter]
    fn turn(&self) -> PyResult<Option<u8>> {
        Ok(self.view()?.turn().map(|role| role.0))
    }

    /// The legal moves of a role as numbers; of the role whose turn it is if none is given.
    #[pyo3(signature = (role=None))]
    fn legal<'py>(
        &self,
        py: Python<'py>,
        role: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let view = self.view()?;
        let role = match (role, view.turn()) {
            (None, Some(turn)) => turn,
            (None, None) if view.is_over() => return Ok(PyList::empty(py)),
            (role, _) => self.role(role)?,
        };
        PyList::new(py, view.legal(role).iter().map(|mov| mov.0))
    }

    /// The legal moves of a role by name.
    #[pyo3(signature = (role=None))]
    fn legal_names(&self, role: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
        let view = self.view()?;
        if role.is_none() && view.is_over() {
            return Ok(Vec::new());
        }
        let role = self.role(role)?;
        let any = self.board();
        Ok(view.legal(role).iter().map(|&mov| any.move_name(role, mov)).collect())
    }

    /// The state after a move of the role whose turn it is, or after a move of each role. Moves are
    /// numbers or names.
    fn apply(&self, py: Python<'_>, moves: &Bound<'_, PyAny>) -> PyResult<State> {
        let joint = self.joint(moves)?;
        self.step(py, &joint)
    }

    /// The role whose action is asked for, in the action space of `game.actions`: None if several roles
    /// choose, or play is over.
    #[getter]
    fn mover(&self) -> PyResult<Option<u8>> {
        Ok(self.game().actions()?.mover(self.view()?).map(|role| role.0))
    }

    /// The legal moves of a role as numbers in `game.actions`; of the mover if no role is given.
    #[pyo3(signature = (role=None))]
    fn legal_actions(&self, role: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<u32>> {
        let (view, actions) = (self.view()?, self.game().actions()?);
        let role = match (role, actions.mover(view)) {
            (None, Some(mover)) => mover,
            (None, None) if view.is_over() => return Ok(Vec::new()),
            (role, _) => self.role(role)?,
        };
        Ok(actions.legal(role, view))
    }

    /// The state after an action of the mover, or after one of each role; a role without a choice takes any.
    fn apply_actions(&self, py: Python<'_>, chosen: &Bound<'_, PyAny>) -> PyResult<State> {
        let (view, actions) = (self.view()?, self.game().actions()?);
        if view.is_over() {
            return Err(said("play is over here: no move can be made"));
        }
        let meant = |role: Role, action: i64| {
            actions.meant(role, action, view.legal(role)).ok_or_else(|| {
                let name = &self.board().about().roles[role.index()];
                said(format!("Action {action} is not legal for {name} here"))
            })
        };
        if let Ok(action) = chosen.extract::<i64>() {
            let mover = actions.mover(view).ok_or_else(|| said(self.no_turn()))?;
            let joint = view.complete(mover, meant(mover, action)?);
            return self.step(py, &joint.ok_or_else(|| said("a role has no legal move here"))?);
        }
        let given = items(chosen, MOST_ROLES, |action| action.extract::<i64>())?;
        if given.len() != view.roles() {
            let (name, roles) = (&self.game().name, view.roles());
            return Err(said(format!("{name} needs {roles} actions a step, not {}", given.len())));
        }
        let joint = Role::all(given.len()).zip(given).map(|(role, action)| meant(role, action));
        self.step(py, &joint.collect::<PyResult<Vec<Move>>>()?)
    }

    /// What the state is worth to each role, from 0 to 100.
    #[getter]
    fn goals(&self) -> PyResult<Vec<f32>> {
        self.board().goals(&self.at).map_err(said)
    }

    /// The points of each role, in video games; None in others.
    #[getter]
    fn scores(&self) -> Option<Vec<f64>> {
        self.board().scores(&self.at)
    }

    /// What holds in the state, one sentence per fact.
    #[getter]
    fn facts(&self) -> Vec<String> {
        self.board().facts(&self.at)
    }

    /// The joint moves that led here, as numbers.
    #[getter]
    fn history(&self) -> Vec<Vec<u32>> {
        let numbers = |what: &What| match what {
            What::Moved(joint) => Some(joint.iter().map(|mov| mov.0).collect()),
            What::Drawn(_) => None,
        };
        let mut joints: Vec<Vec<u32>> = self.course.events().filter_map(numbers).collect();
        joints.reverse();
        joints
    }

    /// The same state with another future, in games of chance.
    fn with_chance(&self, py: Python<'_>, seed: u64) -> State {
        let at = self.board().resample(&self.at, &mut gamegrove_game::Rng::new(seed));
        State::new(self.game.clone_ref(py), at, self.course.drawn(seed), self.seed)
    }

    /// What a learner sees: a NumPy array of bytes of the game's `observation_shape`.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut seen = Vec::new();
        match &self.board().about().shape {
            Some(shape) if self.board().observe(&self.at, &mut seen) => array(py, seen, shape),
            _ => Err(said(format!(
                "{} has no network, so the facts that may ever hold are not known; use `facts`",
                self.game().name
            ))),
        }
    }

    /// Plays random games from here.
    #[pyo3(signature = (count, *, seed=0, limit=10_000, threads=1, first=0))]
    pub fn playouts(
        &self,
        py: Python<'_>,
        count: usize,
        seed: u64,
        limit: u32,
        threads: usize,
        first: u64,
    ) -> PyResult<Playouts> {
        if count == 0 || count > MOST {
            return Err(said(format!("play-outs come in numbers from 1 to {MOST}, not {count}")));
        }
        let wanted = PlayOutsWanted { seed, first, limit, threads: threads.clamp(1, 1024) };
        let goals = unwritten(py, &[count, self.board().about().roles.len()])?;
        let (steps, endings) = (unwritten(py, &[count])?, unwritten(py, &[count])?);
        {
            let (mut goals, mut steps) = (goals.readwrite(), steps.readwrite());
            let mut endings = endings.readwrite();
            let (goals, steps) = (goals.as_slice_mut()?, steps.as_slice_mut()?);
            let into = PlayOuts { goals, steps, endings: endings.as_slice_mut()? };
            let board = self.board();
            interrupt::run_here(py, |stop| board.play_outs(&self.at, &wanted, into, stop))?
                .map_err(said)?;
        }
        Ok(Playouts {
            goals: goals.into_any().unbind(),
            steps: steps.into_any().unbind(),
            endings: endings.into_any().unbind(),
        })
    }

    /// Counts all sequences of so many joint moves from here: (sequences, of them ended).
    pub fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<(u64, u64)> {
        if depth > DEEPEST {
            return Err(said(format!("sequences have at most {DEEPEST} moves here")));
        }
        let (board, at) = (Arc::clone(self.board()), self.at.clone());
        let count = move |stop: &StopFlag| board.perft(&at, depth, 1, stop, &mut |_, _| ());
        let found = interrupt::run(py, count)?.map_err(said)?;
        Ok((found.nodes, found.terminals))
    }

    /// A drawing as SVG; None if no board can be seen in the facts.
    fn svg(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let title = format!("{} after {} steps", self.game().name, self.course.steps());
        let (board, at) = (Arc::clone(self.board()), self.at.clone());
        let last = self.course.last_step();
        // Finding a board takes a while, the first time.
        interrupt::run(py, move |_| {
            let last = last.as_ref().map(|(before, joint)| (before, &**joint));
            board.svg(&at, last, &title, Theme::Auto)
        })
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.svg(py)
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let (board, at) = (Arc::clone(self.board()), self.at.clone());
        interrupt::run(py, move |_| board.text(&at, None, TEXT))
    }

    fn __repr__(&self) -> PyResult<String> {
        let game = self.game();
        let steps = self.course.steps();
        let turn = match (self.view()?.is_over(), self.view()?.turn()) {
            (true, _) => "over".to_owned(),
            (_, Some(role)) => format!("turn of {}", game.board.about().roles[role.index()]),
            (_, None) => "several choose".to_owned(),
        };
        Ok(format!("<State of {} after {steps} steps, {turn}>", game.name))
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, how: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<State>() else { return Ok(py.NotImplemented()) };
        let equal = self.at == other.get().at;
        match how {
            CompareOp::Eq => Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind()),
            CompareOp::Ne => Ok((!equal).into_pyobject(py)?.to_owned().into_any().unbind()),
            _ => Ok(py.NotImplemented()),
        }
    }

    fn __hash__(&self) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one(&self.at)
    }

    /// It never changes, so it is its own copy.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let restore = py.import("gamegrove._gamegrove")?.getattr("restore")?;
        let Some(seed) = self.seed else {
            return Err(said(
                "A state of a batch, of a play-out, or that a match of a game of chance handed to an agent \
                 cannot be pickled: the moves or the chance that led to it are not known",
            ));
        };
        let picked = |what: &What| match what {
            What::Moved(joint) => Pick::Joint(joint.iter().map(|mov| mov.0).collect()),
            What::Drawn(seed) => Pick::Seed(*seed),
        };
        let mut events: Vec<Pick> = self.course.events().map(picked).collect();
        events.reverse();
        Ok((restore, (self.game.clone_ref(py), seed, events)))
    }
}

/// A pickled event: the numbers of a joint move, or the seed of `with_chance`.
#[derive(FromPyObject, IntoPyObject)]
enum Pick {
    Seed(u64),
    Joint(Vec<u32>),
}

/// What drawings in characters have room for.
const TEXT: TextStyle = TextStyle { unicode: true, width: 100 };

/// More steps than any game has.
const MOST_STEPS: usize = 10_000_000;

/// The state of a game after some events: joint moves, and seeds of `with_chance`.
#[pyfunction]
pub fn restore(game: &Bound<'_, Game>, seed: u64, events: &Bound<'_, PyAny>) -> PyResult<State> {
    let py = game.py();
    let start = game.get().board.start(seed);
    let mut state = State::new(game.clone().unbind(), start, Course::default(), Some(seed));
    let one = |mov: Bound<'_, PyAny>| mov.extract().map(Move);
    let read = |event: Bound<'_, PyAny>| match event.extract::<u64>() {
        Ok(seed) => Ok(What::Drawn(seed)),
        Err(_) => items(&event, MOST_ROLES, one).map(|joint| What::Moved(joint.into())),
    };
    for event in items(events, MOST_STEPS, read)? {
        state = match event {
            What::Drawn(seed) => state.with_chance(py, seed),
            What::Moved(joint) => {
                let view = state.view()?;
                let legal = joint.len() == view.roles()
                    && Role::all(joint.len())
                        .zip(&joint)
                        .all(|(role, mov)| view.legal(role).contains(mov));
                if !legal {
                    return Err(PyValueError::new_err("these moves are not legal in this game"));
                }
                state.step(py, &joint)?
            }
        };
    }
    Ok(state)
}

/// What came of random games.
#[pyclass(frozen, module = "gamegrove")]
pub struct Playouts {
    /// The goals of the roles: an array of games by roles.
    #[pyo3(get)]
    goals: Py<PyAny>,
    /// How many joint moves each game had.
    #[pyo3(get)]
    steps: Py<PyAny>,
    /// How each ended: 0 in a terminal state, 1 at the limit of steps, 2 without a legal move.
    #[pyo3(get)]
    endings: Py<PyAny>,
}

#[pymethods]
impl Playouts {
    /// Results travel between processes by pickling.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Arrays)> {
        let (py, own) = (slf.py(), slf.get());
        let restore = py.get_type::<Playouts>().getattr("_restore")?;
        let [goals, steps, endings] =
            [&own.goals, &own.steps, &own.endings].map(|array| array.clone_ref(py));
        Ok((restore, (goals, steps, endings)))
    }

    #[staticmethod]
    fn _restore(goals: Py<PyAny>, steps: Py<PyAny>, endings: Py<PyAny>) -> Playouts {
        Playouts { goals, steps, endings }
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.steps.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mean = self.goals.bind(py).call_method1("mean", (0,))?;
        Ok(format!("<{} play-outs, mean goals {mean}>", self.__len__(py)?))
    }
}

/// More games than this at once would only fill the memory.
const MOST: usize = 100_000_000;

/// Walks deeper than this end nowhere, and would need a larger stack.
const DEEPEST: u32 = 1000;

/// Goals, steps and endings.
type Arrays = (Py<PyAny>, Py<PyAny>, Py<PyAny>);

/// What it is made of, to be made again elsewhere.
type Pickled = (Py<Game>, u64, Vec<Pick>);
