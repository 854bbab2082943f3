//! Every recorded run of the public framework, tick by tick.

use crate::support;

use rayon::prelude::*;

/// Replays all records of a part; panics with the list of those that differ.
fn check(part: &str, count: usize) {
    let Some(records) = gamegrove_testdata::shared(&format!("conformance/vgdl/{part}")) else {
        return;
    };
    let corpus = gamegrove_testdata::shared("corpus/vgdl").expect("the corpus beside the records");
    let results: Vec<(String, Result<(), String>)> =
        gamegrove_testdata::files_below(&records, "gz")
            .par_iter()
            .flat_map_iter(|path| support::read_records(path))
            .map(|record| (record.label(), support::replay(&corpus, &record)))
            .collect();
    let differing: Vec<String> = results
        .iter()
        .filter_map(|(label, result)| result.as_ref().err().map(|e| format!("{label}: {e}")))
        .collect();
    assert!(
        differing.is_empty(),
        "{} of {} records differ:\n{}",
        differing.len(),
        results.len(),
        differing.join("\n")
    );
    assert_eq!(results.len(), count, "records of {part}");
}

#[test]
fn rules_one_by_one_are_equal() {
    check("micro", 117);
}

#[test]
fn deterministic_runs_are_equal() {
    check("det", 2288);
}

#[test]
fn seeded_runs_are_equal() {
    check("seeded", 1156);
}
