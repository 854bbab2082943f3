//! Programs that others wrote: found, run within a time, and heard when they complain.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use thiserror::Error;

/// The reason why a tool gave no result.
#[derive(Debug, Error)]
pub enum ToolError {
    /// It is not installed.
    #[error("{tool} is not installed; {how}")]
    Missing {
        /// Its name.
        tool: &'static str,
        /// How to get it.
        how: &'static str,
    },
    /// It failed.
    #[error("{tool} failed ({status}); the end of {}:\n{end}", log.display())]
    Failed {
        /// Its name.
        tool: String,
        /// How.
        status: String,
        /// Its output.
        end: String,
        /// Where all of it is.
        log: PathBuf,
    },
    /// It took too long.
    #[error("{tool} was stopped after {} s; give it more time, or take a smaller game", after.as_secs())]
    TooLong {
        /// Its name.
        tool: String,
        /// After which time.
        after: Duration,
    },
    /// Its result is not as expected.
    #[error("{tool} gave a result that cannot be read: {what}")]
    Unreadable {
        /// Its name.
        tool: &'static str,
        /// The problem.
        what: String,
    },
    /// A file could not be written or read.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
}

/// Writes a file.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), ToolError> {
    fs::write(path, text).map_err(|error| ToolError::File { path: path.to_owned(), error })
}

/// Reads a file.
pub(crate) fn read(path: &Path) -> Result<String, ToolError> {
    fs::read_to_string(path).map_err(|error| ToolError::File { path: path.to_owned(), error })
}

/// The first of these programs that is there.
pub(crate) fn find(names: &[&'static str]) -> Option<&'static str> {
    let runs = |name: &&&str| {
        let found = Command::new(name).arg("--version").stdin(Stdio::null()).output();
        found.is_ok_and(|output| output.status.success())
    };
    names.iter().find(runs).copied()
}

/// Runs a program in a folder; what it says goes to a log there.
pub(crate) fn run(
    program: &str,
    args: &[&str],
    folder: &Path,
    limit: Duration,
) -> Result<Duration, ToolError> {
    let log = folder.join(format!("{program}.log"));
    let file = |error| ToolError::File { path: log.clone(), error };
    let out = File::create(&log).map_err(file)?;
    let errors = out.try_clone().map_err(file)?;
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).stdin(Stdio::null()).stdout(out).stderr(errors);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let start = Instant::now();
    let mut child =
        command.spawn().map_err(|error| ToolError::File { path: PathBuf::from(program), error })?;
    loop {
        match child.try_wait().map_err(file)? {
            Some(status) if status.success() => return Ok(start.elapsed()),
            Some(status) => {
                let all = fs::read(&log).map_err(file)?;
                let end = String::from_utf8_lossy(&all[all.len().saturating_sub(2000)..]);
                let (tool, status) = (program.to_owned(), status.to_string());
                return Err(ToolError::Failed { tool, status, end: end.into_owned(), log });
            }
            None if start.elapsed() > limit => {
                // What it started itself belongs to its group and ends with it.
                #[cfg(unix)]
                let _ = Command::new("kill")
                    .args(["-KILL", "--", &format!("-{}", child.id())])
                    .status();
                let _ = child.kill();
                let _ = child.wait();
                return Err(ToolError::TooLong { tool: program.to_owned(), after: limit });
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}
