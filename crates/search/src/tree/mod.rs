//! The tree of the search: nodes, statistics of actions, links, and what is dropped when.
//!
//! Nodes live in one arena and refer to each other by number. The actions of a node are one range
//! of columns shared by all nodes. With a transposition table equal states are one node
//! [Sironi 2019, 2.5.3], so the tree is a graph. The states themselves lie apart
//! ([`States`](crate::states::States)), so that nothing here depends on their type.

mod actions;
mod amaf;
mod below;
mod earlier;
mod move_map;
mod node;
mod open;
mod prune;
mod shape;
mod tally;
mod worth;

use std::ops::Range;

use gamegrove_game::{Goal, Move, Role};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub(crate) use actions::Actions;
pub use actions::Statistic;
pub(crate) use amaf::Amaf;
use below::Below;
pub(crate) use earlier::Earlier;
pub use move_map::MoveMap;
pub(crate) use node::NO_NUMBERS;
pub use node::{Node, NodeId};
pub(crate) use prune::Moved;
pub use shape::Shape;
pub(crate) use tally::{Counted, Tally};
pub(crate) use worth::{Valuing, Worth};

use crate::trace::Needs;

/// How many statistics begin in a line of memory, at least, and of how many lines a node's are fetched.
const LINE: usize = 64 / size_of::<Statistic>();
const MOST_FETCHED: usize = 12;

/// All nodes of a search.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    pub(crate) actions: Actions,
    /// Goals of terminal nodes, one row of roles each.
    goals: Vec<Goal>,
    /// Successors of nodes in which several roles choose.
    joint_links: FxHashMap<(NodeId, u64), NodeId>,
    /// Statistics of all moves played below each node, if a part needs them.
    below: Option<Below>,
    roles: usize,
}

/// What a state is, as far as a node must know.
#[derive(Debug)]
pub struct Facts<'a> {
    /// The goals of all roles if play is over.
    pub ended: Option<&'a [Goal]>,
    /// Otherwise the legal moves of all roles, one after another.
    pub moves: &'a [Move],
    /// Where each role's moves end in `moves`.
    pub ends: &'a [u32],
}

impl<'a> Facts<'a> {
    /// The legal moves of each role.
    pub(crate) fn by_role(&self) -> Vec<&'a [Move]> {
        let mut from = 0;
        let list =
            |&end: &u32| &self.moves[std::mem::replace(&mut from, end as usize)..end as usize];
        self.ends.iter().map(list).collect()
    }
}

impl Tree {
    /// An empty tree for a game with `roles`.
    pub fn new(roles: usize, needs: Needs) -> Self {
        Tree {
            nodes: Vec::new(),
            actions: Actions::new(needs),
            goals: Vec::new(),
            joint_links: FxHashMap::default(),
            below: needs.amaf.then(|| Below::new(roles)),
            roles,
        }
    }

