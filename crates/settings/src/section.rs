//! Reads a TOML text key by key, with errors that name the place, the key and the remedy.
//!
//! The keys that are asked for are the keys there are: any other key is an error that names the nearest one.

use std::fmt::Display;
use std::ops::RangeInclusive;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::nearest::{did_you_mean, nearest};
use crate::part::Part;
use crate::toml::{Places, read_part};

/// Something wrong in a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct TextError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The byte, from 0.
    pub at: usize,
    /// What is wrong, with the remedy.
    pub problem: String,
}

impl TextError {
    /// Something wrong at a byte of the text.
    pub fn at(text: &str, at: usize, problem: impl Into<String>) -> TextError {
        let before = text.get(..at).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        TextError {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            at: before.len(),
            problem: problem.into(),
        }
    }
}

/// The longest text that is read, in bytes.
pub const MAX_TEXT: usize = 1 << 20;

/// Parses `text` and hands its root table to `read`, which must ask for every key it knows.
pub fn read_text<T>(
    text: &str,
    read: impl FnOnce(&mut Section<'_>) -> Result<T, TextError>,
) -> Result<T, TextError> {
    if text.len() > MAX_TEXT {
        let problem = format!("the text has {} bytes; at most {MAX_TEXT} are read", text.len());
        return Err(TextError::at(text, 0, problem));
    }
    let root = DeTable::parse(text).map_err(|error| {
        TextError::at(text, error.span().map_or(0, |span| span.start), error.message())
    })?;
    let table = root.get_ref();
    let mut section = Section { text, path: String::new(), table, at: 0, asked: Vec::new() };
    let value = read(&mut section)?;
    section.finish()?;
    Ok(value)
}

/// One table while it is read.
pub struct Section<'a> {
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

    fn error(&self, at: usize, problem: impl Into<String>) -> TextError {
        TextError::at(self.text, at, problem)
    }

    fn wrong(&self, name: &str, value: &Spanned<DeValue<'_>>, wanted: &str) -> TextError {
        let found = match value.get_ref() {
            DeValue::Integer(_) | DeValue::Float(_) => &self.text[value.span()],
            value if value.type_str() == "array" => "an array",
            value => &format!("a {}", value.type_str()),
        };
        let problem = format!("`{}` is {found}, but must be {wanted}", self.key(name));
        self.error(value.span().start, problem)
    }

    fn find(&mut self, name: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.asked.push(name.to_owned());
        let table: &'a DeTable<'a> = self.table;
        table.get(name)
    }

    /// The value of a key that must be there.
    fn value(&mut self, name: &str) -> Result<&'a Spanned<DeValue<'a>>, TextError> {
        self.find(name).ok_or_else(|| {
            // A misspelt key is missing under its right name; the misspelt one is the better message.
            let unknown = self.table.iter().find(|(key, _)| {
                !self.asked.iter().any(|asked| asked == key.get_ref())
                    && nearest(key.get_ref(), [name]).is_some()
            });
            match unknown {
                Some((key, _)) => self.unknown(key, [name]),
                None => self.error(self.at, format!("the key `{}` is missing", self.key(name))),
            }
        })
    }

    fn unknown<'n>(
        &self,
        key: &Spanned<impl AsRef<str>>,
        known: impl IntoIterator<Item = &'n str>,
    ) -> TextError {
        let name = key.get_ref().as_ref();
        let near = nearest(name, known).map(|near| self.key(near));
        let hint = did_you_mean(near.as_deref());
        self.error(key.span().start, format!("unknown key `{}`{hint}", self.key(name)))
    }

    /// A text.
    pub fn text(&mut self, name: &str) -> Result<&'a str, TextError> {
        let value = self.value(name)?;
        value.get_ref().as_str().ok_or_else(|| self.wrong(name, value, "a text in quotes"))
    }

    /// A text; empty if it is missing.
    pub fn text_if_any(&mut self, name: &str) -> Result<&'a str, TextError> {
        if self.table.contains_key(name) {
            return self.text(name);
        }
        self.asked.push(name.to_owned());
        Ok("")
    }

    /// A part: a one-line spec or a table. `places` gets to know where its options are.
    pub fn part(&mut self, name: &str, places: &mut Places) -> Result<Part, TextError> {
        let value = self.value(name)?;
        read_part(self.text, &self.key(name), value, places)
    }

    /// A part, if it is there.
    pub fn part_if_any(
        &mut self,
        name: &str,
        places: &mut Places,
    ) -> Result<Option<Part>, TextError> {
        if self.table.contains_key(name) {
            return self.part(name, places).map(Some);
        }
        self.asked.push(name.to_owned());
        Ok(None)
    }

    /// One of a few names.
    pub fn word<T: Copy>(&mut self, name: &str, words: &[(&str, T)]) -> Result<T, TextError> {
        let text = self.text(name)?;
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|&(_, value)| value).ok_or_else(|| {
            let names: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
            let at = self.table.get(name).map_or(self.at, |value| value.span().start);
            let hint = did_you_mean(nearest(text, names.iter().copied()));
            let names = names.join("\", \"");
            let key = self.key(name);
            self.error(at, format!("`{key}` is \"{text}\", which is none of \"{names}\"{hint}"))
        })
    }

    /// A whole number in a range.
    pub fn whole(&mut self, name: &str, range: RangeInclusive<u8>) -> Result<u8, TextError> {
        let value = self.value(name)?;
        let wanted = between("a whole number", range.start(), range.end());
        let integer = value.get_ref().as_integer();
        let number = integer.and_then(|i| i128::from_str_radix(i.as_str(), i.radix()).ok());
        let number = number.and_then(|number| u8::try_from(number).ok());
        number
            .filter(|number| range.contains(number))
            .ok_or_else(|| self.wrong(name, value, &wanted))
    }

    /// A whole number in a range, or `None` for the word `word`.
    pub fn whole_or(
        &mut self,
        name: &str,
        range: RangeInclusive<u8>,
        word: &str,
    ) -> Result<Option<u8>, TextError> {
        match self.value(name)?.get_ref().as_str() {
            Some(_) => self.word(name, &[(word, None)]),
            None => self.whole(name, range).map(Some),
        }
    }

    /// A number in a range.
    pub fn real(&mut self, name: &str, range: RangeInclusive<f64>) -> Result<f64, TextError> {
        let value = self.value(name)?;
        let number: Option<f64> = match value.get_ref() {
            DeValue::Float(float) => float.as_str().parse().ok(),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse().ok(),
            _ => None,
        };
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            self.wrong(name, value, &between("a number", range.start(), range.end()))
        })
    }

    /// The table called `name`, read by `read`, which must ask for every key it knows.
    pub fn table<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Section<'a>) -> Result<T, TextError>,
    ) -> Result<T, TextError> {
        let value = self.value(name)?;
        let table = value.get_ref().as_table().ok_or_else(|| self.wrong(name, value, "a table"))?;
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
    pub fn names(&self) -> Result<Vec<&'a str>, TextError> {
        let names: Vec<&str> = self.table.keys().map(|key| key.get_ref().as_ref()).collect();
        if names.is_empty() {
            return Err(self.error(self.at, format!("the key `{}NAME` is missing", self.path)));
        }
        Ok(names)
    }

    /// Refuses the first key that was not asked for.
    fn finish(&self) -> Result<(), TextError> {
        let asked = || self.asked.iter().map(String::as_str);
        let unknown = self.table.keys().find(|key| !asked().any(|asked| asked == key.get_ref()));
        unknown.map_or(Ok(()), |key| Err(self.unknown(key, asked())))
    }
}

