//! What can be wrong with a space of parameters.

use gamegrove_settings::did_you_mean;

use crate::{Kind, Value};

/// The reason why parameters and rules do not make a space, or values no combination of it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// Nothing to tune.
    #[error("no parameters; name at least one")]
    Empty,
    /// More parameters than a space may have.
    #[error(
        "{count} parameters are too many to tune together; at most {} are possible",
        crate::space::MAX_PARAMETERS
    )]
    TooManyParameters {
        /// Their number.
        count: usize,
    },
    /// A name that could not be written in a description of an agent.
    #[error("`{parameter}` is not a name for a parameter; use letters, digits and `_`")]
    BadName {
        /// The name.
        parameter: String,
    },
    /// The same parameter twice.
    #[error("the parameter `{parameter}` is listed twice; remove one")]
    RepeatedParameter {
        /// Its name.
        parameter: String,
    },
    /// A discrete domain without values.
    #[error("the parameter `{parameter}` has no values; list some or divide its range into a grid")]
    NoValues {
        /// Its name.
        parameter: String,
    },
    /// A discrete domain that is too long.
    #[error(
        "the parameter `{parameter}` has {count} values; at most {} are possible",
        crate::parameter::MAX_VALUES
    )]
    TooManyValues {
        /// Its name.
        parameter: String,
        /// The number of values.
        count: usize,
    },
    /// A value of another kind, or not-a-number.
    #[error("`{value}` is not a value of the parameter `{parameter}`, which is {kind}")]
    WrongKind {
        /// The parameter's name.
        parameter: String,
        /// The value.
        value: Value,
        /// The expected kind.
        kind: Kind,
    },
    /// The same value twice.
    #[error("the value `{value}` of the parameter `{parameter}` is listed twice; remove one")]
    RepeatedValue {
        /// The parameter's name.
        parameter: String,
        /// The value.
        value: Value,
    },
    /// An interval without inside.
    #[error(
        "the range {least} to {most} of the parameter `{parameter}` is empty or endless; both ends must be finite and the first the smaller"
    )]
    BadRange {
        /// The parameter's name.
        parameter: String,
        /// One end.
        least: f64,
        /// The other end.
        most: f64,
    },
    /// A continuous strategy met a parameter without an interval.
    #[error(
        "the parameter `{parameter}` has no continuous range; give it one or use a discrete strategy"
    )]
    NoRange {
        /// The parameter's name.
        parameter: String,
    },
    /// A rule whose parts depend on more than one switch.
    #[error(
        "the rules make `{parameter}` depend on more than one parameter, or on one that is itself switched; only one switch per parameter is possible"
    )]
    TangledRules {
        /// The parameter that is switched twice, or is both switch and switched.
        parameter: String,
    },
    /// More values than a switch may have.
    #[error(
        "the parameter `{parameter}` switches others and has {count} values; a switch may have at most 64"
    )]
    WideSwitch {
        /// The switch.
        parameter: String,
        /// The number of values.
        count: usize,
    },
    /// A parameter and what it switches have too many combinations to count.
    #[error(
        "the parameter `{parameter}` and those it switches off have more than 2^63 combinations; list fewer values"
    )]
    TooLarge {
        /// The switch.
        parameter: String,
    },
    /// A name that no parameter has.
    #[error("unknown parameter `{parameter}`{}", did_you_mean(nearest.as_deref()))]
    UnknownParameter {
        /// The name.
        parameter: String,
        /// The nearest parameter.
        nearest: Option<String>,
    },
    /// A value that the parameter does not list.
    #[error("`{value}` is none of the values of `{parameter}`; these are {}", list(choices))]
    UnknownValue {
        /// The parameter's name.
        parameter: String,
        /// The given text.
        value: String,
        /// The possible values.
        choices: Vec<Value>,
    },
    /// A combination that leaves a parameter open.
    #[error("the parameter `{parameter}` has no value; add `{parameter}=...`")]
    MissingValue {
        /// Its name.
        parameter: String,
    },
    /// A combination that the rules forbid.
    #[error(
        "`{combination}` is not legal: a parameter is `unset` exactly where another switches it off"
    )]
    Illegal {
        /// The combination.
        combination: String,
    },
}

/// The values one after the other; long lists are cut.
fn list(values: &[Value]) -> String {
    let mut text: Vec<String> = values.iter().take(20).map(Value::to_string).collect();
    if values.len() > 20 {
        text.push(format!("and {} more", values.len() - 20));
    }
    text.join(" ")
}
