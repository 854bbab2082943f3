//! The reasoners by name, and the one place where a name becomes a game.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use gamegrove_game::{BoxedLanes, Cached, Describe};
use gamegrove_gdl::{Limits, Prover, ProverError, Rulesheet};
use gamegrove_propnet::verilog::HardwareGame;
use gamegrove_propnet::{Auto, Best, Network, Propnet, PropnetLanes, Sequence, build_from_rules};
use serde::{Serialize, Serializer};

use crate::hardware;
use crate::names::unknown;
use crate::problem::{Problem, Result};
use crate::rules::Playable;

/// What answers questions about a game's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reasoner {
    /// Evaluates the rules as they stand.
    Prover,
    /// A network built from the rules, one state at a time.
    Propnet,
    /// The network for hundreds of random games at a time.
    Lanes,
    /// The network in hardware, emulated bit by bit.
    Hardware,
    /// The network in hardware, simulated by Verilator.
    Verilator,
    /// The prover, with its answers remembered.
    CachedProver,
    /// The network, with its answers remembered.
    CachedPropnet,
    /// The network where it can be built, else the prover.
    Auto,
    /// The code of a game that is a program; nothing else can play it.
    Native,
    /// The network after one of the published sequences of passes, one state at a time.
    Passes(Passes),
}

/// One of the published sequences of passes: a place in [`Sequence::PUBLISHED`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes(usize);

impl Passes {
    const NAMES: [&str; Sequence::PUBLISHED.len()] = [
        "propnet_basic",
        "propnet_0",
        "propnet_1",
        "propnet_2",
        "propnet_3",
        "propnet_12",
        "propnet_102",
        "propnet_13",
        "propnet_1023",
    ];

    fn named(name: &str) -> Option<Passes> {
        Passes::NAMES.iter().position(|&known| known == name).map(Passes)
    }

    fn sequence(self) -> Sequence {
        Sequence::PUBLISHED[self.0].parse().expect("published sequences are sequences")
    }
}

impl Reasoner {
    /// All there are, but for those that run only some passes.
    pub const ALL: [Reasoner; 9] = [
        Reasoner::Prover,
        Reasoner::Propnet,
        Reasoner::Lanes,
        Reasoner::Auto,
        Reasoner::Native,
        Reasoner::CachedProver,
        Reasoner::CachedPropnet,
        Reasoner::Hardware,
        Reasoner::Verilator,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Reasoner::Prover => "prover",
            Reasoner::Propnet => "propnet",
            Reasoner::Lanes => "lanes",
            Reasoner::Auto => "auto",
            Reasoner::Native => "native",
            Reasoner::CachedProver => "cached_prover",
            Reasoner::CachedPropnet => "cached_propnet",
            Reasoner::Hardware => "hardware",
            Reasoner::Verilator => "verilator",
            Reasoner::Passes(passes) => Passes::NAMES[passes.0],
        }
    }

    /// Whether it is a network that answers for one state at a time, whatever could be had besides.
    pub(crate) fn is_one_state_network(self) -> bool {
        matches!(self, Reasoner::Propnet | Reasoner::Passes(_))
    }
}

impl fmt::Display for Reasoner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Reasoner {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl FromStr for Reasoner {
    type Err = String;

    fn from_str(name: &str) -> std::result::Result<Reasoner, String> {
        let known = Reasoner::ALL.into_iter().find(|reasoner| reasoner.name() == name);
        known
            .or_else(|| Passes::named(name).map(Reasoner::Passes))
            .ok_or_else(|| unknown("reasoner", name, &Reasoner::ALL.map(Reasoner::name)))
    }
}

/// Work that can be done with any game. A trait, because each reasoner is a type of its own.
pub trait Work {
    /// What the work returns.
    type Output;

    /// Whether it plays random games and can do so on lanes.
    const LANES: bool = false;

    /// How long to wait for a network where the prover would do.
    fn patience(&self) -> Duration {
        Duration::from_secs(20)
    }

