//! The opponent plays as it is believed to; the beliefs change with every move it makes.
//!
//! Octagon-theory, section 9. Moves of the role the search is for are left to `own`, unless `models`
//! says that it is modelled too; moves of all others are drawn by type from what is believed of that
//! role (see [`crate::Beliefs`]), then picked by `inside`. A player may also *jump*, that is, not follow
//! its model: part of the search stays on moves that the model does not expect, and `follow` says
//! how much.
//!
//! What is believed at the root follows the moves on the board. Every simulation has its own copy, which
//! follows its moves through the tree and below it and is thrown away at its end; so where a simulation
//! leaves the tree its copy is what the published algorithm keeps in that node, by whichever path it was reached.
//! With `tree` that copy also steers what opponents do in the tree, as the published coverage of the opponent's
//! moves in visits suggests [Fernandes 2013, 5].

use gamegrove_game::{FeatureNames, MAX_MOVE_TYPES, Move, Rng, Role};

use super::by_type::{FIRST, FURTHER, INSIDE, Inside, SECOND, THIRD, read_accepts};
use super::{Policy, Turn, build};
use crate::beliefs::{Beliefs, Modelled, Offer, Update};
use crate::parameter::{Parameter, ParameterId, Values};
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::trace::Needs;

const CERTAINTY: Parameter = Parameter::real(
    "certainty",
    0.8,
    (0.0, 1.0),
    "how sure it is that a move tells of the player's ways; 0.5 learns nothing",
)
.tuned_over(&[0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
const LEAST: Parameter =
    Parameter::real("least", 0.05, (0.0, 0.5), "the least chance that is ever believed");
const MOST: Parameter =
    Parameter::real("most", 0.95, (0.5, 1.0), "the greatest chance that is ever believed");
const UPDATE: Parameter = Parameter::word(
    "update",
    &["bayes", "nudge"],
    "how beliefs change: each by Bayes' rule, or all the faster the less the model is trusted",
);
const MODELS: Parameter = Parameter::word(
    "models",
    &["others", "each", "shared"],
    "whose moves follow a model: those of all others, of every role by its own moves, or of every role \
     by one model that learns from all",
);
const FOLLOW: Parameter = Parameter::word(
    "follow",
    &["always", "certainty", "trust"],
    "how often a modelled player follows its model: always, as often as `certainty` says, or as often as \
     the model is trusted (update=nudge); otherwise `own` picks its move",
);
const TREE: Parameter = Parameter::flag(
    "tree",
    false,
    "whether others follow their models in the tree too: selection is then among moves of the type drawn",
);
const OWN: Parameter = Parameter::part(
    "own",
    "random",
    "the policy for moves that follow no model, the searcher's own if others alone are modelled",
);

pub(super) const ENTRY: Entry<dyn Policy> = Entry {
    name: "opponent_model",
    sentence: "opponents choose types of moves as they did before; for games with typed moves",
    source: "[Fernandes 2013, 4.2]",
    parameters: &[
        FIRST, SECOND, THIRD, FURTHER, CERTAINTY, LEAST, MOST, UPDATE, MODELS, FOLLOW, TREE, OWN,
        INSIDE,
    ],
    build: |options| Ok(Box::new(OpponentModel::read(options)?)),
};

/// How often a player follows the model of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Follow {
    Always,
    Certainty,
    Trust,
}

struct OpponentModel {
    accepts: [f64; MAX_MOVE_TYPES],
    certainty: ParameterId,
    bounds: (f64, f64),
    update: Update,
    modelled: Modelled,
    follow: Follow,
    tree: bool,
    own: Box<dyn Policy>,
    inside: Inside,
}

impl OpponentModel {
    fn read(options: &mut Options<'_>) -> Result<OpponentModel, SettingsError> {
        Ok(OpponentModel {
            accepts: read_accepts(options)?,
            certainty: options.parameter(&CERTAINTY)?,
            bounds: (options.number(&LEAST)?, options.number(&MOST)?),
            update: options.choice(&UPDATE, &[Update::Bayes, Update::Nudge])?,
            modelled: options
                .choice(&MODELS, &[Modelled::Others, Modelled::Each, Modelled::Shared])?,
            follow: options.choice(&FOLLOW, &[Follow::Always, Follow::Certainty, Follow::Trust])?,
            tree: options.flag(&TREE)?,
            own: options.part(&OWN, build)?,
            inside: Inside::read(options)?,
        })
    }
}

impl OpponentModel {
    /// Whether a player follows the model of it this time.
    #[inline]
    fn follows(&self, values: &Values, role: Role, beliefs: &Beliefs, rng: &mut Rng) -> bool {
        match self.follow {
            Follow::Always => true,
            Follow::Certainty => rng.unit() < values.get(role, self.certainty),
            Follow::Trust => rng.unit() < beliefs.trust,
        }
    }
}

impl Policy for OpponentModel {
    fn needs(&self) -> Needs {
        let needs = self.own.needs().and(self.inside.policy.needs());
        let own_types = needs.own_types || self.modelled != Modelled::Others;
        Needs { types: true, own_types, ..needs }
    }

    fn introduce(&mut self, names: &mut dyn FnMut() -> Box<dyn FeatureNames>) {
        self.own.introduce(names);
        self.inside.policy.introduce(names);
    }

    fn first_beliefs(&self) -> Beliefs {
        Beliefs { accepts: self.accepts, ..Beliefs::default() }
    }

    fn modelled(&self) -> Modelled {
        self.modelled
    }

    fn observe(
        &self,
        values: &Values,
        role: Role,
        offer: &Offer,
        taken: usize,
        beliefs: &mut Beliefs,
    ) {
        beliefs.learn(self.update, values.get(role, self.certainty), self.bounds, offer, taken);
    }

    fn choose(&mut self, turn: &Turn<'_>, legal: &[Move], rng: &mut Rng) -> usize {
        match turn.view.beliefs {
            Some(beliefs) if self.follows(turn.values, turn.role, beliefs, rng) => {
                self.inside.choose(turn, legal, &beliefs.accepts, rng)
            }
            _ => self.own.choose(turn, legal, rng),
        }
    }

    fn guides_tree(&self) -> bool {
        self.tree
    }

    fn type_in_tree(
        &self,
        values: &Values,
        role: Role,
        offer: &Offer,
        beliefs: &Beliefs,
        rng: &mut Rng,
    ) -> Option<usize> {
        self.follows(values, role, beliefs, rng).then(|| offer.draw(&beliefs.accepts, rng))
    }
}
