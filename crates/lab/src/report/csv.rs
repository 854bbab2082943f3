//! The report as CSV: one line a cell.

use super::Report;

const HEAD: &str = "game,column,against,budget,planned,runs,wins,draws,losses,mean,low,high,\
                    published_mean,published_half_width,verdict,difference,difference_low,difference_high,\
                    p_agrees,p_differs,p_same_direction,games_to_decide,simulations_per_second,steps,points_by_role,agents,rules,seed,version\n";

impl Report {
    /// The report as CSV.
    pub fn csv(&self) -> String {
        let mut text = HEAD.to_owned();
        let agents =
            self.agents.iter().map(|agent| format!("{} = {}", agent.label, agent.definition));
        let agents = agents.collect::<Vec<_>>().join("; ");
        for row in &self.rows {
            let columns = self.columns.iter().zip(&self.opponents);
            for ((column, against), cell) in columns.zip(&row.cells) {
                let number =
                    |value: Option<f64>| value.map_or(String::new(), |v| format!("{v:.4}"));
                let tests = cell.comparison;
                let roles = cell.by_role.iter();
                let roles: Vec<String> = roles
                    .map(|role| role.map_or("-".to_owned(), |points| format!("{:.4}", points.mean)))
                    .collect();
                let fields = [
                    quoted(&row.label),
                    quoted(column),
                    quoted(against),
                    quoted(&row.budget),
                    cell.planned.to_string(),
                    cell.runs.to_string(),
                    cell.wins.to_string(),
                    cell.draws.to_string(),
                    cell.losses.to_string(),
                    number(cell.ours.map(|ours| ours.mean)),
                    number(cell.ours.map(|ours| ours.low)),
                    number(cell.ours.map(|ours| ours.high)),
                    number(cell.published.map(|published| published.mean)),
                    number(cell.published.and_then(|published| published.half_width)),
                    cell.verdict.words().to_owned(),
                    number(tests.map(|tests| tests.difference.mean)),
                    number(tests.map(|tests| tests.difference.low)),
                    number(tests.map(|tests| tests.difference.high)),
                    number(tests.map(|tests| tests.p_agrees)),
                    number(tests.map(|tests| tests.p_differs)),
                    number(tests.and_then(|tests| tests.p_same_direction)),
                    tests
                        .and_then(|tests| tests.games_to_decide)
                        .map_or(String::new(), |games| games.to_string()),
                    number(cell.simulations_per_second),
                    number(cell.steps),
                    roles.join(" "),
                    quoted(&agents),
                    row.rules.clone().unwrap_or_default(),
                    self.seed.to_string(),
                    self.made.version.clone(),
                ];
                text.push_str(&fields.join(","));
                text.push('\n');
            }
        }
        text
    }
}

/// A field, in quotes where it needs them. A leading sign would make a spreadsheet compute.
fn quoted(field: &str) -> String {
    let field = match field.chars().next() {
        Some('=' | '+' | '-' | '@') => format!("'{field}"),
        _ => field.to_owned(),
    };
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stay_fields() {
        assert_eq!(quoted("a"), "a");
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
    }
}
