//! When to stop thinking, and when to answer whatever there is.

use std::time::{Duration, Instant};

/// What is kept back of a clock for the way there and back.
///
/// By default it is half a second, and at most a fifth of the clock
/// [Finnsson 2012, 3.3].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Margin(pub Option<Duration>);

/// The moments that matter for one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deadlines {
    /// Thinking ends.
    pub(crate) think: Instant,
    /// The answer leaves, if it has not yet. Between the two a search notices that its time is over; most
    /// of the margin is for the answer, which a busy machine delays.
    pub(crate) reply: Instant,
}

/// However short the clock, there is so much time to find a legal move: managers have a grace of
/// about a second, and an answer that is not a legal move is worth nothing.
const LEAST: Duration = Duration::from_millis(150);

/// A search has so much time to notice that its time is over, where the margin allows.
const NOTICE: Duration = Duration::from_millis(25);

impl Margin {
    /// What is kept back of `clock`.
    pub fn of(self, clock: Duration) -> Duration {
        match self.0 {
            Some(margin) => margin.min(clock / 2),
            None => Duration::from_millis(500).min(clock / 5),
        }
    }

    /// The moments for a message that arrived at `arrived`; no search is longer than `longest`.
    pub(crate) fn deadlines(
        self,
        arrived: Instant,
        clock: Duration,
        longest: Duration,
    ) -> Deadlines {
        let clock = clock.min(longest);
        let margin = self.of(clock);
        let think = clock - margin;
        let early = (clock - margin * 3 / 4).max(think + NOTICE);
        let reply = early.min(clock - margin / 2).max(LEAST);
        Deadlines { think: arrived + think, reply: arrived + reply }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_suits_the_clock() {
        let check =
            |margin: Margin, clock: u64| margin.of(Duration::from_millis(clock)).as_millis() as u64;
        assert_eq!(check(Margin::default(), 10_000), 500);
        assert_eq!(check(Margin::default(), 1_000), 200);
        assert_eq!(check(Margin::default(), 0), 0);
        let wide = Margin(Some(Duration::from_secs(10)));
        assert_eq!((check(wide, 11_000), check(wide, 30_000)), (5_500, 10_000));
    }

    #[test]
    fn thinking_ends_before_the_answer_leaves_and_that_before_the_clock() {
        let now = Instant::now();
        for millis in [200, 1_000, 60_000] {
            let clock = Duration::from_millis(millis);
            let times = Margin::default().deadlines(now, clock, Duration::from_secs(3600));
            assert!(times.think < times.reply && times.reply < now + clock, "{millis}");
        }
        let none = Margin::default().deadlines(now, Duration::ZERO, Duration::from_secs(1));
        assert_eq!((none.think, none.reply), (now, now + LEAST));
        let endless = Margin::default().deadlines(now, Duration::MAX, Duration::from_secs(60));
        assert!(endless.reply <= now + Duration::from_secs(60));
    }
}
