//! The report as Markdown.

use std::fmt::Write as _;

use super::{Comparison, Report, Verdict, times};
use crate::spec::Scoring;
use crate::stats::Estimate;

const LEGEND: &str = "Each cell: ours with its 95 % interval in brackets, the published value in \
parentheses with half the width of its interval after ± where the source prints it, and the verdict: \
= agrees, ~ same direction, ≠ differs, ? undecided, – not run.";
const SPEED_LEGEND: &str = "Each cell: our states a second, then the published ones in parentheses, \
then how many times those ours are. The last row is the mean over the games of how many times as fast \
each is as the first column, unless the row says otherwise. Brackets hold 95 % intervals.";

impl Report {
    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n", plain(&self.title));
        if !self.sentence.is_empty() {
            let _ = writeln!(text, "{}\n", plain(&self.sentence));
        }
        if self.has_published() {
            let _ = writeln!(text, "{}\n", self.verdicts_in_words());
        }
        let lines = self.what_differs();
        if !lines.is_empty() {
            let _ = writeln!(text, "## {}\n", self.what_differs_title());
            for line in lines {
                let _ = writeln!(text, "- {}", plain(&line));
            }
            text.push_str("\n## Results\n\n");
        }
        self.markdown_table(&mut text);
        let legend = match (self.has_published(), self.scoring) {
            (false, _) => "Brackets hold 95 % intervals.".to_owned(),
            (true, Scoring::Speed) => SPEED_LEGEND.to_owned(),
            (true, _) => format!("{LEGEND}\n\n{}", self.verdicts_explained()),
        };
        let _ = writeln!(text, "\n{legend}");
        self.markdown_pooled(&mut text);
        self.markdown_standings(&mut text);
        for section in self.sections() {
            let line = |fields: &[String]| {
                let fields: Vec<String> = fields.iter().map(|field| plain(field)).collect();
                format!("| {} |", fields.join(" | "))
            };
            let _ = writeln!(text, "\n## {}\n\n{}\n", section.title, section.words);
            let _ =
                writeln!(text, "{}\n|{}", line(&section.head), "---|".repeat(section.head.len()));
            section.rows.iter().for_each(|row| text.push_str(&(line(row) + "\n")));
        }
        text.push_str("\n## How it was made\n\n");
        for (name, fact) in self.facts() {
            let _ = writeln!(text, "- {name}: {}", plain(&fact));
        }
        text
    }

    fn markdown_table(&self, text: &mut String) {
        let _ = write!(text, "| Game | Budget | Games |");
        for column in &self.columns {
            let _ = write!(text, " {} |", plain(column));
        }
        text.push_str("\n|---|---|---|");
        text.push_str(&"---|".repeat(self.columns.len()));
        text.push('\n');
        for row in &self.rows {
            let runs = row.games_in_words();
            let _ = write!(text, "| {} | {} | {runs} |", plain(&row.label), plain(&row.budget));
            for cell in &row.cells {
                let sign = match (self.scoring, cell.ours, cell.published) {
                    (Scoring::Speed, Some(ours), Some(published)) => {
                        format!("× {}", times(ours.mean / published.mean))
                    }
                    _ => signed(cell.verdict, cell.comparison),
                };
                let ours = cell.ours.map(|ours| self.value(ours));
                let published = cell.published.map(|published| published.to_string());
                let _ = write!(text, " {} |", beside(ours, published, &sign));
            }
            text.push('\n');
        }
        let _ = write!(text, "| **{}** | | |", plain(&self.average_label));
        for average in &self.average {
            let sign = match self.scoring {
                Scoring::Speed => average.verdict.sign().to_owned(),
                _ => signed(average.verdict, average.comparison),
            };
            let ours = average.ours.map(|ours| self.mean_value(ours));
            let published = average.published.map(|published| self.mean_published(published));
            let _ = write!(text, " **{}** |", beside(ours, published, &sign));
        }
        text.push('\n');
        if !self.robustness.is_empty() {
            text.push_str("| **Robustness** | | |");
            for robustness in &self.robustness {
                let number = |n: Option<i32>| n.map_or("–".to_owned(), |n| n.to_string());
                let published = robustness.published.map(|n| format!(" ({n})")).unwrap_or_default();
                let _ = write!(text, " **{}{published}** |", number(robustness.ours));
            }
            text.push('\n');
        }
    }

    fn markdown_pooled(&self, text: &mut String) {
        if self.pooled.is_empty() {
            return;
        }
        text.push_str(
            "\n## Pooled tests\n\n\
             Ours less the published values, over all cells of a column, of a game, and of the table. p of \
             the mean: that it is not 0. p of the cells: that not all of them are as published, even where \
             their differences cancel. Both are corrected over the lines.\n\n\
             | Over | Cells | Mean difference | Verdict | p, mean | p, cells |\n|---|---|---|---|---|---|\n",
        );
        for pooled in &self.pooled {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {}{} | {} | {} |",
                plain(&pooled.over),
                pooled.cells,
                signed_value(pooled.difference),
                pooled.verdict.words(),
                if pooled.cancels() { ", differences cancel" } else { "" },
                p_in_words(pooled.p_mean),
                p_in_words(pooled.p_cells),
            );
        }
    }

    fn markdown_standings(&self, text: &mut String) {
        if self.standings.is_empty() {
            return;
        }
        text.push_str(
            "\n## Standings\n\n| Agent | Points % | Elo | Formula-1 |\n|---|---|---|---|\n",
        );
        for standing in &self.standings {
            let cells = standing.in_words();
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} |",
                plain(&standing.agent),
                cells[0],
                cells[1],
                cells[2]
            );
        }
    }
}

