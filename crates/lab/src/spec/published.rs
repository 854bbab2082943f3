//! Published values: `66.6 ±2.92`.

use std::fmt;
use std::str::FromStr;

use gamegrove_play::matches::Z95;
use serde::{Deserialize, Deserializer, Serialize};

use crate::stats::{Measured, Proportion};

/// A published value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Published {
    /// The value, in percent.
    pub mean: f64,
    /// Half the width of its interval, if the source prints one.
    pub half_width: Option<f64>,
    /// Decimals of both as printed.
    #[serde(skip)]
    decimals: (u8, u8),
}

impl Published {
    /// The average of values of different games; with an interval if all have one.
    pub fn average(cells: &[Published]) -> Published {
        let count = cells.len() as f64;
        let mean = cells.iter().map(|cell| cell.mean).sum::<f64>() / count;
        let squares = cells.iter().map(|cell| Some(cell.half_width?.powi(2))).sum::<Option<f64>>();
        let round = |number: f64, unit: f64| (number * unit).round() / unit;
        Published {
            mean: round(mean, 10.0),
            half_width: squares.map(|squares| round(squares.sqrt() / count, 100.0)),
            decimals: (1, 2),
        }
    }

    /// The value as far as tests need it: with its printed interval, or else with that of a mean of
    /// `games` games. A printed interval without width, of games that all ended alike, says nothing.
    pub(crate) fn measured(&self, games: u32) -> Measured {
        match self.half_width {
            Some(half) if half > 0.0 => Measured::Normal { mean: self.mean, error: half / Z95 },
            _ => {
                let mean = (self.mean / 100.0).clamp(0.0, 1.0);
                Measured::Games(Proportion { mean, games: f64::from(games) })
            }
        }
    }

    /// A value that follows from published ones.
    pub(crate) fn derived(mean: f64) -> Published {
        Published { mean, half_width: None, decimals: (2, 2) }
    }
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
        let decimals = |part: &str| {
            let digits = part.trim().split_once('.').map_or(0, |(_, digits)| digits.len());
            u8::try_from(digits).unwrap_or(u8::MAX).min(9)
        };
        let mut parts = text.split('±').map(decimals);
        let decimals = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
        let value = Published { mean, half_width, decimals };
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
        let (of_mean, of_half) = (usize::from(self.decimals.0), usize::from(self.decimals.1));
        write!(f, "{:.of_mean$}", self.mean)?;
        match self.half_width {
            Some(half) => write!(f, " ±{half:.of_half$}"),
            None => Ok(()),
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
    fn an_average_is_surer_than_its_cells() {
        let cells = ["70.0 ±3.00", "50.0 ±4.00"].map(|text| text.parse().unwrap());
        assert_eq!(Published::average(&cells).to_string(), "60.0 ±2.50");
        let cells = ["70.0 ±3.00", "50.0"].map(|text| text.parse().unwrap());
        assert_eq!(Published::average(&cells).to_string(), "60.0");
    }

    #[test]
    fn values_are_read_as_sources_print_them() {
        let value = Published { mean: 66.6, half_width: Some(2.92), decimals: (1, 2) };
        assert_eq!("66.6 ±2.92".parse(), Ok(value));
        assert_eq!("66.6±2.92".parse(), Ok(value));
        for printed in ["64.0 ±2.97", "74.3 ±2.70", "-4", "62.33 ±5.49", "30.60"] {
            let value: Published = printed.parse().unwrap();
            assert_eq!(value.to_string(), printed);
        }
        for wrong in ["", "±", "x", "1 ±-1", "nan", "1e99", "1 ±2 ±3"] {
            assert!(wrong.parse::<Published>().is_err(), "{wrong}");
        }
    }
}
