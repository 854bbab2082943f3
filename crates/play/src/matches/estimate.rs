//! Mean points with 95 % intervals, for all reports.
//!
//! Games that belong together, such as two games with swapped roles, form a group. The variance of the
//! mean is that between groups, so that draws and the advantage of a role count for what they are.
//! Relative to games that are won or lost independently it is the design effect
//!
//! ```text
//! D = (sum over groups of (points - mean * games)^2 + h) / ((K - 1) / K * n * mean * (1 - mean) + h)
//! ```
//!
//! of `n` games in `K` groups. The added `h`, one half, stands for games won or lost independently:
//! without it equal results would have no variance. The interval is Wilson's for `n / D` games:
//!
//! ```text
//! all p with |mean - p| <= 1.96 sqrt(p (1 - p) D / n)
//! ```
//!
//! It never leaves 0 to 100 % and never has no width. The sources print `1.96 sd / sqrt(n)`
//! [Sironi 2019, 5.3.2], which has no width where all games ended alike.

use serde::{Deserialize, Serialize};

/// The standard normal quantile of a 95 % interval.
pub const Z95: f64 = 1.96;

/// Points of games, each from 0 to 1, as far as mean and interval need them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// How many games.
    pub games: u64,
    /// The sum of their points.
    pub points: f64,
    /// How many groups they form.
    groups: u64,
    /// Sums over groups: points squared, points times games, games squared.
    squares: [f64; 3],
}

/// A mean from 0 to 1, as sure as that of `games` games that are won or lost independently.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proportion {
    /// The mean.
    pub mean: f64,
    /// The number of games; more where draws or swapped roles make results more even.
    pub games: f64,
}

/// A mean in percent, or another number, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Score {
    /// The score of games that were won, drawn and lost, each for itself. A draw is half a point.
    pub fn of_counts(wins: u64, draws: u64, losses: u64) -> Score {
        let (games, half) = (wins + draws + losses, draws as f64 / 2.0);
        let points = wins as f64 + half;
        let squares = [wins as f64 + half / 2.0, points, games as f64];
        Score { games, points, groups: games, squares }
    }

    /// The score of games with this mean and variance of a single game's points, each for itself.
    pub fn of_moments(games: u64, mean: f64, variance: f64) -> Score {
        let n = games as f64;
        let squares = [n * (variance + mean * mean), n * mean, n];
        Score { games, points: n * mean, groups: games, squares }
    }

    /// Adds the games of one group: `points` in all.
    pub fn add(&mut self, games: u64, points: f64) {
        let n = games as f64;
        let squares = [points * points, points * n, n * n];
        self.merge(&Score { games, points, groups: 1, squares });
    }

    /// Adds all games of another score.
    pub fn merge(&mut self, other: &Score) {
        self.games += other.games;
        self.points += other.points;
        self.groups += other.groups;
        self.squares = std::array::from_fn(|at| self.squares[at] + other.squares[at]);
    }

    /// The mean and how sure it is; nothing without games.
    pub fn proportion(&self) -> Option<Proportion> {
        if self.games == 0 {
            return None;
        }
        let (n, k) = (self.games as f64, self.groups as f64);
        let mean = (self.points / n).clamp(0.0, 1.0);
        let [points, cross, games] = self.squares;
        let between = (points - 2.0 * mean * cross + mean * mean * games).max(0.0);
        let independent = (k - 1.0) / k * n * mean * (1.0 - mean);
        let design = (between + 0.5) / (independent + 0.5);
        Some(Proportion { mean, games: n / design })
    }

    /// Mean and interval in percent; nothing without games.
    pub fn estimate(&self) -> Option<Estimate> {
        self.proportion().map(|proportion| proportion.estimate())
    }
}

impl Proportion {
    /// Wilson's interval: the values from which the mean is at most `z` standard errors away.
    pub fn interval(&self, z: f64) -> (f64, f64) {
        let Proportion { mean, games: n } = *self;
        let z2 = z * z;
        let middle = (mean + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = (z2 * (mean * (1.0 - mean) / n + z2 / (4.0 * n * n))).sqrt() / (1.0 + z2 / n);
        // Rounding must not put the mean outside.
        ((middle - half).clamp(0.0, mean), (middle + half).clamp(mean, 1.0))
    }

    /// Mean and 95 % interval in percent.
    pub fn estimate(&self) -> Estimate {
        let (low, high) = self.interval(Z95);
        Estimate { mean: 100.0 * self.mean, low: 100.0 * low, high: 100.0 * high }
    }

    /// The mean of several means, each of games of its own; nothing without any.
    ///
    /// Its variance is that of independent means. Half a game won and half a game lost on top keep the
    /// variance of a mean of 0 or 1 above 0.
    pub fn average(of: &[Proportion]) -> Option<Proportion> {
        let count = of.len() as f64;
        let (mut mean, mut shrunk, mut variance) = (0.0, 0.0, 0.0);
        for one in of {
            let near = (one.mean * one.games + 0.5) / (one.games + 1.0);
            mean += one.mean / count;
            shrunk += near / count;
            variance += near * (1.0 - near) / (one.games + 1.0) / (count * count);
        }
        match of {
            [] => None,
            [one] => Some(*one),
            _ => Some(Proportion { mean, games: shrunk * (1.0 - shrunk) / variance }),
        }
    }
}

impl Estimate {
    /// Half the width of the interval.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1} [{:.1}, {:.1}]", self.mean, self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_game::Rng;

