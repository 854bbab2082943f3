//! The report as one page that needs nothing else: table, charts, and how it was made.

use std::fmt::Write as _;

use gamegrove_play::units::plural;
use gamegrove_view::SvgStyle;

use super::markdown::{p_in_words, signed_value};
use super::{Report, Verdict};
use crate::spec::Scoring;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1c2733;--faint:#5b6b7b;--page:#fff;--line:#d5dde5;--good:#e3f3e6;\
--near:#fdf3d8;--off:#fbe3e0}\
@media(prefers-color-scheme:dark){:root{--ink:#e4ebf2;--faint:#9aa9b8;--page:#12181f;--line:#33404d;\
--good:#173322;--near:#3a3112;--off:#41201c}}\
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);margin:0 auto;\
max-width:76rem;padding:1.5rem}\
h1{line-height:1.2;margin-bottom:.3rem}.scroll{overflow-x:auto}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{border-bottom:1px solid var(--line);padding:.35rem .7rem;text-align:right;white-space:nowrap}\
th:first-child,td:first-child{text-align:left}thead th{vertical-align:bottom}\
td small{display:block;color:var(--faint)}\
.agrees,.same_direction{background:var(--good)}.differs{background:var(--off)}\
tfoot td,tfoot th{border-top:2px solid var(--line);font-weight:600}\
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(30rem,100%),1fr));gap:1rem}\
.charts svg{max-width:100%;height:auto}dt{font-weight:600}dd{margin:0 0 .5rem;overflow-wrap:anywhere}\
.legend span{padding:.1rem .5rem;margin-right:.5rem}";

impl Report {
    /// The report as a page.
    pub fn html(&self) -> String {
        let mut page = String::new();
        let title = escape(&self.title);
        let _ = write!(
            page,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n\
             <h1>{title}</h1>\n<p>{}</p>\n<p>{}</p>\n",
            escape(&self.sentence),
            escape(&self.source_in_words())
        );
        self.html_differences(&mut page);
        self.html_table(&mut page);
        self.html_pooled(&mut page);
        self.html_standings(&mut page);
        self.html_charts(&mut page);
        self.html_sections(&mut page);
        self.html_facts(&mut page);
        page.push_str("</main>\n</body>\n</html>\n");
        page
    }

    fn html_differences(&self, page: &mut String) {
        let lines = self.what_differs();
        if lines.is_empty() {
            return;
        }
        let _ = writeln!(page, "<h2>{}</h2>\n<ul>", self.what_differs_title());
        for line in lines {
            let _ = writeln!(page, "<li>{}</li>", escape(&line.replace('`', "")));
        }
        page.push_str("</ul>\n<h2>Results</h2>\n");
    }

    fn html_sections(&self, page: &mut String) {
        for section in self.sections() {
            let line = |cell: &str, fields: &[String]| {
                let fields = fields.iter().map(|field| {
                    format!("<{cell}>{}</{}>", escape(&field.replace('`', "")), &cell[..2])
                });
                format!("<tr>{}</tr>", fields.collect::<String>())
            };
            let _ = writeln!(
                page,
                "<h2>{}</h2>\n<p>{}</p>\n<div class=\"scroll\">\n<table>\n<thead>{}</thead>\n<tbody>",
                section.title,
                escape(&section.words.replace('`', "")),
                line("th scope=\"col\"", &section.head)
            );
            section.rows.iter().for_each(|row| page.push_str(&(line("td", row) + "\n")));
            page.push_str("</tbody>\n</table>\n</div>\n");
        }
    }

