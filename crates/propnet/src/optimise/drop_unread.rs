//! Opt3: drops gates and anonymous propositions that nothing reads [Sironi 2019, 4.2.2].
//!
//! Components that only feed each other in a circle are kept, as in the published algorithm.

use gamegrove_gdl::{LimitHit, Meter};

use super::Pass;
use crate::kind::Kind;
use crate::network::{Network, NodeId};
use crate::rewrite::Rewrite;

/// The network without gates and propositions of kind OTHER that nothing reads.
pub fn drop_unread(network: &Network) -> Network {
    Pass::DropUnread.run(network)
}

pub(super) fn within(network: &Network, meter: &mut Meter) -> Result<Network, LimitHit> {
    let mut readers: Vec<u32> =
        network.nodes().map(|node| network.outputs(node).len() as u32).collect();
    let droppable =
        |node: NodeId| matches!(network.kind(node), Kind::Other | Kind::And | Kind::Or | Kind::Not);
    let mut rewrite = Rewrite::new(network);
    let mut open: Vec<NodeId> =
        network.nodes().filter(|&node| droppable(node) && readers[node.index()] == 0).collect();
    while let Some(node) = open.pop() {
        meter.step(|| network.bytes())?;
        rewrite.drop(node);
        for &input in network.inputs(node) {
            readers[input.index()] -= 1;
            if readers[input.index()] == 0 && droppable(input) {
                open.push(input);
            }
        }
    }
    rewrite.apply(meter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::testing::check;

    #[test]
    fn what_only_unread_components_read_goes_with_them() {
        check(
            drop_unread,
            "role r
             (does r a) = input
             (legal r a) = legal true
             (true f) = base t
             t = transition (true f)
             n = not (does r a)
             x = and n (true f)
             y = or x n
             p = other y
             terminal = terminal false",
            "role r
             (does r a) = input
             (legal r a) = legal true
             (true f) = base t
             t = transition (true f)
             terminal = terminal false",
        );
    }

    #[test]
    fn what_is_read_elsewhere_stays() {
        check(
            drop_unread,
            "role r
             (true f) = base t
             t = transition n
             n = not (true f)
             p = other n
             terminal = terminal false",
            "role r
             (true f) = base t
             t = transition n
             n = not (true f)
             terminal = terminal false",
        );
    }

    #[test]
    fn a_circle_that_nobody_reads_is_kept() {
        let circle = "role r
             p = other g
             g = or p false
             terminal = terminal false";
        check(drop_unread, circle, circle);
    }
}
