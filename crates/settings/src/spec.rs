//! Parts in one line: `mcts(select=grave(c=0.2, ref=50), playout=mast)`.
//!
//! A part is a name, with options in parentheses if it has any. An option is a key, `=` and a
//! number (`inf` is one), `true`, `false`, a part, or a list of these in brackets. Spaces mean
//! nothing.

use crate::part::{Part, Value};
use crate::toml::Places;

/// What is wrong with a one-line spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at character {at} of `{text}`")]
pub struct SpecError {
    /// What was expected.
    pub problem: String,
    /// The place, counted in characters from 1.
    pub at: usize,
    /// The spec.
    pub text: String,
}

/// Parts may be nested this deep; real ones are three deep.
const MAX_DEPTH: usize = 32;

/// Longer specs are refused.
const MAX_TEXT: usize = 10_000;

/// Reads a one-line spec.
pub fn parse(text: &str) -> Result<Part, SpecError> {
    parse_placed(text).map(|(part, _)| part)
}

/// Reads a one-line spec and notes where its options are.
pub fn parse_placed(text: &str) -> Result<(Part, Places), SpecError> {
    let mut reader = Reader::new(text);
    if text.len() > MAX_TEXT {
        return Err(reader.error(format!("a spec of more than {MAX_TEXT} bytes")));
    }
    let part = reader.part(0)?;
    reader.skip_spaces();
    match reader.rest {
        "" => Ok((part, reader.places)),
        _ => Err(reader.error("the spec should end")),
    }
}

/// The value that a text is, if it is one.
pub(crate) fn value(text: &str) -> Option<Value> {
    let mut reader = Reader::new(text);
    if text.len() > MAX_TEXT {
        return None;
    }
    reader.value(0).ok().filter(|_| reader.rest.trim_start().is_empty())
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    places: Places,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader { text, rest: text, places: Places::default() }
    }

    fn error(&self, problem: impl Into<String>) -> SpecError {
        let before = self.text.len() - self.rest.len();
        let at = self.text[..before].chars().count() + 1;
        let text = self.text.chars().take(200).collect();
        SpecError { problem: problem.into(), at, text }
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, symbol: char) -> bool {
        self.skip_spaces();
        match self.rest.strip_prefix(symbol) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> &'a str {
        self.skip_spaces();
        let is_part = |c: char| c.is_alphanumeric() || "_-+.".contains(c);
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn part(&mut self, depth: usize) -> Result<Part, SpecError> {
        let before = self.rest;
        let name = self.word();
        if name.is_empty() || name.starts_with(|c: char| !c.is_alphabetic()) {
            self.rest = before;
            return Err(self.error("a name was expected"));
        }
        let name = name.to_owned();
        let options = self.options(&name, depth)?;
        Ok(Part { name, options })
    }

    fn options(&mut self, part: &str, depth: usize) -> Result<Vec<(String, Value)>, SpecError> {
        let mut options: Vec<(String, Value)> = Vec::new();
        if !self.take('(') {
            return Ok(options);
        }
        if depth == MAX_DEPTH {
            return Err(self.error(format!("parts are nested more than {MAX_DEPTH} deep")));
        }
        while !self.take(')') {
            if !options.is_empty() && !self.take(',') {
                return Err(self.error("`,` or `)` was expected"));
            }
            let before = self.rest;
            let key = self.word();
            if key.is_empty() {
                return Err(self.error("the name of an option was expected"));
            }
            if options.iter().any(|(known, _)| known == key) {
                self.rest = before;
                return Err(self.error(format!("`{key}` is given twice")));
            }
            if !self.take('=') {
                return Err(self.error("`=` was expected"));
            }
            let value = self.value(depth)?;
            self.places.add(part, key, &value, self.text.len() - before.trim_start().len());
            options.push((key.to_owned(), value));
        }
        Ok(options)
    }

    fn value(&mut self, depth: usize) -> Result<Value, SpecError> {
        if depth > MAX_DEPTH {
            return Err(self.error(format!("parts are nested more than {MAX_DEPTH} deep")));
        }
        if self.take('[') {
            return self.list(depth + 1);
        }
        let before = self.rest;
        match self.word() {
            "true" => Ok(Value::Flag(true)),
            "false" => Ok(Value::Flag(false)),
            word => match number(word) {
                Some(number) => Ok(Value::Number(number)),
                None => {
                    self.rest = before;
                    self.part(depth + 1).map(Value::Part)
                }
            },
        }
    }
}

impl Reader<'_> {
    /// The rest of a list, up to its bracket.
    fn list(&mut self, depth: usize) -> Result<Value, SpecError> {
        let mut values = Vec::new();
        while !self.take(']') {
            if !values.is_empty() && !self.take(',') {
                return Err(self.error("`,` or `]` was expected"));
            }
            values.push(self.value(depth)?);
        }
        Ok(Value::List(values))
    }
}

/// The number a word is, if it is one. `nan` is none: it would pass every comparison.
fn number(word: &str) -> Option<f64> {
    let starts =
        word == "inf" || word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    word.parse().ok().filter(|number: &f64| starts && !number.is_nan())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nested_parts_and_all_kinds_of_values() {
        let part = parse(" mcts( select = grave(c=0.2,ref=inf), reuse=tree,table=false )").unwrap();
        assert_eq!(part.to_string(), "mcts(select=grave(c=0.2, ref=inf), reuse=tree, table=false)");
        assert_eq!(parse("random").unwrap(), Part::named("random"));
        let tuned = parse("mcts(tune=ntbea(parameters=[c,ref],n=1))").unwrap();
        assert_eq!(tuned.to_string(), "mcts(tune=ntbea(parameters=[c, ref], n=1))");
        assert_eq!(parse("random()").unwrap(), Part::named("random"));
    }

    #[test]
    fn mistakes_name_their_place() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(message(""), "a name was expected at character 1 of ``");
        assert_eq!(message("mcts(c)"), "`=` was expected at character 7 of `mcts(c)`");
        assert_eq!(message("mcts(c=1"), "`,` or `)` was expected at character 9 of `mcts(c=1`");
        assert_eq!(
            message("mcts(c=1,c=2)"),
            "`c` is given twice at character 10 of `mcts(c=1,c=2)`"
        );
        assert_eq!(message("mcts(c=)"), "a name was expected at character 8 of `mcts(c=)`");
        assert_eq!(message("a b"), "the spec should end at character 3 of `a b`");
        assert_eq!(message("a(b=[c"), "`,` or `]` was expected at character 7 of `a(b=[c`");
        assert!(message(&format!("a(b={}", "[".repeat(100))).contains("nested more than 32"));
        let deep = "a(b=".repeat(100);
        assert!(message(&deep).contains("nested more than 32"));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[a-z(),=0-9 .\u{e4}-]{0,60}") {
            let _ = parse(&text);
        }

        #[test]
        fn what_is_printed_reads_back(c in -1e6f64..1e6, flag: bool, name in "[a-z]{1,8}_x") {
            let inner = Part::named(&name).with("c", c);
            let part = Part::named("mcts").with("select", inner).with("table", flag);
            prop_assert_eq!(parse(&part.to_string()), Ok(part));
        }
    }
}
