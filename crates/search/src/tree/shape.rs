//! The shape of a tree in numbers [Sironi 2019, 7.3.6].

use gamegrove_game::Role;

use super::{NodeId, Tree};

/// How deep and how wide a tree has grown.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Shape {
    /// The longest of the shortest ways from the root to a node.
    pub depth: usize,
    /// The mean number of actions that were tried in a node, over all nodes in which any was. Where
    /// several roles choose it is that of the role that tried most.
    pub branching: f64,
}

impl Tree {
    /// The shape of what can be reached from `root`.
    pub fn shape(&self, root: NodeId) -> Shape {
        let joint = self.joint_edges();
        let mut seen = vec![false; self.len()];
        seen[root.index()] = true;
        let (mut level, mut next) = (vec![root], Vec::new());
        let (mut depth, mut tried, mut nodes) = (0, 0usize, 0usize);
        loop {
            for &id in &level {
                let most = Role::all(self.roles)
                    .map(|role| self.statistics(id, role).iter().filter(|s| s.visits > 0).count())
                    .max()
                    .unwrap_or(0);
                if most == 0 {
                    continue;
                }
                tried += most;
                nodes += 1;
                let mut meet = |child: NodeId| {
                    if !std::mem::replace(&mut seen[child.index()], true) {
                        next.push(child);
                    }
                };
                self.successors(id, &joint).for_each(&mut meet);
            }
            if next.is_empty() {
                return Shape { depth, branching: tried as f64 / nodes.max(1) as f64 };
            }
            depth += 1;
            std::mem::swap(&mut level, &mut next);
            next.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_game::Move;

    use super::*;
    use crate::trace::Needs;
    use crate::tree::Facts;

    #[test]
    fn a_small_graph_by_hand() {
        // The root tries both moves, its first successor one, which leads to the second successor.
        let mut tree = Tree::new(1, Needs::default());
        let facts = Facts { ended: None, moves: &[Move(0), Move(1)], ends: &[2] };
        let [root, one, two] = [0, 1, 2].map(|_| tree.add(&facts, 0));
        for (from, place, to) in [(root, 0, one), (root, 1, two), (one, 0, two)] {
            tree.link(from, &[place], to);
            let at = tree.open_numbers(from, Role(0)).start + place as usize;
            tree.actions.statistics[at].visits += 1;
        }
        assert_eq!(tree.shape(root), Shape { depth: 1, branching: 1.5 });
        assert_eq!(tree.shape(two), Shape { depth: 0, branching: 0.0 });
    }
}
