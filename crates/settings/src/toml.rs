//! Parts as TOML, read and written.
//!
//! ```toml
//! playout = "mast(epsilon=0.4)"          # a one-line spec, or a table:
//! select = { name = "grave", c = 0.2, ref = 50 }
//! ```

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::SettingsError;
use crate::part::{Part, Value};
use crate::section::TextError;
use crate::spec;

/// Where the options of parts are in a text: part, option, value, and the byte.
#[derive(Debug, Default)]
pub struct Places(Vec<(String, String, String, usize)>);

impl Places {
    pub(crate) fn add(&mut self, part: &str, key: &str, value: &Value, at: usize) {
        let value = match value {
            Value::Part(part) => part.name.clone(),
            other => other.to_string(),
        };
        self.0.push((part.to_owned(), key.to_owned(), value, at));
    }

    /// The place of what is wrong, if exactly one option of the text can be meant.
    pub fn of(&self, error: &SettingsError) -> Option<usize> {
        let (part, key, name) = match error {
            SettingsError::UnknownKey { part, key, .. }
            | SettingsError::BadValue { part, key, .. }
            | SettingsError::Twice { part, key } => (Some(part), key.as_str(), None),
            SettingsError::UnknownName { key, name, .. } => (None, key.as_str(), Some(name)),
            SettingsError::Tuning { strategy, .. } => (None, "tune", Some(strategy)),
            SettingsError::Excluded { .. } | SettingsError::Unable { .. } => return None,
        };
        let mut found: Vec<_> = self
            .0
            .iter()
            .filter(|(_, its, value, _)| its == key && name.is_none_or(|name| name == value))
            .collect();
        // The name of a named agent stands for the part that it is made of.
        if found.len() > 1 {
            found.retain(|(its, ..)| part.is_none_or(|part| part == its));
        }
        match found[..] {
            [&(.., at)] => Some(at),
            _ => None,
        }
    }
}

/// Reads a part, a one-line spec or a table with its `name`.
pub(crate) fn read_part(
    text: &str,
    key: &str,
    value: &Spanned<DeValue<'_>>,
    places: &mut Places,
) -> Result<Part, TextError> {
    match read_value(text, key, value, places)? {
        Value::Part(part) => Ok(part),
        _ => Err(TextError::at(
            text,
            value.span().start,
            format!("`{key}` must be a table with a `name`, or a text such as \"mcts(t=5)\""),
        )),
    }
}

fn read_value(
    text: &str,
    key: &str,
    value: &Spanned<DeValue<'_>>,
    places: &mut Places,
) -> Result<Value, TextError> {
    let start = value.span().start;
    let wrong = |problem: String| Err(TextError::at(text, start, format!("`{key}` {problem}")));
    match value.get_ref() {
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Ok(Value::Number(number as f64)),
            Err(_) => wrong("is too large a number".to_owned()),
        },
        DeValue::Float(number) => match number.as_str().parse() {
            Ok(number) if !f64::is_nan(number) => Ok(Value::Number(number)),
            _ => wrong("is no number".to_owned()),
        },
        DeValue::Boolean(flag) => Ok(Value::Flag(*flag)),
        DeValue::String(line) => match spec::parse_placed(line) {
            Ok((part, inner)) => {
                let literal = text.get(start + 1..).is_some_and(|rest| rest.starts_with(&**line));
                for (part, key, value, at) in inner.0 {
                    let at = if literal { start + 1 + at } else { start };
                    places.0.push((part, key, value, at));
                }
                Ok(Value::Part(part))
            }
            Err(error) => wrong(format!("cannot be read: {error}")),
        },
        DeValue::Table(table) => read_table(text, key, table, start, places).map(Value::Part),
        DeValue::Array(values) => {
            let values = values.iter().map(|value| read_value(text, key, value, places));
            Ok(Value::List(values.collect::<Result<_, _>>()?))
        }
        DeValue::Datetime(_) => {
            wrong("must be a number, a flag, a text, a list or a table, not a date".to_owned())
        }
    }
}

fn read_table(
    text: &str,
    key: &str,
    table: &DeTable<'_>,
    start: usize,
    places: &mut Places,
) -> Result<Part, TextError> {
    // `tune = { strategy = "ntbea", ... }` reads better than a name.
    let named = if table.contains_key("name") { "name" } else { "strategy" };
    let name = table.get(named).and_then(|name| name.get_ref().as_str());
    let missing = || TextError::at(text, start, format!("`{key}` needs a `name` in quotes"));
    let mut part = Part::named(name.ok_or_else(missing)?);
    for (key, value) in table.iter().filter(|(key, _)| key.get_ref() != named) {
        let at = key.span().start;
        let key = key.get_ref();
        let value = read_value(text, key, value, places)?;
        places.add(&part.name, key, &value, at);
        part.options.push((key.to_string(), value));
    }
    Ok(part)
}

/// A text in quotes, as TOML wants it.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

/// A key, in quotes where TOML needs them.
pub fn written_key(key: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    match !key.is_empty() && key.chars().all(is_bare) {
        true => key.to_owned(),
        false => quoted(key),
    }
}

/// A value as TOML. Not by the library's own writer: it would make tables with headings of parts.
pub fn write_value(value: &Value) -> String {
    match value {
        // TOML's `inf` is the same word, and whole numbers read the same with or without a point.
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::Part(part) if part.options.is_empty() => quoted(&part.name),
        Value::Part(part) => {
            let mut text = format!("{{ name = {}", quoted(&part.name));
            for (key, value) in &part.options {
                text.push_str(&format!(", {} = {}", written_key(key), write_value(value)));
            }
            text + " }"
        }
        Value::List(values) => {
            let texts: Vec<String> = values.iter().map(write_value).collect();
            format!("[{}]", texts.join(", "))
        }
    }
}
