//! `grove experiment chunks`, `run-chunk` and `merge`: experiments on many machines.

use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use gamegrove_lab::chunk::{Chunk, ChunkError, chunks, merge as merge_rows, play as play_chunk};
use gamegrove_lab::{Row, venue};
use gamegrove_play::load::text_file;
use gamegrove_play::units::plural;
use serde::Serialize;

use super::experiment::{ledger_at, open_store, plan};
use crate::cli::ExperimentChoice;
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;

#[derive(Debug, Serialize)]
struct Written {
    plan: String,
    chunks: Vec<String>,
}

/// Writes the chunks of an experiment, one JSON file each.
pub fn write(choice: &ExperimentChoice, size: u32, folder: &Path, out: &mut Output) -> Result {
    let plan = plan(choice)?;
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let mut written = Written { plan: plan.hash.clone(), chunks: Vec::new() };
    for chunk in chunks(&plan, size) {
        // Numbered from 1 with leading zeros: array jobs count from 1, and names sort as numbers do.
        let width = chunk.of.to_string().len();
        let path = folder.join(format!("{}-{:0width$}.json", plan.name, chunk.number + 1));
        let text = serde_json::to_string(&chunk).map_err(std::io::Error::from)?;
        std::fs::write(&path, text + "\n").map_err(|error| unwritable(&path, &error))?;
        written.chunks.push(path.display().to_string());
    }
    let count = plural(written.chunks.len(), "chunk");
    out.line(format!("{count} of up to {size} games in {}", folder.display()))?;
    if out.is_json() {
        out.value(&written)?;
    }
    Ok(Outcome::Fine)
}

/// Plays a chunk and writes its rows.
pub fn play(choice: &ExperimentChoice, chunk: &str, output: &Path, out: &mut Output) -> Result {
    let plan = plan(choice)?;
    let text = text_file(chunk)?;
    let read: Chunk = serde_json::from_slice(&text)
        .map_err(|error| Failure::usage(format!("{chunk} is no chunk: {error}"), CHUNK_HELP))?;
    // Under another name until it is whole: half a file would look like a finished chunk.
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = output.with_file_name(name);
    let file = std::fs::File::create(&part).map_err(|error| unwritable(&part, &error))?;
    let mut file = BufWriter::new(file);
    let mut count = 0;
    let venue = venue(choice.games.as_deref());
    play_chunk(&plan, &read, &*venue, |row| -> std::result::Result<(), Stopped> {
        serde_json::to_writer(&mut file, &row).map_err(std::io::Error::from)?;
        writeln!(file)?;
        count += 1;
        Ok(())
    })
    .map_err(|stopped| match stopped {
        Stopped::Chunk(error) => Failure::usage(format!("{chunk}: {error}"), CHUNK_HELP),
        Stopped::Output(error) => unwritable(&part, &error),
    })?;
    let finished = file.into_inner().map_err(std::io::IntoInnerError::into_error);
    let finished = finished.and_then(|file| file.sync_all());
    finished
        .and_then(|()| std::fs::rename(&part, output))
        .map_err(|error| unwritable(output, &error))?;
    out.line(format!("{} in {}", plural(count, "game"), output.display()))?;
    if out.is_json() {
        out.value(&serde_json::json!({ "games": count, "rows": output.display().to_string() }))?;
    }
    Ok(Outcome::Fine)
}

/// Merges rows into the store of an experiment.
pub fn merge(choice: &ExperimentChoice, files: &[PathBuf], out: &mut Output) -> Result {
    let plan = plan(choice)?;
    let mut store = open_store(choice, &plan)?;
    let (mut new, mut read) = (0, 0);
    for path in files {
        let name = path.display().to_string();
        if path.extension().is_some_and(|extension| extension == "ledger") {
            let ledger = ledger_at(path)?;
            read += ledger.games();
            new += ledger
                .keep(&plan, &mut store)
                .map_err(|error| Failure::usage(format!("{name}: {error}"), CHUNK_HELP))?;
            continue;
        }
        let rows = rows_of(path).map_err(|error| Failure::usage(error, CHUNK_HELP))?;
        read += rows.len();
        new += merge_rows(&plan, &mut store, &rows)
            .map_err(|error| Failure::usage(format!("{name}: {error}"), CHUNK_HELP))?;
    }
    out.line(format!("{} read, {new} of them new", plural(read, "game")))?;
    if out.is_json() {
        out.value(&serde_json::json!({ "read": read, "new": new }))?;
    }
    Ok(Outcome::Fine)
}

/// The most bytes of a file with rows, and of one row.
const MOST_ROWS: u64 = 256 << 20;
const LONGEST_ROW: u64 = 1 << 20;

/// The rows in a file, or what is wrong with it.
fn rows_of(path: &Path) -> std::result::Result<Vec<Row>, String> {
    let name = path.display();
    let file = std::fs::File::open(path).map_err(|error| format!("{name}: {error}"))?;
    let mut file = BufReader::new(file.take(MOST_ROWS + 1));
    let (mut rows, mut line, mut bytes) = (Vec::new(), Vec::new(), 0);
    loop {
        let place = format!("{name}, line {}", rows.len() + 1);
        line.clear();
        let read = file.by_ref().take(LONGEST_ROW + 1).read_until(b'\n', &mut line);
        let read = read.map_err(|error| format!("{place}: {error}"))? as u64;
        bytes += read;
        if read == 0 {
            return Ok(rows);
        }
        if read > LONGEST_ROW {
            return Err(format!("{place}: a row has at most {LONGEST_ROW} bytes"));
        }
        if bytes > MOST_ROWS {
            return Err(format!("{name}: at most {} MiB are merged at a time", MOST_ROWS >> 20));
        }
        rows.push(serde_json::from_slice(&line).map_err(|error| format!("{place}: {error}"))?);
    }
}

const CHUNK_HELP: &str = "`grove help experiment` shows how chunks are made, played and merged";

enum Stopped {
    Chunk(ChunkError),
    Output(std::io::Error),
}

impl From<ChunkError> for Stopped {
    fn from(error: ChunkError) -> Stopped {
        Stopped::Chunk(error)
    }
}

impl From<std::io::Error> for Stopped {
    fn from(error: std::io::Error) -> Stopped {
        Stopped::Output(error)
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::usage(format!("{}: {error}", path.display()), "choose another place with --output")
}
