//! Elo ratings with intervals.
//!
//! The ratings are those under which the results are most likely when A scores against B with
//! probability `1 / (1 + 10^((B - A) / 400))` (Bradley and Terry); a draw is half a win. Every pair
//! that met gets one draw on top, so that who won all games has a rating too. Intervals come from the
//! curvature of the likelihood at its top. The mean of all ratings is 0.

use serde::Serialize;

/// The points of a pair's games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Result {
    /// One agent.
    pub one: usize,
    /// The other.
    pub other: usize,
    /// Games they played.
    pub games: f64,
    /// Points of the first.
    pub points: f64,
}

/// A rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The rating; the mean of all is 0.
    pub elo: f64,
    /// Half the width of its 95 % interval; nothing where agents form groups that never met.
    pub half_width: Option<f64>,
}

/// One unit of the natural scale in Elo points.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The difference in Elo that an expected score between 0 and 1 stands for.
pub fn elo_difference(score: f64) -> f64 {
    SCALE * (score / (1.0 - score)).ln()
}

/// The ratings of `agents` agents.
pub fn ratings(agents: usize, results: &[Result]) -> Vec<Rating> {
    let mut games = vec![vec![0.0; agents]; agents];
    let mut points = vec![0.0; agents];
    for result in results.iter().filter(|result| result.games > 0.0 && result.one != result.other) {
        let (one, other) = (result.one, result.other);
        // The draw on top, once a pair.
        let extra = if games[one][other] == 0.0 { 1.0 } else { 0.0 };
        games[one][other] += result.games + extra;
        games[other][one] += result.games + extra;
        points[one] += result.points + extra / 2.0;
        points[other] += result.games - result.points + extra / 2.0;
    }
    let strengths = most_likely(&games, &points);
    let mean = strengths.iter().sum::<f64>() / agents.max(1) as f64;
    let widths = deviations(&games, &strengths);
    (0..agents)
        .map(|agent| Rating {
            elo: SCALE * (strengths[agent] - mean),
            half_width: widths.as_ref().map(|widths| 1.96 * SCALE * widths[agent]),
        })
        .collect()
}

/// Logarithms of the strengths, by Hunter's minorisation: it climbs with every step.
fn most_likely(games: &[Vec<f64>], points: &[f64]) -> Vec<f64> {
    let agents = points.len();
    let mut strength = vec![1.0_f64; agents];
    for _ in 0..10_000 {
        let mut moved: f64 = 0.0;
        for agent in 0..agents {
            let expected: f64 = (0..agents)
                .filter(|&other| games[agent][other] > 0.0)
                .map(|other| games[agent][other] / (strength[agent] + strength[other]))
                .sum();
            if expected > 0.0 {
                let new = points[agent] / expected;
                moved = moved.max((new / strength[agent]).ln().abs());
                strength[agent] = new;
            }
        }
        if moved < 1e-12 {
            break;
        }
    }
    strength.into_iter().map(f64::ln).collect()
}

/// Standard deviations of the strengths with their mean held at 0; nothing if they hang together in
/// no single way.
fn deviations(games: &[Vec<f64>], strengths: &[f64]) -> Option<Vec<f64>> {
    let agents = strengths.len();
    let share = 1.0 / agents as f64;
    // The information matrix is singular along the direction that moves all ratings alike; adding
    // that direction makes it invertible, and taking it off the inverse again gives the covariance.
    let mut matrix = vec![vec![share; agents]; agents];
    for one in 0..agents {
        for other in (0..agents).filter(|&other| other != one) {
            let chance = 1.0 / (1.0 + (strengths[other] - strengths[one]).exp());
            let weight = games[one][other] * chance * (1.0 - chance);
            matrix[one][one] += weight;
            matrix[one][other] -= weight;
        }
    }
    let inverse = invert(matrix)?;
    Some((0..agents).map(|agent| (inverse[agent][agent] - share).max(0.0).sqrt()).collect())
}

/// The inverse of a symmetric matrix, by elimination; nothing if it has none.
fn invert(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> = (0..size)
        .map(|row| (0..size).map(|column| if row == column { 1.0 } else { 0.0 }).collect())
        .collect();
    for at in 0..size {
        let pivot =
            (at..size).max_by(|&a, &b| matrix[a][at].abs().total_cmp(&matrix[b][at].abs()))?;
        if matrix[pivot][at].abs() < 1e-12 {
            return None;
        }
        matrix.swap(at, pivot);
        inverse.swap(at, pivot);
        let scale = matrix[at][at];
        for column in 0..size {
            matrix[at][column] /= scale;
            inverse[at][column] /= scale;
        }
        for row in (0..size).filter(|&row| row != at) {
            let factor = matrix[row][at];
            for column in 0..size {
                matrix[row][column] -= factor * matrix[at][column];
                inverse[row][column] -= factor * inverse[at][column];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(one: usize, other: usize, games: f64, points: f64) -> Result {
        Result { one, other, games, points }
    }

    #[test]
    fn scores_and_differences_belong_together() {
        assert_eq!(elo_difference(0.5), 0.0);
        assert!((elo_difference(10.0 / 11.0) - 400.0).abs() < 1e-9);
        // 64 % is 100 points, as every chess player knows.
        assert!((elo_difference(0.64) - 100.0).abs() < 0.1);
    }

    #[test]
    fn two_agents_differ_by_what_their_score_says() {
        let found = ratings(2, &[met(0, 1, 999.0, 749.5)]);
        // With the draw on top: 750 of 1000.
        assert!((found[0].elo - found[1].elo - elo_difference(0.75)).abs() < 1e-6);
        // Half the logit's deviation, sqrt(1 / (n p q)), on each side.
        let wanted = 1.96 * SCALE * (1.0_f64 / (1000.0 * 0.75 * 0.25)).sqrt() / 2.0;
        assert!((found[0].half_width.unwrap() - wanted).abs() < 1e-6);
    }

    #[test]
    fn three_agents_on_a_ladder_keep_their_distances() {
        let score = |difference: f64| 1.0 / (1.0 + 10.0_f64.powf(-difference / 400.0));
        let n = 1e6;
        let results = [
            met(0, 1, n, n * score(100.0)),
            met(1, 2, n, n * score(50.0)),
            met(0, 2, n, n * score(150.0)),
        ];
        let found = ratings(3, &results);
        assert!((found[0].elo - found[1].elo - 100.0).abs() < 0.01);
        assert!((found[1].elo - found[2].elo - 50.0).abs() < 0.01);
        assert!(found.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
    }

    #[test]
    fn who_wins_all_has_a_rating_and_strangers_have_no_interval() {
        let found = ratings(2, &[met(0, 1, 10.0, 10.0)]);
        assert!((found[0].elo - found[1].elo - elo_difference(10.5 / 11.0)).abs() < 1e-6);
        let strangers = ratings(4, &[met(0, 1, 10.0, 6.0), met(2, 3, 10.0, 6.0)]);
        assert!(strangers.iter().all(|rating| rating.half_width.is_none()));
        assert!(ratings(0, &[]).is_empty());
    }
}
