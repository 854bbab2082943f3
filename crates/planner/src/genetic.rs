//! A genetic algorithm over sequences of moves, as the framework's sample controller runs it
//! [Sironi 2019, 3.2.3]: for every first move a small population of sequences; again and again
//! two sequences are played, the worse one takes over parts of the better and is mutated. The first
//! move whose sequences did best is played. A sequence is worth its last state, less the later it is.

use std::time::Duration;

use gamegrove_game::{Game, Move, Rng, Role};
use gamegrove_search::{Budget, Composition, Meter, Options, Parameter, Part, SettingsError};

use super::model::{Look, Model};
use super::near::Way;
use super::one_step::worth;
use super::unable;

const LENGTH: Parameter = Parameter::whole("length", 7.0, (1.0, 200.0), "moves of a sequence");
const POPULATION: Parameter =
    Parameter::whole("population", 5.0, (2.0, 1000.0), "sequences for each first move");
const MUTATION: Parameter = Parameter::real(
    "mutation",
    1.0 / 7.0,
    (0.0, 1.0),
    "the probability that a move of the worse sequence is drawn anew",
);
const CROSSOVER: Parameter = Parameter::real(
    "crossover",
    0.1,
    (0.0, 1.0),
    "the probability that the worse sequence takes over a move of the better",
);
const DISCOUNT: Parameter =
    Parameter::real("discount", 0.9, (0.0, 1.0), "what a step later is worth");

/// The options of `genetic`.
pub static GENETIC_PARAMETERS: &[Parameter] = &[LENGTH, POPULATION, MUTATION, CROSSOVER, DISCOUNT];

/// The numbers of the algorithm.
pub(crate) struct Settings {
    length: usize,
    population: usize,
    mutation: f64,
    crossover: f64,
    discount: f64,
}

pub(crate) fn read(part: &Part) -> Result<Settings, SettingsError> {
    let mut composition = Composition::default();
    let mut options = Options::new(part, &mut composition);
    let settings = Settings {
        length: options.number(&LENGTH)? as usize,
        population: options.number(&POPULATION)? as usize,
        mutation: options.number(&MUTATION)?,
        crossover: options.number(&CROSSOVER)?,
        discount: options.number(&DISCOUNT)?,
    };
    options.finish()?;
    Ok(settings)
}

/// Evolves sequences of moves.
pub struct Genetic<G: Game> {
    model: Model<G>,
    settings: Settings,
    rng: Rng,
    state: G::State,
    look: Look,
    iterations: u64,
}

/// Sequences that begin with one move.
struct Group {
    first: Move,
    sequences: Vec<Vec<Move>>,
    best: f64,
}

impl<G: Game> Genetic<G> {
    /// Reads the settings.
    pub fn new(game: G, part: &Part, role: Role, seed: u64) -> Result<Genetic<G>, SettingsError> {
        let settings = read(part)?;
        let Some(senses) = game.senses() else { return Err(unable(&part.name)) };
        let mut model = Model::new(game, senses, role, Way::Straight, false);
        let state = model.game.initial_state();
        let rng = Rng::new(seed);
        let look = Look::default();
        Ok(Genetic { model, settings, rng, state, look, iterations: 0 })
    }

    /// Sequences played for the last decision.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The move to play in `state`.
    pub fn choose(&mut self, state: &G::State, budget: &Budget<'_>) -> Option<Move> {
        let mut moves = Vec::new();
        self.model.moves(state, &mut moves);
        self.iterations = 0;
        let limit = self.model.advances.saturating_add(budget.advance_limit());
        let mut groups: Vec<Group> = moves
            .iter()
            .map(|&first| {
                let sequence = |_| {
                    (0..self.settings.length).map(|_| moves[self.rng.below(moves.len())]).collect()
                };
                let sequences = (0..self.settings.population).map(sequence).collect();
                Group { first, sequences, best: f64::NEG_INFINITY }
            })
            .collect();
        let mut meter = Meter::new(*budget, Duration::from_millis(5));
        'evolution: loop {
            for group in &mut groups {
                let spent = meter.is_spent(self.iterations).is_some();
                if spent || self.model.advances >= limit {
                    break 'evolution;
                }
                self.tournament(state, group, &moves);
            }
            if groups.is_empty() {
                break;
            }
        }
        let best = groups.iter().map(|group| group.best).fold(f64::NEG_INFINITY, f64::max);
        let top: Vec<Move> =
            groups.iter().filter(|group| group.best == best).map(|group| group.first).collect();
        self.rng.pick(&top)
    }

    /// Two sequences play; the worse learns from the better.
    fn tournament(&mut self, state: &G::State, group: &mut Group, moves: &[Move]) {
        let a = self.rng.below(group.sequences.len());
        let b = (a + 1 + self.rng.below(group.sequences.len() - 1)) % group.sequences.len();
        let worths = [a, b].map(|at| self.play(state, group.first, &group.sequences[at]));
        group.best = group.best.max(worths[0]).max(worths[1]);
        let (winner, loser) = if worths[0] >= worths[1] { (a, b) } else { (b, a) };
        for at in 0..self.settings.length {
            if self.rng.unit() < self.settings.crossover {
                group.sequences[loser][at] = group.sequences[winner][at];
            }
            if self.rng.unit() < self.settings.mutation {
                group.sequences[loser][at] = moves[self.rng.below(moves.len())];
            }
        }
    }

    fn play(&mut self, state: &G::State, first: Move, sequence: &[Move]) -> f64 {
        self.iterations += 1;
        self.model.copy(state, &mut self.state, &mut self.rng);
        let mut worth_now = 1.0;
        for &mov in std::iter::once(&first).chain(sequence) {
            self.model.advance(&mut self.state, mov, &mut self.rng);
            worth_now *= self.settings.discount;
            if self.model.game.is_terminal(&self.state) {
                break;
            }
        }
        self.model.glance(&self.state, &mut self.look);
        worth(&self.look) * worth_now
    }
}
