//! The types of moves in the states of a simulation, for parts that need them.
//!
//! Types reach strategies as places in the game's order of thought (see [`crate::Beliefs`]), so that
//! no strategy needs to know the game's own numbers.

use std::hash::Hash;

use gamegrove_game::{Game, MAX_MOVE_TYPES, Move, Rng, Role, TypedMoves};

use crate::beliefs::{Beliefs, Offer};
use crate::core::Core;
use crate::parameter::Values;
use crate::part::SettingsError;
use crate::playout::Policy;
use crate::simulation::Simulation;
use crate::trace::Needs;
use crate::tree::NodeId;

/// What is known of the types of one role's moves in a state. Nothing, where nobody asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct TypeView<'a> {
    /// The type of each legal move; empty if types are not known here.
    pub types: &'a [u8],
    /// How many there are of each.
    pub offer: Offer,
    /// What is believed of the role; `None` if it is not modelled.
    pub beliefs: Option<&'a Beliefs>,
}

/// Whose moves' types are asked for in play-outs: everybody's but perhaps the searcher's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypesAsked {
    searcher: Role,
    own: bool,
}

impl TypesAsked {
    #[inline]
    pub(crate) fn of(self, role: Role) -> bool {
        self.own || role != self.searcher
    }
}

/// Reads types, and remembers those of the state it looked at last.
pub(crate) struct Typed<S> {
    reader: Box<dyn TypedMoves<S>>,
    /// The place of each type in the order of thought.
    places: [u8; MAX_MOVE_TYPES],
    /// Types by role.
    types: Vec<Vec<u8>>,
    offers: Vec<Offer>,
    moves: Vec<Move>,
    /// The type of each move that was read last, by its number.
    by_move: Vec<u8>,
}

impl<S> Typed<S> {
    pub(crate) fn new(reader: Box<dyn TypedMoves<S>>, roles: usize) -> Self {
        let mut places = [0; MAX_MOVE_TYPES];
        for (place, &kind) in reader.thought_order().iter().take(MAX_MOVE_TYPES).enumerate() {
            places[usize::from(kind) % MAX_MOVE_TYPES] = place as u8;
        }
        Typed {
            reader,
            places,
            types: vec![Vec::new(); roles],
            offers: vec![Offer::default(); roles],
            moves: Vec::new(),
            by_move: Vec::new(),
        }
    }

    /// Writes the legal moves of a role and keeps their types.
    #[inline]
    pub(crate) fn read(&mut self, state: &S, role: Role, moves: &mut Vec<Move>) {
        let types = &mut self.types[role.index()];
        self.reader.typed_moves(state, role, moves, types);
        let counts = &mut self.offers[role.index()].counts;
        *counts = [0; MAX_MOVE_TYPES];
        for kind in types {
            *kind = self.places[usize::from(*kind) % MAX_MOVE_TYPES];
            counts[usize::from(*kind)] += 1;
        }
    }

    /// Forgets the types of a role's moves.
    #[inline]
    pub(crate) fn skip(&mut self, role: Role) {
        self.types[role.index()].clear();
    }

    /// Reads a state in which moves are known already.
    pub(crate) fn read_again(&mut self, state: &S, asked: TypesAsked) {
        let mut moves = std::mem::take(&mut self.moves);
        for role in Role::all(self.types.len()) {
            if asked.of(role) {
                self.read(state, role, &mut moves);
            } else {
                self.skip(role);
            }
        }
        self.moves = moves;
    }

    /// Keeps the types of some of the moves only: those of `kept`, which are some of `legal`.
    pub(crate) fn narrow(&mut self, role: Role, legal: &[Move], kept: &[Move]) {
        let types = &mut self.types[role.index()];
        if types.len() != legal.len() {
            return;
        }
        let of = |mov: &Move| legal.iter().position(|other| other == mov).map(|at| types[at]);
        let narrowed: Vec<u8> = kept.iter().filter_map(of).collect();
        self.offers[role.index()] = Offer::of(&narrowed);
        *types = narrowed;
    }

    /// Reads the types of some of a role's moves, in their order.
    fn read_some(&mut self, state: &S, role: Role, some: &[Move]) {
        let mut legal = std::mem::take(&mut self.moves);
        self.read(state, role, &mut legal);
        let Typed { types, offers, by_move, .. } = self;
        let types = &mut types[role.index()];
        let most = legal.iter().map(|mov| mov.0 as usize + 1).max().unwrap_or(0);
        by_move.resize(most.max(by_move.len()), 0);
        legal.iter().zip(&*types).for_each(|(mov, &kind)| by_move[mov.0 as usize] = kind);
        types.clear();
        types.extend(some.iter().map(|mov| by_move[mov.0 as usize]));
        offers[role.index()] = Offer::of(types);
        self.moves = legal;
    }

    /// What is known of a role's moves in the state that was read last.
    #[inline]
    pub(crate) fn view<'a>(
        &'a self,
        role: Role,
        believed: bool,
        beliefs: &'a [Beliefs],
    ) -> TypeView<'a> {
        TypeView {
            types: &self.types[role.index()],
            offer: self.offers[role.index()],
            beliefs: beliefs.get(role.index()).filter(|_| believed),
        }
    }

    /// Lets a policy learn from a joint move in a state.
    fn observe(
        &mut self,
        state: &S,
        joint: &[Move],
        searcher: Role,
        (policy, values): (&dyn Policy, &Values),
        beliefs: &mut [Beliefs],
    ) {
        let mut moves = std::mem::take(&mut self.moves);
        let modelled = policy.modelled();
        for (role, mov) in Role::all(joint.len()).zip(joint) {
            if !modelled.includes(role, searcher) {
                continue;
            }
            self.read(state, role, &mut moves);
            let place = moves.iter().position(|other| other == mov);
            let kind = place.and_then(|at| self.types[role.index()].get(at));
            if let Some(&kind) = kind {
                let offer = &self.offers[role.index()];
                let believed = &mut beliefs[role.index()];
                policy.observe(values, role, offer, usize::from(kind), believed);
                modelled.spread(beliefs, role);
            }
        }
        self.moves = moves;
    }
}