    use super::*;

    #[test]
    fn few_games_prove_little() {
        // Wilson's intervals, worked out by hand: 3 of 3, 0 of 3, and 8 of 10 where the design effect is
        // (1.6 + 0.5) / (1.44 + 0.5).
        let shown =
            |wins, losses| Score::of_counts(wins, 0, losses).estimate().unwrap().to_string();
        assert_eq!(shown(8, 2), "80.0 [47.8, 94.6]");
        assert_eq!(shown(3, 0), "100.0 [43.8, 100.0]");
        assert_eq!(shown(0, 3), "0.0 [0.0, 56.2]");
        assert_eq!(Score::default().estimate(), None);
    }

    #[test]
    fn draws_and_swapped_roles_narrow_the_interval() {
        let width = |score: &Score| score.estimate().unwrap().half_width();
        let decided = Score::of_counts(50, 0, 50);
        let drawn = Score::of_counts(25, 50, 25);
        assert!((width(&drawn) / width(&decided) - 0.5_f64.sqrt()).abs() < 0.02);
        // The first role always wins: the agents are equal, and that is nearly certain.
        let mut split = Score::default();
        (0..50).for_each(|_| split.add(2, 1.0));
        assert_eq!(split.estimate().unwrap().mean, 50.0);
        assert!(width(&split) < 0.3 * width(&decided), "{}", width(&split));
        // Pairs that one agent wins whole say half as much as single games.
        let mut whole = Score::default();
        (0..50).for_each(|pair| whole.add(2, if pair % 2 == 0 { 2.0 } else { 0.0 }));
        assert!((width(&whole) / width(&decided) - 2.0_f64.sqrt()).abs() < 0.05);
    }

    #[test]
    fn counts_moments_and_single_games_agree() {
        let mut single = Score::default();
        [1.0, 1.0, 0.5, 0.0].iter().for_each(|&points| single.add(1, points));
        assert_eq!(Score::of_counts(2, 1, 1), single);
        let mean = 2.5 / 4.0;
        let moments = Score::of_moments(4, mean, 2.25 / 4.0 - mean * mean);
        assert_eq!(moments.estimate().unwrap().to_string(), single.estimate().unwrap().to_string());
    }

    /// How many of `trials` simulated intervals hold the true value, in percent. `draws` is the share
    /// of draws among those that `truth` allows, `advantage` the extra points of the first role of a pair.
    fn coverage(rng: &mut Rng, truth: f64, draws: f64, advantage: f64, pairs: u32) -> f64 {
        let trials = 2000;
        let mut held = 0;
        for _ in 0..trials {
            let mut score = Score::default();
            for _ in 0..pairs {
                let mut game = |p: f64| {
                    let drawn = draws * 2.0 * p.min(1.0 - p);
                    match rng.unit() - (p - drawn / 2.0) {
                        past if past < 0.0 => 1.0,
                        past if past < drawn => 0.5,
                        _ => 0.0,
                    }
                };
                let points = game(truth + advantage) + game(truth - advantage);
                score.add(2, points);
            }
            let (low, high) = score.proportion().unwrap().interval(Z95);
            held += u32::from(low <= truth && truth <= high);
        }
        100.0 * f64::from(held) / f64::from(trials)
    }

    /// Results are whole numbers of half points, so that the coverage at one number of games swings
    /// about 95 %; what has to be 95 % is its mean over numbers of games.
    #[test]
    fn ninety_five_of_a_hundred_intervals_hold_the_truth() {
        let mut rng = Rng::new(1);
        for truth in [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98] {
            for (draws, role) in [(0.0, 0.0), (0.5, 0.0), (0.0, 0.8), (0.3, 0.5)] {
                let advantage = role * f64::min(truth, 1.0 - truth);
                let sizes = [30, 40, 50, 65, 80, 100, 130, 160, 200, 250, 300, 400, 500];
                let all = sizes.map(|pairs| coverage(&mut rng, truth, draws, advantage, pairs));
                let mean = all.iter().sum::<f64>() / all.len() as f64;
                assert!(
                    (94.0..=96.0).contains(&mean),
                    "{mean:.2} % at {truth}, draws {draws}, advantage {role}: {all:?}"
                );
                assert!(all.iter().all(|&one| one > 91.0), "{truth} {draws} {role}: {all:?}");
            }
        }
    }

    #[test]
    fn averages_over_games_hold_the_truth_too() {
        let mut rng = Rng::new(2);
        for truths in [[0.5, 0.9, 0.1], [0.98, 0.98, 0.5], [0.98, 0.97, 0.99]] {
            let truth = truths.iter().sum::<f64>() / 3.0;
            let mut held = 0;
            for trial in 0..6000 {
                let games = [20, 50, 100][trial % 3];
                let of = truths.map(|p| {
                    let wins = (0..games).filter(|_| rng.unit() < p).count() as u64;
                    Score::of_counts(wins, 0, games - wins).proportion().unwrap()
                });
                let (low, high) = Proportion::average(&of).unwrap().interval(Z95);
                held += u32::from(low <= truth && truth <= high);
            }
            let percent = f64::from(held) / 60.0;
            assert!((93.5..=97.5).contains(&percent), "{percent} % of {truths:?}");
        }
    }
}
