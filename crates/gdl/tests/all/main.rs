//! All integration tests of this crate in one program, so that the crate is linked once.

mod conformance;
mod corpus;
mod counts;
mod grounding;
mod hostile;
mod hurried;
mod independent;
mod positions;
mod walks;
