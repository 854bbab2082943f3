//! Match records in a file, one JSON object a line.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write as _};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::{Failure, Result};
use crate::target::unwritable;

/// Writes match records in the order of the matches, in whatever order they are played.
#[derive(Debug)]
pub struct Recorder<R> {
    file: BufWriter<File>,
    path: String,
    next: usize,
    /// Matches that the file has from an earlier run.
    there: BTreeSet<usize>,
    waiting: BTreeMap<usize, R>,
}

impl<R: Serialize> Recorder<R> {
    /// Starts a file anew.
    pub fn create(path: &str) -> Result<Recorder<R>> {
        let file = File::create(path).map_err(|error| unwritable(path, &error))?;
        Ok(Recorder::over(file, path, BTreeSet::new()))
    }

    /// Appends to a file that has the matches `there`.
    pub fn append(path: &str, there: BTreeSet<usize>) -> Result<Recorder<R>> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.map_err(|error| unwritable(path, &error))?;
        Ok(Recorder::over(file, path, there))
    }

    fn over(file: File, path: &str, there: BTreeSet<usize>) -> Recorder<R> {
        let (file, path) = (BufWriter::new(file), path.to_owned());
        Recorder { file, path, next: 0, there, waiting: BTreeMap::new() }
    }

    /// Adds the record of the match number `run`.
    pub fn add(&mut self, run: usize, record: R) -> Result<()> {
        self.waiting.insert(run, record);
        loop {
            if let Some(record) = self.waiting.remove(&self.next) {
                self.write(&record)?;
            } else if !self.there.remove(&self.next) {
                return Ok(());
            }
            self.next += 1;
        }
    }

    /// Writes what still waits for an earlier match, which will not be played.
    pub fn finish(mut self) -> Result<()> {
        for record in std::mem::take(&mut self.waiting).into_values() {
            self.write(&record)?;
        }
        Ok(())
    }

    fn write(&mut self, record: &R) -> Result<()> {
        let written = serde_json::to_writer(&mut self.file, record)
            .map_err(io::Error::from)
            .and_then(|()| writeln!(self.file))
            .and_then(|()| self.file.flush());
        written.map_err(|error| unwritable(&self.path, &error))
    }
}

/// The records of a file, with the numbers of their lines. A last line without its end, which a killed
/// process left, is cut off. No file has no records.
pub fn recover<R: DeserializeOwned>(path: &str) -> Result<Vec<(usize, R)>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unwritable(path, &error)),
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    if whole < text.len() {
        let file = OpenOptions::new().write(true).open(path);
        let cut = file.and_then(|file| file.set_len(whole as u64));
        cut.map_err(|error| unwritable(path, &error))?;
    }
    let lines = text[..whole].lines().enumerate();
    let records = lines.map(|(at, line)| {
        let record = serde_json::from_str(line).map_err(|error| {
            Failure::usage(
                format!("{path}, line {}: no record of a match: {error}", at + 1),
                "name another file with --record",
            )
        })?;
        Ok((at + 1, record))
    });
    records.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_interrupted_run_wrote_is_continued() {
        let path = std::env::temp_dir().join(format!("grove-recorder-{}", std::process::id()));
        let path = path.to_str().expect("a path of letters");
        let mut recorder = Recorder::create(path).expect("it can be written");
        [0, 2, 3].into_iter().for_each(|run| recorder.add(run, run).expect("it is written"));
        recorder.finish().expect("it is written");
        // A killed process wrote half of a line.
        let mut file = OpenOptions::new().append(true).open(path).expect("it is there");
        write!(file, "1").expect("it is written");
        let found: Vec<(usize, usize)> = recover(path).expect("it can be read");
        assert_eq!(found, [(1, 0), (2, 2), (3, 3)]);
        let there = found.into_iter().map(|(_, run)| run).collect();
        let mut recorder = Recorder::append(path, there).expect("it can be written");
        [5, 4, 1].into_iter().for_each(|run| recorder.add(run, run).expect("it is written"));
        assert_eq!(std::fs::read_to_string(path).expect("it is there"), "0\n2\n3\n1\n4\n5\n");
        std::fs::remove_file(path).expect("it was made here");
    }
}
