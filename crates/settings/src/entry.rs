//! Strategies by name. A new one is one file and one line in the list of its kind.

use std::collections::BTreeSet;

use crate::error::{SettingsError, unknown_name};
use crate::options::{Composition, Options};
use crate::parameter::Parameter;
use crate::part::{Part, Value};

/// A strategy: what people read about it and how it is made.
pub struct Entry<T: ?Sized + 'static, C: 'static = ()> {
    /// Its name in settings.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// The published work it comes from.
    pub source: &'static str,
    /// Its options.
    pub parameters: &'static [Parameter],
    /// Makes it from its options.
    pub build: fn(&mut Options<'_, C>) -> Result<Box<T>, SettingsError>,
}

/// Makes the strategy called `name` of the list for `key`.
pub fn build<T: ?Sized, C>(
    key: &str,
    entries: &[Entry<T, C>],
    name: &str,
    options: &mut Options<'_, C>,
) -> Result<Box<T>, SettingsError> {
    match entries.iter().find(|entry| entry.name == name) {
        Some(entry) => (entry.build)(options),
        None => {
            let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
            Err(unknown_name(key, name, &names))
        }
    }
}

/// Builds an entry with at most one option given and returns the options it asked for.
fn asked<T: ?Sized, C: Default>(
    entry: &Entry<T, C>,
    option: Option<(&str, Value)>,
) -> Result<BTreeSet<&'static str>, SettingsError> {
    let mut part = Part::named(entry.name);
    if let Some((key, value)) = option {
        part = part.with(key, value);
    }
    let mut composition = Composition::default();
    let mut options = Options::new(&part, &mut composition);
    (entry.build)(&mut options)?;
    Ok(options.asked().iter().copied().collect())
}

/// The first fault of a list of strategies, for tests: an option that is read but not listed or listed
/// but not read, a default out of bounds, a text that is missing, a name that is not unique.
pub fn fault<T: ?Sized, C: Default>(entries: &[Entry<T, C>]) -> Option<String> {
    let mut names = BTreeSet::new();
    for entry in entries {
        let name = entry.name;
        let mut read = match asked(entry, None) {
            Ok(read) => read,
            Err(error) => return Some(error.to_string()),
        };
        for parameter in entry.parameters {
            for word in parameter.words() {
                match asked(entry, Some((parameter.name, Value::from(*word)))) {
                    Ok(more) => read.extend(more),
                    Err(error) => return Some(error.to_string()),
                }
            }
            if !parameter.allows(parameter.default) || parameter.sentence.is_empty() {
                return Some(format!("{name}: {} has no sound record", parameter.name));
            }
        }
        let listed: BTreeSet<&str> = entry.parameters.iter().map(|p| p.name).collect();
        if listed != read || listed.len() != entry.parameters.len() {
            return Some(format!("{name} lists {listed:?} and reads {read:?}"));
        }
        if entry.sentence.is_empty() || entry.source.is_empty() || !names.insert(name) {
            return Some(format!("{name} has no sentence, no source, or its name is taken"));
        }
    }
    None
}
