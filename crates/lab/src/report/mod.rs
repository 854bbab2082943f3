//! What came out, beside what was published, in the source's layout.
//!
//! [`Report::new`] gathers everything from a plan and its store, however little was played so far;
//! one file each turns it into Markdown, CSV and a page. JSON is the [`Report`] itself.

mod charts;
mod csv;
mod gather;
mod html;
mod latex;
mod markdown;
mod pooled;
mod sections;
mod verdict;

use serde::Serialize;

pub(crate) use markdown::plain;
pub use pooled::Pooled;
pub use verdict::{ALPHA, Comparison, Verdict};

use crate::spec::{Layout, Published, Scoring, Source};
use crate::stats::{Estimate, Rating};
use crate::store::Session;

/// Who made a report, when and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Provenance {
    /// The command as it was typed.
    pub command: String,
    /// Day and time.
    pub date: String,
    /// The machine.
    pub machine: String,
    /// The program's version.
    pub version: String,
}

/// The results of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// What the experiment is called.
    pub name: String,
    /// What is compared.
    pub title: String,
    /// What it shows.
    pub sentence: String,
    /// Where it was published.
    pub source: Source,
    /// What differs from the source.
    pub notes: Vec<String>,
    /// The profile.
    pub profile: String,
    /// Who meets whom.
    pub layout: Layout,
    /// What a game is worth.
    pub scoring: Scoring,
    /// What the random choices depended on.
    pub seed: u64,
    /// What answered questions about the rules.
    pub reasoner: String,
    /// A hash of what was to be played.
    pub hash: String,
    /// The value of a column whose agents are equally strong, if there is one.
    pub neutral: Option<f64>,
    /// Below which difference to the published value a cell agrees with it, in percent points.
    pub margin: f64,
    /// Games finished.
    pub done: u64,
    /// Games planned.
    pub total: u64,
    /// Moves that had to be replaced.
    pub offences: u64,
    /// Games that ended otherwise than by their rules.
    pub cut_short: u64,
    /// The headings of the columns.
    pub columns: Vec<String>,
    /// Whom each column's agent meets.
    pub opponents: Vec<String>,
    /// Who plays.
    pub agents: Vec<ReportAgent>,
    /// How many games a published cell has.
    pub source_runs: u32,
    /// The games.
    pub rows: Vec<ReportRow>,
    /// What the source calls the average.
    pub average_label: String,
    /// The average over the games, one for each column.
    pub average: Vec<Average>,
    /// Tests over the cells of a column, of a game, and of all.
    pub pooled: Vec<Pooled>,
    /// Games certainly above the neutral value less games certainly below, one for each column.
    pub robustness: Vec<Robustness>,
    /// Agents in order, where all meet all or are ranked.
    pub standings: Vec<Standing>,
    /// Who made this report.
    pub made: Provenance,
    /// The processes that played.
    pub sessions: Vec<Session>,
}

/// An agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportAgent {
    /// What the report calls it.
    pub label: String,
    /// What it is made of.
    pub definition: String,
    /// What it is made of in video games, if that is something else.
    pub in_video_games: Option<String>,
    /// What answers its questions about the rules, if not what answers everybody's.
    pub reasoner: Option<String>,
    /// How many times the budget it gets.
    pub patience: u32,
}

/// A game's row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportRow {
    /// The game.
    pub game: String,
    /// What the source calls it.
    pub label: String,
    /// What a player could spend on a move.
    pub budget: String,
    /// What a player may spend by the file, which is the source's budget, if that is something else.
    pub source_budget: Option<String>,
    /// The hash of the rules, if it was played.
    pub rules: Option<String>,
    /// Why it cannot be played.
    pub missing: Option<String>,
    /// One for each column.
    pub cells: Vec<ReportCell>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportCell {
    /// Games planned.
    pub planned: u64,
    /// Games finished.
    pub runs: u64,
    /// Games won alone.
    pub wins: u64,
    /// Games shared.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The points in games in which the agent held each role; nothing for roles it never held.
    pub by_role: Vec<Option<Estimate>>,
    /// Our value, in percent, or in states per second where speeds are compared.
    pub ours: Option<Estimate>,
    /// The published value.
    pub published: Option<Published>,
    /// How they compare.
    pub verdict: Verdict,
    /// The tests behind the verdict.
    pub comparison: Option<Comparison>,
    /// The agent's simulations per second: the median of a game's moves, averaged over games.
    pub simulations_per_second: Option<f64>,
    /// Mean number of steps of a game.
    pub steps: Option<f64>,
}

impl ReportRow {
    /// How many games its cells have.
    pub(crate) fn games_in_words(&self) -> String {
        let least = self.cells.iter().map(|cell| cell.runs).min().unwrap_or(0);
        let most = self.cells.iter().map(|cell| cell.runs).max().unwrap_or(0);
        if least == most { least.to_string() } else { format!("{least}-{most}") }
    }
}

/// The average of a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Average {
    /// Our value, over the games that were played; of speeds, how many times those of the first column.
    pub ours: Option<Estimate>,
    /// The published value over the same games: as printed if all were played, else from its cells.
    pub published: Option<Published>,
    /// How they compare.
    pub verdict: Verdict,
    /// The tests behind the verdict.
    pub comparison: Option<Comparison>,
    /// How many games were played.
    pub games: usize,
}

/// The robustness of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Robustness {
    /// Ours, over the games that were played.
    pub ours: Option<i32>,
    /// The published one over the same games.
    pub published: Option<i32>,
}

/// An agent among all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The agent.
    pub agent: String,
    /// Its mean points over all games, in percent.
    pub points: Option<Estimate>,
    /// Its Elo rating, where agents met.
    pub elo: Option<Rating>,
    /// Its Formula-1 points, where they are counted.
    pub formula_one: Option<f64>,
}

