//! Numbers as NumPy arrays, which take their memory over.

use numpy::{Element, PyArray1};
use pyo3::prelude::*;

/// An array with these numbers, in row-major order.
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
