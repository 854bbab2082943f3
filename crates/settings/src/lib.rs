//! Settings as data: one record per parameter, one-line specs and TOML, errors with the nearest name.
//!
//! A [`Part`] is a name with options, such as `grave(c=0.2, ref=50)`. [`spec`] reads it from one line and
//! [`Section`] from TOML. [`Options`] hands the options of a part to the code that they are for. That code
//! has a [`Parameter`] for each, the only place with its name, range, default and description.
//!
//! ```
//! use gamegrove_settings::{Composition, Options, Parameter, spec};
//!
//! const C: Parameter = Parameter::real("c", 0.7, (0.0, 10.0), "how much is explored");
//!
//! let read = |text: &str| {
//!     let part = spec::parse(text).unwrap();
//!     let mut composition = Composition::<()>::default();
//!     let mut options = Options::new(&part, &mut composition);
//!     let c = options.number(&C)?;
//!     options.finish()?;
//!     Ok::<f64, gamegrove_settings::SettingsError>(c)
//! };
//! assert_eq!(read("uct(c=0.4)"), Ok(0.4));
//! let error = read("uct(k=0.4)").unwrap_err();
//! assert_eq!(error.to_string(), "`uct` has no option `k`; did you mean `c`?");
//! ```
//!
//! `part` has the data, `parameter` the records, `options` and `record` the readers, `table` the macro for code with many options, `section` the reader of TOML files, `entry` lists of strategies by name,
//! `conflict` what excludes each other, `error` what can be wrong, and `nearest` the search for the name that was meant.

mod conflict;
mod entry;
mod error;
mod nearest;
mod options;
mod parameter;
mod part;
mod record;
mod section;
pub mod spec;
mod table;
pub mod toml;

pub use conflict::{Conflict, exclusions, set_over};
pub use entry::{Entry, build, fault};
pub use error::{SettingsError, bad_value, unknown_key, unknown_name};
pub use nearest::{did_you_mean, nearest, nearest_names};
pub use options::{Composition, Options};
pub use parameter::{Declarations, Declared, Kind, Parameter, ParameterId};
pub use part::{Part, Value};
pub use record::Record;
pub use section::{MAX_TEXT, Section, TextError, read_text};
#[doc(hidden)]
pub use table::read_with;
