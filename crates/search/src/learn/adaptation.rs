//! How weights of moves follow the result of a simulation: the update rules of PPA and NPPA.
//!
//! Every role has a factor f, by the mode [Sironi et al. 2021, 5.1]. In every state of
//! the simulation in which the role had a choice, the weight of the move it played grows by
//! `alpha * f`, and the weight of every legal move falls by `alpha * f * P`, P being its probability
//! `exp(W) / sum of exp(W)` by the weights from before the simulation (sections 5.2 and 5.3). The
//! changes in one state add up to zero.
//!
//! Options for negative factors: `alpha_loss` instead of `alpha`, and the inverted rule, by which
//! the played move loses `alpha * |f| * P` and its siblings gain `alpha * |f| * (1 - P)`. With
//! `step_discount` alpha is multiplied once for each step between the move and the end.
//!
//! Weights are kept from move to move [Sironi et al. 2021, 6.1]. With `decay` they lose a share with each move on the
//! board; with 0 every search starts from nothing, as in the first PPA [Sironi et al. 2021, 2].
//!
//! In games of one role there is no opponent to beat: the role is a winner from 50 on.

use crate::parameter::Parameter;
use crate::part::{Options, SettingsError};

const MODES: [(&str, Mode); 12] = [
    ("single_winner", Mode::Winner(Tops::Single, false, false)),
    ("all_winners", Mode::Winner(Tops::All, false, false)),
    ("payoff", Mode::Payoff(false)),
    ("wins", Mode::Wins(false)),
    ("proportional_single", Mode::Winner(Tops::Single, true, false)),
    ("proportional_all", Mode::Winner(Tops::All, true, false)),
    ("single_winner_losers", Mode::Winner(Tops::Single, false, true)),
    ("all_winners_losers", Mode::Winner(Tops::All, false, true)),
    ("proportional_single_losers", Mode::Winner(Tops::Single, true, true)),
    ("proportional_all_losers", Mode::Winner(Tops::All, true, true)),
    ("rescaled_payoff", Mode::Payoff(true)),
    ("rescaled_wins", Mode::Wins(true)),
];

pub(crate) const MODE: Parameter = Parameter::word(
    "mode",
    &[
        "single_winner",
        "all_winners",
        "payoff",
        "wins",
        "proportional_single",
        "proportional_all",
        "single_winner_losers",
        "all_winners_losers",
        "proportional_single_losers",
        "proportional_all_losers",
        "rescaled_payoff",
        "rescaled_wins",
    ],
    "which roles learn from a simulation, and how much",
);
pub(crate) const ALPHA: Parameter =
    Parameter::real("alpha", 1.0, (0.0, 1000.0), "how fast weights follow results");
pub(crate) const ALPHA_LOSS: Parameter = Parameter::real(
    "alpha_loss",
    1.0,
    (0.0, 1000.0),
    "how fast weights follow negative results; alpha if not given",
);
pub(crate) const INVERTED: Parameter = Parameter::flag(
    "inverted",
    false,
    "whether a loss lowers the played move by its probability and raises all others",
);
pub(crate) const STEP_DISCOUNT: Parameter = Parameter::real(
    "step_discount",
    1.0,
    (0.0, 1.0),
    "what is left of alpha with each step between the move and the end",
);

/// The share of all weights that is kept when a move is played on the board.
pub(crate) const KEEP: Parameter = Parameter::real(
    "decay",
    1.0,
    (0.0, 1.0),
    "the share of all weights that is kept after each move on the board; 0 starts anew every time",
);

/// How a result becomes a factor for each role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Winners gain 1, or their goal if it is proportional; losers, if they count, lose 1 or what
    /// they lack.
    Winner(Tops, bool, bool),
    /// The goal, rescaled to -1..1 or not.
    Payoff(bool),
    /// One point shared by all winners, rescaled or not.
    Wins(bool),
}

/// The winners if several roles are best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tops {
    /// None, and no role has lost.
    Single,
    /// All of them.
    All,
}

/// An update rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptation {
    mode: Mode,
    alpha: f64,
    alpha_loss: f64,
    inverted: bool,
    step_discount: f64,
}

