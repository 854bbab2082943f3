//! How fast plain Prolog plays: random games from the start, timed by Prolog itself.

use std::collections::HashSet;
use std::time::Duration;

use crate::emit::Program;
use crate::{Error, Prolog, Settings, Tabling};

/// The counts of a run of random games.
#[derive(Debug, Clone, PartialEq)]
pub struct Speed {
    /// The tabling with which it ran.
    pub tabling: Tabling,
    /// Joint moves made.
    pub states: u64,
    /// Games played to their end.
    pub games: u64,
    /// Joint moves of a finished game, on the mean; not a number when none finished.
    pub mean_length: f64,
    /// Goal of each role at the end of a finished game, on the mean; not a number when none finished.
    pub mean_goals: Vec<f64>,
    /// CPU time of the Prolog process.
    pub seconds: f64,
}

impl Speed {
    /// Joint moves made in a second.
    pub fn states_per_second(&self) -> f64 {
        self.states as f64 / self.seconds
    }

    /// Reads the line that the runtime writes.
    pub(crate) fn read(line: &str, tabling: Tabling) -> Option<Self> {
        let mut fields = line.strip_prefix("speed ")?.split(' ');
        let seconds = fields.next()?.parse().ok()?;
        let states = fields.next()?.parse().ok()?;
        let games: u64 = fields.next()?.parse().ok()?;
        let finished: f64 = fields.next()?.parse().ok()?;
        let mean = |sum: f64| sum / games as f64;
        let mean_goals = fields.map(|sum| sum.parse().ok().map(mean)).collect::<Option<_>>()?;
        Some(Self { tabling, states, games, mean_length: mean(finished), mean_goals, seconds })
    }
}

/// Tries every tabling that makes a difference for a fifth of `seconds`, and runs the fastest for
/// all of them: what an experienced user of Prolog would choose. `memory` is in mebibytes.
pub fn fastest(rulesheet: &str, seconds: f64, seed: u64, memory: usize) -> Result<Speed, Error> {
    let mut tried = HashSet::new();
    let mut best: Option<Result<(Speed, Prolog), Error>> = None;
    for tabling in [Tabling::Nothing, Tabling::Static, Tabling::Recursive, Tabling::Everything] {
        let program = Program::new(rulesheet, tabling)?;
        if !tried.insert(program.text.clone()) {
            continue;
        }
        // Recursion that needs tables never answers without them: do not wait long for it.
        let settings = Settings { tabling, timeout: Duration::from_secs(10), memory };
        let run = Prolog::run(&program, settings)
            .and_then(|mut process| Ok((process.random_games(seconds / 5.0, seed)?, process)));
        let better = match (&best, &run) {
            (None, _) | (Some(Err(_)), Ok(_)) => true,
            (Some(_), Err(_)) => false,
            (Some(Ok((top, _))), Ok((speed, _))) => {
                speed.states_per_second() > top.states_per_second()
            }
        };
        if better {
            best = Some(run);
        }
    }
    let (_, mut process) = best.unwrap_or_else(|| Err(Error::Gone("not started".into())))?;
    process.random_games(seconds, seed)
}
