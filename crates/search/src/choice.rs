//! How a role chooses: in a node of the tree by the selection, below the tree by the play-out policy.
//! Where roles are modelled, their choices change the beliefs about them.

use gamegrove_game::{Move, MoveSet, Rng, Role};

use crate::beliefs::{Beliefs, Offer};
use crate::core::{Core, NodeReader, Strategies};
use crate::parameter::Values;
use crate::playout::Turn;
use crate::select::{Decision, Pick};
use crate::simulation::Simulation;
use crate::trace::Needs;
use crate::tree::{NodeId, Statistic, Tree, Worth};
use crate::typed::{TypeView, TypesAsked};

impl Core {
    /// Makes a node the one whose statistics of moves below it a role reads from here on, if it has
    /// enough visits [Sironi 2019, 5.2.2].
    #[inline]
    pub(crate) fn refer(
        &mut self,
        simulation: &mut Simulation,
        at: NodeId,
        role: Role,
        visits: f64,
    ) {
        if self.strategies.needs.amaf
            && visits >= self.strategies.selection.reference_visits(&simulation.values, role)
        {
            self.tree.settle_amaf(at);
            simulation.reference[role.index()] = at;
        }
    }

    /// Lets a role choose among all its moves in a node.
    pub(crate) fn choose(
        &mut self,
        simulation: &Simulation,
        (at, role, visits): (NodeId, Role, f64),
        states: &mut dyn NodeReader,
        rng: &mut Rng,
    ) -> usize {
        let narrowed = match &self.learned.solver {
            Some(solver) => solver.open_moves(&self.tree, at, role, &mut self.run.open.places),
            None => false,
        };
        let narrowed = self.keep_believed_type(simulation, (at, role), narrowed, states, rng);
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
        self.run.open.places.clear();
        self.run.open.places.extend(legal.iter().enumerate().filter_map(|(hint, mov)| {
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
        if narrowed && let [only] = self.run.open.places[..] {
            return only as usize;
        }
        if !narrowed && self.learned.worth.is_some() {
            self.run.open.places.clear();
            self.run.open.places.extend(0..self.tree.moves(at, role).len() as u32);
        }
        let narrowed = narrowed || self.learned.worth.is_some();
        if narrowed {
            self.run.open.gather(&self.tree, at, role);
        }
        let mut visits = visits;
        if let Some(worth) = &self.learned.worth {
            self.run.open.value_by(worth, &self.tree, at, role);
            if worth.takes_visits() {
                visits = self.run.open.statistics.iter().map(Statistic::count).sum();
            }
        }
        let (moves, statistics, extra) = if narrowed {
            (&*self.run.open.moves, &*self.run.open.statistics, &*self.run.open.extra)
        } else {
            self.tree.columns(at, role)
        };
        let values = &simulation.values;
        // Only where the policy is asked.
        let turn = || Turn {
            role,
            trace: &simulation.trace,
            features: &self.run.features,
            view: TypeView::default(),
            values,
            tables: &self.learned.tables,
        };
        let places = &self.run.open.places;
        let place_of = |place: usize| if narrowed { places[place] as usize } else { place };
        if visits < values.get(role, self.settings.supported) {
            return place_of(self.strategies.policy.choose(&turn(), moves, rng));
        }
        let decision = Decision {
            role,
            roles: self.run.roles,
            loss: self.settings.virtual_loss,
            visits,
            moves,
            statistics,
            extra,
            amaf: if self.strategies.needs.amaf {
                self.tree.amaf(simulation.reference[role.index()])
            } else {
                None
            },
            values,
            tables: &self.learned.tables,
        };
        let place = match self.strategies.selection.select(&decision, rng) {
            Pick::Action(place) => place,
            Pick::Untried => {
                self.run.untried.clear();
                let all = statistics.iter().zip(moves).enumerate();
                self.run.untried.extend(
                    all.filter(|(_, (s, _))| s.is_untried()).map(|(place, (_, &mov))| (place, mov)),
                );
                self.run.untried_moves.clear();
                self.run.untried_moves.extend(self.run.untried.iter().map(|&(_, mov)| mov));
                let chosen = match self.run.untried_moves.as_slice() {
                    [_] => 0,
                    untried => self.strategies.policy.choose(&turn(), untried, rng),
                };
                self.run.untried[chosen].0
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
            tables: &self.learned.tables,
        };
        self.strategies.policy.choose(&turn, legal, rng)
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
            tables: &self.learned.tables,
        };
        self.strategies.policy.choose_in(&turn, legal, rng)
    }

    /// Leaves the role only moves of the type that it is believed to take, if it is not the searcher's
    /// and a policy has a say in the tree [Fernandes 2013, 4.2, 5.2.3]. `narrowed` says
    /// whether some moves are open already; whether so now is returned.
    #[inline]
    fn keep_believed_type(
        &mut self,
        simulation: &Simulation,
        (at, role): (NodeId, Role),
        narrowed: bool,
        states: &mut dyn NodeReader,
        rng: &mut Rng,
    ) -> bool {
        let Core { tree, strategies: Strategies { policy, .. }, run, .. } = self;
        // Most searches believe nothing, and are not asked further.
        if simulation.beliefs.is_empty() || role == run.searcher || !policy.guides_tree() {
            return narrowed;
        }
        let moves = tree.moves(at, role);
        let Some((types, offer)) = states.read_types(at, role, moves) else { return narrowed };
        let places = &mut run.open.places;
        if !narrowed {
            places.clear();
            places.extend(0..moves.len() as u32);
        }
        let Simulation { values, beliefs, .. } = simulation;
        let Some(kind) = policy.type_in_tree(values, role, &offer, &beliefs[role.index()], rng)
        else {
            return narrowed;
        };
        let of_kind = |place: &u32| usize::from(types[*place as usize]) == kind;
        if !places.iter().any(of_kind) {
            return narrowed;
        }
        places.retain(of_kind);
        true
    }

    /// Whose moves' types the parts of this search ask for, if any.
    pub(crate) fn types_asked(&self) -> Option<TypesAsked> {
        let Needs { types, own_types, .. } = self.strategies.needs;
        let asked = TypesAsked { searcher: self.run.searcher, own: own_types };
        (types || own_types).then_some(asked)
    }

    /// Whether a policy of this search believes something of a role.
    #[inline]
    pub(crate) fn believes_of(&self, role: Role) -> bool {
        self.strategies.policy.modelled().includes(role, self.run.searcher)
    }

    /// Lets a simulation learn about roles from its last joint move. `type_of` tells the type of a
    /// role's move among those it could choose from.
    #[inline]
    pub(crate) fn observe(
        &self,
        simulation: &mut Simulation,
        type_of: &mut dyn FnMut(Role, Move) -> Option<(Offer, usize)>,
    ) {
        if simulation.beliefs.is_empty() {
            return;
        }
        let Simulation { trace, values, beliefs, .. } = simulation;
        let joint = trace.joint(trace.steps() - 1);
        for (role, &mov) in Role::all(self.run.roles).zip(joint) {
            if self.believes_of(role)
                && let Some((offer, kind)) = type_of(role, mov)
            {
                self.believe(values, (role, &offer, kind), beliefs);
            }
        }
    }

    /// As [`observe`](Core::observe), from a joint move that was played on the board.
    pub(crate) fn observe_on_board(
        &mut self,
        joint: &[Move],
        type_of: &mut dyn FnMut(Role, Move) -> Option<(Offer, usize)>,
    ) {
        let values = self.default_values();
        let mut beliefs = std::mem::take(&mut self.learned.beliefs);
        for (role, &mov) in Role::all(self.run.roles).zip(joint) {
            if self.believes_of(role)
                && let Some((offer, kind)) = type_of(role, mov)
            {
                self.believe(&values, (role, &offer, kind), &mut beliefs);
            }
        }
        self.learned.beliefs = beliefs;
    }

    /// Changes beliefs after a role took a move of a type that it was offered with others.
    #[inline]
    pub(crate) fn believe(
        &self,
        values: &Values,
        (role, offer, kind): (Role, &Offer, usize),
        beliefs: &mut [Beliefs],
    ) {
        let policy = &self.strategies.policy;
        policy.observe(values, role, offer, kind, &mut beliefs[role.index()]);
        policy.modelled().spread(beliefs, role);
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
    fn gather(&mut self, tree: &Tree, at: NodeId, role: Role) {
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
    fn value_by(&mut self, worth: &Worth, tree: &Tree, at: NodeId, role: Role) {
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
