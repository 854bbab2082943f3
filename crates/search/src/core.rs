//! The part of a search that does not know the game: the tree, its statistics and its strategies.
//!
//! A simulation is three calls: [`descend`](Core::descend) to an edge that leads out of the tree,
//! [`attach`](Core::attach) the state beyond it, and [`back_up`](Core::back_up) the result. Between
//! them someone who knows the game plays; whether one simulation at a time or many at once is not
//! known here (search-and-ggp, sections 2.3 and 6.2).

use std::hash::Hash;

use gamegrove_game::{DeviceUse, Features, Move, MoveSet, Rng, Role};
use smallvec::SmallVec;

use crate::beliefs::Beliefs;
use crate::expand::Narrowing;
use crate::extras::Extras;
use crate::final_move::FinalMove;
use crate::learn::Tables;
use crate::parameter::{Declared, Values};
use crate::playout::{Policy, Turn};
use crate::rating::Rating;
use crate::select::{Decision, Outcome, Pick, Selection};
use crate::settings::Settings;
use crate::simulation::Simulation;
use crate::solver::Solver;
use crate::trace::Needs;
use crate::tree::{Counted, Earlier, Facts, MoveMap, NodeId, Statistic, Tally, Tree, Worth};
use crate::tune::Tuner;
use crate::typed::{TypeView, Typed};

/// The tree, its statistics and its strategies.
pub(crate) struct Core<S> {
    pub(crate) settings: Settings,
    pub(crate) declared: Vec<Declared>,
    pub(crate) selection: Box<dyn Selection>,
    pub(crate) policy: Box<dyn Policy>,
    pub(crate) tables: Tables,
    pub(crate) needs: Needs,
    pub(crate) tree: Tree<S>,
    pub(crate) root: Option<NodeId>,
    /// The step of the match, for stamps.
    pub(crate) step: u32,
    pub(crate) roles: usize,
    /// The role the search is for. Only sequential UCT and opponent models treat it differently.
    pub(crate) searcher: Role,
    pub(crate) features: Option<Box<dyn Features<S>>>,
    /// Types of moves, if a part needs them.
    pub(crate) typed: Option<Typed<S>>,
    /// What is believed of each role now, if a part needs that.
    pub(crate) beliefs: Vec<Beliefs>,
    /// The game's own evaluation, if a part needs it.
    pub(crate) rating: Option<Rating<S>>,
    /// Which moves of a new node are kept, if not all.
    pub(crate) narrowing: Option<Narrowing<S>>,
    pub(crate) solver: Option<Solver>,
    /// Who gives simulations their values, if they are not those of the settings.
    pub(crate) tuner: Option<Tuner>,
    /// What nodes are worth, if actions are valued by what they lead to.
    pub(crate) worth: Option<Worth>,
    /// What steers simulations beside selection and policy.
    pub(crate) extras: Extras,
    pub(crate) root_samples: RootSamples,
    pub(crate) counts: Counts,
    /// The most legal moves that a simulation has noted.
    pub(crate) most_noted: usize,
    /// Buffers.
    pub(crate) open: Open,
    joint: Vec<Move>,
    untried: Vec<(usize, Move)>,
    untried_moves: Vec<Move>,
    pub(crate) state_features: Vec<u32>,
    keys: Vec<u32>,
    earlier: Earlier,
    tally: Tally,
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
    /// What the game's device, if there is one, had done when the root was set, and now.
    pub(crate) device: Option<(DeviceUse, DeviceUse)>,
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

/// What became of a state that was attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attached {
    /// It is a new node.
    New,
    /// It was there, reached by another path.
    Known,
    /// It lies beyond the depth the tree may have.
    Beyond,
}

impl<S: Clone + Eq + Hash> Core<S> {
    pub(crate) fn new(
        settings: Settings,
        declared: Vec<Declared>,
        (selection, policy, tables): (Box<dyn Selection>, Box<dyn Policy>, Tables),
        roles: usize,
    ) -> Self {
        let mut needs = selection.needs().and(policy.needs()).and(tables.needs());
        needs.best = settings.final_move == FinalMove::Maximum;
        Core {
            tree: Tree::new(roles, needs, settings.merge),
            settings,
            declared,
            selection,
            policy,
            tables,
            needs,
            root: None,
            step: 0,
            roles,
            searcher: Role(0),
            features: None,
            typed: None,
            beliefs: Vec::new(),
            rating: None,
            narrowing: None,
            solver: settings.solver.map(|mode| Solver::new(mode, roles)),
            tuner: None,
            worth: settings.valuing.map(|valuing| Worth::new(valuing, roles)),
            open: Open::default(),
            extras: Extras::default(),
            root_samples: RootSamples::default(),
            counts: Counts::default(),
            most_noted: 0,
            joint: Vec::new(),
            untried: Vec::new(),
            untried_moves: Vec::new(),
            state_features: Vec::new(),
            keys: Vec::new(),
            earlier: Earlier::default(),
            tally: Tally::default(),
        }
    }

