//! Numbers as NumPy arrays, through a buffer of bytes that the array takes over.

use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// Numbers that an array can hold.
pub trait Element: Copy {
    /// What NumPy calls their type.
    const TYPE: &'static str;
    /// Their bytes.
    fn put(self, to: &mut [u8]);
    /// How many bytes one has.
    const SIZE: usize = size_of::<Self>();
}

impl Element for u8 {
    const TYPE: &'static str = "uint8";
    fn put(self, to: &mut [u8]) {
        to[0] = self;
    }
}

impl Element for u32 {
    const TYPE: &'static str = "uint32";
    fn put(self, to: &mut [u8]) {
        to.copy_from_slice(&self.to_ne_bytes());
    }
}

impl Element for f32 {
    const TYPE: &'static str = "float32";
    fn put(self, to: &mut [u8]) {
        to.copy_from_slice(&self.to_ne_bytes());
    }
}

/// An array of its own with these numbers, in row-major order.
pub fn array<'py, T: Element>(
    py: Python<'py>,
    numbers: &[T],
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = PyByteArray::new_with(py, numbers.len() * T::SIZE, |bytes| {
        for (to, &number) in bytes.chunks_exact_mut(T::SIZE).zip(numbers) {
            number.put(to);
        }
        Ok(())
    })?;
    let flat = py.import("numpy")?.call_method1("frombuffer", (bytes, T::TYPE))?;
    if shape.len() == 1 { Ok(flat) } else { flat.call_method1("reshape", (shape.to_vec(),)) }
}
