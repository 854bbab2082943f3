//! Published values: `66.6 ±2.92`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

/// A published value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Published {
    /// The value, in percent.
    pub mean: f64,
    /// Half the width of its interval, if the source prints one.
    pub half_width: Option<f64>,
}

impl FromStr for Published {
    type Err = String;

    fn from_str(text: &str) -> Result<Published, String> {
        let number = |part: &str| {
            let number: Option<f64> = part.trim().parse().ok();
            number.filter(|number| number.is_finite()).ok_or_else(|| {
                format!("it is \"{text}\", but must be like \"66.6 ±2.92\" or \"66.6\"")
            })
        };
        let (mean, half_width) = match text.split_once('±') {
            Some((mean, half_width)) => (number(mean)?, Some(number(half_width)?)),
            None => (number(text)?, None),
        };
        let value = Published { mean, half_width };
        match (mean, half_width) {
            (mean, _) if !(-1000.0..=1_000_000.0).contains(&mean) => {
                Err(format!("it is \"{text}\", but must be from -1000 to 1000000"))
            }
            (_, Some(half)) if half < 0.0 => {
                Err(format!("it is \"{text}\", but half a width cannot be below 0"))
            }
            _ => Ok(value),
        }
    }
}

impl fmt::Display for Published {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.half_width {
            Some(half) => write!(f, "{} ±{half}", self.mean),
            None => write!(f, "{}", self.mean),
        }
    }
}

/// Reads a row of values; `""` is none.
pub(super) fn row<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Option<Published>>, D::Error> {
    let entries: Vec<Entry> = Vec::deserialize(from)?;
    Ok(entries.into_iter().map(|Entry(value)| value).collect())
}

struct Entry(Option<Published>);

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Entry, D::Error> {
        let text = String::deserialize(from)?;
        if text.is_empty() {
            return Ok(Entry(None));
        }
        text.parse().map(|value| Entry(Some(value))).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_sources_print_them() {
        let value = Published { mean: 66.6, half_width: Some(2.92) };
        assert_eq!("66.6 ±2.92".parse(), Ok(value));
        assert_eq!("66.6±2.92".parse(), Ok(value));
        assert_eq!("-4".parse(), Ok(Published { mean: -4.0, half_width: None }));
        for wrong in ["", "±", "x", "1 ±-1", "nan", "1e99", "1 ±2 ±3"] {
            assert!(wrong.parse::<Published>().is_err(), "{wrong}");
        }
    }
}
