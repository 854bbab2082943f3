//! How large a network is, and of what shape.

use std::fmt;

use crate::kind::Kind;
use crate::network::Network;
use crate::order::Order;

/// Numbers about a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// How many components there are of each kind, in the order of [`Kind::ALL`].
    pub kinds: [usize; Kind::ALL.len()],
    /// How many connections there are.
    pub edges: usize,
    /// The most inputs a component has.
    pub widest_input: usize,
    /// The most readers a component has.
    pub widest_output: usize,
    /// Gates on the longest way from a fact or move to an answer.
    pub depth: u32,
    /// Cycles of recursive relations, and how many components are in them.
    pub cycles: usize,
    /// Components in cycles.
    pub cyclic_components: usize,
    /// Facts that lost their bit because they always hold.
    pub fixed_facts: usize,
    /// Bytes of memory.
    pub bytes: usize,
}

impl Statistics {
    /// The numbers of a network.
    pub fn of(network: &Network) -> Statistics {
        let order = Order::new(network);
        let mut kinds = [0; Kind::ALL.len()];
        network.nodes().for_each(|node| kinds[network.kind(node) as usize] += 1);
        let cyclic: Vec<usize> = order
            .groups()
            .filter(|(_, cyclic)| *cyclic)
            .map(|(members, _)| members.len())
            .collect();
        Statistics {
            kinds,
            edges: network.edge_count(),
            widest_input: network.nodes().map(|n| network.inputs(n).len()).max().unwrap_or(0),
            widest_output: network.nodes().map(|n| network.outputs(n).len()).max().unwrap_or(0),
            depth: order.levels(network).into_iter().max().unwrap_or(0),
            cycles: cyclic.len(),
            cyclic_components: cyclic.iter().sum(),
            fixed_facts: network.fixed_facts().len(),
            bytes: network.bytes(),
        }
    }

    /// How many components there are.
    pub fn components(&self) -> usize {
        self.kinds.iter().sum()
    }

    /// How many components there are of one kind.
    pub fn count(&self, kind: Kind) -> usize {
        self.kinds[kind as usize]
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "components   {:>10}", self.components())?;
        for kind in Kind::ALL {
            writeln!(f, "  {:<10} {:>10}", kind.word(), self.count(kind))?;
        }
        writeln!(f, "connections  {:>10}", self.edges)?;
        writeln!(f, "most inputs  {:>10}", self.widest_input)?;
        writeln!(f, "most readers {:>10}", self.widest_output)?;
        writeln!(f, "depth        {:>10}", self.depth)?;
        writeln!(f, "cycles       {:>10}", self.cycles)?;
        writeln!(f, "  components {:>10}", self.cyclic_components)?;
        writeln!(f, "fixed facts  {:>10}", self.fixed_facts)?;
        write!(f, "bytes        {:>10}", self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::testing::network;

    #[test]
    fn depth_counts_gates_and_cycles_are_seen() {
        let network = network(
            "role r
             (true a) = base t
             t = transition g
             n = not (true a)
             p = other n
             g = and p h (true a)
             h = or i n
             i = other h
             terminal = terminal g",
        );
        let statistics = Statistics::of(&network);
        // n, then the cycle of h and i, then g.
        assert_eq!(statistics.depth, 3);
        assert_eq!((statistics.cycles, statistics.cyclic_components), (1, 2));
        assert_eq!(statistics.components(), network.len());
        assert_eq!(statistics.count(Kind::Other), 2);
        assert_eq!((statistics.widest_input, statistics.edges), (3, 11));
    }
}
