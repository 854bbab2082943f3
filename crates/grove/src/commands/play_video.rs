//! `grove play` for video games: in the terminal, or agents by themselves.

use gamegrove_agents::Agent;
use gamegrove_play::matches::realtime::{RealTimeRules, Spending};
use gamegrove_vgdl::game::VideoGame;
use gamegrove_vgdl::ontology::Action;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use super::open_video;
use super::play::{agents, any_seed, people_named, seats};
use crate::arcade::{self, Pace, outcome};
use crate::cli::PlayArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;
use crate::screen::{Painter, Room};
use crate::session::Ending;
use crate::video_match::VideoMatch;
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::video::Video;

/// The time of a tick, unless somebody wants another.
const TICK: Duration = Duration::from_millis(100);

/// The time agents have for a tick, unless somebody gives them another.
const THOUGHT: Duration = Duration::from_millis(40);

/// The record of a game. `grove trace` takes it as a file of actions.
#[derive(Debug, Serialize)]
struct Record {
    game: String,
    /// The level's number; none for a file without one.
    level: Option<usize>,
    level_name: String,
    seed: u64,
    roles: Vec<String>,
    /// `person` or an agent, by role.
    players: Vec<String>,
    ticks: i32,
    ending: Ending,
    scores: Vec<f64>,
    /// By role; none for who has neither won nor lost.
    won: Vec<Option<bool>>,
    /// The actions, one per role.
    moves: Vec<Vec<&'static str>>,
}

/// Runs the command.
pub fn run(args: &PlayArgs, source: &Source, out: &mut Output) -> Result {
    let choice = args.level.clone().unwrap_or(LevelChoice::Number(0));
    let video = open_video(source, &choice, out)?;
    let roles = video.roles();
    let mut people = people_named(&args.roles, &roles)?;
    let screen = io::stdin().is_terminal()
        && if out.is_json() { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    // In a terminal somebody plays, unless an agent was asked for in everybody's place.
    if screen && args.roles.is_empty() && args.agent.len() < roles.len() {
        people[0] = true;
    }
    if !screen && people.contains(&true) {
        return Err(Failure::usage(
            "a person can play a video game only in a terminal",
            "leave --as out to let agents play, or replay actions with `grove trace`",
        ));
    }
    let agents = agents(&args.agent, "grove", &people)?;
    let seed = args.seed.unwrap_or_else(any_seed);
    let game = VideoGame::new(video.world.clone(), seed);
    let (seats, players) = seats(Agent::video_player_on, &game, None, &agents, seed)?;
    let tick = match (args.budget.simulations, args.budget.clock.or(args.budget.processor)) {
        (Some(count), _) => Spending::Iterations(count),
        (None, clock) => Spending::Time(clock.unwrap_or(THOUGHT)),
    };
    let rules =
        RealTimeRules { tick_limit: args.step_limit, ..RealTimeRules::COMPETITION.with(tick) };
    let mut game = VideoMatch::new(video.world.clone(), seats, seed).with_rules(&rules);
    let title = format!("{}, {}", video.name, video.level_words());
    if screen {
        let painter = Painter::new(&video.world, out.style.colour);
        let pace = match (args.turns, args.tick) {
            (true, _) => Pace::Turns,
            (false, tick) => Pace::Steady(tick.unwrap_or(TICK)),
        };
        out.flush()?;
        let stream: Box<dyn Write> =
            if out.is_json() { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
        arcade::play(&mut game, &title, pace, &painter, stream)?;
    } else {
        while !game.is_over() {
            game.step(&[]);
        }
    }
    report(&video, &game, players, seed, screen, out)
}

/// Tells how the game went.
fn report(
    video: &Video,
    game: &VideoMatch,
    players: Vec<String>,
    seed: u64,
    on_screen: bool,
    out: &mut Output,
) -> Result {
    let count = video.world.rules.players;
    let ending = match () {
        () if game.fault.is_some() => Ending::Limit,
        () if game.state.is_over() => Ending::Terminal,
        () if on_screen => Ending::Left,
        () => Ending::StepLimit,
    };
    let record = Record {
        game: video.name.clone(),
        level: video.level,
        level_name: video.level_name.clone(),
        seed,
        roles: video.roles(),
        players,
        ticks: game.state.tick(),
        ending,
        scores: (0..count).map(|player| game.state.player(player).score).collect(),
        won: (0..count).map(|player| game.state.player(player).win).collect(),
        moves: game
            .moves
            .iter()
            .map(|joint| joint.iter().map(|a| Action::name(*a)).collect())
            .collect(),
    };
    if out.is_json() {
        out.value(&record)?;
    } else {
        let players: Vec<String> = record
            .roles
            .iter()
            .zip(&record.players)
            .map(|(role, player)| match player.as_str() {
                "person" => format!("you are {role}"),
                agent => format!("{agent} is {role}"),
            })
            .collect();
        let (words, players) = (video.level_words(), players.join(", "));
        out.line(format!("{}, {words}: {players}. Seed {seed}.", video.name))?;
        if !on_screen {
            show(video, game, out)?;
        }
        match record.ending {
            Ending::Left => out.line(format!("Left after {} ticks.", record.ticks))?,
            Ending::StepLimit => out.line(format!("Not over after {} ticks.", record.ticks))?,
            _ => out.line(outcome(game))?,
        }
    }
    match &game.fault {
        Some(fault) => Err(Failure::broken(
            format!("the game stopped: {fault}"),
            "the rules let too many sprites meet in one tick",
        )),
        None => Ok(Outcome::Fine),
    }
}

/// Draws the state that a game is in.
fn show(video: &Video, game: &VideoMatch, out: &mut Output) -> Result<()> {
    let painter = Painter::new(&video.world, out.style.colour);
    let room = Room { width: out.style.width, height: usize::MAX };
    for line in painter.draw(&video.world, &game.state, 0, room) {
        out.picture(&format!("{line}\n"))?;
    }
    for line in arcade::legend(painter.legend(&video.world, &game.state, 0), out.style.width) {
        out.picture(&format!("{line}\n"))?;
    }
    Ok(())
}
