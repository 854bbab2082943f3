//! The extension is built with everything else, and an interpreter would find its way in. What it does is
//! tried from Python (`python/test.sh`), with the library that building this test leaves behind.

use std::path::{Path, PathBuf};

/// Where cargo put the extension: beside this test, or one folder up.
fn built() -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let name =
        format!("{}_gamegrove{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let folders = test.ancestors().skip(1).take(2);
    folders.map(|folder: &Path| folder.join(&name)).find(|path| path.is_file())
}

#[test]
fn the_extension_has_the_function_that_interpreters_call() {
    let path = built().expect("cargo builds the library of a package before its tests");
    let library = std::fs::read(&path).expect("a file that can be read");
    let name = b"PyInit__gamegrove";
    assert!(library.windows(name.len()).any(|window| window == name), "{}", path.display());
}
