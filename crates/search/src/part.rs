//! Settings whose parts share the tables of one search.

pub(crate) use gamegrove_settings::unknown_key;
pub use gamegrove_settings::{Part, SettingsError, Value, unknown_name};

use crate::learn::Tables;

/// What all parts of one search share while it is composed.
pub type Composition = gamegrove_settings::Composition<Tables>;

/// Reads the options of one part of a search.
pub type Options<'a> = gamegrove_settings::Options<'a, Tables>;
