//! What nodes are worth by themselves, so that an action can be valued by the node it leads to and
//! not by the returns of those simulations alone that took it: UCT2 and UCT3 on a graph
//! [Sironi 2019, 2.5.3].
//!
//! UCT2: a node is worth the mean of all returns of its own actions. UCT3: it is worth the mean of what
//! its actions lead to, each by its visits, and of the returns with which it was first met; every
//! change spreads to all nodes above. A graph may have cycles: one simulation changes a node once.
//!
//! An action keeps its own visits [Sironi 2019, formula 2.8] or takes those of the node it leads to
//! [Sironi 2019, formula 2.9], of which that source says that it may make values converge to wrong ones.
//!
//! Where several roles choose at once an action leads to several nodes; it is worth their mean,
//! weighted by their visits. Nodes with very many joint moves keep to the returns themselves.

use gamegrove_game::Role;
use smallvec::SmallVec;

use super::{Moved, NodeId, Tree};
use crate::core::Hook;
use crate::simulation::Simulation;

/// How nodes get their worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Valuing {
    /// From the returns of their actions (UCT2).
    Returns,
    /// The same, and actions have the visits of the nodes they lead to, too.
    ReturnsAndVisits,
    /// From the nodes that their actions lead to (UCT3).
    Successors,
}

/// Joint moves of a node that are looked through for successors.
const MOST_JOINT_MOVES: u64 = 4096;

/// What nodes are worth.
#[derive(Clone, Debug)]
pub(crate) struct Worth {
    valuing: Valuing,
    roles: usize,
    /// For each node and role the worth from 0 to 100; no number where nothing is known.
    values: Vec<f64>,
    /// For each node and role the sum of the returns with which it was met as a leaf.
    met: Vec<f64>,
    /// How often each node was met as a leaf.
    times: Vec<u32>,
    /// The nodes with an action that leads to each node.
    parents: Vec<SmallVec<[NodeId; 2]>>,
    /// The last simulation that changed each node.
    changed: Vec<u64>,
    simulation: u64,
    queue: Vec<NodeId>,
}

impl Worth {
    pub(crate) fn new(valuing: Valuing, roles: usize) -> Worth {
        Worth {
            valuing,
            roles,
            values: Vec::new(),
            met: Vec::new(),
            times: Vec::new(),
            parents: Vec::new(),
            changed: Vec::new(),
            simulation: 0,
            queue: Vec::new(),
        }
    }

    /// What a node is worth to a role, if that is known.
    fn of(&self, node: NodeId, role: Role) -> Option<f64> {
        let value = self.values.get(node.index() * self.roles + role.index()).copied()?;
        (!value.is_nan()).then_some(value)
    }

    /// What the action at `place` is worth to `role` by what it leads to, if that is known.
    pub(crate) fn of_action(&self, tree: &Tree, at: NodeId, role: Role, place: u32) -> Option<f64> {
        let node = tree.node(at);
        let choosers = Role::all(self.roles).filter(|&role| node.move_count(role) > 1).count();
        // What an action of a role that only waits leads to depends on the others.
        if choosers == 0 || choosers == 1 && node.move_count(role) > 1 {
            let mut choice: SmallVec<[u32; 4]> = SmallVec::from_elem(0, self.roles);
            choice[role.index()] = place;
            return tree.child(at, &choice).and_then(|child| self.of(child, role));
        }
        let count = node.joint_count();
        if count > MOST_JOINT_MOVES {
            return None;
        }
        let (mut sum, mut weight) = (0.0, 0.0);
        for choice in (0..count).map(|number| node.choice(number)) {
            if choice[role.index()] == place
                && let Some(child) = tree.child(at, &choice)
                && let Some(value) = self.of(child, role)
            {
                // All simulations that came here: those that went on, and those that ended.
                let met = tree.node(child).visits + self.times[child.index()];
                sum += value * f64::from(met);
                weight += f64::from(met);
            }
        }
        (weight > 0.0).then(|| sum / weight)
    }

    /// The visits of what the action at `place` leads to; its own are used if there are none, or if
    /// visits are not taken from there.
    pub(crate) fn visits_of_action(
        &self,
        tree: &Tree,
        at: NodeId,
        role: Role,
        place: u32,
    ) -> Option<u32> {
        let node = tree.node(at);
        if self.valuing != Valuing::ReturnsAndVisits || node.joint_count() > MOST_JOINT_MOVES {
            return None;
        }
        let visits = (0..node.joint_count())
            .map(|number| node.choice(number))
            .filter(|choice| choice[role.index()] == place)
            .filter_map(|choice| tree.child(at, &choice))
            .fold(0u32, |sum, child| sum.saturating_add(tree.node(child).visits));
        (visits > 0).then_some(visits)
    }

