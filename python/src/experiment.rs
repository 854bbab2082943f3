//! Experiments: run, reported, and cut into chunks for other machines.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use gamegrove_lab::chunk::{self, Chunk, ChunkError, chunks};
use gamegrove_lab::report::{Provenance, Report, date};
use gamegrove_lab::{
    Agenda, Plan, Row, Session, Spec, Status, Store, machine, now, open_experiment, run, venue,
};
use gamegrove_play::agent::read_agent;
use pyo3::prelude::*;

use crate::error::{items, problem, said};
use crate::interrupt;
use crate::matches::told;

/// An experiment: a shipped one by its name, or a file.
#[pyclass(frozen, module = "gamegrove")]
pub struct Experiment {
    plan: Arc<Plan>,
    text: String,
    seed: Option<u64>,
    games: Option<PathBuf>,
}

impl Experiment {
    fn read(
        py: Python<'_>,
        name: String,
        text: String,
        profile: &str,
        seed: Option<u64>,
        games: Option<PathBuf>,
    ) -> PyResult<Experiment> {
        // It names the store that is used if none is given.
        if name.is_empty() || name.contains(['/', '\\', '\0']) {
            return Err(said(format!("an experiment is called by a name, not {name:?}")));
        }
        // Whoever plays a chunk of it may be in another folder.
        let games = games.map(std::path::absolute).transpose().map_err(said)?;
        let mut spec = Spec::read(&text).map_err(|error| said(format!("{name}: {error}")))?;
        if let Some(seed) = seed {
            spec.seed = seed;
        }
        let profile = profile.to_owned();
        let folder = games.clone();
        let plan = interrupt::run(py, move |_| {
            Plan::new(&name, spec, &profile, &read_agent, &*venue(folder.as_deref()))
                .map_err(|error| format!("{name}: {error}"))
        })?;
        Ok(Experiment { plan: Arc::new(plan.map_err(said)?), text, seed, games })
    }

    fn path(&self, store: Option<PathBuf>) -> PathBuf {
        store.unwrap_or_else(|| PathBuf::from(format!("{}.sqlite", self.plan.name)))
    }

    fn store(&self, store: Option<PathBuf>) -> PyResult<Store> {
        Store::open(&self.path(store)).map_err(said)
    }
}

#[pymethods]
impl Experiment {
    #[new]
    #[pyo3(signature = (file, *, profile="full", seed=None, games=None))]
    fn new(
        py: Python<'_>,
        file: &str,
        profile: &str,
        seed: Option<u64>,
        games: Option<PathBuf>,
    ) -> PyResult<Experiment> {
        let (name, text) = open_experiment(file).map_err(|error| problem(&error))?;
        Experiment::read(py, name, text, profile, seed, games)
    }

    /// An experiment from the text of its file.
    #[staticmethod]
    #[pyo3(signature = (text, *, name="experiment", profile="full", seed=None, games=None))]
    fn from_text(
        py: Python<'_>,
        text: String,
        name: &str,
        profile: &str,
        seed: Option<u64>,
        games: Option<PathBuf>,
    ) -> PyResult<Experiment> {
        Experiment::read(py, name.to_owned(), text, profile, seed, games)
    }

    /// What it is called.
    #[getter]
    fn name(&self) -> &str {
        &self.plan.name
    }

    /// The profile.
    #[getter]
    fn profile(&self) -> &str {
        &self.plan.profile
    }

    /// The hash of all that its games depend on: equal plans have equal games.
    #[getter]
    fn plan(&self) -> &str {
        &self.plan.hash
    }

    /// The seed that was asked for instead of its own.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// The folder of rules that it is played by; None for the games that ship.
    #[getter]
    fn games(&self) -> Option<&Path> {
        self.games.as_deref()
    }

    /// The text of its file.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// How many games it has.
    fn __len__(&self) -> usize {
        usize::try_from(self.plan.total()).unwrap_or(usize::MAX)
    }

