//! The arithmetic of results, as the sources do it [Sironi 2019, 5.3.2].

mod elo;
mod sample;

pub use elo::{Rating, Result, elo_difference, ratings};
pub use gamegrove_play::matches::{FORMULA_ONE_POINTS, Performance, formula_one};
pub use sample::{Estimate, Sample, average, robustness, wilson};
