//! What can be typed about games in real time: matches of video games, watching one.

use std::time::Duration;

use clap::Args;
use gamegrove_agents::Agent;
use gamegrove_play::agent::read_agent;
use gamegrove_play::load::LevelChoice;
use gamegrove_play::matches::realtime::{Lateness, RealTimeRules, Spending, Timer};
use gamegrove_play::units::{parse_count, parse_duration};

use super::KindOption;
use super::agents::BudgetOptions;
use crate::failure::{Failure, Result};

/// What only games in real time have.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options of video games")]
pub struct RealTimeOptions {
    /// The level: a number or a file [default: all in turn; to watch, 0]
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<LevelChoice>,

    /// Steps of the forward model for each tick, instead of time or simulations
    #[arg(
        long, value_name = "N", value_parser = parse_count,
        conflicts_with_all = ["clock", "simulations"]
    )]
    pub advances: Option<u64>,

    /// Late answers count all the same; without it they do not, and who is 10ms late is out
    #[arg(long)]
    pub lenient: bool,

    /// Takes time by the clock on the wall, not by the processor time of each game
    #[arg(long, conflicts_with = "processor")]
    pub wall_clock: bool,
}

impl RealTimeOptions {
    /// An option that was given, though only video games know what to do with it.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (self.level.is_some(), "--level"),
            (self.advances.is_some(), "--advances"),
            (self.lenient, "--lenient"),
            (self.wall_clock, "--wall-clock"),
        ];
        given.into_iter().find_map(|(given, name)| given.then_some(name))
    }

    /// An error if somebody would not keep to these: tree searches count whole simulations.
    pub fn suit(&self, agents: &[Agent]) -> Result<()> {
        let part = |agent: &Agent| agent.video.as_ref().unwrap_or(&agent.part).name.clone();
        match agents.iter().find(|agent| part(agent) == "mcts") {
            Some(agent) if self.advances.is_some() => Err(Failure::usage(
                format!("{} counts simulations, not steps of the model", agent.name),
                "give --simulations or --clock",
            )),
            _ => Ok(()),
        }
    }

    /// The rules of a game.
    pub fn rules(&self, budget: &BudgetOptions, setup: Option<Duration>) -> RealTimeRules {
        let tick = match (self.advances, budget.simulations, budget.clock.or(budget.processor)) {
            (Some(count), _, _) => Spending::Advances(count),
            (None, Some(count), _) => Spending::Iterations(count),
            (None, None, clock) => Spending::Time(clock.unwrap_or(Duration::from_millis(40))),
        };
        let rules = RealTimeRules::COMPETITION;
        let rules = RealTimeRules { setup: setup.unwrap_or(rules.setup), ..rules }.with(tick);
        RealTimeRules {
            lateness: if self.lenient { Lateness::Lenient } else { rules.lateness },
            timer: if self.wall_clock { Timer::Wall } else { rules.timer },
            ..rules
        }
    }
}

/// What `grove watch` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove watch zelda
  grove watch aliens --agent vanilla_mcts --level 2 --record game.json
  grove watch aliens --replay game.json --tick 50ms
  grove watch frogs --agent kb_fast_evo --simulations 50 --json

In a terminal the game is shown tick by tick: p pause, r again, q quit. Elsewhere it is played at once and
its first and last picture are shown. `grove trace` tells the same game in numbers: the record is a file
of actions.")]
pub struct WatchArgs {
    /// A shipped video game's name or a description's path
    pub game: String,

    /// Who plays; repeat it to give each role its own
    #[arg(long, value_name = "AGENT", value_parser = read_agent, conflicts_with = "replay")]
    pub agent: Vec<Agent>,

    #[command(flatten)]
    pub budget: BudgetOptions,

    #[command(flatten)]
    pub realtime: RealTimeOptions,

    /// The time of a tick on the screen [default: 100ms]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub tick: Option<Duration>,

    /// Writes the game to a file
    #[arg(long, value_name = "FILE")]
    pub record: Option<String>,

    /// Shows a recorded game again
    #[arg(long, value_name = "FILE")]
    pub replay: Option<String>,

    /// What chance depends on [default: differs every time, and is shown]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,

    #[command(flatten)]
    pub kind: KindOption,
}
