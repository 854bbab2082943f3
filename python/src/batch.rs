//! Batches: many games that are stepped together. NumPy owns the memory that Rust writes.

use std::sync::{Mutex, PoisonError};

use gamegrove_game::{Actions, BatchSetup, BatchView, Restart};
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;

use crate::error::said;
use crate::game::Game;
use crate::state::{Course, State};

/// The most games of a batch.
const MOST: usize = 1 << 20;

/// Many games of one rulesheet that are stepped together.
#[pyclass(frozen, module = "gamegrove")]
pub struct Batch {
    inner: Mutex<Box<dyn gamegrove_game::Batch>>,
    game: Py<Game>,
    #[pyo3(get)]
    games: usize,
    #[pyo3(get)]
    roles: usize,
    /// How many actions a game wants in a step: one where roles take turns, else one of each role.
    #[pyo3(get)]
    choosers: usize,
    /// How many facts an observation has.
    #[pyo3(get)]
    facts: usize,
    /// The names of the actions.
    #[pyo3(get)]
    actions: Vec<String>,
}

/// The flat arrays that a step writes, all of their full lengths, or empty where they are not wanted.
#[derive(FromPyObject)]
pub struct Arrays<'py> {
    facts: Bound<'py, PyArray1<u8>>,
    fact_bits: Bound<'py, PyArray1<u64>>,
    last_facts: Bound<'py, PyArray1<u8>>,
    legal: Bound<'py, PyArray1<u8>>,
    goals: Bound<'py, PyArray1<f32>>,
    terminated: Bound<'py, PyArray1<u8>>,
    truncated: Bound<'py, PyArray1<u8>>,
    movers: Bound<'py, PyArray1<u8>>,
    chosen: Bound<'py, PyArray1<i64>>,
}

/// An array to be written, which nothing else may hold meanwhile.
fn open<'py, T: Element>(array: &Bound<'py, PyArray1<T>>) -> PyResult<PyReadwriteArray1<'py, T>> {
    array.try_readwrite().map_err(said)
}

impl Batch {
    fn work(
        &self,
        py: Python<'_>,
        arrays: &Arrays<'_>,
        work: impl FnOnce(
            &mut dyn gamegrove_game::Batch,
            BatchView<'_>,
        ) -> Result<(), gamegrove_game::BatchError>
        + Send,
    ) -> PyResult<()> {
        let (mut facts, mut last_facts) = (open(&arrays.facts)?, open(&arrays.last_facts)?);
        let (mut legal, mut goals) = (open(&arrays.legal)?, open(&arrays.goals)?);
        let mut fact_bits = open(&arrays.fact_bits)?;
        let (mut terminated, mut truncated) = (open(&arrays.terminated)?, open(&arrays.truncated)?);
        let (mut movers, mut chosen) = (open(&arrays.movers)?, open(&arrays.chosen)?);
        let view = BatchView {
            facts: facts.as_slice_mut()?,
            fact_bits: fact_bits.as_slice_mut()?,
            last_facts: last_facts.as_slice_mut()?,
            legal: legal.as_slice_mut()?,
            goals: goals.as_slice_mut()?,
            terminated: terminated.as_slice_mut()?,
            truncated: truncated.as_slice_mut()?,
            movers: movers.as_slice_mut()?,
            chosen: chosen.as_slice_mut()?,
            ..BatchView::default()
        };
        py.detach(|| {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut **inner, view)
        })
        .map_err(said)
    }
}

#[pymethods]
impl Batch {
    /// A batch of a game that has a network. Games that are over start again `"at once"` or with the
    /// `"next step"`.
    #[new]
    #[pyo3(signature = (game, games, *, limit=10_000, restart="next step", threads=1))]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, Game>,
        games: usize,
        limit: u32,
        restart: &str,
        threads: usize,
    ) -> PyResult<Batch> {
        if games == 0 || games > MOST {
            return Err(said(format!("A batch has from 1 to {MOST} games, not {games}")));
        }
        if limit == 0 {
            return Err(said("`limit` is the number of steps of a game; it must be at least 1"));
        }
        let restart = match restart {
            "at once" => Restart::AtOnce,
            "next step" => Restart::NextStep,
            other => {
                let known = "there is \"at once\" and \"next step\"";
                return Err(said(format!("No `restart` is called {other:?}; {known}")));
            }
        };
        let setup = BatchSetup { games, limit, restart, threads: threads.clamp(1, 1024) };
        let board = &game.get().board;
        let inner = py.detach(|| board.batch(setup)).map_err(said)?;
        Ok(Batch {
            games,
            roles: inner.roles(),
            choosers: inner.choosers(),
            facts: inner.facts(),
            actions: inner.actions().to_vec(),
            inner: Mutex::new(inner),
            game: game.clone().unbind(),
        })
    }

    /// The state of one of the games.
    fn state(&self, py: Python<'_>, number: usize) -> PyResult<State> {
        let unknown = || said(format!("There are games 0 to {}, not {number}", self.games - 1));
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let words = inner.state(number).ok_or_else(unknown)?;
        let board = &self.game.get().board;
        let names = board.shape_names().into_iter().enumerate();
        let held = names.filter(|(bit, _)| words[bit / 64] >> (bit % 64) & 1 == 1);
        let facts: Vec<String> = held.map(|(_, name)| name).collect();
        let at = board
            .state_of(&facts)
            .ok_or_else(|| said("The reasoner of this game cannot name a state by its facts"))?;
        Ok(State::new(self.game.clone_ref(py), at, Course::default(), None))
    }

    /// Starts all games again and writes what they look like.
    fn reset(&self, py: Python<'_>, seed: u64, arrays: Arrays<'_>) -> PyResult<()> {
        self.work(py, &arrays, move |batch, view| batch.reset(seed, view))
    }

    /// Steps all games with the given actions, or with random legal ones without them.
    #[pyo3(signature = (actions, arrays))]
    fn step(
        &self,
        py: Python<'_>,
        actions: Option<PyReadonlyArray1<'_, i64>>,
        arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let given = actions.as_ref().map(|actions| actions.as_slice()).transpose()?;
        let actions = given.map_or(Actions::AtRandom, Actions::Given);
        self.work(py, &arrays, move |batch, view| batch.step(actions, view))
    }
}
