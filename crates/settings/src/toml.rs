//! Parts as TOML, read and written.
//!
//! ```toml
//! playout = "mast(epsilon=0.4)"          # a one-line spec, or a table:
//! select = { name = "grave", c = 0.2, ref = 50 }
//! ```

use crate::part::{Part, Value};
use crate::spec;

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

/// The value of an option. A text is a one-line spec; a table is a part with its `name`.
pub fn read_value(key: &str, value: &::toml::Value) -> Result<Value, String> {
    match value {
        ::toml::Value::Integer(number) => Ok(Value::Number(*number as f64)),
        ::toml::Value::Float(number) if !number.is_nan() => Ok(Value::Number(*number)),
        ::toml::Value::Boolean(flag) => Ok(Value::Flag(*flag)),
        ::toml::Value::String(text) => {
            spec::parse(text).map(Value::Part).map_err(|error| format!("`{key}`: {error}"))
        }
        ::toml::Value::Table(table) => {
            // `tune = { strategy = "ntbea", ... }` reads better than a name.
            let named = if table.contains_key("name") { "name" } else { "strategy" };
            let name = table.get(named).and_then(::toml::Value::as_str);
            let name = name.ok_or_else(|| format!("`{key}` needs a `name` in quotes"))?;
            let mut part = Part::named(name);
            for (key, value) in table.iter().filter(|(key, _)| *key != named) {
                part.options.push((key.clone(), read_value(key, value)?));
            }
            Ok(Value::Part(part))
        }
        ::toml::Value::Array(values) => {
            let values = values.iter().map(|value| read_value(key, value));
            Ok(Value::List(values.collect::<Result<_, _>>()?))
        }
        other => Err(format!(
            "`{key}` must be a number, a flag, a text, a list or a table, not a {}",
            other.type_str()
        )),
    }
}
