//! From what the user calls a game to its rules.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use gamegrove_gdl::{MAX_BYTES, Reading, Rulesheet};

use crate::failure::{Failure, Result};
use crate::library::{self, Kind};
use crate::names::did_you_mean;
use crate::text::printable;

/// The text of a game and where it came from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The shipped game's name, or the path as given.
    pub name: String,
    /// Its language.
    pub kind: Kind,
    /// Its rules as they stand.
    pub text: Cow<'static, [u8]>,
}

impl Source {
    /// Opens a shipped game, a file, or standard input for `-`.
    pub fn open(game: &str) -> Result<Source> {
        if let Some(shipped) = library::find(game) {
            return Ok(Source {
                name: shipped.name.to_owned(),
                kind: shipped.kind,
                text: Cow::Borrowed(shipped.text.as_bytes()),
            });
        }
        let text = if game == "-" { bounded(io::stdin(), "standard input")? } else { file(game)? };
        Ok(Source { name: printable(game), kind: Kind::Gdl, text: Cow::Owned(text) })
    }

    /// The rules, if they have no errors.
    pub fn rulesheet(&self, reading: Reading) -> Result<Rulesheet> {
        Rulesheet::load_as(&self.text, reading)
            .map_err(|found| Failure::Rules { game: Box::new(self.clone()), found })
    }
}

fn file(game: &str) -> Result<Vec<u8>> {
    let path = Path::new(game);
    let name = printable(game);
    let problem = |error: &io::Error| match error.kind() {
        io::ErrorKind::NotFound => not_found(game),
        io::ErrorKind::PermissionDenied => {
            Failure::usage(format!("{name} may not be read"), "check the file's permissions")
        }
        _ => Failure::usage(format!("{name} could not be read: {error}"), ""),
    };
    let about = std::fs::metadata(path).map_err(|error| problem(&error))?;
    if about.is_dir() {
        return Err(Failure::usage(
            format!("{name} is a directory, not a rulesheet"),
            format!("name the files in it, for example {}", path.join("*.kif").display()),
        ));
    }
    if about.len() > MAX_BYTES as u64 {
        return Err(too_large(&name));
    }
    let file = File::open(path).map_err(|error| problem(&error))?;
    bounded(file, &name)
}

/// Reads no more than a rulesheet may have; pipes and devices do not tell their size.
fn bounded(from: impl Read, name: &str) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    from.take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut text)
        .map_err(|error| Failure::usage(format!("{name} could not be read: {error}"), ""))?;
    if text.len() > MAX_BYTES { Err(too_large(name)) } else { Ok(text) }
}

fn too_large(name: &str) -> Failure {
    Failure::usage(
        format!("{name} is too large: rulesheets have at most {} MiB", MAX_BYTES >> 20),
        "is it really a rulesheet?",
    )
}

fn not_found(game: &str) -> Failure {
    let name = printable(game);
    let looks_like_path = game.contains(['/', '\\', '.']);
    let stem = Path::new(game).file_stem().and_then(|stem| stem.to_str()).unwrap_or(game);
    let near = library::similar(stem);
    let suggestion = did_you_mean(&near);
    if looks_like_path {
        let shipped = suggestion.map(|text| format!("; for a shipped game, {text}"));
        let help = format!("check the path{}", shipped.unwrap_or_default());
        Failure::usage(format!("there is no file {name}"), help)
    } else {
        let help = suggestion.unwrap_or_else(|| {
            "`grove games` lists the shipped games; a path to a rulesheet works too".to_owned()
        });
        Failure::usage(format!("there is no game called {name}, and no file either"), help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(game: &str) -> (String, String) {
        match Source::open(game) {
            Ok(source) => panic!("{game} opened as {}", source.name),
            Err(failure) => {
                assert_eq!(failure.exit_code(), 2);
                (failure.to_string(), failure.help().to_owned())
            }
        }
    }

    #[test]
    fn shipped_games_and_files_open() {
        assert_eq!(Source::open("Tic-Tac-Toe").expect("a shipped game").name, "tic_tac_toe");
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/gdl/tron.kif");
        let file = Source::open(path).expect("a file");
        let shipped = Source::open("tron").expect("a shipped game");
        assert_eq!(file.text, shipped.text);
    }

    #[test]
    fn what_cannot_be_opened_is_said_in_plain_words() {
        let (message, help) = problem("tictactoe");
        assert_eq!(message, "there is no game called tictactoe, and no file either");
        assert_eq!(help, "did you mean tic_tac_toe?");
        let (message, help) = problem("no/such/ches.kif");
        assert_eq!(message, "there is no file no/such/ches.kif");
        assert_eq!(help, "check the path; for a shipped game, did you mean chess?");
        assert!(problem(env!("CARGO_MANIFEST_DIR")).0.ends_with("is a directory, not a rulesheet"));
        assert!(problem("zzz").1.contains("grove games"));
        assert!(problem("").0.contains("no game"));
        assert!(problem("a\0b").0.contains("could not be read"));
    }

    #[test]
    fn endless_input_is_refused() {
        assert!(bounded(io::repeat(b'('), "x").is_err());
    }
}
