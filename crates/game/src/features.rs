//! States as sets of numbered features, for strategies that learn about them.

use crate::{Move, Role};

/// The names behind the numbers.
pub trait FeatureNames: Send {
    /// The text of a feature, such as `(cell 1 1 b)`.
    fn feature_name(&mut self, feature: u32) -> String;

    /// The text of a move of `role`.
    fn move_name(&mut self, role: Role, mov: Move) -> String;
}

/// Tells which features hold in a state. A feature is a number that means the same in every state;
/// for games written as rules it is a fact.
pub trait Features<S>: FeatureNames {
    /// Writes the features that hold in `state` to `features`, replacing what it held.
    fn read(&mut self, state: &S, features: &mut Vec<u32>);
}
