//! The reward of KB Fast-Evo MCTS ([van Eeden 2015, 4.2.2.1, 6.3]): the change of the score; where
//! there is none, what was learned of things and how much nearer they are.
//!
//! ```text
//! alpha * sum_i dK_i + beta * sum_i dD_i
//! dK_i = Z_iF / Z_i0 - 1 (Z_iF if Z_i0 = 0)     Z_i: meetings with kind i
//! dD_i = 1 - D_iF / D_i0 for kinds never met or that bring points     D_i: distance to the nearest
//! ```
//! Kinds that are not there at both ends, or were reached already, add nothing.

use gamegrove_search::{Entry, Parameter};

use super::{LAST_TICK, Trial, Valuation, with_end};
use crate::knowledge::factor;
use crate::stat::Payoff;

const ALPHA: Parameter =
    Parameter::real("alpha", 0.66, (0.0, 100.0), "the weight of what was learned");
const BETA: Parameter = Parameter::real("beta", 0.33, (0.0, 100.0), "the weight of approaching");
const COURAGE: Parameter =
    Parameter::flag("courage", false, "losing points or the game counts less as time goes by");
const COURAGE_ENDS: Parameter =
    Parameter::flag("courage_ends", true, "with courage: the loss of the game counts less, too");
const PAYS: Parameter = Parameter::real(
    "pays",
    0.0,
    (0.0, 100.0),
    "the mean change of the score above which what was met is approached again",
);
const FACTOR: Parameter =
    Parameter::flag("knowledge_factor", false, "approaching what is hardly known counts more");

const UNKNOWN: Parameter = Parameter::real(
    "unknown",
    10.0,
    (0.0, 100.0),
    "with knowledge_factor: the factor of what was never met, which the formula leaves open",
);

pub(super) const ENTRY: Entry<dyn Valuation> = Entry {
    name: "kb",
    sentence: "the change of the score, else what was learned and approached",
    source: "[van Eeden 2015, 4.2.2.1, 6.3]",
    parameters: &[ALPHA, BETA, COURAGE, COURAGE_ENDS, PAYS, FACTOR, UNKNOWN],
    build: |options| {
        Ok(Box::new(Kb {
            alpha: options.number(&ALPHA)?,
            beta: options.number(&BETA)?,
            courage: options.flag(&COURAGE)?,
            courage_ends: options.flag(&COURAGE_ENDS)?,
            pays: options.number(&PAYS)?,
            factor: options.flag(&FACTOR)?,
            unknown: options.number(&UNKNOWN)?,
        }))
    },
};

struct Kb {
    alpha: f64,
    beta: f64,
    courage: bool,
    courage_ends: bool,
    pays: f64,
    factor: bool,
    unknown: f64,
}

/// The knowledge of a kind.
fn learned(before: u64, after: u64) -> f64 {
    match before {
        0 => after as f64,
        _ => after as f64 / before as f64 - 1.0,
    }
}

/// How much nearer a kind is that is new or known to pay.
fn nearer(before: u64, pays: bool, from: f64, to: f64) -> f64 {
    let counts = before == 0 || pays;
    if counts && from > 0.0 && from.is_finite() && to.is_finite() { 1.0 - to / from } else { 0.0 }
}

impl Kb {
    fn knowledge(&self, trial: &Trial<'_>) -> f64 {
        let Trial { root, end, before, knowledge, .. } = trial;
        let total = knowledge.total();
        let (mut learning, mut approach) = (0.0, 0.0);
        for (kind, &first) in before.iter().enumerate() {
            let count = knowledge.counts[kind];
            learning += learned(first, count);
            let (from, to) = (root.distances.get(kind), end.distances.get(kind));
            if let (Some(&from), Some(&to)) = (from, to) {
                let weight = match (self.factor, count) {
                    (false, _) => 1.0,
                    (true, 0) => self.unknown,
                    (true, count) => factor(count, total),
                };
                approach += weight * nearer(first, knowledge.means[kind] > self.pays, from, to);
            }
        }
        self.alpha * learning + self.beta * approach
    }
}

impl Valuation for Kb {
    fn measures(&self) -> bool {
        true
    }

