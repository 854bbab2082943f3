//! What a player may spend on a move, as files say it.

use std::time::Duration;

use serde::{Deserialize, Deserializer};

use super::limits;

/// What a player may spend on a move: exactly one of `clock`, `processor`, `simulations` and
/// `published_seconds`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Time.
    #[serde(default, deserialize_with = "time")]
    pub clock: Option<Duration>,
    /// Time before the first move; only with `clock`.
    #[serde(default, deserialize_with = "time")]
    pub start_clock: Option<Duration>,
    /// Processor time, which other work on the machine does not shorten.
    #[serde(default, deserialize_with = "time")]
    pub processor: Option<Duration>,
    /// Simulations.
    #[serde(default, deserialize_with = "limits::simulations")]
    pub simulations: Option<u64>,
    /// As many simulations as the source's program did in this time.
    #[serde(default, deserialize_with = "limits::seconds")]
    pub published_seconds: Option<f64>,
    /// With `published_seconds`: no more simulations than this.
    #[serde(default, deserialize_with = "limits::simulations")]
    pub at_most: Option<u64>,
}

/// Clocks beyond this are mistakes.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(from)?;
    let time: Duration = humantime::parse_duration(&text).map_err(|error| {
        serde::de::Error::custom(format!(
            "it is \"{text}\", which is no time ({error}); try \"1s\""
        ))
    })?;
    if time.is_zero() || time > LONGEST {
        let nearest = if time.is_zero() { "1ms" } else { "24h" };
        return Err(serde::de::Error::custom(format!(
            "it is \"{text}\", but must be from 1ms to 24h; the nearest valid value is {nearest}"
        )));
    }
    Ok(Some(time))
}

impl Budget {
    /// What is wrong with it, if anything is. `speed` is what the game says about the source's
    /// program.
    pub(super) fn problem(&self, speed: Option<f64>) -> Option<String> {
        let given = [
            self.clock.is_some(),
            self.processor.is_some(),
            self.simulations.is_some(),
            self.published_seconds.is_some(),
        ];
        if given.into_iter().filter(|given| *given).count() != 1 {
            return Some(
                "a budget needs exactly one of `clock`, `processor`, `simulations` and \
                 `published_seconds`"
                    .to_owned(),
            );
        }
        if self.start_clock.is_some() && self.clock.is_none() {
            return Some("`start_clock` needs `clock`".to_owned());
        }
        if self.at_most.is_some() && self.published_seconds.is_none() {
            return Some("`at_most` needs `published_seconds`".to_owned());
        }
        (self.published_seconds.is_some() && speed.is_none()).then(|| {
            "`published_seconds` needs `simulations_per_second` of every game it is for".to_owned()
        })
    }
}
