//! What touching things brought: the knowledge base of KB Fast-Evo MCTS ([van Eeden 2015, 2.5.12]).
//!
//! An event is a meeting of the avatar, or of something it made, with a thing of some kind. Kept are
//! how often that happened, simulations included, and the mean change of the score then; events of
//! one step get the whole change each.

/// Events by kind of thing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge {
    /// How often.
    pub counts: Vec<u64>,
    /// Mean change of the score.
    pub means: Vec<f64>,
    /// What meeting it is believed to be worth, a win or a loss one point: follows the mean in steps
    /// that get smaller [Sironi 2019, 3.2.4].
    pub weights: Vec<f64>,
    /// Those means.
    worths: Vec<(u64, f64)>,
    rates: Vec<f64>,
}

/// How fast weights follow: the first rate, what it shrinks by, the last.
const RATES: (f64, f64, f64) = (0.8, 0.75, 0.1);

impl Knowledge {
    /// Nothing is known of `kinds` kinds.
    pub fn new(kinds: usize) -> Knowledge {
        Knowledge {
            counts: vec![0; kinds],
            means: vec![0.0; kinds],
            weights: vec![0.0; kinds],
            worths: vec![(0, 0.0); kinds],
            rates: vec![RATES.0; kinds],
        }
    }

    /// Learns from one step: what was met, how the score changed, and what the step was worth with an
    /// end of the game; `None` if that says nothing.
    pub fn learn(&mut self, met: &[usize], change: f64, worth: Option<f64>) {
        for &kind in met {
            let Some(count) = self.counts.get_mut(kind) else { continue };
            *count += 1;
            self.means[kind] += (change - self.means[kind]) / *count as f64;
            let Some(worth) = worth else { continue };
            let (times, mean) = &mut self.worths[kind];
            *times += 1;
            *mean += (worth - *mean) / *times as f64;
            self.weights[kind] += self.rates[kind] * (*mean - self.weights[kind]);
            self.rates[kind] = (self.rates[kind] * RATES.1).max(RATES.2);
        }
    }

    /// All events.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// The knowledge factor (formula 6.3): 10 for an event seen once or never, 1 for the only one there is.
pub fn factor(count: u64, total: u64) -> f64 {
    if count == 0 || total <= 1 {
        return 10.0;
    }
    let (count, total) = (count as f64, total as f64);
    1.0 + 9.0 * (total - count) / (count * (total - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_counted_and_their_change_averaged() {
        let mut knowledge = Knowledge::new(3);
        knowledge.learn(&[1, 2], 2.0, Some(2.0));
        knowledge.learn(&[1], -1.0, Some(-1.0));
        knowledge.learn(&[9], 5.0, Some(5.0));
        assert_eq!(knowledge.counts, [0, 2, 1]);
        assert_eq!(knowledge.means, [0.0, 0.5, 2.0]);
        assert_eq!(knowledge.total(), 3);
        // 0.8 * 2 = 1.6, then 1.6 + 0.6 * (0.5 - 1.6) = 0.94.
        assert!((knowledge.weights[1] - 0.94).abs() < 1e-12);
        // An end counts in what meetings are worth and not in the score.
        knowledge.learn(&[0], 0.0, Some(-1.0));
        knowledge.learn(&[0], 0.0, None);
        assert_eq!((knowledge.counts[0], knowledge.means[0]), (2, 0.0));
        assert!((knowledge.weights[0] + 0.8).abs() < 1e-12);
    }

    #[test]
    fn factors_are_the_worked_ones() {
        // [van Eeden 2015, 6.3]
        assert_eq!(factor(1, 50), 10.0);
        assert_eq!(factor(50, 50), 1.0);
        assert_eq!(factor(0, 50), 10.0);
        assert_eq!([factor(0, 0), factor(1, 1), factor(0, 1)], [10.0; 3]);
        // (9 * 4 - 9 * 2) / (4 * 2 - 2) + 1 = 4
        assert_eq!(factor(2, 4), 4.0);
    }
}
