//! The part of a search that does not know the game. It is compiled once, whatever the reasoner.
//!
//! It has four parts: the [`Tree`] with the statistics of actions, the [`Strategies`] that choose, what
//! was [`Learned`] besides, and the state of the [`Run`]. A simulation has eight steps, which
//! [`simulate`](crate::simulate::simulate) makes one after the other:
//!
//! 1. [`begin`](Core::begin): the simulation gets the values of its parameters.
//! 2. [`descend`](Core::descend): it goes down the tree until it meets an edge that leads out of it.
//! 3. Where play is over or proved in the tree, it ends there.
//! 4. The game plays the edge and looks at the state beyond.
//! 5. The state is attached as a node. If it was there already, the simulation descends from it.
//! 6. The game plays out.
//! 7. [`back_up`](Core::back_up): the statistics of all actions on the path get the result.
//! 8. [`learn`](Core::learn): tables, solver, tuner and the like see the simulation.
//!
//! Steps 4 to 6 need the game and stand in [`simulate`](crate::simulate), where one state at a time is
//! played, and in [`flight`](crate::flight), where lanes play hundreds of simulations at a time. What
//! strategies read in the states of nodes they read through a [`NodeReader`] [Sironi 2019, 2.3].

use gamegrove_game::{Move, Rng, Role};

use crate::beliefs::{Beliefs, Offer};
use crate::best_line::BestLine;
use crate::budget::Stop;
use crate::choice::Open;
use crate::cutoff::{Cutoff, Worth as CutOff};
use crate::endgame::Endgame;
use crate::learn::Tables;
use crate::parameter::{Declared, Values};
use crate::playout::Policy;
use crate::samples::RootSamples;
use crate::select::{Outcome, Selection};
use crate::sequential::Informed;
use crate::settings::Settings;
use crate::simulation::Simulation;
use crate::solver::{Bounds, Solver};
use crate::tactic::Tactic;
use crate::trace::{Needs, Trace};
use crate::tree::{Actions, Amaf, Moved, Node, NodeId, Statistic, Tree, Worth};
use crate::tune::Tuner;

/// A search without its game.
pub(crate) struct Core {
    pub(crate) settings: Settings,
    pub(crate) tree: Tree,
    pub(crate) strategies: Strategies,
    pub(crate) learned: Learned,
    pub(crate) run: Run,
}

/// The strategies of a search, and the statistics they need.
pub(crate) struct Strategies {
    /// The parameters of all strategies.
    pub(crate) declared: Vec<Declared>,
    pub(crate) needs: Needs,
    /// Chooses in the tree.
    pub(crate) selection: Box<dyn Selection>,
    /// Chooses below the tree.
    pub(crate) policy: Box<dyn Policy>,
    /// Ends play-outs early.
    pub(crate) cutoff: Option<Box<dyn Cutoff>>,
    /// Keeps moves of a play-out from the policy.
    pub(crate) tactic: Option<Box<dyn Tactic>>,
    /// Looks at positions near the end in full.
    pub(crate) endgame: Option<Box<dyn Endgame>>,
}

/// Everything that is learned from simulations besides the statistics of actions.
pub(crate) struct Learned {
    pub(crate) tables: Tables,
    /// Adds the moves below each node to its statistics.
    pub(crate) amaf: Option<Amaf>,
    /// The values of nodes, if actions are valued by the nodes they lead to.
    pub(crate) worth: Option<Worth>,
    /// Bounds that are proved of nodes.
    pub(crate) solver: Option<Solver>,
    /// The on-line tuner; without one all simulations use the values of the settings.
    pub(crate) tuner: Option<Tuner>,
    /// The best line of a game of one role, if it is kept.
    pub(crate) best_line: Option<BestLine>,
    /// Beliefs about each role now, if a part needs them.
    pub(crate) beliefs: Vec<Beliefs>,
}

/// Learns from every simulation, and follows the tree where it keeps something for its nodes.
pub(crate) trait Hook {
    /// An action of `parent` leads to `child`.
    fn linked(&mut self, _parent: NodeId, _child: NodeId) {}

