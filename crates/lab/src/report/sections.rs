//! The tables that follow the results: results by role, agents, games. Every format writes the same.

use super::Report;
use crate::spec::Scoring;

/// A table with a title.
pub(super) struct Section {
    pub(super) title: &'static str,
    pub(super) words: &'static str,
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Report {
    /// The sections that have rows.
    pub(super) fn sections(&self) -> Vec<Section> {
        let sections = [self.by_role(), self.of_agents(), self.of_games()];
        sections.into_iter().filter(|section| !section.rows.is_empty()).collect()
    }

    /// What differs from the source: what the file says of it, the budgets, the numbers of games, and the
    /// cells that are shown to differ. Without a source, the notes.
    pub(super) fn what_differs(&self) -> Vec<String> {
        let mut lines = self.notes.clone();
        for row in &self.rows {
            if let Some(why) = &row.missing {
                lines.push(format!("{}: {why}", row.label));
            }
        }
        if !self.has_published() {
            return lines;
        }
        let played = || self.rows.iter().filter(|row| row.cells.iter().any(|cell| cell.runs > 0));
        let other: Vec<String> = played()
            .filter_map(|row| {
                let source = row.source_budget.as_ref()?;
                Some(format!("{} {} for {source}", row.label, row.budget))
            })
            .collect();
        if !other.is_empty() {
            lines.push(format!("Budgets differ: {}.", other.join(", ")));
        }
        let runs = played()
            .flat_map(|row| row.cells.iter().map(|cell| cell.runs))
            .filter(|&runs| runs > 0);
        let runs: Vec<u64> = runs.collect();
        if let (Some(least), Some(most)) = (runs.iter().min(), runs.iter().max())
            && *least < u64::from(self.source_runs)
        {
            let games =
                if least == most { least.to_string() } else { format!("{least} to {most}") };
            lines.push(format!("A cell has {games} games, of {} in the source.", self.source_runs));
        }
        lines.extend(self.differences().into_iter().map(|line| format!("Differs: {line}")));
        lines
    }

    /// What the lines of [`what_differs`](Report::what_differs) are.
    pub(super) fn what_differs_title(&self) -> &'static str {
        if self.has_published() { "What differs from the source" } else { "Notes" }
    }

    fn by_role(&self) -> Section {
        let cells = || self.rows.iter().flat_map(|row| &row.cells);
        let roles = cells().map(|cell| cell.by_role.len()).max().unwrap_or(0);
        let mut head: Vec<String> =
            ["Game", "Column", "Games", "Won", "Tied", "Lost"].map(str::to_owned).to_vec();
        head.extend((1..=roles).map(|role| format!("Points % as role {role}")));
        let mut rows = Vec::new();
        for row in self.rows.iter().filter(|_| self.scoring != Scoring::Speed) {
            for (column, cell) in
                self.columns.iter().zip(&row.cells).filter(|(_, cell)| cell.runs > 0)
            {
                let mut fields = vec![row.label.clone(), column.clone()];
                fields
                    .extend([cell.runs, cell.wins, cell.draws, cell.losses].map(|n| n.to_string()));
                fields.extend((0..roles).map(|role| match cell.by_role.get(role) {
                    Some(Some(points)) => points.to_string(),
                    _ => "–".to_owned(),
                }));
                rows.push(fields);
            }
        }
        Section {
            title: "Wins, ties and roles",
            words: "Roles are numbered as the rules list them; an agent that holds several roles of a game counts \
                    for each.",
            head,
            rows,
        }
    }

    fn of_agents(&self) -> Section {
        let rows = self.agents.iter().map(|agent| {
            let mut definition = format!("`{}`", agent.definition);
            if let Some(video) = &agent.in_video_games {
                definition.push_str(&format!("; in video games `{video}`"));
            }
            if let Some(reasoner) = &agent.reasoner {
                definition.push_str(&format!("; reasoner {reasoner}"));
            }
            if agent.patience != 1 {
                definition.push_str(&format!("; {} times the budget", agent.patience));
            }
            vec![agent.label.clone(), definition]
        });
        let mut rows: Vec<Vec<String>> = rows.collect();
        for (column, against) in self.columns.iter().zip(&self.opponents) {
            if !against.is_empty() {
                rows.push(vec![format!("column {column}"), format!("against {against}")]);
            }
        }
        Section {
            title: "Agents",
            words: "As they can be given to `grove match`; what is not written has its default of this version.",
            head: vec!["Agent".to_owned(), "Definition".to_owned()],
            rows,
        }
    }

    fn of_games(&self) -> Section {
        let rows = self.rows.iter().filter_map(|row| {
            let rules = row.rules.as_ref()?;
            let source = row.source_budget.as_ref().unwrap_or(&row.budget);
            Some(vec![
                row.label.clone(),
                format!("`{}`", row.game),
                format!("`{rules}`"),
                row.budget.clone(),
                source.clone(),
            ])
        });
        let head =
            ["Game", "Name", "SHA-256 of the rules", "Budget of a move", "Budget of the file"];
        Section {
            title: "Games",
            words: "The hash is that of the rulesheet, or of description and levels.",
            head: head.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        }
    }
}
