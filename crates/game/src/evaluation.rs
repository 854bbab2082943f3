//! States before the end, rated by weights [Fernandes 2013, 2.4].

use crate::Role;

/// Rates states by weights that were chosen or tuned. The game defines what a weight stands for, and the
/// scale of a rating.
pub trait Evaluation<S>: Send {
    /// Names of the weights.
    fn weight_names(&self) -> Vec<String>;

    /// The rating of `state` for `role` with these weights, in the order of their names.
    fn value(&mut self, state: &S, role: Role, weights: &[f64]) -> f64;
}
