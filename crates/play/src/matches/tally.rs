//! Points of many matches, with intervals.

use serde::Serialize;

use crate::matches::score::points;

/// What an agent's matches add up to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    runs: u64,
    wins: u64,
    draws: u64,
    points: f64,
    squares: f64,
    goals: f64,
    roles: u64,
}

/// An agent's result, as it is reported.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The agent.
    pub name: String,
    /// Matches it played in.
    pub runs: u64,
    /// Matches it won alone.
    pub wins: u64,
    /// Matches it shared.
    pub draws: u64,
    /// Matches it lost.
    pub losses: u64,
    /// Mean points, in percent.
    pub win_percent: f64,
    /// Half the width of the 95 % interval, in percent points.
    pub interval: f64,
    /// Its mean goal over all roles it played, from 0 to 100.
    pub mean_goal: f64,
}

impl Tally {
    /// Adds a match: the points, and the goals of the roles the agent held.
    pub fn add(&mut self, points: f64, goals: impl Iterator<Item = f32>) {
        self.runs += 1;
        self.wins += u64::from(points == 1.0);
        self.draws += u64::from(points > 0.0 && points < 1.0);
        self.points += points;
        self.squares += points * points;
        for goal in goals {
            self.goals += f64::from(goal);
            self.roles += 1;
        }
    }

    /// The result of the agent called `name`.
    pub fn standing(&self, name: &str) -> Standing {
        let runs = self.runs.max(1) as f64;
        Standing {
            name: name.to_owned(),
            runs: self.runs,
            wins: self.wins,
            draws: self.draws,
            losses: self.runs - self.wins - self.draws,
            win_percent: 100.0 * self.points / runs,
            interval: 100.0 * half_width(self.runs, self.points, self.squares),
            mean_goal: self.goals / self.roles.max(1) as f64,
        }
    }
}

/// Adds a match to the tallies of the agents that took part: entry `r` of `assignment` is the agent of
/// role `r`, whose goal is entry `r` of `goals`.
pub fn add_match(tallies: &mut [Tally], assignment: &[usize], goals: &[f32]) {
    for (agent, points) in points(assignment, goals, tallies.len()).into_iter().enumerate() {
        let Some(points) = points else { continue };
        let own = assignment.iter().zip(goals).filter(|&(&other, _)| other == agent);
        tallies[agent].add(points, own.map(|(_, &goal)| goal));
    }
}

/// Half the width of the 95 % interval of a mean: `1.96 * sd / sqrt(n)` with the sample standard
/// deviation, as the sources print it [Sironi 2019, 5.3.2]. 0 below two samples.
pub fn half_width(count: u64, sum: f64, squares: f64) -> f64 {
    if count < 2 {
        return 0.0;
    }
    let n = count as f64;
    let variance = (squares - sum * sum / n).max(0.0) / (n - 1.0);
    1.96 * (variance / n).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_sources() {
        // [Sironi 2019, 5]; [Sironi et al. 2021, 4];
        // [Finnsson 2012, 4]
        let check = |points: f64, runs: u64| 100.0 * half_width(runs, points, points);
        assert!((check(291.0, 500) - 4.33).abs() < 0.005);
        assert!((check(391.0, 500) - 3.62).abs() < 0.005);
        assert!((check(187.0, 300) - 5.49).abs() < 0.006);
    }

    #[test]
    fn wins_draws_and_losses_are_told_apart() {
        let mut tally = Tally::default();
        tally.add(1.0, [100.0].into_iter());
        tally.add(0.5, [50.0, 50.0].into_iter());
        tally.add(0.0, [0.0].into_iter());
        let standing = tally.standing("x");
        assert_eq!((standing.wins, standing.draws, standing.losses), (1, 1, 1));
        assert_eq!((standing.win_percent, standing.mean_goal), (50.0, 50.0));
    }
}
