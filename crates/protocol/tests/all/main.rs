//! All integration tests of this crate in one program, so that the crate is linked once.

mod corpus;
mod hostile;
mod player;
mod referee;
#[path = "../support/mod.rs"]
mod support;
