//! States rated by the game's own evaluation, with weights given by name.

use gamegrove_game::{Evaluation, Game, Role};

use crate::part::{Options, SettingsError, unknown_key, unknown_name};

/// Weights by name, and what all others are.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Those that were named.
    pub named: Vec<(String, f64)>,
    /// All others.
    pub other: f64,
}

impl Weights {
    /// Reads `each(NAME=NUMBER, ..., other=1)`; `other` is for what is not named.
    pub fn read(name: &str, options: &mut Options<'_>) -> Result<Weights, SettingsError> {
        if name != "each" {
            return Err(unknown_name("weights", name, &["each"]));
        }
        let (other, named): (Vec<_>, _) =
            options.numbers()?.into_iter().partition(|(key, _)| key == "other");
        Ok(Weights { named, other: other.last().map_or(1.0, |(_, weight)| *weight) })
    }
}

/// The game's own evaluation, with weights.
pub struct Rating<S> {
    evaluation: Box<dyn Evaluation<S>>,
    weights: Vec<f64>,
}

impl<S> Rating<S> {
    /// The evaluation of a game with these weights; `part` is the part of the settings that wants it.
    pub fn new<G: Game<State = S>>(
        game: &G,
        weights: &Weights,
        part: &str,
    ) -> Result<Self, SettingsError> {
        let Some(evaluation) = game.evaluation() else {
            let what = "states rated by weights".to_owned();
            return Err(SettingsError::Unable { part: part.to_owned(), what });
        };
        let names = evaluation.weight_names();
        let mut all = vec![weights.other; names.len()];
        for (key, weight) in &weights.named {
            match names.iter().position(|name| name == key) {
                Some(at) => all[at] = *weight,
                None => {
                    return Err(unknown_key("each", key, names.iter().map(String::as_str)));
                }
            }
        }
        Ok(Rating { evaluation, weights: all })
    }

    /// What a state is worth to a role, on the game's scale.
    pub fn value(&mut self, state: &S, role: Role) -> f64 {
        self.evaluation.value(state, role, &self.weights)
    }
}
