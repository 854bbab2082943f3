//! All integration tests of this crate in one program, so that the crate is linked once.

mod calibration;
mod cases;
mod counts;
mod groups;
mod hostile;
mod properties;
mod support;
mod twin;
