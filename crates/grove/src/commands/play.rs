//! `grove play`: a person against agents, or agents among themselves.

use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, IsTerminal};
use std::sync::Arc;
use std::time::Duration;

use gamegrove_agents::Agent;
use gamegrove_game::{Rng, Role};
use serde::Serialize;

use super::{any_rules, drawn_board, play_video, stopped};
use crate::cli::PlayArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;
use crate::prompt::Input;
use crate::session::{Seat, Session, word};
use gamegrove_play::library::{Header, Kind};
use gamegrove_play::load::Source;
use gamegrove_play::matches::{Ending, MatchRules};
use gamegrove_play::names::{did_you_mean, nearest};
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::text::{SourceText, printable};
use gamegrove_play::{Board, Hooks, Match, Setup, video};

/// The record of a match.
#[derive(Debug, Serialize)]
struct Record {
    game: String,
    reasoner: Reasoner,
    seed: u64,
    roles: Vec<String>,
    /// `person` or an agent, by role.
    players: Vec<String>,
    /// The joint moves, one name per role.
    moves: Vec<Vec<String>>,
    ending: &'static str,
    /// By role; none unless the game reached its end.
    goals: Option<Vec<f32>>,
    final_facts: Vec<String>,
}

/// Runs the command.
pub fn run(args: &PlayArgs, out: &mut Output) -> Result {
    let source = Source::open_as(&args.game, args.kind.kind)?;
    if source.kind == Kind::Vgdl {
        return play_video::run(args, &source, out);
    }
    if args.level.is_some() || args.tick.is_some() || args.turns {
        video::require(&source, Kind::Vgdl)?;
    }
    let rules = any_rules(&source, args.rules, out)?;
    let reasoner = rules.reasoner(args.reasoner);
    // A person waits for it.
    let setup = Setup { patience: Duration::from_secs(1), ..Setup::new(args.reasoner) };
    let board = drawn_board(&source, rules, &setup, out)?;
    let roles = &board.about().roles;
    let mut input = Input::stdin();
    let Some(people) = people(args, roles, &mut input, out)? else {
        return Ok(Outcome::Fine);
    };
    if !people.contains(&true) {
        out.only_json();
    }
    let agents = agents(&args.agent, "grove", &people)?;
    let seed = args.seed.unwrap_or_else(any_seed);
    let (seats, players) = seats(&*board, &agents, seed)?;
    introduce(&source, roles, &players, seed, out)?;

    let rules = MatchRules {
        clocks: args.budget.clocks(),
        step_limit: args.step_limit as usize,
        seed,
        facts: false,
    };
    let mut session = Session::new(Match::new(Arc::clone(&board), rules), seats, input, out);
    session.play()?;
    let course = session.course;
    let ending = course.ending().unwrap_or(Ending::Stopped);
    let record = Record {
        game: source.name,
        reasoner,
        seed,
        moves: course.steps().iter().map(|step| step.moves.clone()).collect(),
        final_facts: board.facts(course.state()),
        ending: word(ending),
        goals: (ending == Ending::Terminal).then(|| course.goals().to_vec()),
        roles: roles.clone(),
        players,
    };
    if let Some(goals) = &record.goals {
        let goals = record.roles.iter().zip(goals).map(|(role, goal)| format!("{role} {goal}"));
        out.line(format!("Goals: {}", goals.collect::<Vec<_>>().join(", ")))?;
    }
    if out.is_json() {
        out.value(&record)?;
    }
    match course.fault() {
        Some(fault) => Err(stopped(fault)),
        None if ending == Ending::NoLegalMove => Ok(Outcome::Broken),
        None => Ok(Outcome::Fine),
    }
}

