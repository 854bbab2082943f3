//! A weight for every move of every role: the table of PPA.
//!
//! Weights start at 0, are kept for the whole match unless they decay, and follow results by an [`Adaptation`]
//! [Sironi et al. 2021, 4]. The whole simulation counts, tree and play-out.

use gamegrove_game::{Move, Role};

use super::Learner;
use super::adaptation::{Adaptation, Weight, probabilities};
use crate::trace::{Needs, Trace};

/// A weight for every move of every role.
#[derive(Clone, Debug)]
pub struct MoveWeights {
    rule: Adaptation,
    /// The share that is kept when a move is played on the board.
    keep: f64,
    by_role: Vec<Vec<Weight>>,
    /// Buffers.
    factors: Vec<f64>,
    old: Vec<(f64, f64)>,
    probabilities: Vec<f64>,
    touched: Vec<(Role, u32)>,
}

impl PartialEq for MoveWeights {
    fn eq(&self, other: &Self) -> bool {
        (self.rule, self.keep) == (other.rule, other.keep)
    }
}

impl MoveWeights {
    /// All weights 0.
    pub fn new(rule: Adaptation, keep: f64) -> MoveWeights {
        MoveWeights {
            rule,
            keep,
            by_role: Vec::new(),
            factors: Vec::new(),
            old: Vec::new(),
            probabilities: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// The weights of a role's moves; moves beyond the end have weight 0.
    #[inline]
    pub fn of_role(&self, role: Role) -> &[Weight] {
        self.by_role.get(role.index()).map_or(&[], Vec::as_slice)
    }

    fn adapt(&mut self, role: Role, legal: &[u32], played: Move, size: f64) {
        let weights = &mut self.by_role[role.index()];
        let bound = legal.iter().max().map_or(0, |&mov| mov as usize + 1);
        if weights.len() < bound {
            weights.resize(bound, Weight::default());
        }
        self.old.clear();
        self.old.extend(legal.iter().map(|&mov| {
            let weight = &weights[mov as usize];
            (weight.weight, weight.exp)
        }));
        probabilities(&self.old, &mut self.probabilities);
        for (&mov, &probability) in legal.iter().zip(&self.probabilities) {
            let weight = &mut weights[mov as usize];
            if weight.change == 0.0 {
                self.touched.push((role, mov));
            }
            weight.change += self.rule.change(size, probability, mov == played.0);
        }
    }
}

impl Learner for MoveWeights {
    fn needs(&self) -> Needs {
        Needs { legal: true, ..Needs::default() }
    }

    fn learn(&mut self, trace: &Trace) {
        self.by_role.resize(trace.roles(), Vec::new());
        let mut factors = std::mem::take(&mut self.factors);
        self.rule.factors(trace.goals(), &mut factors);
        for (role, &factor) in Role::all(trace.roles()).zip(&factors) {
            if factor == 0.0 {
                continue;
            }
            for step in 0..trace.steps() {
                let legal = trace.legal(step, role);
                if legal.len() > 1 {
                    let size = self.rule.step_size(factor, trace.steps() - 1 - step);
                    self.adapt(role, legal, trace.joint(step)[role.index()], size);
                }
            }
        }
        self.factors = factors;
        for (role, mov) in self.touched.drain(..) {
            self.by_role[role.index()][mov as usize].settle();
        }
    }

    fn new_step(&mut self) {
        if self.keep != 1.0 {
            self.by_role.iter_mut().flatten().for_each(|weight| weight.decay(self.keep));
        }
    }

    fn bytes(&self) -> usize {
        self.by_role.iter().map(|weights| weights.capacity() * size_of::<Weight>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::{Composition, Options, Part};
    use gamegrove_game::Rng;

    fn table(part: &Part) -> MoveWeights {
        let mut composition = Composition::default();
        let rule = Adaptation::read(&mut Options::new(part, &mut composition));
        MoveWeights::new(rule.expect("good options"), 1.0)
    }

    /// A simulation of two roles that have the same legal moves in every step.
    fn trace(steps: &[(&[u32], [u32; 2])], goals: [f64; 2]) -> Trace {
        let mut trace = Trace::default();
        trace.begin(2, 1.0);
        for (legal, joint) in steps {
            let legal: Vec<Move> = legal.iter().copied().map(Move).collect();
            trace.note_legal(&legal);
            trace.note_legal(&legal);
            trace.push(&joint.map(Move));
        }
        trace.finish(goals.into_iter());
        trace
    }

    fn weights(table: &MoveWeights, role: u8) -> Vec<f64> {
        table.of_role(Role(role)).iter().map(|weight| weight.weight).collect()
    }

    #[test]
    fn worked_numbers() {
        // [Sironi et al. 2021, 4]
        let once: &[(&[u32], [u32; 2])] = &[(&[0, 1], [0, 1])];
        let mut ppa = table(&Part::named("ppa"));
        ppa.learn(&trace(once, [100.0, 0.0]));
        assert_eq!(weights(&ppa, 0), [0.5, -0.5]);
        assert!(weights(&ppa, 1).is_empty());

        let payoff = Part::named("ppa").with("mode", "payoff");
        let mut half = table(&payoff);
        half.learn(&trace(once, [50.0, 50.0]));
        assert_eq!(weights(&half, 0), [0.25, -0.25]);
        assert_eq!(weights(&half, 1), [-0.25, 0.25]);

        let mut twice = table(&Part::named("ppa"));
        twice.learn(&trace(&[(&[0, 1], [0, 1]), (&[0, 1], [0, 1])], [100.0, 0.0]));
        assert_eq!(weights(&twice, 0), [1.0, -1.0]);

        let mut tie = table(&Part::named("ppa"));
        tie.learn(&trace(once, [50.0, 50.0]));
        assert!(weights(&tie, 0).is_empty());
        // Check 7: weights survive a turn.
        twice.new_step();
        assert_eq!(weights(&twice, 0), [1.0, -1.0]);
    }

    /// The rule of section 5.2 with a copy of all weights.
    fn copying(weights: &mut [Vec<f64>; 2], trace: &Trace, factors: [f64; 2], alpha: f64) {
        let old = weights.clone();
        for role in 0..2 {
            for step in 0..trace.steps() {
                let legal = trace.legal(step, Role(role as u8));
                let best =
                    legal.iter().map(|&m| old[role][m as usize]).fold(f64::NEG_INFINITY, f64::max);
                let z: f64 = legal.iter().map(|&m| (old[role][m as usize] - best).exp()).sum();
                for &mov in legal {
                    let share = (old[role][mov as usize] - best).exp() / z;
                    if mov == trace.joint(step)[role].0 {
                        weights[role][mov as usize] += alpha * factors[role];
                    }
                    weights[role][mov as usize] -= alpha * factors[role] * share;
                }
            }
        }
    }

    #[test]
    fn cached_exponentials_equal_a_copy_of_all_weights() {
        // [Sironi et al. 2021, 4]; large steps make weights of thousands
        for alpha in [0.32, 1.0, 300.0] {
            let mut lazy = table(&Part::named("ppa").with("mode", "payoff").with("alpha", alpha));
            let mut plain = [vec![0.0; 12], vec![0.0; 12]];
            let mut rng = Rng::new(9);
            for _ in 0..300 {
                let mut legal = Vec::new();
                for _ in 0..10 {
                    let first = rng.below(8) as u32;
                    legal.push((first..first + 1 + rng.below(4) as u32).collect::<Vec<u32>>());
                }
                let steps: Vec<(&[u32], [u32; 2])> = legal
                    .iter()
                    .map(|legal| {
                        let pick = |rng: &mut Rng| rng.pick(legal).expect("a move");
                        (legal.as_slice(), [pick(&mut rng), pick(&mut rng)])
                    })
                    .collect();
                let goal = rng.below(101) as f64;
                let trace = trace(&steps, [goal, 100.0 - goal]);
                // Each step by itself: over many, differences in rounding would grow.
                for role in 0..2u8 {
                    for (mov, weight) in weights(&lazy, role).into_iter().enumerate() {
                        plain[usize::from(role)][mov] = weight;
                    }
                }
                lazy.learn(&trace);
                copying(&mut plain, &trace, [goal / 100.0, 1.0 - goal / 100.0], alpha);
                for role in 0..2 {
                    for (mov, weight) in weights(&lazy, role).into_iter().enumerate() {
                        let other = plain[usize::from(role)][mov];
                        let scale = other.abs().max(1.0);
                        assert!((weight - other).abs() < 1e-9 * scale, "{weight} {other}");
                    }
                }
            }
        }
    }
}
