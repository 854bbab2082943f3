//! Strategies by name. A new one is one file and one line in the list of its kind.

use crate::parameter::Parameter;
use crate::part::{Options, SettingsError, unknown_name};

/// A strategy: what people read about it and how it is made.
pub struct Entry<T: ?Sized + 'static> {
    /// Its name in settings.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// Where it is specified.
    pub source: &'static str,
    /// Its numbers.
    pub parameters: &'static [Parameter],
    /// Makes it from its options.
    pub build: fn(&mut Options<'_>) -> Result<Box<T>, SettingsError>,
}

/// Makes the strategy called `name` of the list for `key`.
pub(crate) fn build<T: ?Sized>(
    key: &str,
    entries: &[Entry<T>],
    name: &str,
    options: &mut Options<'_>,
) -> Result<Box<T>, SettingsError> {
    match entries.iter().find(|entry| entry.name == name) {
        Some(entry) => (entry.build)(options),
        None => {
            let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
            Err(unknown_name(key, name, &names))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::parameter::Kind;
    use crate::part::{Composition, Part, Value};

    /// Builds an entry with one option other than its default and tells what it asked for.
    fn asked<T: ?Sized>(entry: &Entry<T>, option: Option<(&str, Value)>) -> Vec<&'static str> {
        let mut part = Part::named(entry.name);
        if let Some((key, value)) = option {
            part = part.with(key, value);
        }
        let mut composition = Composition::default();
        let mut options = Options::new(&part, &mut composition);
        let built = (entry.build)(&mut options);
        assert!(built.is_ok(), "{part}: {:?}", built.err());
        options.asked().to_vec()
    }

    #[track_caller]
    fn is_complete<T: ?Sized>(entries: &[Entry<T>]) {
        for entry in entries {
            let mut all: BTreeSet<&str> = asked(entry, None).into_iter().collect();
            for parameter in entry.parameters {
                if let Kind::Word(words) = parameter.kind {
                    for word in words {
                        all.extend(asked(entry, Some((parameter.name, Value::from(*word)))));
                    }
                }
            }
            let listed: BTreeSet<&str> = entry.parameters.iter().map(|p| p.name).collect();
            assert_eq!(all, listed, "options of {}", entry.name);
            assert_eq!(listed.len(), entry.parameters.len(), "{} lists one twice", entry.name);
            for parameter in entry.parameters {
                assert!(parameter.allows(parameter.default), "{} {}", entry.name, parameter.name);
                assert!(!parameter.sentence.is_empty());
            }
            assert!(!entry.sentence.is_empty() && !entry.source.is_empty(), "{}", entry.name);
        }
        let names: BTreeSet<&str> = entries.iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), entries.len(), "names are unique");
    }

    #[test]
    fn every_entry_lists_exactly_its_options() {
        is_complete(crate::SELECTIONS);
        is_complete(crate::POLICIES);
        is_complete(crate::CUTOFFS);
        is_complete(crate::TACTICS);
        is_complete(crate::EXPANSIONS);
        is_complete(crate::ENDGAMES);
        is_complete(crate::ROLLOUTS);
        is_complete(crate::VALUES);
    }
}
