//! RAVE, GRAVE and HRAVE: the mean blended with what the move was worth anywhere below.
//!
//! `value = (1 - beta) * mean + beta * amaf + c * sqrt(ln n_s / n)` with
//! `beta = sqrt(k / (3 * n_s + k))` [Sironi 2019, 5.2.1, formula 5.1]. The three differ in
//! whose statistics `amaf` reads: the node's own (RAVE), those of the nearest node above with at
//! least `ref` visits (GRAVE [Sironi 2019, 5.2.2]), the root's (HRAVE [Sironi 2019, 5.2.3]).
//!
//! With `beta = mse` it is the weight that makes the mean squared error of the blend least
//! [Gelly and Silver 2011, in Sironi 2019, 5.4]: `beta = m / (n + m + 4 n m b^2)`, n being the move's visits, m how
//! often it was played below, and b (option `bias`) how far the two means lie apart.
//!
//! CadiaPlayer blends the whole UCT value, bonus included [Finnsson 2012, 4.1.5]: option
//! `blend = whole`. There a move also counts once for each node and simulation: option `once`.

use gamegrove_game::{Rng, Role};

use super::uct::{FirstTries, URGENCY, bonus};
use super::{BAND, Best, C, Decision, FPU, INFORMED, Pick, Selection, ln};
use crate::parameter::{Parameter, ParameterId, Values};
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::trace::Needs;
use crate::tree::{MoveMap, Statistic};

const INF: f64 = f64::INFINITY;
const RAVE_C: Parameter = C.with_default(0.2);
const K: Parameter = Parameter::real(
    "k",
    250.0,
    (0.0, INF),
    "visits of the node at which its own mean and the moves' worth anywhere below weigh the same",
)
.tuned_over(&[0.0, 10.0, 50.0, 100.0, 250.0, 500.0, 750.0, 1000.0, 2000.0, INF]);
const REF: Parameter = Parameter::whole(
    "ref",
    50.0,
    (0.0, INF),
    "visits a node needs before its own statistics are used and not those of a node above",
)
.tuned_over(&[0.0, 50.0, 100.0, 250.0, 500.0, 1000.0, 10_000.0, INF]);
const E: Parameter = Parameter::real(
    "e",
    1.0,
    (0.0, INF),
    "added to the worth of a move that was never tried here but played below",
);
const UNVISITED: Parameter = Parameter::flag(
    "unvisited_fpu",
    false,
    "whether moves never tried here have the value fpu, whatever is known from below",
);

const BETA: Parameter = Parameter::word(
    "beta",
    &["visits", "mse"],
    "what the weight of the moves' worth below depends on: the node's visits and k, or the visits of \
     both means and bias, so that the error of the blend is least",
);
const BIAS: Parameter = Parameter::real(
    "bias",
    0.1,
    (0.0, 1.0),
    "how far a move's worth below lies from its worth here, as a share of the best goal; for beta=mse",
);

const BLEND: Parameter = Parameter::word(
    "blend",
    &["mean", "whole"],
    "whether the moves' worth below is blended with the mean alone or with the allowance too",
);
const ONCE: Parameter = Parameter::flag(
    "once",
    false,
    "whether a move played several times below a node counts once for each simulation",
);

pub(super) const RAVE: Entry<dyn Selection> = Entry {
    name: "rave",
    sentence: "UCT blended with what the move was worth later on, below the same node",
    source: "[Sironi 2019, 5.2.1]",
    parameters: &[RAVE_C, K, FPU, E, UNVISITED, BAND, INFORMED, URGENCY, BETA, BIAS, BLEND, ONCE],
    build: |options| Ok(Box::new(Rave::read(options, Reference::Own)?)),
};

pub(super) const GRAVE: Entry<dyn Selection> = Entry {
    name: "grave",
    sentence: "RAVE that reads the statistics of the nearest node above with enough visits",
    source: "[Sironi 2019, 5.2.2]",
    parameters: &[
        RAVE_C, K, REF, FPU, E, UNVISITED, BAND, INFORMED, URGENCY, BETA, BIAS, BLEND, ONCE,
    ],
    build: |options| {
        let reference = Reference::Visits(options.parameter(&REF)?);
        Ok(Box::new(Rave::read(options, reference)?))
    },
};

