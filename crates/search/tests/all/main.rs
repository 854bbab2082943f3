//! Tests of the search through its public interface, in one program: each would compile the whole search
//! for its games again.

mod batches;
mod connect_four;
mod cutoffs;
mod expansions;
mod fast_board;
mod faults;
mod first_tries;
mod identities;
mod lanes;
mod mixed;
mod open_loop;
mod registries;
mod reuse;
mod sequential;
mod settings;
mod signature;
mod single_player;
mod solver;
mod strength;
mod support;
mod team;
mod tuning;
mod typed_moves;
