//! Dropping nodes: what is out of reach, out of date or, when memory is short, least visited.
//!
//! All of it is one operation: copy the nodes worth keeping to a new arena and forget the rest.

use super::{Actions, NO_NUMBERS, NodeId, Tree};

/// Where each kept node went.
#[derive(Clone, Debug)]
pub(crate) struct Moved(Vec<Option<NodeId>>);

impl Moved {
    #[cfg(test)]
    pub(super) fn of(places: &[Option<NodeId>]) -> Moved {
        Moved(places.to_vec())
    }

    /// The new number of a node; `None` if it was dropped.
    pub(crate) fn get(&self, old: NodeId) -> Option<NodeId> {
        self.0[old.index()]
    }

    /// Whether no node was dropped.
    pub(crate) fn keeps_all(&self) -> bool {
        self.0.iter().all(Option::is_some)
    }

    /// Drops the entries of nodes that were dropped from a column with one entry per node.
    pub(crate) fn thin<T>(&self, column: &mut Vec<T>) {
        let mut all = self.0.iter();
        column.retain(|_| all.next().is_some_and(Option::is_some));
    }
}

impl Tree {
    /// Keeps the nodes for which `keep` says so.
    fn retain(&mut self, keep: impl Fn(&Tree, NodeId) -> bool) -> Moved {
        let mut next = 0;
        let moved: Vec<Option<NodeId>> = self
            .ids()
            .map(|id| {
                keep(self, id).then(|| {
                    next += 1;
                    NodeId(next - 1)
                })
            })
            .collect();
        let moved = Moved(moved);
        if next as usize == self.nodes.len() {
            return moved;
        }

        let fresh = self.actions.fresh();
        let old_actions = std::mem::replace(&mut self.actions, fresh);
        let old_goals = std::mem::take(&mut self.goals);
        let mut at = 0;
        self.nodes.retain_mut(|node| {
            let kept = moved.0[at].is_some();
            at += 1;
            if kept {
                let start = self.actions.moves.len() as u32;
                let moves = node.start as usize..node.start as usize + node.action_count();
                self.actions.moves.extend_from_slice(&old_actions.moves[moves]);
                node.start = start;
                if node.numbers != NO_NUMBERS {
                    let numbers = self.actions.statistics.len() as u32;
                    for at in node.all_numbers() {
                        let child = old_actions.child(at).and_then(|child| moved.get(child));
                        self.actions.copy_numbers(&old_actions, at, child);
                    }
                    node.numbers = numbers;
                }
                if let Some(goals) = node.ended {
                    node.ended = Some(self.goals.len() as u32);
                    self.goals.extend_from_slice(&old_goals[goals as usize..][..self.roles]);
                }
            }
            kept
        });
        self.nodes.shrink_to_fit();
        if let Some(below) = &mut self.below {
            below.thin(&moved);
        }
        let links = std::mem::take(&mut self.joint_links);
        self.joint_links = links
            .into_iter()
            .filter_map(|((from, number), to)| Some(((moved.get(from)?, number), moved.get(to)?)))
            .collect();
        moved
    }

    /// Keeps the nodes that were met in step `oldest` of the match or later.
    pub(crate) fn retain_since(&mut self, oldest: u32) -> Moved {
        self.retain(|tree, id| tree.node(id).stamp >= oldest)
    }

    /// Drops all nodes.
    pub(crate) fn clear(&mut self) -> Moved {
        self.retain(|_, _| false)
    }

    /// All links by joint moves, sorted, for [`successors`](Tree::successors).
    pub(super) fn joint_edges(&self) -> Vec<(NodeId, NodeId)> {
        let mut joint: Vec<(NodeId, NodeId)> =
            self.joint_links.iter().map(|(&(from, _), &to)| (from, to)).collect();
        joint.sort_unstable();
        joint
    }

    /// The nodes that a node's actions lead to.
    pub(super) fn successors<'a>(
        &'a self,
        id: NodeId,
        joint: &'a [(NodeId, NodeId)],
    ) -> impl Iterator<Item = NodeId> + 'a {
        let first = joint.partition_point(|&(from, _)| from < id);
        let by_joint =
            joint[first..].iter().take_while(move |&&(from, _)| from == id).map(|&(_, to)| to);
        let by_action = self.node(id).all_numbers().filter_map(|at| self.actions.child(at));
        by_action.chain(by_joint)
    }

    /// Keeps the nodes that can be reached from `root`.
    pub(crate) fn retain_reachable(&mut self, root: NodeId) -> Moved {
        let joint = self.joint_edges();
        let mut seen = vec![false; self.nodes.len()];
        let mut open = vec![root];
        seen[root.index()] = true;
        while let Some(id) = open.pop() {
            for child in self.successors(id, &joint) {
                if !std::mem::replace(&mut seen[child.index()], true) {
                    open.push(child);
                }
            }
        }
        self.retain(|_, id| seen[id.index()])
    }

    /// Drops the least visited nodes, about `share` of all, never `root` and never one that a
    /// simulation under way has passed.
    pub(crate) fn drop_least_visited(&mut self, root: NodeId, share: f64) -> Moved {
        let mut visits: Vec<u32> =
            self.nodes.iter().map(|node| node.visits + node.pending).collect();
        let at = ((visits.len() as f64 * share) as usize).min(visits.len() - 1);
        let threshold = *visits.select_nth_unstable(at).1;
        let above = self.retain_count(|visits| visits > threshold);
        // Most nodes were visited as often as the threshold says. Of those the newest go first:
        // the oldest lie nearest to the root.
        let spare = (self.nodes.len() as f64 * (1.0 - share)) as usize;
        let ties = std::cell::Cell::new(spare.saturating_sub(above));
        self.retain(|tree, id| {
            let node = tree.node(id);
            let count = node.visits + node.pending;
            if id == root || node.pending > 0 || count > threshold {
                return true;
            }
            let tie = count == threshold && ties.get() > 0;
            if tie {
                ties.set(ties.get() - 1);
            }
            tie
        })
    }

    fn retain_count(&self, keep: impl Fn(u32) -> bool) -> usize {
        self.nodes.iter().filter(|node| keep(node.visits + node.pending)).count()
    }
}

impl Tree {
    /// Keeps a share of the evidence in all nodes. Visits stay whole numbers and means stay what
    /// they are, as with decayed tables.
    pub(crate) fn decay(&mut self, keep: f64) {
        let Actions { statistics, extra, .. } = &mut self.actions;
        for (at, statistic) in statistics.iter_mut().enumerate() {
            let mut kept = keep;
            if statistic.visits > 0 {
                let before = f64::from(statistic.visits);
                let mean = statistic.sum / before;
                statistic.visits = (before * keep).round() as u32;
                statistic.sum = mean * f64::from(statistic.visits);
                kept = f64::from(statistic.visits) / before;
            }
            // What selections keep are sums over visits, so they shrink as the visits do.
            if let Some(extra) = extra.get_mut(at) {
                *extra *= kept;
            }
        }
        for at in 0..self.nodes.len() {
            let node = &self.nodes[at];
            let first = node.numbers(gamegrove_game::Role(0));
            self.nodes[at].visits = match first {
                Some(first) if !node.is_terminal() => {
                    self.actions.statistics[first].iter().map(|s| s.visits).sum()
                }
                _ => 0,
            };
        }
    }
}
