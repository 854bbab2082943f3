//! The states of nodes, and the readers of states that strategies need. This is the small part of a
//! search that depends on the type of states: it is compiled for every reasoner, while
//! [`Core`](crate::core::Core) is compiled once.

use std::hash::{BuildHasher, Hash};

use gamegrove_game::{Features, Move, Role};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::beliefs::Offer;
use crate::core::NodeReader;
use crate::expand::Narrowing;
use crate::rating::Rating;
use crate::simulation::Simulation;
use crate::tree::{Moved, NodeId};
use crate::typed::Typed;

/// The states of nodes, and the readers of states that strategies need.
pub(crate) struct States<S> {
    /// The state of each node; none in open trees and of nodes that only hold statistics.
    of_nodes: Vec<Option<S>>,
    /// Nodes by state, if equal states are one node.
    index: Option<HashTable<Indexed>>,
    /// The features of states, if a part needs them.
    pub(crate) features: Option<Box<dyn Features<S>>>,
    /// Types of moves, if a part needs them.
    pub(crate) typed: Option<Typed<S>>,
    /// The game's own evaluation, if a part needs it.
    pub(crate) rating: Option<Rating<S>>,
    /// Which moves of a new node are kept, if not all.
    pub(crate) narrowing: Option<Narrowing<S>>,
}

/// A node with the hash of its state, so that states need not be read again when the table grows.
#[derive(Clone, Copy, Debug)]
struct Indexed {
    hash: u32,
    id: NodeId,
}

impl<S: Clone + Eq + Hash> States<S> {
    /// Without any state. Equal states will be one node if `merge`.
    pub(crate) fn new(merge: bool) -> Self {
        States {
            of_nodes: Vec::new(),
            index: merge.then(HashTable::new),
            features: None,
            typed: None,
            rating: None,
            narrowing: None,
        }
    }

    /// Makes room for so many nodes more.
    pub(crate) fn reserve(&mut self, nodes: usize) {
        self.of_nodes.reserve(nodes);
        if let Some(index) = &mut self.index {
            index.reserve(nodes, |one| spread(one.hash));
        }
    }

    /// The state of a node, if it has one.
    #[inline]
    pub(crate) fn of(&self, id: NodeId) -> Option<&S> {
        self.of_nodes.get(id.index())?.as_ref()
    }

    /// The node of a state, if equal states are one node and there is one.
    pub(crate) fn find(&self, state: &S) -> Option<NodeId> {
        let hash = hash(state);
        let same = |one: &Indexed| one.hash == hash && self.of(one.id) == Some(state);
        self.index.as_ref()?.find(spread(hash), same).map(|one| one.id)
    }

    /// Gives the newest node its state.
    pub(crate) fn put(&mut self, id: NodeId, state: &S) {
        self.fill(id.index());
        self.of_nodes.push(Some(state.clone()));
        if let Some(index) = &mut self.index {
            let hash = hash(state);
            index.insert_unique(spread(hash), Indexed { hash, id }, |one| spread(one.hash));
        }
    }

    /// Has an entry for each of so many nodes, also for those without a state.
    pub(crate) fn fill(&mut self, nodes: usize) {
        if self.of_nodes.len() < nodes {
            self.of_nodes.resize_with(nodes, || None);
        }
    }

    /// Follows nodes to their new places.
    pub(crate) fn move_nodes(&mut self, moved: &Moved) {
        if moved.keeps_all() {
            return;
        }
        moved.thin(&mut self.of_nodes);
        self.of_nodes.shrink_to_fit();
        if let Some(index) = &mut self.index {
            index.retain(|one| match moved.get(one.id) {
                Some(id) => {
                    one.id = id;
                    true
                }
                None => false,
            });
        }
    }

    /// The memory of the states' own entries and of the look-up, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let looked_up =
            |index: &HashTable<Indexed>| index.capacity() * (size_of::<Indexed>() + 1) * 8 / 7;
        self.of_nodes.capacity() * size_of::<Option<S>>() + self.index.as_ref().map_or(0, looked_up)
    }

    /// Ends a simulation with the ratings of a state.
    pub(crate) fn finish_rated(&mut self, state: &S, scale: f64, simulation: &mut Simulation) {
        let Some(rating) = &mut self.rating else { return };
        let worth = |role| 100.0 / (1.0 + (-rating.value(state, role) / scale).exp());
        simulation.trace.finish(Role::all(simulation.trace.roles()).map(worth));
    }
}

impl<S: Clone + Eq + Hash> NodeReader for States<S> {
    fn read_features(&mut self, at: NodeId, features: &mut Vec<u32>) {
        if let Some(reader) = &mut self.features
            && let Some(Some(state)) = self.of_nodes.get(at.index())
        {
            reader.read(state, features);
        }
    }

    fn read_types(&mut self, at: NodeId, role: Role, moves: &[Move]) -> Option<(&[u8], Offer)> {
        let typed = self.typed.as_mut()?;
        let state = self.of_nodes.get(at.index())?.as_ref()?;
        Some(typed.read_some(state, role, moves))
    }

    fn type_of(&mut self, at: NodeId, role: Role, mov: Move) -> Option<(Offer, usize)> {
        let typed = self.typed.as_mut()?;
        let state = self.of_nodes.get(at.index())?.as_ref()?;
        typed.type_of(state, role, mov)
    }
}

fn hash(state: &impl Hash) -> u32 {
    let hash = FxBuildHasher.hash_one(state);
    (hash ^ hash >> 32) as u32
}

/// hashbrown reads the top bits for its tags and the low bits for places.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}
