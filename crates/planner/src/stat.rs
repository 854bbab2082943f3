//! Payoffs of simulations, what they add up to, and their place between the worst and the best.
//!
//! Two ways to bring payoffs to the unit interval. `huge`: a win is 10 000 000 points, a loss as many
//! less, and everything lies between the least and the greatest seen ([van Eeden 2015, 4.1]).
//! `banded`: a loss is 0, a win 1, and points lie between 0.25 and 0.75 by the least and greatest
//! points seen, so that differences of points still show once a game was won or lost.
//! Sums keep points, wins and losses apart, so the bounds in force when a mean is read count, not
//! those when it was written.

/// The worth of a win or loss in points.
pub const HUGE: f64 = 1e7;

/// Least and greatest worth of points in the `banded` way.
const BAND: (f64, f64) = (0.25, 0.75);

/// The result of one simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Payoff {
    /// Points, with what knowledge adds.
    pub points: f64,
    /// 1 for a win.
    pub win: f64,
    /// 1 for a loss, less for one that is not so bad.
    pub loss: f64,
}

impl Payoff {
    /// As one number, an end included.
    pub fn total(&self) -> f64 {
        self.points + HUGE * (self.win - self.loss)
    }

    fn is_end(&self) -> bool {
        self.win > 0.0 || self.loss > 0.0
    }
}

/// How payoffs come to the unit interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Ends are worth more than any points.
    Huge,
    /// Ends are the ends of the interval.
    Banded,
}

/// The least and greatest payoffs seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    scale: Scale,
    least: f64,
    greatest: f64,
}

/// Sums of payoffs; decay makes counts fractions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stat {
    /// How many.
    pub visits: f64,
    /// Those that did not end the game.
    open: f64,
    /// The points of all simulations (`huge`), or of those that did not end the game (`banded`).
    points: f64,
    open_points: f64,
    wins: f64,
    losses: f64,
    /// The best payoff.
    best: Option<Payoff>,
}

impl Stat {
    /// Nothing yet.
    pub const EMPTY: Stat = Stat {
        visits: 0.0,
        open: 0.0,
        points: 0.0,
        open_points: 0.0,
        wins: 0.0,
        losses: 0.0,
        best: None,
    };

    /// Adds a payoff that counts as much as `weight` simulations.
    pub fn add(&mut self, payoff: &Payoff, weight: f64) {
        self.visits += weight;
        self.points += weight * payoff.points;
        self.wins += weight * payoff.win;
        self.losses += weight * payoff.loss;
        if !payoff.is_end() {
            self.open += weight;
            self.open_points += weight * payoff.points;
        }
        if self.best.is_none_or(|best| payoff.total() > best.total()) {
            self.best = Some(*payoff);
        }
    }

    /// Counts everything so far less.
    pub fn decay(&mut self, factor: f64) {
        self.visits *= factor;
        self.open *= factor;
        self.points *= factor;
        self.open_points *= factor;
        self.wins *= factor;
        self.losses *= factor;
    }

    /// The best payoff so far on the unit interval; `None` without any.
    pub fn best(&self, bounds: &Bounds) -> Option<f64> {
        self.best.map(|best| bounds.unit(&best))
    }
}

impl Bounds {
    /// Nothing seen yet.
    pub fn new(scale: Scale) -> Bounds {
        Bounds { scale, least: f64::INFINITY, greatest: f64::NEG_INFINITY }
    }

    /// Learns of a payoff.
    pub fn see(&mut self, payoff: &Payoff) {
        let value = match self.scale {
            Scale::Huge => payoff.total(),
            Scale::Banded if payoff.is_end() => return,
            Scale::Banded => payoff.points,
        };
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
    }

    /// A value between the bounds as a share; with equal bounds there is nothing to tell apart.
    fn share(&self, value: f64) -> f64 {
        let width = self.greatest - self.least;
        if width > 0.0 && width.is_finite() { (value - self.least) / width } else { 0.5 }
    }

    /// A payoff on the unit interval.
    pub fn unit(&self, payoff: &Payoff) -> f64 {
        let mut one = Stat::EMPTY;
        one.add(payoff, 1.0);
        self.mean(&one)
    }

    /// The mean of some payoffs on the unit interval; 0.5 for none.
    pub fn mean(&self, stat: &Stat) -> f64 {
        if stat.visits <= 0.0 {
            return 0.5;
        }
        match self.scale {
            Scale::Huge => {
                self.share((stat.points + HUGE * (stat.wins - stat.losses)) / stat.visits)
            }
            Scale::Banded => {
                let (low, high) = BAND;
                let points =
                    if stat.open > 0.0 { self.share(stat.open_points / stat.open) } else { 0.0 };
                let open = stat.open * (low + (high - low) * points.clamp(0.0, 1.0));
                // A loss that counts less than one is worth a part of the lowest points.
                let ended = stat.visits - stat.open - stat.wins;
                let lost = (ended - stat.losses).max(0.0) * low;
                ((open + stat.wins + lost) / stat.visits).clamp(0.0, 1.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(points: f64) -> Payoff {
        Payoff { points, ..Payoff::default() }
    }

    #[test]
    fn points_lie_between_the_least_and_the_greatest() {
        for scale in [Scale::Huge, Scale::Banded] {
            let mut bounds = Bounds::new(scale);
            assert_eq!(bounds.unit(&points(7.0)), 0.5, "nothing to compare with: {scale:?}");
            [2.0, 6.0].iter().for_each(|&p| bounds.see(&points(p)));
            let [low, middle, high] = [2.0, 4.0, 6.0].map(|p| bounds.unit(&points(p)));
            assert_eq!(middle, 0.5);
            let wanted = if scale == Scale::Huge { (0.0, 1.0) } else { BAND };
            assert_eq!((low, high), wanted);
        }
    }

    #[test]
    fn ends_outweigh_points_and_banded_points_still_show() {
        let (win, loss) = (Payoff { win: 1.0, ..points(3.0) }, Payoff { loss: 1.0, ..points(9.0) });
        let mut huge = Bounds::new(Scale::Huge);
        let mut banded = Bounds::new(Scale::Banded);
        for payoff in [win, loss, points(0.0), points(10.0)] {
            huge.see(&payoff);
            banded.see(&payoff);
        }
        assert!(huge.unit(&win) > huge.unit(&points(10.0)) && huge.unit(&loss) < 1e-6);
        assert!(huge.unit(&points(10.0)) - huge.unit(&points(0.0)) < 1e-6);
        assert_eq!((banded.unit(&win), banded.unit(&loss)), (1.0, 0.0));
        assert_eq!((banded.unit(&points(0.0)), banded.unit(&points(10.0))), BAND);
        let half = Payoff { loss: 0.5, ..points(0.0) };
        assert_eq!(banded.unit(&half), 0.125);
    }

    #[test]
    fn decay_keeps_means() {
        let mut bounds = Bounds::new(Scale::Banded);
        let mut stat = Stat::EMPTY;
        for payoff in [points(1.0), points(5.0), Payoff { win: 1.0, ..points(5.0) }] {
            bounds.see(&payoff);
            stat.add(&payoff, 1.0);
        }
        let before = bounds.mean(&stat);
        stat.decay(0.6);
        assert!((bounds.mean(&stat) - before).abs() < 1e-12);
        assert!((stat.visits - 1.8).abs() < 1e-12);
        assert_eq!(stat.best(&bounds), Some(1.0));
        assert_eq!(bounds.mean(&Stat::EMPTY), 0.5);
    }
}
