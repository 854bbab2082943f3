//! From values of moves to one move: epsilon-greedy or Gibbs.
//!
//! Policies that rate moves (MAST, NST, PAST, ...) differ in the rating alone; how a rating becomes
//! a choice is the same two rules everywhere [Sironi 2019, 2.5.2].

use gamegrove_game::{Move, MoveSet, Preference, Preferred, Rng, Role};

use crate::parameter::{Parameter, ParameterId, Values};
use crate::part::{Options, SettingsError};

/// The share of random moves.
pub(super) const EPSILON: Parameter = Parameter::real(
    "epsilon",
    0.4,
    (0.0, 1.0),
    "the probability of a random move instead of the best",
)
.tuned_over(&[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);

/// The temperature of Gibbs sampling on values between 0 and 100.
pub(super) const TAU: Parameter = Parameter::real(
    "tau",
    10.0,
    (1e-9, f64::INFINITY),
    "temperature of Gibbs sampling: near 0 the best move, large values any move",
);

/// The rule, where epsilon-greedy is the default.
pub(super) const GREEDY_OR_GIBBS: Parameter = Parameter::word(
    "sample",
    &["greedy", "gibbs"],
    "how values become a choice: the best except for a share epsilon, or by Gibbs sampling",
);

/// The rule, where Gibbs sampling is the default.
pub(super) const GIBBS_OR_GREEDY: Parameter = Parameter::word(
    "sample",
    &["gibbs", "greedy"],
    "how values become a choice: by Gibbs sampling, or the best except for a share epsilon",
);

/// How values become a choice.
#[derive(Clone, Debug)]
pub(super) struct Sampler {
    rule: Rule,
    values: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
enum Rule {
    /// The best with probability `1 - epsilon`, otherwise any.
    Greedy(ParameterId),
    /// Each with a probability proportional to `exp(value / tau)`.
    Gibbs(ParameterId),
}

impl Sampler {
    /// Reads the options `sample` (epsilon-greedy by default) and `epsilon` or `tau`.
    pub(super) fn greedy(options: &mut Options<'_>) -> Result<Sampler, SettingsError> {
        let gibbs = options.word("sample", &[("greedy", false), ("gibbs", true)])?;
        Sampler::read(options, gibbs, &TAU)
    }

    /// Reads the options `sample` (Gibbs by default) and `epsilon` or `tau`.
    pub(super) fn gibbs(
        options: &mut Options<'_>,
        tau: &Parameter,
    ) -> Result<Sampler, SettingsError> {
        let gibbs = options.word("sample", &[("gibbs", true), ("greedy", false)])?;
        Sampler::read(options, gibbs, tau)
    }

    fn read(
        options: &mut Options<'_>,
        gibbs: bool,
        tau: &Parameter,
    ) -> Result<Sampler, SettingsError> {
        let rule = if gibbs {
            Rule::Gibbs(options.parameter(tau)?)
        } else {
            Rule::Greedy(options.parameter(&EPSILON)?)
        };
        Ok(Sampler { rule, values: Vec::new() })
    }

    /// Chooses among moves with these values.
    pub(super) fn choose_rated(
        &mut self,
        values: &Values,
        role: Role,
        rng: &mut Rng,
        rated: &[f64],
    ) -> usize {
        self.choose(values, role, rng, rated.len(), |at| rated[at])
    }

    /// Chooses among `count` moves rated by `value`, which is not asked when the choice is random.
    #[inline]
    pub(super) fn choose(
        &mut self,
        values: &Values,
        role: Role,
        rng: &mut Rng,
        count: usize,
        value: impl FnMut(usize) -> f64,
    ) -> usize {
        match self.rule {
            Rule::Greedy(epsilon) => {
                if rng.unit() < values.get(role, epsilon) {
                    rng.below(count)
                } else {
                    greatest(rng, count, value)
                }
            }
            Rule::Gibbs(tau) => {
                self.values.clear();
                self.values.extend((0..count).map(value));
                gibbs(rng, &mut self.values, 1.0 / values.get(role, tau))
            }
        }
    }
}

impl Sampler {
    /// As [`choose`](Sampler::choose), from a set; `None` where all moves must be rated anyway.
    #[inline]
    pub(super) fn choose_in(
        &self,
        values: &Values,
        role: Role,
        rng: &mut Rng,
        legal: MoveSet<'_>,
        value: impl Fn(Move) -> f64,
    ) -> Option<Move> {
        let Rule::Greedy(epsilon) = self.rule else { return None };
        if rng.unit() < values.get(role, epsilon) {
            legal.pick(rng)
        } else {
            greatest_in(rng, legal, value)
        }
    }
}

impl Sampler {
    /// The same choice as a [`Preference`]; `false` if it is none.
    pub(super) fn prefer(
        &self,
        values: &Values,
        role: Role,
        moves: usize,
        value: impl Fn(Move) -> f64,
        preference: &mut Preference,
    ) -> bool {
        let Rule::Greedy(epsilon) = self.rule else { return false };
        preference.random = values.get(role, epsilon);
        let order = &mut preference.order;
        if order.len() != moves {
            order.clear();
            order.extend((0..moves as u32).map(|mov| Preferred { mov: Move(mov), last: false }));
        }
        // Mostly it changes little, and what is nearly in order is soon sorted.
        order.sort_by(|a, b| value(b.mov).total_cmp(&value(a.mov)));
        for at in 0..order.len() {
            let next = order.get(at + 1).map(|next| value(next.mov));
            order[at].last = next != Some(value(order[at].mov));
        }
        true
    }
}

/// The move of the greatest value in a set, equals at random.
#[inline]
fn greatest_in(rng: &mut Rng, legal: MoveSet<'_>, value: impl Fn(Move) -> f64) -> Option<Move> {
    let (mut best, mut chosen, mut equals) = (f64::NEG_INFINITY, None, 0);
    for (at, &word) in legal.words().iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            let mov = Move(at as u32 * 64 + rest.trailing_zeros());
            rest &= rest - 1;
            let here = value(mov);
            if here > best || chosen.is_none() {
                (best, chosen, equals) = (here, Some(mov), 1);
            } else if here == best {
                equals += 1;
                if rng.below(equals) == 0 {
                    chosen = Some(mov);
                }
            }
        }
    }
    chosen
}

