//! Plays every description of a corpus at random on all its levels and lists how that went.
//!
//! `corpus FOLDER [TICKS]`: the folder of descriptions and the ticks on each level (2,000). Prints a
//! Markdown table, one row per description.
#![allow(clippy::print_stdout, reason = "a tool for people")]

#[path = "../tests/all/support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use gamegrove_game::Rng;
use gamegrove_vgdl::rules::compile;
use gamegrove_vgdl::speed::Load;
use rayon::prelude::*;

/// The outcome for one description.
struct Row {
    folder: String,
    name: String,
    players: usize,
    levels: usize,
    ticks: usize,
    /// Names that no line defines, and the like: the framework drops a part of the file there.
    slips: Vec<String>,
    /// Statements that the engine cannot carry out.
    failures: Vec<String>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(corpus) = arguments.first().map(PathBuf::from) else {
        println!("usage: corpus FOLDER [TICKS]");
        return;
    };
    let ticks = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(2000);
    let rows: Vec<Row> =
        support::descriptions(&corpus).par_iter().map(|path| row(&corpus, path, ticks)).collect();
    println!("| folder | game | players | levels | ticks played | slips in the text | failures |");
    println!("|---|---|--:|--:|--:|---|---|");
    let cell = |list: &[String]| if list.is_empty() { "-".to_owned() } else { list.join("; ") };
    for row in &rows {
        let (slips, failures) = (cell(&row.slips), cell(&row.failures));
        println!(
            "| {} | {} | {} | {} | {} | {slips} | {failures} |",
            row.folder, row.name, row.players, row.levels, row.ticks
        );
    }
    let sum = |count: fn(&Row) -> usize| rows.iter().map(count).sum::<usize>();
    println!(
        "\n{} descriptions, {} levels, {} ticks; {} descriptions with slips, {} failures.",
        rows.len(),
        sum(|row| row.levels),
        sum(|row| row.ticks),
        rows.iter().filter(|row| !row.slips.is_empty()).count(),
        sum(|row| row.failures.len())
    );
}

fn row(corpus: &Path, path: &Path, ticks: usize) -> Row {
    let bytes = std::fs::read(path).expect("a description");
    let text = String::from_utf8_lossy(&bytes);
    let compiled = compile(&text);
    let slips = compiled.findings.iter().filter(|found| found.is_error());
    let levels = support::levels(path);
    let folder = path.parent().and_then(|parent| parent.strip_prefix(corpus).ok());
    let mut row = Row {
        folder: folder.map_or_else(String::new, |folder| folder.display().to_string()),
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        players: compiled.rules.players,
        levels: levels.len(),
        ticks: 0,
        slips: slips
            .map(|found| format!("line {}: {}", found.line_column(&text).0, found.message))
            .collect(),
        failures: Vec::new(),
    };
    let unused = compiled.findings.iter().filter(|found| found.code == "parameter-set");
    row.failures.extend(unused.map(|found| found.message.clone()));
    for (number, level) in levels.iter().enumerate() {
        match support::load(path, level) {
            Ok(world) => {
                let mut load = Load::new(world, Rng::new(number as u64));
                for _ in 0..ticks {
                    load.advance();
                    row.ticks += 1;
                }
                if load.take_overworked() {
                    row.failures.push(format!("level {number}: a tick was too much work"));
                }
            }
            Err(error) => row.failures.push(format!("level {number}: {error}")),
        }
    }
    row
}
