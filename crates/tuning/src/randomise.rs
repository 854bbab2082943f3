//! Randomised parameters [Sironi 2019, 7.2]: values that nothing learns from, drawn anew
//! once per game, turn, simulation, state or move.
//!
//! Draws per game, turn and simulation are uniform over the legal combinations, as in a later state of the
//! source's program: K = 0 is one of 73 combinations with `ref`. The text has each parameter "set to
//! a random value in its set of feasible values" [Sironi 2019, 7.2], which gives K = 0 in one of ten draws:
//! [`Draw::Each`]. Draws per state always take every parameter by itself, so K = 0 may come with any `ref`;
//! a search that reads few parameters in a state need only draw those ([`Randomiser::draw_one`]).

use std::sync::Arc;

use gamegrove_game::Rng;
use gamegrove_settings::{SettingsError, unknown_name};

use crate::{Combination, Index, Indices, Space, Value};

/// How often values are drawn anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Redraw {
    /// GAME-RND: once before the search of a game starts.
    Game,
    /// TURN-RND: before the first simulation of each turn; the start clock is a turn of its own.
    Turn,
    /// SIM-RND: before every simulation.
    Simulation,
    /// STATE-RND: at every state of a simulation, in the tree and below.
    State,
    /// As STATE-RND, and what rates the moves of a node is drawn anew for each of them. So does the
    /// author's program, in which a value is drawn whenever it is read.
    Move,
}

/// The pool from which a draw per game, turn or simulation draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Draw {
    /// All legal combinations, each equally likely.
    #[default]
    Legal,
    /// The domain of each parameter by itself.
    Each,
}

/// The events of a search, for [`Randomiser::on`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// A game starts, before the start clock.
    Game,
    /// The start clock or a turn starts.
    Turn,
    /// A simulation starts.
    Simulation,
    /// A simulation reaches a state.
    State,
}

impl Redraw {
    /// All of them.
    pub const ALL: [Redraw; 5] =
        [Redraw::Game, Redraw::Turn, Redraw::Simulation, Redraw::State, Redraw::Move];

    /// The published name, in lower case, if it has one.
    pub fn name(self) -> &'static str {
        match self {
            Redraw::Game => "game-rnd",
            Redraw::Turn => "turn-rnd",
            Redraw::Simulation => "sim-rnd",
            Redraw::State => "state-rnd",
            Redraw::Move => "move-rnd",
        }
    }

    /// The one called `name`.
    pub fn find(name: &str) -> Result<Redraw, SettingsError> {
        Redraw::ALL
            .into_iter()
            .find(|redraw| redraw.name() == name)
            .ok_or_else(|| unknown_name("tune", name, &Redraw::ALL.map(Redraw::name)))
    }

    /// Whether values are drawn anew at this moment.
    pub fn listens(self, moment: Moment) -> bool {
        matches!(
            (self, moment),
            (Redraw::Game, Moment::Game)
                | (Redraw::Turn, Moment::Turn)
                | (Redraw::Simulation, Moment::Simulation)
                | (Redraw::State | Redraw::Move, Moment::State)
        )
    }
}

/// The randomised values of one role.
#[derive(Clone, Debug)]
pub struct Randomiser {
    redraw: Redraw,
    /// Whether every parameter is drawn by itself.
    each: bool,
    space: Arc<Space>,
    current: Combination,
    indices: Indices,
}

impl Randomiser {
    /// Draws the first values.
    pub fn new(redraw: Redraw, draw: Draw, space: &Arc<Space>, rng: &mut Rng) -> Self {
        let each = draw == Draw::Each || matches!(redraw, Redraw::State | Redraw::Move);
        let indices = Indices::from_elem(0, space.dimension());
        let current = Combination::from_indices(&indices);
        let mut randomiser =
            Randomiser { redraw, each, space: Arc::clone(space), current, indices };
        randomiser.draw(rng);
        randomiser
    }

    /// The values now.
    pub fn current(&self) -> &Combination {
        &self.current
    }