    fn value(&mut self, trial: &Trial<'_>) -> Payoff {
        let fear = if self.courage {
            (1.0 - f64::from(trial.root.tick) / LAST_TICK).clamp(0.0, 1.0)
        } else {
            1.0
        };
        let change = trial.end.score - trial.root.score;
        let points = match change {
            0.0 if trial.end.verdict.is_none() => self.knowledge(trial),
            change if change < 0.0 => change * fear,
            change => change,
        };
        with_end(points, trial.end, if self.courage_ends { fear } else { 1.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::super::look;
    use super::*;
    use crate::knowledge::Knowledge;

    fn kb(courage: bool, factor: bool) -> Kb {
        Kb {
            alpha: 0.66,
            beta: 0.33,
            courage,
            courage_ends: true,
            pays: 0.0,
            factor,
            unknown: 10.0,
        }
    }

    fn worth(kb: &mut Kb, from: &[f64], to: &[f64], before: &[u64], knowledge: &Knowledge) -> f64 {
        let (root, end) = (look(1.0, None, from), look(1.0, None, to));
        kb.value(&Trial { root: &root, end: &end, before, knowledge, categories: &[], met: &[] })
            .points
    }

    #[test]
    fn a_change_of_the_score_is_all_that_counts() {
        let knowledge = Knowledge::new(1);
        let (root, end) = (look(3.0, None, &[4.0]), look(5.0, None, &[1.0]));
        let trial = Trial {
            root: &root,
            end: &end,
            before: &[0],
            knowledge: &knowledge,
            categories: &[],
            met: &[],
        };
        assert_eq!(kb(false, false).value(&trial).points, 2.0);
    }

    #[test]
    fn learning_and_approaching_are_weighed() {
        // Formulas 4.2-4.5 by hand: kind 0 was never met and is half as far as before, kind 1 was met
        // 4 times and once more, kind 2 is not there.
        let mut knowledge = Knowledge::new(3);
        (0..5).for_each(|_| knowledge.learn(&[1], 0.0, Some(0.0)));
        let inf = f64::INFINITY;
        let points = worth(
            &mut kb(false, false),
            &[4.0, 3.0, inf],
            &[2.0, 1.0, 2.0],
            &[0, 4, 0],
            &knowledge,
        );
        assert!((points - (0.66 * 0.25 + 0.33 * 0.5)).abs() < 1e-12, "{points}");
        // A kind met for the first time counts with all its meetings; one that pays is approached.
        let mut knowledge = Knowledge::new(1);
        (0..3).for_each(|_| knowledge.learn(&[0], 2.0, Some(2.0)));
        let points = worth(&mut kb(false, false), &[4.0], &[3.0], &[0], &knowledge);
        assert!((points - (0.66 * 3.0 + 0.33 * 0.25)).abs() < 1e-12, "{points}");
        let points = worth(&mut kb(false, false), &[4.0], &[3.0], &[3], &knowledge);
        assert!((points - 0.33 * 0.25).abs() < 1e-12, "{points}");
    }

    #[test]
    fn what_was_reached_already_divides_nothing() {
        let knowledge = Knowledge::new(1);
        assert_eq!(worth(&mut kb(false, true), &[0.0], &[2.0], &[0], &knowledge), 0.0);
        assert_eq!(worth(&mut kb(false, true), &[], &[], &[], &Knowledge::new(0)), 0.0);
    }

    #[test]
    fn the_factor_prefers_what_is_hardly_known() {
        let mut knowledge = Knowledge::new(2);
        knowledge.learn(&[0], 0.0, Some(0.0));
        let known = worth(&mut kb(false, true), &[9.0, 4.0], &[9.0, 2.0], &[1, 0], &knowledge);
        assert!((known - 10.0 * 0.33 * 0.5).abs() < 1e-12, "{known}");
    }

    #[test]
    fn weights_and_the_factor_of_the_unknown_are_options() {
        let knowledge = Knowledge::new(1);
        let half = |kb: &mut Kb| worth(kb, &[4.0], &[2.0], &[0], &knowledge);
        assert_eq!(half(&mut Kb { beta: 2.0, ..kb(false, false) }), 1.0);
        assert_eq!(half(&mut Kb { beta: 2.0, unknown: 3.0, ..kb(false, true) }), 3.0);
        let mut knowledge = Knowledge::new(1);
        knowledge.learn(&[0], 0.0, Some(0.0));
        let met =
            worth(&mut Kb { alpha: 2.0, ..kb(false, false) }, &[4.0], &[4.0], &[0], &knowledge);
        assert_eq!(met, 2.0);
        // What brought 0.1 points in the mean draws, unless that is too little.
        let mut knowledge = Knowledge::new(1);
        (0..10).for_each(|at| knowledge.learn(&[0], f64::from(u8::from(at == 0)), None));
        let again = |pays| {
            let mut kb = Kb { beta: 2.0, pays, ..kb(false, false) };
            worth(&mut kb, &[4.0], &[2.0], &[10], &knowledge)
        };
        assert_eq!((again(0.0), again(0.2)), (1.0, 0.0));
        assert_eq!(
            worth(&mut kb(true, true), &[], &[], &[], &Knowledge::new(0)),
            0.0,
            "nothing to see"
        );
    }

    #[test]
    fn courage_grows_with_time() {
        let knowledge = Knowledge::new(0);
        let mut root = look(3.0, None, &[]);
        root.tick = 1500;
        let end = look(1.0, Some(false), &[]);
        let trial = Trial {
            root: &root,
            end: &end,
            before: &[],
            knowledge: &knowledge,
            categories: &[],
            met: &[],
        };
        let payoff = kb(true, false).value(&trial);
        assert_eq!((payoff.points, payoff.loss), (-0.5, 0.25));
        let payoff = Kb { courage_ends: false, ..kb(true, false) }.value(&trial);
        assert_eq!((payoff.points, payoff.loss), (-0.5, 1.0));
        let payoff = kb(false, false).value(&trial);
        assert_eq!((payoff.points, payoff.loss), (-2.0, 1.0));
    }
}
