//! Points of many matches, with intervals.

use std::collections::HashMap;

use serde::Serialize;

use crate::matches::estimate::{Estimate, Score};
use crate::matches::score::points;

/// What an agent's matches add up to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    runs: u64,
    wins: u64,
    draws: u64,
    /// Matches and points of each group.
    groups: HashMap<u64, (u64, f64)>,
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
    /// The lower end of the 95 % interval, in percent.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// Its mean goal over all roles it played, from 0 to 100.
    pub mean_goal: f64,
}

impl Tally {
    /// Adds a match of a [group](crate::matches::group): the points, and the goals of the roles the
    /// agent held.
    pub fn add(&mut self, group: u64, points: f64, goals: impl Iterator<Item = f32>) {
        self.runs += 1;
        self.wins += u64::from(points == 1.0);
        self.draws += u64::from(points > 0.0 && points < 1.0);
        let (matches, sum) = self.groups.entry(group).or_default();
        *matches += 1;
        *sum += points;
        for goal in goals {
            self.goals += f64::from(goal);
            self.roles += 1;
        }
    }

    /// All points.
    pub fn score(&self) -> Score {
        // In a fixed order: sums of fractions depend on it.
        let mut groups: Vec<_> = self.groups.iter().collect();
        groups.sort_unstable_by_key(|(group, _)| **group);
        let mut score = Score::default();
        groups.into_iter().for_each(|(_, &(matches, points))| score.add(matches, points));
        score
    }

    /// The result of the agent called `name`.
    pub fn standing(&self, name: &str) -> Standing {
        let Estimate { mean, low, high } = or_nothing(self.score().estimate());
        Standing {
            name: name.to_owned(),
            runs: self.runs,
            wins: self.wins,
            draws: self.draws,
            losses: self.runs - self.wins - self.draws,
            win_percent: mean,
            interval: (high - low) / 2.0,
            low,
            high,
            mean_goal: self.goals / self.roles.max(1) as f64,
        }
    }
}

/// Without a match anything is possible.
pub(crate) fn or_nothing(estimate: Option<Estimate>) -> Estimate {
    estimate.unwrap_or(Estimate { mean: 0.0, low: 0.0, high: 100.0 })
}

/// Adds the match of a group to the tallies of the agents that took part: entry `r` of `assignment` is
/// the agent of role `r`, whose goal is entry `r` of `goals`.
pub fn add_match(tallies: &mut [Tally], group: u64, assignment: &[usize], goals: &[f32]) {
    for (agent, points) in points(assignment, goals, tallies.len()).into_iter().enumerate() {
        let Some(points) = points else { continue };
        let own = assignment.iter().zip(goals).filter(|&(&other, _)| other == agent);
        tallies[agent].add(group, points, own.map(|(_, &goal)| goal));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_draws_and_losses_are_told_apart() {
        let mut tally = Tally::default();
        tally.add(0, 1.0, [100.0].into_iter());
        tally.add(1, 0.5, [50.0, 50.0].into_iter());
        tally.add(2, 0.0, [0.0].into_iter());
        let standing = tally.standing("x");
        assert_eq!((standing.wins, standing.draws, standing.losses), (1, 1, 1));
        assert_eq!((standing.win_percent, standing.mean_goal), (50.0, 50.0));
        let nothing = Tally::default().standing("x");
        assert_eq!((nothing.low, nothing.high), (0.0, 100.0));
    }

    #[test]
    fn matches_with_swapped_roles_are_one_group_in_whatever_order_they_end() {
        let goals = [[100.0, 0.0], [100.0, 0.0]];
        let standings = |order: [usize; 8]| {
            let mut tallies = vec![Tally::default(); 2];
            let ways = crate::matches::assignments(2, 2);
            for run in order {
                let group = crate::matches::group(&ways, run);
                add_match(&mut tallies, group, &ways[run % 2], &goals[run % 2]);
            }
            tallies[0].standing("x")
        };
        let (one, other) =
            (standings([0, 1, 2, 3, 4, 5, 6, 7]), standings([7, 2, 4, 0, 1, 3, 6, 5]));
        assert_eq!(one, other);
        assert_eq!(one.win_percent, 50.0);
        assert!(one.interval < 20.0, "eight single matches have 28: {}", one.interval);
    }
}
