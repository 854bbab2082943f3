//! One value of a parameter, as people write it.

use std::fmt;

/// The kinds of values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Integer,
    /// A number, infinity included.
    Real,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Bool => "true or false",
            Kind::Integer => "a whole number",
            Kind::Real => "a number",
        })
    }
}

/// One value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number; `inf` is one, not-a-number is not.
    Real(f64),
    /// No value, because another parameter switches this one off ([Sironi 2019, 6.2.2]: the
    /// sentinel of `ref` where K = 0).
    Unset,
}

impl Value {
    /// Reads `text` as a value of `kind`; `None` if it is none.
    pub fn parse(kind: Kind, text: &str) -> Option<Value> {
        let text = text.trim();
        if text == "unset" {
            return Some(Value::Unset);
        }
        match kind {
            Kind::Bool => text.parse().ok().map(Value::Bool),
            Kind::Integer => text.parse().ok().map(Value::Integer),
            Kind::Real => {
                text.parse().ok().filter(|number: &f64| !number.is_nan()).map(Value::Real)
            }
        }
    }

    /// Whether a parameter of `kind` may take this value. Nothing but a rule of the space makes
    /// [`Value::Unset`] possible, so it is of no kind.
    pub fn is_a(self, kind: Kind) -> bool {
        match self {
            Value::Bool(_) => kind == Kind::Bool,
            Value::Integer(_) => kind == Kind::Integer,
            Value::Real(number) => kind == Kind::Real && !number.is_nan(),
            Value::Unset => false,
        }
    }

    /// The value as a number: booleans are 0 and 1; `None` if unset.
    pub fn number(self) -> Option<f64> {
        match self {
            Value::Bool(value) => Some(f64::from(u8::from(value))),
            Value::Integer(value) => Some(value as f64),
            Value::Real(value) => Some(value),
            Value::Unset => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => value.fmt(f),
            Value::Integer(value) => value.fmt(f),
            Value::Real(value) => value.fmt(f),
            Value::Unset => f.write_str("unset"),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Integer(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Real(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for (kind, value, text) in [
            (Kind::Bool, Value::Bool(true), "true"),
            (Kind::Integer, Value::Integer(-3), "-3"),
            (Kind::Real, Value::Real(0.025), "0.025"),
            (Kind::Real, Value::Real(250.0), "250"),
            (Kind::Real, Value::Real(f64::INFINITY), "inf"),
            (Kind::Real, Value::Unset, "unset"),
        ] {
            assert_eq!(value.to_string(), text);
            assert_eq!(Value::parse(kind, text), Some(value));
        }
        assert_eq!(Value::parse(Kind::Real, "NaN"), None);
        assert_eq!(Value::parse(Kind::Integer, "1.5"), None);
        assert_eq!(Value::parse(Kind::Bool, "1"), None);
    }
}
