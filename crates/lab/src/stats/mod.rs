//! The arithmetic of results [Sironi 2019, 5.3.2].

mod elo;
mod measured;
mod normal;
mod sample;
mod sprt;

pub use elo::{Rating, Result, elo_difference, ratings};
pub use gamegrove_play::matches::{
    Estimate, FORMULA_ONE_POINTS, Performance, Proportion, Score, formula_one,
};
pub use measured::Measured;
pub use normal::{chi_squared_tail, holm, normal_quantile, normal_tail};
pub use sample::{Sample, robustness};
pub use sprt::{Decision, EloEstimate, Pairs, Sprt};
