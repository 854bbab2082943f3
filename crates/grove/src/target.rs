//! A file that a command will write when its work is done. It is opened before, so that a file that
//! cannot be written costs no work.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};

/// Such a file. What it holds stays until there is something new; a new file that gets nothing is
/// taken away again.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    file: File,
    is_new: bool,
}

impl Target {
    /// Opens the file; makes the folder it is to be in.
    pub fn open(path: impl AsRef<Path>) -> Result<Target> {
        let path = path.as_ref();
        let open = || {
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                std::fs::create_dir_all(folder)?;
            }
            // No truncation: it has something to lose.
            OpenOptions::new().write(true).create(true).truncate(false).open(path)
        };
        let is_new = !path.exists();
        let file = open().map_err(|error| unwritable(path, &error))?;
        Ok(Target { path: path.to_owned(), file, is_new })
    }

    /// The name of the file.
    pub fn path(&self) -> std::path::Display<'_> {
        self.path.display()
    }

    /// Replaces what it holds.
    pub fn write(mut self, text: &str) -> Result<()> {
        self.is_new = false;
        // Pipes and devices have no length.
        let _ = self.file.set_len(0);
        self.file.write_all(text.as_bytes()).map_err(|error| unwritable(&self.path, &error))
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if self.is_new {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// The file cannot be written.
pub fn unwritable(path: impl AsRef<Path>, error: &io::Error) -> Failure {
    Failure::usage(format!("{}: {error}", path.as_ref().display()), "choose another file")
}
