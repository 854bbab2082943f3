//! The move to play when the search is over.

use gamegrove_game::Rng;

use crate::parameter::Parameter;
use crate::part::{Options, SettingsError};
use crate::tree::Statistic;

/// How the move to play is chosen from the root's statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FinalMove {
    /// The highest mean [Sironi 2019, 2.3].
    Mean,
    /// The most visits: the robust child [Chaslot et al. 2008].
    Visits,
    /// The highest lower bound `mean - a / sqrt(visits)` [Fernandes 2013, 4.1.5].
    Secure(f64),
    /// The greatest return ever [Finnsson 2012, 3.3.5]: for games of one role, in which a line
    /// that was found can be played again.
    Maximum,
    /// One at random, as often as the search visited it once its exploration is taken off: each
    /// visit count is lowered by this share of an equal spread. The average of the mixed strategies
    /// by which [`exp3`](crate::SELECTIONS) and regret matching chose.
    Sampled(f64),
    /// Both the highest mean and the most visits; while they differ the search may go on
    /// [Fernandes 2013, 4.1.5], in the end the most visited wins.
    MaxRobust,
}

/// All rules by name; the first is the default.
pub(crate) const FINAL_MOVES: &[&str] =
    &["mean", "visits", "secure", "max_robust", "maximum", "sampled"];

const A: Parameter = Parameter::real(
    "a",
    4.0,
    (0.0, 1e6),
    "caution of the secure child: the bound is the mean minus a / sqrt(visits)",
);

const GAMMA: Parameter = Parameter::real(
    "gamma",
    0.2,
    (0.0, 1.0),
    "the share of visits that was mere exploration, spread equally",
);

impl FinalMove {
    pub(crate) fn read(name: &str, options: &mut Options<'_>) -> Result<FinalMove, SettingsError> {
        match name {
            "mean" => Ok(FinalMove::Mean),
            "visits" => Ok(FinalMove::Visits),
            "secure" => Ok(FinalMove::Secure(options.number(&A)?)),
            "max_robust" => Ok(FinalMove::MaxRobust),
            "maximum" => Ok(FinalMove::Maximum),
            "sampled" => Ok(FinalMove::Sampled(options.number(&GAMMA)?)),
            _ => Err(crate::part::unknown_name("final", name, FINAL_MOVES)),
        }
    }

    /// The place of the move to play. `greatest` are the greatest returns, for the rule that asks
    /// for them. Moves never tried come last; exact ties are broken at random.
    pub fn choose(self, statistics: &[Statistic], greatest: &[f32], rng: &mut Rng) -> usize {
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
            FinalMove::Maximum => {
                let all: Vec<(f64, f64)> = statistics
                    .iter()
                    .enumerate()
                    .map(|(at, s)| match s.visits {
                        0 => (-1.0, 0.0),
                        _ => (f64::from(greatest.get(at).copied().unwrap_or(0.0)), mean(s)),
                    })
                    .collect();
                top(&all, rng)
            }
            FinalMove::Sampled(gamma) => sampled(statistics, gamma, rng),
        }
    }

    /// Whether the search should go on if it may, because the choice is not clear.
    pub fn is_unclear(self, statistics: &[Statistic]) -> bool {
        self == FinalMove::MaxRobust && {
            let mut rng = Rng::new(0);
            let visits = FinalMove::Visits.choose(statistics, &[], &mut rng);
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
    let all: Vec<(f64, f64)> = statistics.iter().map(value).collect();
    top(&all, rng)
}

/// The place of the greatest value, equals at random.
fn top(values: &[(f64, f64)], rng: &mut Rng) -> usize {
    let top = values
        .iter()
        .copied()
        .fold((f64::NEG_INFINITY, f64::NEG_INFINITY), |a, b| if b > a { b } else { a });
    let ties: Vec<usize> = (0..values.len()).filter(|&at| values[at] == top).collect();
    rng.pick(&ties).unwrap_or(0)
}

/// A place with a probability proportional to its visits beyond exploration.
fn sampled(statistics: &[Statistic], gamma: f64, rng: &mut Rng) -> usize {
    let all: f64 = statistics.iter().map(|s| f64::from(s.visits)).sum();
    let spread = gamma * all / statistics.len().max(1) as f64;
    let weight = |s: &Statistic| (f64::from(s.visits) - spread).max(0.0);
    let sum: f64 = statistics.iter().map(weight).sum();
    if sum <= 0.0 {
        return rng.below(statistics.len().max(1));
    }
    let mut at = rng.unit() * sum;
    for (place, statistic) in statistics.iter().enumerate() {
        at -= weight(statistic);
        if at < 0.0 {
            return place;
        }
    }
    // Rounding may leave a little: the last with any weight is then right.
    statistics.iter().rposition(|s| weight(s) > 0.0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statistics(of: &[(u32, f64)]) -> Vec<Statistic> {
        of.iter().map(|&(visits, mean)| Statistic::new(mean * f64::from(visits), visits)).collect()
    }

    #[test]
    fn rules_differ_where_they_should() {
        let mut rng = Rng::new(0);
        let few_good = statistics(&[(100, 60.0), (4, 80.0), (0, 0.0)]);
        assert_eq!(FinalMove::Mean.choose(&few_good, &[], &mut rng), 1);
        assert_eq!(FinalMove::Visits.choose(&few_good, &[], &mut rng), 0);
        assert_eq!(FinalMove::Secure(4.0).choose(&few_good, &[], &mut rng), 0);
        assert!(FinalMove::MaxRobust.is_unclear(&few_good));
        assert!(!FinalMove::MaxRobust.is_unclear(&statistics(&[(9, 60.0), (8, 50.0)])));
        // A loss that was tried is better than the unknown.
        assert_eq!(FinalMove::Mean.choose(&statistics(&[(0, 0.0), (3, 0.0)]), &[], &mut rng), 1);
    }
}
