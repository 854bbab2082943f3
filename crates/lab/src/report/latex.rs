//! The report as LaTeX: tables for a paper and its appendix, with the package booktabs.

use std::fmt::Write as _;

use super::Report;

impl Report {
    /// The report as LaTeX.
    pub fn latex(&self) -> String {
        let mut text = format!(
            "% {}, made by: {}\n% \\usepackage{{booktabs}}\n",
            escape(&self.title),
            escape(&self.made.command)
        );
        let mut head = vec!["Game".to_owned(), "Games".to_owned()];
        head.extend(self.columns.iter().cloned());
        let mut rows: Vec<Vec<String>> = Vec::new();
        for row in &self.rows {
            let mut fields = vec![row.label.clone(), row.games_in_words()];
            fields.extend(row.cells.iter().map(|cell| match (cell.ours, cell.published) {
                (Some(ours), Some(published)) => {
                    format!("{} ({published}) {}", self.value(ours), cell.verdict.sign())
                }
                (Some(ours), None) => self.value(ours),
                (None, _) => "–".to_owned(),
            }));
            rows.push(fields);
        }
        let mut fields = vec![self.average_label.clone(), String::new()];
        fields.extend(self.average.iter().map(|average| match (average.ours, average.published) {
            (Some(ours), Some(published)) => {
                let (ours, published) = (self.mean_value(ours), self.mean_published(published));
                format!("{ours} ({published}) {}", average.verdict.sign())
            }
            (Some(ours), None) => self.mean_value(ours),
            (None, _) => "–".to_owned(),
        }));
        rows.push(fields);
        let mut caption = format!("{}. {}", self.title, self.sentence);
        if self.has_published() {
            let _ = write!(caption, " {} {}", self.verdicts_in_words(), self.verdicts_explained());
        }
        table(&mut text, &caption, &head, &rows);
        if !self.standings.is_empty() {
            let head = ["Agent", "Points %", "Elo", "Formula-1"].map(str::to_owned);
            let rows: Vec<Vec<String>> = self
                .standings
                .iter()
                .map(|one| [&[one.agent.clone()][..], &one.in_words()].concat())
                .collect();
            table(&mut text, "Standings", &head, &rows);
        }
        for section in self.sections() {
            table(
                &mut text,
                &format!("{}. {}", section.title, section.words),
                &section.head,
                &section.rows,
            );
        }
        text.push_str("\\begin{itemize}\n");
        for line in self.what_differs() {
            let _ = writeln!(text, "\\item {}", escape(&line));
        }
        for (name, fact) in self.facts() {
            let _ = writeln!(text, "\\item {name}: {}", escape(&fact));
        }
        text.push_str("\\end{itemize}\n");
        text
    }
}

fn table(text: &mut String, caption: &str, head: &[String], rows: &[Vec<String>]) {
    let line = |fields: &[String]| {
        let fields: Vec<String> = fields.iter().map(|field| escape(field)).collect();
        format!("{} \\\\\n", fields.join(" & "))
    };
    let _ = write!(
        text,
        "\\begin{{table}}\n\\caption{{{}}}\n\\begin{{tabular}}{{l{}}}\n\\toprule\n{}\\midrule\n",
        escape(caption),
        "r".repeat(head.len().saturating_sub(1)),
        line(head)
    );
    rows.iter().for_each(|row| text.push_str(&line(row)));
    text.push_str("\\bottomrule\n\\end{tabular}\n\\end{table}\n\n");
}

/// Text as it may stand in LaTeX. Between backticks it is set as code.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut code = false;
    for letter in text.chars() {
        match letter {
            '`' => {
                code = !code;
                safe.push_str(if code { "\\texttt{" } else { "}" });
            }
            '\\' => safe.push_str("\\textbackslash{}"),
            '~' => safe.push_str("$\\sim$"),
            '^' => safe.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                safe.push('\\');
                safe.push(letter);
            }
            '±' => safe.push_str("$\\pm$"),
            '≠' => safe.push_str("$\\neq$"),
            '×' => safe.push_str("$\\times$"),
            '<' => safe.push_str("$<$"),
            '>' => safe.push_str("$>$"),
            '–' => safe.push_str("--"),
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    if code {
        safe.push('}');
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(escape("50 % of a_b & {c}"), "50 \\% of a\\_b \\& \\{c\\}");
        assert_eq!(escape("`a_b`, 3 ±1"), "\\texttt{a\\_b}, 3 $\\pm$1");
        assert_eq!(escape("\\end ~ ^"), "\\textbackslash{}end $\\sim$ \\textasciicircum{}");
    }
}
