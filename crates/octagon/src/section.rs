//! Reading TOML tables key by key, with errors that name the place, the key and the remedy.
//!
//! The keys a reader asks for are the keys there are: whatever else a table holds is an error that
//! points to the nearest of them, so the list of known keys exists once.

use std::fmt;
use std::ops::{Range, RangeInclusive};

use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::rules::Choice;

/// Something wrong in a TOML text.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct ConfigError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The problem, with the remedy.
    pub problem: Box<Problem>,
}

/// The kinds of problems.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// Not TOML at all.
    #[error("{0}")]
    Syntax(String),
    /// The text is larger than any sensible one.
    #[error("the text has {0} bytes; at most {MAX_TEXT} are read")]
    TooLong(usize),
    /// A key that is not in use.
    #[error("unknown key `{key}`; the nearest valid one is `{nearest}`")]
    UnknownKey {
        /// The full name of the key.
        key: String,
        /// The full name of the known key most like it.
        nearest: String,
    },
    /// A key that must be there.
    #[error("the key `{0}` is missing")]
    Missing(String),
    /// A value of another type.
    #[error("`{key}` is {found}, but must be {wanted}")]
    Type {
        /// The full name of the key.
        key: String,
        /// The type of the value.
        found: String,
        /// The expected value.
        wanted: String,
    },
    /// A number outside its range.
    #[error(
        "`{key}` is {value}, but must be from {least} to {most}; the nearest valid value is {nearest}"
    )]
    Range {
        /// The full name of the key.
        key: String,
        /// The number as written.
        value: String,
        /// The least valid number.
        least: String,
        /// The greatest valid number.
        most: String,
        /// The valid number nearest to the value.
        nearest: String,
    },
    /// A name that is not among the possible ones.
    #[error(
        "`{key}` is \"{value}\", which is none of {}; the nearest is \"{nearest}\"",
        Names(valid)
    )]
    Name {
        /// The full name of the key.
        key: String,
        /// The name as written.
        value: String,
        /// All possible names.
        valid: Vec<String>,
        /// The possible name most like it.
        nearest: String,
    },
}

/// The longest text that is read, in bytes.
pub const MAX_TEXT: usize = 1 << 20;

struct Names<'a>(&'a [String]);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.0.iter().enumerate() {
            write!(f, "{}\"{name}\"", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// Parses `text` and hands its root table to `read`, which must ask for every key it knows.
pub(crate) fn read_text<T>(
    text: &str,
    read: impl FnOnce(&mut Section<'_>) -> Result<T, ConfigError>,
) -> Result<T, ConfigError> {
    let place = |at| Place { text, at };
    if text.len() > MAX_TEXT {
        return Err(place(0).error(Problem::TooLong(text.len())));
    }
    let root = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        place(at).error(Problem::Syntax(error.message().to_owned()))
    })?;
    let mut section =
        Section { text, path: String::new(), table: root.get_ref(), at: 0, asked: Vec::new() };
    let value = read(&mut section)?;
    section.finish()?;
    Ok(value)
}

/// A place in the text.
#[derive(Clone, Copy)]
struct Place<'a> {
    text: &'a str,
    at: usize,
}

impl Place<'_> {
    fn error(self, problem: Problem) -> ConfigError {
        let before = self.text.get(..self.at).unwrap_or("");
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        ConfigError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            problem: Box::new(problem),
        }
    }
}

/// One table while it is read.
pub(crate) struct Section<'a> {
    text: &'a str,
    /// Full name of the table with a dot behind it; empty for the root.
    path: String,
    table: &'a DeTable<'a>,
    at: usize,
    asked: Vec<String>,
}

