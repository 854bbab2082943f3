//! What was played below each node: all moves as first, for RAVE and its relatives.

use gamegrove_game::Role;
use smallvec::SmallVec;

use super::{Counted, Earlier, MoveMap, Tally, Tree};
use crate::core::Hook;
use crate::simulation::Simulation;

/// Adds simulations to the [`MoveMap`]s of the nodes they passed.
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
        let (keys, earlier, tally) = (&self.keys, &self.earlier, &mut self.tally);
        // Moves below the tree are the same for all nodes.
        let in_tree = keys.len().min(simulation.path.len() * roles);
        let below = if once { &[] } else { tally.count(&keys[in_tree..], roles) };
        let nodes = simulation.path.iter().copied().chain(simulation.leaf);
        for (depth, at) in nodes.enumerate() {
            let since = depth * roles;
            let values: SmallVec<[f64; 4]> =
                Role::all(roles).map(|role| trace.value(depth, role)).collect();
            tree.change_amaf(at, |map| {
                if !once && map.note(&values, &keys[since..]) {
                    return;
                }
                map.settle(roles);
                for (role, &value) in values.iter().enumerate() {
                    let to = if once { keys.len() } else { in_tree };
                    for at in (since + role..to).step_by(roles) {
                        if !once || earlier.is_first_since(at, since) {
                            map.add(keys[at], value);
                        }
                    }
                }
                for &Counted { key, role, times } in below {
                    map.add_times(key, values[role as usize], times);
                }
            });
        }
    }
}
