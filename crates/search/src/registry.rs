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
