//! The move to play when the search is over.

use gamegrove_game::Rng;

use crate::parameter::Parameter;
use crate::part::{Options, SettingsError};
use crate::tree::Statistic;

/// How the move to play is chosen from the root's statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FinalMove {
    /// The highest mean (search-and-ggp, section 2.5).
    Mean,
    /// The most visits.
    Visits,
    /// The highest lower bound `mean - a / sqrt(visits)` (octagon-theory, section 8.7).
    Secure(f64),
    /// Both the highest mean and the most visits; while they differ the search may go on
    /// (octagon-theory, section 8.7), in the end the most visited wins.
    MaxRobust,
}

const A: Parameter = Parameter::real(
    "a",
    4.0,
    (0.0, 1e6),
    "caution of the secure child: the bound is the mean minus a / sqrt(visits)",
);

impl FinalMove {
    pub(crate) fn read(name: &str, options: &mut Options<'_>) -> Result<FinalMove, SettingsError> {
        match name {
            "mean" => Ok(FinalMove::Mean),
            "visits" => Ok(FinalMove::Visits),
            "secure" => Ok(FinalMove::Secure(options.number(&A)?)),
            "max_robust" => Ok(FinalMove::MaxRobust),
            _ => Err(crate::part::unknown_name(
                "final",
                name,
                &["mean", "visits", "secure", "max_robust"],
            )),
        }
    }

    /// The place of the move to play. Moves never tried come last; exact ties are broken at random.
    pub fn choose(self, statistics: &[Statistic], rng: &mut Rng) -> usize {
        let mean =
            |s: &Statistic| if s.visits == 0 { -1.0 } else { s.sum / f64::from(s.visits) / 100.0 };
        match self {
            FinalMove::Mean => best(statistics, rng, |s| (mean(s), 0.0)),
            FinalMove::Visits => best(statistics, rng, |s| (f64::from(s.visits), mean(s))),
            FinalMove::Secure(a) => best(statistics, rng, |s| match s.visits {
                0 => (f64::NEG_INFINITY, 0.0),
                visits => (mean(s) - a / f64::from(visits).sqrt(), 0.0),
            }),
            FinalMove::MaxRobust => best(statistics, rng, |s| (f64::from(s.visits), mean(s))),
        }
    }

    /// Whether the search should go on if it may, because the choice is not clear.
    pub fn is_unclear(self, statistics: &[Statistic]) -> bool {
        self == FinalMove::MaxRobust && {
            let mut rng = Rng::new(0);
            let visits = FinalMove::Visits.choose(statistics, &mut rng);
            let top = |s: &Statistic| s.sum / f64::from(s.visits.max(1));
            statistics.iter().any(|s| s.visits > 0 && top(s) > top(&statistics[visits]))
        }
    }
}

fn best(
    statistics: &[Statistic],
    rng: &mut Rng,
    value: impl Fn(&Statistic) -> (f64, f64),
) -> usize {
    let top = statistics
        .iter()
        .map(&value)
        .fold((f64::NEG_INFINITY, f64::NEG_INFINITY), |a, b| if b > a { b } else { a });
    let ties: Vec<usize> =
        (0..statistics.len()).filter(|&at| value(&statistics[at]) == top).collect();
    rng.pick(&ties).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statistics(of: &[(u32, f64)]) -> Vec<Statistic> {
        of.iter()
            .map(|&(visits, mean)| Statistic { sum: mean * f64::from(visits), visits, pending: 0 })
            .collect()
    }

    #[test]
    fn rules_differ_where_they_should() {
        let mut rng = Rng::new(0);
        let few_good = statistics(&[(100, 60.0), (4, 80.0), (0, 0.0)]);
        assert_eq!(FinalMove::Mean.choose(&few_good, &mut rng), 1);
        assert_eq!(FinalMove::Visits.choose(&few_good, &mut rng), 0);
        assert_eq!(FinalMove::Secure(4.0).choose(&few_good, &mut rng), 0);
        assert!(FinalMove::MaxRobust.is_unclear(&few_good));
        assert!(!FinalMove::MaxRobust.is_unclear(&statistics(&[(9, 60.0), (8, 50.0)])));
        // A loss that was tried is better than the unknown.
        assert_eq!(FinalMove::Mean.choose(&statistics(&[(0, 0.0), (3, 0.0)]), &mut rng), 1);
    }
}
