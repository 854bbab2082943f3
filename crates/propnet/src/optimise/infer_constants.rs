//! Opt2: infers which components are constant over all reachable play, then removes them
//! [Sironi 2019, 4.2.2].
//!
//! Every component gets the set of values it can take, found by letting values flow from the first
//! state through transitions and from legal moves to moves until nothing new appears. Inputs of a
//! gate are taken to be independent, so the sets are too large rather than too small. Every move is
//! supposed to be possibly not made.
//!
//! The published algorithm does not treat recursive relations. They need care in two places.
//!
//! - The members of a cycle fall together, once nothing outside supports them. An OR that waited
//!   for a member of its own cycle would never be decided and would count as constant, so it waits
//!   only for its inputs outside the cycle.
//! - A value set that stays empty belongs to a cycle without support, or to what is read from one.
//!   Such a cycle never holds, and from there values flow on. (To read every empty set as "never
//!   holds" would be wrong behind a negation.)

use gamegrove_gdl::{LimitHit, Meter};
use rustc_hash::FxHashMap;

use crate::kind::Kind;
use crate::network::{Network, NodeId};
use crate::optimise::{Pass, remove_constants};
use crate::order::Order;
use crate::rewrite::Rewrite;

/// The network without components that are constant in all reachable states.
pub fn infer_constants(network: &Network) -> Network {
    Pass::InferConstants.run(network)
}

pub(super) fn within(network: &Network, meter: &mut Meter) -> Result<Network, LimitHit> {
    let values = possible_values(network, meter)?;
    let mut rewrite = Rewrite::new(network);
    for node in network.nodes().skip(2) {
        let kind = network.kind(node);
        let value = match values[node.index()] {
            TRUE => true,
            FALSE => false,
            _ => continue,
        };
        if kind != Kind::Input {
            // A NOT takes the value opposite to what it reads.
            let read = value != (kind == Kind::Not);
            rewrite.attached.insert(node, NodeId::constant(read));
        }
    }
    remove_constants::within(&rewrite.apply(meter)?, meter)
}

/// A set of truth values.
type Values = u8;
const NONE: Values = 0;
const TRUE: Values = 1;
const FALSE: Values = 2;

fn of(value: bool) -> Values {
    if value { TRUE } else { FALSE }
}

/// The values each component can take in reachable play.
fn possible_values(network: &Network, meter: &mut Meter) -> Result<Vec<Values>, LimitHit> {
    let order = Order::new(network);
    let mut flow = Flow {
        network,
        moves: network.inputs_by_legal(),
        values: vec![NONE; network.len()],
        waiting: network.nodes().map(|node| network.inputs(node).len() as u32).collect(),
        open: vec![(NodeId::TRUE, TRUE), (NodeId::FALSE, FALSE)],
        order: &order,
    };
    for node in network.nodes() {
        let part = network.part(node);
        match part.kind {
            Kind::Input => flow.open.push((node, FALSE)),
            Kind::Base => flow.open.push((node, of(part.initial))),
            Kind::Or => flow.leave_out_own_cycle(node),
            _ => {}
        }
    }
    flow.drain(meter)?;
    if flow.values.contains(&NONE) {
        // What comes first in the order and has no value is part of a cycle without support.
        for &node in order.nodes() {
            if flow.values[node.index()] == NONE {
                flow.take(node, FALSE);
                flow.drain(meter)?;
            }
        }
    }
    Ok(flow.values)
}

struct Flow<'a> {
    network: &'a Network,
    moves: FxHashMap<NodeId, NodeId>,
    order: &'a Order,
    values: Vec<Values>,
    /// How many inputs of a gate have not yet shown the value that the gate needs from all: true
    /// for AND, false for OR.
    waiting: Vec<u32>,
    open: Vec<(NodeId, Values)>,
}

