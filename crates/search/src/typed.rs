//! The types of moves in the states of a simulation, for parts that need them.
//!
//! Types reach strategies as places in the game's order of thought (see [`crate::Beliefs`]), so that
//! no strategy needs to know the game's own numbers.

use gamegrove_game::{MAX_MOVE_TYPES, Move, Role, TypedMoves};

use crate::beliefs::{Beliefs, Offer};

/// What is known of the types of one role's moves in a state. Empty where no part needs them.
#[derive(Clone, Copy, Debug, Default)]
pub struct TypeView<'a> {
    /// The type of each legal move; empty if types are not known here.
    pub types: &'a [u8],
    /// How many there are of each.
    pub offer: Offer,
    /// What is believed of the role; `None` if it is not modelled.
    pub beliefs: Option<&'a Beliefs>,
}

/// The roles whose move types are needed in play-outs: all, or all but the searcher.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypesAsked {
    pub(crate) searcher: Role,
    pub(crate) own: bool,
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
    pub(crate) fn read_some(&mut self, state: &S, role: Role, some: &[Move]) -> (&[u8], Offer) {
        let mut legal = std::mem::take(&mut self.moves);
        self.read(state, role, &mut legal);
        let Typed { types, offers, by_move, .. } = self;
        let types = &mut types[role.index()];
        let most = legal.iter().map(|mov| mov.0 as usize + 1).max().unwrap_or(0);
        by_move.resize(most.max(by_move.len()), 0);
        legal.iter().zip(&*types).for_each(|(mov, &kind)| by_move[mov.0 as usize] = kind);
        types.clear();
        types.extend(some.iter().map(|mov| by_move[mov.0 as usize]));
        let offer = Offer::of(types);
        offers[role.index()] = offer;
        self.moves = legal;
        (&self.types[role.index()], offer)
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

    /// How many moves of each type a role has in a state, and the type of one of them; `None` if that
    /// move has no type.
    pub(crate) fn type_of(&mut self, state: &S, role: Role, mov: Move) -> Option<(Offer, usize)> {
        let mut moves = std::mem::take(&mut self.moves);
        self.read(state, role, &mut moves);
        let place = moves.iter().position(|&other| other == mov);
        self.moves = moves;
        let kind = *self.types[role.index()].get(place?)?;
        Some((self.offers[role.index()], usize::from(kind)))
    }

    /// As [`type_of`](Typed::type_of), for the move at `place` in the state that was read last.
    #[inline]
    pub(crate) fn type_at(&self, role: Role, place: usize) -> Option<(Offer, usize)> {
        let kind = *self.types[role.index()].get(place)?;
        Some((self.offers[role.index()], usize::from(kind)))
    }
}
