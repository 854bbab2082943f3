//! Whether reasoners give the same answers along random games of a rulesheet [Sironi 2019, 4.3.1].
//!
//! The first, a prover, plays random games. Every other reasoner follows them by the names of moves and is
//! asked about every state: whether play is over, the goals, the legal moves of each role, the facts.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gamegrove_game::{Fault, Goal, Move, Rng, Role};
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::{Board, State, View};
use serde::Serialize;

/// How reasoners are compared.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The seed of the random games.
    pub seed: u64,
    /// Steps after which a random game is given up.
    pub step_limit: usize,
    /// No further game is started after this time.
    pub time: Duration,
}

/// A reasoner to compare, or why it could not be set up.
pub type Candidate = (Reasoner, Result<Arc<dyn Board>, String>);

/// The result of a comparison.
#[derive(Debug, Serialize)]
pub struct Agreement {
    /// Random games that the prover played, to their end or the limit of steps.
    pub games: u64,
    /// The time it took.
    pub seconds: f64,
    /// By reasoner.
    pub reasoners: Vec<Row>,
}

/// What one reasoner did.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The reasoner.
    pub reasoner: Reasoner,
    /// States about which it gave the prover's answers.
    pub states: u64,
    /// Why it could not be set up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The first answer that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}

/// Where answers differ.
#[derive(Debug, Serialize)]
pub struct Difference {
    /// The joint moves up to there.
    pub moves: Vec<Vec<String>>,
    /// What was asked, and both answers.
    pub what: String,
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

/// Compares reasoners with `prover`; those that could not be set up come with the reason. `heard` is told how
/// many games were played.
pub fn agree(
    prover: &dyn Board,
    others: Vec<Candidate>,
    setup: Setup,
    heard: &mut dyn FnMut(u64),
) -> Agreement {
    let mut others: Vec<(Row, Option<Arc<dyn Board>>)> = others
        .into_iter()
        .map(|(reasoner, ready)| {
            let missing = ready.as_ref().err().cloned();
            (Row { reasoner, states: 0, missing, difference: None }, ready.ok())
        })
        .collect();
    let (start, mut games) = (Instant::now(), 0);
    while start.elapsed() < setup.time && others.iter().any(|(_, ready)| ready.is_some()) {
        let mut rng = Rng::stream(setup.seed, games);
        let line = random_game(prover, &mut rng, setup.step_limit, start + setup.time);
        for (row, ready) in &mut others {
            let Some(follower) = ready else { continue };
            match follow(&**follower, &line) {
                Ok(()) => row.states += line.states.len() as u64,
                Err((step, what)) => {
                    row.states += step as u64;
                    row.difference = Some(Difference { moves: line.joints[..step].to_vec(), what });
                    *ready = None;
                }
            }
        }
        games += 1;
        heard(games);
    }
    let seconds = start.elapsed().as_secs_f64();
    Agreement { games, seconds, reasoners: others.into_iter().map(|(row, _)| row).collect() }
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

/// Looks at a state; the limit that was hit, if one was.
fn see(board: &dyn Board, state: &State) -> Result<Seen, Fault> {
    let mut seen = Seen { over: false, goals: Vec::new(), legal: Vec::new(), facts: Vec::new() };
    match board.view(state)? {
        View::Over(goals) => {
            seen.over = true;
            seen.goals = goals.into_iter().map(Goal).collect();
        }
        View::Open(legal) => {
            for role in Role::all(board.about().roles.len()) {
                let moves = legal.of(role).iter();
                let mut names: Vec<String> = moves.map(|&mov| board.move_name(role, mov)).collect();
                names.sort_unstable();
                seen.legal.push(names);
            }
        }
    }
    seen.facts = board.facts(state);
    Ok(seen)
}

fn joint(board: &dyn Board, names: &[String]) -> Option<Vec<Move>> {
    Role::all(names.len()).zip(names).map(|(role, name)| board.find_move(role, name)).collect()
}

/// Plays a random game. It ends before a state that is too hard for the reasoner.
fn random_game(board: &dyn Board, rng: &mut Rng, most: usize, until: Instant) -> Line {
    let mut state = board.start(0);
    let mut line = Line { joints: Vec::new(), states: Vec::new() };
    line.states.extend(see(board, &state).ok());
    while line.joints.len() < most && Instant::now() < until {
        let Some(last) = line.states.last() else { break };
        let choice: Option<Vec<String>> = last
            .legal
            .iter()
            .map(|names| names.get(rng.below(names.len().max(1))).cloned())
            .collect();
        let Some(names) = choice.filter(|_| !last.over) else { break };
        let Some(joint) = joint(board, &names) else { break };
        let Ok(next) = board.next(&state, &joint) else { break };
        state = next;
        let Ok(seen) = see(board, &state) else { break };
        line.states.push(seen);
        line.joints.push(names);
    }
    line
}

/// Follows a game; the step and the answer that differs first, if any does.
fn follow(board: &dyn Board, line: &Line) -> Result<(), (usize, String)> {
    let mut state = board.start(0);
    for (step, expected) in line.states.iter().enumerate() {
        let limit = |fault: Fault| (step, format!("it hits a limit: {fault}"));
        if step > 0 {
            let names = &line.joints[step - 1];
            let joint = joint(board, names)
                .ok_or_else(|| (step - 1, format!("it knows no move of {}", names.join(" "))))?;
            state = board.next(&state, &joint).map_err(limit)?;
        }
        let found = see(board, &state).map_err(limit)?;
        if found != *expected {
            return Err((step, contrast(expected, &found)));
        }
    }
    Ok(())
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