    /// A simulation is over. The statistics of actions hold it already.
    fn backed_up(&mut self, tree: &mut Tree, simulation: &Simulation);

    /// Nodes were dropped, and `nodes` are left.
    fn nodes_moved(&mut self, _moved: &Moved, _nodes: usize) {}
}

impl Learned {
    /// Everything that learns from simulations, in a fixed order.
    fn hooks(&mut self) -> impl Iterator<Item = &mut dyn Hook> {
        fn one<H: Hook>(hook: &mut Option<H>) -> Option<&mut dyn Hook> {
            hook.as_mut().map(|hook| hook as &mut dyn Hook)
        }
        let Learned { tables, amaf, worth, solver, .. } = self;
        let tables: Option<&mut dyn Hook> = Some(tables);
        [one(amaf), one(worth), one(solver), tables].into_iter().flatten()
    }

    /// The memory of what is learned, in bytes; without what the tree counts itself.
    fn bytes(&self) -> usize {
        self.tables.bytes()
            + self.solver.as_ref().map_or(0, Solver::bytes)
            + self.worth.as_ref().map_or(0, Worth::bytes)
    }
}

impl Hook for Tables {
    fn backed_up(&mut self, _: &mut Tree, simulation: &Simulation) {
        self.learn(&simulation.trace);
    }
}

/// The state of a run: the root, counts since it was set, and buffers.
pub(crate) struct Run {
    pub(crate) root: Option<NodeId>,
    /// The step of the match, for stamps.
    pub(crate) step: u32,
    pub(crate) roles: usize,
    /// The role the search is for. Only sequential UCT and opponent models treat it differently.
    pub(crate) searcher: Role,
    pub(crate) root_samples: RootSamples,
    pub(crate) counts: Counts,
    /// In a lost position, after how many steps each of the searcher's moves loses, where that was looked
    /// at; see [`steps_to_loss`](crate::endgame::steps_to_loss).
    pub(crate) lost_after: Vec<Option<u16>>,
    /// The most legal moves that a simulation has noted.
    pub(crate) most_noted: usize,
    pub(crate) open: Open,
    joint: Vec<Move>,
    pub(crate) untried: Vec<(usize, Move)>,
    pub(crate) untried_moves: Vec<Move>,
    pub(crate) features: Vec<u32>,
}

impl Run {
    fn new(roles: usize) -> Run {
        Run {
            root: None,
            step: 0,
            roles,
            searcher: Role(0),
            root_samples: RootSamples::default(),
            counts: Counts::default(),
            lost_after: Vec::new(),
            most_noted: 0,
            open: Open::default(),
            joint: Vec::new(),
            untried: Vec::new(),
            untried_moves: Vec::new(),
            features: Vec::new(),
        }
    }
}

/// Reads features and types of moves in the states of nodes for strategies. It does nothing where a node has no state
/// or the game lacks what is asked for.
pub(crate) trait NodeReader {
    /// Writes the features that hold in a node's state.
    fn read_features(&mut self, at: NodeId, features: &mut Vec<u32>);

    /// The types of some of a role's moves in a node's state, and how many moves of each there are.
    fn read_types(&mut self, at: NodeId, role: Role, moves: &[Move]) -> Option<(&[u8], Offer)>;

    /// How many moves of each type a role has in a node's state, and the type of one of them.
    fn type_of(&mut self, at: NodeId, role: Role, mov: Move) -> Option<(Offer, usize)>;
}

/// What happened since the root was set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) simulations: u64,
    pub(crate) steps: u64,
    /// Those of the steps that were made below the tree, one state at a time.
    pub(crate) steps_below: u64,
    pub(crate) deepest: usize,
    pub(crate) merged: u64,
    pub(crate) dropped: u64,
}

/// Where a descent stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// At an edge whose end is not in the tree: the last choice of the path.
    Edge,
    /// At a node in which play is over.
    End(NodeId),
    /// At the limit of steps.
    Limit(NodeId),
    /// At a node whose worth is proved.
    Solved(NodeId),
}