pub(super) const HRAVE: Entry<dyn Selection> = Entry {
    name: "hrave",
    sentence: "RAVE that always reads the statistics of the root",
    source: "[Sironi 2019, 5.2.3]",
    parameters: &[RAVE_C, K, FPU, E, UNVISITED, BAND, INFORMED, URGENCY, BETA, BIAS, BLEND, ONCE],
    build: |options| Ok(Box::new(Rave::read(options, Reference::Root)?)),
};

/// Whose statistics are read.
#[derive(Clone, Copy, Debug)]
enum Reference {
    Own,
    Visits(ParameterId),
    Root,
}

struct Rave {
    /// `c` and `k`.
    rated_by: [ParameterId; 2],
    fpu: ParameterId,
    e: ParameterId,
    band: ParameterId,
    unvisited_fpu: ParameterId,
    /// The bias, if beta makes the mean squared error least.
    bias: Option<ParameterId>,
    blends_bonus: bool,
    once: bool,
    first_tries: FirstTries,
    reference: Reference,
    best: Best,
}

impl Rave {
    fn read(options: &mut Options<'_>, reference: Reference) -> Result<Rave, SettingsError> {
        let mse = options.choice(&BETA, &[false, true])?;
        Ok(Rave {
            bias: mse.then(|| options.parameter(&BIAS)).transpose()?,
            rated_by: [options.parameter(&RAVE_C)?, options.parameter(&K)?],
            fpu: options.parameter(&FPU)?,
            e: options.parameter(&E)?,
            band: options.parameter(&BAND)?,
            unvisited_fpu: options.parameter(&UNVISITED)?,
            blends_bonus: options.choice(&BLEND, &[false, true])?,
            once: options.flag(&ONCE)?,
            first_tries: FirstTries::read(options)?,
            reference,
            best: Best::default(),
        })
    }
}

/// The weight of the moves' worth anywhere below.
fn weight(k: f64, visits: f64) -> f64 {
    if k.is_infinite() {
        1.0
    } else if k == 0.0 {
        0.0
    } else {
        (k / (3.0 * visits + k)).sqrt()
    }
}

/// The weight that makes the mean squared error of the blend least.
fn weight_by_error(visits: f64, below: f64, bias: f64) -> f64 {
    below / (visits + below + 4.0 * visits * below * bias * bias)
}

impl Selection for Rave {
    fn needs(&self) -> Needs {
        Needs { amaf: true, amaf_once: self.once, ..Needs::default() }
    }

    fn reads_for_moves(&self) -> &[ParameterId] {
        &self.rated_by
    }

    fn reference_visits(&self, values: &Values, role: Role) -> f64 {
        match self.reference {
            Reference::Own => 0.0,
            Reference::Visits(visits) => values.get(role, visits),
            Reference::Root => INF,
        }
    }

    fn select(&mut self, at: &Decision<'_>, rng: &mut Rng) -> Pick {
        let c = at.values.get(at.role, self.rated_by[0]);
        let fpu = at.values.get(at.role, self.fpu);
        let e = at.values.get(at.role, self.e);
        let plain = at.values.is_set(at.role, self.unvisited_fpu);
        let k = at.values.get(at.role, self.rated_by[1]);
        let beta = weight(k, at.visits);
        let ln = ln(at.visits);
        let bias = self.bias.map(|bias| at.values.get(at.role, bias));
        // The buffer is needed while the formula reads the rest.
        let mut best = std::mem::take(&mut self.best);
        let formula = Formula { at, ln, fpu, e, plain, bias, rave: self };
        if let Some(pick) = self.first_tries.pick(at, c, ln, |s| formula.tried(s, None, c, beta)) {
            self.best = best;
            return pick;
        }
        let band = at.values.get(at.role, self.band);
        let moves = at.statistics.iter().enumerate();
        let pick = Pick::Action(match at.values.for_moves(rng) {
            None => best.of(band, rng, moves.map(|(at, s)| formula.rate(at, s, c, beta))),
            Some(mut drawn) => {
                let rated = moves.map(|(place, statistic)| {
                    let c = drawn.draw(self.rated_by[0], c);
                    let beta = weight(drawn.draw(self.rated_by[1], k), at.visits);
                    formula.rate(place, statistic, c, beta)
                });
                best.of(band, rng, rated)
            }
        });
        self.best = best;
        pick
    }
}

