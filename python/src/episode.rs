//! One game that is played with actions, step by step: what environments of other libraries are made of.

use std::sync::Arc;

use gamegrove_game::{Move, Rng, Role};
use gamegrove_play::{Board, State as At, View};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::actions::Actions;
use crate::array::array;
use crate::error::said;
use crate::game::Game;
use crate::state::{Course, State};

/// A game under way, which `act` and `step` take further.
#[pyclass(module = "gamegrove._gamegrove")]
pub struct Episode {
    game: Py<Game>,
    board: Arc<dyn Board>,
    actions: Arc<Actions>,
    limit: Option<usize>,
    /// Whether an illegal action is an error.
    strict: bool,
    now: Option<Now>,
}

/// Where it is.
struct Now {
    at: At,
    view: View,
    course: Course,
    seed: u64,
    scores: Option<Vec<f64>>,
    /// The moves that some roles have chosen for the next step.
    chosen: Vec<Option<Move>>,
    /// Whether the last action of each role was illegal and was replaced.
    replaced: Vec<bool>,
    /// What the last step brought to each role.
    rewards: Vec<f64>,
}

impl Now {
    fn is_over(&self) -> bool {
        self.view.is_over() || self.view.is_stuck()
    }
}

impl Episode {
    fn now(&self) -> PyResult<&Now> {
        self.now.as_ref().ok_or_else(|| said("Play has not begun: call `reset` first"))
    }

    fn is_cut(&self, now: &Now) -> bool {
        !now.is_over() && self.limit.is_some_and(|limit| now.course.steps() >= limit)
    }

    /// The state of play, while it goes on.
    fn open(&self) -> PyResult<&Now> {
        let now = self.now()?;
        if now.is_over() || self.is_cut(now) {
            return Err(said("Play is over: call `reset` to begin again"));
        }
        Ok(now)
    }

    fn begin(&mut self, at: At, course: Course, seed: u64) -> PyResult<()> {
        let view = self.board.view(&at).map_err(said)?;
        let roles = self.board.about().roles.len();
        let scores = self.board.scores(&at);
        self.now = Some(Now {
            at,
            view,
            course,
            seed,
            scores,
            chosen: vec![None; roles],
            replaced: vec![false; roles],
            rewards: vec![0.0; roles],
        });
        Ok(())
    }

    /// The move of a role for an action, and whether it replaces an illegal one. What replaces it follows
    /// from the seed, the step and the role.
    fn choose(&self, now: &Now, role: Role, action: i64) -> PyResult<(Move, bool)> {
        let legal = now.view.legal(role);
        if let Some(mov) = self.actions.meant(role, action, legal) {
            return Ok((mov, false));
        }
        if self.strict {
            let name = &self.board.about().roles[role.index()];
            let text = usize::try_from(action).ok().and_then(|at| self.actions.names.get(at));
            let text = text.map_or(String::new(), |text| format!(" ({text})"));
            return Err(said(format!("{action}{text} is no legal move of {name} here")));
        }
        let number = now.course.steps() as u64 * 256 + u64::from(role.0);
        let mut rng = Rng::stream(now.seed, number);
        let random = rng.pick(legal).ok_or_else(|| said("a role has no legal move here"))?;
        Ok((random, true))
    }

    /// Makes a joint move.
    fn advance(&mut self, joint: &[Move]) -> PyResult<()> {
        let board = &self.board;
        let Some(now) = &mut self.now else { return Ok(()) };
        let next = board.next(&now.at, joint).map_err(said)?;
        now.course = now.course.moved(now.at.clone(), joint);
        now.view = board.view(&next).map_err(said)?;
        now.at = next;
        let scores = board.scores(&now.at);
        if let (Some(before), Some(after)) = (&now.scores, &scores) {
            let gained = now.rewards.iter_mut().zip(after.iter().zip(before));
            gained.for_each(|(reward, (after, before))| *reward += after - before);
        } else if now.is_over() {
            now.rewards = returns(&board.goals(&now.at).map_err(said)?);
        }
        now.scores = scores;
        Ok(())
    }
}

