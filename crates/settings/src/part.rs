//! A name with options, whose values may be parts again.
//!
//! `mcts(select=grave(c=0.2, ref=50), playout=mast)` is a [`Part`]. Its text by `Display` is canonical:
//! identities of experiments are made from it.

use std::fmt;

use crate::error::SettingsError;
use crate::spec;

/// A strategy by name, with its options.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Part {
    /// The strategy's name.
    pub name: String,
    /// Its options, in the order given.
    pub options: Vec<(String, Value)>,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number; `inf` is one.
    Number(f64),
    /// `true` or `false`.
    Flag(bool),
    /// A strategy: a bare word is one without options.
    Part(Part),
    /// Several of them.
    List(Vec<Value>),
}

impl Part {
    /// A strategy without options.
    pub fn named(name: &str) -> Part {
        Part { name: name.to_owned(), options: Vec::new() }
    }

    /// A part with options as texts, such as arguments of a command. A text that is no value stands for itself.
    pub fn from_texts(name: &str, options: &[(&str, &str)]) -> Result<Part, SettingsError> {
        let mut part = Part::named(name);
        for (key, text) in options {
            if part.get(key).is_some() {
                return Err(SettingsError::Twice { part: part.name, key: (*key).to_owned() });
            }
            let value = spec::value(text.trim()).unwrap_or_else(|| Value::from(text.trim()));
            part.options.push(((*key).to_owned(), value));
        }
        Ok(part)
    }

    /// The same part with one more option.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Part {
        self.options.push((key.to_owned(), value.into()));
        self
    }

    /// The value of an option.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.options.iter().find(|(k, _)| k == key).map(|(_, value)| value)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Number(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Flag(flag)
    }
}

impl From<Part> for Value {
    fn from(part: Part) -> Value {
        Value::Part(part)
    }
}

impl From<&str> for Value {
    fn from(name: &str) -> Value {
        Value::Part(Part::named(name))
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (at, (key, value)) in self.options.iter().enumerate() {
            write!(f, "{}{key}={value}", if at == 0 { "(" } else { ", " })?;
        }
        if self.options.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Part(part) => write!(f, "{part}"),
            Value::List(values) => {
                let texts: Vec<String> = values.iter().map(Value::to_string).collect();
                write!(f, "[{}]", texts.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_prints_as_it_is_written() {
        let inner = Part::named("grave").with("c", 0.2).with("ref", f64::INFINITY);
        let part = Part::named("mcts").with("select", inner).with("reuse", true);
        assert_eq!(part.to_string(), "mcts(select=grave(c=0.2, ref=inf), reuse=true)");
    }
}
