//! From what the user calls a game to its rules.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use gamegrove_gdl::{MAX_BYTES, Reading, Rulesheet};

use crate::library::{self, Kind};
use crate::metadata::Metadata;
use crate::names::did_you_mean;
use crate::native;
use crate::notice::Notice;
use crate::problem::{Problem, Result};
use crate::text::{SourceText, printable};

/// The text of a game and where it came from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The levels of a shipped or pasted video game.
    own_levels: Option<Vec<Cow<'static, str>>>,
    /// The rules were given as text, not as a name or path.
    pasted: bool,
    /// The file, if it is one.
    path: Option<PathBuf>,
    /// What the name says in parentheses, for games with settings.
    settings: String,
    /// The shipped game's name, or the path as given.
    pub name: String,
    /// Its language.
    pub kind: Kind,
    /// Its rules as they stand.
    pub text: Cow<'static, [u8]>,
}

impl Source {
    /// Opens a shipped game, a file, or standard input for `-`; the language is found out.
    pub fn open(game: &str) -> Result<Source> {
        Source::open_as(game, None)
    }

    /// Opens a game whose language is `kind`, if it is given.
    pub fn open_as(game: &str, kind: Option<Kind>) -> Result<Source> {
        if let Some((native, settings)) = native::find(game) {
            let name = match settings {
                "" => native.name.to_owned(),
                _ => format!("{}({})", native.name, printable(settings)),
            };
            return Ok(Source {
                path: None,
                settings: settings.to_owned(),
                own_levels: None,
                pasted: false,
                name,
                kind: Kind::Native,
                text: Cow::Borrowed(native.text.as_bytes()),
            });
        }
        if let Some(shipped) = library::find(game) {
            return Ok(Source {
                path: None,
                settings: String::new(),
                own_levels: (shipped.kind == Kind::Vgdl)
                    .then(|| shipped.levels.into_iter().map(Cow::Borrowed).collect()),
                pasted: false,
                name: shipped.name.to_owned(),
                kind: shipped.kind,
                text: Cow::Borrowed(shipped.text.as_bytes()),
            });
        }
        let path = (game != "-").then(|| {
            // A folder like those of the shipped video games stands for the rules in it.
            let rules = Path::new(game).join("rules.vgdl");
            if rules.is_file() { rules } else { PathBuf::from(game) }
        });
        let text = match &path {
            Some(path) => read(path, game)?,
            None => bounded(io::stdin(), "standard input")?,
        };
        Ok(Source {
            settings: String::new(),
            own_levels: None,
            pasted: false,
            kind: kind.unwrap_or_else(|| language(path.as_deref(), &text)),
            name: printable(game),
            text: Cow::Owned(text),
            path,
        })
    }

    /// A game whose rules are given as text, with the levels of a video game. The language is
    /// recognised unless it is given.
    pub fn pasted(
        name: &str,
        text: String,
        levels: Vec<String>,
        kind: Option<Kind>,
    ) -> Result<Source> {
        let name = printable(name);
        if text.len() > MAX_BYTES || levels.iter().any(|level| level.len() > MAX_BYTES) {
            return Err(too_large(&name));
        }
        let kind = kind.unwrap_or_else(|| language(None, text.as_bytes()));
        let levels: Vec<Cow<'static, str>> = levels.into_iter().map(Cow::Owned).collect();
        Ok(Source {
            own_levels: (kind == Kind::Vgdl).then_some(levels),
            pasted: true,
            path: None,
            settings: String::new(),
            name,
            kind,
            text: Cow::Owned(text.into_bytes()),
        })
    }

    /// What is known about a shipped board game beside its rules.
    pub fn metadata(&self) -> Result<Option<Metadata>> {
        let shipped = library::find(&self.name).filter(|game| {
            self.path.is_none() && game.kind == Kind::Gdl && game.text.as_bytes() == &*self.text
        });
        let read = |game: library::Shipped| {
            game.metadata().map_err(|wrong| {
                Problem::broken(
                    format!("{}.toml: {wrong}", game.name),
                    "correct the file and build again",
                )
            })
        };
        shipped.map(read).transpose()
    }

    /// The text of the file beside the rules that says more about the game: `chess.toml` beside
    /// `chess.kif`. Nothing if there is none.
    pub fn metadata_text(&self) -> Result<Option<String>> {
        if self.is_shipped() {
            return Ok(library::metadata(&self.name).map(str::to_owned));
        }
        let path = self.path.as_ref().map(|path| path.with_extension("toml"));
        let Some(path) = path.filter(|path| path.is_file()) else { return Ok(None) };
        let name = path.to_string_lossy();
        Ok(Some(String::from_utf8_lossy(&read(&path, &name)?).into_owned()))
    }

    /// Whether it comes with Gamegrove.
    pub fn is_shipped(&self) -> bool {
        let known = native::find(&self.name).is_some() || library::find(&self.name).is_some();
        known && self.path.is_none() && !self.pasted
    }

    /// What the name says in parentheses.
    pub fn settings(&self) -> &str {
        &self.settings
    }

