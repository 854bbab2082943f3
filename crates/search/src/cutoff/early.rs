//! Early Cutoffs: play-outs end when goals already tell enough, or when they last longer than
//! sensible play [Finnsson 2012, 5.1].
//!
//! The first simulations run to their end and show how long games last and how goals develop. Then
//! one of two rules is chosen for the rest of the match:
//! - goals are *stable* if the variance of their changes from state to state, averaged over the
//!   sampled simulations, is above 0 and below a threshold: a play-out ends with the goals of its
//!   state once it has made as many steps as it took until a goal first changed, and one more round;
//! - otherwise, if ends lie far enough apart, it ends as a draw after a third of their interval.
//!
//! Steps are counted from where the simulation left the tree, although the limits were measured from
//! the root: the publication says that this is intended.
//!
//! The publication leaves two points open: the search plays all roles, so variances are averaged over roles (for
//! two roles with opposed goals that is the own role's); the last state of a finished game does not
//! count as a development of goals (option `with_end`), since games that only know goals at their
//! end would all look stable; a state without goals is worth 0, as everywhere.

use super::{Cutoff, GoalSeries, Worth};
use crate::parameter::Parameter;
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::trace::Trace;

const SAMPLES: Parameter =
    Parameter::whole("samples", 100.0, (1.0, 1e6), "simulations that are only watched");
const STABLE: Parameter = Parameter::real(
    "stable",
    1000.0,
    (0.0, f64::INFINITY),
    "goals are stable if the variance of their changes is above 0 and below this",
);
const MINIMUM: Parameter =
    Parameter::whole("minimum", 10.0, (0.0, 1e9), "steps that every play-out may make");
const INTERVAL: Parameter = Parameter::whole(
    "interval",
    10.0,
    (0.0, 1e9),
    "steps between the first and the last end from which on their interval is used",
);
const FRACTION: Parameter = Parameter::real(
    "fraction",
    0.33,
    (0.0, 1.0),
    "the part of the interval between the first and the last end that play-outs may use",
);
const DRAW: Parameter = Parameter::real(
    "draw",
    50.0,
    (0.0, 100.0),
    "what a play-out is worth that is cut off because of its length",
);
const FIRST_CHANGE: Parameter = Parameter::word(
    "first_change",
    &["least", "mean"],
    "which of the sampled simulations says when goals first change",
);
const WITH_END: Parameter =
    Parameter::flag("with_end", false, "whether the goals of the last state count as a change");

pub(super) const ENTRY: Entry<dyn Cutoff> = Entry {
    name: "early",
    sentence: "play-outs end when goals already tell enough, or as draws when they last too long",
    source: "[Finnsson 2012, 5.1]",
    parameters: &[SAMPLES, STABLE, MINIMUM, INTERVAL, FRACTION, DRAW, FIRST_CHANGE, WITH_END],
    build: |options| Ok(Box::new(Early::read(options)?)),
};

struct Early {
    samples: u64,
    stable: f64,
    minimum: usize,
    interval: f64,
    fraction: f64,
    draw: f64,
    mean_change: bool,
    with_end: bool,
    seen: Seen,
    rule: Option<Rule>,
}

/// What the sampled simulations showed.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    simulations: u64,
    /// Steps to the first and the last end.
    ends: Option<(f64, f64)>,
    variances: f64,
    /// How many simulations saw a goal change; the sum and the least of the steps it took.
    changes: (f64, f64, f64),
}

/// What play-outs do, once it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rule {
    /// Nothing is cut off.
    Inactive,
    /// Goals tell after so many steps.
    Goals(f64),
    /// Too long after so many steps.
    Length(f64),
}

impl Early {
    fn read(options: &mut Options<'_>) -> Result<Early, SettingsError> {
        Ok(Early {
            samples: options.number(&SAMPLES)? as u64,
            stable: options.number(&STABLE)?,
            minimum: options.number(&MINIMUM)? as usize,
            interval: options.number(&INTERVAL)?,
            fraction: options.number(&FRACTION)?,
            draw: options.number(&DRAW)?,
            mean_change: options.word("first_change", &[("least", false), ("mean", true)])?,
            with_end: options.flag(&WITH_END)?,
            seen: Seen::default(),
            rule: None,
        })
    }

    fn decide(&self, roles: usize) -> Rule {
        let Seen { simulations, ends, variances, changes } = self.seen;
        let stability = variances / simulations as f64;
        let (count, sum, least) = changes;
        if stability > 0.0 && stability < self.stable && count > 0.0 {
            let first = if self.mean_change { sum / count } else { least };
            return Rule::Goals(first + roles as f64);
        }
        match ends {
            Some((first, last)) if last - first >= self.interval => {
                Rule::Length(first + self.fraction * (last - first))
            }
            _ => Rule::Inactive,
        }
    }
}

