//! Games.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use gamegrove_game::{Move, Role};
use gamegrove_play::library::Kind;
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::names::{did_you_mean, nearest};
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::{Board, Problem, Setup, open};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use sha2::{Digest, Sha256};

use crate::actions::Actions;
use crate::error::{problem, said};
use crate::interrupt;
use crate::state::{Course, Playouts, State};

/// What a game was made of, so that it can be made again elsewhere.
#[derive(Clone, Debug)]
enum Origin {
    /// A shipped game's name or a path.
    Named(String),
    /// Texts that were handed over.
    Pasted { name: String, rules: String, levels: Vec<String>, kind: Option<Kind> },
}

/// A game that is ready to be played.
#[pyclass(frozen, module = "gamegrove")]
pub struct Game {
    origin: Origin,
    level: String,
    asked: Reasoner,
    pub board: Arc<dyn Board>,
    /// What it is called.
    #[pyo3(get)]
    pub name: String,
    kind: Kind,
    /// Differs where rules or level differ.
    fingerprint: String,
    actions: OnceLock<Arc<Actions>>,
}

/// Boards in use, the oldest of each game, by all that they were made of. A pickled state finds the board of
/// its game here instead of opening the game again.
static BOARDS: Mutex<BTreeMap<[String; 4], WeakBoard>> = Mutex::new(BTreeMap::new());

type WeakBoard = Weak<dyn Board>;

impl Game {
    /// Opens a game. A `known` board of the same rules is taken instead of a new one.
    fn open(
        py: Python<'_>,
        origin: Origin,
        level: String,
        reasoner: &str,
        known: bool,
    ) -> PyResult<Game> {
        let asked: Reasoner = reasoner.parse().map_err(said)?;
        let choice: LevelChoice = level.parse().unwrap_or(LevelChoice::Number(0));
        let (wanted, asked_level) = (origin.clone(), level.clone());
        let (source, board, fingerprint) = interrupt::run(py, move |_| {
            let source = match wanted {
                Origin::Named(name) => Source::open(&name),
                Origin::Pasted { name, rules, levels, kind } => {
                    Source::pasted(&name, rules, levels, kind)
                }
            }?;
            let fingerprint = fingerprint(&source, &choice)?;
            let key = [source.name.clone(), asked_level, asked.to_string(), fingerprint.clone()];
            let found = boards().get(&key).and_then(Weak::upgrade).filter(|_| known);
            let board = match found {
                Some(board) => board,
                None => open(&source, &choice, &Setup::new(asked))?,
            };
            let mut boards = boards();
            boards.retain(|_, board| board.strong_count() > 0);
            boards.entry(key).or_insert_with(|| Arc::downgrade(&board));
            Ok((source, board, fingerprint))
        })?
        .map_err(|error| problem(&error))?;
        let (name, kind, actions) = (source.name, source.kind, OnceLock::new());
        Ok(Game { origin, level, asked, board, name, kind, fingerprint, actions })
    }

    /// The action space, if all moves are known.
    pub fn actions(&self) -> PyResult<Arc<Actions>> {
        if self.board.about().shape.is_none() {
            return Err(said(format!(
                "{} has no network, so the moves that may ever be legal are not known; use `legal` and `apply`",
                self.name
            )));
        }
        Ok(Arc::clone(self.actions.get_or_init(|| Arc::new(Actions::of(&*self.board)))))
    }

