//! `grove watch`: an agent plays a video game, shown in the terminal, recorded, shown again.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

use gamegrove_agents::Agent;
use gamegrove_game::Move;
use gamegrove_play::load::{LevelChoice, Source, text_file};
use gamegrove_play::matches::Ending;
use gamegrove_play::matches::realtime::{Lateness, RealTimeRecord, RealTimeRules};
use gamegrove_play::video::Video;
use gamegrove_play::{Budget, Entrant, Player, Seat, State, seats};
use gamegrove_vgdl::actions;
use gamegrove_vgdl::state::State as Sprites;
use serde_json::Value;

use super::open_video;
use super::play::any_seed;
use crate::arcade::{self, Keyboard, Pace, Played, Table};
use crate::cli::WatchArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;
use crate::target::Target;

/// The time of a tick on the screen, unless somebody wants another.
const TICK: Duration = Duration::from_millis(100);

/// Runs the command.
pub fn run(args: &WatchArgs, out: &mut Output) -> Result {
    out.only_json();
    let source = Source::open(&args.game)?;
    let source = match args.kind.kind {
        Some(kind) => source.read_as(kind),
        None => source,
    };
    let recorded = args.replay.as_deref().map(Recorded::read).transpose()?;
    let record_to = args.record.as_deref().map(Target::open).transpose()?;
    let own = recorded.as_ref().and_then(|recorded| recorded.level).map(LevelChoice::Number);
    let choice = args.realtime.level.clone().or(own).unwrap_or(LevelChoice::Number(0));
    let video = open_video(&source, &choice, out)?;
    let own = recorded.as_ref().and_then(|recorded| recorded.seed);
    let seed = args.seed.or(own).unwrap_or_else(|| any_seed() >> 16);
    let screen = io::stdin().is_terminal()
        && if out.is_json() { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    let mut table = Table::new(&video, args.realtime.rules(&args.budget, None), seed);
    let mut seats = match &recorded {
        Some(recorded) => {
            let (players, ticks) = recorded.players(&video)?;
            // What was not recorded did not happen.
            table.rules.tick_limit = table.rules.tick_limit.min(ticks);
            table.rules = RealTimeRules { lateness: Lateness::Lenient, ..table.rules };
            players
        }
        None => {
            let agents = agents(&args.agent, video.world.rules.players)?;
            args.realtime.suit(&agents)?;
            let entrants: Vec<Entrant> = agents.into_iter().map(Entrant::new).collect();
            seats(&table.board, &entrants, seed).map_err(|error| {
                Failure::usage(error.to_string(), "`grove agents` lists who can play")
            })?
        }
    };
    let Played { mut record, last } = if screen {
        let names: Vec<&str> = seats.iter().map(|seat| seat.name.as_str()).collect();
        let title = format!("{}, {}: {}", video.name, video.level_words(), names.join(", "));
        let pace = Pace::Steady(args.tick.unwrap_or(TICK));
        arcade::play(&table, &mut seats, (&Keyboard::default(), &[]), &title, pace, out)?
    } else {
        draw(&table, &table.start(), out)?;
        let played = table.play(&mut seats, &mut |_| true);
        draw(&table, &played.last, out)?;
        played
    };
    if let Some(recorded) = &recorded {
        recorded.compare(&table, &mut record, &last, out);
    }
    if let Some(target) = record_to {
        target.write(&(serde_json::to_string(&record).map_err(io::Error::from)? + "\n"))?;
    }
    tell(&record, out)?;
    if out.is_json() {
        out.value(&record)?;
    }
    Ok(Outcome::Fine)
}

/// Who plays each role: the last agent plays all that are left.
fn agents(named: &[Agent], roles: usize) -> Result<Vec<Agent>> {
    if named.len() > roles {
        let message = format!("{} agents for {roles} roles", named.len());
        return Err(Failure::usage(message, "give --agent at most once for each role"));
    }
    let default = || Agent::find("grove").map_err(|error| Failure::usage(error.to_string(), ""));
    let last = named.last().cloned().map_or_else(default, Ok)?;
    Ok((0..roles).map(|role| named.get(role).cloned().unwrap_or_else(|| last.clone())).collect())
}

/// Draws a state where nobody looks at a screen.
fn draw(table: &Table<'_>, state: &State, out: &mut Output) -> Result<()> {
    if out.is_json() {
        return Ok(());
    }
    table.draw(state, out)?;
    out.line("")
}

fn tell(record: &RealTimeRecord, out: &mut Output) -> Result<()> {
    let level = record.level.map_or_else(|| record.level_name.clone(), |at| format!("level {at}"));
    for (role, player) in record.players.iter().enumerate() {
        let won = match record.won.get(role).copied().flatten() {
            Some(true) => "won",
            Some(false) => "lost",
            None => "left",
        };
        let score = record.scores.get(role).copied().unwrap_or(0.0);
        out.line(format!(
            "{player} {won} {}, {level}, with score {score} after {} ticks. Seed {}.",
            record.game, record.ticks, record.seed
        ))?;
        if let Some(Some(tick)) = record.disqualified.get(role) {
            out.line(format!("It was too late in tick {tick} and is out."))?;
        }
    }
    Ok(())
}

/// A game that was recorded: by this command, by `grove play --json`, or a list of actions.
struct Recorded {
    path: String,
    text: String,
    level: Option<usize>,
    seed: Option<u64>,
    /// What the game was called, if it was said.
    game: Option<String>,
    /// What it ended with, unless somebody was put out and got a score for that.
    scores: Option<Vec<f64>>,
    names: Vec<String>,
}

impl Recorded {
    fn read(path: &str) -> Result<Recorded> {
        let text = String::from_utf8_lossy(&text_file(path)?).into_owned();
        let mut values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
        let value = values.next().and_then(std::result::Result::ok).unwrap_or_default();
        if value.is_object() && values.next().is_some_and(|next| next.is_ok_and(|v| v.is_object()))
        {
            let help = "put the line of one game into a file of its own";
            return Err(Failure::usage(format!("{path} holds several games"), help));
        }
        let names = value["players"].as_array().into_iter().flatten();
        let names: Vec<String> = names.filter_map(|name| Some(name.as_str()?.to_owned())).collect();
        let number = |key: &str| match &value[key] {
            Value::Null => Ok(None),
            given => given.as_u64().map(Some).ok_or_else(|| {
                let message = format!("{path}: `{key}` must be a whole number, not {given}");
                Failure::usage(message, "`grove watch --record FILE` writes what it needs")
            }),
        };
        Ok(Recorded {
            path: path.to_owned(),
            level: number("level")?.and_then(|level| usize::try_from(level).ok()),
            seed: number("seed")?,
            game: value["game"].as_str().map(str::to_owned),
            scores: value["scores"]
                .as_array()
                .filter(|_| {
                    !value["disqualified"]
                        .as_array()
                        .is_some_and(|out| out.iter().any(Value::is_number))
                })
                .map(|scores| scores.iter().filter_map(Value::as_f64).collect()),
            names: if names.is_empty() { vec!["the record".to_owned()] } else { names },
            text,
        })
    }

    /// Makes `again` a record of what was recorded, and says so if the game came out differently.
    fn compare(
        &self,
        table: &Table<'_>,
        again: &mut RealTimeRecord,
        last: &State,
        out: &mut Output,
    ) {
        // Who leaves early has seen no other game.
        if again.ending != Ending::Stopped
            && let Some(scores) = self.scores.as_ref().filter(|&scores| *scores != again.scores)
        {
            out.note(format!(
                "the record says score {scores:?}, and now it is {:?}: rules or level are not those it was made with",
                again.scores
            ));
        }
        if again.ending == Ending::StepLimit {
            again.ending = Ending::Stopped;
            again.won = table.board.verdicts(last).unwrap_or_default();
        }
        again.players.clone_from(&self.names);
        // Nothing was thought about.
        again.late.clear();
        again.disqualified.clear();
        again.iterations.clear();
        again.slowest_ms.clear();
    }

    /// Somebody for each role who does what was recorded, and for how many ticks.
    fn players(&self, video: &Video) -> Result<(Vec<Seat>, u32)> {
        let stem = |name: &str| Path::new(name).file_stem().map(std::ffi::OsStr::to_owned);
        if let Some(game) = self.game.as_deref().filter(|game| stem(game) != stem(&video.name)) {
            let message = format!("{} is a game of {game}, not of {}", self.path, video.name);
            return Err(Failure::usage(message, "name the game that was recorded"));
        }
        let roles = video.world.rules.players;
        let help = "`grove watch --record FILE` and `grove play --json` make one";
        let ticks = actions::parse(&self.text, roles).map_err(|bad| {
            Failure::usage(format!("{} is no recorded game: {bad}", self.path), help)
        })?;
        if ticks.is_empty() {
            return Err(Failure::usage(format!("{} has no moves", self.path), help));
        }
        let seat = |role: usize| {
            let moves = ticks.iter().map(|joint| Move(joint[role] as u32)).collect();
            let name = self.names.get(role).or(self.names.last()).map_or("", String::as_str);
            Seat::new(name, Box::new(Again { moves }))
        };
        let count = u32::try_from(ticks.len()).unwrap_or(u32::MAX);
        Ok(((0..roles).map(seat).collect(), count))
    }
}

/// Does what was done before.
struct Again {
    moves: Vec<Move>,
}

impl Player for Again {
    fn choose(&mut self, state: &State, _: &Budget) -> Option<Move> {
        // By the tick, so that a game that is started again goes on from its start.
        let tick = state.of::<Sprites>().map_or(0, Sprites::tick);
        self.moves.get(usize::try_from(tick).unwrap_or(0)).copied()
    }
}