impl Cutoff for Early {
    fn check(&self, trace: &Trace) -> Option<Worth> {
        let steps = trace.steps() - trace.tree_steps();
        if steps < self.minimum {
            return None;
        }
        match self.rule? {
            Rule::Goals(after) if steps as f64 >= after => Some(Worth::Goals),
            Rule::Length(after) if steps as f64 >= after => Some(Worth::Equal(self.draw)),
            _ => None,
        }
    }

    fn wants_goals(&self) -> bool {
        self.rule.is_none()
    }

    fn sample(&mut self, series: &GoalSeries) {
        let seen = &mut self.seen;
        seen.simulations += 1;
        let depth = series.steps() as f64;
        if series.ended {
            let (first, last) = seen.ends.unwrap_or((depth, depth));
            seen.ends = Some((first.min(depth), last.max(depth)));
        }
        let drop = usize::from(series.ended && !self.with_end);
        let states = series.steps() + 1 - drop;
        let mut first_change = f64::INFINITY;
        for role in 0..series.roles {
            let goals: Vec<f64> = series.of_role(role).take(states).collect();
            seen.variances += variance_of_changes(&goals) / series.roles as f64;
            if let Some(at) = goals.windows(2).position(|pair| pair[0] != pair[1]) {
                first_change = first_change.min(at as f64 + 1.0);
            }
        }
        if first_change.is_finite() {
            let (count, sum, least) = seen.changes;
            let least = if count == 0.0 { first_change } else { least.min(first_change) };
            seen.changes = (count + 1.0, sum + first_change, least);
        }
        if seen.simulations >= self.samples {
            self.rule = Some(self.decide(series.roles));
        }
    }
}

/// The variance of the changes from each goal to the next.
fn variance_of_changes(goals: &[f64]) -> f64 {
    let changes = || goals.windows(2).map(|pair| pair[1] - pair[0]);
    let count = changes().count() as f64;
    if count == 0.0 {
        return 0.0;
    }
    let mean = changes().sum::<f64>() / count;
    changes().map(|change| (change - mean).powi(2)).sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::{Composition, Part};
    use gamegrove_game::Move;

    fn early(samples: f64) -> Early {
        let part = Part::named("early").with("samples", samples);
        let mut composition = Composition::default();
        Early::read(&mut Options::new(&part, &mut composition)).expect("good options")
    }

    fn series(goals: impl Iterator<Item = f64>) -> GoalSeries {
        GoalSeries { roles: 1, goals: goals.collect(), ended: true }
    }

    #[test]
    fn ends_between_20_and_50_cut_at_30() {
        // [Finnsson 2012, 4]
        let mut early = early(2.0);
        for depth in [20, 50] {
            assert!(early.wants_goals());
            early.sample(&series((0..=depth).map(|at| if at == depth { 100.0 } else { 0.0 })));
        }
        assert!(!early.wants_goals());
        let mut trace = Trace::default();
        trace.begin(1, 1.0);
        for _ in 0..8 {
            trace.push(&[Move(0)]);
        }
        trace.leave_tree();
        let mut cut = None;
        for depth in 8..60 {
            if let Some(worth) = early.check(&trace) {
                cut = Some((depth, worth));
                break;
            }
            trace.push(&[Move(0)]);
        }
        assert_eq!(cut, Some((38, Worth::Equal(50.0))));
    }

    #[test]
    fn stable_goals_cut_a_round_after_their_first_change() {
        let mut early = early(1.0);
        // Changes of 10 now and then: a small variance. The last state is not looked at.
        early.sample(&series((0..40).map(|at| f64::from(at / 15 * 10)).chain([100.0])));
        assert_eq!(early.rule, Some(Rule::Goals(16.0)));
    }

    #[test]
    fn constant_goals_and_lengths_cut_nothing() {
        let mut early = early(3.0);
        for _ in 0..3 {
            early.sample(&series((0..60).map(|_| 50.0)));
        }
        assert_eq!(early.rule, Some(Rule::Inactive));
    }

    #[test]
    fn the_variance_is_that_of_the_changes() {
        assert_eq!(variance_of_changes(&[0.0, 100.0, 0.0, 100.0, 0.0]), 10_000.0);
        assert_eq!(variance_of_changes(&[0.0, 10.0, 20.0, 30.0]), 0.0);
        assert_eq!(variance_of_changes(&[5.0]), 0.0);
    }
}
