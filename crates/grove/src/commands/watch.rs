//! `grove watch`: an agent plays a video game, shown in the terminal, recorded, shown again.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use gamegrove_agents::{Agent, Budget, Player};
use gamegrove_game::{Move, Role};
use gamegrove_play::load::{LevelChoice, Source, text_file};
use gamegrove_play::matches::Ending;
use gamegrove_play::matches::realtime::{RealTimeRecord, RealTimeRules};
use gamegrove_play::realtime;
use gamegrove_play::video::Video;
use gamegrove_vgdl::actions;
use gamegrove_vgdl::game::VideoGame;
use gamegrove_vgdl::ontology::Action;
use gamegrove_vgdl::state::State;
use serde_json::Value;

use super::open_video;
use super::play::{any_seed, seats};
use crate::arcade::{self, Pace};
use crate::cli::WatchArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;
use crate::screen::{Painter, Room};
use crate::session::Seat;
use crate::target::Target;
use crate::video_match::VideoMatch;

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
    let mut rules = args.realtime.rules(&args.budget, None);
    let screen = io::stdin().is_terminal()
        && if out.is_json() { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    let record = match &recorded {
        Some(recorded) => {
            let (players, ticks) = recorded.players(&video)?;
            // What was not recorded did not happen.
            rules.tick_limit = rules.tick_limit.min(ticks);
            let named = recorded.names.clone();
            let again = play(&video, players, named, seed, &rules, screen, args, out)?;
            // Who leaves early has seen no other game.
            if again.ticks == ticks || again.ending == Ending::Terminal {
                recorded.compare(&again, out);
            }
            again
        }
        None => {
            let agents = agents(&args.agent, video.world.rules.players)?;
            args.realtime.suit(&agents)?;
            if screen {
                let game = VideoGame::new(video.world.clone(), seed);
                let chosen: Vec<Option<Agent>> = agents.iter().cloned().map(Some).collect();
                let (seats, names) = seats(Agent::video_player_on, &game, None, &chosen, seed)?;
                play(&video, seats, names, seed, &rules, true, args, out)?
            } else {
                at_once(&video, &agents, seed, &rules, out)?
            }
        }
    };
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

/// Plays without a screen, by the rules of the arena.
fn at_once(
    video: &Video,
    agents: &[Agent],
    seed: u64,
    rules: &RealTimeRules,
    out: &mut Output,
) -> Result<RealTimeRecord> {
    let seats: Vec<&Agent> = agents.iter().collect();
    let mut last = None;
    draw(video, &realtime::start(video, seed), out)?;
    let record = realtime::play(video, &seats, rules, seed, &mut |state, _| {
        last = Some(state.clone());
        true
    });
    let record = record
        .map_err(|error| Failure::usage(error.to_string(), "`grove agents` lists who can play"))?;
    if let Some(state) = last {
        draw(video, &state, out)?;
    }
    Ok(record)
}

/// Plays tick by tick, on a screen if there is one.
#[expect(clippy::too_many_arguments, reason = "two places call it with what they have")]
fn play(
    video: &Video,
    seats: Vec<Seat<VideoGame>>,
    names: Vec<String>,
    seed: u64,
    rules: &RealTimeRules,
    screen: bool,
    args: &WatchArgs,
    out: &mut Output,
) -> Result<RealTimeRecord> {
    let roles = video.world.rules.players;
    let mut game = VideoMatch::new(video.world.clone(), seats, seed).with_rules(rules);
    if screen {
        let painter = Painter::new(&video.world, out.style.colour);
        let title = format!("{}, {}: {}", video.name, video.level_words(), names.join(", "));
        out.flush()?;
        let stream: Box<dyn Write> =
            if out.is_json() { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
        let pace = Pace::Steady(args.tick.unwrap_or(TICK));
        arcade::play(&mut game, &title, pace, &painter, stream)?;
    } else {
        draw(video, &game.state, out)?;
        while !game.is_over() {
            game.step(&[]);
        }
        draw(video, &game.state, out)?;
    }
    let ending = match () {
        () if game.fault.is_some() => Ending::Fault,
        () if game.state.is_over() => Ending::Terminal,
        () => Ending::Stopped,
    };
    let names_of = |joint: &Vec<Action>| -> Vec<String> {
        joint.iter().map(|action| action.name().to_owned()).collect()
    };
    Ok(RealTimeRecord {
        game: video.name.clone(),
        level: video.level,
        level_name: video.level_name.clone(),
        seed,
        roles: video.roles(),
        players: names,
        ticks: game.moves.len() as u32,
        ending,
        scores: (0..roles).map(|player| game.state.player(player).score).collect(),
        won: (0..roles).map(|player| game.state.player(player).win).collect(),
        late: Vec::new(),
        disqualified: Vec::new(),
        iterations: Vec::new(),
        slowest_ms: Vec::new(),
        moves: game.moves.iter().map(names_of).collect(),
    })
}

/// Draws a state where nobody looks at a screen.
fn draw(video: &Video, state: &State, out: &mut Output) -> Result<()> {
    if out.is_json() {
        return Ok(());
    }
    let painter = Painter::new(&video.world, out.style.colour);
    let room = Room { width: out.style.width, height: usize::MAX };
    for line in painter.draw(&video.world, state, 0, room) {
        out.picture(&format!("{line}\n"))?;
    }
    for line in arcade::legend(painter.legend(&video.world, state, 0), out.style.width) {
        out.picture(&format!("{line}\n"))?;
    }
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

    /// Says so if the game came out differently.
    fn compare(&self, again: &RealTimeRecord, out: &mut Output) {
        if let Some(scores) = self.scores.as_ref().filter(|&scores| *scores != again.scores) {
            out.note(format!(
                "the record says score {scores:?}, and now it is {:?}: rules or level are not those it was made with",
                again.scores
            ));
        }
    }

    /// Somebody for each role who does what was recorded, and for how many ticks.
    fn players(&self, video: &Video) -> Result<(Vec<Seat<VideoGame>>, u32)> {
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
        let seat = |role: Role| {
            let moves = ticks.iter().map(|joint| Move(joint[role.index()] as u32)).collect();
            Seat::Agent(Box::new(Again { moves, at: 0 }) as Box<dyn Player<VideoGame>>)
        };
        let count = u32::try_from(ticks.len()).unwrap_or(u32::MAX);
        Ok((Role::all(roles).map(seat).collect(), count))
    }
}

/// Does what was done before.
struct Again {
    moves: Vec<Move>,
    at: usize,
}

impl Player<VideoGame> for Again {
    fn choose(&mut self, state: &State, _: &Budget<'_>) -> Option<Move> {
        // By the tick, so that a game that is started again goes on from its start.
        self.at = usize::try_from(state.tick()).unwrap_or(0);
        self.moves.get(self.at).copied()
    }
}
