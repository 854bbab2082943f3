//! A file that a command will write when its work is done. Whether it can be written is found out
//! before, so that a bad name costs no work.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};

/// Such a file. What it holds stays until there is something new.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
}

impl Target {
    /// Makes the folder that the file is to be in, and sees whether it can be written there.
    pub fn open(path: impl AsRef<Path>) -> Result<Target> {
        let path = path.as_ref();
        probe(path).map_err(|error| unwritable(path, &error))?;
        Ok(Target { path: path.to_owned() })
    }

    /// The name of the file.
    pub fn path(&self) -> std::path::Display<'_> {
        self.path.display()
    }

    /// Replaces what it holds.
    pub fn write(self, text: &str) -> Result<()> {
        std::fs::write(&self.path, text).map_err(|error| unwritable(&self.path, &error))
    }
}

fn probe(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => OpenOptions::new().append(true).open(path).map(|_| ()),
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        // Opening a pipe would wait for its reader, and a link may lead anywhere.
        Ok(_) => Ok(()),
        Err(_) => {
            OpenOptions::new().write(true).create_new(true).open(path)?;
            std::fs::remove_file(path)
        }
    }
}

/// The file cannot be written.
pub fn unwritable(path: impl AsRef<Path>, error: &io::Error) -> Failure {
    Failure::usage(format!("{}: {error}", path.as_ref().display()), "choose another file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_left_alone_until_it_is_written() {
        let folder = std::env::temp_dir().join(format!("grove-target-{}", std::process::id()));
        let path = folder.join("below/file.txt");
        drop(Target::open(&path).expect("it can be written"));
        assert!(!path.exists(), "nothing was written");
        std::fs::write(&path, "something long").expect("the folder is there");
        let target = Target::open(&path).expect("it can be written");
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "something long");
        target.write("short").expect("it can be written");
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "short");
        assert!(Target::open(&folder).is_err(), "a folder is no file");
        assert!(Target::open(path.join("file.txt")).is_err(), "a file is no folder");
        std::fs::remove_dir_all(folder).expect("it was made here");
    }
}
