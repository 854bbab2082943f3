//! `grove agree`: whether all reasoners give the same answers along random games of any rulesheet, for a
//! given time [Sironi 2019, 4.3.1: 60 s a game].
//!
//! The prover plays random games. Every other reasoner follows them by the names of moves and is asked
//! about every state: whether play is over, the goals, the legal moves of each role, the facts.

use std::fmt;
use std::time::{Duration, Instant};

use gamegrove_game::{Describe, Fault, Goal, Move, Rng, Role};
use gamegrove_play::library::Kind;
use gamegrove_play::load::Source;
use gamegrove_play::reasoner::{Reasoner, Work, with_game};
use gamegrove_play::units::{grouped, plural};
use gamegrove_play::video;
use serde::Serialize;

use super::rules;
use crate::cli::AgreeArgs;
use crate::failure::{Outcome, Result};
use crate::output::{Output, Table};
use crate::progress::Progress;

/// Those that are compared unless others are named: all that need no other program, and every published
/// sequence of passes.
const ALL: [&str; 12] = [
    "cached_prover",
    "propnet",
    "cached_propnet",
    "propnet_basic",
    "propnet_0",
    "propnet_1",
    "propnet_2",
    "propnet_3",
    "propnet_12",
    "propnet_102",
    "propnet_13",
    "propnet_1023",
];

/// What is reported to tools.
#[derive(Debug, Serialize)]
struct Report {
    game: String,
    seed: u64,
    /// Random games that the prover played, to their end or the limit of steps.
    games: u64,
    seconds: f64,
    reasoners: Vec<Row>,
}

/// What one reasoner did.
#[derive(Debug, Serialize)]
struct Row {
    reasoner: Reasoner,
    /// States about which it gave the prover's answers.
    states: u64,
    /// Why it could not be set up.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
    /// The first answer that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
}

/// Where answers differ.
#[derive(Debug, Serialize)]
struct Difference {
    /// The joint moves up to there.
    moves: Vec<Vec<String>>,
    /// What was asked, and both answers.
    what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line: Vec<String> = self.moves.iter().map(|joint| joint.join(" ")).collect();
        match &line[..] {
            [] => write!(f, "in the first state: {}", self.what),
            line => write!(f, "{}, after {}", self.what, line.join(", ")),
        }
    }
}

/// Runs the command.
pub fn run(args: &AgreeArgs, out: &mut Output) -> Result {
    out.only_json();
    let source = Source::open(&args.game)?;
    video::require(&source, Kind::Gdl)?;
    let sheet = rules(&source, args.rules, out)?;
    let mut prover = with_game(&source.name, &sheet, Reasoner::Prover, Follow)?;
    let wanted: Vec<Reasoner> = match &args.reasoner[..] {
        [] => ALL.iter().map(|name| name.parse().expect("they exist")).collect(),
        named => named.to_vec(),
    };
    let mut others: Vec<(Row, Option<Box<dyn Follower>>)> = wanted
        .into_iter()
        .map(|reasoner| {
            let ready = with_game(&source.name, &sheet, reasoner, Follow);
            let missing = ready.as_ref().err().map(ToString::to_string);
            (Row { reasoner, states: 0, missing, difference: None }, ready.ok())
        })
        .collect();
    let (start, mut games) = (Instant::now(), 0);
    let mut progress = Progress::new(start);
    while start.elapsed() < args.time && others.iter().any(|(_, ready)| ready.is_some()) {
        let mut rng = Rng::stream(args.seed, games);
        let line = prover.play(&mut rng, args.step_limit as usize, start + args.time);
        for (row, ready) in &mut others {
            let Some(follower) = ready else { continue };
            match follower.follow(&line) {
                Ok(()) => row.states += line.states.len() as u64,
                Err((step, what)) => {
                    row.states += step as u64;
                    row.difference = Some(Difference { moves: line.joints[..step].to_vec(), what });
                    *ready = None;
                }
            }
        }
        games += 1;
        progress.show(0, 0, &plural(games as usize, "game"));
    }
    drop(progress);
    let seconds = start.elapsed().as_secs_f64();
    let reasoners: Vec<Row> = others.into_iter().map(|(row, _)| row).collect();
    let report = Report { game: source.name.clone(), seed: args.seed, games, seconds, reasoners };
    show(&report, out)?;
    if out.is_json() {
        out.value(&report)?;
    }
    let broken = report.reasoners.iter().any(|row| row.difference.is_some());
    Ok(if broken { Outcome::Broken } else { Outcome::Fine })
}

fn show(report: &Report, out: &mut Output) -> Result<()> {
    let mut table = Table::new(&["reasoner", ">states", ""]);
    for row in &report.reasoners {
        let verdict = match (&row.missing, &row.difference) {
            (Some(missing), _) => format!("not set up: {missing}"),
            (None, Some(difference)) => format!("differs {difference}"),
            (None, None) => "agrees with the prover".to_owned(),
        };
        table.row(vec![row.reasoner.name().to_owned(), grouped(row.states), verdict]);
    }
    out.line(table)?;
    out.line(format!(
        "{} of {} in {:.1} s",
        plural(report.games as usize, "random game"),
        report.game,
        report.seconds
    ))
}

/// What is known of a state, by names.
#[derive(Debug, PartialEq)]
struct Seen {
    over: bool,
    /// Where play is over.
    goals: Vec<Goal>,
    /// The legal moves of each role, sorted, where play goes on.
    legal: Vec<Vec<String>>,
    facts: Vec<String>,
}

/// A random game.
struct Line {
    joints: Vec<Vec<String>>,
    states: Vec<Seen>,
}

