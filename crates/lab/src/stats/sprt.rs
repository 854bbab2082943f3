//! The sequential test of whether an agent is stronger: after every pair of matches with swapped roles
//! it goes on, or accepts one of two differences in Elo points [Wald 1945].
//!
//! It is the test of chess engine testers. A pair gives 0, ½, 1, 1½ or 2 points; the log-likelihood ratio
//! compares the most likely distributions of these five results under which the mean is what one or the
//! other difference says (the generalised test). A difference `d` is logistic Elo: a mean of
//! `1 / (1 + 10^(-d / 400))` points a match. Over several games pairs are drawn from all in turn, so that
//! the mean over the games is tested.

use serde::Serialize;

use super::Measured;
use super::elo::elo_difference;
use super::normal::normal_tail;
use gamegrove_play::matches::{Estimate, Score};

/// The chance of each of the two errors.
const ERROR: f64 = 0.05;

/// Which differences are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// The difference in Elo points that is rejected where the first agent is stronger.
    pub elo0: f64,
    /// The difference that is accepted then; above the other one.
    pub elo1: f64,
}

/// How often pairs gave 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pairs {
    /// The counts.
    pub counts: [u64; 5],
}

/// Which difference was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The lower one: the first agent is not that much stronger.
    Elo0,
    /// The higher one.
    Elo1,
}

/// An Elo difference with its 95 % interval; nothing where it is infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EloEstimate {
    /// The difference.
    pub elo: Option<f64>,
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The likelihood that the difference is above 0.
    pub superiority: f64,
}

impl Pairs {
    /// Adds a pair of matches with so many points in all.
    pub fn add(&mut self, points: f64) {
        self.counts[((2.0 * points).round() as usize).min(4)] += 1;
    }

    /// How many pairs.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl Sprt {
    /// The values of the log-likelihood ratio at which the lower and the higher difference is accepted.
    pub fn bounds() -> (f64, f64) {
        let upper = ((1.0 - ERROR) / ERROR).ln();
        (-upper, upper)
    }

    /// The log-likelihood ratio of the higher difference against the lower one.
    pub fn log_likelihood_ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.total() == 0 {
            return 0.0;
        }
        // A result that has not come up is not impossible.
        let weights = pairs.counts.map(|count| (count as f64).max(1e-3));
        let total: f64 = weights.iter().sum();
        let (low, high) =
            (tilt(&weights, expected(self.elo0)), tilt(&weights, expected(self.elo1)));
        let terms = weights.iter().zip(low.iter().zip(&high));
        terms.map(|(weight, (low, high))| weight * (low / high).ln()).sum::<f64>()
            * (pairs.total() as f64 / total)
    }

    /// Which difference is accepted, if any yet.
    pub fn decision(&self, pairs: &Pairs) -> Option<Decision> {
        let (lower, upper) = Sprt::bounds();
        match self.log_likelihood_ratio(pairs) {
            ratio if ratio <= lower => Some(Decision::Elo0),
            ratio if ratio >= upper => Some(Decision::Elo1),
            _ => None,
        }
    }
}

/// The mean points of a match at a difference in Elo points.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// By what the frequencies of the five results have to be divided to become the most likely
/// probabilities with the mean `mean`: `1 + t (a - mean)`, where `t` makes the mean right.
fn tilt(weights: &[f64; 5], mean: f64) -> [f64; 5] {
    let distance: [f64; 5] = std::array::from_fn(|at| at as f64 / 4.0 - mean);
    let (mut low, mut high) = (-1.0 / distance[4], -1.0 / distance[0]);
    for _ in 0..100 {
        let t = (low + high) / 2.0;
        let slope: f64 =
            weights.iter().zip(&distance).map(|(weight, d)| weight * d / (1.0 + t * d)).sum();
        if slope > 0.0 { low = t } else { high = t }
    }
    let t = (low + high) / 2.0;
    distance.map(|d| 1.0 + t * d)
}

