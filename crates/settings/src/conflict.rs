//! Settings that exclude each other.
//!
//! Only settings that are given can: a default gives way to what is given, without a word.

use crate::error::SettingsError;
use crate::parameter::{Kind, Parameter};
use crate::part::{Part, Value};

/// A setting that a parameter cannot stand beside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conflict {
    key: &'static str,
    /// The value that is excluded; empty: all that ask for something.
    value: &'static str,
    reason: &'static str,
}

impl Conflict {
    /// The conflict with one value of another setting.
    pub const fn with(key: &'static str, value: &'static str, reason: &'static str) -> Conflict {
        Conflict { key, value, reason }
    }

    /// The conflict with all values of another setting but the one that asks for nothing.
    pub const fn with_any(key: &'static str, reason: &'static str) -> Conflict {
        Conflict { key, value: "", reason }
    }

    /// The setting that is excluded.
    pub fn excluded(&self) -> String {
        if self.value.is_empty() {
            self.key.to_owned()
        } else {
            format!("{}={}", self.key, self.value)
        }
    }
}

impl Parameter {
    /// Whether a value asks for something: a flag that is set, or another value than the default.
    fn asks(&self, value: &Value) -> bool {
        match (self.kind, value) {
            (Kind::Flag, value) => *value == Value::Flag(true),
            (_, Value::Part(part)) => part.name != self.default_text(),
            (_, value) => value.to_string() != self.default_text(),
        }
    }
}

type Given<'a> = (&'a str, &'a Value);

/// Why `first` excludes `second`, by the record of the first.
fn reason(parameters: &[Parameter], first: Given<'_>, second: Given<'_>) -> Option<&'static str> {
    let record = |key: &str| parameters.iter().find(|parameter| parameter.name == key);
    let parameter = record(first.0).filter(|parameter| parameter.asks(first.1))?;
    let is_meant = |conflict: &&Conflict| {
        let value = match second.1 {
            Value::Part(part) => part.name.clone(),
            other => other.to_string(),
        };
        let asks = || record(second.0).is_some_and(|parameter| parameter.asks(second.1));
        conflict.key == second.0
            && if conflict.value.is_empty() { asks() } else { conflict.value == value }
    };
    parameter.conflicts.iter().find(is_meant).map(|conflict| conflict.reason)
}

/// Refuses a part with two options that exclude each other.
pub fn exclusions(part: &Part, parameters: &[Parameter]) -> Result<(), SettingsError> {
    for first in &part.options {
        for second in &part.options {
            let given = ((&*first.0, &first.1), (&*second.0, &second.1));
            if let Some(reason) = reason(parameters, given.0, given.1) {
                return Err(SettingsError::Excluded {
                    part: part.name.clone(),
                    first: format!("{}={}", first.0, first.1),
                    second: format!("{}={}", second.0, second.1),
                    reason,
                });
            }
        }
    }
    Ok(())
}

/// Sets an option. Options that exclude it are removed, as they were chosen without it.
pub fn set_over(part: &mut Part, key: &str, value: Value, parameters: &[Parameter]) {
    let new = (key, &value);
    part.options.retain(|(other, old)| {
        let old = (&**other, old);
        reason(parameters, new, old).is_none() && reason(parameters, old, new).is_none()
    });
    match part.options.iter_mut().find(|(known, _)| known == key) {
        Some((_, old)) => *old = value,
        None => part.options.push((key.to_owned(), value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::parse;

    const LIST: &[Parameter] = &[
        Parameter::word("tree", &["closed", "open"], "what nodes stand for"),
        Parameter::word("solver", &["off", "select"], "whether positions are proved").excluded_by(
            &[
                Conflict::with("tree", "open", "nodes have no states"),
                Conflict::with_any("expand", "moves are missing"),
            ],
        ),
        Parameter::flag("lanes", true, "many at once").excluded_by(&[Conflict::with(
            "tree",
            "open",
            "states are played anew",
        )]),
        Parameter::part("expand", "all", "which moves"),
    ];

    #[test]
    fn settings_that_exclude_each_other_are_named() {
        let message = |text: &str| {
            exclusions(&parse(text).unwrap(), LIST).err().map(|error| error.to_string())
        };
        let both = "`solver=select` and `tree=open` of `mcts` exclude each other: nodes have no states; \
                    leave one out";
        assert_eq!(message("mcts(solver=select, tree=open)"), Some(both.to_owned()));
        assert_eq!(message("mcts(tree=open, solver=select)"), Some(both.to_owned()));
        assert!(message("mcts(tree=open, lanes=true)").is_some());
        assert!(message("mcts(solver=select, expand=groups(n=1))").is_some());
        for text in [
            "mcts(tree=open)",
            "mcts(tree=open, lanes=false, solver=off)",
            "mcts(tree=closed, solver=select, expand=all)",
        ] {
            assert_eq!(message(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_set_later_wins() {
        let mut part = parse("mcts(solver=select, lanes=true, expand=all)").unwrap();
        set_over(&mut part, "tree", "open".into(), LIST);
        assert_eq!(part.to_string(), "mcts(expand=all, tree=open)");
        set_over(&mut part, "solver", "select".into(), LIST);
        assert_eq!(part.to_string(), "mcts(expand=all, solver=select)");
        set_over(&mut part, "solver", "off".into(), LIST);
        assert_eq!(part.to_string(), "mcts(expand=all, solver=off)");
    }
}