    /// Plays what the store lacks, on this machine; returns how far it is. `watch` hears the numbers of
    /// games done and in all a few times a second.
    #[pyo3(signature = (store=None, *, threads=1, watch=None))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        store: Option<PathBuf>,
        threads: usize,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut kept = self.store(store)?;
        let (plan, games) = (Arc::clone(&self.plan), self.games.clone());
        let threads = threads.clamp(1, 1024);
        let session = Session {
            started: now(),
            profile: plan.profile.clone(),
            command: format!("gamegrove.Experiment({:?}).run(threads={threads})", plan.name),
            machine: machine(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            threads,
        };
        let trouble = Arc::<interrupt::Trouble>::default();
        let within = Arc::clone(&trouble);
        // Games under way are finished and kept; a second Ctrl-C does not wait for them.
        let done = interrupt::run_with(py, &trouble, None, move |stop| {
            run(&plan, &mut kept, &*venue(games.as_deref()), &session, Agenda::All, |status| {
                if let Some(watch) = &watch {
                    within
                        .within(|py| watch.bind(py).call1((status.done, status.total)).map(|_| ()));
                }
                match stop.load(Ordering::Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            })
        })?;
        let done = done.map_err(said)?;
        told(py, &serde_json::to_value(&done.status).map_err(said)?)
    }

    /// How far it is.
    #[pyo3(signature = (store=None))]
    fn status<'py>(&self, py: Python<'py>, store: Option<PathBuf>) -> PyResult<Bound<'py, PyAny>> {
        let status = py.detach(|| {
            let mut store = self.store(store)?;
            store.drop_dead_claims().map_err(said)?;
            Status::read(&self.plan, &store).map_err(said)
        })?;
        told(py, &serde_json::to_value(&status).map_err(said)?)
    }

    /// The results so far as text: markdown, csv, json or html.
    #[pyo3(signature = (store=None, *, format="markdown"))]
    fn report(&self, py: Python<'_>, store: Option<PathBuf>, format: &str) -> PyResult<String> {
        let made = Provenance {
            command: format!("gamegrove.Experiment({:?}).report()", self.plan.name),
            date: date(now()),
            machine: machine(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let report = py.detach(|| {
            let store = self.store(store)?;
            Report::new(&self.plan, &store, made).map_err(said)
        })?;
        match format {
            "markdown" => Ok(report.markdown()),
            "csv" => Ok(report.csv()),
            "html" => Ok(report.html()),
            "json" => serde_json::to_string_pretty(&report).map_err(said),
            other => Err(said(format!(
                "no format is called {other}; there is markdown, csv, json, html"
            ))),
        }
    }

    /// All finished games.
    #[pyo3(signature = (store=None))]
    fn rows<'py>(&self, py: Python<'py>, store: Option<PathBuf>) -> PyResult<Bound<'py, PyAny>> {
        let rows = py.detach(|| {
            let store = self.store(store)?;
            let mut rows: Vec<Row> = Vec::new();
            for cell in &self.plan.cells {
                rows.extend(store.rows(&cell.id, cell.runs).map_err(said)?);
            }
            Ok::<_, PyErr>(rows)
        })?;
        told(py, &serde_json::to_value(&rows).map_err(said)?)
    }

    /// The experiment as chunks of about `size` games, each a line of JSON. With a store only of games
    /// that it lacks.
    #[pyo3(signature = (size, *, store=None))]
    fn chunks(&self, py: Python<'_>, size: u32, store: Option<PathBuf>) -> PyResult<Vec<String>> {
        if size == 0 {
            return Err(said("`size` is the number of games of a chunk; it must be at least 1"));
        }
        py.detach(|| {
            let chunks = match store {
                None => chunks(&self.plan, size),
                Some(_) => chunk::missing(&self.plan, &self.store(store)?, size).map_err(said)?,
            };
            chunks.iter().map(|chunk| serde_json::to_string(chunk).map_err(said)).collect()
        })
    }

    /// Plays a chunk; returns its rows, each a line of JSON.
    fn run_chunk(&self, py: Python<'_>, chunk: &str) -> PyResult<Vec<String>> {
        let chunk: Chunk = serde_json::from_str(chunk)
            .map_err(|error| said(format!("this is no chunk: {error}")))?;
        let (plan, games) = (Arc::clone(&self.plan), self.games.clone());
        let rows = interrupt::run(py, move |stop| {
            let mut rows = Vec::new();
            let keep = |row: Row| {
                rows.push(serde_json::to_string(&row)?);
                match stop.load(Ordering::Relaxed) {
                    true => Err(Stopped::Asked),
                    false => Ok(()),
                }
            };
            chunk::play(&plan, &chunk, &*venue(games.as_deref()), keep).map(|()| rows)
        })?;
        rows.map_err(|stopped| match stopped {
            Stopped::Chunk(error) => said(error),
            Stopped::Row(error) => said(error),
            Stopped::Asked => said("it was stopped"),
        })
    }

    /// Puts rows of chunks into the store; returns how many were new. A game counts once.
    #[pyo3(signature = (rows, store=None))]
    fn merge(
        &self,
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        store: Option<PathBuf>,
    ) -> PyResult<usize> {
        let rows: Vec<String> = items(rows, MOST_ROWS, |row| row.extract())?;
        let read = |row: &String| {
            serde_json::from_str(row).map_err(|error| said(format!("this is no row: {error}")))
        };
        py.detach(|| {
            let rows: Vec<Row> = rows.iter().map(read).collect::<PyResult<_>>()?;
            let mut store = self.store(store)?;
            chunk::merge(&self.plan, &mut store, &rows).map_err(said)
        })
    }

    fn __repr__(&self) -> String {
        let (name, profile) = (&self.plan.name, &self.plan.profile);
        format!("<Experiment {name}, profile {profile}, {} games>", self.plan.total())
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
        let restore = slf.py().get_type::<Experiment>().getattr("_restore")?;
        let (name, profile) = (own.plan.name.clone(), own.plan.profile.clone());
        Ok((restore, (own.text.clone(), name, profile, own.seed, own.games.clone())))
    }

    #[staticmethod]
    fn _restore(
        py: Python<'_>,
        text: String,
        name: String,
        profile: &str,
        seed: Option<u64>,
        games: Option<PathBuf>,
    ) -> PyResult<Experiment> {
        Experiment::read(py, name, text, profile, seed, games)
    }
}

/// More rows than come back together.
const MOST_ROWS: usize = 10_000_000;

/// Why a chunk was not played to its end.
enum Stopped {
    Chunk(ChunkError),
    Row(serde_json::Error),
    Asked,
}

impl From<ChunkError> for Stopped {
    fn from(error: ChunkError) -> Stopped {
        Stopped::Chunk(error)
    }
}

impl From<serde_json::Error> for Stopped {
    fn from(error: serde_json::Error) -> Stopped {
        Stopped::Row(error)
    }
}

/// What it is made of, to be made again elsewhere.
type Pickled = (String, String, String, Option<u64>, Option<PathBuf>);
