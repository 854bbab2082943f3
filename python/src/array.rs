//! Numbers as NumPy arrays.

use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods, dtype};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// An array with these numbers, in row-major order, which takes their memory over.
pub fn array<'py, T: Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    // Where NumPy is missing this says so.
    static FOUND: PyOnceLock<()> = PyOnceLock::new();
    FOUND.get_or_try_init(py, || py.import("numpy").map(|_| ()))?;
    let flat = PyArray1::from_vec(py, numbers);
    if shape.len() == 1 { Ok(flat.into_any()) } else { Ok(flat.reshape(shape)?.into_any()) }
}

/// An array to be written, in row-major order. NumPy asks the system for large pages where an array is
/// large, so that filling one for the first time is several times faster than filling a `Vec`.
pub fn unwritten<'py, T: Element>(
    py: Python<'py>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let made = py.import("numpy")?.call_method1("empty", (shape, dtype::<T>(py)))?;
    Ok(made.cast_into()?)
}
