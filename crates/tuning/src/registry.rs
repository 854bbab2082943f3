//! The strategies by name, and how to make one from a name and options.
//!
//! A new strategy is one file and one line here.

use std::sync::{Arc, LazyLock};

use gamegrove_game::Rng;

use crate::bandit;
use crate::nearest::nearest;
use crate::options::{OptionSpec, Settings};
use crate::strategies::{cma_es, de, ea, either, halving, he, local, lsi, mab, nmc, ntbea};
use crate::{Rewards, Space, SpaceError, Strategy};

/// All strategies.
pub const STRATEGIES: &[StrategySpec] = &[
    mab::SPEC,
    he::SPEC,
    nmc::SPEC,
    local::SPEC,
    lsi::SPEC,
    ea::SPEC,
    ntbea::SPEC,
    cma_es::SPEC,
    halving::SPEC,
    de::SPEC,
    either::SPEC,
];

/// One strategy: what is shown of it, and how it is made.
#[derive(Clone, Copy, Debug)]
pub struct StrategySpec {
    /// The name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Whether it searches the continuous domains.
    pub continuous: bool,
    /// Whether it decides only after [`Strategy::set_budget`].
    pub plans: bool,
    /// Its options.
    pub options: &'static [OptionSpec],
    pub(crate) build: Build,
}

/// Makes a strategy.
type Build = fn(&Settings, &Context) -> Result<Box<dyn Strategy>, BuildError>;

/// What a strategy is made for.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub space: Arc<Space>,
    pub rewards: Rewards,
    /// For decisions that the strategies of all roles of one game share; everything else is drawn
    /// from the generator given to [`Strategy::next`].
    pub shared: Rng,
}

/// Why there is no such strategy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A name that no strategy has.
    #[error("unknown tuning strategy `{name}`; the nearest is `{nearest}`")]
    UnknownStrategy {
        /// The name.
        name: String,
        /// The nearest strategy.
        nearest: &'static str,
    },
    /// A key that is none of the strategy's options.
    #[error("`{strategy}` has no option `{key}`{}", hint(nearest))]
    UnknownOption {
        /// The strategy.
        strategy: &'static str,
        /// The key.
        key: String,
        /// The nearest option; empty if the strategy has none.
        nearest: &'static str,
    },
    /// The same option twice.
    #[error("the option `{key}` of `{strategy}` is given twice; remove one")]
    RepeatedOption {
        /// The strategy.
        strategy: &'static str,
        /// The key.
        key: String,
    },
    /// A value outside of the option's range.
    #[error("the option `{key}` of `{strategy}` is `{value}`, but must be {wanted}")]
    BadOption {
        /// The strategy.
        strategy: &'static str,
        /// The option.
        key: &'static str,
        /// What was written.
        value: String,
        /// What could be written.
        wanted: String,
    },
    /// A space too large for this strategy.
    #[error("{} legal combinations are too many for `{strategy}`, which keeps at most {most}; tune fewer parameters or use ntbea", count.map_or("more than 2^64".to_string(), |count| count.to_string()))]
    TooManyCombinations {
        /// The strategy.
        strategy: &'static str,
        /// The number of combinations, if it can be counted.
        count: Option<u64>,
        /// The most the strategy can keep.
        most: u64,
    },
    /// Too many tuples for the landscape model.
    #[error("the chosen lengths make more than {most} tuples of parameters; choose fewer lengths")]
    TooManyTuples {
        /// The most there may be.
        most: usize,
    },
    /// A space that does not suit the strategy.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

fn hint(nearest: &str) -> String {
    match nearest {
        "" => "; it has none".to_string(),
        nearest => format!("; the nearest is `{nearest}`"),
    }
}

/// The strategy called `name`.
pub fn find(name: &str) -> Result<&'static StrategySpec, BuildError> {
    STRATEGIES.iter().find(|strategy| strategy.name == name).ok_or_else(|| {
        BuildError::UnknownStrategy {
            name: name.chars().take(64).collect(),
            nearest: nearest(name, STRATEGIES.iter().map(|strategy| strategy.name)),
        }
    })
}

