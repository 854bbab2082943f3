//! Settings as data: a named part with options, and the reader that strategies take theirs from.
//!
//! `mcts(select=grave(c=0.2, ref=50), playout=mast)` is a [`Part`] whose options are parts again.
//! How it is written (one line, TOML) is not known here. A reader knows which keys were asked for,
//! so a key that nobody asked for is an error that names the nearest one.

use std::fmt;

use crate::learn::{Handle, Learner, Tables};
use crate::parameter::{Declarations, Declared, Kind, Parameter, ParameterId};
use crate::rating::Weights;

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
    /// The options of this part as weights by name.
    pub fn weights(&self) -> Result<Weights, SettingsError> {
        Options::new(self, &mut Composition::default()).weights()
    }

    /// A strategy without options.
    pub fn named(name: &str) -> Part {
        Part { name: name.to_owned(), options: Vec::new() }
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

/// What is wrong with settings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// A key nobody reads.
    #[error("`{part}` has no option `{key}`{}", near(nearest))]
    UnknownKey {
        /// The part it was given to.
        part: String,
        /// The key.
        key: String,
        /// The nearest key there is.
        nearest: Option<String>,
    },
    /// A strategy that does not exist.
    #[error("`{key}` knows no `{name}`{}; there are: {known}", near(nearest))]
    UnknownName {
        /// The option.
        key: String,
        /// The name given.
        name: String,
        /// The nearest name there is.
        nearest: Option<String>,
        /// All names.
        known: String,
    },
    /// A value of the wrong kind or outside of its bounds.
    #[error("`{key}` of `{part}` must be {wanted}, not `{value}`")]
    BadValue {
        /// The part.
        part: String,
        /// The option.
        key: String,
        /// What would be right.
        wanted: String,
        /// What was given.
        value: String,
    },
    /// Parameters that cannot be tuned as asked for.
    #[error("`tune={strategy}`: {problem}")]
    Tuning {
        /// The tuning strategy.
        strategy: String,
        /// What is wrong, with the remedy.
        problem: String,
    },
    /// The game cannot do what a strategy needs.
    #[error("`{part}` needs {what}, which this game does not offer")]
    Unable {
        /// The part.
        part: String,
        /// What is missing.
        what: String,
    },
}

fn near(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}

/// What all parts of one search share while it is composed.
#[derive(Default)]
pub struct Composition {
    pub(crate) declarations: Declarations,
    pub(crate) tables: Tables,
}

impl Composition {
    /// The parameters that the parts read so far have declared.
    pub fn declared(self) -> Vec<Declared> {
        self.declarations.0
    }
}

/// Reads the options of one part. Ask for every option, then call [`finish`](Options::finish).
pub struct Options<'a> {
    part: &'a Part,
    /// The way to the part: the options that lead to it, and the strategies they name.
    path: Vec<(String, String)>,
    asked: Vec<&'static str>,
    /// Whether someone else checks the other options.
    others: bool,
    composition: &'a mut Composition,
}

impl<'a> Options<'a> {
    /// Options of the settings themselves.
    pub fn new(part: &'a Part, composition: &'a mut Composition) -> Self {
        Options { part, path: Vec::new(), asked: Vec::new(), others: false, composition }
    }

