//! How our value compares with a published one [Sironi 2019, 5.3.2].

use serde::Serialize;

use crate::spec::Published;
use crate::stats::Sample;

/// How our value compares with a published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The intervals overlap.
    Inside,
    /// They do not, but both values are on the same side of the neutral one.
    SameDirection,
    /// Neither.
    Differs,
    /// A speed that is at least the published one.
    Faster,
    /// A speed below it.
    Slower,
    /// There is nothing to compare with.
    Unpublished,
    /// No game was played.
    NotRun,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 7] = [
        Verdict::Inside,
        Verdict::SameDirection,
        Verdict::Differs,
        Verdict::Faster,
        Verdict::Slower,
        Verdict::Unpublished,
        Verdict::NotRun,
    ];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Inside => "inside the interval",
            Verdict::SameDirection => "same direction",
            Verdict::Differs => "differs",
            Verdict::Faster => "at least as fast",
            Verdict::Slower => "slower",
            Verdict::Unpublished => "not published",
            Verdict::NotRun => "not run",
        }
    }

    /// As a sign.
    pub fn sign(self) -> &'static str {
        match self {
            Verdict::Inside => "=",
            Verdict::SameDirection => "~",
            Verdict::Differs => "≠",
            Verdict::Faster => ">",
            Verdict::Slower => "<",
            Verdict::Unpublished => "",
            Verdict::NotRun => "–",
        }
    }

    /// Compares a sample in percent with a published value.
    pub fn new(ours: &Sample, published: Option<&Published>, neutral: Option<f64>) -> Verdict {
        let Some((mean, range)) = careful_range(ours) else { return Verdict::NotRun };
        Verdict::compare(mean, range, published, neutral)
    }

    /// Compares a speed with a published one. Machines differ, so how far they are apart matters, and
    /// intervals do not.
    pub(super) fn of_speed(ours: Option<f64>, published: Option<&Published>) -> Verdict {
        match (ours, published) {
            (None, _) => Verdict::NotRun,
            (Some(_), None) => Verdict::Unpublished,
            (Some(ours), Some(published)) if ours >= published.mean => Verdict::Faster,
            _ => Verdict::Slower,
        }
    }

    /// Compares a mean and its range with a published value.
    pub(super) fn compare(
        mean: f64,
        (low, high): (f64, f64),
        published: Option<&Published>,
        neutral: Option<f64>,
    ) -> Verdict {
        let Some(published) = published else { return Verdict::Unpublished };
        let half = published.half_width.unwrap_or(0.0);
        if low <= published.mean + half && published.mean - half <= high {
            return Verdict::Inside;
        }
        match neutral {
            Some(neutral) if (mean > neutral) == (published.mean > neutral) => {
                Verdict::SameDirection
            }
            _ => Verdict::Differs,
        }
    }
}

/// Mean and range of a sample of percents. Where all games ended alike the printed interval has no
/// width, but a few games prove little: then the range is what such a streak leaves possible at
/// 95 %, `1 - 0.025^(1/n)` of the way to the other side.
fn careful_range(sample: &Sample) -> Option<(f64, (f64, f64))> {
    let estimate = sample.estimate()?;
    let (mut low, mut high) = estimate.range();
    if estimate.half_width < 1e-9 {
        let possible = 1.0 - 0.025_f64.powf(1.0 / sample.count as f64);
        low -= possible * estimate.mean;
        high += possible * (100.0 - estimate.mean).max(0.0);
    }
    Some((estimate.mean, (low, high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(points: &[f64], published: &str) -> Verdict {
        let sample: Sample = points.iter().copied().collect();
        let published = published.parse().ok();
        Verdict::new(&sample, published.as_ref(), Some(50.0))
    }

    #[test]
    fn intervals_decide_first_and_directions_then() {
        let even = [[0.0, 100.0]; 50].concat();
        assert_eq!(verdict(&even, "58 ±4"), Verdict::Inside);
        assert_eq!(verdict(&even, "65 ±4"), Verdict::Differs);
        let well = [[100.0, 100.0, 100.0, 0.0]; 50].concat();
        assert_eq!(verdict(&well, "90 ±2"), Verdict::SameDirection);
        assert_eq!(verdict(&well, "40 ±2"), Verdict::Differs);
        assert_eq!(verdict(&well, "?"), Verdict::Unpublished);
        assert_eq!(verdict(&[], "40 ±2"), Verdict::NotRun);
    }

    #[test]
    fn a_short_streak_proves_little() {
        assert_eq!(verdict(&[100.0; 4], "60 ±2"), Verdict::Inside);
        assert_eq!(verdict(&[100.0; 100], "60 ±2"), Verdict::SameDirection);
        assert_eq!(verdict(&[0.0; 4], "60 ±2"), Verdict::Inside);
        assert_eq!(verdict(&[0.0; 100], "60 ±2"), Verdict::Differs);
    }
}