    /// The game that is meant by a game, a name or a path.
    pub fn meant<'py>(game: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Game>> {
        match game.cast::<Game>() {
            Ok(game) => Ok(game.clone()),
            Err(_) => Bound::new(game.py(), Game::new(game, None, "auto")?),
        }
    }

    /// The role that somebody means by a number or a name.
    pub fn role(&self, role: &Bound<'_, PyAny>) -> PyResult<Role> {
        let roles = &self.board.about().roles;
        if let Ok(name) = role.cast::<PyString>() {
            let name = name.to_string_lossy();
            let found = roles.iter().position(|role| *role == name);
            return found.and_then(|at| u8::try_from(at).ok()).map(Role).ok_or_else(|| {
                said(format!("{} has no role {name}; there is {}", self.name, roles.join(", ")))
            });
        }
        let number: usize = role
            .extract()
            .map_err(|_| PyTypeError::new_err("a role is a number from 0 or a name"))?;
        let known = u8::try_from(number).ok().filter(|_| number < roles.len());
        known.map(Role).ok_or_else(|| {
            said(format!("{} has no role {number}; there are {}", self.name, roles.len()))
        })
    }

    /// The move that somebody means by a number or a name, legal or not.
    pub fn mov(&self, role: Role, mov: &Bound<'_, PyAny>, legal: &[Move]) -> PyResult<Move> {
        if let Some(number) = number_of(mov) {
            return Ok(Move(number));
        }
        let Ok(name) = mov.cast::<PyString>() else {
            return Err(PyTypeError::new_err("a move is a number or a name"));
        };
        let name = name.to_string_lossy();
        if let Some(found) = self.board.find_move(role, &name) {
            return Ok(found);
        }
        let names: Vec<String> = legal.iter().map(|&mov| self.board.move_name(role, mov)).collect();
        let near = nearest(&name, names.iter().map(String::as_str));
        let hint = did_you_mean(&near).map_or(String::new(), |hint| format!("; {hint}"));
        Err(said(format!("{} has no move {name}{hint}", self.board.about().roles[role.index()])))
    }

    pub fn is_video(&self) -> bool {
        self.kind == Kind::Vgdl
    }
}

#[pymethods]
impl Game {
    /// Opens a shipped game by its name, or a file with rules by its path.
    #[new]
    #[pyo3(signature = (name, *, level=None, reasoner="auto"))]
    fn new(
        name: &Bound<'_, PyAny>,
        level: Option<&Bound<'_, PyAny>>,
        reasoner: &str,
    ) -> PyResult<Game> {
        let py = name.py();
        let name = match name.extract::<String>() {
            Ok(name) => name,
            Err(_) => {
                let path = name.extract::<PathBuf>().map_err(|_| {
                    PyTypeError::new_err("`name` is the name of a shipped game, or a path")
                })?;
                path.into_os_string().into_string().map_err(|path| {
                    said(format!("The path {} is no Unicode text", path.display()))
                })?
            }
        };
        let chosen = level.map_or(Ok("0".to_owned()), |level| {
            Ok::<_, PyErr>(level.str()?.to_string_lossy().into_owned())
        })?;
        let game = Game::open(py, Origin::Named(name), chosen, reasoner, false)?;
        if level.is_some() && !game.is_video() {
            return Err(said(format!("{} is no video game and has no levels", game.name)));
        }
        Ok(game)
    }

    /// A game from the text of its rules; video games need the text of a level too.
    #[staticmethod]
    #[pyo3(signature = (rules, *, level=None, name="pasted", kind=None, reasoner="auto"))]
    fn from_text(
        py: Python<'_>,
        rules: String,
        level: Option<String>,
        name: &str,
        kind: Option<&str>,
        reasoner: &str,
    ) -> PyResult<Game> {
        let kind = kind.map(|kind| kind.parse().map_err(said)).transpose()?;
        let levels = level.into_iter().collect();
        let origin = Origin::Pasted { name: name.to_owned(), rules, levels, kind };
        Game::open(py, origin, "0".to_owned(), reasoner, false)
    }

