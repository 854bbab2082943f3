//! The strategies by name, and how to make one from a name and options.
//!
//! A new strategy is one file and one line here.

use std::sync::{Arc, LazyLock};

use gamegrove_game::Rng;
use gamegrove_settings::{Parameter, Part, Record, SettingsError, unknown_name};

use crate::bandit;
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
    /// Its description, in one sentence.
    pub sentence: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Whether it searches the continuous domains.
    pub continuous: bool,
    /// Whether it decides only after [`Strategy::set_budget`].
    pub plans: bool,
    /// Its options.
    pub parameters: &'static [Parameter],
    pub(crate) build: Build,
}

/// Makes a strategy.
type Build = fn(&Record, &Context) -> Result<Box<dyn Strategy>, BuildError>;

/// The constant of a UCB1 bandit.
pub(crate) const fn exploration(
    name: &'static str,
    default: f64,
    sentence: &'static str,
) -> Parameter {
    Parameter::real(name, default, (0.0, 1e6), sentence).with_source("[Sironi 2019, 6.4.1]")
}

/// The value of untried arms.
pub(crate) const FPU: Parameter = Parameter::real(
    "fpu",
    1.0,
    (0.0, f64::INFINITY),
    "The value of an untried arm on the unit interval; inf tries every arm once first.",
)
.with_source("[Sironi 2019, 6.3.1]");

/// The problem for which a strategy is made.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub space: Arc<Space>,
    pub rewards: Rewards,
    /// For decisions that the strategies of all roles of one game share; everything else is drawn
    /// from the generator given to [`Strategy::next`].
    pub shared: Rng,
}

/// The reason why there is no such strategy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A strategy or option that does not exist, or a value that an option cannot have.
    #[error(transparent)]
    Settings(#[from] SettingsError),
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

/// The strategy called `name`.
pub fn find(name: &str) -> Result<&'static StrategySpec, SettingsError> {
    STRATEGIES.iter().find(|strategy| strategy.name == name).ok_or_else(|| {
        let names: Vec<&str> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
        unknown_name("tune", name, &names)
    })
}

/// Makes the strategy that `part` describes for `space`.
///
/// `shared` is for decisions that the strategies of all roles of one game must share (the order of
/// the parameters in HE): equal generators, equal decisions.
pub fn build(
    part: &Part,
    space: &Arc<Space>,
    rewards: Rewards,
    shared: &Rng,
) -> Result<Box<dyn Strategy>, BuildError> {
    let spec = find(&part.name)?;
    let record = Record::read(part, spec.parameters)?;
    // Not in the first simulation, when a clock is running.
    LazyLock::force(&bandit::REACHES);
    (spec.build)(&record, &Context { space: Arc::clone(space), rewards, shared: shared.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published;

    fn error(name: &str, options: &[(&str, &str)]) -> String {
        let space = Arc::new(published::MP_5.space());
        match Part::from_texts(name, options) {
            Ok(part) => build(&part, &space, Rewards::UNIT, &Rng::new(0)).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_strategy_is_made_from_its_defaults() {
        let space = Arc::new(published::AP_4.space());
        for spec in STRATEGIES {
            let part = Part::named(spec.name);
            assert!(build(&part, &space, Rewards::GOALS, &Rng::new(0)).is_ok(), "{}", spec.name);
            assert!(!spec.sentence.is_empty() && !spec.source.is_empty());
            for option in spec.parameters {
                let part = Part::from_texts(spec.name, &[(option.name, &option.default_text())]);
                assert!(build(&part.unwrap(), &space, Rewards::GOALS, &Rng::new(0)).is_ok());
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
            let found = spec.parameters.iter().find(|o| o.name == option);
            assert_eq!(
                found.map(Parameter::default_text).as_deref(),
                Some(default),
                "{strategy} {option}"
            );
        }
    }

    #[test]
    fn errors_name_the_nearest_key_and_the_range() {
        assert_eq!(
            error("ntbae", &[]),
            "`tune` knows no `ntbae`; there are: mab, he, nmc, local, lsi, ea, ntbea, cma-es, halving, de, either; \
             did you mean `ntbea`?"
        );
        assert_eq!(
            error("ntbea", &[("neighbors", "5")]),
            "`ntbea` has no option `neighbors`; did you mean `neighbours`?"
        );
        assert_eq!(
            error("ntbea", &[("c", "-1")]),
            "`c` of `ntbea` must be a number between 0 and 1000000, not `-1`"
        );
        assert_eq!(
            error("mab", &[("c", "NaN")]),
            "`c` of `mab` must be a number between 0 and 1000000, not `NaN`"
        );
        assert_eq!(error("mab", &[("c", "1"), ("c", "2")]), "`c` of `mab` is given twice");
        assert_eq!(
            error("ea", &[("elite", "60")]),
            "`elite` of `ea` must be a whole number from 1 to the population, 50, not `60`"
        );
        assert_eq!(
            error("ntbea", &[("lengths", "1,9")]),
            "`lengths` of `ntbea` must be lengths of tuples with commas between, each from 1 to 5 or `d` for all parameters, or `all`, not `1,9`"
        );
        assert_eq!(
            error("cma-es", &[]),
            "the parameter `c` has no continuous range; give it one or use a discrete strategy"
        );
    }
}