impl Core {
    pub(crate) fn new(
        settings: Settings,
        strategies: Strategies,
        tables: Tables,
        best_line: Option<BestLine>,
        roles: usize,
    ) -> Self {
        let needs = strategies.needs;
        Core {
            settings,
            tree: Tree::new(roles, needs),
            strategies,
            learned: Learned {
                tables,
                amaf: needs.amaf.then(|| Amaf::new(roles, needs.amaf_once)),
                worth: settings.valuing.map(|valuing| Worth::new(valuing, roles)),
                solver: settings.solver.map(|mode| Solver::new(mode, roles)),
                tuner: None,
                best_line,
                beliefs: Vec::new(),
            },
            run: Run::new(roles),
        }
    }

    pub(crate) fn default_values(&self) -> Values {
        Values::new(&self.strategies.declared, self.run.roles)
    }

    /// Step 1: a simulation starts at the root, with values of parameters and beliefs of its own.
    pub(crate) fn begin(&mut self, simulation: &mut Simulation) {
        let root = self.run.root.expect("a root is set before simulations begin");
        simulation.begin(self.run.roles, self.settings.discount, root);
        self.learned.give_values(simulation);
        simulation.beliefs.clone_from(&self.learned.beliefs);
        if self.strategies.needs.amaf {
            // Where no node has enough visits yet the root's statistics are read.
            self.tree.settle_amaf(root);
        }
    }

    /// Step 2: goes down from the simulation's leaf until it leaves the tree or play is over.
    pub(crate) fn descend(
        &mut self,
        simulation: &mut Simulation,
        states: &mut dyn NodeReader,
        rng: &mut Rng,
    ) -> Reached {
        loop {
            if let Some(reached) = self.go_down(simulation, states, rng) {
                return reached;
            }
        }
    }

    /// Goes from the simulation's leaf to the next node; says where the descent stopped if it does.
    #[inline]
    pub(crate) fn go_down(
        &mut self,
        simulation: &mut Simulation,
        states: &mut dyn NodeReader,
        rng: &mut Rng,
    ) -> Option<Reached> {
        let at = simulation.leaf.expect("a simulation on its way has a leaf");
        let node = self.tree.node_mut(at);
        node.stamp = self.run.step;
        if node.is_terminal() {
            return Some(Reached::End(at));
        }
        if simulation.trace.steps() >= self.settings.depth_limit {
            return Some(Reached::Limit(at));
        }
        if let Some(solver) = &self.learned.solver
            && !simulation.path.is_empty()
            && solver.is_solved(at)
        {
            return Some(Reached::Solved(at));
        }
        simulation.leaf = self.choose_joint(simulation, at, states, rng);
        if simulation.leaf.is_none() { Some(Reached::Edge) } else { None }
    }