    /// Makes room for so many nodes more.
    pub(crate) fn reserve(&mut self, nodes: usize) {
        self.nodes.reserve(nodes);
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A node.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A node, to be changed.
    #[inline]
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Reads a node, so that the processor fetches it.
    #[inline]
    pub(crate) fn read_node(&self, id: NodeId) -> u32 {
        self.node(id).visits
    }

    /// Reads the first lines of memory with the numbers of a node's actions.
    #[inline]
    pub(crate) fn read_actions(&self, id: NodeId) -> u32 {
        let numbers = self.actions.statistics.get(self.node(id).all_numbers()).unwrap_or(&[]);
        let lines = numbers.iter().step_by(LINE).take(MOST_FETCHED);
        lines.fold(0, |read, statistic| read ^ statistic.visits)
    }

    /// Reads the numbers of the actions of a choice, so that the processor fetches them.
    #[inline]
    pub(crate) fn read_choice(&self, id: NodeId, choice: &[u32]) -> u32 {
        let numbers = self.actions.statistics.get(self.node(id).all_numbers()).unwrap_or(&[]);
        let starts = std::iter::once(&0).chain(&self.node(id).ends);
        let chosen =
            starts.zip(choice).filter_map(|(start, place)| numbers.get((start + place) as usize));
        chosen.fold(0, |read, statistic| read ^ statistic.visits)
    }

    /// All nodes.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Adds a node.
    pub fn add(&mut self, facts: &Facts<'_>, step: u32) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let ended = facts.ended.map(|goals| {
            let at = self.goals.len() as u32;
            self.goals.extend_from_slice(goals);
            at
        });
        let start = self.actions.add_moves(facts.moves);
        self.nodes.push(Node {
            visits: 0,
            pending: 0,
            stamp: step,
            start,
            numbers: NO_NUMBERS,
            ends: if ended.is_some() {
                SmallVec::from_elem(0, self.roles)
            } else {
                facts.ends.into()
            },
            ended,
        });
        if let Some(below) = &mut self.below {
            below.add_node();
        }
        id
    }

    /// The goals of a node in which play is over.
    pub fn goals(&self, id: NodeId) -> Option<&[Goal]> {
        let at = self.node(id).ended? as usize;
        Some(&self.goals[at..at + self.roles])
    }

    /// The moves of a role in a node, in the order of their statistics.
    #[inline]
    pub fn moves(&self, id: NodeId, role: Role) -> &[Move] {
        &self.actions.moves[self.node(id).moves(role)]
    }

    /// Writes the moves at `choice` (one place per role) to `joint`; the successor they lead to.
    #[inline]
    pub(crate) fn follow(
        &self,
        id: NodeId,
        choice: &[u32],
        joint: &mut Vec<Move>,
    ) -> Option<NodeId> {
        let node = self.node(id);
        let numbers = self.actions.statistics.get(node.all_numbers()).unwrap_or(&[]);
        joint.clear();
        let (mut from, mut only, mut choosers) = (0, 0, 0);
        for (&end, &chosen) in node.ends.iter().zip(choice) {
            let at = (from + chosen) as usize;
            // Beside the numbers, if there are any: then it is no other line of memory.
            joint.push(match numbers.get(at) {
                Some(statistic) => statistic.mov,
                None => self.actions.moves[node.start as usize + at],
            });
            if end - from > 1 {
                choosers += 1;
                only = at;
            }
            from = end;
        }
        if choosers <= 1 {
            numbers.get(only).and_then(Statistic::child)
        } else {
            self.joint_links.get(&(id, node.joint_number(choice))).copied()
        }
    }

    /// The moves of a role in a node, their statistics and the numbers the selection keeps for them.
    #[inline]
    pub(crate) fn columns(&self, id: NodeId, role: Role) -> (&[Move], &[Statistic], &[f64]) {
        let node = self.node(id);
        let (range, actions) = (node.range(role), &self.actions);
        let moves = &actions.moves[node.moves(role)];
        match node.numbers(role) {
            Some(numbers) => {
                let extra = actions.extra.get(numbers.clone()).unwrap_or(&[]);
                (moves, &actions.statistics[numbers], extra)
            }
            None => {
                let blank = actions.blank();
                let extra = blank.extra.get(..range.len()).unwrap_or(&[]);
                (moves, &blank.statistics[..range.len()], extra)
            }
        }
    }

    /// A node that a simulation goes through, and the columns in which its actions have numbers now.
    #[inline]
    pub(crate) fn open(&mut self, id: NodeId) -> (&mut Node, &mut Actions) {
        if self.node(id).numbers == NO_NUMBERS {
            self.add_numbers(id);
        }
        (&mut self.nodes[id.index()], &mut self.actions)
    }

    /// The statistics of a role's moves in a node.
    #[inline]
    pub fn statistics(&self, id: NodeId, role: Role) -> &[Statistic] {
        match self.node(id).numbers(role) {
            Some(range) => &self.actions.statistics[range],
            None => &self.actions.blank().statistics[..self.node(id).move_count(role)],
        }
    }

    /// Where the numbers of a role's actions are in a node that a simulation goes through.
    #[inline]
    pub(crate) fn open_numbers(&mut self, id: NodeId, role: Role) -> Range<usize> {
        self.open(id).0.numbers(role).expect("an open node has them")
    }

    #[cold]
    fn add_numbers(&mut self, id: NodeId) {
        let node = self.node(id);
        let start = node.start as usize;
        let numbers = self.actions.add_numbers(start..start + node.action_count());
        self.node_mut(id).numbers = numbers;
    }

    /// The number the selection keeps for each of a role's moves; empty if it asked for none.
    #[inline]
    pub fn extra(&self, id: NodeId, role: Role) -> &[f64] {
        match self.node(id).numbers(role) {
            Some(range) => self.actions.extra.get(range).unwrap_or(&[]),
            None => self.actions.blank().extra.get(..self.node(id).move_count(role)).unwrap_or(&[]),
        }
    }

    /// The greatest return of each of a role's moves; empty if no strategy needs it.
    #[inline]
    pub fn best(&self, id: NodeId, role: Role) -> &[f32] {
        match self.node(id).numbers(role) {
            Some(range) => self.actions.best.get(range).unwrap_or(&[]),
            None => self.actions.blank().best.get(..self.node(id).move_count(role)).unwrap_or(&[]),
        }
    }

    /// What was played below a node, if there is a table of it.
    #[inline]
    pub fn amaf(&self, id: NodeId) -> Option<&MoveMap> {
        self.below.as_ref()?.table(id)
    }

    /// For how many of the moves with these keys there are statistics from below a node; without keys, for how
    /// many of all moves.
    pub(crate) fn count_amaf(&self, id: NodeId, of: Option<&[u32]>) -> usize {
        self.below.as_ref().map_or(0, |below| below.count(id, of))
    }

    /// Makes sure that what was played below a node can be read, if it is kept.
    #[inline]
    pub(crate) fn settle_amaf(&mut self, id: NodeId) {
        if let Some(below) = &mut self.below {
            below.settle(id);
        }
    }

    /// The successor of a node by the moves at `choice` (one place per role).
    #[inline]
    pub fn child(&self, id: NodeId, choice: &[u32]) -> Option<NodeId> {
        let node = self.node(id);
        match node.only_chooser(choice) {
            Some(_) if node.numbers == NO_NUMBERS => None,
            Some(at) => self.actions.child(node.numbers as usize + at),
            None => self.joint_links.get(&(id, node.joint_number(choice))).copied(),
        }
    }

    /// Links a node to its successor by the moves at `choice`.
    pub fn link(&mut self, id: NodeId, choice: &[u32], child: NodeId) {
        let node = self.node(id);
        match node.only_chooser(choice) {
            Some(at) => {
                let start = self.open_numbers(id, Role(0)).start;
                self.actions.set_child(start + at, child);
            }
            None => {
                let number = node.joint_number(choice);
                self.joint_links.insert((id, number), child);
            }
        }
    }

    /// The node of a role's statistics in a node after the choices of others that `prefix` numbers.
    pub(crate) fn informed(&self, id: NodeId, role: Role, prefix: u64) -> Option<NodeId> {
        self.joint_links.get(&(id, informed_key(role, prefix))).copied()
    }

    /// Links a node to such statistics.
    pub(crate) fn link_informed(&mut self, id: NodeId, role: Role, prefix: u64, to: NodeId) {
        self.joint_links.insert((id, informed_key(role, prefix)), to);
    }

    /// All successors of a node with the numbers of the joint moves that lead there.
    pub fn children(&self, id: NodeId) -> Vec<(Vec<u32>, NodeId)> {
        let node = self.node(id);
        let mut found = Vec::new();
        for number in 0..node.joint_count().min(1 << 20) {
            let choice = node.choice(number);
            if let Some(child) = self.child(id, &choice) {
                found.push((choice, child));
            }
        }
        found
    }

    /// An estimate of the memory the tree takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.actions.bytes()
            + self.goals.len() * size_of::<Goal>()
            + self.joint_links.capacity() * size_of::<((NodeId, u64), NodeId)>()
            + self.below.as_ref().map_or(0, Below::bytes)
    }
}

/// A key that no number of a joint move is: those stay below 2^63 in any node that fits in memory.
fn informed_key(role: Role, prefix: u64) -> u64 {
    1 << 63 | u64::from(role.0) << 55 | prefix
}
