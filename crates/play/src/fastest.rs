//! The fastest reasoner that can be set up for a game: its network, else the prover.

use std::sync::Arc;

use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_propnet::{Forward, Propnet, Sequence, build_from_rules};

use crate::problem::Result;
use crate::reasoner::{Reasoner, Work, with_game};

/// Limits of a set-up that is the same on every machine.
pub fn set_up_limits() -> Limits {
    Limits { time: None, memory: 1 << 30, steps: Some(100_000_000), cancel: None }
}

/// The optimised network of a game as a game, or nothing where it is out of reach.
pub fn network(rules: &Rulesheet) -> Option<Propnet<Forward>> {
    let basic = build_from_rules(&rules.program, 0, &set_up_limits()).ok()?;
    Propnet::new(&Arc::new(Sequence::default().run(&basic))).ok()
}

/// Hands the game called `name` to `work`, by the fastest reasoner there is for it.
pub fn with_fastest<W: Work>(name: &str, rules: &Rulesheet, work: W) -> Result<W::Output> {
    match network(rules) {
        Some(game) => Ok(work.run(game)),
        None => with_game(name, rules, Reasoner::Prover, work),
    }
}