    /// Has the processor fetch what simulations on their way down read next: while one waits for memory, it
    /// fetches for the others.
    pub(crate) fn fetch_leaves<'a>(&self, leaves: impl Iterator<Item = &'a Simulation> + Clone) {
        let nodes = leaves.filter_map(|simulation| simulation.leaf);
        let read = nodes.clone().fold(0, |read, at| read ^ self.tree.read_node(at));
        std::hint::black_box(read);
        let read = nodes.fold(0, |read, at| read ^ self.tree.read_actions(at));
        std::hint::black_box(read);
    }

    /// Lets every role choose in a node; notes the choice in the simulation and says where it leads.
    fn choose_joint(
        &mut self,
        simulation: &mut Simulation,
        at: NodeId,
        states: &mut dyn NodeReader,
        rng: &mut Rng,
    ) -> Option<NodeId> {
        let visits = f64::from(self.tree.node(at).visits + self.tree.node(at).pending);
        self.learned.redraw_values(simulation);
        if self.strategies.needs.features {
            states.read_features(at, &mut self.run.features);
            simulation.trace.note_features(&self.run.features);
        }
        if self.strategies.needs.legal {
            for role in Role::all(self.run.roles) {
                simulation.trace.note_legal(self.tree.moves(at, role));
            }
        }
        if self.settings.sequential {
            self.choose_in_sequence(simulation, at, states, rng);
        } else {
            for role in Role::all(self.run.roles) {
                self.refer(simulation, at, role, visits);
                let place = match self.tree.node(at).move_count(role) {
                    1 => 0,
                    _ => self.choose(simulation, (at, role, visits), states, rng),
                };
                simulation.choices.push(place as u32);
            }
        }
        self.redirect(simulation, at, rng);
        if simulation.marked {
            self.change_pending(at, simulation.last_choice(), |pending| pending + 1);
        }
        let child = self.tree.follow(at, simulation.last_choice(), &mut self.run.joint);
        simulation.path.push(at);
        simulation.trace.push(&self.run.joint);
        self.observe(simulation, &mut |role, mov| states.type_of(at, role, mov));
        child
    }

    /// Replaces a choice that leads to a solved position, if the solver has something left to prove
    /// here.
    fn redirect(&mut self, simulation: &mut Simulation, at: NodeId, rng: &mut Rng) {
        let Some(solver) = &self.learned.solver else { return };
        let Some(choice) = solver.redirect(&self.tree, at, simulation.last_choice(), rng) else {
            return;
        };
        let from = simulation.choices.len() - self.run.roles;
        simulation.choices[from..].copy_from_slice(&choice);
    }

    /// Enters the node beyond the last edge of a simulation as its leaf.
    pub(crate) fn enter(&mut self, simulation: &mut Simulation, node: NodeId) {
        let parent = simulation.edge();
        self.tree.link(parent, simulation.last_choice(), node);
        for hook in self.learned.hooks() {
            hook.linked(parent, node);
        }
        simulation.leaf = Some(node);
    }

    /// Step 7: adds the result of a finished simulation to the actions on its path.
    pub(crate) fn back_up(&mut self, simulation: &Simulation) {
        let Core { tree, strategies, run, .. } = self;
        let trace = &simulation.trace;
        let choices = simulation.choices.chunks_exact(run.roles.max(1));
        // All nodes are known: the processor fetches them, and then their actions, side by side.
        let path = simulation.path.iter().zip(choices.clone());
        let read = path.clone().fold(0, |read, (&at, _)| read ^ tree.read_node(at));
        std::hint::black_box(read);
        let read = path.fold(0, |read, (&at, choice)| read ^ tree.read_choice(at, choice));
        std::hint::black_box(read);
        for (depth, (&at, choice)) in simulation.path.iter().zip(choices).enumerate() {
            let (node, actions) = tree.open(at);
            node.visits += simulation.playouts;
            node.pending -= u32::from(simulation.marked);
            for (role, &place) in (0..).map(Role).zip(choice) {
                let place = place as usize;
                let value = trace.value(depth, role);
                let at = strategies.add_return(
                    (&*node, &mut *actions),
                    (role, place),
                    value,
                    simulation,
                );
                actions.statistics[at].pending -= u32::from(simulation.marked);
                if strategies.needs.best {
                    actions.best[at] = actions.best[at].max(value as f32);
                }
                if depth == 0 {
                    run.root_samples.add(role, place, value);
                }
            }
        }
        for &Informed { depth, at, role, place } in &simulation.informed {
            let (node, actions) = tree.open(at);
            node.visits += simulation.playouts;
            let value = trace.value(depth, role);
            strategies.add_return((&*node, actions), (role, place as usize), value, simulation);
        }
        run.most_noted = run.most_noted.max(trace.noted());
        run.counts.simulations += u64::from(simulation.playouts);
        run.counts.steps += trace.steps() as u64 + simulation.batch_steps;
        run.counts.steps_below += (trace.steps() - trace.tree_steps()) as u64;
        run.counts.deepest = run.counts.deepest.max(simulation.path.len());
    }

    /// Step 8: shows a simulation that was backed up to all that learn.
    pub(crate) fn learn(&mut self, simulation: &Simulation) {
        for hook in self.learned.hooks() {
            hook.backed_up(&mut self.tree, simulation);
        }
        if let Some(tuner) = &mut self.learned.tuner {
            let (combinations, goals) = (&simulation.combinations, simulation.trace.goals());
            tuner.reward(combinations, goals, self.run.searcher);
        }
    }

    /// Follows nodes to their new places after some were dropped.
    pub(crate) fn follow(&mut self, moved: &Moved) {
        for hook in self.learned.hooks() {
            hook.nodes_moved(moved, self.tree.len());
        }
    }

    /// Counts a simulation in flight on its path (virtual loss), so that others look elsewhere. A simulation that
    /// is marked before it goes down counts itself.
    pub(crate) fn mark_pending(&mut self, simulation: &Simulation) {
        self.change_all_pending(simulation, |pending| pending + 1);
    }

    /// Takes back what [`mark_pending`](Core::mark_pending) noted, or a simulation that is not backed up.
    pub(crate) fn unmark_pending(&mut self, simulation: &Simulation) {
        self.change_all_pending(simulation, |pending| pending - 1);
    }

    fn change_all_pending(&mut self, simulation: &Simulation, change: impl Fn(u32) -> u32 + Copy) {
        let choices = simulation.choices.chunks_exact(self.run.roles.max(1));
        for (&at, choice) in simulation.path.iter().zip(choices) {
            self.change_pending(at, choice, change);
        }
    }

    /// Changes how many simulations are under way through the actions of a choice in a node.
    fn change_pending(&mut self, at: NodeId, choice: &[u32], change: impl Fn(u32) -> u32) {
        let (node, actions) = self.tree.open(at);
        node.pending = change(node.pending);
        for (role, &place) in (0..).map(Role).zip(choice) {
            let numbers = node.numbers(role).expect("an open node has them");
            let statistic = &mut actions.statistics[numbers.start + place as usize];
            statistic.pending = change(statistic.pending);
        }
    }

    /// What is proved about the score of a role at the root.
    pub(crate) fn proved(&self, role: Role) -> Option<Bounds> {
        Some(self.learned.solver.as_ref()?.bounds(self.run.root?, role))
    }

    /// Whether the score of the searching role at the root is proved.
    pub(crate) fn is_proved(&self) -> bool {
        self.proved(self.run.searcher).is_some_and(Bounds::is_exact)
    }

    /// Whether that score is proved, or a line was found that cannot be bettered.
    pub(crate) fn is_solved(&self) -> bool {
        self.is_proved() || self.learned.best_line.as_ref().is_some_and(BestLine::is_solved)
    }

    /// Whether nothing is left to search whatever the budget, and why.
    pub(crate) fn is_done(&self) -> Option<Stop> {
        if self.is_solved() {
            return Some(Stop::Solved);
        }
        (self.run.counts.steps >= self.settings.expansions).then_some(Stop::Expansions)
    }

    /// Step 3 at a node in which play is over.
    pub(crate) fn finish_ended(&self, node: NodeId, simulation: &mut Simulation) {
        let goals = self.tree.goals(node).expect("ended nodes have goals");
        simulation.trace.finish(goals.iter().map(|goal| f64::from(goal.0)));
    }

    /// Step 3 at a node whose worth is proved.
    pub(crate) fn finish_solved(&self, node: NodeId, simulation: &mut Simulation) {
        let solver = self.learned.solver.as_ref().expect("only a solver proves");
        let scores = solver.scores(node).expect("the node is solved");
        simulation.trace.finish(scores);
    }

    /// The place of the move to play: a proved one, else by the final-move rule among those that
    /// are not proved to be worse than others.
    pub(crate) fn final_place(&self, root: NodeId, role: Role, rng: &mut Rng) -> usize {
        let rule = self.settings.final_move;
        let statistics = self.tree.statistics(root, role);
        let best = self.tree.best(root, role);
        let Some(solver) = &self.learned.solver else { return rule.choose(statistics, best, rng) };
        let lost_after = if role == self.run.searcher { &*self.run.lost_after } else { &[] };
        if let Some(proved) = solver.proved_move(&self.tree, root, role, lost_after, rng) {
            return proved;
        }
        let mut open = Vec::new();
        if !solver.open_moves(&self.tree, root, role, &mut open) {
            open = (0..statistics.len() as u32).collect();
        }
        let left: Vec<Statistic> = open.iter().map(|&place| statistics[place as usize]).collect();
        let best: Vec<f32> = match best {
            [] => Vec::new(),
            _ => open.iter().map(|&place| best[place as usize]).collect(),
        };
        let chosen = rule.choose(&left, &best, rng);
        // A move that is sure of more than the chosen one has brought so far is better.
        let sure = solver.move_bounds(&self.tree, root, role);
        let low = |&at: &usize| sure[open[at] as usize].low;
        let surest = (0..open.len()).max_by(|a, b| low(a).total_cmp(&low(b)));
        let Statistic { sum, visits, .. } = left[chosen];
        let is_better = |at: &usize| low(at) * f64::from(visits) > sum;
        open[surest.filter(is_better).unwrap_or(chosen)] as usize
    }

    /// Marks the best line from `root` on as met in this step, so that it is not dropped as old.
    pub(crate) fn stamp_best_line(&mut self, root: NodeId) {
        if self.learned.best_line.is_none() {
            return;
        }
        let mut at = Some(root);
        for _ in 0..self.settings.depth_limit.min(self.tree.len()) {
            let Some(node) = at else { return };
            self.tree.node_mut(node).stamp = self.run.step;
            let best = self.tree.best(node, Role(0));
            let greatest = best.iter().copied().fold(0.0, f32::max);
            let place = best.iter().position(|&value| value == greatest);
            at = place.and_then(|place| self.tree.child(node, &[place as u32]));
        }
    }

    /// A step of the match is over: what was learned is a step older.
    pub(crate) fn new_step(&mut self) {
        if self.run.root.is_some() {
            self.learned.tables.new_step();
        }
        self.run.step += 1;
    }

    /// Starts anew at a root.
    pub(crate) fn start_at(&mut self, root: NodeId) {
        self.run.root = Some(root);
        if self.settings.tree_decay < 1.0 {
            self.tree.decay(self.settings.tree_decay);
        }
        self.run.root_samples.reset(self.run.roles);
        self.run.counts = Counts::default();
        self.run.lost_after.clear();
    }

    /// Simulations known at the root.
    pub(crate) fn root_visits(&self) -> f64 {
        self.run.root.map_or(0.0, |root| f64::from(self.tree.node(root).visits))
    }

    /// The memory of tree and tables without states, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.tree.bytes() + self.learned.bytes()
    }
}

impl Strategies {
    /// Whether a play-out ends here although play could go on, and with what worth.
    #[inline]
    pub(crate) fn cut(&self, trace: &Trace) -> Option<CutOff> {
        self.cutoff.as_ref()?.check(trace)
    }

    /// Whether the goals of all states of a simulation are to be shown to a rule.
    pub(crate) fn wants_goals(&self) -> bool {
        self.cutoff.as_ref().is_some_and(|cutoff| cutoff.wants_goals())
    }

    /// Adds a simulation's return to an action of a node; tells where its numbers are.
    #[inline]
    fn add_return(
        &mut self,
        (node, actions): (&Node, &mut Actions),
        (role, chosen): (Role, usize),
        value: f64,
        simulation: &Simulation,
    ) -> usize {
        let range = node.numbers(role).expect("an open node has them");
        let at = range.start + chosen;
        let statistic = &mut actions.statistics[at];
        statistic.sum += value * f64::from(simulation.playouts);
        statistic.visits += simulation.playouts;
        if self.needs.extra {
            self.selection.update(&mut Outcome {
                role,
                values: &simulation.values,
                extra: &mut actions.extra[range.clone()],
                statistics: &actions.statistics[range],
                chosen,
                value,
            });
        }
        at
    }
}
