//! Replays recorded runs of the public framework and lists where the engine differs.
//!
//! `replay RECORDS CORPUS [NAME]`: a folder of compressed records, the folder of descriptions, and
//! a part of a record's name to look at.
#![allow(clippy::print_stdout, reason = "a tool for people")]

#[path = "../tests/all/support/mod.rs"]
mod support;

use std::path::Path;

use rayon::prelude::*;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [records, corpus, rest @ ..] = arguments.as_slice() else {
        println!("usage: replay RECORDS CORPUS [NAME]");
        return;
    };
    let corpus = Path::new(corpus);
    let mut paths: Vec<_> = std::fs::read_dir(records)
        .expect("a folder of records")
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| rest.iter().all(|part| path.to_string_lossy().contains(part.as_str())))
        .collect();
    paths.sort();
    let results: Vec<_> = paths
        .par_iter()
        .flat_map_iter(|path| support::read_records(path))
        .map(|record| (record.label(), support::replay(corpus, &record)))
        .collect();
    let equal = results.iter().filter(|(_, result)| result.is_ok()).count();
    for (label, result) in &results {
        if let Err(difference) = result {
            println!("{label}: {difference}");
        }
    }
    println!("{equal} of {} records equal", results.len());
}
