//! Values with intervals of every confidence, their means and differences, in percent.
//!
//! The interval of a mean or a difference follows from those of its parts: how far its ends are from it
//! is the root of the sum of the squares of how far theirs are [Zou 2008]. So a test of a difference
//! uses the very intervals that a report prints, which are Wilson's and not symmetrical.

use super::normal::normal_tail;
use super::{Estimate, Proportion};
use gamegrove_play::matches::Z95;

/// A value in percent of which an interval is known at every confidence.
#[derive(Clone, Debug, PartialEq)]
pub enum Measured {
    /// A mean of games.
    Games(Proportion),
    /// A value with a standard error.
    Normal {
        /// The value.
        mean: f64,
        /// Its standard error.
        error: f64,
    },
    /// The mean of independent values.
    Mean(Vec<Measured>),
    /// The first value less the second.
    Difference(Box<Measured>, Box<Measured>),
}

impl Measured {
    /// The first value less the second.
    pub fn less(&self, other: &Measured) -> Measured {
        Measured::Difference(Box::new(self.clone()), Box::new(other.clone()))
    }

    /// The value.
    pub fn mean(&self) -> f64 {
        match self {
            Measured::Games(proportion) => 100.0 * proportion.mean,
            Measured::Normal { mean, .. } => *mean,
            Measured::Mean(parts) => {
                parts.iter().map(Measured::mean).sum::<f64>() / parts.len() as f64
            }
            Measured::Difference(one, other) => one.mean() - other.mean(),
        }
    }

    /// How far below and above the value the ends of the interval of `z` standard errors are.
    pub fn sides(&self, z: f64) -> (f64, f64) {
        match self {
            Measured::Games(proportion) => {
                let (low, high) = proportion.interval(z);
                (100.0 * (proportion.mean - low), 100.0 * (high - proportion.mean))
            }
            Measured::Normal { error, .. } => (z * error, z * error),
            Measured::Mean(parts) => {
                let (mut below, mut above) = (0.0, 0.0);
                for part in parts {
                    let sides = part.sides(z);
                    below += sides.0 * sides.0;
                    above += sides.1 * sides.1;
                }
                (below.sqrt() / parts.len() as f64, above.sqrt() / parts.len() as f64)
            }
            Measured::Difference(one, other) => {
                let (one, other) = (one.sides(z), other.sides(z));
                (one.0.hypot(other.1), one.1.hypot(other.0))
            }
        }
    }

    /// The interval of `z` standard errors.
    pub fn interval(&self, z: f64) -> (f64, f64) {
        let (mean, (below, above)) = (self.mean(), self.sides(z));
        (mean - below, mean + above)
    }

    /// The value with its 95 % interval.
    pub fn estimate(&self) -> Estimate {
        let (low, high) = self.interval(Z95);
        Estimate { mean: self.mean(), low, high }
    }

    /// By how many standard errors the value is above `bound`: the end of the interval of so many
    /// standard errors is `bound`.
    pub fn deviate(&self, bound: f64) -> f64 {
        let distance = self.mean() - bound;
        let reach = |z: f64| {
            let (below, above) = self.sides(z);
            if distance > 0.0 { below } else { above }
        };
        let (mut low, mut high) = (0.0, 40.0);
        for _ in 0..50 {
            let middle = (low + high) / 2.0;
            if reach(middle) < distance.abs() { low = middle } else { high = middle }
        }
        low.copysign(distance)
    }

    /// The p-value of the test that the true value is not `bound`.
    pub fn p_off(&self, bound: f64) -> f64 {
        2.0 * normal_tail(self.deviate(bound).abs())
    }

    /// The p-value of the test that the true value is above `bound`, or below it: the interval of that
    /// confidence ends at `bound`.
    pub fn p_beyond(&self, bound: f64, above: bool) -> f64 {
        let deviate = self.deviate(bound);
        (2.0 * normal_tail(if above { deviate } else { -deviate })).min(1.0)
    }

    /// The p-value of the test that the true value is nearer to 0 than `margin`: the interval of that
    /// confidence touches the margin.
    pub fn p_within(&self, margin: f64) -> f64 {
        self.p_beyond(-margin, true).max(self.p_beyond(margin, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(mean: f64, games: f64) -> Measured {
        Measured::Games(Proportion { mean, games })
    }

    #[test]
    fn a_test_of_a_mean_agrees_with_its_printed_interval() {
        for (mean, count) in [(0.5, 10.0), (0.97, 40.0), (0.0, 7.0), (1.0, 3.0)] {
            let printed = Proportion { mean, games: count }.estimate();
            let own = games(mean, count);
            assert_eq!(own.estimate().to_string(), printed.to_string());
            for end in [printed.low, printed.high] {
                if (1.0..99.0).contains(&end) {
                    assert!((own.p_off(end) - 0.05).abs() < 1e-4, "{mean} {count} {end}");
                }
            }
        }
    }

    #[test]
    fn differences_have_newcombes_interval() {
        // [Newcombe 1998, Table II, method 10]: 56/70 less 48/80, and 10/10 less 0/20.
        let of = |wins: f64, count: f64| games(wins / count, count);
        let shown = |one: Measured, other: Measured| one.less(&other).estimate().to_string();
        assert_eq!(shown(of(56.0, 70.0), of(48.0, 80.0)), "20.0 [5.2, 33.4]");
        assert_eq!(shown(of(10.0, 10.0), of(0.0, 20.0)), "100.0 [67.9, 100.0]");
    }

    #[test]
    fn tests_ask_where_the_interval_ends() {
        let value = Measured::Normal { mean: 4.0, error: 2.0 };
        assert!((value.deviate(0.0) - 2.0).abs() < 1e-9);
        assert!((value.deviate(10.0) + 3.0).abs() < 1e-9);
        assert!((value.p_off(0.0) - 0.0455).abs() < 1e-4);
        // Within 10: 7 standard errors above -10, but only 3 below 10.
        assert!((value.p_within(10.0) - 0.0027).abs() < 1e-4);
        assert_eq!(value.p_within(3.0), 1.0);
        let four = Measured::Mean(vec![value.clone(), value.clone(), value.clone(), value]);
        assert!((four.deviate(0.0) - 4.0).abs() < 1e-9);
    }
}