/// What the end is worth: from 0 to 1 for one role, from -1 to 1 where there are several.
fn returns(goals: &[f32]) -> Vec<f64> {
    match goals {
        [only] => vec![f64::from(*only) / 100.0],
        _ => goals.iter().map(|&goal| f64::from(goal) / 50.0 - 1.0).collect(),
    }
}

#[pymethods]
impl Episode {
    #[new]
    #[pyo3(signature = (game, *, limit=None, strict=false))]
    fn new(game: &Bound<'_, Game>, limit: Option<usize>, strict: bool) -> PyResult<Episode> {
        if limit == Some(0) {
            return Err(said("Play takes at least one step, so the limit cannot be 0"));
        }
        let (board, actions) = (Arc::clone(&game.get().board), game.get().actions()?);
        Ok(Episode { game: game.clone().unbind(), board, actions, limit, strict, now: None })
    }

    /// Begins again.
    fn reset(&mut self, seed: u64) -> PyResult<()> {
        self.begin(self.board.start(seed), Course::default(), seed)
    }

    /// The state of play.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        let now = self.now()?;
        Ok(State::new(self.game.clone_ref(py), now.at.clone(), now.course.clone(), Some(now.seed)))
    }

    /// Whether play is over by the rules.
    #[getter]
    fn terminated(&self) -> PyResult<bool> {
        Ok(self.now()?.is_over())
    }

    /// Whether play was cut off at the limit of steps.
    #[getter]
    fn truncated(&self) -> PyResult<bool> {
        Ok(self.is_cut(self.now()?))
    }

    /// What the last `step`, or the steps that the last `act` led to, brought to each role.
    #[getter]
    fn rewards(&self) -> PyResult<Vec<f64>> {
        Ok(self.now()?.rewards.clone())
    }

    /// For each role whether its last action was illegal and was replaced.
    #[getter]
    fn replaced(&self) -> PyResult<Vec<bool>> {
        Ok(self.now()?.replaced.clone())
    }

    /// The points of each role, in video games.
    #[getter]
    fn scores(&self) -> PyResult<Option<Vec<f64>>> {
        Ok(self.now()?.scores.clone())
    }

    /// Whether the first role has reached the highest goal.
    #[getter]
    fn won(&self) -> PyResult<bool> {
        let goals = self.board.goals(&self.now()?.at).map_err(said)?;
        Ok(goals.first() == Some(&100.0))
    }

    /// What a learner sees.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut seen = Vec::new();
        self.board.observe(&self.now()?.at, &mut seen);
        array(py, seen, self.board.about().shape.as_deref().unwrap_or_default())
    }

    /// 1 for each legal action of a role, 0 for the others.
    fn mask<'py>(&self, py: Python<'py>, role: usize) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let now = self.now()?;
        let role = u8::try_from(role).map_err(said).map(Role)?;
        let mut mask = vec![0; self.actions.names.len()];
        for &mov in now.view.legal(role) {
            if let Some(action) = self.actions.number(role, mov) {
                mask[action as usize] = 1;
            }
        }
        Ok(PyArray1::from_vec(py, mask))
    }

    /// Makes a step with one action of each role.
    fn step(&mut self, actions: Vec<i64>) -> PyResult<()> {
        let now = self.open()?;
        if actions.len() != now.view.roles() {
            let (given, wanted) = (actions.len(), now.view.roles());
            return Err(said(format!("A step takes {wanted} actions, not {given}")));
        }
        let chosen = Role::all(actions.len()).zip(&actions);
        let chosen = chosen.map(|(role, &action)| self.choose(now, role, action));
        let chosen = chosen.collect::<PyResult<Vec<_>>>()?;
        let joint: Vec<Move> = chosen.iter().map(|&(mov, _)| mov).collect();
        if let Some(now) = &mut self.now {
            now.replaced = chosen.iter().map(|&(_, replaced)| replaced).collect();
            now.rewards.fill(0.0);
        }
        self.advance(&joint)
    }

    /// Makes the steps that need no choice: the role that has to act next, or None if play is over.
    fn play_on(&mut self) -> PyResult<Option<usize>> {
        loop {
            let now = self.now()?;
            if now.is_over() || self.is_cut(now) {
                return Ok(None);
            }
            let roles = || Role::all(now.view.roles());
            let waits =
                |role: &Role| now.chosen[role.index()].is_none() && now.view.legal(*role).len() > 1;
            if let Some(role) = roles().find(waits) {
                return Ok(Some(role.index()));
            }
            let of = |role: Role| now.chosen[role.index()].unwrap_or(now.view.legal(role)[0]);
            let joint: Vec<Move> = roles().map(of).collect();
            if let Some(now) = &mut self.now {
                now.chosen.fill(None);
            }
            self.advance(&joint)?;
        }
    }

    /// Takes the action of the role that has to act; steps are made once all roles with a choice have acted.
    /// Gives the role that has to act next, or None if play is over.
    fn act(&mut self, role: usize, action: i64) -> PyResult<Option<usize>> {
        let now = self.open()?;
        let known = u8::try_from(role).ok().filter(|_| role < now.view.roles());
        let own = known.map(Role).ok_or_else(|| said(format!("There is no role {role}")))?;
        let (mov, replaced) = self.choose(now, own, action)?;
        if let Some(now) = &mut self.now {
            now.rewards.fill(0.0);
            now.chosen[role] = Some(mov);
            now.replaced[role] = replaced;
        }
        self.play_on()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let (py, own) = (slf.py(), slf.borrow());
        let restore = py.get_type::<Episode>().getattr("_restore")?;
        let now = own.now.as_ref().map(|now| {
            let state = State::new(
                own.game.clone_ref(py),
                now.at.clone(),
                now.course.clone(),
                Some(now.seed),
            );
            let chosen = now.chosen.iter().map(|mov| mov.map(|mov| mov.0)).collect();
            Ok::<_, PyErr>((Py::new(py, state)?, chosen, now.replaced.clone(), now.rewards.clone()))
        });
        Ok((restore, (own.game.clone_ref(py), own.limit, own.strict, now.transpose()?)))
    }

    #[staticmethod]
    fn _restore(
        game: &Bound<'_, Game>,
        limit: Option<usize>,
        strict: bool,
        now: Option<PickledNow>,
    ) -> PyResult<Episode> {
        let mut episode = Episode::new(game, limit, strict)?;
        if let Some((state, chosen, replaced, rewards)) = now {
            let (state, roles) = (state.get(), episode.board.about().roles.len());
            // A state brings its own copy of the game.
            episode.game = state.own_game(game.py());
            episode.board = Arc::clone(&state.game().board);
            episode.begin(state.at.clone(), state.course.clone(), state.seed.unwrap_or(0))?;
            if let (Some(now), [a, b, c]) =
                (&mut episode.now, [chosen.len(), replaced.len(), rewards.len()])
            {
                if [a, b, c] != [roles; 3] {
                    return Err(said("This is no pickled episode"));
                }
                now.chosen = chosen.iter().map(|mov| mov.map(Move)).collect();
                (now.replaced, now.rewards) = (replaced, rewards);
            }
        }
        Ok(episode)
    }
}

/// What it is made of, to be made again elsewhere: game, limit, strictness, and where it is.
type Pickled = (Py<Game>, Option<usize>, bool, Option<PickledNow>);

/// The state, the moves that were chosen, whether actions were replaced, and rewards.
type PickledNow = (Py<State>, Vec<Option<u32>>, Vec<bool>, Vec<f64>);
