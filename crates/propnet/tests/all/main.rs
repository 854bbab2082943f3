//! All integration tests of this crate in one program, so that the crate is linked once.

mod agreement;
mod auto;
mod building;
mod lanes;
mod limits;
mod measured;
mod random_networks;
mod support;
mod two_lights;
