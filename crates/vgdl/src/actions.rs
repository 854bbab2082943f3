//! Sequences of actions as text.
//!
//! Plain: one line a tick with one action per player, separated by blanks or commas; in a game for
//! one player a line may hold several ticks. `#` starts a comment. JSON: a list of ticks, each an
//! action or a list of one per player; an object with such a list under `moves`, as `grove play
//! --json` writes it; or recorded lines, whose `a` is one tick.

use std::fmt;

use serde_json::Value;

use crate::ontology::Action;

/// Most ticks of a sequence; a game has far fewer.
pub const MAX_ACTIONS: usize = 1_000_000;

/// A text that is not a sequence of actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadActions {
    /// The line, counted from 1.
    pub line: usize,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for BadActions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for BadActions {}

/// Reads a sequence of actions for a game with so many players, see the module's head.
///
/// # Errors
/// Names the first line that is not a list of actions.
pub fn parse(text: &str, players: usize) -> Result<Vec<Vec<Action>>, BadActions> {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let ticks = match start.as_bytes().first() {
        Some(b'[') => list_of(start, players)?,
        Some(b'{') => objects(start, players)?,
        _ => plain(text, players)?,
    };
    if ticks.len() > MAX_ACTIONS {
        let reason = format!("more than {MAX_ACTIONS} ticks");
        return Err(BadActions { line: 1, reason });
    }
    Ok(ticks)
}

fn plain(text: &str, players: usize) -> Result<Vec<Vec<Action>>, BadActions> {
    let mut ticks = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let bad = |reason| BadActions { line: number, reason };
        let line = line.split('#').next().unwrap_or_default();
        let words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty());
        let actions: Vec<Action> =
            words.map(|word| action(word).map_err(bad)).collect::<Result<_, _>>()?;
        if players == 1 {
            ticks.extend(actions.into_iter().map(|action| vec![action]));
        } else if !actions.is_empty() {
            ticks.push(joint(actions, players).map_err(bad)?);
        }
    }
    Ok(ticks)
}

fn list_of(text: &str, players: usize) -> Result<Vec<Vec<Action>>, BadActions> {
    let value: Value = serde_json::from_str(text).map_err(|error| broken(&error, 0))?;
    list(&value, players).map_err(|reason| BadActions { line: 1, reason })
}

/// One object with all moves, or one object a line.
fn objects(text: &str, players: usize) -> Result<Vec<Vec<Action>>, BadActions> {
    if let Ok(Value::Object(whole)) = serde_json::from_str(text)
        && let Some(moves) = whole.get("moves")
    {
        return list(moves, players).map_err(|reason| BadActions { line: 1, reason });
    }
    let mut ticks = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let bad = |reason| BadActions { line: number + 1, reason };
        if line.trim().is_empty() {
            continue;
        }
        let value: Value = serde_json::from_str(line).map_err(|error| broken(&error, number))?;
        // Headers and the start have no actions.
        if let Some(actions) = value.get("a") {
            ticks.push(tick(actions, players).map_err(bad)?);
        }
    }
    Ok(ticks)
}

fn broken(error: &serde_json::Error, lines_before: usize) -> BadActions {
    BadActions { line: lines_before + error.line().max(1), reason: format!("no JSON: {error}") }
}

fn list(value: &Value, players: usize) -> Result<Vec<Vec<Action>>, String> {
    let ticks = value.as_array().ok_or("the moves are not a list")?;
    ticks.iter().map(|one| tick(one, players)).collect()
}

fn tick(value: &Value, players: usize) -> Result<Vec<Action>, String> {
    let name = |value: &Value| match value.as_str() {
        Some(name) => action(name),
        None => Err(format!("{} is not an action", shortened(&value.to_string()))),
    };
    let actions = match value {
        Value::Array(names) => names.iter().map(name).collect::<Result<_, _>>()?,
        one => vec![name(one)?],
    };
    joint(actions, players)
}

/// Missing actions are none; too many are a mistake.
fn joint(mut actions: Vec<Action>, players: usize) -> Result<Vec<Action>, String> {
    if actions.len() > players {
        return Err(format!("{} actions for {players} players", actions.len()));
    }
    actions.resize(players, Action::Nil);
    Ok(actions)
}

fn action(word: &str) -> Result<Action, String> {
    Action::named(word).ok_or_else(|| {
        let names = Action::ALL.map(Action::name).join(", ");
        format!("`{}` is not an action; the actions are {names}", shortened(word))
    })
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use Action::{Left, Nil, Right, Up, Use};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn all_forms_are_read() {
        let two = [vec![Left, Use], vec![Up, Nil], vec![Right, Nil]];
        for text in [
            "LEFT,USE\n\n# a comment\nACTION_UP nil # another\nright\n",
            r#"[["LEFT", "USE"], ["ACTION_UP"], "right"]"#,
            r#"{"seed": 1, "moves": [["LEFT", "USE"], ["UP", "NIL"], ["RIGHT"]]}"#,
            "{\"trace\": \"x\"}\n{\"t\": -1}\n{\"t\":0,\"a\":[\"LEFT\",\"USE\"]}\n\
             {\"a\":[\"UP\",\"NIL\"]}\n{\"a\":[\"RIGHT\"]}\n",
        ] {
            assert_eq!(parse(text, 2).as_deref(), Ok(&two[..]), "{text}");
        }
        assert_eq!(parse("left up\r\nUSE", 1), Ok(vec![vec![Left], vec![Up], vec![Use]]));
        assert_eq!(parse("", 1), Ok(Vec::new()));
        assert_eq!(parse("[]", 1), Ok(Vec::new()));
    }

    #[test]
    fn mistakes_are_placed() {
        let mistake = |text: &str, players| {
            parse(text, players).map_err(|bad| bad.to_string()).expect_err("a mistake")
        };
        assert_eq!(
            mistake("LEFT\nFLY\n", 1),
            "line 2: `FLY` is not an action; the actions are NIL, UP, LEFT, DOWN, RIGHT, USE"
        );
        assert_eq!(mistake("UP UP UP", 2), "line 1: 3 actions for 2 players");
        assert_eq!(mistake("[[\"UP\", 3]]", 2), "line 1: 3 is not an action");
        assert!(mistake("[\"UP\",\n", 1).starts_with("line 2: no JSON: "), "{}", mistake("[\n", 1));
        assert!(mistake("{\"a\":[]}\n{", 1).starts_with("line 2: no JSON: "));
        assert_eq!(mistake("{\"moves\": 3}", 1), "line 1: the moves are not a list");
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "\\PC{0,60}", players in 1usize..4) {
            for text in [text.clone(), format!("[{text}"), format!("{{{text}")] {
                let _ = parse(&text, players);
            }
        }
    }
}
