//! Opt0: removes components whose value is known to be constant [Sironi 2019, 4.2.2].
//!
//! A worklist carries the values of the two constants through the net; a gate counts the inputs
//! that say nothing any more. A gate that lost inputs and has one left stands for that one. Gates
//! that come down to one input in another way, because two inputs turn out to be the same, are left
//! alone, so that counts can be compared with the published ones.
//!
//! One case is not in the published algorithm: gates that stand for each other in a circle never hold, which is
//! what recursive relations without support mean.

use gamegrove_gdl::{LimitHit, Meter};
use rustc_hash::FxHashMap;

use crate::kind::Kind;
use crate::network::{Network, NodeId};
use crate::rewrite::Rewrite;

/// The network without components that are constant.
pub fn remove_constants(network: &Network) -> Network {
    super::Pass::RemoveConstants.run(network)
}

pub(super) fn within(network: &Network, meter: &mut Meter) -> Result<Network, LimitHit> {
    let mut pass = Pass {
        network,
        moves: network.inputs_by_legal(),
        rewrite: Rewrite::new(network),
        known: vec![None; network.len()],
        lost: vec![0; network.len()],
        open: Vec::new(),
    };
    pass.learn(NodeId::TRUE, true);
    pass.learn(NodeId::FALSE, false);
    while let Some(node) = pass.open.pop() {
        meter.step(|| network.bytes())?;
        if let Some(value) = pass.known[node.index()] {
            for &reader in network.outputs(node) {
                pass.tell(reader, value);
            }
        }
    }
    pass.finish(meter)
}

struct Pass<'a> {
    network: &'a Network,
    /// The INPUT that goes when its LEGAL does.
    moves: FxHashMap<NodeId, NodeId>,
    rewrite: Rewrite<'a>,
    /// The constant value of a component.
    known: Vec<Option<bool>>,
    /// How many inputs of a gate have the value that does not matter to it.
    lost: Vec<u32>,
    /// Components whose readers have not been told yet.
    open: Vec<NodeId>,
}

impl Pass<'_> {
    fn learn(&mut self, node: NodeId, value: bool) {
        if self.known[node.index()].is_none() {
            self.known[node.index()] = Some(value);
            self.open.push(node);
        }
    }

    /// An input of `node` has this value for good. Each input says so once.
    fn tell(&mut self, node: NodeId, value: bool) {
        match self.network.kind(node) {
            // What it feeds may start with another value.
            Kind::Transition => {}
            Kind::Not => self.learn(node, !value),
            Kind::And if !value => self.learn(node, false),
            Kind::Or if value => self.learn(node, true),
            Kind::And | Kind::Or => self.lose(node, value),
            _ => self.learn(node, value),
        }
        if !value && let Some(&input) = self.moves.get(&node) {
            self.learn(input, false);
        }
    }

    fn lose(&mut self, node: NodeId, neutral: bool) {
        let inputs = self.network.inputs(node);
        self.lost[node.index()] += 1;
        let left = inputs.len() - self.lost[node.index()] as usize;
        if left == 0 {
            self.learn(node, neutral);
        } else if left == 1 && self.known[node.index()].is_none() {
            // All others are known, but their word may not have arrived.
            let heir = inputs.iter().find(|input| self.known[input.index()].is_none());
            if let Some(&heir) = heir
                && !self.rewrite.redirect(node, heir)
            {
                self.learn(node, false);
            }
        }
    }

    fn finish(mut self, meter: &mut Meter) -> Result<Network, LimitHit> {
        for node in self.network.nodes().skip(2) {
            let part = self.network.part(node);
            let value = self.known[node.index()];
            let gone = match (part.kind, value) {
                (Kind::Transition, _) => {
                    let input = self.network.inputs(node)[0];
                    self.network.outputs(node).is_empty() && self.known[input.index()].is_some()
                }
                (Kind::And | Kind::Or, None) => self.rewrite.stand_in(node) != node,
                (_, None) | (Kind::Terminal, _) => false,
                (Kind::Legal | Kind::Goal, Some(value)) => !value,
                _ => true,
            };
            if let Some(value) = value {
                self.rewrite.fix(node, value);
                if part.kind == Kind::Base && value {
                    self.rewrite.fixed_facts.push(part.name);
                }
            }
            if gone {
                self.rewrite.drop(node);
            }
        }
        self.rewrite.leave_out_neutral = true;
        self.rewrite.apply(meter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::testing::check;

    #[test]
    fn gates_with_constants_go_or_shrink() {
        check(
            remove_constants,
            "role r
             (true a) = base ta
             (true b) = base tb
             ta = transition two
             tb = transition three
             two = and true (true a)
             three = or false (true a) (true b)
             never = and (true a) false
             always = or (true a) true
             lonely = and (true b)
             (goal r 0) = goal never
             (goal r 50) = goal always
             terminal = terminal lonely",
            "role r
             (true a) = base ta
             (true b) = base tb
             ta = transition (true a)
             tb = transition three
             three = or (true a) (true b)
             lonely = and (true b)
             (goal r 50) = goal true
             terminal = terminal lonely",
        );
    }

    #[test]
    fn removing_a_negation_wakes_the_other_side() {
        check(
            remove_constants,
            "role r
             (true a) = base t
             t = transition x
             n = not true
             p = other n
             m = not p
             x = and m (true a)
             terminal = terminal n",
            "role r
             (true a) = base t
             t = transition (true a)
             terminal = terminal false",
        );
    }

    #[test]
    fn a_move_that_is_never_legal_goes_with_its_readers() {
        check(
            remove_constants,
            "role r
             (does r a) = input
             (does r b) = input
             (legal r a) = legal false
             (legal r b) = legal true
             (true f) = base t
             t = transition x
             x = or (does r a) (does r b)
             terminal = terminal (true f)",
            "role r
             (does r b) = input
             (legal r b) = legal true
             (true f) = base t
             t = transition (does r b)
             terminal = terminal (true f)",
        );
    }

    #[test]
    fn a_fact_may_start_otherwise_than_it_goes_on() {
        let net = "role r
             (true f) = base t
             t = transition false
             terminal = terminal (true f)
             init (f)";
        let net = net.replace("init (f)", "init f");
        check(remove_constants, &net, &net);
    }

    #[test]
    fn gates_that_stand_for_each_other_never_hold() {
        check(
            remove_constants,
            "role r
             (true f) = base t
             t = transition y
             x = and true y
             y = or x false
             n = not x
             g = and n (true f)
             terminal = terminal g",
            "role r
             (true f) = base t
             t = transition false
             terminal = terminal (true f)",
        );
    }

    #[test]
    fn readers_of_an_heir_that_turns_constant_learn_of_it() {
        check(
            remove_constants,
            "role r
             (true f) = base t
             t = transition z
             h = other k
             k = not true
             x = or false h
             y = or x h
             z = or y (true f)
             terminal = terminal y",
            "role r
             (true f) = base t
             t = transition (true f)
             terminal = terminal false",
        );
    }
}
