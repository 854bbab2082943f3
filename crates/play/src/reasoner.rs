//! The reasoners by name, and the one place where a name becomes a game.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use gamegrove_game::Cached;
use gamegrove_gdl::{Limits, Prover, ProverError, Rulesheet};
use gamegrove_hardware::HardwareGame;
use gamegrove_propnet::{Auto, Best, Network, Propnet, Sequence, build_from_rules};
use serde::{Serialize, Serializer};

use crate::hardware;
use crate::names::unknown;
use crate::problem::{Problem, Result};

/// What answers questions about a game's rules.
///
/// Users write `prover`, `propnet`, `lanes`, `hardware` or `auto`, with options in parentheses:
/// `propnet(passes=12, cache=true)`. See [`Reasoner::OPTIONS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    #[default]
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
    /// The name and the name in stored files of the network after each published sequence.
    const NAMES: [(&str, &str); Sequence::PUBLISHED.len()] = [
        ("propnet(passes=none)", "propnet_basic"),
        ("propnet(passes=0)", "propnet_0"),
        ("propnet(passes=1)", "propnet_1"),
        ("propnet(passes=2)", "propnet_2"),
        ("propnet(passes=3)", "propnet_3"),
        ("propnet(passes=12)", "propnet_12"),
        ("propnet(passes=102)", "propnet_102"),
        ("propnet(passes=13)", "propnet_13"),
        ("propnet(passes=1023)", "propnet_1023"),
    ];

    fn named(digits: &str) -> Option<Passes> {
        let digits = if digits == "none" { "" } else { digits };
        Sequence::PUBLISHED.iter().position(|&known| known == digits).map(Passes)
    }

    fn sequence(self) -> Sequence {
        Sequence::PUBLISHED[self.0].parse().expect("published sequences are sequences")
    }
}

impl Reasoner {
    /// The reasoners to choose from, without their options.
    pub const ALL: [Reasoner; 5] =
        [Reasoner::Prover, Reasoner::Propnet, Reasoner::Lanes, Reasoner::Hardware, Reasoner::Auto];

    /// The options of each reasoner that has some, for help and errors.
    pub const OPTIONS: &str = "prover(cache=true), propnet(passes=12), propnet(cache=true), \
                               hardware(backend=verilator)";

    /// Those that have another name in files that were stored.
    const RENAMED: [Reasoner; 3] =
        [Reasoner::CachedProver, Reasoner::CachedPropnet, Reasoner::Verilator];

    /// Its name, with its options.
    pub fn name(self) -> &'static str {
        self.names().0
    }

    /// Its name in identities of experiments and in files that were written before it had options.
    pub fn stored_name(self) -> &'static str {
        self.names().1
    }

    fn names(self) -> (&'static str, &'static str) {
        let same = |name| (name, name);
        match self {
            Reasoner::Prover => same("prover"),
            Reasoner::Propnet => same("propnet"),
            Reasoner::Lanes => same("lanes"),
            Reasoner::Auto => same("auto"),
            Reasoner::Native => same("native"),
            Reasoner::CachedProver => ("prover(cache=true)", "cached_prover"),
            Reasoner::CachedPropnet => ("propnet(cache=true)", "cached_propnet"),
            Reasoner::Hardware => same("hardware"),
            Reasoner::Verilator => ("hardware(backend=verilator)", "verilator"),
            Reasoner::Passes(passes) => Passes::NAMES[passes.0],
        }
    }

    /// The reasoner that had this name of its own before reasoners had options, or that plays itself.
    fn stored(name: &str) -> Option<Reasoner> {
        let passes = (0..Passes::NAMES.len()).map(|at| Reasoner::Passes(Passes(at)));
        let others = Reasoner::RENAMED.into_iter().chain([Reasoner::Native]);
        others.chain(passes).find(|reasoner| reasoner.stored_name() == name)
    }

    /// This reasoner with an option; `None` if it has no such option, or not together with what it has.
    fn with(self, option: &str) -> Option<Reasoner> {
        let (key, value) = option.split_once('=')?;
        match (self, key.trim(), value.trim()) {
            (Reasoner::Prover, "cache", "true") => Some(Reasoner::CachedProver),
            (Reasoner::Propnet, "cache", "true") => Some(Reasoner::CachedPropnet),
            (Reasoner::Prover | Reasoner::Propnet | Reasoner::Passes(_), "cache", "false") => {
                Some(self)
            }
            (Reasoner::Propnet, "passes", digits) => Passes::named(digits).map(Reasoner::Passes),
            (Reasoner::Hardware, "backend", "verilator") => Some(Reasoner::Verilator),
            (Reasoner::Hardware, "backend", "emulation") => Some(Reasoner::Hardware),
            _ => None,
        }
    }

    /// Reads reasoners with commas between them; those in parentheses separate options.
    pub fn list(names: &str) -> std::result::Result<Vec<Reasoner>, String> {
        let mut depth = 0;
        let ends = |c: char| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ',' && depth == 0
        };
        names.split(ends).map(str::parse).collect()
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

    fn from_str(text: &str) -> std::result::Result<Reasoner, String> {
        let text = text.trim();
        if let Some(stored) = Reasoner::stored(text) {
            return Ok(stored);
        }
        let (name, options) = match text.split_once('(') {
            Some((name, rest)) => (name.trim(), rest.strip_suffix(')')),
            None => (text, Some("")),
        };
        let plain = Reasoner::ALL.into_iter().find(|reasoner| reasoner.name() == name);
        let plain =
            plain.ok_or_else(|| unknown("reasoner", name, &Reasoner::ALL.map(Reasoner::name)))?;
        let options =
            options.map(|options| options.split(',').filter(|text| !text.trim().is_empty()));
        let read = options.and_then(|mut options| options.try_fold(plain, Reasoner::with));
        read.ok_or_else(|| {
            format!("{text} is not a reasoner; those with options are {}", Reasoner::OPTIONS)
        })
    }
}

