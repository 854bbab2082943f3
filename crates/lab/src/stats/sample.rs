//! Means of speeds and lengths, averages over games, robustness.
//!
//! - A cell: mean points with the interval of [`Score`](super::Score).
//! - The last row: the plain mean over the games [Sironi 2019, 5.3.2]; its interval is that of
//!   independent means. The sources pool all points instead, so that differences between games widen
//!   theirs.
//! - Robustness: +1 for each game whose interval is above 50 %, -1 for each that is below.

use gamegrove_play::matches::Estimate;

/// Numbers, as far as means and intervals need them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// How many.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
}

impl Sample {
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

    /// The mean; nothing without numbers.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// The mean of numbers from 0 with Student's interval; nothing without numbers. Of a single number
    /// the interval is the number.
    pub fn estimate(&self) -> Option<Estimate> {
        let (mean, n) = (self.mean()?, self.count as f64);
        let variance = (self.squares - n * mean * mean).max(0.0) / (n - 1.0).max(1.0);
        let half = student95(self.count.saturating_sub(1)) * (variance / n).sqrt();
        Some(Estimate { mean, low: (mean - half).max(0.0), high: mean + half })
    }
}

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Sample {
        let mut sample = Sample::default();
        numbers.into_iter().for_each(|number| sample.add(number));
        sample
    }
}

/// The quantile of a 95 % interval of Student's distribution. Beyond the table it is that of the
/// expansion in `1 / degrees`, good to three places.
fn student95(degrees: u64) -> f64 {
    const FEW: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    match degrees {
        0 => 0.0,
        1..=10 => FEW[degrees as usize - 1],
        _ => 1.960 + 2.372 / degrees as f64 + 2.823 / (degrees * degrees) as f64,
    }
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
    use gamegrove_play::matches::Score;

    #[test]
    fn speeds_have_students_interval() {
        let shown = |numbers: &[f64]| {
            numbers.iter().copied().collect::<Sample>().estimate().unwrap().to_string()
        };
        // Worked out by hand: 4.303 / sqrt(3), and 12.706 * sqrt(2) / sqrt(2) below zero.
        assert_eq!(shown(&[9.0, 10.0, 11.0]), "10.0 [7.5, 12.5]");
        assert_eq!(shown(&[1.0, 3.0]), "2.0 [0.0, 14.7]");
        assert_eq!(shown(&[5.0]), "5.0 [5.0, 5.0]");
        assert!((student95(30) - 2.042).abs() < 0.001 && (student95(11) - 2.201).abs() < 0.003);
    }

    #[test]
    fn robustness_counts_what_is_certain() {
        let game = |mean: f64, half_width: f64| (mean - half_width, mean + half_width);
        assert_eq!(robustness([game(60.0, 9.9), game(60.0, 10.0), game(60.0, 11.0)], 50.0), 1);
        assert_eq!(robustness([game(40.0, 9.9), game(40.0, 3.0), game(40.0, 10.0)], 50.0), -2);
        // Three wins of three prove nothing, nor do three wins and a draw.
        let of = |wins, draws, losses| {
            let estimate = Score::of_counts(wins, draws, losses).estimate().unwrap();
            robustness([(estimate.low, estimate.high)], 50.0)
        };
        assert_eq!((of(3, 0, 0), of(3, 1, 0), of(8, 0, 0), of(0, 0, 20)), (0, 0, 1, -1));
    }
}