    /// Whether the work ends by the clock. Then [`Reasoner::Auto`] takes the prover where it is measured
    /// to be faster than the network; otherwise results with equal seeds would depend on that.
    fn ends_by_the_clock(&self) -> bool {
        false
    }

    /// Hears which reasoner was chosen and why, where there was a choice.
    fn chosen(&mut self, _what: &str) {}

    /// Does the work.
    fn run<G: Describe + 'static>(self, game: G) -> Self::Output;

    /// Does the work with a game that can also play many games at once.
    fn run_on_lanes<G>(self, game: G, _lanes: BoxedLanes<G::State>) -> Self::Output
    where
        Self: Sized,
        G: Describe + 'static,
    {
        self.run(game)
    }
}

/// A usage error if a game that is a program is to be played by a network. The prover is what some
/// commands ask for where nobody chose.
pub(crate) fn native(name: &str, reasoner: Reasoner) -> Result<()> {
    match reasoner {
        Reasoner::Prover | Reasoner::Auto | Reasoner::Native => Ok(()),
        _ => Err(Problem::usage(
            format!("{name} is a program, from which no network can be built"),
            "leave --reasoner out: it plays itself",
        )),
    }
}

/// A reasoner that is ready.
pub enum Ready {
    /// The rules as they stand.
    Prover(Box<Prover>),
    /// The network.
    Network(Box<Propnet>),
    /// The network in hardware.
    Hardware(Box<HardwareGame>),
    /// The prover, with its answers remembered.
    CachedProver(Box<Cached<Prover>>),
    /// The network, with its answers remembered.
    CachedNetwork(Box<Cached<Propnet>>),
}

/// The most states a worker remembers the answers of.
const REMEMBERED: usize = 1_000_000;

/// Sets `reasoner` up for the rules of the game called `name` and hands the game to `work`. A game that
/// is a program plays itself.
pub fn with_game<'a, W: Work>(
    name: &str,
    rules: impl Into<Playable<'a>>,
    reasoner: Reasoner,
    mut work: W,
) -> Result<W::Output> {
    let rules = match rules.into() {
        Playable::Sheet(rules) => rules,
        Playable::Octagon(game) => {
            native(name, reasoner)?;
            return Ok(work.run(game.clone()));
        }
    };
    if reasoner == Reasoner::Lanes && !W::LANES {
        return Err(Problem::usage(
            "lanes play random games and nothing else",
            "use --reasoner propnet here, and lanes with `grove bench`, search, match or play",
        ));
    }
    let (game, told) = match reasoner {
        Reasoner::Auto => automatic(name, rules, work.patience(), work.ends_by_the_clock())?,
        _ => ready(name, rules, reasoner, work.patience())?,
    };
    told.iter().for_each(|told| work.chosen(told));
    Ok(match game {
        Ready::Prover(game) => work.run(*game),
        Ready::Hardware(game) => work.run(*game),
        Ready::CachedProver(game) => work.run(*game),
        Ready::CachedNetwork(game) => work.run(*game),
        Ready::Network(game) if reasoner.is_one_state_network() => work.run(*game),
        Ready::Network(game) => match PropnetLanes::new(game.network()) {
            Ok(lanes) => work.run_on_lanes(*game, lanes.boxed()),
            Err(_) => work.run(*game),
        },
    })
}