/// The place of the greatest value, equals at random.
#[inline]
pub(super) fn greatest(rng: &mut Rng, count: usize, mut value: impl FnMut(usize) -> f64) -> usize {
    let (mut best, mut place, mut equals) = (value(0), 0, 1);
    for at in 1..count {
        let here = value(at);
        if here > best {
            (best, place, equals) = (here, at, 1);
        } else if here == best {
            // The n-th equal replaces the others with probability 1/n: each is equally likely.
            equals += 1;
            if rng.below(equals) == 0 {
                place = at;
            }
        }
    }
    place
}

/// A place with probability proportional to `exp(value * sharpness)`. `values` is overwritten.
#[inline]
pub(super) fn gibbs(rng: &mut Rng, values: &mut [f64], sharpness: f64) -> usize {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for value in values.iter_mut() {
        *value = ((*value - best) * sharpness).exp();
    }
    weighted(rng, values)
}

/// A place with probability proportional to its weight. `weights` is overwritten.
#[inline]
pub(super) fn weighted(rng: &mut Rng, weights: &mut [f64]) -> usize {
    let mut sum = 0.0;
    for weight in weights.iter_mut() {
        sum += *weight;
        *weight = sum;
    }
    let at = rng.unit() * sum;
    // Rounding may leave `at` at the very end; the last place is then right.
    weights.iter().position(|&up_to| at < up_to).unwrap_or(weights.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gibbs_has_the_ratio_of_its_formula() {
        // [Finnsson 2012, 4]: values 0 and 10 at temperature 10 give the ratio e
        let mut rng = Rng::new(5);
        let mut counts = [0.0f64; 2];
        for _ in 0..100_000 {
            counts[gibbs(&mut rng, &mut [0.0, 10.0], 0.1)] += 1.0;
        }
        assert!((counts[1] / counts[0] - 1f64.exp()).abs() < 0.06, "{counts:?}");
        let mut even = [0.0f64; 4];
        for _ in 0..40_000 {
            even[gibbs(&mut rng, &mut [700.0; 4], 1.0)] += 1.0;
        }
        assert!(even.iter().all(|n| (n - 10_000.0).abs() < 520.0), "{even:?}");
    }

    #[test]
    fn lists_and_sets_give_the_same_choice() {
        let mut rng = Rng::new(8);
        for round in 0..2_000 {
            let words = [rng.next_u64() & rng.next_u64(), rng.next_u64() & rng.next_u64()];
            let legal = MoveSet::new(&words);
            let moves: Vec<Move> = legal.iter().collect();
            let value = |mov: Move| f64::from(mov.0 % 5);
            let (mut one, mut other) = (Rng::new(round), Rng::new(round));
            let place = greatest(&mut one, moves.len(), |at| value(moves[at]));
            assert_eq!(greatest_in(&mut other, legal, value), Some(moves[place]));
            assert_eq!(legal.pick(&mut other), Some(moves[one.below(moves.len())]));
        }
    }

    #[test]
    fn a_preference_begins_with_the_greatest_of_any_legal_moves() {
        let mut rng = Rng::new(9);
        let mut composition = crate::part::Composition::default();
        let part = crate::part::Part::named("mast").with("epsilon", 0.25);
        let mut options = Options::new(&part, &mut composition);
        let sampler = Sampler::greedy(&mut options).expect("good options");
        let values = Values::new(&composition.declarations.0, 1);
        let mut preference = Preference::default();
        for round in 0..200 {
            // Values change from round to round, and many are equal.
            let worth: Vec<f64> = (0..70).map(|_| rng.below(1 + round % 9) as f64).collect();
            let value = |mov: Move| worth[mov.index()];
            assert!(sampler.prefer(&values, Role(0), worth.len(), value, &mut preference));
            assert_eq!(preference.random, 0.25);
            let legal: Vec<bool> = (0..70).map(|_| rng.below(5) == 0).collect();
            let is_legal = |one: &Preferred| legal[one.mov.index()];
            let mut groups = preference.order.split_inclusive(|one| one.last);
            let group = groups.find(|group| group.iter().any(is_legal)).unwrap_or_default();
            let mut first: Vec<u32> =
                group.iter().filter(|one| is_legal(one)).map(|one| one.mov.0).collect();
            first.sort_unstable();
            let moves = || (0..70u32).filter(|&mov| legal[mov as usize]);
            let best = moves().map(|mov| worth[mov as usize]).fold(f64::NEG_INFINITY, f64::max);
            let expected: Vec<u32> = moves().filter(|&mov| worth[mov as usize] == best).collect();
            assert_eq!(first, expected);
        }
    }

    #[test]
    fn equals_are_equally_likely() {
        let mut rng = Rng::new(6);
        let mut counts = [0; 4];
        for _ in 0..30_000 {
            counts[greatest(&mut rng, 4, |at| [1.0, 2.0, 2.0, 2.0][at])] += 1;
        }
        assert_eq!(counts[0], 0);
        assert!(counts[1..].iter().all(|&n: &i32| (n - 10_000).abs() < 500), "{counts:?}");
    }
}
