//! Reads the options of a part.
//!
//! The reader knows which keys were asked for, so a key that was not is an error that names the nearest one.

use crate::error::{SettingsError, bad_value, unknown_key, unknown_name};
use crate::parameter::{Declarations, Declared, Kind, Parameter, ParameterId};
use crate::part::{Part, Value};

/// What all parts share while they are read: the parameters they declare, and what the reading code adds.
#[derive(Default)]
pub struct Composition<C = ()> {
    /// The parameters declared so far.
    pub declarations: Declarations,
    /// What the reading code shares among parts.
    pub shared: C,
}

impl<C> Composition<C> {
    /// The parameters that the parts read so far have declared.
    pub fn declared(self) -> Vec<Declared> {
        self.declarations.0
    }
}

/// Reads the options of one part. Ask for every option, then call [`finish`](Options::finish).
pub struct Options<'a, C = ()> {
    part: &'a Part,
    /// The way to the part: the options that lead to it, and the strategies they name.
    path: Vec<(String, String)>,
    asked: Vec<&'static str>,
    /// Whether the other options are checked elsewhere.
    others: bool,
    composition: &'a mut Composition<C>,
}

impl<'a, C> Options<'a, C> {
    /// Options of the settings themselves.
    pub fn new(part: &'a Part, composition: &'a mut Composition<C>) -> Self {
        Options { part, path: Vec::new(), asked: Vec::new(), others: false, composition }
    }

    fn ask(&mut self, key: &'static str) -> Option<&'a Value> {
        self.asked.push(key);
        let part: &'a Part = self.part;
        part.get(key)
    }

    fn bad(&self, key: &str, wanted: impl Into<String>, value: &Value) -> SettingsError {
        bad_value(&self.part.name, key, wanted, value)
    }

    /// A number that is read once, when the search is composed.
    pub fn number(&mut self, parameter: &Parameter) -> Result<f64, SettingsError> {
        let Some(given) = self.ask(parameter.name) else { return Ok(parameter.default) };
        let number = match (parameter.kind, given) {
            (Kind::Flag, Value::Flag(flag)) => f64::from(u8::from(*flag)),
            (Kind::Real | Kind::Whole, Value::Number(number)) => *number,
            _ => return Err(self.bad(parameter.name, parameter.wanted(), given)),
        };
        if parameter.allows(number) {
            Ok(number)
        } else {
            Err(self.bad(parameter.name, parameter.wanted(), given))
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
        words: &[(&str, T)],
    ) -> Result<T, SettingsError> {
        self.word_or(key, words, words[0].1)
    }

    /// One of a few words.
    pub fn word_or<T: Copy>(
        &mut self,
        key: &'static str,
        words: &[(&str, T)],
        default: T,
    ) -> Result<T, SettingsError> {
        match self.ask(key) {
            None => Ok(default),
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

    /// A text in a form that the reading code checks.
    pub fn text(&mut self, parameter: &Parameter) -> String {
        let default = || parameter.default_text();
        self.ask(parameter.name).map_or_else(default, Value::to_string)
    }

    /// A list of names.
    pub fn names(&mut self, key: &'static str) -> Result<Vec<String>, SettingsError> {
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

    /// All options that were not asked for, for code that checks them.
    pub fn others(&mut self) -> Vec<(String, Value)> {
        self.others = true;
        let asked = |key: &str| self.asked.contains(&key);
        self.part.options.iter().filter(|(key, _)| !asked(key)).cloned().collect()
    }

    /// One of the words of a parameter, as the value that stands at its place.
    pub fn choice<T: Copy>(
        &mut self,
        parameter: &Parameter,
        values: &[T],
    ) -> Result<T, SettingsError> {
        debug_assert_eq!(parameter.words().len(), values.len(), "{}", parameter.name);
        let words: Vec<(&str, T)> =
            parameter.words().iter().copied().zip(values.iter().copied()).collect();
        self.word(parameter.name, &words)
    }

    /// A part of this part, made by `build` from its own options.
    pub fn part<T>(
        &mut self,
        parameter: &Parameter,
        build: impl FnOnce(&str, &mut Options<'_, C>) -> Result<T, SettingsError>,
    ) -> Result<T, SettingsError> {
        self.part_or(parameter, &Part::named(&parameter.default_text()), build)
    }

    /// As [`part`](Options::part), with a default that has options.
    pub fn part_or<T>(
        &mut self,
        parameter: &Parameter,
        default: &Part,
        build: impl FnOnce(&str, &mut Options<'_, C>) -> Result<T, SettingsError>,
    ) -> Result<T, SettingsError> {
        let key = parameter.name;
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

    /// As [`part`](Options::part), where the default is the word for no part at all.
    pub fn optional<T>(
        &mut self,
        parameter: &Parameter,
        build: impl FnOnce(&str, &mut Options<'_, C>) -> Result<T, SettingsError>,
    ) -> Result<Option<T>, SettingsError> {
        let none = parameter.default_text();
        self.part(parameter, |name, options| match name {
            name if name == none => Ok(None),
            name => build(name, options).map(Some),
        })
    }

    /// All options, which must be finite numbers by names that the reading code checks.
    pub fn numbers(&mut self) -> Result<Vec<(String, f64)>, SettingsError> {
        self.others = true;
        let number = |(key, value): &(String, Value)| match value {
            Value::Number(number) if number.is_finite() => Ok((key.clone(), *number)),
            _ => Err(self.bad(key, "a finite number", value)),
        };
        self.part.options.iter().map(number).collect()
    }

    /// The options asked for so far.
    pub fn asked(&self) -> &[&'static str] {
        &self.asked
    }

    /// Whether an option was given.
    pub fn has(&self, key: &str) -> bool {
        self.part.get(key).is_some()
    }

    /// What the parts of one composition share.
    pub fn shared(&mut self) -> &mut C {
        &mut self.composition.shared
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

#[cfg(test)]
mod tests {
    use super::*;

    const C: Parameter = Parameter::real("c", 0.7, (0.0, 10.0), "exploration");

    fn read(part: &Part) -> Result<f64, SettingsError> {
        let mut composition = Composition::<()>::default();
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
}
