//! The experiments that come with Gamegrove: the files of `experiments/`, inside the program.

use include_dir::{Dir, include_dir};

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../experiments");

/// A shipped experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// Its name: the file without the extension.
    pub name: &'static str,
    /// The file's text.
    pub text: &'static str,
}

/// All shipped experiments, sorted by name.
pub fn shipped() -> Vec<Shipped> {
    let mut found: Vec<Shipped> = FILES
        .files()
        .filter(|file| file.path().extension().is_some_and(|extension| extension == "toml"))
        .filter_map(|file| {
            let name = file.path().file_stem().and_then(|stem| stem.to_str())?;
            Some(Shipped { name, text: file.contents_utf8()? })
        })
        .collect();
    found.sort_by_key(|shipped| shipped.name);
    found
}
