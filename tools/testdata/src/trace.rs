//! Games that other systems played, replayed on ours.

use std::path::Path;

use gamegrove_game::{Describe, Goal, Role};
use sha1::{Digest, Sha1};

/// The record of another system about one state.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The game the state belongs to, and its place there.
    pub place: (usize, usize),
    /// The number and hash of the facts, or the facts themselves.
    pub facts: Set,
    /// Whether play was over.
    pub terminal: Option<bool>,
    /// The number of legal moves of each role.
    pub legal_counts: Vec<usize>,
    /// All legal moves, as `role move`.
    pub legal: Set,
    /// The moves made, in role order; empty at the end.
    pub joint: Vec<String>,
    /// The goals, in role order, where they are given.
    pub goals: Vec<f32>,
}

/// A set of sentences, known by its number and hash.
#[derive(Clone, Debug, Default)]
pub struct Set {
    /// How many sentences, if known.
    pub count: Option<usize>,
    /// The first twelve digits of the hash; empty if unknown.
    pub hash: String,
}

impl Set {
    fn of(mut sentences: Vec<String>) -> Set {
        sentences.sort_unstable();
        let digest = Sha1::digest(sentences.join("\n").as_bytes());
        let hash: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        Set { count: Some(sentences.len()), hash }
    }

    fn compare(&self, what: &str, ours: Vec<String>) -> Result<(), String> {
        let listed = ours.join(" ");
        let ours = Set::of(ours);
        if self.count.is_some_and(|count| Some(count) != ours.count)
            || (!self.hash.is_empty() && self.hash != ours.hash)
        {
            return Err(format!("{what} differ: expected {self:?}, found {ours:?}: {listed}"));
        }
        Ok(())
    }
}

/// Reads a table of records: match, step, number and hash of facts, end, numbers and hash of legal
/// moves, joint move, goals.
pub fn read_trace(path: &Path) -> Vec<Record> {
    let text = std::fs::read_to_string(path).expect("a readable trace");
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let cell = |at: usize| cells.get(at).copied().unwrap_or("").trim();
            let numbers = |at: usize| cell(at).split(',').filter(|n| !n.is_empty());
            Record {
                place: (cell(0).parse().expect("match"), cell(1).parse().expect("step")),
                facts: Set { count: cell(2).parse().ok(), hash: cell(3).into() },
                terminal: Some(cell(4) == "1"),
                legal_counts: numbers(5).map(|n| n.parse().expect("count")).collect(),
                legal: Set { count: None, hash: cell(6).into() },
                joint: cell(7)
                    .split('|')
                    .map(|part| part.trim().to_owned())
                    .filter(|part| !part.is_empty())
                    .collect(),
                goals: numbers(8).map(|n| n.parse().unwrap_or(f32::NAN)).collect(),
            }
        })
        .collect()
}

/// Reads a game recorded as XML: every state, all legal moves, the moves made, the goals.
pub fn read_xml_trace(path: &Path, roles: &[String]) -> Vec<Record> {
    let text = std::fs::read_to_string(path).expect("a readable trace");
    let within = |text: &str, tag: &str| -> Option<String> {
        let start = text.find(&format!("<{tag}>"))? + tag.len() + 2;
        let end = text.find(&format!("</{tag}>"))?;
        Some(text[start..end].to_owned())
    };
    // `<move role="r">m</move>` and the like, as pairs.
    let pairs = |text: &str, tag: &str| -> Vec<(String, String)> {
        text.split(&format!("<{tag} role=\""))
            .skip(1)
            .filter_map(|part| {
                let (role, rest) = part.split_once("\">")?;
                Some((role.to_lowercase(), rest.split_once("</")?.0.trim().to_lowercase()))
            })
            .collect()
    };
    text.split("<step nb=")
        .skip(1)
        .enumerate()
        .map(|(step, part)| {
            let state = within(part, "state").unwrap_or_default();
            let facts = state
                .split("<fluent>")
                .skip(1)
                .filter_map(|f| Some(f.split_once("</fluent>")?.0.trim().to_lowercase()))
                .collect();
            let legal = pairs(&within(part, "legal_moves").unwrap_or_default(), "move");
            let moves = pairs(&within(part, "moves").unwrap_or_default(), "move");
            let goals = pairs(part, "goal_value");
            let by_role = |list: &[(String, String)]| -> Vec<String> {
                let of = |role: &String| list.iter().find(|(r, _)| r == role);
                roles.iter().filter_map(|role| Some(of(role)?.1.clone())).collect()
            };
            Record {
                place: (0, step),
                facts: Set::of(facts),
                terminal: Some(part.contains("<terminal/>")),
                legal_counts: Vec::new(),
                legal: if legal.is_empty() {
                    Set::default()
                } else {
                    Set::of(legal.iter().map(|(role, mov)| format!("{role} {mov}")).collect())
                },
                joint: by_role(&moves),
                goals: by_role(&goals).iter().filter_map(|goal| goal.parse().ok()).collect(),
            }
        })
        .collect()
}

/// Replays records on a game and compares every answer; the number of states compared, or the
/// first difference.
pub fn replay<G: Describe>(game: &mut G, records: &[Record]) -> Result<usize, String> {
    let roles: Vec<Role> = Role::all(game.role_count()).collect();
    let mut state = game.initial_state();
    for record in records {
        if record.place.1 == 0 {
            state = game.initial_state();
        }
        step(game, &mut state, &roles, record)
            .map_err(|what| format!("match {} step {}: {what}", record.place.0, record.place.1))?;
    }
    Ok(records.len())
}

fn step<G: Describe>(
    game: &mut G,
    state: &mut G::State,
    roles: &[Role],
    record: &Record,
) -> Result<(), String> {
    record.facts.compare("facts", game.facts(state))?;
    let terminal = game.is_terminal(state);
    if record.terminal.is_some_and(|expected| expected != terminal) {
        return Err(format!("terminal: found {terminal}"));
    }
    if !record.goals.is_empty() {
        let mut goals = vec![Goal::default(); roles.len()];
        game.goals(state, &mut goals);
        let ours: Vec<f32> = goals.iter().map(|goal| goal.0).collect();
        if ours != record.goals {
            return Err(format!("goals: expected {:?}, found {ours:?}", record.goals));
        }
    }
    if record.joint.is_empty() {
        return Ok(());
    }
    let (mut all, mut counts, mut joint) = (Vec::new(), Vec::new(), Vec::new());
    let mut moves = Vec::new();
    for (&role, wanted) in roles.iter().zip(&record.joint) {
        game.legal_moves(state, role, &mut moves);
        counts.push(moves.len());
        let name = game.role_name(role);
        for &mov in &moves {
            let text = game.move_name(role, mov);
            if text == *wanted {
                joint.push(mov);
            }
            all.push(format!("{name} {text}"));
        }
        if joint.len() != counts.len() {
            return Err(format!("{wanted} is not legal for {name}: {all:?}"));
        }
        if game.find_move(role, wanted) != joint.last().copied() {
            return Err(format!("{wanted} is not found by its name"));
        }
    }
    if !record.legal_counts.is_empty() && record.legal_counts != counts {
        return Err(format!("legal moves: expected {:?}, found {counts:?}", record.legal_counts));
    }
    record.legal.compare("legal moves", all)?;
    let current = state.clone();
    game.apply(&current, &joint, state);
    Ok(())
}
