//! The scale of rewards.

/// The least and the greatest reward to expect; strategies work on the unit interval.
///
/// Rewards outside are allowed and become numbers outside of the unit interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rewards {
    low: f64,
    per_unit: f64,
}

impl Rewards {
    /// Goals of board games, 0 to 100 [Sironi 2019, 6.2.1].
    pub const GOALS: Rewards = Rewards { low: 0.0, per_unit: 0.01 };

    /// Rewards that are on the unit interval already (section 6.2: values of video games).
    pub const UNIT: Rewards = Rewards { low: 0.0, per_unit: 1.0 };

    /// Rewards from `low` to `high`; `None` if that is not a finite, non-empty interval.
    pub fn between(low: f64, high: f64) -> Option<Self> {
        let per_unit = 1.0 / (high - low);
        (low < high && per_unit > 0.0 && per_unit.is_finite()).then_some(Rewards { low, per_unit })
    }

    /// The reward on the unit interval. A reward that is not finite counts as the least one, so that one bad sample
    /// cannot spoil a mean.
    pub(crate) fn unit(&self, reward: f64) -> f64 {
        let unit = (reward - self.low) * self.per_unit;
        if unit.is_finite() { unit } else { 0.0 }
    }
}

/// A mean on the unit interval less its standard error, for the largest deviation such rewards can
/// have: what a combination is surely worth. Recommendations compare this, so that one lucky
/// sample is not taken for the best.
pub(crate) fn cautious(mean: f64, samples: f64) -> f64 {
    mean - 0.5 / samples.max(1.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_range_becomes_the_unit_interval() {
        assert_eq!([0.0, 50.0, 100.0].map(|goal| Rewards::GOALS.unit(goal)), [0.0, 0.5, 1.0]);
        let scores = Rewards::between(-20.0, 60.0).unwrap();
        assert_eq!(
            [-20.0, 0.0, 60.0, 140.0].map(|score| scores.unit(score)),
            [0.0, 0.25, 1.0, 2.0]
        );
        assert_eq!([f64::NAN, f64::INFINITY].map(|score| scores.unit(score)), [0.0, 0.0]);
        for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert_eq!(Rewards::between(low, high), None);
        }
    }
}