    /// Whether actions have the visits of what they lead to.
    pub(crate) fn takes_visits(&self) -> bool {
        self.valuing == Valuing::ReturnsAndVisits
    }

    fn grow(&mut self, nodes: usize) {
        if self.times.len() < nodes {
            self.values.resize(nodes * self.roles, f64::NAN);
            self.met.resize(nodes * self.roles, 0.0);
            self.times.resize(nodes, 0);
            self.parents.resize(nodes, SmallVec::new());
            self.changed.resize(nodes, 0);
        }
    }

    /// Takes in a simulation that passed `path` and met `leaf`, with these returns at the leaf. The
    /// statistics of the tree hold it already.
    fn update(
        &mut self,
        tree: &Tree,
        path: &[NodeId],
        leaf: Option<NodeId>,
        returns: impl Iterator<Item = f64>,
    ) {
        self.grow(tree.len());
        self.simulation += 1;
        self.queue.clear();
        if let Some(leaf) = leaf {
            self.times[leaf.index()] += 1;
            let met = &mut self.met[leaf.index() * self.roles..];
            met.iter_mut().zip(returns).for_each(|(met, value)| *met += value);
            self.queue.push(leaf);
        }
        self.queue.extend(path.iter().rev());
        // Breadth first, the nodes of the simulation before all others.
        let mut next = 0;
        while let Some(&node) = self.queue.get(next) {
            next += 1;
            if self.changed[node.index()] == self.simulation {
                continue;
            }
            self.changed[node.index()] = self.simulation;
            if self.revalue(tree, node) && self.valuing == Valuing::Successors {
                let simulation = self.simulation;
                let parents = self.parents[node.index()].iter();
                let open = parents.filter(|parent| self.changed[parent.index()] != simulation);
                self.queue.extend(open);
            }
        }
    }

    /// Works a node's worth out anew; says whether it changed.
    fn revalue(&mut self, tree: &Tree, node: NodeId) -> bool {
        let mut changed = false;
        for role in Role::all(self.roles) {
            let at = node.index() * self.roles + role.index();
            let value = match tree.goals(node) {
                Some(goals) => f64::from(goals[role.index()].0),
                None => self.mean(tree, node, role),
            };
            changed |= value != self.values[at] && !value.is_nan();
            self.values[at] = value;
        }
        changed
    }

    fn mean(&self, tree: &Tree, node: NodeId, role: Role) -> f64 {
        let (mut sum, mut visits) = (0.0, 0.0);
        if self.valuing == Valuing::Successors {
            sum += self.met[node.index() * self.roles + role.index()];
            visits += f64::from(self.times[node.index()]);
        }
        for (place, statistic) in (0..).zip(tree.statistics(node, role)) {
            if statistic.visits == 0 {
                continue;
            }
            let count = f64::from(statistic.visits);
            let beyond = match self.valuing {
                Valuing::Returns | Valuing::ReturnsAndVisits => None,
                Valuing::Successors => self.of_action(tree, node, role, place),
            };
            sum += beyond.map_or(statistic.sum, |value| value * count);
            visits += count;
        }
        sum / visits
    }

    /// The memory it takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        (self.values.capacity() + self.met.capacity() + self.changed.capacity()) * 8
            + self.times.capacity() * 4
            + self.parents.capacity() * size_of::<SmallVec<[NodeId; 2]>>()
    }
}

impl Hook for Worth {
    fn linked(&mut self, parent: NodeId, child: NodeId) {
        self.grow(child.index().max(parent.index()) + 1);
        let parents = &mut self.parents[child.index()];
        if self.valuing == Valuing::Successors && !parents.contains(&parent) {
            parents.push(parent);
        }
    }

    fn backed_up(&mut self, tree: &mut Tree, simulation: &Simulation) {
        let depth = simulation.path.len();
        let returns = Role::all(self.roles).map(|role| simulation.trace.value(depth, role));
        self.update(tree, &simulation.path, simulation.leaf, returns);
    }

