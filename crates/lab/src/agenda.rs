//! Which games of a plan are played, and in which order.

use std::collections::{HashSet, VecDeque};

use crate::plan::Plan;
use crate::report::{Provenance, Report, Verdict};
use crate::store::{Store, StoreError};

/// Which games of a plan are played, and in which order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Agenda {
    /// All games of the plan; every cell gets its share early.
    #[default]
    All,
    /// One game of each cell without any, to see how long games take.
    Sample,
    /// As many games as it takes, beyond those of the plan: first of the cells whose verdict is open, or
    /// whose interval is too wide. Cells grow by half in every round, so that results are looked at a
    /// few times only.
    Open {
        /// The half width of the interval, in percent points, at which a cell is left alone; without it
        /// no cell is.
        until: Option<f64>,
    },
}

/// No cell grows beyond this.
const MOST_RUNS: u32 = 10_000_000;

impl Agenda {
    /// The games that are to be played next, in order; none when the work is done.
    pub(crate) fn next(
        &self,
        plan: &Plan,
        store: &Store,
    ) -> Result<VecDeque<(usize, u32)>, StoreError> {
        let limit = |runs: u32| if matches!(self, Agenda::Open { .. }) { MOST_RUNS } else { runs };
        let cells = plan.cells.iter().map(|cell| (cell.id.clone(), limit(cell.runs))).collect();
        let finished = store.finished(&cells)?;
        let count = |cell: usize| finished.get(&plan.cells[cell].id).map_or(0, HashSet::len);
        let is_open = |&(cell, run): &(usize, u32)| {
            finished.get(&plan.cells[cell].id).is_none_or(|runs| !runs.contains(&run))
        };
        match *self {
            Agenda::All => Ok(plan.order().into_iter().filter(is_open).collect()),
            Agenda::Sample => Ok((0..plan.cells.len())
                .filter(|&cell| count(cell) == 0)
                .map(|cell| (cell, 0))
                .collect()),
            Agenda::Open { until } => {
                let mut wanted = wanted(plan, store, until)?;
                if wanted.iter().any(|cell| cell.open) {
                    wanted.retain(|cell| cell.open);
                }
                // The least sure first.
                wanted.sort_by(|a, b| b.half_width.total_cmp(&a.half_width));
                let games = wanted.into_iter().flat_map(|Wanted { cell, .. }| {
                    // Games under way are listed too: whoever wants one finds it claimed.
                    let wanted = (count(cell) + (count(cell) / 2).max(1)) as u32;
                    let wanted = wanted.next_multiple_of(plan.unit(cell)).min(MOST_RUNS);
                    (0..wanted).map(move |run| (cell, run)).filter(is_open)
                });
                Ok(games.collect())
            }
        }
    }
}

struct Wanted {
    cell: usize,
    /// Whether a column shows it and its verdict is open.
    open: bool,
    half_width: f64,
}

/// The cells that are not sure enough yet.
fn wanted(plan: &Plan, store: &Store, until: Option<f64>) -> Result<Vec<Wanted>, StoreError> {
    let report = Report::new(plan, store, Provenance::default())?;
    let cells = plan.cells.iter().enumerate().map(|(cell, planned)| {
        let row = &report.rows[planned.game];
        let shown = plan.columns.iter().zip(&row.cells);
        let shown =
            shown.filter(|(column, _)| column.parts.iter().any(|part| part.0 == planned.matchup));
        let mut wanted = Wanted { cell, open: false, half_width: 0.0 };
        for (_, shown) in shown {
            wanted.open |= matches!(shown.verdict, Verdict::Undecided | Verdict::NotRun);
            let half_width = shown.ours.map_or(f64::INFINITY, |ours| ours.half_width());
            wanted.half_width = wanted.half_width.max(half_width);
        }
        wanted
    });
    Ok(cells.filter(|cell| until.is_none_or(|until| cell.half_width > until)).collect())
}