impl<S> Typed<S> {
    /// Lets a simulation learn from the move at `place` of a role in a play-out.
    #[inline]
    pub(crate) fn watch(
        &self,
        core: &Core<S>,
        simulation: &mut Simulation,
        role: Role,
        place: usize,
    ) {
        let modelled = core.policy.modelled();
        if !modelled.includes(role, core.searcher) {
            return;
        }
        if let Some(&kind) = self.types[role.index()].get(place) {
            let Simulation { values, beliefs, .. } = simulation;
            let (offer, believed) = (&self.offers[role.index()], &mut beliefs[role.index()]);
            core.policy.observe(values, role, offer, usize::from(kind), believed);
            modelled.spread(beliefs, role);
        }
    }

    fn observe_step(
        &mut self,
        state: &S,
        searcher: Role,
        policy: &dyn Policy,
        simulation: &mut Simulation,
    ) {
        let Simulation { trace, values, beliefs, .. } = simulation;
        let joint = trace.joint(trace.steps() - 1);
        self.observe(state, joint, searcher, (policy, values), beliefs);
    }
}

impl<S: Clone + Eq + Hash> Core<S> {
    /// Lets strategies that look at types of moves see them.
    pub(crate) fn introduce_types<G: Game<State = S>>(
        &mut self,
        game: &G,
    ) -> Result<(), SettingsError> {
        if self.types_asked().is_none() {
            return Ok(());
        }
        let Some(reader) = game.move_types() else {
            let what = "types of moves".to_owned();
            return Err(SettingsError::Unable { part: "playout".to_owned(), what });
        };
        if self.policy.guides_tree() && self.settings.open_loop {
            let what = "a tree whose nodes are states (`tree=closed`)".to_owned();
            return Err(SettingsError::Unable { part: "playout".to_owned(), what });
        }
        if self.policy.guides_tree() && self.settings.sequential {
            let what = "roles that choose at once (`simultaneous=decoupled`)".to_owned();
            return Err(SettingsError::Unable { part: "playout".to_owned(), what });
        }
        self.typed = Some(Typed::new(reader, self.roles));
        self.beliefs = vec![self.policy.first_beliefs(); self.roles];
        Ok(())
    }

    /// Whose moves' types the parts of this search ask for, if any.
    pub(crate) fn types_asked(&self) -> Option<TypesAsked> {
        let Needs { types, own_types, .. } = self.needs;
        let asked = TypesAsked { searcher: self.searcher, own: own_types };
        (types || own_types).then_some(asked)
    }

    /// Whether a policy of this search believes something of a role.
    #[inline]
    pub(crate) fn believes_of(&self, role: Role) -> bool {
        self.policy.modelled().includes(role, self.searcher)
    }

    /// Learns about roles from the joint move they played in `state`, on the board.
    pub(crate) fn observe(&mut self, state: &S, joint: &[Move]) {
        let values = self.default_values();
        let Core { typed, policy, beliefs, searcher, .. } = self;
        if let Some(typed) = typed {
            typed.observe(state, joint, *searcher, (policy.as_ref(), &values), beliefs);
        }
    }

    /// As [`observe`](Core::observe), for the last step of one simulation, made in a node of the tree.
    #[inline]
    pub(crate) fn observe_in_tree(&mut self, simulation: &mut Simulation, at: NodeId) {
        let Core { typed: Some(typed), policy, tree, searcher, .. } = self else { return };
        if let Some(state) = tree.state(at) {
            typed.observe_step(state, *searcher, policy.as_ref(), simulation);
        }
    }

    /// The same, for a state that is in no node.
    #[inline]
    pub(crate) fn observe_in_state(&mut self, simulation: &mut Simulation, state: &S) {
        let Core { typed: Some(typed), policy, searcher, .. } = self else { return };
        typed.observe_step(state, *searcher, policy.as_ref(), simulation);
    }

    /// Leaves the role only moves of the type that it is believed to take, if it is not the searcher's
    /// and a policy has a say in the tree (octagon-theory, sections 9.4 and 9.5). `narrowed` says
    /// whether some moves are open already; whether so now is returned.
    #[inline]
    pub(crate) fn keep_believed_type(
        &mut self,
        simulation: &Simulation,
        at: NodeId,
        role: Role,
        narrowed: bool,
        rng: &mut Rng,
    ) -> bool {
        // Most searches ask for no types, and are not asked further.
        if self.typed.is_none() || role == self.searcher || !self.policy.guides_tree() {
            return narrowed;
        }
        let Core { typed: Some(typed), policy, tree, open, .. } = self else { return narrowed };
        let Some(state) = tree.state(at) else { return narrowed };
        if !narrowed {
            open.places.clear();
            open.places.extend(0..tree.moves(at, role).len() as u32);
        }
        let moves = tree.moves(at, role);
        typed.read_some(state, role, moves);
        let Simulation { values, beliefs, .. } = simulation;
        let (types, offer) = (&typed.types[role.index()], &typed.offers[role.index()]);
        let Some(kind) = policy.type_in_tree(values, role, offer, &beliefs[role.index()], rng)
        else {
            return narrowed;
        };
        let of_kind = |place: &u32| usize::from(types[*place as usize]) == kind;
        if !open.places.iter().any(of_kind) {
            return narrowed;
        }
        open.places.retain(of_kind);
        true
    }
}
