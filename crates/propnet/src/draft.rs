//! A network in the making: anything may be said in any order, nothing is promised yet.

use crate::lists::Lists;
use crate::names::Names;
use crate::network::{NodeId, Part};

/// Components as a builder or a text gives them. [`crate::initialise`] makes a network of it.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The names of the roles in order.
    pub roles: Vec<String>,
    /// The names of propositions.
    pub names: Names,
    /// The components, without their inputs.
    pub parts: Vec<Part>,
    /// The inputs of each component; may name components that come later.
    pub inputs: Lists,
}

impl Draft {
    /// Adds a component.
    pub fn add(&mut self, part: Part, inputs: impl IntoIterator<Item = NodeId>) -> NodeId {
        self.parts.push(part);
        self.inputs.push(inputs);
        NodeId(self.parts.len() as u32 - 1)
    }
}
