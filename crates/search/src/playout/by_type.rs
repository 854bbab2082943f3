//! A type of move first, then a move of that type.
//!
//! Types are thought of one after another, each taken with its own chance where there is one
//! [Fernandes 2013, 2.3, 4.2.2]; then another policy picks among the moves of the type. For
//! all roles alike, and the same throughout: see [`opponent_model`](super::opponent_model) for what
//! learns.

use gamegrove_game::{FeatureNames, MAX_MOVE_TYPES, Move, Rng};

use super::{Policy, Turn, build};
use crate::beliefs::{Beliefs, Offer};
use crate::parameter::Parameter;
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::trace::Needs;
use crate::typed::TypeView;

pub(super) const FIRST: Parameter = Parameter::real(
    "first",
    0.75,
    (0.0, 1.0),
    "how often the type thought of first is taken where there is such a move",
);
pub(super) const SECOND: Parameter = Parameter::real(
    "second",
    0.65,
    (0.0, 1.0),
    "how often the type thought of second is taken where there is such a move",
);
pub(super) const THIRD: Parameter = Parameter::real(
    "third",
    0.5,
    (0.0, 1.0),
    "how often the type thought of third is taken where there is such a move",
);
pub(super) const FURTHER: Parameter = Parameter::real(
    "further",
    0.5,
    (0.0, 1.0),
    "how often each later type is taken where there is such a move",
);
pub(super) const INSIDE: Parameter =
    Parameter::part("inside", "random", "the policy that picks among the moves of the type");

pub(super) const ENTRY: Entry<dyn Policy> = Entry {
    name: "by_type",
    sentence: "a type of move is drawn first, then a move of that type; for games with typed moves",
    source: "[Fernandes 2013, 2.3]",
    parameters: &[FIRST, SECOND, THIRD, FURTHER, INSIDE],
    build: |options| {
        Ok(Box::new(ByType { accepts: read_accepts(options)?, inside: Inside::read(options)? }))
    },
};

/// Reads how often each type is taken.
pub(super) fn read_accepts(
    options: &mut Options<'_>,
) -> Result<[f64; MAX_MOVE_TYPES], SettingsError> {
    let mut accepts = [options.number(&FURTHER)?; MAX_MOVE_TYPES];
    for (accept, parameter) in accepts.iter_mut().zip([&FIRST, &SECOND, &THIRD]) {
        *accept = options.number(parameter)?;
    }
    Ok(accepts)
}

struct ByType {
    accepts: [f64; MAX_MOVE_TYPES],
    inside: Inside,
}

impl Policy for ByType {
    fn needs(&self) -> Needs {
        Needs { types: true, own_types: true, ..self.inside.policy.needs() }
    }

    fn introduce(&mut self, names: &mut dyn FnMut() -> Box<dyn FeatureNames>) {
        self.inside.policy.introduce(names);
    }

    fn first_beliefs(&self) -> Beliefs {
        Beliefs { accepts: self.accepts, ..Beliefs::default() }
    }

    fn choose(&mut self, turn: &Turn<'_>, legal: &[Move], rng: &mut Rng) -> usize {
        let accepts = self.accepts;
        self.inside.choose(turn, legal, &accepts, rng)
    }
}

/// Picks a move of a type.
pub(super) struct Inside {
    pub(super) policy: Box<dyn Policy>,
    places: Vec<u32>,
    moves: Vec<Move>,
}

impl Inside {
    pub(super) fn read(options: &mut Options<'_>) -> Result<Inside, SettingsError> {
        let policy = options.part(&INSIDE, build)?;
        Ok(Inside { policy, places: Vec::new(), moves: Vec::new() })
    }

    /// Draws a type and picks a move of it; any move if types are not known here.
    #[inline]
    pub(super) fn choose(
        &mut self,
        turn: &Turn<'_>,
        legal: &[Move],
        accepts: &[f64; MAX_MOVE_TYPES],
        rng: &mut Rng,
    ) -> usize {
        let TypeView { types, offer, .. } = &turn.view;
        if types.len() != legal.len() {
            return self.policy.choose(turn, legal, rng);
        }
        let kind = offer.draw(accepts, rng);
        let of_kind = types.iter().enumerate().filter(|(_, other)| usize::from(**other) == kind);
        if self.policy.is_uniform() {
            let skip = rng.below(offer.counts[kind].max(1) as usize);
            return of_kind.map(|(place, _)| place).nth(skip).unwrap_or(0);
        }
        self.places.clear();
        self.places.extend(of_kind.map(|(place, _)| place as u32));
        if let [only] = self.places[..] {
            return only as usize;
        }
        self.moves.clear();
        self.moves.extend(self.places.iter().map(|&place| legal[place as usize]));
        // The inner policy sees no types: they would all be the same.
        let view = TypeView { types: &[], offer: Offer::default(), ..turn.view };
        let chosen = self.policy.choose(&Turn { view, ..*turn }, &self.moves, rng);
        self.places[chosen] as usize
    }
}
