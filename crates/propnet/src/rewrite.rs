//! How a pass says what it wants, and the new network that comes of it.
//!
//! Passes never touch edges: they say which components go and what the readers of a component shall
//! read instead. One sweep then writes the new network, so a pass takes time in proportion to the
//! network however long the lists of readers are.

use std::sync::Arc;

use gamegrove_gdl::{LimitHit, Meter};
use rustc_hash::FxHashMap;

use crate::kind::Kind;
use crate::lists::Lists;
use crate::names::NameId;
use crate::network::{Network, NodeId};

/// The changes of one pass.
pub(crate) struct Rewrite<'a> {
    network: &'a Network,
    /// The component that readers of a component read in its place; roots stand for themselves.
    stand_ins: Vec<NodeId>,
    dropped: Vec<bool>,
    /// Components that are cut off from their inputs and read this instead.
    pub attached: FxHashMap<NodeId, NodeId>,
    /// Whether a TRUE below an AND and a FALSE below an OR are left out.
    pub leave_out_neutral: bool,
    /// Facts that lose their bit because they always hold.
    pub fixed_facts: Vec<NameId>,
}

impl<'a> Rewrite<'a> {
    pub fn new(network: &'a Network) -> Self {
        Rewrite {
            network,
            stand_ins: network.nodes().collect(),
            dropped: vec![false; network.len()],
            attached: FxHashMap::default(),
            leave_out_neutral: false,
            fixed_facts: network.fixed_facts().to_vec(),
        }
    }

    /// Removes a component.
    pub fn drop(&mut self, node: NodeId) {
        self.dropped[node.index()] = true;
    }

    /// Lets the readers of `node` read `other`; `false`, and nothing done, if `other` itself reads
    /// from `node` in this way.
    pub fn redirect(&mut self, node: NodeId, other: NodeId) -> bool {
        let root = self.stand_in(other);
        if root == node {
            return false;
        }
        self.stand_ins[node.index()] = root;
        true
    }

    /// Lets the readers of `node` read a constant.
    pub fn fix(&mut self, node: NodeId, value: bool) {
        self.stand_ins[node.index()] = NodeId::constant(value);
    }

    /// The component that readers of `node` read in the end.
    pub fn stand_in(&mut self, mut node: NodeId) -> NodeId {
        loop {
            let next = self.stand_ins[node.index()];
            let after = self.stand_ins[next.index()];
            if next == after {
                return next;
            }
            // Shorten the way for the next call.
            self.stand_ins[node.index()] = after;
            node = after;
        }
    }

    /// The network with the changes made.
    pub fn apply(mut self, meter: &mut Meter) -> Result<Network, LimitHit> {
        let network = self.network;
        // The old one, the new one.
        let bytes = 2 * network.bytes();
        let mut places = Vec::with_capacity(network.len());
        let mut parts = Vec::new();
        for node in network.nodes() {
            places.push(NodeId(parts.len() as u32));
            if !self.dropped[node.index()] {
                parts.push(network.part(node));
            }
        }
        let mut inputs = Lists::default();
        let mut seen = vec![u32::MAX; network.len()];
        let mut list = Vec::new();
        for node in network.nodes() {
            meter.step(|| bytes)?;
            if self.dropped[node.index()] {
                continue;
            }
            let neutral = match network.kind(node) {
                Kind::And if self.leave_out_neutral => Some(NodeId::TRUE),
                Kind::Or if self.leave_out_neutral => Some(NodeId::FALSE),
                _ => None,
            };
            list.clear();
            match self.attached.get(&node) {
                Some(&constant) => list.push(constant),
                None => list.extend_from_slice(network.inputs(node)),
            }
            list.retain_mut(|input| {
                *input = self.stand_in(*input);
                debug_assert!(!self.dropped[input.index()], "a component reads one that is gone");
                let known = std::mem::replace(&mut seen[input.index()], node.0) == node.0;
                !known && Some(*input) != neutral
            });
            inputs.push(list.iter().map(|input| places[input.index()]));
        }
        let (names, roles) = (Arc::clone(network.names()), Arc::clone(network.role_names()));
        Ok(Network::assemble(parts, inputs, names, roles, self.fixed_facts))
    }
}
