//! Means with intervals, averages over games, robustness.
//!
//! - A cell: the mean of the points and `1.96 sd / sqrt(n)`, with the sample standard deviation.
//! - The last row: the plain mean over the games; its interval is that of all points pooled.
//! - Robustness: +1 for each game whose interval is above 50 %, -1 for each that is below. Intervals of
//!   few games are too narrow, and of equal results they have no width, so careful ones count.
//!
//! Source: [Sironi 2019, 5.3.2]; [Sironi et al. 2021, 6.1];
//! [Finnsson 2012, 4.3]; [Sironi 2019, 6.4.1]; [Sironi 2019, 6.4.8], whose
//! `1.96 sqrt(p (1 - p) / (n - 1))` is the same for points of 0 and 1.

use gamegrove_play::matches::half_width;
use serde::Serialize;

/// Numbers, as far as means and intervals need them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Sample {
    /// How many.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
}

/// A mean and half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of its 95 % interval.
    pub half_width: f64,
}

impl Sample {
    /// The sample that a published cell was made of: `count` numbers with this mean and interval.
    pub fn of_published(count: u64, mean: f64, half_width: f64) -> Sample {
        let n = count as f64;
        let variance = (half_width / 1.96).powi(2) * n;
        Sample { count, sum: n * mean, squares: variance * (n - 1.0) + n * mean * mean }
    }

    /// Adds a number.
    pub fn add(&mut self, number: f64) {
        self.merge(&Sample { count: 1, sum: number, squares: number * number });
    }

    /// Adds all numbers of another sample.
    pub fn merge(&mut self, other: &Sample) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The same numbers, each times `factor`.
    pub fn scaled(&self, factor: f64) -> Sample {
        Sample {
            count: self.count,
            sum: self.sum * factor,
            squares: self.squares * factor * factor,
        }
    }

    /// The sample standard deviation; nothing below two numbers.
    pub fn deviation(&self) -> Option<f64> {
        let n = self.count as f64;
        (self.count > 1)
            .then(|| ((self.squares - self.sum * self.sum / n).max(0.0) / (n - 1.0)).sqrt())
    }

    /// The interval of the mean of numbers from 0 to 100 that holds for few of them too, or nothing
    /// without numbers: the wider of the plain one and Wilson's. Where all numbers are equal, it reaches
    /// as far as such a streak leaves possible at 95 %, `1 - 0.025^(1/n)` of the way to the other side.
    pub fn careful_range(&self) -> Option<(f64, f64)> {
        let estimate = self.estimate()?;
        let (mut low, mut high) = estimate.range();
        let (least, most) = wilson(self.count, (estimate.mean / 100.0).clamp(0.0, 1.0));
        (low, high) = (low.min(100.0 * least), high.max(100.0 * most));
        if estimate.half_width < 1e-9 {
            let possible = 1.0 - 0.025_f64.powf(1.0 / self.count as f64);
            low = low.min(estimate.mean * (1.0 - possible));
            high = high.max(estimate.mean + possible * (100.0 - estimate.mean));
        }
        Some((low, high))
    }

    /// Mean and interval; nothing without numbers.
    pub fn estimate(&self) -> Option<Estimate> {
        (self.count > 0).then(|| Estimate {
            mean: self.sum / self.count as f64,
            half_width: half_width(self.count, self.sum, self.squares),
        })
    }
}

impl Estimate {
    /// The interval.
    pub fn range(&self) -> (f64, f64) {
        (self.mean - self.half_width, self.mean + self.half_width)
    }
}

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Sample {
        let mut sample = Sample::default();
        numbers.into_iter().for_each(|number| sample.add(number));
        sample
    }
}