/// A reasoner, whatever the type of its states.
trait Follower {
    /// Plays a random game.
    fn play(&mut self, rng: &mut Rng, most: usize, until: Instant) -> Line;

    /// Follows a game; the step and the answer that differs first, if any does.
    fn follow(&mut self, line: &Line) -> std::result::Result<(), (usize, String)>;
}

struct Follow;

impl Work for Follow {
    type Output = Box<dyn Follower>;

    /// Long enough for nearly every rulesheet: the time of the comparison comes on top.
    fn patience(&self) -> Duration {
        Duration::from_secs(60)
    }

    fn run<G: Describe + 'static>(self, game: G) -> Box<dyn Follower> {
        Box::new(Of(game))
    }
}

struct Of<G>(G);

impl<G: Describe> Of<G> {
    /// Looks at a state; the limit that was hit, if one was.
    fn see(&mut self, state: &G::State) -> std::result::Result<Seen, Fault> {
        let Of(game) = self;
        let over = game.is_terminal(state);
        let mut goals = Vec::new();
        let mut legal = Vec::new();
        if over {
            goals.resize(game.role_count(), Goal::default());
            game.goals(state, &mut goals);
        } else {
            let mut moves = Vec::new();
            for role in Role::all(game.role_count()) {
                game.legal_moves(state, role, &mut moves);
                let mut names: Vec<String> =
                    moves.iter().map(|&mov| game.move_name(role, mov)).collect();
                names.sort_unstable();
                legal.push(names);
            }
        }
        let seen = Seen { over, goals, legal, facts: game.facts(state) };
        game.take_fault().map_or(Ok(seen), Err)
    }

    fn joint(&mut self, names: &[String]) -> Option<Vec<Move>> {
        Role::all(names.len()).zip(names).map(|(role, name)| self.0.find_move(role, name)).collect()
    }
}

impl<G: Describe> Follower for Of<G> {
    fn play(&mut self, rng: &mut Rng, most: usize, until: Instant) -> Line {
        let mut state = self.0.initial_state();
        let mut line = Line { joints: Vec::new(), states: Vec::new() };
        // A line ends before a state that is too hard for the prover.
        line.states.extend(self.see(&state).ok());
        while line.joints.len() < most && Instant::now() < until {
            let Some(last) = line.states.last() else { break };
            let choice: Option<Vec<String>> = last
                .legal
                .iter()
                .map(|names| names.get(rng.below(names.len().max(1))).cloned())
                .collect();
            let Some(names) = choice.filter(|_| !last.over) else { break };
            let Some(joint) = self.joint(&names) else { break };
            let mut next = state.clone();
            self.0.apply(&state, &joint, &mut next);
            state = next;
            let Ok(seen) = self.see(&state) else { break };
            line.states.push(seen);
            line.joints.push(names);
        }
        line
    }

    fn follow(&mut self, line: &Line) -> std::result::Result<(), (usize, String)> {
        let mut state = self.0.initial_state();
        for (step, expected) in line.states.iter().enumerate() {
            if step > 0 {
                let names = &line.joints[step - 1];
                let Some(joint) = self.joint(names) else {
                    return Err((step - 1, format!("it knows no move of {}", names.join(" "))));
                };
                let mut next = state.clone();
                self.0.apply(&state, &joint, &mut next);
                state = next;
            }
            let found = match self.see(&state) {
                Ok(found) => found,
                Err(fault) => return Err((step, format!("it hits a limit: {fault}"))),
            };
            if found != *expected {
                return Err((step, contrast(expected, &found)));
            }
        }
        Ok(())
    }
}

/// What differs, in words.
fn contrast(prover: &Seen, other: &Seen) -> String {
    let missing = |one: &[String], other: &[String]| {
        one.iter().find(|name| other.binary_search(name).is_err()).cloned()
    };
    if prover.over != other.over {
        let word = |over: bool| if over { "over" } else { "going on" };
        return format!("play is {} for the prover, {} here", word(prover.over), word(other.over));
    }
    if prover.goals != other.goals {
        return format!("goals {:?} for the prover, {:?} here", prover.goals, other.goals);
    }
    for (one, two) in prover.legal.iter().zip(&other.legal) {
        if let Some(name) = missing(one, two) {
            return format!("{name} is legal for the prover and not here");
        }
        if let Some(name) = missing(two, one) {
            return format!("{name} is legal here and not for the prover");
        }
    }
    if let Some(name) = missing(&prover.facts, &other.facts) {
        return format!("{name} holds for the prover and not here");
    }
    match missing(&other.facts, &prover.facts) {
        Some(name) => format!("{name} holds here and not for the prover"),
        None => "the same answers, some of them more than once".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_named() {
        let seen = |over, goal: f32, legal: &[&str], facts: &[&str]| {
            let words =
                |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
            Seen { over, goals: vec![Goal(goal)], legal: vec![words(legal)], facts: words(facts) }
        };
        let prover = seen(false, 0.0, &["a", "b"], &["f", "g"]);
        for (other, said) in [
            (
                seen(true, 0.0, &["a", "b"], &["f", "g"]),
                "play is going on for the prover, over here",
            ),
            (seen(false, 9.0, &["a", "b"], &["f", "g"]), "goals"),
            (seen(false, 0.0, &["b"], &["f", "g"]), "a is legal for the prover and not here"),
            (seen(false, 0.0, &["a", "b", "c"], &["f", "g"]), "c is legal here"),
            (seen(false, 0.0, &["a", "b"], &["f"]), "g holds for the prover and not here"),
            (seen(false, 0.0, &["a", "b"], &["f", "g", "h"]), "h holds here"),
        ] {
            let words = contrast(&prover, &other);
            assert!(words.contains(said), "{words}");
        }
    }
}