impl Adaptation {
    pub(crate) fn read(options: &mut Options<'_>) -> Result<Adaptation, SettingsError> {
        let mode = options.word(MODE.name, &MODES)?;
        let alpha = options.number(&ALPHA)?;
        Ok(Adaptation {
            mode,
            alpha,
            alpha_loss: options.number(&ALPHA_LOSS.with_default(alpha))?,
            inverted: options.flag(&INVERTED)?,
            step_discount: options.number(&STEP_DISCOUNT)?,
        })
    }

    /// The factor of every role.
    pub(crate) fn factors(&self, goals: &[f64], factors: &mut Vec<f64>) {
        let best = goals.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_top = |goal: f64| if goals.len() == 1 { goal >= 50.0 } else { goal == best };
        let tops = goals.iter().filter(|&&goal| is_top(goal)).count();
        factors.clear();
        factors.extend(goals.iter().map(|&goal| {
            let share = goal / 100.0;
            let won = if is_top(goal) { 1.0 / tops as f64 } else { 0.0 };
            match self.mode {
                Mode::Payoff(false) => share,
                Mode::Payoff(true) => 2.0 * share - 1.0,
                Mode::Wins(false) => won,
                Mode::Wins(true) => 2.0 * won - 1.0,
                Mode::Winner(Tops::Single, ..) if tops > 1 => 0.0,
                Mode::Winner(_, proportional, _) if is_top(goal) => {
                    if proportional {
                        share
                    } else {
                        1.0
                    }
                }
                Mode::Winner(_, _, false) => 0.0,
                Mode::Winner(_, true, true) => share - 1.0,
                Mode::Winner(_, false, true) => -1.0,
            }
        }));
    }

    /// The step size for a factor, `steps` before the end; it has the sign of the factor.
    pub(crate) fn step_size(&self, factor: f64, steps_to_end: usize) -> f64 {
        let alpha = if factor < 0.0 { self.alpha_loss } else { self.alpha };
        let discount = match self.step_discount {
            1.0 => 1.0,
            discount => discount.powi(steps_to_end.min(1 << 30) as i32),
        };
        alpha * factor * discount
    }

    /// The change of a weight whose move had this probability.
    #[inline]
    pub(crate) fn change(&self, size: f64, probability: f64, played: bool) -> f64 {
        match (size < 0.0 && self.inverted, played) {
            (false, true) => size - size * probability,
            (false, false) => -size * probability,
            (true, true) => size * probability,
            (true, false) => -size * (1.0 - probability),
        }
    }
}

/// A weight with the exponential of what it was before the current simulation.
///
/// Changes are collected apart and added at the end of the simulation, so the weight and its
/// exponential are the old ones for all gradients: what copying all weights before every simulation
/// would do, for the price of one exponential for each changed weight
/// [Sironi et al. 2021, 5].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// The weight.
    pub weight: f64,
    /// Its exponential.
    pub exp: f64,
    /// What the current simulation adds to it.
    pub change: f64,
    /// How often it was updated, or occurred.
    pub visits: u32,
}

impl Default for Weight {
    fn default() -> Self {
        Weight { weight: 0.0, exp: 1.0, change: 0.0, visits: 0 }
    }
}

/// Exponentials of greater weights are not used: sums of them might overflow.
const LARGE: f64 = 500.0;

impl Weight {
    /// Whether its exponential can be used.
    #[inline]
    pub(crate) fn is_moderate(&self) -> bool {
        self.weight.abs() <= LARGE
    }

    /// Keeps a share of it.
    pub(crate) fn decay(&mut self, keep: f64) {
        self.weight *= keep;
        self.exp = self.weight.exp();
    }

    /// Ends a simulation.
    #[inline]
    pub(crate) fn settle(&mut self) {
        self.weight += self.change;
        self.change = 0.0;
        self.exp = self.weight.exp();
    }
}