impl Report {
    /// How many cells have each verdict.
    pub fn verdicts(&self) -> Vec<(Verdict, usize)> {
        let cells = || self.rows.iter().flat_map(|row| &row.cells);
        let count = |verdict| cells().filter(|cell| cell.verdict == verdict).count();
        Verdict::ALL.into_iter().map(|verdict| (verdict, count(verdict))).collect()
    }

    /// Whether there is anything to compare with.
    pub(crate) fn has_published(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.published.is_some())
    }

    /// The verdicts in a sentence: all four kinds, or both of speeds, and what else there is.
    pub(crate) fn verdicts_in_words(&self) -> String {
        let kinds = self.kinds();
        let counted = self
            .verdicts()
            .into_iter()
            .filter(|&(verdict, count)| count > 0 || kinds.contains(&verdict));
        let parts: Vec<String> =
            counted.map(|(verdict, count)| format!("{count} {}", verdict.words())).collect();
        let cells: usize = self.rows.iter().map(|row| row.cells.len()).sum();
        format!("Of {cells} cells: {}.", parts.join(", "))
    }

    /// The verdicts that a comparison may have.
    pub(crate) fn kinds(&self) -> &'static [Verdict] {
        match self.scoring {
            Scoring::Speed => &[Verdict::Faster, Verdict::Slower],
            _ => &[Verdict::Agrees, Verdict::SameDirection, Verdict::Differs, Verdict::Undecided],
        }
    }

    /// What the verdicts mean.
    pub(crate) fn verdicts_explained(&self) -> String {
        let direction = match self.neutral {
            Some(neutral) => format!(
                " Same direction: both values are shown to be on the same side of {neutral} %, and no more."
            ),
            None => String::new(),
        };
        format!(
            "Agrees: the difference to the published value is shown to be below {} points. Differs: a \
             difference is shown.{direction} Undecided: none of these is shown; the number is that of \
             the games with which the cell would probably be decided, if there is one. To be shown, an \
             interval has to lie on one side at {} % for all cells of the table together (Holm's \
             correction). A published value without an interval gets that of its number of games.",
            self.margin,
            100.0 * ALPHA,
        )
    }

    /// The cells that are shown to differ, in words.
    pub(crate) fn differences(&self) -> Vec<String> {
        let mut found = Vec::new();
        for row in &self.rows {
            for (column, cell) in self.columns.iter().zip(&row.cells) {
                let (Verdict::Differs, Some(ours), Some(published), Some(tests)) =
                    (cell.verdict, cell.ours, cell.published, cell.comparison)
                else {
                    continue;
                };
                let direction = match tests.p_same_direction {
                    Some(p) if p <= ALPHA => ", in the same direction",
                    _ => "",
                };
                found.push(format!(
                    "{}, {column}: {ours} after {} games, published {published}{direction}",
                    row.label, cell.runs
                ));
            }
        }
        found
    }

    /// Where it was published, in words.
    pub(crate) fn source_in_words(&self) -> String {
        match (self.source.work.is_empty(), self.source.table.is_empty()) {
            (true, _) => String::new(),
            (false, true) => self.source.work.clone(),
            (false, false) => format!("{}, Table {}", self.source.work, self.source.table),
        }
    }

    /// What was measured and how, as facts with their names.
    pub(crate) fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![
            ("Profile", self.profile.clone()),
            ("Games", format!("{} of {} finished", self.done, self.total)),
            ("Seed", self.seed.to_string()),
            ("Reasoner", self.reasoner.clone()),
        ];
        if self.offences > 0 {
            facts.push(("Moves replaced", self.offences.to_string()));
        }
        if self.cut_short > 0 {
            facts.push(("Games cut short", self.cut_short.to_string()));
        }
        let source = self.source_in_words();
        if !source.is_empty() {
            facts.insert(0, ("Source", source));
        }
        for session in &self.sessions {
            let date = date(session.started);
            let threads = session.threads;
            let at_a_time = if threads == 1 { "game" } else { "games" };
            facts.push((
                "Played by",
                format!(
                    "`{}` on {date}, {threads} {at_a_time} at a time, {}, version {}",
                    session.command, session.machine, session.version
                ),
            ));
        }
        let made = &self.made;
        facts.push((
            "Report",
            format!(
                "`{}` on {}, {}, version {}",
                made.command, made.date, made.machine, made.version
            ),
        ));
        facts.push(("Specification", self.hash.clone()));
        facts
    }
}

/// A moment in words, in universal time.
pub fn date(seconds: u64) -> String {
    // Beyond the year 9999 there are no words.
    let moment =
        std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds.min(253_402_300_799));
    humantime::format_rfc3339_seconds(moment).to_string().replace('T', " ").replace('Z', " UTC")
}

impl Report {
    /// The value of a cell with its interval.
    fn value(&self, value: Estimate) -> String {
        match self.scoring {
            Scoring::Speed => format!("{:.0} [{:.0}, {:.0}]", value.mean, value.low, value.high),
            _ => value.to_string(),
        }
    }

    /// The value of the last row.
    fn mean_value(&self, value: Estimate) -> String {
        match self.scoring {
            Scoring::Speed => format!("× {}", times(value.mean)),
            _ => value.to_string(),
        }
    }

    /// The published value of the last row.
    fn mean_published(&self, published: Published) -> String {
        match self.scoring {
            Scoring::Speed => format!("× {}", times(published.mean)),
            _ => published.to_string(),
        }
    }
}

/// How many times something is something else.
fn times(ratio: f64) -> String {
    match ratio {
        ratio if ratio >= 100.0 => format!("{ratio:.0}"),
        ratio if ratio >= 10.0 => format!("{ratio:.1}"),
        ratio => format!("{ratio:.2}"),
    }
}