    pub(crate) fn default_values(&self) -> Values {
        Values::new(&self.declared, self.roles)
    }

    pub(crate) fn begin(&mut self, simulation: &mut Simulation) {
        let root = self.root.expect("a root is set before simulations begin");
        simulation.begin(self.roles, self.settings.discount, root);
        self.give_values(simulation);
        simulation.beliefs.clone_from(&self.beliefs);
        if self.needs.amaf {
            // Where no node has enough visits yet the root's statistics are read.
            let roles = self.roles;
            self.tree.change_amaf(root, |map| map.settle(roles));
        }
    }

    /// Goes down from the simulation's leaf until it leaves the tree or play is over.
    pub(crate) fn descend(&mut self, simulation: &mut Simulation, rng: &mut Rng) -> Reached {
        let mut at = simulation.leaf.take().expect("a simulation on its way has a leaf");
        loop {
            if self.tree.node(at).is_terminal() {
                simulation.leaf = Some(at);
                return Reached::End(at);
            }
            if simulation.trace.steps() >= self.settings.depth_limit {
                simulation.leaf = Some(at);
                return Reached::Limit(at);
            }
            if let Some(solver) = &self.solver
                && !simulation.path.is_empty()
                && solver.is_solved(at)
            {
                simulation.leaf = Some(at);
                return Reached::Solved(at);
            }
            match self.choose_joint(simulation, at, rng) {
                Some(child) => {
                    self.tree.node_mut(child).stamp = self.step;
                    at = child;
                }
                None => return Reached::Edge,
            }
        }
    }

    /// Lets every role choose in a node; notes the choice in the simulation and says where it leads.
    fn choose_joint(
        &mut self,
        simulation: &mut Simulation,
        at: NodeId,
        rng: &mut Rng,
    ) -> Option<NodeId> {
        let visits = f64::from(self.tree.node(at).visits + self.tree.node(at).pending);
        self.redraw_values(simulation);
        if self.needs.features {
            self.read_features_of(at);
            simulation.trace.note_features(&self.state_features);
        }
        if self.needs.legal {
            for role in Role::all(self.roles) {
                simulation.trace.note_legal(self.tree.moves(at, role));
            }
        }
        if self.settings.sequential {
            self.choose_in_sequence(simulation, at, rng);
        } else {
            for role in Role::all(self.roles) {
                self.refer(simulation, at, role, visits);
                let place = match self.tree.node(at).move_count(role) {
                    1 => 0,
                    _ => self.choose(simulation, at, role, visits, rng),
                };
                simulation.choices.push(place as u32);
            }
        }
        self.redirect(simulation, at, rng);
        let child = self.tree.follow(at, simulation.last_choice(), &mut self.joint);
        simulation.path.push(at);
        simulation.trace.push(&self.joint);
        self.observe_in_tree(simulation, at);
        child
    }

    /// Replaces a choice that leads to a solved position, if the solver has something left to prove
    /// here.
    fn redirect(&mut self, simulation: &mut Simulation, at: NodeId, rng: &mut Rng) {
        let Some(solver) = &self.solver else { return };
        let Some(choice) = solver.redirect(&self.tree, at, simulation.last_choice(), rng) else {
            return;
        };
        let from = simulation.choices.len() - self.roles;
        simulation.choices[from..].copy_from_slice(&choice);
    }

    /// Makes a node the one whose statistics of moves below it a role reads from here on, if it has
    /// enough visits (search-and-ggp, section 4.3).
    #[inline]
    pub(crate) fn refer(
        &mut self,
        simulation: &mut Simulation,
        at: NodeId,
        role: Role,
        visits: f64,
    ) {
        if self.needs.amaf && visits >= self.selection.reference_visits(&simulation.values, role) {
            let roles = self.roles;
            self.tree.change_amaf(at, |map| map.settle(roles));
            simulation.reference[role.index()] = at;
        }
    }

