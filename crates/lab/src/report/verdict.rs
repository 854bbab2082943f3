//! How our value compares with a published one [Sironi 2019, 5.3.2].

use serde::Serialize;

use crate::spec::Published;
use crate::stats::Estimate;

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

    /// Compares a value, with the interval that reports print, with a published one.
    pub fn new(
        ours: Option<Estimate>,
        published: Option<&Published>,
        neutral: Option<f64>,
    ) -> Verdict {
        let Some(ours) = ours else { return Verdict::NotRun };
        let Some(published) = published else { return Verdict::Unpublished };
        let half = published.half_width.unwrap_or(0.0);
        if ours.low <= published.mean + half && published.mean - half <= ours.high {
            return Verdict::Inside;
        }
        match neutral {
            Some(neutral) if (ours.mean > neutral) == (published.mean > neutral) => {
                Verdict::SameDirection
            }
            _ => Verdict::Differs,
        }
    }

    /// Compares a speed with a published one. Machines differ, so how far they are apart matters, and
    /// intervals do not.
    pub(super) fn of_speed(ours: Option<Estimate>, published: Option<&Published>) -> Verdict {
        match (ours, published) {
            (None, _) => Verdict::NotRun,
            (Some(_), None) => Verdict::Unpublished,
            (Some(ours), Some(published)) if ours.mean >= published.mean => Verdict::Faster,
            _ => Verdict::Slower,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Score;

    fn verdict(points: &[f64], published: &str) -> Verdict {
        let mut score = Score::default();
        points.iter().for_each(|points| score.add(1, points / 100.0));
        let published = published.parse().ok();
        Verdict::new(score.estimate(), published.as_ref(), Some(50.0))
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
        assert_eq!(verdict(&[0.0; 4], "50 ±2"), Verdict::Inside);
        assert_eq!(verdict(&[0.0; 100], "60 ±2"), Verdict::Differs);
    }
}
