//! One step ahead: the framework's simplest controller that looks at all [Sironi 2019, 3.2.3].
//! Every move is tried once; the best by score and end of the game is played, ties at random.

use gamegrove_game::{Game, Move, Rng, Role};
use gamegrove_search::{Budget, Composition, Options, Parameter, Part, SettingsError};

use super::model::{Look, Model};
use super::near::Way;
use super::stat::HUGE;
use super::unable;

const SAMPLES: Parameter =
    Parameter::whole("samples", 1.0, (1.0, 1000.0), "times that every move is tried");

/// The options of `one_step`.
pub static ONE_STEP_PARAMETERS: &[Parameter] = &[SAMPLES];

/// How often every move is tried.
pub(crate) fn read(part: &Part) -> Result<u32, SettingsError> {
    let mut composition = Composition::default();
    let mut options = Options::new(part, &mut composition);
    let samples = options.number(&SAMPLES)? as u32;
    options.finish()?;
    Ok(samples)
}

/// Looks one step ahead.
pub struct OneStep<G: Game> {
    model: Model<G>,
    samples: u32,
    rng: Rng,
    next: G::State,
    look: Look,
}

impl<G: Game> OneStep<G> {
    /// Reads the settings.
    pub fn new(game: G, part: &Part, role: Role, seed: u64) -> Result<OneStep<G>, SettingsError> {
        let samples = read(part)?;
        let Some(senses) = game.senses() else { return Err(unable(&part.name)) };
        let mut model = Model::new(game, senses, role, Way::Straight, false);
        let next = model.game.initial_state();
        Ok(OneStep { model, samples, rng: Rng::new(seed), next, look: Look::default() })
    }

    /// The move to play in `state`.
    pub fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        let mut moves = Vec::new();
        self.model.moves(state, &mut moves);
        let (mut best, mut top, mut equals) = (None, f64::NEG_INFINITY, 0);
        for &mov in &moves {
            if best.is_some() && budget.is_late() {
                break;
            }
            let mut sum = 0.0;
            for _ in 0..self.samples {
                self.model.copy(state, &mut self.next, &mut self.rng);
                self.model.advance(&mut self.next, mov, &mut self.rng);
                self.model.glance(&self.next, &mut self.look);
                sum += worth(&self.look);
            }
            if sum > top {
                (best, top, equals) = (Some(mov), sum, 1);
            } else if sum == top {
                equals += 1;
                if self.rng.below(equals) == 0 {
                    best = Some(mov);
                }
            }
        }
        best
    }
}

/// Score and end of the game as one number.
pub(super) fn worth(look: &Look) -> f64 {
    look.score
        + match look.verdict {
            Some(true) => HUGE,
            Some(false) => -HUGE,
            None => 0.0,
        }
}
