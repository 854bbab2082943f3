//! All integration tests of this crate in one program, so that the crate is linked once.

mod agenda;
mod common;
mod ledger;
mod published;
mod reporting;
mod running;
mod specification;
mod tuning;
