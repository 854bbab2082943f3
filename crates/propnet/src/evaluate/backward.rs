//! On demand: only what an answer depends on is evaluated, and remembered until the state or the
//! moves change (`propnets.md` 6.3).
//!
//! Instead of clearing what is remembered, every value carries the number of the epoch it was found
//! in. There are two clocks: components that depend on the state alone keep their values when only
//! the moves change.

use std::sync::Arc;

use gamegrove_game::{Move, Role};

use super::{Evaluator, put};
use crate::invariants::{Flaw, answers_read_no_moves, no_negation_in_cycles, reads_moves};
use crate::kind::Kind;
use crate::network::{Network, NodeId};
use crate::order::Order;

/// Evaluates what is asked for.
#[derive(Clone, Debug)]
pub struct Backward {
    shared: Arc<Shared>,
    values: Vec<bool>,
    /// When each value was found.
    stamps: Vec<u64>,
    /// The epochs of the state and of the moves; a stamp is good if it is not older.
    state_epoch: u64,
    moves_epoch: u64,
    clock: u64,
    state: Option<Vec<u64>>,
    made: Vec<NodeId>,
    /// Components being evaluated, each with how many of its inputs have been looked at.
    stack: Vec<(NodeId, u32)>,
    answer: Vec<u64>,
}

#[derive(Debug)]
struct Shared {
    network: Arc<Network>,
    order: Order,
    reads_moves: Vec<bool>,
}

impl Backward {
    fn is_known(&self, node: NodeId) -> bool {
        let epoch =
            if self.shared.reads_moves[node.index()] { self.moves_epoch } else { self.state_epoch };
        self.stamps[node.index()] >= epoch
    }

    fn learn(&mut self, node: NodeId, value: bool) {
        self.values[node.index()] = value;
        self.stamps[node.index()] = self.clock;
    }

    /// The value of a component.
    fn ask(&mut self, node: NodeId) -> bool {
        let shared = Arc::clone(&self.shared);
        self.stack.push((node, 0));
        while let Some(&(top, looked)) = self.stack.last() {
            if self.is_known(top) {
                self.stack.pop();
                continue;
            }
            let group = shared.order.group(top);
            if shared.order.is_cyclic(group) {
                self.cycle(&shared, group);
            } else {
                self.component(&shared.network, top, looked);
            }
        }
        self.values[node.index()]
    }

    /// Evaluates the component on top of the stack, or puts the input that it waits for above it.
    fn component(&mut self, network: &Network, node: NodeId, looked: u32) {
        // The value of an input that decides, and what it decides for.
        let (decides, result) = match network.kind(node) {
            Kind::Or => (true, true),
            Kind::Not => (true, false),
            _ => (false, false),
        };
        for (at, &input) in network.inputs(node).iter().enumerate().skip(looked as usize) {
            if !self.is_known(input) {
                if let Some(top) = self.stack.last_mut() {
                    top.1 = at as u32;
                }
                self.stack.push((input, 0));
                return;
            }
            if self.values[input.index()] == decides {
                self.learn(node, result);
                return;
            }
        }
        self.learn(node, !result);
    }

    /// Evaluates all components of a cycle, or puts the outside inputs it waits for on the stack.
    fn cycle(&mut self, shared: &Shared, group: u32) {
        let network = &shared.network;
        let members = shared.order.members(group);
        let height = self.stack.len();
        for &node in members {
            for &input in network.inputs(node) {
                if shared.order.group(input) != group && !self.is_known(input) {
                    self.stack.push((input, 0));
                }
            }
        }
        if self.stack.len() > height {
            return;
        }
        members.iter().for_each(|&node| self.learn(node, false));
        loop {
            let mut changed = false;
            for &node in members {
                let mut inputs = network.inputs(node).iter().map(|i| self.values[i.index()]);
                let value = match network.kind(node) {
                    Kind::Or => inputs.any(|value| value),
                    _ => inputs.all(|value| value),
                };
                changed |= std::mem::replace(&mut self.values[node.index()], value) != value;
            }
            if !changed {
                return;
            }
        }
    }

    fn look_at(&mut self, state: &[u64]) {
        if self.state.as_deref() == Some(state) {
            return;
        }
        self.clock += 1;
        self.state_epoch = self.clock;
        self.moves_epoch = self.clock;
        let network = Arc::clone(&self.shared.network);
        for (bit, &base) in network.bases().iter().enumerate() {
            self.learn(base, state[bit / 64] >> (bit % 64) & 1 == 1);
        }
        self.learn(NodeId::TRUE, true);
        self.learn(NodeId::FALSE, false);
        self.state = Some(state.to_vec());
    }

    fn collect(&mut self, nodes: impl ExactSizeIterator<Item = NodeId>) {
        let mut answer = std::mem::take(&mut self.answer);
        answer.clear();
        answer.resize(nodes.len().div_ceil(64), 0);
        for (at, node) in nodes.enumerate() {
            put(&mut answer, at, self.ask(node));
        }
        self.answer = answer;
    }
}

impl Evaluator for Backward {
    fn new(network: &Arc<Network>) -> Result<Self, Flaw> {
        let order = Order::new(network);
        no_negation_in_cycles(network, &order)?;
        answers_read_no_moves(network, &order)?;
        let reads_moves = reads_moves(network, &order);
        let network = Arc::clone(network);
        Ok(Backward {
            values: vec![false; network.len()],
            stamps: vec![0; network.len()],
            state_epoch: 1,
            moves_epoch: 1,
            clock: 1,
            state: None,
            made: Vec::new(),
            stack: Vec::new(),
            answer: Vec::new(),
            shared: Arc::new(Shared { network, order, reads_moves }),
        })
    }

    fn is_terminal(&mut self, state: &[u64]) -> bool {
        self.look_at(state);
        self.ask(self.shared.network.terminal())
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
        self.clock += 1;
        self.moves_epoch = self.clock;
        for (role, mov) in joint.iter().enumerate().take(network.roles().len()) {
            if let Some(line) = network.moves(role).get(mov.index()) {
                self.made.push(line.input);
            }
        }
        // Only INPUTs that are read are ever looked at; all others are not made.
        for role in 0..network.roles().len() {
            for line in network.moves(role) {
                self.learn(line.input, false);
            }
        }
        while let Some(input) = self.made.pop() {
            self.learn(input, true);
        }
        next.fill(0);
        for (bit, &base) in network.bases().iter().enumerate() {
            let value = self.ask(network.transition(base));
            put(next, bit, value);
        }
    }
}
