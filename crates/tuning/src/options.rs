//! The options of strategies: names, defaults, ranges, and reading them from text.

use crate::nearest::nearest;
use crate::registry::BuildError;

/// What an option's value may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A whole number in a range.
    Integer {
        /// The least.
        least: i64,
        /// The greatest.
        most: i64,
    },
    /// A number in a range; the ends are possible.
    Real {
        /// The least.
        least: f64,
        /// The greatest, maybe `inf`.
        most: f64,
    },
    /// One of these words.
    Word(&'static [&'static str]),
    /// Text in a form that the strategy reads; the form is described here.
    Text(&'static str),
}

/// One option of a strategy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionSpec {
    /// The key.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// What its value may be.
    pub kind: Kind,
    /// The value where none is given, as it would be written.
    pub default: &'static str,
    /// Where the default comes from.
    pub source: &'static str,
}

/// The constant of a UCB1 bandit.
pub(crate) const fn exploration(
    name: &'static str,
    default: &'static str,
    sentence: &'static str,
) -> OptionSpec {
    let kind = Kind::Real { least: 0.0, most: 1e6 };
    OptionSpec { name, sentence, kind, default, source: "section 6.4.1" }
}

/// The value of untried arms.
pub(crate) const FPU: OptionSpec = OptionSpec {
    name: "fpu",
    sentence: "The value of an untried arm on the unit interval; inf tries every arm once first.",
    kind: Kind::Real { least: 0.0, most: f64::INFINITY },
    default: "1",
    source: "[Sironi 2019, 6.3.1]",
};

/// Checked values for all options of one strategy.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    values: Vec<(&'static str, Setting)>,
}

#[derive(Clone, Debug)]
enum Setting {
    Integer(i64),
    Real(f64),
    Text(String),
}

impl Settings {
    /// Reads `given`, pairs of key and value, on top of the defaults of `options`.
    pub fn read(
        strategy: &'static str,
        options: &'static [OptionSpec],
        given: &[(&str, &str)],
    ) -> Result<Self, BuildError> {
        for (i, (key, _)) in given.iter().enumerate() {
            if !options.iter().any(|option| option.name == *key) {
                let nearest = nearest(key, options.iter().map(|option| option.name));
                return Err(BuildError::UnknownOption { strategy, key: clip(key), nearest });
            }
            if given[..i].iter().any(|(other, _)| other == key) {
                return Err(BuildError::RepeatedOption { strategy, key: clip(key) });
            }
        }
        let value = |option: &OptionSpec| {
            let given = given.iter().find(|(key, _)| *key == option.name);
            let text = given.map_or(option.default, |(_, text)| *text).trim();
            let setting = option.kind.read(text).ok_or_else(|| BuildError::BadOption {
                strategy,
                key: option.name,
                value: clip(text),
                wanted: option.kind.to_string(),
            })?;
            Ok((option.name, setting))
        };
        Ok(Settings { values: options.iter().map(value).collect::<Result<_, BuildError>>()? })
    }

    fn get(&self, name: &str) -> &Setting {
        let found = self.values.iter().find(|(key, _)| *key == name);
        &found.expect("strategies ask for options they declare").1
    }

    /// A number.
    pub fn real(&self, name: &str) -> f64 {
        match self.get(name) {
            Setting::Real(value) => *value,
            Setting::Integer(value) => *value as f64,
            Setting::Text(_) => unreachable!("the option {name} is text"),
        }
    }

    /// A whole number.
    pub fn integer(&self, name: &str) -> i64 {
        match self.get(name) {
            Setting::Integer(value) => *value,
            _ => unreachable!("the option {name} is no whole number"),
        }
    }

    /// A word or text.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Setting::Text(value) => value,
            _ => unreachable!("the option {name} is a number"),
        }
    }
}

impl Kind {
    fn read(self, text: &str) -> Option<Setting> {
        match self {
            Kind::Integer { least, most } => {
                text.parse().ok().filter(|n| (least..=most).contains(n)).map(Setting::Integer)
            }
            Kind::Real { least, most } => {
                text.parse().ok().filter(|n| (least..=most).contains(n)).map(Setting::Real)
            }
            Kind::Word(words) => {
                words.iter().find(|word| **word == text).map(|word| Setting::Text(word.to_string()))
            }
            Kind::Text(_) => Some(Setting::Text(text.to_string())),
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Integer { least, most } => write!(f, "a whole number from {least} to {most}"),
            Kind::Real { least, most } => write!(f, "a number from {least} to {most}"),
            Kind::Word(words) => write!(f, "one of {}", words.join(", ")),
            Kind::Text(form) => f.write_str(form),
        }
    }
}

/// The start of a text that somebody wrote, for a message.
fn clip(text: &str) -> String {
    text.chars().take(64).collect()
}
