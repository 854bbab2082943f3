//! Gamegrove for Python: the extension behind the package `gamegrove`.
//!
//! ```text
//! gamegrove (Python) ─ _gamegrove (here) ─ play (games of all types) ─ search, lab
//! ```
//!
//! Short questions are answered with the interpreter's lock held; long work runs on a thread of its
//! own while the caller waits without it and listens for Ctrl-C ([`interrupt`]). Python code that
//! plays (agents, play-out policies) is called from that thread ([`guest`]).
//!
//! # Modules
//!
//! [`game`], [`state`], [`agent`], [`mod@matches`], [`experiment`] and [`catalogue`] are classes and
//! functions over crates `play` and `lab`. [`batch`] writes a step of thousands of games into memory of
//! NumPy; [`episode`] is one game for environments of other libraries; [`actions`] numbers moves alike for
//! all roles. [`mod@array`] makes arrays, [`error`] exceptions.

mod actions;
mod agent;
mod array;
mod batch;
mod catalogue;
mod episode;
mod error;
mod experiment;
mod game;
mod guest;
mod interrupt;
mod matches;
mod state;

use pyo3::prelude::*;

/// The extension.
#[pymodule]
fn _gamegrove(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("GameError", module.py().get_type::<error::GameError>())?;
    module.add_class::<game::Game>()?;
    module.add_class::<state::State>()?;
    module.add_class::<state::Playouts>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<episode::Episode>()?;
    module.add_class::<agent::Agent>()?;
    module.add_class::<agent::Player>()?;
    module.add_class::<agent::Decision>()?;
    module.add_class::<agent::MoveStatistics>()?;
    module.add_class::<guest::Budget>()?;
    module.add_class::<experiment::Experiment>()?;
    module.add_function(wrap_pyfunction!(catalogue::games, module)?)?;
    module.add_function(wrap_pyfunction!(catalogue::agents, module)?)?;
    module.add_function(wrap_pyfunction!(catalogue::experiments, module)?)?;
    module.add_function(wrap_pyfunction!(matches::play, module)?)?;
    module.add_function(wrap_pyfunction!(matches::tournament, module)?)?;
    module.add_function(wrap_pyfunction!(state::restore, module)?)?;
    Ok(())
}
