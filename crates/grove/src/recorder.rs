//! Match records in a file, one JSON object a line.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};

use serde::Serialize;

use crate::failure::Result;
use crate::target::unwritable;

/// Writes match records in the order of the matches, in whatever order they are played.
#[derive(Debug)]
pub struct Recorder<R> {
    file: BufWriter<File>,
    path: String,
    next: usize,
    waiting: BTreeMap<usize, R>,
}

impl<R: Serialize> Recorder<R> {
    /// Starts a file anew.
    pub fn create(path: &str) -> Result<Recorder<R>> {
        let file = File::create(path).map_err(|error| unwritable(path, &error))?;
        let file = BufWriter::new(file);
        Ok(Recorder { file, path: path.to_owned(), next: 0, waiting: BTreeMap::new() })
    }

    /// Adds the record of the match number `run`.
    pub fn add(&mut self, run: usize, record: R) -> Result<()> {
        self.waiting.insert(run, record);
        while let Some(record) = self.waiting.remove(&self.next) {
            let written = serde_json::to_writer(&mut self.file, &record)
                .map_err(io::Error::from)
                .and_then(|()| writeln!(self.file))
                .and_then(|()| self.file.flush());
            written.map_err(|error| unwritable(&self.path, &error))?;
            self.next += 1;
        }
        Ok(())
    }
}