impl Flow<'_> {
    fn same_cycle(&self, a: NodeId, b: NodeId) -> bool {
        let group = self.order.group(a);
        group == self.order.group(b) && self.order.is_cyclic(group)
    }

    /// An OR does not wait for members of its own cycle to fall.
    fn leave_out_own_cycle(&mut self, node: NodeId) {
        let inside = self.network.inputs(node).iter().filter(|&&i| self.same_cycle(node, i));
        let inside = inside.count() as u32;
        self.waiting[node.index()] -= inside;
        if inside > 0 && self.waiting[node.index()] == 0 {
            self.take(node, FALSE);
        }
    }

    fn drain(&mut self, meter: &mut Meter) -> Result<(), LimitHit> {
        let network = self.network;
        while let Some((node, arriving)) = self.open.pop() {
            meter.step(|| network.bytes())?;
            let taken = self.taken(node, arriving);
            self.take(node, taken);
        }
        Ok(())
    }

    /// A component can take these values; tells its readers what is new.
    fn take(&mut self, node: NodeId, values: Values) {
        let new = values & !self.values[node.index()];
        if new == NONE {
            return;
        }
        self.values[node.index()] |= new;
        let network = self.network;
        let in_cycle = self.order.is_cyclic(self.order.group(node));
        for &reader in network.outputs(node) {
            let mut told = new;
            if in_cycle && network.kind(reader) == Kind::Or && self.same_cycle(node, reader) {
                told &= TRUE;
            }
            if told != NONE {
                self.open.push((reader, told));
            }
        }
        if let Some(&input) = self.moves.get(&node) {
            self.open.push((input, new));
        }
    }

    /// The values a component can take now that `arriving` are new at one of its inputs.
    fn taken(&mut self, node: NodeId, arriving: Values) -> Values {
        let needed = match self.network.kind(node) {
            Kind::Not => return (arriving & TRUE) << 1 | (arriving & FALSE) >> 1,
            Kind::And => TRUE,
            Kind::Or => FALSE,
            _ => return arriving,
        };
        let mut taken = arriving & !needed;
        if arriving & needed != NONE {
            self.waiting[node.index()] -= 1;
            if self.waiting[node.index()] == 0 {
                taken |= needed;
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::testing::check;

    #[test]
    fn what_never_changes_is_found_through_transitions() {
        check(
            infer_constants,
            "role r
             (true on) = base t
             (true off) = base u
             t = transition (true on)
             u = transition g
             g = and n (true off)
             n = not (true on)
             terminal = terminal n
             init on",
            "role r
             terminal = terminal false
             ; always on",
        );
    }

    #[test]
    fn a_fact_that_changes_once_is_kept() {
        check(
            infer_constants,
            "role r
             (true started) = base t
             t = transition x
             x = or true (true started)
             terminal = terminal (true started)",
            "role r
             (true started) = base t
             t = transition true
             terminal = terminal (true started)",
        );
    }

    #[test]
    fn a_move_that_never_becomes_legal_goes() {
        check(
            infer_constants,
            "role r
             (does r a) = input
             (does r b) = input
             (legal r a) = legal (true f)
             (legal r b) = legal true
             (true f) = base t
             t = transition (does r a)
             (true g) = base u
             u = transition (does r b)
             terminal = terminal (true g)",
            "role r
             (does r b) = input
             (legal r b) = legal true
             (true g) = base u
             u = transition (does r b)
             terminal = terminal (true g)",
        );
    }

    #[test]
    fn recursion_without_support_never_holds_but_its_negation_does() {
        check(
            infer_constants,
            "role r
             (true f) = base t
             t = transition k
             x = and y (true f)
             y = or x z
             z = and y n
             n = not (true f)
             m = not x
             k = and m n
             terminal = terminal x",
            "role r
             (true f) = base t
             t = transition n
             n = not (true f)
             terminal = terminal false",
        );
    }

    #[test]
    fn a_cycle_that_loses_its_support_falls() {
        let net = "role r
             (true f) = base t
             t = transition false
             g = or (true f) h
             h = or g
             terminal = terminal h
             init f";
        check(infer_constants, net, net);
    }
}