/// The 95 % interval of a mean of numbers between 0 and 1 that holds for few of them too (Wilson's):
/// three wins of three do not make a certain winner. For numbers between it is too wide rather than
/// too narrow.
pub fn wilson(count: u64, mean: f64) -> (f64, f64) {
    let (n, z2) = (count as f64, 1.96f64 * 1.96);
    if count == 0 {
        return (0.0, 1.0);
    }
    let middle = (mean + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = (z2 * (mean * (1.0 - mean) / n + z2 / (4.0 * n * n))).sqrt() / (1.0 + z2 / n);
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// The average over games: the mean of their means, with the interval of all numbers pooled. Games
/// without numbers do not count.
pub fn average<'s>(games: impl IntoIterator<Item = &'s Sample>) -> Option<Estimate> {
    let mut pooled = Sample::default();
    let (mut sum, mut count) = (0.0, 0);
    for game in games {
        let Some(estimate) = game.estimate() else { continue };
        pooled.merge(game);
        sum += estimate.mean;
        count += 1;
    }
    let half_width = pooled.estimate()?.half_width;
    Some(Estimate { mean: sum / f64::from(count), half_width })
}

/// Games whose interval is above `neutral` less games whose interval is below it.
pub fn robustness(games: impl IntoIterator<Item = (f64, f64)>, neutral: f64) -> i32 {
    let mut robustness = 0;
    for (low, high) in games {
        robustness += i32::from(low > neutral) - i32::from(high < neutral);
    }
    robustness
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_cells_lead_back_to_their_sample() {
        let points = (0..500).map(|run| if run < 291 { 100.0 } else { 0.0 });
        let sample: Sample = points.collect();
        let estimate = sample.estimate().unwrap();
        assert_eq!(format!("{:.1} ±{:.2}", estimate.mean, estimate.half_width), "58.2 ±4.33");
        let back = Sample::of_published(500, estimate.mean, estimate.half_width);
        assert!((back.squares - sample.squares).abs() < 1e-6 * sample.squares);
        assert_eq!(back.count, sample.count);
    }

    #[test]
    fn an_average_weighs_games_alike_and_pools_their_points() {
        let few: Sample = [100.0; 2].into_iter().collect();
        let many: Sample = [0.0; 8].into_iter().collect();
        let average = average([&few, &many, &Sample::default()]).unwrap();
        assert_eq!(average.mean, 50.0);
        let pooled: Sample =
            [100.0, 100.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].into_iter().collect();
        assert_eq!(average.half_width, pooled.estimate().unwrap().half_width);
        assert_eq!(super::average([&Sample::default()]), None);
    }

    #[test]
    fn few_numbers_prove_little() {
        let round = |(low, high): (f64, f64)| format!("{low:.4} {high:.4}");
        // Worked out by hand: 8 of 10, and 3 of 3.
        assert_eq!(round(wilson(10, 0.8)), "0.4902 0.9433");
        assert_eq!(round(wilson(3, 1.0)), "0.4385 1.0000");
        assert_eq!(round(wilson(3, 0.0)), "0.0000 0.5615");
        assert_eq!(wilson(0, 0.0), (0.0, 1.0));
    }

    #[test]
    fn robustness_counts_what_is_certain() {
        let game = |mean: f64, half_width: f64| (mean - half_width, mean + half_width);
        assert_eq!(robustness([game(60.0, 9.9), game(60.0, 10.0), game(60.0, 11.0)], 50.0), 1);
        assert_eq!(robustness([game(40.0, 9.9), game(40.0, 3.0), game(40.0, 10.0)], 50.0), -2);
        // Four wins of four prove nothing, nor do three wins and a draw.
        let of = |points: &[f64]| points.iter().copied().collect::<Sample>().careful_range();
        for few in [&[100.0; 4][..], &[100.0, 100.0, 100.0, 50.0], &[0.0; 4]] {
            assert_eq!(robustness(of(few), 50.0), 0, "{few:?}");
        }
        assert_eq!(robustness(of(&[100.0; 8]), 50.0), 1);
        assert_eq!(robustness(of(&[0.0; 20]), 50.0), -1);
        let many = [[100.0, 100.0, 0.0]; 200].concat();
        let estimate = many.iter().copied().collect::<Sample>().estimate().unwrap();
        let (low, high) = of(&many).unwrap();
        assert!((low - estimate.range().0).abs() < 0.2 && (high - estimate.range().1).abs() < 0.2);
    }
}