    /// Lets a role choose among all its moves in a node.
    pub(crate) fn choose(
        &mut self,
        simulation: &Simulation,
        at: NodeId,
        role: Role,
        visits: f64,
        rng: &mut Rng,
    ) -> usize {
        let narrowed = match &self.solver {
            Some(solver) => solver.open_moves(&self.tree, at, role, &mut self.open.places),
            None => false,
        };
        let narrowed = self.keep_believed_type(simulation, at, role, narrowed, rng);
        self.choose_open_or_all(simulation, at, role, (visits, narrowed), rng)
    }

    /// Lets a role choose among the given moves, which are some of those of a node.
    pub(crate) fn choose_among(
        &mut self,
        simulation: &Simulation,
        at: NodeId,
        role: Role,
        legal: &[Move],
        rng: &mut Rng,
    ) -> u32 {
        let all = self.tree.moves(at, role);
        self.open.places.clear();
        self.open.places.extend(legal.iter().enumerate().filter_map(|(hint, mov)| {
            // Mostly the same moves are legal in the same order.
            let place = match all.get(hint) {
                Some(here) if here == mov => Some(hint),
                _ => all.iter().position(|other| other == mov),
            };
            place.map(|place| place as u32)
        }));
        let visits = f64::from(self.tree.node(at).visits + self.tree.node(at).pending);
        self.choose_open_or_all(simulation, at, role, (visits, true), rng) as u32
    }

    /// Lets a role choose, among the open moves only if `narrowed`.
    fn choose_open_or_all(
        &mut self,
        simulation: &Simulation,
        at: NodeId,
        role: Role,
        (visits, narrowed): (f64, bool),
        rng: &mut Rng,
    ) -> usize {
        if narrowed && let [only] = self.open.places[..] {
            return only as usize;
        }
        if !narrowed && self.worth.is_some() {
            self.open.places.clear();
            self.open.places.extend(0..self.tree.moves(at, role).len() as u32);
        }
        let narrowed = narrowed || self.worth.is_some();
        if narrowed {
            self.open.gather(&self.tree, at, role);
        }
        let mut visits = visits;
        if let Some(worth) = &self.worth {
            self.open.value_by(worth, &self.tree, at, role);
            if worth.takes_visits() {
                visits = self.open.statistics.iter().map(Statistic::count).sum();
            }
        }
        let (moves, statistics, extra) = if narrowed {
            (&*self.open.moves, &*self.open.statistics, &*self.open.extra)
        } else {
            self.tree.columns(at, role)
        };
        let values = &simulation.values;
        // Only where the policy is asked.
        let turn = || Turn {
            role,
            trace: &simulation.trace,
            features: &self.state_features,
            view: TypeView::default(),
            values,
            tables: &self.tables,
        };
        let places = &self.open.places;
        let place_of = |place: usize| if narrowed { places[place] as usize } else { place };
        if visits < values.get(role, self.settings.supported) {
            return place_of(self.policy.choose(&turn(), moves, rng));
        }
        let decision = Decision {
            role,
            roles: self.roles,
            loss: self.settings.virtual_loss,
            visits,
            moves,
            statistics,
            extra,
            amaf: if self.needs.amaf {
                self.tree.amaf(simulation.reference[role.index()])
            } else {
                None
            },
            values,
            tables: &self.tables,
        };
        let place = match self.selection.select(&decision, rng) {
            Pick::Action(place) => place,
            Pick::Untried => {
                self.untried.clear();
                let all = statistics.iter().zip(moves).enumerate();
                self.untried.extend(
                    all.filter(|(_, (s, _))| s.is_untried()).map(|(place, (_, &mov))| (place, mov)),
                );
                self.untried_moves.clear();
                self.untried_moves.extend(self.untried.iter().map(|&(_, mov)| mov));
                let chosen = match self.untried_moves.as_slice() {
                    [_] => 0,
                    untried => self.policy.choose(&turn(), untried, rng),
                };
                self.untried[chosen].0
            }
        };
        place_of(place)
    }

    /// Lets the play-out policy choose among the legal moves of a role below the tree.
    #[inline]
    pub(crate) fn choose_by_policy(
        &mut self,
        simulation: &Simulation,
        role: Role,
        legal: &[Move],
        rng: &mut Rng,
    ) -> usize {
        let turn = Turn {
            role,
            trace: &simulation.trace,
            features: &[],
            view: TypeView::default(),
            values: &simulation.values,
            tables: &self.tables,
        };
        self.policy.choose(&turn, legal, rng)
    }

