//! `grove play`: a person against agents, or agents among themselves.

use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, IsTerminal};
use std::time::Duration;

use gamegrove_agents::{Agent, Maker};
use gamegrove_game::{BoxedLanes, Describe, Rng, Role};
use gamegrove_view::Layout;
use serde::Serialize;

use super::{any_rules, play_video};
use crate::cli::PlayArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;
use crate::prompt::Input;
use crate::session::{Ending, Seat, Session};
use gamegrove_play::Rules;
use gamegrove_play::library::{Header, Kind};
use gamegrove_play::load::Source;
use gamegrove_play::names::{did_you_mean, nearest};
use gamegrove_play::picture;
use gamegrove_play::reasoner::{Reasoner, Work, with_game};
use gamegrove_play::text::{SourceText, printable};
use gamegrove_play::video;

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
    ending: Ending,
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
    let layout = match &rules {
        Rules::Sheet(sheet) => picture::layout(&source, sheet)?,
        // It draws itself.
        Rules::Native(_) => None,
    };
    let reasoner = rules.reasoner(args.reasoner);
    let play = Play { args, source: &source, reasoner, layout, out };
    with_game(&source.name, &rules, args.reasoner, play)?
}

/// Plays with whatever reasoner.
struct Play<'a> {
    args: &'a PlayArgs,
    source: &'a Source,
    /// What answers.
    reasoner: Reasoner,
    layout: Option<Layout>,
    out: &'a mut Output,
}

impl Work for Play<'_> {
    type Output = Result;
    const LANES: bool = true;

    /// A person waits for it.
    fn patience(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn chosen(&mut self, what: &str) {
        self.out.note(what);
    }

    fn run<G: Describe + 'static>(self, game: G) -> Result {
        self.play(game, None)
    }

    fn run_on_lanes<G>(self, game: G, lanes: BoxedLanes<G::State>) -> Result
    where
        G: Describe + 'static,
    {
        self.play(game, Some(lanes))
    }
}

impl Play<'_> {
    fn play<G: Describe + 'static>(
        mut self,
        game: G,
        lanes: Option<BoxedLanes<G::State>>,
    ) -> Result {
        let roles: Vec<String> =
            Role::all(game.role_count()).map(|role| game.role_name(role)).collect();
        let layout = self.layout.take();
        let mut input = Input::stdin();
        let Some(people) = self.people(&roles, &mut input)? else {
            return Ok(Outcome::Fine);
        };
        if !people.contains(&true) {
            self.out.only_json();
        }
        let agents = agents(&self.args.agent, "grove", &people)?;
        let seed = self.args.seed.unwrap_or_else(any_seed);
        let (seats, players) = seats(Agent::player_on, &game, lanes, &agents, seed)?;
        self.introduce(&roles, &players, seed)?;

        let mut session =
            Session::new(game, seats, self.args.budget.allowance(), layout, input, self.out);
        let (ending, fault) = session.play(self.args.step_limit)?;
        let goals = (ending == Ending::Terminal)
            .then(|| session.goals().iter().map(|goal| goal.0).collect::<Vec<f32>>());
        let record = Record {
            game: self.source.name.clone(),
            reasoner: self.reasoner,
            seed,
            moves: session.moves(),
            final_facts: session.facts(),
            ending,
            goals,
            roles,
            players,
        };
        if let Some(goals) = &record.goals {
            let goals = record.roles.iter().zip(goals).map(|(role, goal)| format!("{role} {goal}"));
            self.out.line(format!("Goals: {}", goals.collect::<Vec<_>>().join(", ")))?;
        }
        if self.out.is_json() {
            self.out.value(&record)?;
        }
        if let Some(fault) = fault {
            return Err(Failure::broken(format!("the game stopped: {fault}"), ""));
        }
        let broken = record.ending == Ending::NoLegalMove;
        Ok(if broken { Outcome::Broken } else { Outcome::Fine })
    }
}

impl Play<'_> {
    /// Which roles people play; nothing if the person asked leaves.
    fn people(
        &mut self,
        roles: &[String],
        input: &mut Input<impl BufRead>,
    ) -> Result<Option<Vec<bool>>> {
        let mut people = people_named(&self.args.roles, roles)?;
        let ask = self.args.roles.is_empty() && !self.out.is_json() && input.echoes;
        if ask && std::io::stdout().is_terminal() {
            let names = roles.join(", ");
            loop {
                self.out.text(&format!("Which role do you play? {names}, or watch: "))?;
                self.out.flush()?;
                let Some(answer) = input.line()? else {
                    self.out.line("")?;
                    return Ok(None);
                };
                match find_role(&answer, roles) {
                    Some(index) => {
                        people[index] = true;
                        break;
                    }
                    None if answer.eq_ignore_ascii_case("watch") => break,
                    None if matches!(&*answer, "quit" | "q" | "exit") => return Ok(None),
                    None => self.out.line("  Type the name of a role, or watch, or quit.")?,
                }
            }
        }
        Ok(Some(people))
    }

    fn introduce(&mut self, roles: &[String], players: &[String], seed: u64) -> Result<()> {
        let text = SourceText::new(&self.source.name, &self.source.text);
        let header = Header::read(text.shown(), self.source.kind);
        let title = header.title().unwrap_or(&self.source.name);
        let people = players.iter().any(|player| player == "person");
        let players = roles.iter().zip(players).map(|(role, player)| match player.as_str() {
            "person" => format!("you are {role}"),
            agent => format!("{agent} is {role}"),
        });
        let players = players.collect::<Vec<_>>().join(", ");
        self.out.line(format!("{}: {players}. Seed {seed}.", printable(title)))?;
        if people {
            self.out.line("Type a move or its number; help says what else there is.")?;
        }
        Ok(())
    }
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
pub fn seats<G: Describe + 'static>(
    maker: Maker<G>,
    game: &G,
    lanes: Option<BoxedLanes<G::State>>,
    agents: &[Option<Agent>],
    seed: u64,
) -> Result<(Vec<Seat<G>>, Vec<String>)> {
    let mut seats = Vec::new();
    for ((agent, number), role) in agents.iter().zip(0..).zip(Role::all(agents.len())) {
        seats.push(match agent {
            None => Seat::Person,
            Some(agent) => {
                let seed = Rng::stream(seed, number).next_u64();
                let player = maker(agent, game.clone(), lanes.clone(), role, seed);
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