/// Writes the probability of each of `weights`.
pub(crate) fn probabilities(weights: &[(f64, f64)], out: &mut Vec<f64>) {
    out.clear();
    if weights.iter().all(|(weight, _)| weight.abs() <= LARGE) {
        out.extend(weights.iter().map(|&(_, exp)| exp));
    } else {
        let best = weights.iter().map(|&(weight, _)| weight).fold(f64::NEG_INFINITY, f64::max);
        out.extend(weights.iter().map(|&(weight, _)| (weight - best).exp()));
    }
    let sum: f64 = out.iter().sum();
    for probability in out {
        *probability /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::{Composition, Part};

    fn factors(mode: &str, goals: &[f64]) -> Vec<f64> {
        let part = Part::named("ppa").with("mode", mode);
        let mut composition = Composition::default();
        let rule = Adaptation::read(&mut Options::new(&part, &mut composition));
        let mut factors = Vec::new();
        rule.expect("good options").factors(goals, &mut factors);
        factors
    }

    #[test]
    fn the_family_of_modes() {
        // [Sironi et al. 2021, 5.1]: a winner, a tie of two of three, one role
        let (win, tie, one) = ([75.0, 25.0], [50.0, 50.0, 20.0], [60.0]);
        let third = |value: f64| (value * 1e9).round() / 1e9;
        let expect = |mode: &str, on_win: [f64; 2], on_tie: [f64; 3], on_one: f64| {
            assert_eq!(factors(mode, &win), on_win, "{mode}");
            let tie: Vec<f64> = factors(mode, &tie).into_iter().map(third).collect();
            assert_eq!(tie, on_tie, "{mode}");
            assert_eq!(third(factors(mode, &one)[0]), on_one, "{mode}");
        };
        expect("single_winner", [1.0, 0.0], [0.0; 3], 1.0);
        expect("all_winners", [1.0, 0.0], [1.0, 1.0, 0.0], 1.0);
        expect("payoff", [0.75, 0.25], [0.5, 0.5, 0.2], 0.6);
        expect("wins", [1.0, 0.0], [0.5, 0.5, 0.0], 1.0);
        expect("proportional_single", [0.75, 0.0], [0.0; 3], 0.6);
        expect("proportional_all", [0.75, 0.0], [0.5, 0.5, 0.0], 0.6);
        expect("single_winner_losers", [1.0, -1.0], [0.0; 3], 1.0);
        expect("all_winners_losers", [1.0, -1.0], [1.0, 1.0, -1.0], 1.0);
        expect("proportional_single_losers", [0.75, -0.75], [0.0; 3], 0.6);
        expect("proportional_all_losers", [0.75, -0.75], [0.5, 0.5, -0.8], 0.6);
        expect("rescaled_payoff", [0.5, -0.5], [0.0, 0.0, -0.6], 0.2);
        expect("rescaled_wins", [1.0, -1.0], [0.0, 0.0, -1.0], 1.0);
        assert_eq!(factors("single_winner", &[40.0]), [0.0]);
        assert_eq!(factors("single_winner_losers", &[40.0]), [-1.0]);
    }

    #[test]
    fn losses_have_their_own_speed_and_rule() {
        let part = Part::named("ppa")
            .with("alpha", 1.0)
            .with("alpha_loss", 0.5)
            .with("inverted", true)
            .with("step_discount", 0.9);
        let mut composition = Composition::default();
        let rule =
            Adaptation::read(&mut Options::new(&part, &mut composition)).expect("good options");
        assert!((rule.step_size(1.0, 2) - 0.81).abs() < 1e-12);
        let loss = rule.step_size(-1.0, 0);
        assert_eq!(loss, -0.5);
        // The played move loses alpha * |f| * P, the others gain alpha * |f| * (1 - P).
        assert_eq!(rule.change(loss, 0.25, true), -0.125);
        assert_eq!(rule.change(loss, 0.25, false), 0.375);
        assert_eq!(rule.change(1.0, 0.25, true), 0.75);
    }

    #[test]
    fn probabilities_of_large_weights_are_finite() {
        let of = |weights: &[f64]| {
            let pairs: Vec<(f64, f64)> = weights.iter().map(|&w| (w, w.exp())).collect();
            let mut out = Vec::new();
            probabilities(&pairs, &mut out);
            out
        };
        assert_eq!(of(&[0.0, 0.0]), [0.5, 0.5]);
        assert_eq!(of(&[5000.0, 5000.0]), [0.5, 0.5]);
        let spread = of(&[-9000.0, 0.0, 1.0]);
        assert!(spread[0] == 0.0 && (spread[2] / spread[1] - 1f64.exp()).abs() < 1e-12);
    }
}