fn between(what: &str, least: impl Display, most: impl Display) -> String {
    format!("{what} between {least} and {most}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(u8, f64, Option<u8>), String> {
        let read = |root: &mut Section<'_>| {
            assert_eq!(root.text_if_any("title")?, "");
            root.table("board", |board| {
                Ok((
                    board.whole("turns", 1..=127)?,
                    board.real("share", 0.0..=1.0)?,
                    board.whole_or("stock", 0..=8, "unlimited")?,
                ))
            })
        };
        read_text(text, read).map_err(|error| error.to_string())
    }

    #[test]
    fn values_and_mistakes_with_their_place() {
        let sound = "[board]\nturns = 20\nshare = 1\nstock = \"unlimited\"\n";
        assert_eq!(read(sound), Ok((20, 1.0, None)));
        for (old, new, message) in [
            (
                "turns = 20",
                "turn = 20",
                "2, column 1: unknown key `board.turn`; did you mean `board.turns`?",
            ),
            (
                "stock",
                "turn = 3\nstock",
                "4, column 1: unknown key `board.turn`; did you mean `board.turns`?",
            ),
            ("turns = 20\n", "", "1, column 1: the key `board.turns` is missing"),
            (
                "20",
                "0x80",
                "2, column 9: `board.turns` is 0x80, but must be a whole number between 1 and 127",
            ),
            (
                "20",
                "\"20\"",
                "2, column 9: `board.turns` is a string, but must be a whole number between 1 and 127",
            ),
            (
                "= 1",
                "= nan",
                "3, column 9: `board.share` is nan, but must be a number between 0 and 1",
            ),
            (
                "unlimited",
                "limited",
                "4, column 9: `board.stock` is \"limited\", which is none of \"unlimited\"; did you mean `unlimited`?",
            ),
        ] {
            assert_eq!(read(&sound.replacen(old, new, 1)), Err(format!("line {message}")));
        }
        assert!(read("[board").unwrap_err().starts_with("line 1, column "));
    }
}
