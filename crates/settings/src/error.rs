//! What can be wrong with settings.

use crate::nearest::{did_you_mean, nearest};

/// What is wrong with settings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// A key that the part does not have.
    #[error("`{part}` has no option `{key}`{}", did_you_mean(nearest.as_deref()))]
    UnknownKey {
        /// The part it was given to.
        part: String,
        /// The key.
        key: String,
        /// The nearest key there is.
        nearest: Option<String>,
    },
    /// A name that does not exist.
    #[error("`{key}` knows no `{name}`; there are: {known}{}", did_you_mean(nearest.as_deref()))]
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
    /// An option that is given more than once.
    #[error("`{key}` of `{part}` is given twice")]
    Twice {
        /// The part.
        part: String,
        /// The option.
        key: String,
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
    /// Two settings that cannot stand beside each other.
    #[error("`{first}` and `{second}` of `{part}` exclude each other: {reason}; leave one out")]
    Excluded {
        /// The part.
        part: String,
        /// One setting.
        first: String,
        /// The other.
        second: String,
        /// Why.
        reason: &'static str,
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

/// The error for an option that a part does not have.
pub fn unknown_key<'n>(
    part: &str,
    key: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> SettingsError {
    SettingsError::UnknownKey {
        part: part.to_owned(),
        key: key.to_owned(),
        nearest: nearest(key, known).map(str::to_owned),
    }
}

/// The error for a value that an option cannot have. Long values are cut.
pub fn bad_value(
    part: &str,
    key: &str,
    wanted: impl Into<String>,
    value: impl ToString,
) -> SettingsError {
    SettingsError::BadValue {
        part: part.to_owned(),
        key: key.to_owned(),
        wanted: wanted.into(),
        value: value.to_string().chars().take(200).collect(),
    }
}

/// The error for a name that is none of `names`.
pub fn unknown_name(key: &str, name: &str, names: &[&str]) -> SettingsError {
    SettingsError::UnknownName {
        key: key.to_owned(),
        name: name.to_owned(),
        nearest: nearest(name, names.iter().copied()).map(str::to_owned),
        known: names.join(", "),
    }
}