    /// Tells what happens; returns the new values if there are new ones.
    pub fn on(&mut self, moment: Moment, rng: &mut Rng) -> Option<&Combination> {
        if !self.redraw.listens(moment) {
            return None;
        }
        self.draw(rng);
        Some(&self.current)
    }

    fn draw(&mut self, rng: &mut Rng) {
        if self.each {
            for parameter in 0..self.space.dimension() {
                self.indices[parameter] = self.draw_index(parameter, rng);
            }
        } else {
            self.space.draw_into(&mut self.indices, rng);
        }
        self.current.set_indices(&self.indices);
    }

    /// A value for one parameter by itself, as draws per state make it.
    pub fn draw_one(&self, parameter: usize, rng: &mut Rng) -> Value {
        self.space.choices(parameter)[usize::from(self.draw_index(parameter, rng))]
    }

    fn draw_index(&self, parameter: usize, rng: &mut Rng) -> Index {
        let values = self.space.parameters()[parameter].domain.values().len();
        // A parameter that is always switched off has no value but unset.
        rng.below(values.min(self.space.choices(parameter).len())) as Index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published;

    #[test]
    fn each_listens_to_its_moment() {
        let space = Arc::new(published::AP_4.space());
        let moments = [Moment::Game, Moment::Turn, Moment::Simulation, Moment::State];
        for (i, redraw) in Redraw::ALL.into_iter().enumerate() {
            let mut rng = Rng::new(1);
            let mut randomiser = Randomiser::new(redraw, Draw::Legal, &space, &mut rng);
            for (j, moment) in moments.into_iter().enumerate() {
                let before = randomiser.current().clone();
                let changed = (0..20).filter_map(|_| randomiser.on(moment, &mut rng).cloned());
                let changed: Vec<Combination> = changed.collect();
                let listens = j == i.min(3);
                assert_eq!(changed.len(), if listens { 20 } else { 0 });
                if !listens {
                    assert_eq!(*randomiser.current(), before);
                }
            }
            assert_eq!(Redraw::find(redraw.name()).unwrap(), redraw);
        }
        let error = Redraw::find("simrnd").unwrap_err().to_string();
        assert!(error.ends_with("did you mean `sim-rnd`?"), "{error}");
    }

    #[test]
    fn draws_per_state_are_independent_and_never_unset() {
        let space = Arc::new(published::AP_2.space());
        let mut rng = Rng::new(2);
        let mut randomiser = Randomiser::new(Redraw::State, Draw::Legal, &space, &mut rng);
        let mut counts = [[0u32; 9]; 10];
        for _ in 0..80_000 {
            let drawn =
                randomiser.on(Moment::State, &mut rng).and_then(Combination::indices).unwrap();
            counts[usize::from(drawn[0])][usize::from(drawn[1])] += 1;
        }
        assert!(counts.iter().all(|row| row[8] == 0));
        // Chi-squared with 79 degrees of freedom; 135 is above its 99.99 % quantile.
        let squares: f64 = counts
            .iter()
            .flat_map(|row| &row[..8])
            .map(|&count| (f64::from(count) - 1000.0).powi(2) / 1000.0)
            .sum();
        assert!(squares < 135.0, "{squares}");
    }

    #[test]
    fn simulations_draw_legal_combinations_or_each_parameter() {
        // K = 0 alone is legal: one of 73 combinations of K and ref, and one of ten values of K.
        let share = |draw: Draw| {
            let space = Arc::new(published::AP_2.space());
            let mut rng = Rng::new(3);
            let mut randomiser = Randomiser::new(Redraw::Simulation, draw, &space, &mut rng);
            let off = |_: &usize| {
                let drawn = randomiser.on(Moment::Simulation, &mut rng);
                drawn.and_then(Combination::indices).unwrap()[0] == 0
            };
            (0..20_000usize).filter(off).count() as f64 / 20_000.0
        };
        let (legal, each) = (share(Draw::Legal), share(Draw::Each));
        assert!((legal - 1.0 / 73.0).abs() < 0.004, "{legal}");
        assert!((each - 0.1).abs() < 0.009, "{each}");
    }
}
