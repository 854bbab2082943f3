//! The reasoners by name, and the one place where a name becomes a game.

use std::fmt;
use std::str::FromStr;

use gamegrove_game::Describe;
use gamegrove_gdl::{Prover, ProverError, Rulesheet};
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::names::{did_you_mean, nearest};

/// What answers questions about a game's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reasoner {
    /// Evaluates the rules as they stand.
    Prover,
}

impl Reasoner {
    /// All there are.
    pub const ALL: [Reasoner; 1] = [Reasoner::Prover];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Reasoner::Prover => "prover",
        }
    }
}

impl fmt::Display for Reasoner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Reasoner {
    type Err = String;

    fn from_str(name: &str) -> std::result::Result<Reasoner, String> {
        let known = Reasoner::ALL.into_iter().find(|reasoner| reasoner.name() == name);
        known.ok_or_else(|| unknown("reasoner", name, &Reasoner::ALL.map(Reasoner::name)))
    }
}

/// What to say about a name that is none of `known`.
pub fn unknown(thing: &str, name: &str, known: &[&str]) -> String {
    let there_is = format!("no {thing} is called that; there is {}", known.join(", "));
    match did_you_mean(&nearest(name, known.iter().copied())) {
        Some(suggestion) => format!("{there_is}; {suggestion}"),
        None => there_is,
    }
}

/// Work that can be done with any game. A trait, because each reasoner is a type of its own.
pub trait Work {
    /// What the work returns.
    type Output;

    /// Does the work.
    fn run<G: Describe + 'static>(self, game: G) -> Self::Output;
}

/// Sets `reasoner` up for the rules of the game called `name` and hands the game to `work`.
pub fn with_game<W: Work>(
    name: &str,
    rules: &Rulesheet,
    reasoner: Reasoner,
    work: W,
) -> Result<W::Output> {
    match reasoner {
        Reasoner::Prover => Ok(work.run(prover(name, rules)?)),
    }
}

/// A prover for the rules of the game called `name`.
pub fn prover(name: &str, rules: &Rulesheet) -> Result<Prover> {
    Prover::new(&rules.program).map_err(|error| {
        let help = match error {
            ProverError::NoRoles | ProverError::TooManyRoles(_) => "mend the rules for `role`",
            ProverError::Limit(_) => "simplify the rules for `init` and what they need",
        };
        Failure::broken(format!("{name} cannot be played: {error}"), help)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_reasoners_and_back() {
        for reasoner in Reasoner::ALL {
            assert_eq!(reasoner.name().parse(), Ok(reasoner));
        }
        let message = "provr".parse::<Reasoner>().expect_err("no such reasoner");
        assert_eq!(message, "no reasoner is called that; there is prover; did you mean prover?");
    }
}
