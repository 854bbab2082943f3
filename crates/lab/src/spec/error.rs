//! Mistakes in an experiment's file: which key, where, and what was probably meant.

use std::ops::Range;

use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A mistake in an experiment's file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct SpecError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, with the key and the remedy.
    pub problem: String,
}

impl SpecError {
    /// A mistake at a byte of the text.
    pub(super) fn at(text: &str, at: usize, problem: impl Into<String>) -> SpecError {
        let before = text.get(..at).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        SpecError {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            problem: problem.into(),
        }
    }

    /// A mistake about a name: `what` is called `name`, which is none of `known`.
    pub(super) fn unknown<'n>(
        text: &str,
        name: &Spanned<String>,
        what: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> SpecError {
        let known: Vec<&str> = known.into_iter().collect();
        let name_text = name.get_ref();
        let nearest = nearest(name_text, known.iter().copied());
        let hint = nearest.map_or(String::new(), |near| format!("; the nearest is \"{near}\""));
        let problem = format!("no {what} is called \"{name_text}\"{hint}");
        SpecError::at(text, name.span().start, problem)
    }

    /// What the TOML reader found.
    pub(super) fn from_toml(text: &str, error: &toml::de::Error) -> SpecError {
        let span = error.span().unwrap_or(0..0);
        let path = DeTable::parse(text).ok().map(|root| key_path(root.get_ref(), &span));
        let path = path.unwrap_or_default();
        let message = error.message();
        let problem = match unknown_field(message) {
            Some((key, known)) => {
                let hint = nearest(key, known.iter().copied())
                    .map_or(String::new(), |near| format!("; the nearest valid one is `{near}`"));
                let mut full = path;
                if !full.ends_with(key) {
                    full = if full.is_empty() { key.to_owned() } else { format!("{full}.{key}") };
                }
                format!("unknown key `{full}`{hint}")
            }
            None => match unknown_variant(message) {
                Some((value, known)) => {
                    let near = nearest(value, known.iter().copied()).unwrap_or_default();
                    let known = known.join("\", \"");
                    format!(
                        "`{path}` is \"{value}\", which is none of \"{known}\"; \
                         the nearest is \"{near}\""
                    )
                }
                None if path.is_empty() => message.to_owned(),
                None => format!("`{path}`: {message}"),
            },
        };
        SpecError::at(text, span.start, problem)
    }
}

/// The name among `known` that is most like `name`.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let start: String = name.chars().take(64).collect();
    known.min_by_key(|other| strsim::damerau_levenshtein(&start, other))
}

/// The key and the known ones in serde's words about a field nobody knows.
fn unknown_field(message: &str) -> Option<(&str, Vec<&str>)> {
    names_after(message, "unknown field ")
}

fn unknown_variant(message: &str) -> Option<(&str, Vec<&str>)> {
    names_after(message, "unknown variant ")
}

/// The names in backticks of a message that starts with `start`: the first, and the others.
fn names_after<'m>(message: &'m str, start: &str) -> Option<(&'m str, Vec<&'m str>)> {
    let rest = message.strip_prefix(start)?;
    let mut names = rest.split('`').skip(1).step_by(2);
    Some((names.next()?, names.collect()))
}

/// The full name of the innermost key whose value holds `span`: `games[2].budget.clock`.
///
/// The parser refuses nesting beyond a fixed depth, so the walk is short.
fn key_path(root: &DeTable<'_>, span: &Range<usize>) -> String {
    let mut path = String::new();
    let mut table = root;
    'deeper: loop {
        for (key, value) in table {
            // Tables under headings have no span that holds their keys: look into them.
            let inside =
                holds(&value.span(), span) || holds(&key.span(), span) || within(value, span);
            if !inside {
                continue;
            }
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(key.get_ref());
            let mut value = value;
            while let DeValue::Array(items) = value.get_ref() {
                let found = items.iter().position(|i| holds(&i.span(), span) || within(i, span));
                let Some(at) = found else { return path };
                path.push_str(&format!("[{at}]"));
                value = &items[at];
            }
            if let DeValue::Table(inner) = value.get_ref() {
                table = inner;
                continue 'deeper;
            }
            return path;
        }
        return path;
    }
}

fn holds(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end && !outer.is_empty()
}

/// Whether `span` lies within a value that may be spread over several headings.
fn within(value: &Spanned<DeValue<'_>>, span: &Range<usize>) -> bool {
    let mut open = vec![value.get_ref()];
    while let Some(value) = open.pop() {
        match value {
            DeValue::Table(table) => {
                for (key, value) in table {
                    if holds(&key.span(), span) || holds(&value.span(), span) {
                        return true;
                    }
                    open.push(value.get_ref());
                }
            }
            DeValue::Array(items) => {
                if items.iter().any(|item| holds(&item.span(), span)) {
                    return true;
                }
                open.extend(items.iter().map(Spanned::get_ref));
            }
            _ => {}
        }
    }
    false
}