/// Makes the strategy called `name` for `space`, with `options` as pairs of key and value.
///
/// `shared` is for decisions that the strategies of all roles of one game must share (the order of
/// the parameters in HE): equal generators, equal decisions.
pub fn build(
    name: &str,
    options: &[(&str, &str)],
    space: &Arc<Space>,
    rewards: Rewards,
    shared: &Rng,
) -> Result<Box<dyn Strategy>, BuildError> {
    let spec = find(name)?;
    let settings = Settings::read(spec.name, spec.options, options)?;
    // Not in the first simulation, when a clock is running.
    LazyLock::force(&bandit::REACHES);
    (spec.build)(&settings, &Context { space: Arc::clone(space), rewards, shared: shared.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published;

    fn error(name: &str, options: &[(&str, &str)]) -> String {
        let space = Arc::new(published::MP_5.space());
        build(name, options, &space, Rewards::UNIT, &Rng::new(0)).unwrap_err().to_string()
    }

    #[test]
    fn every_strategy_is_made_from_its_defaults() {
        let space = Arc::new(published::AP_4.space());
        for spec in STRATEGIES {
            assert!(
                build(spec.name, &[], &space, Rewards::GOALS, &Rng::new(0)).is_ok(),
                "{}",
                spec.name
            );
            assert!(!spec.sentence.is_empty() && !spec.source.is_empty());
            for option in spec.options {
                let given = [(option.name, option.default)];
                assert!(build(spec.name, &given, &space, Rewards::GOALS, &Rng::new(0)).is_ok());
            }
        }
    }

    #[test]
    fn published_defaults() {
        // [Sironi 2019, 6.4.1].
        for (strategy, option, default) in [
            ("mab", "c", "0.7"),
            ("mab", "batch", "10"),
            ("mab", "fpu", "1"),
            ("he", "c", "0.7"),
            ("he", "order", "random"),
            ("nmc", "explore", "0.75"),
            ("nmc", "local_c", "1"),
            ("nmc", "global_c", "1"),
            ("lsi", "generation", "0.75"),
            ("lsi", "candidates", "auto"),
            ("lsi", "kappa", "3"),
            ("ea", "population", "50"),
            ("ea", "elite", "25"),
            ("ea", "crossover", "0.5"),
            ("ea", "evaluations", "kept"),
            ("ntbea", "neighbours", "5"),
            ("ntbea", "lengths", "1,d"),
            ("ntbea", "c", "0.2"),
            ("cma-es", "sigma", "0.3"),
            ("cma-es", "alpha", "100"),
            ("cma-es", "penalty", "squared"),
            ("cma-es", "constants", "tutorial"),
            ("mab", "find", "tournament"),
            ("lsi", "per", "game"),
        ] {
            let spec = find(strategy).unwrap();
            let found = spec.options.iter().find(|o| o.name == option);
            assert_eq!(found.map(|o| o.default), Some(default), "{strategy} {option}");
        }
    }

    #[test]
    fn errors_name_the_nearest_key_and_the_range() {
        assert_eq!(error("ntbae", &[]), "unknown tuning strategy `ntbae`; the nearest is `ntbea`");
        assert_eq!(
            error("ntbea", &[("neighbors", "5")]),
            "`ntbea` has no option `neighbors`; the nearest is `neighbours`"
        );
        assert_eq!(
            error("ntbea", &[("c", "-1")]),
            "the option `c` of `ntbea` is `-1`, but must be a number from 0 to 1000000"
        );
        assert_eq!(
            error("mab", &[("c", "NaN")]),
            "the option `c` of `mab` is `NaN`, but must be a number from 0 to 1000000"
        );
        assert_eq!(
            error("mab", &[("c", "1"), ("c", "2")]),
            "the option `c` of `mab` is given twice; remove one"
        );
        assert_eq!(
            error("ea", &[("elite", "60")]),
            "the option `elite` of `ea` is `60`, but must be a whole number from 1 to the population, 50"
        );
        assert_eq!(
            error("ntbea", &[("lengths", "1,9")]),
            "the option `lengths` of `ntbea` is `1,9`, but must be lengths of tuples with commas between, each from 1 to 5 or `d` for all parameters, or `all`"
        );
        assert_eq!(
            error("cma-es", &[]),
            "the parameter `c` has no continuous range; give it one or use a discrete strategy"
        );
    }
}
