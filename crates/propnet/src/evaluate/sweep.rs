//! The plainest engine: every component once, in order; cycles until nothing changes.
//!
//! The part that depends on the state alone is swept when the state changes, the rest when moves
//! are made.

use std::sync::Arc;

use gamegrove_game::{Move, Role};

use super::{Evaluator, put};
use crate::invariants::{Flaw, answers_read_no_moves, no_negation_in_cycles, reads_moves};
use crate::kind::Kind;
use crate::network::{Network, NodeId};
use crate::order::Order;

/// Evaluates all components in order.
#[derive(Clone, Debug)]
pub struct Sweep {
    shared: Arc<Shared>,
    values: Vec<bool>,
    state: Option<Vec<u64>>,
    answer: Vec<u64>,
}

#[derive(Debug)]
struct Shared {
    network: Arc<Network>,
    order: Order,
    reads_moves: Vec<bool>,
}

impl Sweep {
    /// Evaluates the groups that read moves, or those that do not.
    fn sweep(&mut self, reads_moves: bool) {
        let shared = Arc::clone(&self.shared);
        for (members, cyclic) in shared.order.groups() {
            if shared.reads_moves[members[0].index()] != reads_moves {
                continue;
            }
            if !cyclic {
                self.evaluate(&shared.network, members[0]);
                continue;
            }
            members.iter().for_each(|node| self.values[node.index()] = false);
            loop {
                let mut changed = false;
                for &node in members {
                    changed |= self.evaluate(&shared.network, node);
                }
                if !changed {
                    break;
                }
            }
        }
    }

    /// Evaluates one component; whether it changed.
    fn evaluate(&mut self, network: &Network, node: NodeId) -> bool {
        let mut inputs = network.inputs(node).iter().map(|input| self.values[input.index()]);
        let value = match network.kind(node) {
            Kind::True => true,
            Kind::False => false,
            // Written from outside.
            Kind::Base | Kind::Input => self.values[node.index()],
            Kind::And => inputs.all(|value| value),
            Kind::Or => inputs.any(|value| value),
            Kind::Not => !inputs.all(|value| value),
            _ => inputs.all(|value| value),
        };
        std::mem::replace(&mut self.values[node.index()], value) != value
    }

    fn look_at(&mut self, state: &[u64]) {
        if self.state.as_deref() == Some(state) {
            return;
        }
        let network = Arc::clone(&self.shared.network);
        for (bit, base) in network.bases().iter().enumerate() {
            self.values[base.index()] = state[bit / 64] >> (bit % 64) & 1 == 1;
        }
        self.sweep(false);
        self.state = Some(state.to_vec());
    }

    fn collect(&mut self, nodes: impl ExactSizeIterator<Item = NodeId>) {
        self.answer.clear();
        self.answer.resize(nodes.len().div_ceil(64), 0);
        for (at, node) in nodes.enumerate() {
            put(&mut self.answer, at, self.values[node.index()]);
        }
    }
}

impl Evaluator for Sweep {
    fn new(network: &Arc<Network>) -> Result<Self, Flaw> {
        let order = Order::new(network);
        no_negation_in_cycles(network, &order)?;
        answers_read_no_moves(network, &order)?;
        let reads_moves = reads_moves(network, &order);
        let network = Arc::clone(network);
        let values = vec![false; network.len()];
        let shared = Arc::new(Shared { network, order, reads_moves });
        Ok(Sweep { shared, values, state: None, answer: Vec::new() })
    }

    fn is_terminal(&mut self, state: &[u64]) -> bool {
        self.look_at(state);
        self.values[self.shared.network.terminal().index()]
    }

    fn legal(&mut self, state: &[u64], role: Role) -> &[u64] {
        self.look_at(state);
        let network = Arc::clone(&self.shared.network);
        self.collect(network.moves(role.index()).iter().map(|line| line.legal));
        &self.answer
    }

    fn goals(&mut self, state: &[u64], role: Role) -> &[u64] {
        self.look_at(state);
        let network = Arc::clone(&self.shared.network);
        self.collect(network.goals(role.index()).iter().map(|line| line.node));
        &self.answer
    }

    fn next(&mut self, state: &[u64], joint: &[Move], next: &mut [u64]) {
        self.look_at(state);
        let network = Arc::clone(&self.shared.network);
        for role in 0..network.roles().len() {
            for (at, line) in network.moves(role).iter().enumerate() {
                let made = joint.get(role).is_some_and(|mov| mov.index() == at);
                self.values[line.input.index()] = made;
            }
        }
        self.sweep(true);
        next.fill(0);
        for (bit, &base) in network.bases().iter().enumerate() {
            put(next, bit, self.values[network.transition(base).index()]);
        }
    }
}
