//! HE: hierarchical expansion [Sironi 2019, 6.3.1].
//!
//! A tree with one level per parameter. A node is a bandit over the values of its parameter that
//! are legal after the values above it; a path to a leaf is a combination. Every node on the path
//! learns the reward. Nodes are made when they are first reached.
//!
//! The order of the levels is drawn once, from the generator that all roles of a game share.
//!
//! In flight: visits, see `bandit`.

use std::ops::Range;
use std::sync::Arc;

use gamegrove_game::Rng;
use gamegrove_settings::{Parameter, Record};

use crate::bandit::{self, Arms, Ucb};
use crate::combination::Ticket;
use crate::registry::{BuildError, Context, FPU, StrategySpec, exploration};
use crate::space::OPEN;
use crate::{Combination, Index, Indices, Rewards, Space, Strategy};

/// The entry in the registry.
pub(crate) const SPEC: StrategySpec = StrategySpec {
    name: "he",
    sentence: "Hierarchical expansion: a tree of UCB1 bandits, one level per parameter.",
    source: "Algorithm 10; settings of section 6.4.1, Table E.2",
    continuous: false,
    plans: false,
    parameters: &[
        exploration("c", 0.7, "How much it explores: the constant of UCB1."),
        Parameter::word(
            "order",
            &["random", "listed"],
            "The order of the levels: drawn for every game, or as the parameters are listed.",
        )
        .with_source("section 6.4.1"),
        FPU,
    ],
    build: |settings, context| Ok(Box::new(He::new(settings, context)?)),
};

/// The state.
#[derive(Clone, Debug)]
pub struct He {
    space: Arc<Space>,
    rewards: Rewards,
    ucb: Ucb,
    order: Vec<usize>,
    nodes: Vec<Node>,
    /// The arms of all nodes, node after node.
    arms: Arms,
    /// The child below each arm; [`NOWHERE`] if there is none.
    children: Vec<u32>,
    samples: u64,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    first: usize,
    /// Samples finished or in flight.
    samples: u64,
}

const NOWHERE: u32 = u32::MAX;

impl He {
    pub(crate) fn new(settings: &Record, context: &Context) -> Result<Self, BuildError> {
        let space = Arc::clone(&context.space);
        let mut order: Vec<usize> = (0..space.dimension()).collect();
        if settings.word("order") == "random" {
            let mut shared = context.shared.clone();
            for left in (2..=order.len()).rev() {
                order.swap(left - 1, shared.below(left));
            }
        }
        let mut he = He {
            space,
            rewards: context.rewards,
            ucb: Ucb { c: settings.real("c"), fpu: settings.real("fpu") },
            order,
            nodes: Vec::new(),
            arms: Arms::default(),
            children: Vec::new(),
            samples: 0,
        };
        he.add_node(0);
        Ok(he)
    }

    /// The order of the levels.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    fn add_node(&mut self, level: usize) -> u32 {
        let width = self.space.choices(self.order[level]).len();
        let first = self.arms.add(self.ucb, width);
        self.children.resize(first + width, NOWHERE);
        self.nodes.push(Node { first, samples: 0 });
        (self.nodes.len() - 1) as u32
    }

    /// The node below `arm` of a node on `level`; `None` below the last level.
    fn child(&mut self, level: usize, arm: usize) -> Option<u32> {
        if level + 1 == self.order.len() {
            return None;
        }
        if self.children[arm] == NOWHERE {
            self.children[arm] = self.add_node(level + 1);
        }
        Some(self.children[arm])
    }

    /// Shows every node on the path of a combination, with the arm taken there, to `visit`.
    fn walk(&mut self, indices: &[Index], mut visit: impl FnMut(&mut Node, &mut Arms, usize)) {
        let mut node = Some(0);
        for level in 0..self.order.len() {
            let Some(at) = node else { return };
            let arm = self.nodes[at as usize].first + usize::from(indices[self.order[level]]);
            visit(&mut self.nodes[at as usize], &mut self.arms, arm);
            node = self.child(level, arm);
        }
    }

    fn arms_of(&self, node: u32, level: usize) -> Range<usize> {
        let first = self.nodes[node as usize].first;
        first..first + self.space.choices(self.order[level]).len()
    }
}

impl Strategy for He {
    fn next(&mut self, rng: &mut Rng) -> Combination {
        let mut partial = Indices::from_elem(OPEN, self.order.len());
        let mut node = Some(0);
        for level in 0..self.order.len() {
            let Some(at) = node else { break };
            let parameter = self.order[level];
            let samples = self.nodes[at as usize].samples;
            let legal = self.space.legal(&partial, parameter);
            let scaled = self.ucb.c * bandit::reach(samples);
            let index = self.arms.choose(self.arms_of(at, level), scaled, legal, rng);
            partial[parameter] = index;
            let arm = self.nodes[at as usize].first + usize::from(index);
            self.arms.propose(arm);
            self.nodes[at as usize].samples += 1;
            node = self.child(level, arm);
        }
        Combination::proposed(partial, Ticket::PROPOSED)
    }

    fn update(&mut self, combination: &Combination, reward: f64) {
        let Some(indices) = combination.indices().filter(|i| self.space.is_legal(i)) else {
            return;
        };
        let reward = self.rewards.unit(reward);
        let proposed = combination.ticket() != Ticket::NONE;
        self.samples += 1;
        self.walk(indices, |node, arms, arm| {
            let in_flight = proposed && arms.pending(arm) > 0;
            arms.learn(arm, reward, in_flight);
            node.samples += u64::from(!in_flight);
        });
    }

    fn cancel(&mut self, combination: &Combination) {
        if let Some(indices) = combination.indices().filter(|i| self.space.is_legal(i)) {
            self.walk(indices, |node, arms, arm| {
                node.samples -= u64::from(arms.pending(arm) > 0);
                arms.cancel(arm);
            });
        }
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    /// Level by level the value that is surely worth the most.
    fn best(&self) -> Option<Combination> {
        let mut partial = Indices::from_elem(OPEN, self.order.len());
        let mut node = 0;
        for (level, &parameter) in self.order.iter().enumerate() {
            let legal = self.space.legal(&partial, parameter);
            let index = self.arms.recommend(self.arms_of(node, level), legal)?;
            partial[parameter] = index;
            node = self.children[self.nodes[node as usize].first + usize::from(index)];
        }
        Some(Combination::from_indices(&partial))
    }
}