impl EloEstimate {
    /// The difference that mean points say, with the ends of their interval; nothing without matches.
    pub fn new(score: &Score) -> Option<EloEstimate> {
        let proportion = score.proportion()?;
        let Estimate { mean, low, high } = proportion.estimate();
        let elo =
            |percent: f64| Some(elo_difference(percent / 100.0)).filter(|elo| elo.is_finite());
        let superiority = 1.0 - normal_tail(Measured::Games(proportion).deviate(50.0));
        Some(EloEstimate { elo: elo(mean), low: elo(low), high: elo(high), superiority })
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_game::Rng;

    use super::*;

    #[test]
    fn the_ratio_is_that_of_engine_testers() {
        let sprt = Sprt { elo0: 0.0, elo1: 10.0 };
        assert_eq!(sprt.log_likelihood_ratio(&Pairs::default()), 0.0);
        // Close to the values given, the ratio is N (s1 - s0) (2 s - s0 - s1) / (2 variance).
        let pairs = Pairs { counts: [200, 1500, 3000, 1800, 300] };
        let n = pairs.total() as f64;
        let moment = |power: i32| {
            let values = pairs.counts.iter().enumerate();
            values.map(|(at, &c)| c as f64 * (at as f64 / 4.0).powi(power)).sum::<f64>() / n
        };
        let (mean, variance) = (moment(1), moment(2) - moment(1) * moment(1));
        let (s0, s1) = (expected(0.0), expected(10.0));
        let near = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let ratio = sprt.log_likelihood_ratio(&pairs);
        assert!((ratio / near - 1.0).abs() < 0.03, "{ratio} {near}");
        // Swapped results and swapped differences turn the sign.
        let mut swapped = pairs;
        swapped.counts.reverse();
        let other = Sprt { elo0: 0.0, elo1: -10.0 };
        assert!((other.log_likelihood_ratio(&swapped) - ratio).abs() < 1e-6);
        assert!((Sprt::bounds().1 - 2.944).abs() < 0.001);
        assert_eq!(sprt.decision(&Pairs { counts: [0, 0, 0, 0, 200] }), Some(Decision::Elo1));
        assert_eq!(sprt.decision(&Pairs { counts: [200, 0, 0, 0, 0] }), Some(Decision::Elo0));
        assert_eq!(sprt.decision(&Pairs { counts: [2, 3, 9, 3, 2] }), None);
    }

    #[test]
    fn a_difference_has_the_interval_of_its_points() {
        let estimate = EloEstimate::new(&Score::of_counts(64, 0, 36)).unwrap();
        assert!((estimate.elo.unwrap() - 100.0).abs() < 0.1);
        // Wilson's interval of 64 of 100 is 54.2 to 72.7 %.
        assert!((estimate.low.unwrap() - 29.6).abs() < 1.5, "{estimate:?}");
        assert!((estimate.high.unwrap() - 170.5).abs() < 1.5, "{estimate:?}");
        assert!((0.99..1.0).contains(&estimate.superiority), "{estimate:?}");
        assert_eq!(EloEstimate::new(&Score::of_counts(3, 0, 0)).unwrap().elo, None);
        assert_eq!(EloEstimate::new(&Score::default()), None);
    }

    /// In how many percent of `trials` the test accepts the higher difference where the true one is
    /// `elo`, and how many pairs it takes. Matches have draws, and the first role is better.
    fn accepted(sprt: &Sprt, elo: f64, trials: usize) -> (f64, f64) {
        let mut rng = Rng::new(3);
        let (draws, advantage) = (0.3, 0.08);
        let (mut higher, mut length) = (0, 0);
        for _ in 0..trials {
            let mut pairs = Pairs::default();
            let decision = loop {
                let mut game = |mean: f64| match rng.unit() - (mean - draws / 2.0) {
                    past if past < 0.0 => 1.0,
                    past if past < draws => 0.5,
                    _ => 0.0,
                };
                let mean = expected(elo);
                let points = game(mean + advantage) + game(mean - advantage);
                pairs.add(points);
                if let Some(decision) = sprt.decision(&pairs) {
                    break decision;
                }
            };
            higher += usize::from(decision == Decision::Elo1);
            length += pairs.total();
        }
        (100.0 * higher as f64 / trials as f64, length as f64 / trials as f64)
    }

    #[test]
    fn both_errors_are_at_most_one_in_twenty() {
        let sprt = Sprt { elo0: 0.0, elo1: 60.0 };
        let (wrong, length) = accepted(&sprt, 0.0, 400);
        assert!(wrong <= 8.0, "{wrong} %");
        assert!(length < 250.0, "{length}: a fixed number of pairs would be larger");
        let (right, _) = accepted(&sprt, 60.0, 400);
        assert!(right >= 92.0, "{right} %");
        // Between the two either may come out.
        let (even, _) = accepted(&sprt, 30.0, 400);
        assert!((40.0..=60.0).contains(&even), "{even} %");
    }

    #[test]
    #[ignore = "nightly: minutes of simulation"]
    fn both_errors_are_at_most_one_in_twenty_in_thousands_of_tests() {
        for (elo0, elo1) in [(0.0, 10.0), (-5.0, 15.0), (0.0, 40.0)] {
            let sprt = Sprt { elo0, elo1 };
            let (wrong, _) = accepted(&sprt, elo0, 2000);
            let (right, _) = accepted(&sprt, elo1, 2000);
            assert!(wrong <= 6.0 && right >= 94.0, "[{elo0}, {elo1}]: {wrong} % {right} %");
        }
    }
}
