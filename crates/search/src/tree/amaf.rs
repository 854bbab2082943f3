//! What was played below each node: all moves as first, for RAVE and its relatives.

use gamegrove_game::Role;

use super::below::Played;
use super::{Earlier, MoveMap, Tally, Tree};
use crate::core::Hook;
use crate::simulation::Simulation;

/// Adds simulations to what is known of the nodes they passed.
pub(crate) struct Amaf {
    roles: usize,
    /// Whether a move that is played several times below a node counts once for it.
    once: bool,
    keys: Vec<u32>,
    earlier: Earlier,
    tally: Tally,
}

impl Amaf {
    pub(crate) fn new(roles: usize, once: bool) -> Amaf {
        let (keys, earlier, tally) = (Vec::new(), Earlier::default(), Tally::default());
        Amaf { roles, once, keys, earlier, tally }
    }
}

impl Hook for Amaf {
    /// Every node on the path, the new leaf included, learns all moves played from it on
    /// [Sironi 2019, 5.1].
    fn backed_up(&mut self, tree: &mut Tree, simulation: &Simulation) {
        let (trace, roles) = (&simulation.trace, self.roles);
        self.keys.clear();
        let roles_in_turn = (0..roles as u8).map(Role).cycle();
        self.keys.extend(
            trace.moves().iter().zip(roles_in_turn).map(|(&m, r)| MoveMap::key(m, r, roles)),
        );
        let once = self.once;
        if once {
            self.earlier.find(&self.keys);
        }
        // Moves below the tree are the same for all nodes.
        let in_tree = self.keys.len().min(simulation.path.len() * roles);
        let nodes = simulation.path.iter().copied().chain(simulation.leaf);
        let Some(below) = &mut tree.below else { return };
        if !once {
            let (in_tree, rest) = self.keys.split_at(in_tree);
            let played = Played { trace, in_tree, below: self.tally.count(rest, roles) };
            below.add(&played, nodes);
            return;
        }
        for (depth, at) in nodes.enumerate() {
            let since = depth * roles;
            below.settle(at);
            below.change(at, |map, roles| {
                for (at, &key) in self.keys.iter().enumerate().skip(since) {
                    if self.earlier.is_first_since(at, since) {
                        map.add(key, trace.value(depth, Role((at % roles) as u8)));
                    }
                }
            });
        }
    }
}
