//! The report as charts: one for each column that has results.

use gamegrove_view::{Bar, BarChart};

use super::Report;
use crate::spec::Scoring;

impl Report {
    /// The charts of the columns that have results, with the number of the column.
    pub fn charts(&self) -> Vec<(usize, BarChart)> {
        let cells =
            || self.rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.ours.is_some());
        let ends = cells().flat_map(|cell| {
            let published = cell.published.map(|published| published.mean);
            cell.ours.map(|ours| ours.high).into_iter().chain(published)
        });
        let longest = ends.fold(0.0, f64::max);
        let columns = self.columns.iter().enumerate();
        let charts = columns.filter_map(|(at, column)| {
            let bars: Vec<Bar> = self.rows.iter().filter_map(|row| bar(row, at)).collect();
            let chart = BarChart {
                title: column.clone(),
                x: match self.scoring {
                    Scoring::Speed => "states a second".to_owned(),
                    _ => "points, %".to_owned(),
                },
                bars,
                reference: self.neutral,
                longest: Some(longest),
            };
            (!chart.bars.is_empty()).then_some((at, chart))
        });
        charts.collect()
    }
}

fn bar(row: &super::ReportRow, column: usize) -> Option<Bar> {
    let cell = &row.cells[column];
    let ours = cell.ours?;
    Some(Bar {
        label: row.label.clone(),
        value: ours.mean,
        interval: Some((ours.low, ours.high)),
        other: cell.published.map(|published| published.mean),
    })
}
