//! Sequential UCT: where several roles choose, they choose one after another, each knowing what
//! those before it chose [Sironi 2019, 2.4.1].
//!
//! The searching role is first, so it plans for opponents that see its move: cautious play. The first
//! chooser has its statistics in the node; every later one has a set of its own for each prefix of
//! choices before it, kept as a node without a state. The node itself counts all roles' moves too, so
//! that reports and final moves read the same place as ever.

use gamegrove_game::{Move, Rng, Role};

use crate::core::{Core, NodeReader};
use crate::simulation::Simulation;
use crate::tree::{Facts, NodeId};

/// A choice of one role after the choices of others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Informed {
    pub(crate) depth: usize,
    pub(crate) at: NodeId,
    pub(crate) role: Role,
    pub(crate) place: u32,
}

impl Core {
    /// Lets all roles choose in a node, one after another; writes the place of each role's choice.
    pub(crate) fn choose_in_sequence(
        &mut self,
        simulation: &mut Simulation,
        at: NodeId,
        states: &mut dyn NodeReader,
        rng: &mut Rng,
    ) {
        let (first, roles) = (self.run.searcher.index(), self.run.roles);
        let mut places = vec![0; roles];
        let mut prefix = None;
        for role in (0..roles).map(|step| Role(((first + step) % roles) as u8)) {
            let count = self.tree.node(at).move_count(role);
            let passed = self.tree.node(at).visits + self.tree.node(at).pending;
            self.refer(simulation, at, role, f64::from(passed));
            if count < 2 {
                continue;
            }
            let instance = match prefix {
                None => at,
                Some(number) => self.informed_node(at, role, number),
            };
            let node = self.tree.node(instance);
            let visits = f64::from(node.visits + node.pending);
            let place = self.choose(simulation, (instance, role, visits), states, rng);
            if instance != at {
                let depth = simulation.path.len();
                simulation.informed.push(Informed {
                    depth,
                    at: instance,
                    role,
                    place: place as u32,
                });
            }
            places[role.index()] = place as u32;
            prefix = Some(prefix.unwrap_or(0) * count as u64 + place as u64);
        }
        simulation.choices.extend(places);
    }

    /// The node of a role's statistics after the choices that `prefix` numbers.
    fn informed_node(&mut self, at: NodeId, role: Role, prefix: u64) -> NodeId {
        if let Some(node) = self.tree.informed(at, role, prefix) {
            self.tree.node_mut(node).stamp = self.run.step;
            return node;
        }
        let moves: Vec<Move> = self.tree.moves(at, role).to_vec();
        let ends: Vec<u32> = Role::all(self.run.roles)
            .map(|each| if each < role { 0 } else { moves.len() as u32 })
            .collect();
        let facts = Facts { ended: None, moves: &moves, ends: &ends };
        let node = self.tree.add(&facts, self.run.step);
        self.tree.link_informed(at, role, prefix, node);
        node
    }
}

impl Informed {
    /// The same choice after nodes were moved; `None` if its node was dropped.
    pub(crate) fn moved(self, to: impl Fn(NodeId) -> Option<NodeId>) -> Option<Informed> {
        Some(Informed { at: to(self.at)?, ..self })
    }
}
