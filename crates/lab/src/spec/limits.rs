//! The ranges of numbers, and what holds where a file says nothing.

use std::fmt::Display;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

/// No experiment has more games in a cell.
const MOST_RUNS: u32 = 10_000_000;
/// Longer games are given up anyway.
const MOST_STEPS: u32 = 1_000_000;
/// A thousand times the others' budget is more than any comparison needs.
const MOST_PATIENCE: u32 = 1000;
/// More simulations than any budget needs; keeps products of them exact.
const MOST_SIMULATIONS: u64 = 1_000_000_000_000;

pub(super) fn default_seed() -> u64 {
    1
}

pub(super) fn default_reasoner() -> Spanned<String> {
    Spanned::new(0..0, "auto".to_owned())
}

pub(super) fn default_steps() -> u32 {
    10_000
}

/// What a difference has to be below for two values to agree, in percent points.
pub(super) fn default_margin() -> f64 {
    10.0
}

pub(super) fn margin<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    real(from, 0.1, 50.0)
}

/// What `patience` is where a file says nothing.
pub(super) fn one() -> u32 {
    1
}

pub(super) fn patience<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    whole(from, 1, u64::from(MOST_PATIENCE)).map(|number| number as u32)
}

pub(super) fn runs<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    whole(from, 1, u64::from(MOST_RUNS)).map(|number| number as u32)
}

pub(super) fn some_runs<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    runs(from).map(Some)
}

pub(super) fn steps<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    whole(from, 1, u64::from(MOST_STEPS)).map(|number| number as u32)
}

pub(super) fn simulations<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    whole(from, 1, MOST_SIMULATIONS).map(Some)
}

/// Simulations per second.
pub(super) fn speed<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    real(from, 0.001, 1e12).map(Some)
}

/// Seconds of the source's clock.
pub(super) fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    real(from, 1e-6, 1e6).map(Some)
}

fn whole<'de, D: Deserializer<'de>>(from: D, least: u64, most: u64) -> Result<u64, D::Error> {
    let given = i64::deserialize(from)?;
    let nearest = given.clamp(least as i64, most as i64);
    if nearest == given { Ok(given as u64) } else { Err(out_of_range(given, least, most, nearest)) }
}

fn real<'de, D: Deserializer<'de>>(from: D, least: f64, most: f64) -> Result<f64, D::Error> {
    let given = f64::deserialize(from)?;
    if (least..=most).contains(&given) {
        return Ok(given);
    }
    let nearest = if given > most { most } else { least };
    Err(out_of_range(given, least, most, nearest))
}

fn out_of_range<E: Error>(
    given: impl Display,
    least: impl Display,
    most: impl Display,
    nearest: impl Display,
) -> E {
    E::custom(format!(
        "it is {given}, but must be from {least} to {most}; the nearest valid value is {nearest}"
    ))
}
