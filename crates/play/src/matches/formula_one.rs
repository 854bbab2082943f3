//! Formula-1 points, as the video game competitions give them [Sironi 2019, 3.2.3]: in each game
//! agents are ranked by wins, then score, then fewest ticks, and the first ten get points. Equal
//! agents share the points of their places.

use std::cmp::Ordering;

use serde::Serialize;

/// The points of the places.
pub const FORMULA_ONE_POINTS: [f64; 10] = [25.0, 18.0, 15.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0, 1.0];

/// How an agent did in a game, on average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Performance {
    /// Share of games won.
    pub wins: f64,
    /// Mean score.
    pub score: f64,
    /// Mean number of steps.
    pub steps: f64,
}

impl Performance {
    /// The better one first.
    fn order(&self, other: &Performance) -> Ordering {
        let by_wins = other.wins.total_cmp(&self.wins);
        by_wins.then(other.score.total_cmp(&self.score)).then(self.steps.total_cmp(&other.steps))
    }
}

/// The points of each agent in one game; none for agents that did not play.
pub fn formula_one(agents: &[Option<Performance>]) -> Vec<f64> {
    let mut points = vec![0.0; agents.len()];
    let mut ranked: Vec<(usize, Performance)> =
        agents.iter().enumerate().filter_map(|(at, found)| Some((at, (*found)?))).collect();
    ranked.sort_by(|a, b| a.1.order(&b.1));
    let mut place = 0;
    while place < ranked.len() {
        let equal = ranked[place..].iter();
        let count = equal.take_while(|other| other.1.order(&ranked[place].1).is_eq()).count();
        let places = place..place + count;
        let total: f64 = places.clone().filter_map(|place| FORMULA_ONE_POINTS.get(place)).sum();
        for at in places {
            points[ranked[at].0] = total / count as f64;
        }
        place += count;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_then_score_then_speed_decide() {
        let did = |wins, score, steps| Some(Performance { wins, score, steps });
        let agents = [
            did(0.5, 10.0, 100.0),
            did(0.6, 0.0, 900.0),
            None,
            did(0.5, 10.0, 90.0),
            did(0.5, 11.0, 500.0),
        ];
        assert_eq!(formula_one(&agents), [12.0, 25.0, 0.0, 15.0, 18.0]);
    }

    #[test]
    fn equals_share_their_places() {
        let same = Some(Performance { wins: 1.0, score: 1.0, steps: 1.0 });
        assert_eq!(formula_one(&[same, same]), [21.5, 21.5]);
        let many = vec![same; 12];
        assert!((formula_one(&many).iter().sum::<f64>() - 101.0).abs() < 1e-9);
    }
}
