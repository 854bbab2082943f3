//! All integration tests of this crate in one program, so that the crate is linked once.

mod board;
mod matches;
mod playthroughs;
mod realtime;
