//! Problems as Python exceptions.

use std::fmt::Display;

use gamegrove_play::Problem;
use gamegrove_play::notice::Notice;
use gamegrove_play::text::SourceText;
use pyo3::create_exception;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

create_exception!(
    gamegrove,
    GameError,
    PyValueError,
    "A game, an agent or an experiment that cannot be used, and what to do about it."
);

/// No game has more roles than this.
pub const MOST_ROLES: usize = 1024;

/// The most findings about a text that are listed.
const MOST: usize = 10;

/// A problem with what to do about it.
pub fn problem(problem: &Problem) -> PyErr {
    match problem {
        Problem::Rules { text, found, .. } => {
            GameError::new_err(format!("{problem}{}", findings(text, found)))
        }
        _ if problem.help().is_empty() => GameError::new_err(problem.to_string()),
        _ => GameError::new_err(format!("{problem}; {}", problem.help())),
    }
}

/// What was found in a text, one line each, errors first.
fn findings(text: &SourceText, found: &[Notice]) -> String {
    let mut order: Vec<&Notice> = found.iter().collect();
    order.sort_by_key(|notice| !notice.is_error());
    let mut lines = String::new();
    for notice in order.iter().take(MOST) {
        let place = text.place(notice.span.start);
        let kind = if notice.is_error() { "error" } else { "warning" };
        let (line, column) = (place.line, place.column);
        lines += &format!("\n  {}:{line}:{column}: {kind}: {}", text.name, notice.message);
        if !notice.help.is_empty() {
            lines += &format!(" ({})", notice.help);
        }
    }
    if found.len() > MOST {
        lines += &format!("\n  and {} more", found.len() - MOST);
    }
    lines
}

/// The items of a list that somebody handed over, at most so many. What a list says of its length is
/// not believed: memory would be set aside for it.
pub fn items<'py, T>(
    list: &Bound<'py, PyAny>,
    most: usize,
    mut read: impl FnMut(Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    if list.is_instance_of::<PyString>() || list.is_instance_of::<PyBytes>() {
        return Err(PyTypeError::new_err("this is a text; a list is wanted"));
    }
    let mut found = Vec::new();
    for item in list.try_iter()? {
        if found.len() == most {
            return Err(said(format!("this list has more than {most} entries")));
        }
        found.push(read(item?)?);
    }
    Ok(found)
}

/// Anything that says in a sentence what is wrong.
pub fn said(what: impl Display) -> PyErr {
    GameError::new_err(what.to_string())
}