/// Which roles people play; nothing if the person asked leaves.
fn people(
    args: &PlayArgs,
    roles: &[String],
    input: &mut Input<impl BufRead>,
    out: &mut Output,
) -> Result<Option<Vec<bool>>> {
    let mut people = people_named(&args.roles, roles)?;
    let ask = args.roles.is_empty() && !out.is_json() && input.echoes;
    if ask && std::io::stdout().is_terminal() {
        let names = roles.join(", ");
        loop {
            out.text(&format!("Which role do you play? {names}, or watch: "))?;
            out.flush()?;
            let Some(answer) = input.line()? else {
                out.line("")?;
                return Ok(None);
            };
            match find_role(&answer, roles) {
                Some(index) => {
                    people[index] = true;
                    break;
                }
                None if answer.eq_ignore_ascii_case("watch") => break,
                None if matches!(&*answer, "quit" | "q" | "exit") => return Ok(None),
                None => out.line("  Type the name of a role, or watch, or quit.")?,
            }
        }
    }
    Ok(Some(people))
}

fn introduce(
    source: &Source,
    roles: &[String],
    players: &[String],
    seed: u64,
    out: &mut Output,
) -> Result<()> {
    let text = SourceText::new(&source.name, &source.text);
    let header = Header::read(text.shown(), source.kind);
    let title = header.title().unwrap_or(&source.name);
    let people = players.iter().any(|player| player == "person");
    out.line(format!("{}: {}. Seed {seed}.", printable(title), cast(roles, players)))?;
    if people {
        out.line("Type a move or its number; help says what else there is.")?;
    }
    Ok(())
}

/// Who plays which role, in words.
pub fn cast(roles: &[String], players: &[String]) -> String {
    let players = roles.iter().zip(players).map(|(role, player)| match player.as_str() {
        "person" => format!("you are {role}"),
        agent => format!("{agent} is {role}"),
    });
    players.collect::<Vec<_>>().join(", ")
}

/// Which roles people play, by what `--as` says.
pub fn people_named(wanted: &[String], roles: &[String]) -> Result<Vec<bool>> {
    let mut people = vec![false; roles.len()];
    for wanted in wanted {
        match find_role(wanted, roles) {
            Some(index) => people[index] = true,
            None => {
                let near = nearest(wanted, roles.iter().map(String::as_str));
                let there_are = format!("the roles are {}", roles.join(", "));
                let suggestion = did_you_mean(&near).unwrap_or(there_are);
                let message = format!("nobody is called {} in this game", printable(wanted));
                return Err(Failure::usage(message, suggestion));
            }
        }
    }
    Ok(people)
}

/// The agents of the roles that no person plays; `default` where none was named.
pub fn agents(named: &[Agent], default: &str, people: &[bool]) -> Result<Vec<Option<Agent>>> {
    let open = people.iter().filter(|person| !**person).count();
    if named.len() > open.max(1) {
        return Err(Failure::usage(
            format!("{} agents for {open} of {} roles", named.len(), people.len()),
            "give --agent at most once for each role that no person plays",
        ));
    }
    let mut named = named.iter().cloned();
    let mut last = Agent::find(default).map_err(|error| Failure::usage(error.to_string(), ""))?;
    let agents = people.iter().map(|person| {
        (!person).then(|| {
            last = named.next().unwrap_or_else(|| last.clone());
            last.clone()
        })
    });
    Ok(agents.collect())
}

/// Who sits where, and their names: `person` or an agent's.
pub fn seats(
    board: &dyn Board,
    agents: &[Option<Agent>],
    seed: u64,
) -> Result<(Vec<Seat>, Vec<String>)> {
    let mut seats = Vec::new();
    for ((agent, number), role) in agents.iter().zip(0..).zip(Role::all(agents.len())) {
        seats.push(match agent {
            None => Seat::Person,
            Some(agent) => {
                let seed = Rng::stream(seed, number).next_u64();
                let player = board.player(agent, role, seed, &Hooks::default());
                Seat::Agent(player.map_err(|error| Failure::usage(error.to_string(), ""))?)
            }
        });
    }
    let name = |agent: &Option<Agent>| {
        agent.as_ref().map_or_else(|| "person".to_owned(), |agent| agent.name.clone())
    };
    Ok((seats, agents.iter().map(name).collect()))
}

/// A seed that differs every time.
pub fn any_seed() -> u64 {
    RandomState::new().hash_one(())
}

fn find_role(wanted: &str, roles: &[String]) -> Option<usize> {
    let wanted = wanted.trim().to_lowercase();
    roles.iter().position(|role| *role == wanted)
}