    /// The same text taken for another language.
    pub fn read_as(self, kind: Kind) -> Source {
        Source { kind, ..self }
    }

    /// The numbers of the levels that belong to this video game.
    pub fn level_numbers(&self) -> Vec<usize> {
        match (&self.own_levels, &self.path) {
            (Some(levels), _) => (0..levels.len()).collect(),
            (None, Some(path)) => {
                (0..MOST_LEVELS).filter(|&number| level_path(path, number).is_some()).collect()
            }
            (None, None) => Vec::new(),
        }
    }

    /// Opens a level of this video game.
    pub fn level(&self, choice: &LevelChoice) -> Result<Level> {
        let number = match choice {
            LevelChoice::Path(path) => {
                // A text that is not a path either was meant as a number.
                if !Path::new(path).exists() && !looks_like_path(path) {
                    return Err(self.no_level(&printable(path), 0));
                }
                let text = Cow::Owned(read(Path::new(path), path)?);
                return Ok(Level { name: printable(path), number: number_in(path), text });
            }
            LevelChoice::Number(number) => *number,
        };
        if let Some(levels) = &self.own_levels
            && let Some(level) = levels.get(number)
        {
            let name = format!("{} level {number}", self.name);
            let text = match level {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.clone().into_bytes()),
            };
            return Ok(Level { name, number: Some(number), text });
        }
        if let Some(path) = self.path.as_ref().and_then(|path| level_path(path, number)) {
            let name = path.to_string_lossy();
            let text = Cow::Owned(read(&path, &name)?);
            return Ok(Level { name: printable(&name), number: Some(number), text });
        }
        Err(self.no_level(&number.to_string(), number))
    }

    /// There is no level called that; `number` is one that could be added.
    fn no_level(&self, called: &str, number: usize) -> Problem {
        let numbers = self.level_numbers();
        let help = match (numbers.first(), numbers.last()) {
            (Some(first), Some(last)) if first < last => {
                format!("there are levels {first} to {last}")
            }
            (Some(only), _) => format!("there is level {only}"),
            _ => match &self.path {
                Some(path) => {
                    let names = level_names(path, number).join(" or ");
                    format!("put it beside the rules as {names}, or name its file with --level")
                }
                None => "name its file with --level".to_owned(),
            },
        };
        Problem::usage(format!("{} has no level {called}", self.name), help)
    }

    /// The rules, if they have no errors.
    pub fn rulesheet(&self, reading: Reading) -> Result<Rulesheet> {
        Rulesheet::load_as(&self.text, reading).map_err(|found| Problem::Rules {
            game: self.name.clone(),
            text: Box::new(SourceText::new(&self.name, &self.text)),
            found: Notice::all(found),
        })
    }
}

/// The most levels looked for beside a description.
const MOST_LEVELS: usize = 100;

/// Which level of a video game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelChoice {
    /// One of its own, counted from 0.
    Number(usize),
    /// A file.
    Path(String),
}

impl FromStr for LevelChoice {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> std::result::Result<LevelChoice, Self::Err> {
        let number = text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
        Ok(number.map_or_else(|| LevelChoice::Path(text.to_owned()), LevelChoice::Number))
    }
}

/// The text of a level and where it came from.
#[derive(Clone, Debug)]
pub struct Level {
    /// For people.
    pub name: String,
    /// Its number, if it has one.
    pub number: Option<usize>,
    /// The level as it stands.
    pub text: Cow<'static, [u8]>,
}

/// How the files of levels are called: beside a description by its name, as the public framework
/// does, and in a folder of its own.
fn level_names(rules: &Path, number: usize) -> [String; 2] {
    let stem = rules.file_stem().unwrap_or_default().to_string_lossy();
    [format!("{stem}_lvl{number}.txt"), format!("level{number}.txt")]
}

fn level_path(rules: &Path, number: usize) -> Option<PathBuf> {
    let names = level_names(rules, number).into_iter();
    names.map(|name| rules.with_file_name(name)).find(|path| path.is_file())
}

/// The number at the end of a level's file name.
fn number_in(path: &str) -> Option<usize> {
    let stem = Path::new(path).file_stem()?.to_str()?;
    let name = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    (name.ends_with("lvl") || name.ends_with("level")).then(|| stem[name.len()..].parse().ok())?
}

/// The language of a text without a file, by its first word that is not in a comment.
pub fn language_of(text: &[u8]) -> Kind {
    language(None, text)
}

/// The language of a text: by the extension of its file, else by its first word that is not in a
/// comment.
fn language(path: Option<&Path>, text: &[u8]) -> Kind {
    match path.and_then(Path::extension).and_then(|extension| extension.to_str()) {
        Some("vgdl") => return Kind::Vgdl,
        Some("toml") => return Kind::Native,
        Some("kif" | "gdl") => return Kind::Gdl,
        _ => {}
    }
    let starts_block = |line: &[u8]| {
        let line = line.trim_ascii_start();
        ["BasicGame", "GameSpace", "SpriteSet"].iter().any(|word| line.starts_with(word.as_bytes()))
    };
    let mut lines = text
        .split(|&byte| byte == b'\n')
        .take(200)
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty() && !line.starts_with(b"#"));
    if lines.next().is_some_and(starts_block) { Kind::Vgdl } else { Kind::Gdl }
}