    fn nodes_moved(&mut self, moved: &Moved, nodes: usize) {
        let old = std::mem::replace(self, Worth::new(self.valuing, self.roles));
        self.grow(nodes);
        self.simulation = old.simulation;
        for from in (0..old.times.len() as u32).map(NodeId) {
            let Some(to) = moved.get(from) else { continue };
            let (from, to) = (from.index(), to.index());
            for role in 0..self.roles {
                self.values[to * self.roles + role] = old.values[from * self.roles + role];
                self.met[to * self.roles + role] = old.met[from * self.roles + role];
            }
            self.times[to] = old.times[from];
            self.parents[to] = old.parents[from].iter().filter_map(|&at| moved.get(at)).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_game::{Goal, Move};

    use super::*;
    use crate::trace::Needs;
    use crate::tree::Facts;

    /// One role; two nodes lead to a third by one of their two moves each.
    fn diamond() -> (Tree, [NodeId; 3]) {
        let mut tree = Tree::new(1, Needs::default());
        let facts = Facts { ended: None, moves: &[Move(0), Move(1)], ends: &[2] };
        let nodes = [10, 11, 12].map(|_| tree.add(&facts, 0));
        tree.link(nodes[0], &[0], nodes[2]);
        tree.link(nodes[1], &[1], nodes[2]);
        (tree, nodes)
    }

    /// A simulation through `path`, choosing the move at each `place`.
    fn pass(
        (tree, worth): (&mut Tree, &mut Worth),
        path: &[(NodeId, usize)],
        leaf: Option<NodeId>,
        value: f64,
    ) {
        for &(node, place) in path {
            let start = tree.open_numbers(node, Role(0)).start;
            tree.actions.statistics[start + place].sum += value;
            tree.actions.statistics[start + place].visits += 1;
            tree.node_mut(node).visits += 1;
        }
        let nodes: Vec<NodeId> = path.iter().map(|&(node, _)| node).collect();
        worth.update(tree, &nodes, leaf, std::iter::once(value));
    }

    #[test]
    fn what_one_parent_found_out_the_other_knows() {
        for valuing in [Valuing::Returns, Valuing::Successors] {
            let (mut tree, [one, other, shared]) = diamond();
            let mut worth = Worth::new(valuing, 1);
            worth.linked(one, shared);
            worth.linked(other, shared);
            pass((&mut tree, &mut worth), &[(one, 0), (shared, 0)], None, 100.0);
            pass((&mut tree, &mut worth), &[(one, 0), (shared, 1)], None, 40.0);
            assert_eq!(worth.of_action(&tree, other, Role(0), 1), Some(70.0));
            assert_eq!(worth.of_action(&tree, one, Role(0), 0), Some(70.0));
            // Nothing is known of what the other move leads to.
            assert_eq!(worth.of_action(&tree, one, Role(0), 1), None);
            assert_eq!(worth.visits_of_action(&tree, one, Role(0), 0), None);
        }
    }

    #[test]
    fn visits_may_be_those_of_what_an_action_leads_to() {
        let (mut tree, [one, other, shared]) = diamond();
        let mut worth = Worth::new(Valuing::ReturnsAndVisits, 1);
        worth.linked(one, shared);
        worth.linked(other, shared);
        pass((&mut tree, &mut worth), &[(one, 0), (shared, 0)], None, 100.0);
        pass((&mut tree, &mut worth), &[(other, 1), (shared, 1)], None, 40.0);
        pass((&mut tree, &mut worth), &[(other, 1), (shared, 1)], None, 40.0);
        for (node, place) in [(one, 0), (other, 1)] {
            assert_eq!(worth.of_action(&tree, node, Role(0), place), Some(60.0));
            assert_eq!(worth.visits_of_action(&tree, node, Role(0), place), Some(3));
        }
        // This action leads nowhere yet.
        assert_eq!(worth.visits_of_action(&tree, one, Role(0), 1), None);
    }

    #[test]
    fn only_uct3_spreads_to_nodes_the_simulation_did_not_pass() {
        for (valuing, expected) in [(Valuing::Returns, 100.0), (Valuing::Successors, 50.0)] {
            let (mut tree, [one, other, shared]) = diamond();
            let mut worth = Worth::new(valuing, 1);
            worth.linked(one, shared);
            worth.linked(other, shared);
            pass((&mut tree, &mut worth), &[(other, 1), (shared, 0)], None, 100.0);
            pass((&mut tree, &mut worth), &[(one, 0), (shared, 0)], None, 0.0);
            assert_eq!(worth.of(other, Role(0)), Some(expected));
        }
    }

    #[test]
    fn ends_are_worth_their_goals_and_cycles_end() {
        let (mut tree, [one, other, shared]) = diamond();
        let ended = Facts { ended: Some(&[Goal(30.0)]), moves: &[], ends: &[0] };
        let end = tree.add(&ended, 0);
        let mut worth = Worth::new(Valuing::Successors, 1);
        for (from, place, to) in [(shared, 0, one), (shared, 1, end)] {
            tree.link(from, &[place], to);
            worth.linked(from, to);
        }
        worth.linked(one, shared);
        worth.linked(other, shared);
        pass((&mut tree, &mut worth), &[(one, 0), (shared, 1)], Some(end), 30.0);
        assert_eq!(worth.of(end, Role(0)), Some(30.0));
        assert_eq!(worth.of(one, Role(0)), Some(30.0));
    }
}