/// Sets `reasoner` up; also says what was chosen and why, if there was a choice.
pub fn ready(
    name: &str,
    rules: &Rulesheet,
    reasoner: Reasoner,
    patience: Duration,
) -> Result<(Ready, Option<String>)> {
    match reasoner {
        Reasoner::Native => Err(Problem::usage(
            format!("{name} is a rulesheet, which does not play itself"),
            "use --reasoner auto, prover or propnet",
        )),
        Reasoner::Prover => Ok((Ready::Prover(Box::new(prover(name, rules)?)), None)),
        Reasoner::CachedProver => {
            let game = Cached::new(prover(name, rules)?, REMEMBERED);
            Ok((Ready::CachedProver(Box::new(game)), None))
        }
        Reasoner::Propnet | Reasoner::Lanes => {
            Ok((Ready::Network(Box::new(playable(name, &network(name, rules)?)?)), None))
        }
        Reasoner::Passes(passes) => {
            let network = passed(name, rules, &passes.sequence())?;
            Ok((Ready::Network(Box::new(playable(name, &network)?)), None))
        }
        Reasoner::CachedPropnet => {
            let game = Cached::new(playable(name, &network(name, rules)?)?, REMEMBERED);
            Ok((Ready::CachedNetwork(Box::new(game)), None))
        }
        Reasoner::Hardware | Reasoner::Verilator => {
            let network = network(name, rules)?;
            let names = playable(name, &network)?;
            let game = match reasoner {
                Reasoner::Verilator => hardware::simulated(name, &network, names)?,
                _ => hardware::emulated(name, &network, names)?,
            };
            Ok((Ready::Hardware(Box::new(game)), None))
        }
        Reasoner::Auto => automatic(name, rules, patience, false),
    }
}

/// The network, or the prover where there is no network in time, or where `measured` and it is faster.
fn automatic(
    name: &str,
    rules: &Rulesheet,
    patience: Duration,
    measured: bool,
) -> Result<(Ready, Option<String>)> {
    let begin = if measured { Auto::measured } else { Auto::new };
    let mut auto =
        begin(&rules.program, &Limits::default()).map_err(|error| unplayable(name, &error))?;
    let game = match auto.best_within(patience) {
        Best::Prover(game, _) => Ready::Prover(Box::new(game.clone())),
        Best::Network(game, _) => Ready::Network(Box::new(game.clone())),
    };
    Ok((game, Some(format!("{name}: {}", auto.status()))))
}

/// A prover for the rules of the game called `name`.
pub fn prover(name: &str, rules: &Rulesheet) -> Result<Prover> {
    Prover::new(&rules.program).map_err(|error| unplayable(name, &error))
}

/// The network of the game called `name`, optimised.
pub fn network(name: &str, rules: &Rulesheet) -> Result<Arc<Network>> {
    passed(name, rules, &Sequence::default())
}

fn passed(name: &str, rules: &Rulesheet, passes: &Sequence) -> Result<Arc<Network>> {
    let basic = build_from_rules(&rules.program, 0, &Limits::default())
        .map_err(|error| no_network(name, &error))?;
    Ok(Arc::new(passes.run(&basic)))
}

/// A network as a game.
fn playable(name: &str, network: &Arc<Network>) -> Result<Propnet> {
    Propnet::new(network).map_err(|flaw| no_network(name, &flaw))
}

fn unplayable(name: &str, error: &ProverError) -> Problem {
    let help = match error {
        ProverError::NoRoles | ProverError::TooManyRoles(_) => "mend the rules for `role`",
        ProverError::Limit(_) => "simplify the rules for `init` and what they need",
    };
    Problem::broken(format!("{name} cannot be played: {error}"), help)
}

/// There is no network, and why.
pub fn no_network(name: &str, error: &dyn fmt::Display) -> Problem {
    Problem::broken(
        format!("{name} has no network: {error}"),
        "--reasoner prover needs none, and auto takes it where there is none",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_reasoners_and_back() {
        for reasoner in Reasoner::ALL {
            assert_eq!(reasoner.name().parse(), Ok(reasoner));
        }
        for (name, digits) in Passes::NAMES.iter().zip(Sequence::PUBLISHED) {
            let reasoner: Reasoner = name.parse().expect("a published sequence");
            assert_eq!(reasoner.name(), *name);
            let Reasoner::Passes(passes) = reasoner else { panic!("{name} is {reasoner:?}") };
            assert_eq!(passes.sequence().passes().len(), digits.len());
            assert!(digits.is_empty() || name.ends_with(&format!("_{digits}")), "{name}");
        }
        let message = "provr".parse::<Reasoner>().expect_err("no such reasoner");
        let expected = "no reasoner is called that; there is prover, propnet, lanes, auto, \
                        native, cached_prover, cached_propnet, hardware, verilator; did you mean \
                        prover?";
        assert_eq!(message, expected);
    }
}