/// Reads a text that goes with a game, such as a level or a list of actions; `-` is standard input.
pub fn text_file(path: &str) -> Result<Vec<u8>> {
    match path {
        "-" => bounded(io::stdin(), "standard input"),
        _ => read(Path::new(path), path),
    }
}

/// Reads a file that the user called `game`.
fn read(path: &Path, game: &str) -> Result<Vec<u8>> {
    let name = printable(game);
    let problem = |error: &io::Error| match error.kind() {
        io::ErrorKind::NotFound => not_found(game),
        io::ErrorKind::PermissionDenied => {
            Problem::usage(format!("{name} may not be read"), "check the file's permissions")
        }
        _ => Problem::usage(format!("{name} could not be read: {error}"), ""),
    };
    let about = std::fs::metadata(path).map_err(|error| problem(&error))?;
    if about.is_dir() {
        return Err(Problem::usage(
            format!("{name} is a directory, not a file with rules"),
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
        .map_err(|error| Problem::usage(format!("{name} could not be read: {error}"), ""))?;
    if text.len() > MAX_BYTES { Err(too_large(name)) } else { Ok(text) }
}

fn too_large(name: &str) -> Problem {
    Problem::usage(
        format!("{name} is too large: rulesheets have at most {} MiB", MAX_BYTES >> 20),
        "is it really a rulesheet?",
    )
}

fn looks_like_path(text: &str) -> bool {
    text.contains(['/', '\\', '.'])
}

fn not_found(game: &str) -> Problem {
    let name = printable(game);
    let stem = Path::new(game).file_stem().and_then(|stem| stem.to_str()).unwrap_or(game);
    let near = library::similar(stem);
    let suggestion = did_you_mean(&near);
    if looks_like_path(game) {
        let shipped = suggestion.map(|text| format!("; for a shipped game, {text}"));
        let help = format!("check the path{}", shipped.unwrap_or_default());
        Problem::usage(format!("there is no file {name}"), help)
    } else {
        let help = suggestion.unwrap_or_else(|| {
            "`grove games` lists the shipped games; a path to a rulesheet works too".to_owned()
        });
        Problem::usage(format!("there is no game called {name}, and no file either"), help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(game: &str) -> (String, String) {
        match Source::open(game) {
            Ok(source) => panic!("{game} opened as {}", source.name),
            Err(failure) => {
                assert!(matches!(failure, Problem::Usage { .. }));
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
        assert!(help.starts_with("did you mean tic_tac_toe"), "{help}");
        let (message, help) = problem("no/such/ches.kif");
        assert_eq!(message, "there is no file no/such/ches.kif");
        assert_eq!(help, "check the path; for a shipped game, did you mean chess or chase?");
        assert!(
            problem(env!("CARGO_MANIFEST_DIR"))
                .0
                .ends_with("is a directory, not a file with rules")
        );
        assert!(problem("zzz").1.contains("grove games"));
        assert!(problem("").0.contains("no game"));
        assert!(problem("a\0b").0.contains("could not be read"));
    }

    #[test]
    fn the_language_is_found_out() {
        let at = |path: &str, text: &str| language(Some(Path::new(path)), text.as_bytes());
        assert_eq!(at("a.vgdl", "(role x)"), Kind::Vgdl);
        assert_eq!(at("a.kif", "BasicGame"), Kind::Gdl);
        assert_eq!(at("a.txt", "# words\n\n  BasicGame key_handler=Pulse\n"), Kind::Vgdl);
        assert_eq!(at("a.txt", "; BasicGame\n(role x)"), Kind::Gdl);
        assert_eq!(at("a.toml", ""), Kind::Native);
        assert_eq!(language(None, b""), Kind::Gdl);
        assert_eq!(language(None, b"\xff\xfe\n# \n"), Kind::Gdl);
    }

    #[test]
    fn levels_have_numbers() {
        assert_eq!(number_in("games/aliens_lvl12.txt"), Some(12));
        assert_eq!(number_in("level3.txt"), Some(3));
        assert_eq!(number_in("mine.txt"), None);
        assert_eq!(number_in("level99999999999999999999999.txt"), None);
        assert_eq!("7".parse(), Ok(LevelChoice::Number(7)));
        assert_eq!("+7".parse(), Ok(LevelChoice::Path("+7".to_owned())));
    }

    #[test]
    fn levels_that_are_not_there_are_said_to_be_levels() {
        let zelda = Source::open("zelda").expect("a shipped game");
        for (choice, said) in [
            ("9", "zelda has no level 9"),
            ("-1", "zelda has no level -1"),
            ("third", "zelda has no level third"),
            ("no/such.txt", "there is no file no/such.txt"),
        ] {
            let choice = choice.parse().expect("anything is a choice");
            let problem = zelda.level(&choice).expect_err("no such level");
            assert_eq!(problem.to_string(), said);
        }
    }

    #[test]
    fn endless_input_is_refused() {
        assert!(bounded(io::repeat(b'('), "x").is_err());
    }
}