/// A usage error if a game that is a program is to be played by a network. The prover is allowed: it is the
/// default of some commands.
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
        Reasoner::Auto => {
            let auto = Auto::new(&rules.program, &Limits::default());
            automatic(name, auto.map_err(|error| unplayable(name, &error))?, patience)
        }
    }
}

/// The network, or the prover where there is no network in time; with the reason.
pub(crate) fn automatic(
    name: &str,
    mut auto: Auto,
    patience: Duration,
) -> Result<(Ready, Option<String>)> {
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

/// The prover cannot play the rules, and why.
pub(crate) fn unplayable(name: &str, error: &ProverError) -> Problem {
    let help = match error {
        ProverError::NoRoles | ProverError::TooManyRoles(_) => "correct the rules for `role`",
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

    /// Every reasoner there is.
    fn all() -> impl Iterator<Item = Reasoner> {
        let passes = (0..Passes::NAMES.len()).map(|at| Reasoner::Passes(Passes(at)));
        let others = Reasoner::RENAMED.into_iter().chain([Reasoner::Native]).chain(passes);
        Reasoner::ALL.into_iter().chain(others)
    }

    #[test]
    fn names_lead_to_reasoners_and_back() {
        assert_eq!(all().count(), 18);
        for reasoner in all() {
            assert_eq!(reasoner.name().parse(), Ok(reasoner));
            assert_eq!(reasoner.stored_name().parse(), Ok(reasoner));
        }
        for (at, digits) in Sequence::PUBLISHED.iter().enumerate() {
            let (name, stored) = Passes::NAMES[at];
            let passes = if digits.is_empty() { "none" } else { digits };
            assert_eq!(name, format!("propnet(passes={passes})"));
            let last = if digits.is_empty() { "basic" } else { digits };
            assert_eq!(stored, format!("propnet_{last}"));
            assert_eq!(Passes(at).sequence().passes().len(), digits.len());
        }
    }

    #[test]
    fn options_are_read_with_spaces_and_where_they_say_what_is_so_anyhow() {
        let read = |text: &str| text.parse::<Reasoner>();
        assert_eq!(read(" propnet ( passes = none ) "), Ok(Reasoner::Passes(Passes(0))));
        assert_eq!(read("propnet()"), Ok(Reasoner::Propnet));
        assert_eq!(read("prover(cache=false)"), Ok(Reasoner::Prover));
        assert_eq!(read("hardware(backend=emulation)"), Ok(Reasoner::Hardware));
        assert_eq!(
            Reasoner::list("prover,propnet(passes=12, cache=false),lanes"),
            Ok(vec![Reasoner::Prover, Reasoner::Passes(Passes(5)), Reasoner::Lanes])
        );
    }

    #[test]
    fn wrong_names_are_answered_with_those_that_there_are() {
        let message = "provr".parse::<Reasoner>().expect_err("no such reasoner");
        let expected = "no reasoner is called that; there is prover, propnet, lanes, hardware, \
                        auto; did you mean prover?";
        assert_eq!(message, expected);
        for wrong in ["propnet(passes=31)", "lanes(cache=true)", "hardware(verilator", "auto(x)"] {
            let message = wrong.parse::<Reasoner>().expect_err("no such option");
            assert!(message.starts_with(wrong), "{message}");
            assert!(message.ends_with("hardware(backend=verilator)"), "{message}");
        }
    }
}
