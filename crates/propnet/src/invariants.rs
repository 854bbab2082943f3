//! What every network must keep to, one predicate each [Sironi 2019, 4.2.1].

use rustc_hash::FxHashSet;
use thiserror::Error;

use crate::kind::Kind;
use crate::network::{Network, NodeId};
use crate::order::Order;

/// A fault of a network. Components are named by their labels.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    /// More or other constants than one of each, at the front.
    #[error("`{0}` is a second constant, or the constants are not the first components")]
    Constants(String),
    /// A wrong number of inputs.
    #[error("`{label}` is {kind} and cannot have {count} inputs")]
    InputCount {
        /// The component.
        label: String,
        /// Its kind.
        kind: Kind,
        /// How many inputs it has.
        count: usize,
    },
    /// An input listed twice.
    #[error("`{0}` lists an input twice")]
    ParallelEdges(String),
    /// A move without its counterpart, or twice the same.
    #[error("`{0}` has no counterpart: every does needs one legal and every legal one does")]
    Unpaired(String),
    /// A base proposition that no transition feeds, or a transition that feeds something else.
    #[error("`{0}` is not a pair of a transition and the base proposition it feeds")]
    Delay(String),
    /// Not exactly one terminal proposition.
    #[error("the network has {0} terminal propositions; it needs exactly one")]
    Terminal(usize),
    /// A component of a role that is not there, or without the name it needs.
    #[error("`{0}` belongs to no role, has no name, or its goal is not a number from 0 to 255")]
    Nameless(String),
    /// A component that names one that is not there.
    #[error("`{0}` reads a component that does not exist")]
    Dangling(String),
    /// A cycle through a negation has no agreed meaning.
    #[error("`{0}` depends on its own negation")]
    NegativeCycle(String),
    /// Legal moves, goals or the end of play that depend on the moves of the same step.
    #[error("`{0}` depends on what the players do in the same step")]
    ReadsMoves(String),
}

impl Network {
    /// Checks all invariants.
    pub fn check(&self) -> Result<(), Flaw> {
        constants_come_first(self)?;
        inputs_have_the_right_number(self)?;
        no_parallel_edges(self)?;
        moves_are_paired(self)?;
        bases_are_delayed(self)?;
        one_terminal(self)?;
        let order = Order::new(self);
        no_negation_in_cycles(self, &order)?;
        answers_read_no_moves(self, &order)
    }
}

fn find(network: &Network, wrong: impl Fn(NodeId) -> bool) -> Option<String> {
    network.nodes().find(|&node| wrong(node)).map(|node| network.label(node))
}

/// One TRUE and one FALSE, at the front.
pub fn constants_come_first(network: &Network) -> Result<(), Flaw> {
    let wrong = |node: NodeId| match network.kind(node) {
        Kind::True => node != NodeId::TRUE,
        Kind::False => node != NodeId::FALSE,
        _ => node <= NodeId::FALSE,
    };
    find(network, wrong).map_or(Ok(()), |label| Err(Flaw::Constants(label)))
}

/// Only constants and INPUTs lack inputs; only AND and OR have several.
pub fn inputs_have_the_right_number(network: &Network) -> Result<(), Flaw> {
    for node in network.nodes() {
        let (kind, count) = (network.kind(node), network.inputs(node).len());
        if !right_number(kind, count) {
            return Err(Flaw::InputCount { label: network.label(node), kind, count });
        }
    }
    Ok(())
}

pub(crate) fn right_number(kind: Kind, count: usize) -> bool {
    match kind {
        Kind::True | Kind::False | Kind::Input => count == 0,
        Kind::And | Kind::Or => count >= 1,
        _ => count == 1,
    }
}

/// Edges are sets.
pub fn no_parallel_edges(network: &Network) -> Result<(), Flaw> {
    let mut seen = vec![u32::MAX; network.len()];
    for node in network.nodes() {
        for input in network.inputs(node) {
            if std::mem::replace(&mut seen[input.index()], node.0) == node.0 {
                return Err(Flaw::ParallelEdges(network.label(node)));
            }
        }
    }
    Ok(())
}

/// INPUT and LEGAL in bijection.
pub fn moves_are_paired(network: &Network) -> Result<(), Flaw> {
    let mut paired = FxHashSet::default();
    for role in 0..network.roles().len() {
        for line in network.moves(role) {
            paired.insert(line.input);
            paired.insert(line.legal);
        }
    }
    let wrong =
        |node| matches!(network.kind(node), Kind::Input | Kind::Legal) && !paired.contains(&node);
    find(network, wrong).map_or(Ok(()), |label| Err(Flaw::Unpaired(label)))
}

/// BASE reads a transition, and nothing else does.
pub fn bases_are_delayed(network: &Network) -> Result<(), Flaw> {
    let wrong = |node: NodeId| match network.kind(node) {
        Kind::Base => !network.inputs(node).iter().all(|&t| network.kind(t) == Kind::Transition),
        Kind::Transition => {
            network.outputs(node).len() != 1
                || network.outputs(node).iter().any(|&b| network.kind(b) != Kind::Base)
        }
        _ => false,
    };
    find(network, wrong).map_or(Ok(()), |label| Err(Flaw::Delay(label)))
}

/// One TERMINAL.
pub fn one_terminal(network: &Network) -> Result<(), Flaw> {
    let count = network.nodes().filter(|&node| network.kind(node) == Kind::Terminal).count();
    if count == 1 { Ok(()) } else { Err(Flaw::Terminal(count)) }
}

/// No component depends on its own negation within a step.
pub fn no_negation_in_cycles(network: &Network, order: &Order) -> Result<(), Flaw> {
    let wrong =
        |node: NodeId| network.kind(node) == Kind::Not && order.is_cyclic(order.group(node));
    find(network, wrong).map_or(Ok(()), |label| Err(Flaw::NegativeCycle(label)))
}

/// LEGAL, GOAL and TERMINAL depend on the state alone.
pub fn answers_read_no_moves(network: &Network, order: &Order) -> Result<(), Flaw> {
    let depends = reads_moves(network, order);
    let wrong = |node: NodeId| {
        matches!(network.kind(node), Kind::Legal | Kind::Goal | Kind::Terminal)
            && depends[node.index()]
    };
    find(network, wrong).map_or(Ok(()), |label| Err(Flaw::ReadsMoves(label)))
}

/// Which components depend on the moves of the step.
pub(crate) fn reads_moves(network: &Network, order: &Order) -> Vec<bool> {
    let mut depends = vec![false; network.len()];
    for (members, _) in order.groups() {
        let reads = members.iter().any(|&node| match network.kind(node) {
            Kind::Input => true,
            Kind::Base => false,
            _ => network.inputs(node).iter().any(|input| depends[input.index()]),
        });
        members.iter().for_each(|node| depends[node.index()] = reads);
    }
    depends
}
