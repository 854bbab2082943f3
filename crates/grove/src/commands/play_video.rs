//! `grove play` for video games: in the terminal, or agents by themselves.

use std::io::{self, IsTerminal};
use std::time::Duration;

use gamegrove_play::Seat;
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::matches::Ending;
use gamegrove_play::matches::realtime::{Lateness, RealTimeRules, Spending};
use serde::Serialize;

use super::open_video;
use super::play::{agents, any_seed, cast, people_named, seats};
use crate::arcade::{self, Keyboard, Pace, Played, Table, outcome, overworked};
use crate::cli::PlayArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;
use crate::session::{Seat as Chosen, word};

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
    ticks: u32,
    ending: &'static str,
    scores: Vec<f64>,
    /// By role; none for who has neither won nor lost.
    won: Vec<Option<bool>>,
    /// The actions, one per role.
    moves: Vec<Vec<String>>,
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
    let tick = match (args.budget.simulations, args.budget.clock.or(args.budget.processor)) {
        (Some(count), _) => Spending::Iterations(count),
        (None, clock) => Spending::Time(clock.unwrap_or(THOUGHT)),
    };
    // A person sees what agents do, however long it takes them.
    let rules = RealTimeRules::COMPETITION.with(tick);
    let rules = RealTimeRules { tick_limit: args.step_limit, lateness: Lateness::Lenient, ..rules };
    let table = Table::new(&video, rules, seed);
    let (chosen, players) = seats(&*table.board, &agents, seed)?;
    let keyboard = Keyboard::default();
    let seat = |(role, (chosen, name)): (usize, (Chosen, &String))| match chosen {
        Chosen::Person => Seat::new(name, keyboard.player(role)),
        Chosen::Agent(agent) => Seat::new(name, agent),
    };
    let mut seats: Vec<Seat> = chosen.into_iter().zip(&players).enumerate().map(seat).collect();
    let played = if screen {
        let pace = match (args.turns, args.tick) {
            (true, _) => Pace::Turns,
            (false, tick) => Pace::Steady(tick.unwrap_or(TICK)),
        };
        let people: Vec<usize> = (0..people.len()).filter(|&role| people[role]).collect();
        let title = format!("{}, {}", video.name, video.level_words());
        arcade::play(&table, &mut seats, (&keyboard, &people), &title, pace, out)?
    } else {
        table.play(&mut seats, &mut |_| true)
    };
    report(&table, played, screen, out)
}

/// Tells how the game went.
fn report(table: &Table<'_>, played: Played, on_screen: bool, out: &mut Output) -> Result {
    let ending = played.record.ending;
    let told = outcome(table, &played);
    let Played { record, last } = played;
    let record = Record {
        ending: word(ending),
        // Who has neither won nor lost when the game is given up has done neither.
        won: table.board.verdicts(&last).unwrap_or_default(),
        game: record.game,
        level: record.level,
        level_name: record.level_name,
        seed: record.seed,
        roles: record.roles,
        players: record.players,
        ticks: record.ticks,
        scores: record.scores,
        moves: record.moves,
    };
    if out.is_json() {
        out.value(&record)?;
    } else {
        let (words, players) = (table.video.level_words(), cast(&record.roles, &record.players));
        out.line(format!("{}, {words}: {players}. Seed {}.", record.game, record.seed))?;
        if !on_screen {
            table.draw(&last, out)?;
        }
        out.line(match ending {
            Ending::Stopped => format!("Left after {} ticks.", record.ticks),
            Ending::StepLimit => format!("Not over after {} ticks.", record.ticks),
            _ => told,
        })?;
    }
    match ending {
        Ending::Fault => Err(Failure::broken(
            format!("the game stopped: {}", overworked()),
            "the rules let too many sprites meet in one tick",
        )),
        _ => Ok(Outcome::Fine),
    }
}
