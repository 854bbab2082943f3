//! All integration tests of this crate in one program, so that the crate is linked once.

mod conformance;
mod corpus;
mod findings;
mod fuzz;
mod own_games;
mod properties;
mod support;
mod unrecorded;
mod views;