/// What the values of all moves of a node have in common.
struct Formula<'a> {
    at: &'a Decision<'a>,
    ln: f64,
    fpu: f64,
    e: f64,
    plain: bool,
    bias: Option<f64>,
    rave: &'a Rave,
}

impl Formula<'_> {
    /// How often the move at a place was played below the reference node, and its mean there.
    #[inline(always)]
    fn amaf(&self, place: usize) -> Option<(u32, f64)> {
        let key = MoveMap::key(self.at.moves[place], self.at.role, self.at.roles);
        let (count, mean) = self.at.amaf?.get(key)?;
        Some((count, mean * 0.01))
    }

    #[inline(always)]
    fn tried(&self, statistic: &Statistic, amaf: Option<f64>, c: f64, beta: f64) -> f64 {
        let (mean, inverse) = statistic.mean_and_inverse(self.at.loss);
        let bonus = bonus(c, self.ln, inverse);
        match amaf {
            None => mean + bonus,
            Some(amaf) if self.rave.blends_bonus => (1.0 - beta) * (mean + bonus) + beta * amaf,
            Some(amaf) => (1.0 - beta) * mean + beta * amaf + bonus,
        }
    }

    #[inline(always)]
    fn untried(&self, amaf: Option<(u32, f64)>) -> f64 {
        self.rave.first_tries.value_of_untried(match amaf {
            Some((_, amaf)) if !self.plain => amaf + self.e,
            _ => self.fpu,
        })
    }

    #[inline(always)]
    fn rate(&self, place: usize, statistic: &Statistic, c: f64, beta: f64) -> f64 {
        if statistic.is_untried() {
            return self.untried(if self.plain { None } else { self.amaf(place) });
        }
        match (self.bias, self.amaf(place)) {
            (Some(bias), Some((below, mean))) => {
                let beta = weight_by_error(statistic.count(), f64::from(below), bias);
                self.tried(statistic, Some(mean), c, beta)
            }
            (None, Some((_, mean))) if beta != 0.0 => self.tried(statistic, Some(mean), c, beta),
            _ => self.tried(statistic, None, c, beta),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_numbers() {
        // [Sironi 2019, 5]; [Finnsson 2012, 4]
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
        near(weight(250.0, 0.0), 1.0);
        near(weight(250.0, 50.0), 0.790569);
        near(weight(250.0, 250.0), 0.5);
        near(weight(50.0, 50.0), 0.5);
        near(weight(0.0, 10.0), 0.0);
        near(weight(INF, 10.0), 1.0);
        let beta = weight(250.0, 10.0);
        near((1.0 - beta) * 0.5 + beta * 0.8 + bonus(0.2, 10f64.ln(), 0.5), 0.998070);
    }

    #[test]
    fn the_error_of_the_blend_is_least() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        near(weight_by_error(0.0, 5.0, 0.3), 1.0);
        near(weight_by_error(10.0, 0.0, 0.3), 0.0);
        near(weight_by_error(10.0, 30.0, 0.0), 0.75);
        near(weight_by_error(10.0, 30.0, 0.1), 30.0 / 52.0);
        // The error of a blend of two means of fair coins, one of which is off by the bias, is
        // (1 - beta)^2 / 4 n + beta^2 (1 / 4 m + b^2): no other weight has a smaller one.
        for (n, m, b) in [(3.0, 40.0, 0.05), (100.0, 700.0, 0.2), (17.0, 5.0, 0.4)] {
            let error = |beta: f64| {
                (1.0 - beta).powi(2) / (4.0 * n) + beta * beta * (1.0 / (4.0 * m) + b * b)
            };
            let best = weight_by_error(n, m, b);
            for other in (0..=100).map(|percent| f64::from(percent) / 100.0) {
                assert!(error(best) <= error(other) + 1e-15, "{n} {m} {b}: {best} {other}");
            }
        }
    }
}
