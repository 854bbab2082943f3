//! What a family is, and how arguments become a rulesheet.

use gamegrove_settings::{Parameter, Part, Record, SettingsError};
use thiserror::Error;

/// Games that differ in a few numbers and choices.
#[derive(Debug)]
pub struct Family {
    /// Its name, in words joined by hyphens.
    pub name: &'static str,
    /// A description of its games, in a sentence.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Writes the rulesheet.
    pub(crate) write: fn(&Record) -> Result<String, FamilyError>,
}

/// Why a rulesheet cannot be written.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FamilyError {
    /// An argument that the family does not have, or not with this value.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Each is fine, but not all together.
    #[error("{0}")]
    Together(String),
}

impl Family {
    /// Writes the rulesheet of the game with these arguments, given as name and text; what is not
    /// given has its default.
    pub fn make(&self, arguments: &[(&str, &str)]) -> Result<String, FamilyError> {
        let part = Part::from_texts(self.name, arguments)?;
        (self.write)(&Record::read(&part, self.parameters)?)
    }
}
