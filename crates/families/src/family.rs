//! What a family is, and how arguments become values.

use thiserror::Error;

/// Games that differ in a few numbers and choices.
#[derive(Debug)]
pub struct Family {
    /// Its name, in words joined by hyphens.
    pub name: &'static str,
    /// What its games are, in a sentence.
    pub summary: &'static str,
    /// What can be chosen.
    pub parameters: &'static [Parameter],
    /// Writes the rulesheet.
    pub(crate) write: fn(&Values) -> Result<String, FamilyError>,
}

/// Something that can be chosen.
#[derive(Debug)]
pub struct Parameter {
    /// Its name, in words joined by hyphens.
    pub name: &'static str,
    /// What it is, in a phrase.
    pub help: &'static str,
    /// What it can be.
    pub domain: Domain,
}

/// What a parameter can be.
#[derive(Clone, Copy, Debug)]
pub enum Domain {
    /// A whole number.
    Number {
        /// The least.
        least: u32,
        /// The greatest.
        most: u32,
        /// What it is if nothing is said.
        default: u32,
    },
    /// One of several names; the first is the default.
    Choice(&'static [&'static str]),
}

impl Domain {
    /// What a parameter is if nothing is said.
    pub fn default(&self) -> String {
        match self {
            Domain::Number { default, .. } => default.to_string(),
            Domain::Choice(names) => names.first().copied().unwrap_or("").to_owned(),
        }
    }
}

/// Why a rulesheet cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FamilyError {
    /// No such parameter.
    #[error("{family} has no parameter {name}; {}", nearest_of(name, known))]
    Unknown {
        /// The family.
        family: &'static str,
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// Given twice.
    #[error("{0} is given twice; give it once")]
    Twice(&'static str),
    /// No number, or one out of range.
    #[error("{name} is {found}, but must be a whole number from {least} to {most}")]
    Range {
        /// The parameter.
        name: &'static str,
        /// What was given.
        found: String,
        /// The least.
        least: u32,
        /// The greatest.
        most: u32,
    },
    /// None of the choices.
    #[error("{name} is {found}, but must be {}", valid.join(" or "))]
    Choice {
        /// The parameter.
        name: &'static str,
        /// What was given.
        found: String,
        /// What it can be.
        valid: &'static [&'static str],
    },
    /// Each is fine, but not all together.
    #[error("{0}")]
    Together(String),
}

fn nearest_of(name: &str, known: &[&'static str]) -> String {
    let start: String = name.chars().take(64).collect();
    let near = known.iter().min_by_key(|other| strsim::damerau_levenshtein(&start, other));
    match near {
        Some(near) => format!("the nearest is {near}"),
        None => "it has none".to_owned(),
    }
}

/// The value of every parameter of a family.
#[derive(Clone, Debug)]
pub struct Values(Vec<(&'static str, Value)>);

#[derive(Clone, Copy, Debug)]
enum Value {
    Number(u32),
    Choice(&'static str),
}

impl Family {
    /// Writes the rulesheet of the game with these arguments, given as name and text; what is not
    /// given has its default.
    pub fn make(&self, arguments: &[(&str, &str)]) -> Result<String, FamilyError> {
        (self.write)(&self.values(arguments)?)
    }

    fn values(&self, arguments: &[(&str, &str)]) -> Result<Values, FamilyError> {
        for (at, (name, _)) in arguments.iter().enumerate() {
            let Some(parameter) = self.parameters.iter().find(|p| p.name == *name) else {
                let known = self.parameters.iter().map(|parameter| parameter.name).collect();
                return Err(FamilyError::Unknown {
                    family: self.name,
                    name: (*name).to_owned(),
                    known,
                });
            };
            if arguments[..at].iter().any(|(earlier, _)| earlier == name) {
                return Err(FamilyError::Twice(parameter.name));
            }
        }
        let value = |parameter: &Parameter| {
            let given = arguments.iter().find(|(name, _)| *name == parameter.name);
            let text =
                given.map_or_else(|| parameter.domain.default(), |(_, text)| (*text).to_owned());
            Ok((parameter.name, parameter.read(text)?))
        };
        self.parameters.iter().map(value).collect::<Result<_, _>>().map(Values)
    }
}

impl Parameter {
    fn read(&self, text: String) -> Result<Value, FamilyError> {
        match self.domain {
            Domain::Number { least, most, .. } => {
                let number = text.trim().parse().ok().filter(|n| (least..=most).contains(n));
                let wrong = FamilyError::Range { name: self.name, found: text, least, most };
                number.map(Value::Number).ok_or(wrong)
            }
            Domain::Choice(valid) => {
                let name = valid.iter().find(|name| **name == text.trim());
                let wrong = FamilyError::Choice { name: self.name, found: text, valid };
                name.map(|name| Value::Choice(name)).ok_or(wrong)
            }
        }
    }
}

impl Values {
    /// A number. Families ask only for parameters that they have.
    pub(crate) fn number(&self, name: &str) -> u32 {
        match self.value(name) {
            Some(Value::Number(number)) => number,
            _ => 0,
        }
    }

    /// A choice.
    pub(crate) fn choice(&self, name: &str) -> &'static str {
        match self.value(name) {
            Some(Value::Choice(choice)) => choice,
            _ => "",
        }
    }

    fn value(&self, name: &str) -> Option<Value> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        debug_assert!(found.is_some(), "no parameter {name}");
        found.map(|(_, value)| *value)
    }
}
