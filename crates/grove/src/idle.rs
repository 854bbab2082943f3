//! Settings of an agent that have no effect in a game, as commands report them.

use std::fmt;

use gamegrove_agents::NoEffect;
use serde::Serialize;

/// A setting that has no effect, and why.
#[derive(Clone, Debug, Serialize)]
pub struct IdleSetting {
    setting: String,
    reason: &'static str,
}

impl IdleSetting {
    /// All of an agent.
    pub fn all(found: Vec<NoEffect>) -> Vec<IdleSetting> {
        let one = |NoEffect { setting, reason }| IdleSetting { setting, reason };
        found.into_iter().map(one).collect()
    }
}

impl fmt::Display for IdleSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "without effect: {}: {}", self.setting, self.reason)
    }
}
