//! Results of many games in real time: wins, points of the game, ticks ([Sironi 2019, 3.2.3],
//! 9 and 11.2).

use serde::Serialize;

use super::record::RealTimeRecord;
use crate::matches::estimate::{Estimate, Score};
use crate::matches::formula_one::Performance;
use crate::matches::tally::or_nothing;

/// What an agent's games add up to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RealTimeTally {
    runs: u64,
    wins: u64,
    score: f64,
    score_squares: f64,
    least: Option<f64>,
    most: Option<f64>,
    ticks: u64,
    iterations: f64,
    searched: u64,
    late: u64,
    disqualified: u64,
}

/// An agent's result, as it is reported.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RealTimeStanding {
    /// The agent.
    pub name: String,
    /// Games it played.
    pub runs: u64,
    /// Games it won.
    pub wins: u64,
    /// There are none; the field is there for those who read results of board games too.
    pub draws: u64,
    /// Games it lost.
    pub losses: u64,
    /// Share of games won, in percent.
    pub win_percent: f64,
    /// Half the width of the 95 % interval, in percent points.
    pub interval: f64,
    /// The lower end of the 95 % interval, in percent.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// 100 for a win, 0 for a loss.
    pub mean_goal: f64,
    /// Mean score.
    pub mean_score: f64,
    /// Sample standard deviation of the score; nothing below two games.
    pub score_deviation: Option<f64>,
    /// Lowest score.
    pub least_score: f64,
    /// Highest score.
    pub most_score: f64,
    /// Mean length of a game.
    pub mean_ticks: f64,
    /// Mean over games of the median iterations a tick; nothing for agents that do not search.
    pub iterations: Option<f64>,
    /// Late answers.
    pub late: u64,
    /// Games in which it was put out.
    pub disqualified: u64,
}

impl RealTimeTally {
    /// Adds a game in which the agent played `role`.
    pub fn add(&mut self, record: &RealTimeRecord, role: usize) {
        let score = record.scores.get(role).copied().unwrap_or(0.0);
        self.runs += 1;
        self.wins += u64::from(record.won.get(role) == Some(&Some(true)));
        self.score += score;
        self.score_squares += score * score;
        self.least = Some(self.least.map_or(score, |least| least.min(score)));
        self.most = Some(self.most.map_or(score, |most| most.max(score)));
        self.ticks += u64::from(record.ticks);
        if let Some(Some(iterations)) = record.iterations.get(role) {
            self.iterations += iterations;
            self.searched += 1;
        }
        self.late += record.late.get(role).map_or(0, |&late| u64::from(late));
        self.disqualified += u64::from(record.disqualified.get(role).is_some_and(Option::is_some));
    }

    /// What Formula-1 points go by.
    pub fn performance(&self) -> Option<Performance> {
        let runs = self.runs as f64;
        (self.runs > 0).then(|| Performance {
            wins: self.wins as f64 / runs,
            score: self.score / runs,
            steps: self.ticks as f64 / runs,
        })
    }

    /// The result of the agent called `name`.
    pub fn standing(&self, name: &str) -> RealTimeStanding {
        let runs = self.runs.max(1) as f64;
        let score = Score::of_counts(self.wins, 0, self.runs - self.wins);
        let Estimate { mean, low, high } = or_nothing(score.estimate());
        let deviation = (self.runs > 1).then(|| {
            ((self.score_squares - self.score * self.score / runs).max(0.0) / (runs - 1.0)).sqrt()
        });
        RealTimeStanding {
            name: name.to_owned(),
            runs: self.runs,
            wins: self.wins,
            draws: 0,
            losses: self.runs - self.wins,
            win_percent: mean,
            interval: (high - low) / 2.0,
            low,
            high,
            mean_goal: mean,
            mean_score: self.score / runs,
            score_deviation: deviation,
            least_score: self.least.unwrap_or(0.0),
            most_score: self.most.unwrap_or(0.0),
            mean_ticks: self.ticks as f64 / runs,
            iterations: (self.searched > 0).then(|| self.iterations / self.searched as f64),
            late: self.late,
            disqualified: self.disqualified,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::record::Ending;

    fn game(won: bool, score: f64) -> RealTimeRecord {
        RealTimeRecord {
            game: String::new(),
            level: None,
            level_name: String::new(),
            seed: 0,
            roles: vec![String::new()],
            players: vec![String::new()],
            ticks: 100,
            ending: Ending::Terminal,
            scores: vec![score],
            won: vec![Some(won)],
            late: vec![1],
            disqualified: vec![None],
            iterations: vec![Some(20.0)],
            slowest_ms: vec![0.0],
            moves: Vec::new(),
        }
    }

    #[test]
    fn deviations_are_those_of_the_sources_and_intervals_nearly_so() {
        // [van Eeden 2015, 4]: one win in 25 games of Portals gives 0.04 ± 0.20.
        let mut tally = RealTimeTally::default();
        (0..25).for_each(|run| tally.add(&game(run == 0, f64::from(run == 0)), 0));
        let standing = tally.standing("x");
        assert_eq!((standing.wins, standing.losses, standing.late), (1, 24, 25));
        assert_eq!(format!("{:.2}", standing.mean_score), "0.04");
        assert_eq!(format!("{:.2}", standing.score_deviation.unwrap()), "0.20");
        assert_eq!((standing.least_score, standing.most_score), (0.0, 1.0));
        // [Sironi 2019, 6.4.8] prints 42.4 ±4.34 for Survive Zombies with 500 games; Wilson's
        // interval is as wide here.
        let mut tally = RealTimeTally::default();
        (0..500).for_each(|run| tally.add(&game(run < 212, 0.0), 0));
        let standing = tally.standing("x");
        assert_eq!(format!("{:.1} {:.2}", standing.win_percent, standing.interval), "42.4 4.32");
        assert_eq!(standing.iterations, Some(20.0));
    }
}
