//! Which games are played, and in which order.

use crate::common;

use std::ops::ControlFlow;

use common::{Casino, DUELS, fresh, plan, provenance, session};
use gamegrove_lab::report::{Report, Verdict};
use gamegrove_lab::{Agenda, Plan, Status, Store, run};

fn go_on(_: &Status) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Games of each cell.
fn counts(plan: &Plan, store: &Store) -> Vec<usize> {
    let count = |id: &String| store.rows(id, u32::MAX).unwrap().len();
    plan.cells.iter().map(|cell| count(&cell.id)).collect()
}

#[test]
fn a_sample_is_one_game_of_each_cell() {
    let plan = plan(DUELS, "full");
    let mut store = Store::open(&fresh("agenda_sample")).unwrap();
    let done = run(&plan, &mut store, &Casino, &session(2), Agenda::Sample, go_on).unwrap();
    assert_eq!(done.played, plan.cells.len() as u64);
    assert!(counts(&plan, &store).iter().all(|&count| count == 1));
    // A quarter of a second each, says the venue.
    let left = (plan.total() - plan.cells.len() as u64) as f64;
    assert_eq!(done.status.work_seconds, Some(0.25 * left));
    let again = run(&plan, &mut store, &Casino, &session(2), Agenda::Sample, go_on).unwrap();
    assert_eq!(again.played, 0, "what is measured is measured");
}

#[test]
fn cells_are_played_until_their_intervals_are_narrow() {
    let plan = plan(DUELS, "smoke");
    let mut store = Store::open(&fresh("agenda_until")).unwrap();
    let agenda = Agenda::Open { until: Some(6.0) };
    run(&plan, &mut store, &Casino, &session(2), agenda, go_on).unwrap();
    let report = Report::new(&plan, &store, provenance()).unwrap();
    let widths: Vec<f64> =
        report.rows[0].cells.iter().map(|cell| cell.ours.unwrap().half_width()).collect();
    assert!(widths.iter().all(|&width| width <= 6.0), "{widths:?}");
    // Beyond the two games of the profile, and not far beyond what is needed.
    let counts = counts(&plan, &store);
    assert!(counts.iter().all(|count| (20..1000).contains(count) && count % 2 == 0), "{counts:?}");
    assert_eq!(report.done, report.total);
    assert!(widths.iter().any(|&width| width > 4.0), "{widths:?}");
}

#[test]
fn open_cells_are_played_first() {
    let plan = plan(&DUELS.replacen("runs = 2\n", "runs = 5000\n", 1), "smoke");
    let mut store = Store::open(&fresh("agenda_open")).unwrap();
    let agenda = Agenda::Open { until: None };
    run(&plan, &mut store, &Casino, &session(1), agenda, |status| {
        if status.done >= 150 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    let report = Report::new(&plan, &store, provenance()).unwrap();
    // 94 % against a published 12 % is decided at once, 66 % against 66 % is not.
    assert_eq!(report.rows[0].cells[1].verdict, Verdict::Differs);
    let [open, decided] = [0, 1].map(|at| report.rows[0].cells[at].runs);
    assert!(open > 3 * decided, "{open} {decided}");
}
