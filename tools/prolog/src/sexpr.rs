//! The reader of S-expressions: parentheses, words, comments from `;` to the end of the line.
//!
//! Words are lower-cased, since GDL ignores case.

use crate::Error;

/// Nesting allowed in a text; real rulesheets stay below 30. It bounds every recursion over terms.
const MAX_DEPTH: usize = 200;

/// A word or a list, with the line it starts on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sexpr {
    /// A word in lower case.
    Word(usize, String),
    /// A parenthesised list.
    List(usize, Vec<Sexpr>),
}

impl Sexpr {
    /// The line on which it starts, from 1.
    pub fn line(&self) -> usize {
        match self {
            Self::Word(line, _) | Self::List(line, _) => *line,
        }
    }
}

/// Reads all expressions of `text`.
pub fn read(text: &str) -> Result<Vec<Sexpr>, Error> {
    let mut done: Vec<Sexpr> = Vec::new();
    // One entry for each list that is still open: its line and what it holds so far.
    let mut open: Vec<(usize, Vec<Sexpr>)> = Vec::new();
    for (line, content) in text.lines().enumerate().map(|(index, line)| (index + 1, line)) {
        let code = content.split(';').next().unwrap_or_default();
        let mut rest = code.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '(' | ')' => 1,
                _ => rest
                    .find(|c: char| c.is_whitespace() || c == '(' || c == ')')
                    .unwrap_or(rest.len()),
            };
            let (token, after) = rest.split_at(length);
            rest = after.trim_start();
            let finished = match first {
                '(' => {
                    open.push((line, Vec::new()));
                    if open.len() > MAX_DEPTH {
                        return Err(syntax(line, format!("nested deeper than {MAX_DEPTH}")));
                    }
                    continue;
                }
                ')' => match open.pop() {
                    Some((start, items)) => Sexpr::List(start, items),
                    None => return Err(syntax(line, "closing parenthesis without an opening one")),
                },
                _ => Sexpr::Word(line, token.to_ascii_lowercase()),
            };
            open.last_mut().map_or(&mut done, |(_, items)| items).push(finished);
        }
    }
    match open.last() {
        Some((line, _)) => Err(syntax(*line, "opening parenthesis without a closing one")),
        None => Ok(done),
    }
}

/// A syntax error on `line`.
pub fn syntax(line: usize, message: impl Into<String>) -> Error {
    Error::Syntax { line, message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(line: usize, text: &str) -> Sexpr {
        Sexpr::Word(line, text.into())
    }

    #[test]
    fn reads_words_lists_and_comments() {
        let read = read("(Role X) ; (no such)\nterminal(a(b))").unwrap();
        assert_eq!(
            read,
            [
                Sexpr::List(1, vec![word(1, "role"), word(1, "x")]),
                word(2, "terminal"),
                Sexpr::List(2, vec![word(2, "a"), Sexpr::List(2, vec![word(2, "b")])]),
            ]
        );
    }

    #[test]
    fn refuses_unbalanced_and_very_deep_text() {
        let line = |text: &str| match read(text) {
            Err(Error::Syntax { line, .. }) => line,
            other => panic!("{other:?}"),
        };
        assert_eq!(line("(a\n(b"), 2);
        assert_eq!(line("a\n\n)"), 3);
        assert_eq!(line(&"(".repeat(1_000_000)), 1);
    }
}
