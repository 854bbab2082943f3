//! What tuning found, for people and tools.

use std::fmt::Write as _;

use gamegrove_tuning::Combination;
use serde::Serialize;

use super::{Task, Tuned};
use crate::plan::budget_in_words;
use crate::report::{Provenance, plain};
use crate::stats::{Estimate, Score};

/// How many candidates people are shown.
const SHOWN: usize = 20;

/// What tuning found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TuneReport {
    /// The agent whose parameters were tuned.
    pub agent: String,
    /// The settings it had.
    pub original: String,
    /// The settings found; nothing before all matches were played.
    pub tuned: Option<String>,
    /// The parameters.
    pub parameters: Vec<TunedParameter>,
    /// Who played against the candidates.
    pub opponent: String,
    /// The games.
    pub games: Vec<String>,
    /// What players could spend.
    pub budget: String,
    /// What answered questions about the rules.
    pub reasoner: String,
    /// The strategy.
    pub strategy: String,
    /// Matches that tuned so far, and in all.
    pub matches: (u64, u32),
    /// How many were under way at a time.
    pub ahead: u32,
    /// What the random choices depended on.
    pub seed: u64,
    /// Every combination that was tried, the most tried first.
    pub candidates: Vec<Candidate>,
    /// Every value that was tried, whatever it was combined with.
    pub values: Vec<SingleValue>,
    /// The tuned agent against the original, over all games; nothing if there was no check.
    pub check: Option<Checked>,
    /// The same for each game.
    pub check_by_game: Vec<Checked>,
    /// Whether everything was played.
    pub complete: bool,
    /// Matches played by this process.
    pub played: u64,
    /// Where the report comes from.
    pub made: Provenance,
}

/// A tuned parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TunedParameter {
    /// Its name.
    pub name: String,
    /// What it was.
    pub before: String,
    /// What it became.
    pub tuned: Option<String>,
    /// The values there were.
    pub domain: Vec<String>,
}

/// A combination of values that was tried.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The values, by name.
    pub values: String,
    /// Matches with it.
    pub matches: u64,
    /// Its points in percent.
    pub win_percent: f64,
    /// Their 95 % interval.
    pub interval: (f64, f64),
}

/// A value that was tried.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SingleValue {
    /// The parameter.
    pub parameter: String,
    /// The value.
    pub value: String,
    /// Matches with it.
    pub matches: u64,
    /// Its points in percent.
    pub win_percent: f64,
    /// Their 95 % interval.
    pub interval: (f64, f64),
}

/// Matches of the tuned agent against the original.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checked {
    /// The game, or nothing for all.
    pub game: Option<String>,
    /// Matches.
    pub matches: u64,
    /// The tuned agent's points in percent, with their 95 % interval.
    pub points: Estimate,
}

impl TuneReport {
    /// Gathers what was found.
    pub fn new(task: &Task, tuned: &Tuned, made: Provenance) -> TuneReport {
        let order = &task.order;
        let numbers = |numbers: Vec<f64>| numbers.iter().map(f64::to_string).collect::<Vec<_>>();
        let before = numbers(task.tunables.present());
        let best = tuned.best.as_ref().map(|best| numbers(task.tunables.values(best)));
        let parameters = (order.parameters.iter().enumerate())
            .map(|(at, name)| TunedParameter {
                name: name.clone(),
                before: before[at].clone(),
                tuned: best.as_ref().map(|best| best[at].clone()),
                domain: task.tunables.space().choices(at).iter().map(ToString::to_string).collect(),
            })
            .collect();
        let checks = |game: Option<usize>| {
            let of = tuned.checks.iter().filter(|(at, _)| game.is_none_or(|game| game == *at));
            let score = score(of.map(|(_, points)| *points));
            let game = game.map(|at| task.games[at].name.clone());
            score.estimate().map(|points| Checked { game, matches: score.games, points })
        };
        TuneReport {
            agent: order.agent.name.clone(),
            original: order.agent.part.to_string(),
            tuned: tuned.best.as_ref().map(|best| task.candidate(best).part.to_string()),
            parameters,
            opponent: task.opponent().name.clone(),
            games: order.games.clone(),
            budget: budget_in_words(&order.clocks),
            reasoner: order.reasoner.clone(),
            strategy: order.strategy.to_string(),
            matches: (tuned.trials.len() as u64, order.matches),
            ahead: order.ahead,
            seed: order.seed,
            candidates: candidates(task, &tuned.trials),
            values: single_values(task, &tuned.trials),
            check: checks(None),
            check_by_game: (0..task.games.len()).filter_map(|at| checks(Some(at))).collect(),
            complete: tuned.complete,
            played: tuned.played,
            made,
        }
    }