    /// As [`choose_by_policy`](Core::choose_by_policy), from a set of moves; `None` if they must be
    /// listed.
    #[inline]
    pub(crate) fn choose_in_set(
        &mut self,
        simulation: &Simulation,
        role: Role,
        legal: MoveSet<'_>,
        rng: &mut Rng,
    ) -> Option<Move> {
        let turn = Turn {
            role,
            trace: &simulation.trace,
            features: &[],
            view: TypeView::default(),
            values: &simulation.values,
            tables: &self.tables,
        };
        self.policy.choose_in(&turn, legal, rng)
    }

    fn read_features_of(&mut self, at: NodeId) {
        if let (Some(features), Some(state)) = (&mut self.features, self.tree.state(at)) {
            features.read(state, &mut self.state_features);
        }
    }

    /// Puts the state beyond the last edge of a simulation into the tree.
    pub(crate) fn attach(
        &mut self,
        simulation: &mut Simulation,
        state: &S,
        facts: &Facts<'_>,
    ) -> Attached {
        if simulation.path.len() > self.settings.tree_depth {
            return Attached::Beyond;
        }
        let parent = *simulation.path.last().expect("an edge starts somewhere");
        // Another simulation under way may have come first.
        let known = self.tree.child(parent, simulation.last_choice());
        let (node, attached) = match known.or_else(|| self.tree.find(state)) {
            Some(known) => {
                self.counts.merged += 1;
                self.tree.node_mut(known).stamp = self.step;
                (known, Attached::Known)
            }
            None => (self.add_node(state, facts), Attached::New),
        };
        self.tree.link(parent, simulation.last_choice(), node);
        if let Some(worth) = &mut self.worth {
            worth.link(parent, node);
        }
        simulation.leaf = Some(node);
        attached
    }

    /// Adds the result of a finished simulation to all nodes it passed, and shows it to all
    /// learners.
    pub(crate) fn back_up(&mut self, simulation: &Simulation) {
        let trace = &simulation.trace;
        let playouts = simulation.playouts;
        let choices = simulation.choices.chunks_exact(self.roles.max(1));
        for (depth, (&at, choice)) in simulation.path.iter().zip(choices).enumerate() {
            let (node, actions) = self.tree.open(at);
            node.visits += playouts;
            for (role, &place) in (0..).map(Role).zip(choice) {
                let range = node.numbers(role).expect("an open node has them");
                let (at, place) = (range.start + place as usize, place as usize);
                let value = trace.value(depth, role);
                let statistic = &mut actions.statistics[at];
                statistic.sum += value * f64::from(playouts);
                statistic.visits += playouts;
                if self.needs.best {
                    actions.best[at] = actions.best[at].max(value as f32);
                }
                if depth == 0 {
                    self.root_samples.add(role, place, value);
                }
                if self.needs.extra {
                    self.selection.update(&mut Outcome {
                        role,
                        values: &simulation.values,
                        extra: &mut actions.extra[range.clone()],
                        statistics: &actions.statistics[range],
                        chosen: place,
                        value,
                    });
                }
            }
        }
        self.back_up_informed(simulation);
        if self.needs.amaf {
            self.back_up_amaf(simulation);
        }
        if let Some(worth) = &mut self.worth {
            let depth = simulation.path.len();
            let returns = Role::all(self.roles).map(|role| trace.value(depth, role));
            worth.update(&self.tree, &simulation.path, simulation.leaf, returns);
        }
        if let Some(solver) = &mut self.solver {
            solver.update(&self.tree, &simulation.path, simulation.leaf);
        }
        self.tables.learn(trace);
        self.most_noted = self.most_noted.max(trace.noted());
        self.reward_values(simulation);
        self.counts.simulations += u64::from(playouts);
        self.counts.steps += trace.steps() as u64 + simulation.batch_steps;
        self.counts.steps_below += (trace.steps() - trace.tree_steps()) as u64;
        self.counts.deepest = self.counts.deepest.max(simulation.path.len());
    }

