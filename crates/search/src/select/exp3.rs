//! Exp3: a mixed strategy that follows estimated sums of returns.
//!
//! The probability of move a among K is `(1 - gamma) * exp(eta * S(a)) / sum of exp(eta * S) +
//! gamma / K` with `eta = gamma / K`. After a return u between 0 and 1 for a move that was chosen with
//! probability p, `S(a)` grows by `u / p`: each S estimates the sum of returns its move would have had
//! in every visit (Auer, Cesa-Bianchi, Freund and Schapire, "Gambling in a rigged casino", 1995; for
//! simultaneous moves Lanctot, Lisý and Winands, "Monte Carlo tree search in simultaneous move games
//! with applications to Goofspiel", 2014; named in [Sironi 2019, 2.5.1]). S is the number kept
//! for each action.
//!
//! What to play in the end is the average strategy, `final=sampled`: choices were made with these
//! probabilities, so visits estimate it. With several simulations under way, p is the probability
//! when the return comes back. The sources' gamma depends on the game; 0.2 is a choice.

use gamegrove_game::Rng;

use super::{Decision, GAMMA, Outcome, Pick, Selection, draw};
use crate::parameter::ParameterId;
use crate::registry::Entry;
use crate::trace::Needs;

pub(super) const ENTRY: Entry<dyn Selection> = Entry {
    name: "exp3",
    sentence: "moves at random, by probabilities that follow estimated sums of their returns",
    source: "Auer et al. (1995); [Sironi 2019, 2.5.1]",
    parameters: &[GAMMA],
    build: |options| Ok(Box::new(Exp3 { gamma: options.parameter(&GAMMA)?, buffer: Vec::new() })),
};

struct Exp3 {
    gamma: ParameterId,
    buffer: Vec<f64>,
}

/// The probabilities of moves with these estimated sums.
fn strategy(sums: &[f64], gamma: f64, out: &mut Vec<f64>) {
    let count = sums.len() as f64;
    let best = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    out.clear();
    out.extend(sums.iter().map(|sum| ((sum - best) * gamma / count).exp()));
    let all: f64 = out.iter().sum();
    for probability in out {
        *probability = (1.0 - gamma) * *probability / all + gamma / count;
    }
}

impl Selection for Exp3 {
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
        // Without exploration a probability may vanish; its estimate would be infinite.
        let probability = self.buffer[outcome.chosen].max(1e-9);
        outcome.extra[outcome.chosen] += outcome.value / 100.0 / probability;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up_and_keep_their_floor() {
        let mut out = Vec::new();
        strategy(&[0.0, 0.0, 0.0, 0.0], 0.2, &mut out);
        assert!(out.iter().all(|p| (p - 0.25).abs() < 1e-12));
        strategy(&[1e6, 0.0, 3.0, 0.0], 0.2, &mut out);
        assert!((out.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((out[0] - 0.85).abs() < 1e-12 && (out[1] - 0.05).abs() < 1e-12, "{out:?}");
        // One step of the formula: sums 2 and 0, gamma 0.5, eta 0.25.
        strategy(&[2.0, 0.0], 0.5, &mut out);
        let first = 0.5f64.exp() / (0.5f64.exp() + 1.0);
        assert!((out[0] - (0.5 * first + 0.25)).abs() < 1e-12);
    }
}
