//! One simulation on its way: where it went in the tree, what it played, by which parameters.

use gamegrove_tuning::Combination;

use crate::beliefs::Beliefs;
use crate::parameter::Values;
use crate::sequential::Informed;
use crate::trace::Trace;
use crate::tree::{Moved, NodeId};

/// One simulation. Several may be under way at once.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// All moves so far, and at the end the goals.
    pub trace: Trace,
    /// The parameters that steer it, for each role.
    pub values: Values,
    /// The nodes in which it chose, from the root.
    pub(crate) path: Vec<NodeId>,
    /// The place of the chosen action of each role in each node of the path.
    pub(crate) choices: Vec<u32>,
    /// The node the path has led to.
    pub(crate) leaf: Option<NodeId>,
    /// Whose statistics of moves below each role reads now [Sironi 2019, 5.2.2].
    pub(crate) reference: Vec<NodeId>,
    /// Choices made knowing those of other roles, in sequential UCT.
    pub(crate) informed: Vec<Informed>,
    /// The combination that each role's values are, if they are tuned.
    pub(crate) combinations: Vec<Combination>,
    /// What is believed of each role, if a part needs that.
    pub(crate) beliefs: Vec<Beliefs>,
    /// Whether its path counts as under way until it is backed up.
    pub(crate) marked: bool,
    /// How many play-outs its goals are the mean of.
    pub(crate) playouts: u32,
    /// Joint moves in these play-outs, where they are not in the trace.
    pub(crate) batch_steps: u64,
}

impl Simulation {
    pub(crate) fn new(values: Values) -> Simulation {
        Simulation {
            trace: Trace::default(),
            values,
            path: Vec::new(),
            choices: Vec::new(),
            leaf: None,
            reference: Vec::new(),
            informed: Vec::new(),
            combinations: Vec::new(),
            beliefs: Vec::new(),
            marked: false,
            playouts: 1,
            batch_steps: 0,
        }
    }

    pub(crate) fn begin(&mut self, roles: usize, discount: f64, root: NodeId) {
        self.trace.begin(roles, discount);
        self.path.clear();
        self.choices.clear();
        self.leaf = Some(root);
        self.informed.clear();
        (self.marked, self.playouts, self.batch_steps) = (false, 1, 0);
        self.reference.clear();
        self.reference.resize(roles, root);
    }

    /// Becomes a copy of another simulation, in the memory it has.
    pub(crate) fn copy(&mut self, other: &Simulation) {
        let Simulation {
            trace,
            values,
            path,
            choices,
            leaf,
            reference,
            informed,
            combinations,
            beliefs,
            marked,
            playouts,
            batch_steps,
        } = other;
        (self.marked, self.playouts, self.batch_steps) = (*marked, *playouts, *batch_steps);
        self.trace.copy(trace);
        self.values.clone_from(values);
        self.path.clone_from(path);
        self.choices.clone_from(choices);
        self.leaf.clone_from(leaf);
        self.reference.clone_from(reference);
        self.informed.clone_from(informed);
        self.combinations.clone_from(combinations);
        self.beliefs.clone_from(beliefs);
    }

    /// Follows nodes to their new places. Nodes with simulations under way are never dropped; the
    /// leaf may be, and then learns nothing.
    pub(crate) fn move_nodes(&mut self, moved: &Moved) {
        for node in self.path.iter_mut().chain(&mut self.reference) {
            *node = moved.get(*node).expect("nodes under way are kept");
        }
        self.leaf = self.leaf.and_then(|leaf| moved.get(leaf));
        let kept = self.informed.iter().filter_map(|choice| choice.moved(|at| moved.get(at)));
        self.informed = kept.collect();
    }

    /// The choice of all roles in the last node of the path.
    pub(crate) fn last_choice(&self) -> &[u32] {
        let roles = self.trace.roles();
        &self.choices[self.choices.len() - roles..]
    }

    /// The node that the path ends in: its last choice leads out of it.
    pub(crate) fn edge(&self) -> NodeId {
        *self.path.last().expect("an edge starts somewhere")
    }
}