    /// Every node on the path, the new leaf included, learns all moves played from it on
    /// (search-and-ggp, section 4.1).
    fn back_up_amaf(&mut self, simulation: &Simulation) {
        let (trace, roles) = (&simulation.trace, self.roles);
        self.keys.clear();
        let roles_in_turn = (0..roles as u8).map(Role).cycle();
        self.keys.extend(
            trace.moves().iter().zip(roles_in_turn).map(|(&m, r)| MoveMap::key(m, r, roles)),
        );
        let once = self.needs.amaf_once;
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
            self.tree.change_amaf(at, |map| {
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

    /// Notes that a simulation is under way, so that others look elsewhere.
    pub(crate) fn mark_pending(&mut self, simulation: &Simulation) {
        self.change_pending(simulation, |pending| pending + 1);
    }

    /// Takes back what [`mark_pending`](Core::mark_pending) noted.
    pub(crate) fn unmark_pending(&mut self, simulation: &Simulation) {
        self.change_pending(simulation, |pending| pending - 1);
    }

    fn change_pending(&mut self, simulation: &Simulation, change: impl Fn(u32) -> u32) {
        for (depth, &at) in simulation.path.iter().enumerate() {
            let node = self.tree.node_mut(at);
            node.pending = change(node.pending);
            for role in Role::all(self.roles) {
                let range = self.tree.open_numbers(at, role);
                let place = range.start + simulation.choice(depth, role) as usize;
                let statistic = &mut self.tree.actions.statistics[place];
                statistic.pending = change(statistic.pending);
            }
        }
    }

    /// The memory of tree and tables, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.tree.bytes()
            + self.tables.bytes()
            + self.solver.as_ref().map_or(0, Solver::bytes)
            + self.worth.as_ref().map_or(0, Worth::bytes)
    }
}

/// Those moves of a role in a node that are still worth considering.
#[derive(Clone, Debug, Default)]
pub(crate) struct Open {
    /// Their places among all.
    pub(crate) places: Vec<u32>,
    moves: Vec<Move>,
    statistics: Vec<Statistic>,
    extra: Vec<f64>,
}

impl Open {
    /// Collects what is known of the moves at `places`.
    fn gather<S: Clone + Eq + Hash>(&mut self, tree: &Tree<S>, at: NodeId, role: Role) {
        fn pick<T: Copy>(from: &[T], places: &[u32], to: &mut Vec<T>) {
            to.clear();
            if !from.is_empty() {
                to.extend(places.iter().map(|&place| from[place as usize]));
            }
        }
        let (moves, statistics, extra) = tree.columns(at, role);
        pick(moves, &self.places, &mut self.moves);
        pick(statistics, &self.places, &mut self.statistics);
        pick(extra, &self.places, &mut self.extra);
    }

    /// Gives tried actions the worth of what they lead to. Visits, and with them the allowance for
    /// uncertainty, stay their own [Sironi 2019, formula 2.8] or are taken from there too (2.9).
    fn value_by<S: Clone + Eq + Hash>(
        &mut self,
        worth: &Worth,
        tree: &Tree<S>,
        at: NodeId,
        role: Role,
    ) {
        for (statistic, &place) in self.statistics.iter_mut().zip(&self.places) {
            if statistic.visits > 0
                && let Some(visits) = worth.visits_of_action(tree, at, role, place)
            {
                statistic.sum *= f64::from(visits) / f64::from(statistic.visits);
                statistic.visits = visits;
            }
            if statistic.visits > 0
                && let Some(value) = worth.of_action(tree, at, role, place)
            {
                statistic.sum = value * f64::from(statistic.visits);
            }
        }
    }
}

/// Returns of the root's actions since it became the root, for intervals.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootSamples {
    by_role: Vec<Vec<Sample>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    count: f64,
    sum: f64,
    squares: f64,
}

impl RootSamples {
    pub(crate) fn reset(&mut self, roles: usize) {
        self.by_role.clear();
        self.by_role.resize(roles, Vec::new());
    }

    fn add(&mut self, role: Role, place: usize, value: f64) {
        let samples = &mut self.by_role[role.index()];
        if samples.len() <= place {
            samples.resize(place + 1, Sample::default());
        }
        let sample = &mut samples[place];
        sample.count += 1.0;
        sample.sum += value;
        sample.squares += value * value;
    }

    /// Half the width of the 95 % interval of an action's mean; `None` below two samples.
    pub(crate) fn half_width(&self, role: Role, place: usize) -> Option<f64> {
        let sample = self.by_role.get(role.index())?.get(place)?;
        if sample.count < 2.0 {
            return None;
        }
        let mean = sample.sum / sample.count;
        let variance =
            (sample.squares - sample.count * mean * mean).max(0.0) / (sample.count - 1.0);
        Some(1.96 * (variance / sample.count).sqrt())
    }
}