impl super::Standing {
    /// Points, rating and Formula-1 points in words.
    pub(super) fn in_words(&self) -> [String; 3] {
        let none = || "–".to_owned();
        let elo = self.elo.map(|rating| match rating.half_width {
            Some(half) => format!("{:+.0} ±{half:.0}", rating.elo),
            None => format!("{:+.0}", rating.elo),
        });
        // Shared places have fractions of points.
        let formula_one =
            self.formula_one.map(|points| ((points * 10.0).round() / 10.0).to_string());
        [
            self.points.map_or_else(none, |points| points.to_string()),
            elo.unwrap_or_else(none),
            formula_one.unwrap_or_else(none),
        ]
    }
}

/// The sign of a verdict; of an undecided one with the number of games that would decide.
fn signed(verdict: Verdict, tests: Option<Comparison>) -> String {
    match tests.and_then(|tests| tests.games_to_decide) {
        Some(games) => format!("{} {games}", verdict.sign()),
        None => verdict.sign().to_owned(),
    }
}

/// A difference with its interval.
pub(super) fn signed_value(value: Estimate) -> String {
    format!("{:+.1} [{:+.1}, {:+.1}]", value.mean, value.low, value.high)
}

/// A p-value.
pub(super) fn p_in_words(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// Our value, the published one in parentheses, and a sign.
fn beside(ours: Option<String>, published: Option<String>, sign: &str) -> String {
    match (ours, published) {
        (Some(ours), Some(published)) => format!("{ours} ({published}) {sign}"),
        (Some(ours), None) => ours,
        (None, Some(published)) => format!("– ({published})"),
        (None, None) => "–".to_owned(),
    }
}

/// Text that cannot break a table or be taken for markup. Between backticks, which are ours, letters
/// stand for themselves already.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut code = false;
    for letter in text.chars() {
        match letter {
            '`' => {
                code = !code;
                plain.push(letter);
            }
            '|' | '<' | '*' | '_' | '[' if !code => {
                plain.push('\\');
                plain.push(letter);
            }
            letter if letter.is_control() => plain.push(' '),
            letter => plain.push(letter),
        }
    }
    plain
}