    fn ask(&mut self, key: &'static str) -> Option<&'a Value> {
        self.asked.push(key);
        let part: &'a Part = self.part;
        part.get(key)
    }

    fn bad(&self, key: &str, wanted: impl Into<String>, value: &Value) -> SettingsError {
        SettingsError::BadValue {
            part: self.part.name.clone(),
            key: key.to_owned(),
            wanted: wanted.into(),
            value: value.to_string(),
        }
    }

    /// A number that is read once, when the search is composed.
    pub fn number(&mut self, parameter: &Parameter) -> Result<f64, SettingsError> {
        let Some(given) = self.ask(parameter.name) else { return Ok(parameter.default) };
        let number = match (parameter.kind, given) {
            (Kind::Flag, Value::Flag(flag)) => f64::from(u8::from(*flag)),
            (Kind::Real | Kind::Whole, Value::Number(number)) => *number,
            _ => return Err(self.bad(parameter.name, wanted(parameter), given)),
        };
        if parameter.allows(number) {
            Ok(number)
        } else {
            Err(self.bad(parameter.name, wanted(parameter), given))
        }
    }

    /// A yes or no that is read once.
    pub fn flag(&mut self, parameter: &Parameter) -> Result<bool, SettingsError> {
        Ok(self.number(parameter)? != 0.0)
    }

    /// A parameter that is read at every decision, and so can be tuned.
    pub fn parameter(&mut self, parameter: &Parameter) -> Result<ParameterId, SettingsError> {
        let value = self.number(parameter)?;
        Ok(self.composition.declarations.add(&self.path, *parameter, value))
    }

    /// One of a few words; the first is the default.
    pub fn word<T: Copy>(
        &mut self,
        key: &'static str,
        words: &[(&'static str, T)],
    ) -> Result<T, SettingsError> {
        match self.ask(key) {
            None => Ok(words[0].1),
            Some(Value::Part(part)) if part.options.is_empty() => {
                let found = words.iter().find(|(name, _)| *name == part.name);
                found.map(|&(_, value)| value).ok_or_else(|| {
                    let names: Vec<&str> = words.iter().map(|&(name, _)| name).collect();
                    unknown_name(key, &part.name, &names)
                })
            }
            Some(other) => {
                let names: Vec<&str> = words.iter().map(|&(name, _)| name).collect();
                Err(self.bad(key, format!("one of {}", names.join(", ")), other))
            }
        }
    }

    /// A list of names.
    pub(crate) fn names(&mut self, key: &'static str) -> Result<Vec<String>, SettingsError> {
        let wanted = "a list of names such as [c, k]";
        let none = Value::List(Vec::new());
        let given = self.ask(key).unwrap_or(&none);
        let name = |value: &Value| match value {
            Value::Part(part) if part.options.is_empty() => Ok(part.name.clone()),
            _ => Err(self.bad(key, wanted, given)),
        };
        match given {
            Value::List(values) if !values.is_empty() => values.iter().map(name).collect(),
            Value::Part(_) => Ok(vec![name(given)?]),
            _ => Err(self.bad(key, wanted, given)),
        }
    }

    /// All options that were not asked for, as texts, for someone who checks them.
    pub(crate) fn others(&mut self) -> Vec<(String, String)> {
        self.others = true;
        let asked = |key: &str| self.asked.contains(&key);
        let others = self.part.options.iter().filter(|(key, _)| !asked(key));
        others.map(|(key, value)| (key.clone(), value.to_string())).collect()
    }

    /// A part of this part, made by `build` from its own options; `default` if none is given.
    pub fn part<T>(
        &mut self,
        key: &'static str,
        default: &Part,
        build: impl FnOnce(&str, &mut Options<'_>) -> Result<T, SettingsError>,
    ) -> Result<T, SettingsError> {
        let part = match self.ask(key) {
            None => default,
            Some(Value::Part(part)) => part,
            Some(other) => return Err(self.bad(key, "the name of a strategy", other)),
        };
        let mut inner = Options::new(part, self.composition);
        inner.path = [&*self.path, &[(key.to_owned(), part.name.clone())]].concat();
        let made = build(&part.name, &mut inner)?;
        inner.finish()?;
        Ok(made)
    }

    /// All options as weights by name, and `other` for what has none.
    pub fn weights(&mut self) -> Result<Weights, SettingsError> {
        self.others = true;
        let mut weights = Weights { named: Vec::new(), other: 1.0 };
        for (key, value) in &self.part.options {
            match value {
                Value::Number(number) if !number.is_finite() => {
                    return Err(self.bad(key, "a finite number", value));
                }
                Value::Number(number) if key == "other" => weights.other = *number,
                Value::Number(number) => weights.named.push((key.clone(), *number)),
                _ => return Err(self.bad(key, "a number", value)),
            }
        }
        Ok(weights)
    }

    /// The options asked for so far.
    pub(crate) fn asked(&self) -> &[&'static str] {
        &self.asked
    }

    /// Whether an option was given.
    pub fn has(&self, key: &str) -> bool {
        self.part.get(key).is_some()
    }

    /// A table of statistics that the search keeps for this part; an equal one that another part
    /// asked for is shared.
    pub fn table<T: Learner + PartialEq>(&mut self, fresh: T) -> Handle<T> {
        self.composition.tables.request(fresh)
    }

    /// The name of the part whose options these are.
    pub fn part_name(&self) -> &str {
        &self.part.name
    }

    /// Complains about options that were given but not asked for.
    pub fn finish(self) -> Result<(), SettingsError> {
        for (key, _) in &self.part.options {
            if !self.others && !self.asked.contains(&key.as_str()) {
                return Err(unknown_key(&self.part.name, key, self.asked.iter().copied()));
            }
        }
        Ok(())
    }
}

/// The error for an option that a part does not have.
pub(crate) fn unknown_key<'n>(
    part: &str,
    key: &str,
    known: impl Iterator<Item = &'n str>,
) -> SettingsError {
    SettingsError::UnknownKey {
        part: part.to_owned(),
        key: key.to_owned(),
        nearest: nearest(key, known),
    }
}

/// The error for a name that is none of `names`.
pub fn unknown_name(key: &str, name: &str, names: &[&str]) -> SettingsError {
    SettingsError::UnknownName {
        key: key.to_owned(),
        name: name.to_owned(),
        nearest: nearest(name, names.iter().copied()),
        known: names.join(", "),
    }
}

/// The name most like `name`, if any is like it at all.
fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    names
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|&(distance, known)| distance <= 1 + known.len() / 3)
        .min()
        .map(|(_, known)| known.to_owned())
}

fn wanted(parameter: &Parameter) -> String {
    let (least, greatest) = (parameter.least, parameter.greatest);
    match parameter.kind {
        Kind::Flag => "true or false".to_owned(),
        Kind::Word(words) => format!("one of {}", words.join(", ")),
        Kind::Part => "the name of a strategy".to_owned(),
        Kind::Real if greatest.is_infinite() => format!("a number of at least {least}"),
        Kind::Real => format!("a number between {least} and {greatest}"),
        Kind::Whole if greatest.is_infinite() => {
            format!("a whole number of at least {least}, or inf")
        }
        Kind::Whole => format!("a whole number between {least} and {greatest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: Parameter = Parameter::real("c", 0.7, (0.0, 10.0), "exploration");

    fn read(part: &Part) -> Result<f64, SettingsError> {
        let mut composition = Composition::default();
        let mut options = Options::new(part, &mut composition);
        let c = options.number(&C)?;
        options.finish()?;
        Ok(c)
    }

    #[test]
    fn defaults_values_and_mistakes() {
        assert_eq!(read(&Part::named("uct")), Ok(0.7));
        assert_eq!(read(&Part::named("uct").with("c", 0.4)), Ok(0.4));
        let message = |part: &Part| read(part).unwrap_err().to_string();
        assert_eq!(
            message(&Part::named("uct").with("d", 1.0)),
            "`uct` has no option `d`; did you mean `c`?"
        );
        assert_eq!(
            message(&Part::named("uct").with("c", 11.0)),
            "`c` of `uct` must be a number between 0 and 10, not `11`"
        );
        assert_eq!(
            message(&Part::named("uct").with("c", true)),
            "`c` of `uct` must be a number between 0 and 10, not `true`"
        );
    }

    #[test]
    fn a_part_prints_as_it_is_written() {
        let inner = Part::named("grave").with("c", 0.2).with("ref", f64::INFINITY);
        let part = Part::named("mcts").with("select", inner).with("reuse", true);
        assert_eq!(part.to_string(), "mcts(select=grave(c=0.2, ref=inf), reuse=true)");
    }
}
