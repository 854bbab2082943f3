//! Opt1: splices propositions that mean nothing to a player [Sironi 2019, 4.2.2].
//!
//! The readers of a proposition of kind OTHER read its input instead. Propositions that read
//! nothing but each other, in a circle, never hold.

use gamegrove_gdl::{LimitHit, Meter};

use super::Pass;
use crate::kind::Kind;
use crate::network::Network;
use crate::rewrite::Rewrite;

/// The network without propositions of kind OTHER.
pub fn splice_anonymous(network: &Network) -> Network {
    Pass::SpliceAnonymous.run(network)
}

pub(super) fn within(network: &Network, meter: &mut Meter) -> Result<Network, LimitHit> {
    let mut rewrite = Rewrite::new(network);
    for node in network.nodes().filter(|&node| network.kind(node) == Kind::Other) {
        if !rewrite.redirect(node, network.inputs(node)[0]) {
            rewrite.fix(node, false);
        }
        rewrite.drop(node);
    }
    rewrite.apply(meter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::testing::check;

    #[test]
    fn readers_read_what_the_proposition_read() {
        check(
            splice_anonymous,
            "role r
             (true a) = base t
             t = transition p
             p = other q
             q = other g
             g = not (true a)
             n = not p
             terminal = terminal n",
            "role r
             (true a) = base t
             t = transition g
             g = not (true a)
             n = not g
             terminal = terminal n",
        );
    }

    #[test]
    fn a_gate_reads_nobody_twice_and_is_kept() {
        check(
            splice_anonymous,
            "role r
             (true a) = base t
             t = transition (true a)
             p = other (true a)
             g = and p (true a)
             terminal = terminal g",
            "role r
             (true a) = base t
             t = transition (true a)
             g = and (true a)
             terminal = terminal g",
        );
    }

    #[test]
    fn a_circle_of_propositions_never_holds() {
        check(
            splice_anonymous,
            "role r
             p = other q
             q = other p
             s = other s
             g = or p s
             terminal = terminal g",
            "role r
             g = or false
             terminal = terminal g",
        );
    }

    #[test]
    fn unread_propositions_go_too() {
        check(
            splice_anonymous,
            "role r
             p = other false
             terminal = terminal false",
            "role r
             terminal = terminal false",
        );
    }
}
