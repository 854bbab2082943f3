//! The experiments that come with Gamegrove: the files of `experiments/`, inside the program.

use std::path::Path;

use gamegrove_play::load::text_file;
use gamegrove_play::names::{did_you_mean, nearest};
use gamegrove_play::{Problem, Result};
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

/// The name and text of a shipped experiment or a file.
pub fn open_experiment(file: &str) -> Result<(String, String)> {
    if let Some(found) = shipped().into_iter().find(|found| found.name == file) {
        return Ok((found.name.to_owned(), found.text.to_owned()));
    }
    let path = Path::new(file);
    if path.extension().is_none() && !path.exists() {
        let known = shipped();
        let hint = did_you_mean(&nearest(file, known.iter().map(|found| found.name)));
        let help = "`grove experiments` lists what there is; a file's name ends in .toml";
        return Err(Problem::usage(
            format!("no experiment is called `{file}`"),
            hint.map_or(help.to_owned(), |hint| format!("{hint} {help}")),
        ));
    }
    let text = String::from_utf8(text_file(file)?)
        .map_err(|_| Problem::usage(format!("{file} is not text"), "choose another file"))?;
    let name = path.file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
    Ok((name.into_owned(), text))
}
