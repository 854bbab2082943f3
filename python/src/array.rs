//! Numbers as NumPy arrays.

use numpy::{Element, PyArray1, PyArrayDyn, dtype};
use pyo3::prelude::*;

/// An array with these numbers, in row-major order, which takes their memory over.
pub fn array<'py, T: Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    // Where NumPy is missing this says so.
    py.import("numpy")?;
    let flat = PyArray1::from_vec(py, numbers).into_any();
    if shape.len() == 1 { Ok(flat) } else { flat.call_method1("reshape", (shape.to_vec(),)) }
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
