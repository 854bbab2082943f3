//! Where tests find the shared test data: real rulesheets and what independent systems said.
//!
//! The data lies in the folder `shared` beside the checkout, or where the variable
//! `GAMEGROVE_SHARED` points. It is not part of the project, so a machine may lack it: tests that
//! need it are skipped, except in continuous integration (`CI` is set), where they fail.

mod trace;

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub use trace::{Record, read_trace, read_xml_trace, replay};

/// The path of `part` in the shared data, or `None` on a machine without it.
///
/// # Panics
/// When the data is missing although `CI` is set.
pub fn shared(part: &str) -> Option<PathBuf> {
    let root = std::env::var_os("GAMEGROVE_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join(part);
    if path.exists() {
        return Some(path);
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "shared test data is missing: {} (set GAMEGROVE_SHARED to its folder)",
        path.display()
    );
    skip("tests on shared data, which is missing");
    None
}

/// Passes on whether a tool was found. A missing tool skips the tests that need it; in continuous integration they
/// fail.
///
/// # Panics
/// When the tool is missing although `CI` is set.
pub fn has_tool(found: bool, name: &str, debian_package: &str) -> bool {
    assert!(
        found || std::env::var_os("CI").is_none(),
        "{name} is missing; install it (Debian: {debian_package})"
    );
    if !found {
        skip(&format!("tests that need {name}, which is missing (Debian: {debian_package})"));
    }
    found
}

/// Notes that a test, or a part of it, is skipped: on standard error, and in the file that `GAMEGROVE_SKIPPED`
/// names, from which `test.sh` counts.
pub fn skip(reason: &str) {
    #[expect(clippy::print_stderr, reason = "a skipped test must say so")]
    {
        eprintln!("skipped: {reason}");
    }
    let Some(path) = std::env::var_os("GAMEGROVE_SKIPPED") else { return };
    if let Ok(mut file) = OpenOptions::new().append(true).create(true).open(path) {
        // One write a line, so that lines of tests in parallel do not mix. A count that is lost does no harm.
        let _ = file.write_all(format!("{reason}\n").as_bytes());
    }
}

/// All files below `dir` whose name ends in `.extension`, sorted by path.
pub fn files_below(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_path_buf()];
    while let Some(dir) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&dir) else { continue };
        for path in entries.filter_map(|entry| entry.ok().map(|e| e.path())) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