impl<'a> Section<'a> {
    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.path)
    }

    fn error(&self, at: usize, problem: Problem) -> ConfigError {
        Place { text: self.text, at }.error(problem)
    }

    fn wrong_type(&self, name: &str, value: &Spanned<DeValue<'_>>, wanted: &str) -> ConfigError {
        let found = match value.get_ref().type_str() {
            kind @ ("array" | "integer") => format!("an {kind}"),
            kind => format!("a {kind}"),
        };
        let problem = Problem::Type { key: self.key(name), found, wanted: wanted.to_owned() };
        self.error(value.span().start, problem)
    }

    /// The value of a key that must be there.
    fn value(&mut self, name: &str) -> Result<&'a Spanned<DeValue<'a>>, ConfigError> {
        self.asked.push(name.to_owned());
        self.table.get(name).ok_or_else(|| {
            // A misspelt key is missing under its right name; saying what it is helps more.
            match self.first_unknown_like(name) {
                Some(error) => error,
                None => self.error(self.at, Problem::Missing(self.key(name))),
            }
        })
    }

    /// The error for a key that is closer to `name` than chance would have it.
    fn first_unknown_like(&self, name: &str) -> Option<ConfigError> {
        let like = |key: &str| distance(key, name) <= 1 + name.chars().count() / 3;
        let (key, _) = self.table.iter().find(|(key, _)| {
            !self.asked.iter().any(|a| a == key.get_ref()) && like(key.get_ref())
        })?;
        Some(self.unknown(key.get_ref(), key.span(), name))
    }

    fn unknown(&self, key: &str, span: Range<usize>, nearest: &str) -> ConfigError {
        let problem = Problem::UnknownKey { key: self.key(key), nearest: self.key(nearest) };
        self.error(span.start, problem)
    }

    /// A text.
    pub fn text(&mut self, name: &str) -> Result<&'a str, ConfigError> {
        let value = self.value(name)?;
        value.get_ref().as_str().ok_or_else(|| self.wrong_type(name, value, "a string"))
    }

    /// One of the `valid` names.
    pub fn name_among(&mut self, name: &str, valid: &[&str]) -> Result<&'a str, ConfigError> {
        let text = self.text(name)?;
        if valid.contains(&text) {
            return Ok(text);
        }
        let at = self.table.get(name).map_or(self.at, |value| value.span().start);
        Err(self.error(at, unknown_name(self.key(name), text, valid)))
    }

    /// One of the values of a [`Choice`].
    pub fn choice<C: Choice>(&mut self, name: &str) -> Result<C, ConfigError> {
        let names: Vec<&str> = C::ALL.iter().map(|(name, _)| *name).collect();
        let text = self.name_among(name, &names)?;
        let found = C::ALL.iter().find(|(known, _)| *known == text);
        Ok(found.map_or(C::ALL[0].1, |(_, value)| *value))
    }

    /// A whole number in a range.
    pub fn number(&mut self, name: &str, range: RangeInclusive<u8>) -> Result<u8, ConfigError> {
        let value = self.value(name)?;
        self.number_in(name, value, range, "a whole number")
    }

    /// A whole number in a range, or `None` for the word `word`.
    pub fn number_or(
        &mut self,
        name: &str,
        range: RangeInclusive<u8>,
        word: &str,
    ) -> Result<Option<u8>, ConfigError> {
        let value = self.value(name)?;
        match value.get_ref().as_str() {
            Some(text) if text == word => Ok(None),
            Some(text) => {
                let problem = unknown_name(self.key(name), text, &[word]);
                Err(self.error(value.span().start, problem))
            }
            None => {
                let wanted = format!("a whole number or \"{word}\"");
                self.number_in(name, value, range, &wanted).map(Some)
            }
        }
    }

    fn number_in(
        &self,
        name: &str,
        value: &Spanned<DeValue<'_>>,
        range: RangeInclusive<u8>,
        wanted: &str,
    ) -> Result<u8, ConfigError> {
        let integer =
            value.get_ref().as_integer().ok_or_else(|| self.wrong_type(name, value, wanted))?;
        let (least, most) = range.into_inner();
        // What does not even fit an i128 is out of range on the side its sign says.
        let parsed = i128::from_str_radix(integer.as_str(), integer.radix());
        let far = if integer.as_str().starts_with('-') { i128::MIN } else { i128::MAX };
        let number = parsed.unwrap_or(far);
        let nearest = number.clamp(i128::from(least), i128::from(most)) as u8;
        if i128::from(nearest) == number {
            return Ok(nearest);
        }
        let written = self.text.get(value.span()).unwrap_or(integer.as_str()).to_owned();
        Err(self.out_of_range(name, value, written, least, most, nearest))
    }

    fn out_of_range<N: fmt::Display>(
        &self,
        name: &str,
        value: &Spanned<DeValue<'_>>,
        written: String,
        least: N,
        most: N,
        nearest: N,
    ) -> ConfigError {
        let problem = Problem::Range {
            key: self.key(name),
            value: written,
            least: least.to_string(),
            most: most.to_string(),
            nearest: nearest.to_string(),
        };
        self.error(value.span().start, problem)
    }

    /// A probability.
    pub fn probability(&mut self, name: &str) -> Result<f64, ConfigError> {
        let value = self.value(name)?;
        let written = match value.get_ref() {
            DeValue::Float(float) => float.as_str(),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
            _ => return Err(self.wrong_type(name, value, "a number from 0 to 1")),
        };
        let number: f64 = written.parse().unwrap_or(f64::NAN);
        if (0.0..=1.0).contains(&number) {
            return Ok(number);
        }
        let nearest = u8::from(number > 1.0);
        Err(self.out_of_range(name, value, written.to_owned(), 0, 1, nearest))
    }

    /// The table called `name`, read by `read`, which must ask for every key it knows.
    pub fn table<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Section<'a>) -> Result<T, ConfigError>,
    ) -> Result<T, ConfigError> {
        let value = self.value(name)?;
        let table =
            value.get_ref().as_table().ok_or_else(|| self.wrong_type(name, value, "a table"))?;
        let mut section = Section {
            text: self.text,
            path: format!("{}{name}.", self.path),
            table,
            at: value.span().start,
            asked: Vec::new(),
        };
        let result = read(&mut section)?;
        section.finish()?;
        Ok(result)
    }

    /// All keys of the table, which the author of the text chooses; at least one.
    pub fn names(&self) -> Result<Vec<&'a str>, ConfigError> {
        let names: Vec<&str> = self.table.keys().map(|key| key.get_ref().as_ref()).collect();
        if names.is_empty() {
            let whole = self.path.trim_end_matches('.');
            return Err(self.error(self.at, Problem::Missing(format!("{whole}.NAME"))));
        }
        Ok(names)
    }

    /// Refuses the first key that was not asked for.
    fn finish(&self) -> Result<(), ConfigError> {
        for key in self.table.keys() {
            if !self.asked.iter().any(|asked| asked == key.get_ref()) {
                let near = nearest(key.get_ref(), self.asked.iter().map(String::as_str));
                return Err(self.unknown(key.get_ref(), key.span(), near));
            }
        }
        Ok(())
    }
}

/// The problem with `value`, which is none of `valid`.
pub(crate) fn unknown_name(key: String, value: &str, valid: &[&str]) -> Problem {
    Problem::Name {
        key,
        value: value.to_owned(),
        nearest: nearest(value, valid.iter().copied()).to_owned(),
        valid: valid.iter().map(|&name| name.to_owned()).collect(),
    }
}

/// How unlike two names are; of a very long one the start is enough.
fn distance(a: &str, b: &str) -> usize {
    let start = |text: &str| text.chars().take(64).collect::<String>();
    strsim::damerau_levenshtein(&start(a), &start(b))
}

fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> &'n str {
    known.min_by_key(|other| distance(name, other)).unwrap_or("")
}