    /// The language of its rules: gdl, vgdl or octagon.
    #[getter]
    fn kind(&self) -> &'static str {
        self.kind.name()
    }

    /// What answers questions about the rules.
    #[getter]
    fn reasoner(&self) -> &str {
        &self.board.about().reasoner
    }

    /// What was chosen while it was set up, and what was found in its texts.
    #[getter]
    fn remarks(&self) -> Vec<String> {
        self.board.about().remarks.clone()
    }

    /// The names of the roles.
    #[getter]
    fn roles(&self) -> Vec<String> {
        self.board.about().roles.clone()
    }

    /// How many random games are under way at once in `playouts`; 0 if they are played one by one.
    #[getter]
    fn lanes(&self) -> usize {
        self.board.about().lanes
    }

    /// The shape of the arrays that `State.observation` gives; None if there are none.
    #[getter]
    fn observation_shape(&self) -> Option<Vec<usize>> {
        self.board.about().shape.clone()
    }

    /// What the entries along the last axis of observations mean.
    fn observation_names(&self) -> Vec<String> {
        self.board.shape_names()
    }

    /// The names of the actions of `legal_actions`, the environments and batches: one action space for all
    /// roles. Where roles take turns, the move that the others make meanwhile is not among them.
    #[getter(actions)]
    fn action_names(&self) -> PyResult<Vec<String>> {
        Ok(self.actions()?.names.clone())
    }

    /// Moves of a role are numbers below this. It may grow in games whose moves are not known before.
    fn move_count(&self, role: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(self.board.move_bound(self.role(role)?))
    }

    /// The name of a move of a role.
    fn move_name(&self, role: &Bound<'_, PyAny>, r#move: u32) -> PyResult<String> {
        let role = self.role(role)?;
        if r#move as usize >= self.board.move_bound(role) {
            let name = &self.board.about().roles[role.index()];
            return Err(said(format!("{name} has no move {move}")));
        }
        Ok(self.board.move_name(role, Move(r#move)))
    }

    /// The number of the move of a role with this name.
    fn move_number(&self, role: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> PyResult<u32> {
        Ok(self.mov(self.role(role)?, name.as_any(), &[])?.0)
    }

    /// The state in which play starts. Equal seeds have equal chance, in games of chance.
    #[pyo3(signature = (seed=0))]
    fn initial_state(slf: &Bound<'_, Self>, seed: u64) -> State {
        let at = slf.get().board.start(seed);
        State::new(slf.clone().unbind(), at, Course::default(), Some(seed))
    }

    /// Plays random games from the start.
    #[pyo3(signature = (count, *, seed=0, limit=10_000, threads=1, first=0))]
    fn playouts(
        slf: &Bound<'_, Self>,
        count: usize,
        seed: u64,
        limit: u32,
        threads: usize,
        first: u64,
    ) -> PyResult<Playouts> {
        let start = Game::initial_state(slf, seed);
        start.playouts(slf.py(), count, seed, limit, threads, first)
    }

    /// Counts all sequences of so many joint moves from the start: (sequences, of them ended).
    fn perft(slf: &Bound<'_, Self>, depth: u32) -> PyResult<(u64, u64)> {
        Game::initial_state(slf, 0).perft(slf.py(), depth)
    }

    fn __repr__(&self) -> String {
        match (&self.origin, self.is_video()) {
            (Origin::Named(name), false) => format!("Game({name:?})"),
            (Origin::Named(name), true) => format!("Game({name:?}, level={})", self.level),
            (Origin::Pasted { name, .. }, _) => format!("Game.from_text(..., name={name:?})"),
        }
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
        let restore = slf.py().get_type::<Game>().getattr("_restore")?;
        let (name, text) = match &own.origin {
            Origin::Named(name) => (name.clone(), None),
            Origin::Pasted { name, rules, levels, kind } => {
                let kind = kind.map(|kind| kind.name().to_owned());
                (name.clone(), Some((rules.clone(), levels.clone(), kind)))
            }
        };
        let (level, reasoner) = (own.level.clone(), own.asked.name().to_owned());
        Ok((restore, (name, text, level, reasoner, own.fingerprint.clone())))
    }

    /// Makes a pickled game again.
    #[staticmethod]
    fn _restore(
        py: Python<'_>,
        name: String,
        text: Option<(String, Vec<String>, Option<String>)>,
        level: String,
        reasoner: &str,
        fingerprint: &str,
    ) -> PyResult<Game> {
        let origin = match text {
            None => Origin::Named(name),
            Some((rules, levels, kind)) => {
                let kind = kind.map(|kind| kind.parse().map_err(PyValueError::new_err));
                Origin::Pasted { name, rules, levels, kind: kind.transpose()? }
            }
        };
        let game = Game::open(py, origin, level, reasoner, true)?;
        if game.fingerprint != fingerprint {
            return Err(said(format!(
                "the rules of {} are not those they were when this was pickled; what was to come of \
                 it would be something else",
                game.name
            )));
        }
        Ok(game)
    }
}

/// A move's number, if it is one. Truth values are none, although Python counts them as numbers.
pub fn number_of(mov: &Bound<'_, PyAny>) -> Option<u32> {
    if mov.is_instance_of::<PyBool>() { None } else { mov.extract().ok() }
}

fn boards() -> MutexGuard<'static, BTreeMap<[String; 4], WeakBoard>> {
    BOARDS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A hash of the rules, and of the level in video games.
fn fingerprint(source: &Source, level: &LevelChoice) -> Result<String, Problem> {
    let mut hash = Sha256::new_with_prefix(&source.text);
    hash.update(source.settings());
    if source.kind == Kind::Vgdl {
        hash.update(source.level(level)?.text);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What it is made of, to be made again elsewhere.
type Pickled = (String, Option<(String, Vec<String>, Option<String>)>, String, String, String);
