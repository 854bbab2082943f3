//! Regret matching: moves by how much one regrets not having chosen them.
//!
//! The probability of move a among K is `(1 - gamma) * R+(a) / sum of R+ + gamma / K`, R+ being the
//! regret where it is positive; all are equal while none is (Hart and Mas-Colell, "A simple adaptive
//! procedure leading to correlated equilibrium", 2000). R is the number kept for each action.
//!
//! A role sees the return of the move it chose and of no other, so regrets are estimated: after a
//! return u between 0 and 1 for a move chosen with probability p, its regret changes by `u / p - u` and
//! that of all others by `-u`. In the mean this is what each move would have returned minus what was
//! returned, the estimate of outcome sampling. (Lanctot, Lisý and Winands, "Monte Carlo tree search in
//! simultaneous move games with applications to Goofspiel", 2014, use the mean of each joint move
//! instead, which takes statistics of joint moves; named in [Sironi 2019, 2.5.1].)
//!
//! What to play in the end is the average strategy, `final=sampled`, as for Exp3.

use gamegrove_game::Rng;

use super::{Decision, GAMMA, Outcome, Pick, Selection, draw};
use crate::parameter::ParameterId;
use crate::registry::Entry;
use crate::trace::Needs;

pub(super) const ENTRY: Entry<dyn Selection> = Entry {
    name: "regret_matching",
    sentence: "moves at random, in proportion to the regret of not having chosen them",
    source: "Hart and Mas-Colell (2000); [Sironi 2019, 2.5.1]",
    parameters: &[GAMMA],
    build: |options| {
        Ok(Box::new(RegretMatching { gamma: options.parameter(&GAMMA)?, buffer: Vec::new() }))
    },
};

struct RegretMatching {
    gamma: ParameterId,
    buffer: Vec<f64>,
}

/// The probabilities of moves with these regrets.
fn strategy(regrets: &[f64], gamma: f64, out: &mut Vec<f64>) {
    let count = regrets.len() as f64;
    let all: f64 = regrets.iter().map(|regret| regret.max(0.0)).sum();
    out.clear();
    out.extend(regrets.iter().map(|regret| match all > 0.0 {
        true => (1.0 - gamma) * regret.max(0.0) / all + gamma / count,
        false => 1.0 / count,
    }));
}

impl Selection for RegretMatching {
    fn needs(&self) -> Needs {
        Needs { extra: true, ..Needs::default() }
    }

    fn select(&mut self, at: &Decision<'_>, rng: &mut Rng) -> Pick {
        strategy(at.extra, at.values.get(at.role, self.gamma), &mut self.buffer);
        Pick::Action(draw(rng, &self.buffer))
    }

    fn update(&mut self, outcome: &mut Outcome<'_>) {
        if outcome.extra.len() < 2 {
            return;
        }
        strategy(outcome.extra, outcome.values.get(outcome.role, self.gamma), &mut self.buffer);
        let value = outcome.value / 100.0;
        for regret in &mut *outcome.extra {
            *regret -= value;
        }
        // Without exploration a probability may vanish; its estimate would be infinite.
        outcome.extra[outcome.chosen] += value / self.buffer[outcome.chosen].max(1e-9);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positive_regrets_share_what_exploration_leaves() {
        let mut out = Vec::new();
        strategy(&[0.0, -3.0], 0.2, &mut out);
        assert_eq!(out, [0.5, 0.5]);
        strategy(&[3.0, -5.0, 1.0, 0.0], 0.2, &mut out);
        let expected = [0.8 * 0.75 + 0.05, 0.05, 0.8 * 0.25 + 0.05, 0.05];
        for (probability, expected) in out.iter().zip(expected) {
            assert!((probability - expected).abs() < 1e-12, "{out:?}");
        }
    }
}
