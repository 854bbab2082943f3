//! What there is: games, agents, experiments.

use gamegrove_agents::Agent;
use gamegrove_lab::shipped;
use gamegrove_play::library::{self, Kind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The games that ship: name, kind, title and tags.
#[pyfunction]
pub fn games(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let games = library::games().into_iter();
    games
        .map(|game| {
            let title = library::Header::read(game.text, game.kind);
            let listed = entry(
                py,
                &[
                    ("name", game.name),
                    ("kind", game.kind.name()),
                    ("title", title.title().unwrap_or(game.name)),
                ],
            )?;
            let tags = match game.kind {
                Kind::Gdl => game.metadata().map(|about| about.tags).unwrap_or_default(),
                Kind::Vgdl | Kind::Octagon => Vec::new(),
            };
            listed.set_item("tags", tags)?;
            Ok(listed)
        })
        .collect()
}

/// The named agents: name, title, sentence, source and spec.
#[pyfunction]
pub fn agents(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    Agent::all()
        .iter()
        .map(|agent| {
            entry(
                py,
                &[
                    ("name", &agent.name),
                    ("title", &agent.title),
                    ("sentence", &agent.sentence),
                    ("source", &agent.source),
                    ("spec", &agent.part.to_string()),
                ],
            )
        })
        .collect()
}

/// The names of the experiments that ship.
#[pyfunction]
pub fn experiments() -> Vec<&'static str> {
    shipped().into_iter().map(|experiment| experiment.name).collect()
}

fn entry<'py>(py: Python<'py>, fields: &[(&str, &str)]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in fields {
        dict.set_item(key, value)?;
    }
    Ok(dict)
}