    fn html_table(&self, page: &mut String) {
        if self.has_published() {
            let words = escape(&self.verdicts_in_words());
            let _ = write!(page, "<p>{words}</p>\n<p class=\"legend\">");
            for &verdict in self.kinds() {
                let _ =
                    write!(page, "<span class=\"{}\">{}</span>", class(verdict), verdict.words());
            }
            page.push_str("Published values are below ours.</p>\n");
            if self.scoring != Scoring::Speed {
                let _ = writeln!(page, "<p>{}</p>", escape(&self.verdicts_explained()));
            }
        }
        page.push_str(
            "<p>Brackets hold 95 % intervals; ± is half the width of a published one.</p>\n\
             <div class=\"scroll\">\n<table>\n<thead><tr><th scope=\"col\">Game</th>\
             <th scope=\"col\">Budget</th>",
        );
        for column in &self.columns {
            let _ = write!(page, "<th scope=\"col\">{}</th>", escape(column));
        }
        page.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            let _ = write!(
                page,
                "<tr><th scope=\"row\">{}</th><td>{}</td>",
                escape(&row.label),
                escape(&row.budget)
            );
            for cell in &row.cells {
                let details = format!(
                    "{}{}: {} of {} games; won {}, drawn {}, lost {}",
                    cell.verdict.words(),
                    match cell.comparison.and_then(|tests| tests.games_to_decide) {
                        Some(games) => format!(", about {games} games would decide"),
                        None => String::new(),
                    },
                    cell.runs,
                    cell.planned,
                    cell.wins,
                    cell.draws,
                    cell.losses
                );
                let _ = write!(
                    page,
                    "<td class=\"{}\" title=\"{}\">{}<small>{}</small><small>{}</small></td>",
                    class(cell.verdict),
                    escape(&details),
                    cell.ours.map_or("–".to_owned(), |ours| self.value(ours)),
                    cell.published.map_or(String::new(), |published| published.to_string()),
                    plural(cell.runs as usize, "game")
                );
            }
            page.push_str("</tr>\n");
        }
        page.push_str("</tbody>\n<tfoot>\n");
        let _ = write!(page, "<tr><th scope=\"row\">{}</th><td></td>", escape(&self.average_label));
        for average in &self.average {
            let _ = write!(
                page,
                "<td class=\"{}\">{}<small>{}</small></td>",
                class(average.verdict),
                average.ours.map_or("–".to_owned(), |ours| self.mean_value(ours)),
                average.published.map_or(String::new(), |published| self.mean_published(published))
            );
        }
        page.push_str("</tr>\n");
        if !self.robustness.is_empty() {
            page.push_str("<tr><th scope=\"row\">Robustness</th><td></td>");
            for robustness in &self.robustness {
                let number = |n: Option<i32>| n.map_or(String::new(), |n| n.to_string());
                let _ = write!(
                    page,
                    "<td>{}<small>{}</small></td>",
                    robustness.ours.map_or("–".to_owned(), |n| n.to_string()),
                    number(robustness.published)
                );
            }
            page.push_str("</tr>\n");
        }
        page.push_str("</tfoot>\n</table>\n</div>\n");
    }

    fn html_pooled(&self, page: &mut String) {
        if self.pooled.is_empty() {
            return;
        }
        page.push_str(
            "<h2>Pooled tests</h2>\n<p>Ours less the published values, over all cells of a column, of a game, \
             and of the table. p of the mean: that it is not 0. p of the cells: that not all of them are as \
             published, even where their differences cancel.</p>\n<div class=\"scroll\">\n<table>\n<thead><tr>\
             <th scope=\"col\">Over</th><th scope=\"col\">Cells</th><th scope=\"col\">Mean difference</th>\
             <th scope=\"col\">p, mean</th><th scope=\"col\">p, cells</th></tr></thead>\n<tbody>\n",
        );
        for pooled in &self.pooled {
            let _ = writeln!(
                page,
                "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"{}\" title=\"{}\">{}</td>\
                 <td>{}</td><td>{}</td></tr>",
                escape(&pooled.over),
                pooled.cells,
                class(pooled.verdict),
                pooled.verdict.words(),
                signed_value(pooled.difference),
                escape(&p_in_words(pooled.p_mean)),
                escape(&p_in_words(pooled.p_cells)),
            );
        }
        page.push_str("</tbody>\n</table>\n</div>\n");
    }

    fn html_standings(&self, page: &mut String) {
        if self.standings.is_empty() {
            return;
        }
        page.push_str(
            "<h2>Standings</h2>\n<div class=\"scroll\">\n<table>\n<thead><tr><th scope=\"col\">Agent</th>\
             <th scope=\"col\">Points %</th><th scope=\"col\">Elo</th>\
             <th scope=\"col\">Formula-1</th></tr></thead>\n<tbody>\n",
        );
        for standing in &self.standings {
            let [points, elo, formula_one] = standing.in_words();
            let _ = writeln!(
                page,
                "<tr><th scope=\"row\">{}</th><td>{points}</td><td>{elo}</td><td>{formula_one}</td></tr>",
                escape(&standing.agent)
            );
        }
        page.push_str("</tbody>\n</table>\n</div>\n");
    }

    fn html_charts(&self, page: &mut String) {
        let legend = match self.has_published() {
            true => "Bars are ours with their 95 % intervals, diamonds are published values.",
            false => "Lines at the ends of bars are 95 % intervals.",
        };
        let _ = writeln!(page, "<h2>Charts</h2>\n<p>{legend} All charts have the same axis.</p>");
        page.push_str("<div class=\"charts\">\n");
        for (at, chart) in self.charts() {
            let style = SvgStyle { id: format!("chart{at}"), ..SvgStyle::default() };
            let _ = writeln!(page, "<figure>{}</figure>", chart.svg(&style));
        }
        page.push_str("</div>\n");
    }

    fn html_facts(&self, page: &mut String) {
        page.push_str("<h2>How it was made</h2>\n<dl>\n");
        for (name, fact) in self.facts() {
            let _ = writeln!(page, "<dt>{name}</dt><dd>{}</dd>", escape(&fact.replace('`', "")));
        }
        page.push_str("</dl>\n");
    }
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees | Verdict::Faster => "agrees",
        Verdict::SameDirection => "same_direction",
        Verdict::Differs | Verdict::Slower => "differs",
        Verdict::Undecided => "undecided",
        Verdict::Unpublished => "unpublished",
        Verdict::NotRun => "not_run",
    }
}

/// Text as it may stand in a page.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}
