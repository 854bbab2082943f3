//! One parameter: its name, its default and the values it may take.

use std::borrow::Cow;

use crate::{Kind, SpaceError, Value};

/// The most values a discrete domain may list.
pub const MAX_VALUES: usize = 10_000;

/// The values a parameter may take: a list for the discrete strategies and the randomisers, an
/// interval for the continuous ones; either may be missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    kind: Kind,
    values: Vec<Value>,
    range: Option<(f64, f64)>,
}

impl Domain {
    /// `false` and `true`.
    pub fn bool() -> Self {
        let values = vec![Value::Bool(false), Value::Bool(true)];
        Domain { kind: Kind::Bool, values, range: None }
    }

    /// These whole numbers.
    pub fn integers(values: &[i64]) -> Self {
        let values = values.iter().copied().map(Value::Integer).collect();
        Domain { kind: Kind::Integer, values, range: None }
    }

    /// These numbers.
    pub fn reals(values: &[f64]) -> Self {
        let values = values.iter().copied().map(Value::Real).collect();
        Domain { kind: Kind::Real, values, range: None }
    }

    /// `steps` numbers from `least` to `most`, evenly spaced, and the interval between them.
    pub fn grid(least: f64, most: f64, steps: usize) -> Self {
        let step = |i: usize| least + (most - least) * i as f64 / (steps.max(2) - 1) as f64;
        let values = (0..steps.min(MAX_VALUES + 1)).map(|i| Value::Real(step(i))).collect();
        Domain { kind: Kind::Real, values, range: Some((least, most)) }
    }

    /// The same with the interval that continuous strategies search.
    pub fn with_range(mut self, least: f64, most: f64) -> Self {
        self.range = Some((least, most));
        self
    }

    /// The kind of these values.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The discrete domain.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The continuous domain, both ends included.
    pub fn range(&self) -> Option<(f64, f64)> {
        self.range
    }

    /// Whether `value` is listed or lies in the interval.
    pub fn contains(&self, value: Value) -> bool {
        let inside = |(least, most): (f64, f64)| {
            value.number().is_some_and(|number| (least..=most).contains(&number))
        };
        self.values.contains(&value) || (value.is_a(self.kind) && self.range.is_some_and(inside))
    }
}

/// The record of one parameter; every place that shows, reads or tunes it is made from this.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name in specifications of agents, short.
    pub name: Cow<'static, str>,
    /// Its description, in one sentence.
    pub sentence: Cow<'static, str>,
    /// Where the default and the domain come from.
    pub source: Cow<'static, str>,
    /// The value where nothing tunes it.
    pub default: Value,
    /// A value that is expected to be bad, for experiments with badly set agents.
    pub suboptimal: Option<Value>,
    /// The values it may take.
    pub domain: Domain,
}

impl Parameter {
    /// A parameter without a description.
    pub fn new(name: impl Into<Cow<'static, str>>, default: Value, domain: Domain) -> Self {
        let (sentence, source) = (Cow::Borrowed(""), Cow::Borrowed(""));
        Parameter { name: name.into(), sentence, source, default, suboptimal: None, domain }
    }

    /// Says what is wrong with the record, if anything.
    pub(crate) fn check(&self) -> Result<(), SpaceError> {
        let parameter = || self.name.to_string();
        let values = self.domain.values();
        if self.name.is_empty() || self.name.contains(|c: char| c == '=' || c.is_whitespace()) {
            return Err(SpaceError::BadName { parameter: parameter() });
        }
        if values.len() > MAX_VALUES {
            return Err(SpaceError::TooManyValues { parameter: parameter(), count: values.len() });
        }
        for (i, value) in values.iter().enumerate() {
            if !value.is_a(self.domain.kind()) {
                let (value, kind) = (*value, self.domain.kind());
                return Err(SpaceError::WrongKind { parameter: parameter(), value, kind });
            }
            if values[..i].contains(value) {
                return Err(SpaceError::RepeatedValue { parameter: parameter(), value: *value });
            }
        }
        match self.domain.range() {
            Some((least, most)) if !(least < most && (most - least).is_finite()) => {
                Err(SpaceError::BadRange { parameter: parameter(), least, most })
            }
            None if values.is_empty() => Err(SpaceError::NoValues { parameter: parameter() }),
            _ => Ok(()),
        }
    }
}