    /// What the check says, in a sentence.
    pub fn verdict(&self) -> String {
        let Some(check) = &self.check else {
            return match (&self.tuned, self.complete) {
                (None, _) => "Not all matches are played yet.".to_owned(),
                (Some(_), true) => "No check was played.".to_owned(),
                (Some(_), false) => "The check is not played yet.".to_owned(),
            };
        };
        let judged = match (check.points.low > 50.0, check.points.high < 50.0) {
            (true, _) => "better than it",
            (_, true) => "worse than it: keep the original, or tune with more matches",
            _ => "no different from it as far as these matches can tell",
        };
        format!(
            "The tuned agent scores {} % against the original in {} new matches: {judged}.",
            check.points, check.matches
        )
    }

    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}, tuned\n\n", plain(&self.agent));
        let _ = writeln!(text, "{}\n", self.verdict());
        text.push_str("| Parameter | Before | Tuned | Values |\n|---|---|---|---|\n");
        for parameter in &self.parameters {
            let tuned = parameter.tuned.as_deref().unwrap_or("–");
            let domain = parameter.domain.join(" ");
            let _ = writeln!(
                text,
                "| {} | {} | {tuned} | {domain} |",
                parameter.name, parameter.before
            );
        }
        self.markdown_check(&mut text);
        let heading = "\n| Values | Matches | Points % | 95 % interval |\n|---|---|---|---|\n";
        let _ = write!(text, "\n## Candidates\n{heading}");
        for one in self.candidates.iter().take(SHOWN) {
            let row = row(one.matches, one.win_percent, one.interval);
            let _ = writeln!(text, "| {} | {row} |", one.values);
        }
        if self.candidates.len() > SHOWN {
            let more = self.candidates.len() - SHOWN;
            let _ = writeln!(text, "\n{more} more were tried, less often.");
        }
        text.push_str("\n## Single values\n\nEach with whatever it was combined with.\n\n");
        text.push_str("| Parameter | Value | Matches | Points % | 95 % interval |\n");
        text.push_str("|---|---|---|---|---|\n");
        for one in &self.values {
            let row = row(one.matches, one.win_percent, one.interval);
            let _ = writeln!(text, "| {} | {} | {row} |", one.parameter, one.value);
        }
        text.push_str("\n## How it was made\n\n");
        for (name, fact) in self.facts() {
            let _ = writeln!(text, "- {name}: {}", plain(&fact));
        }
        text
    }

    fn markdown_check(&self, text: &mut String) {
        if self.check_by_game.len() < 2 {
            return;
        }
        text.push_str("\n## Against the original, on new seeds\n\n");
        text.push_str("| Game | Matches | Points % |\n|---|---|---|\n");
        for one in self.check_by_game.iter().chain(&self.check) {
            let game = one.game.as_deref().unwrap_or("**all**");
            let _ = writeln!(text, "| {game} | {} | {} |", one.matches, one.points);
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let (played, of) = self.matches;
        vec![
            ("agent", self.original.clone()),
            ("tuned", self.tuned.clone().unwrap_or_else(|| "not yet".to_owned())),
            ("opponent while tuning", self.opponent.clone()),
            ("games", self.games.join(", ")),
            ("budget a move", self.budget.clone()),
            ("reasoner", self.reasoner.clone()),
            ("strategy", format!("{}, {} at a time", self.strategy, self.ahead)),
            ("matches", format!("{played} of {of}")),
            ("seed", self.seed.to_string()),
            ("command", self.made.command.clone()),
            ("date", self.made.date.clone()),
            ("machine", self.made.machine.clone()),
            ("version", self.made.version.clone()),
        ]
    }
}

fn row(matches: u64, win_percent: f64, (low, high): (f64, f64)) -> String {
    format!("{matches} | {win_percent:.1} | {low:.1} to {high:.1}")
}

/// The score of matches, each for itself.
fn score(points: impl Iterator<Item = f64>) -> Score {
    let mut score = Score::default();
    points.for_each(|points| score.add(1, points));
    score
}

/// Percent and interval of matches.
fn rated(score: &Score) -> (f64, (f64, f64)) {
    score.estimate().map_or((0.0, (0.0, 100.0)), |points| (points.mean, (points.low, points.high)))
}

fn candidates(task: &Task, trials: &[(Combination, f64)]) -> Vec<Candidate> {
    let mut found: Vec<(String, Score)> = Vec::new();
    let mut places: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    for (combination, points) in trials {
        let values = task.tunables.space().describe(combination);
        let at = *places.entry(values.clone()).or_insert_with(|| {
            found.push((values, Score::default()));
            found.len() - 1
        });
        found[at].1.add(1, *points);
    }
    let mut candidates: Vec<Candidate> = found
        .into_iter()
        .map(|(values, score)| {
            let (win_percent, interval) = rated(&score);
            Candidate { values, matches: score.games, win_percent, interval }
        })
        .collect();
    // Stable: what was tried first comes first among equals.
    candidates
        .sort_by(|a, b| b.matches.cmp(&a.matches).then(b.win_percent.total_cmp(&a.win_percent)));
    candidates
}

fn single_values(task: &Task, trials: &[(Combination, f64)]) -> Vec<SingleValue> {
    let space = task.tunables.space();
    let mut values = Vec::new();
    for (at, parameter) in task.order.parameters.iter().enumerate() {
        for value in space.choices(at) {
            let with =
                trials.iter().filter(|(combination, _)| space.value(combination, at) == *value);
            let score = score(with.map(|(_, points)| *points));
            if score.games > 0 {
                let (win_percent, interval) = rated(&score);
                let (parameter, value) = (parameter.clone(), value.to_string());
                values.push(SingleValue {
                    parameter,
                    value,
                    matches: score.games,
                    win_percent,
                    interval,
                });
            }
        }
    }
    values
}
