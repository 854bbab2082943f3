//! A position of a game, reached by moves that somebody typed.

use gamegrove_game::{Move, Role};

use crate::commands::stopped;
use crate::failure::{Failure, Result};
use gamegrove_play::names::{did_you_mean, nearest};
use gamegrove_play::text::printable;
use gamegrove_play::{Board, State};

/// The state after the moves in `text`, from the start.
///
/// Moves stand one after another, those of one step in the order of the roles. A role that has only
/// one legal move may be left out, so that turn-taking games read as they are written down.
pub fn after(board: &dyn Board, text: &str) -> Result<State> {
    let mut state = board.start(0);
    let terms = terms(text)?;
    let mut rest = terms.as_slice();
    let mut number = 0;
    while !rest.is_empty() {
        number += 1;
        let before = rest.len();
        let joint = joint(board, &state, &mut rest, number)?;
        if rest.len() == before {
            return Err(unfit(format!("{} is no legal move in step {number}", printable(rest[0]))));
        }
        state = board.next(&state, &joint).map_err(|fault| stopped(&fault))?;
    }
    Ok(state)
}

/// The joint move of one step, with what was typed of it taken off `rest`.
fn joint(board: &dyn Board, state: &State, rest: &mut &[&str], step: usize) -> Result<Vec<Move>> {
    let view = board.view(state).map_err(|fault| stopped(&fault))?;
    if view.is_over() {
        return Err(unfit(format!("the game is over before step {step}")));
    }
    let mut joint = Vec::new();
    for role in Role::all(view.roles()) {
        let legal = view.legal(role);
        let named = rest.first().and_then(|term| {
            legal.iter().copied().find(|&mov| same(&board.move_name(role, mov), term))
        });
        let mov = match (named, legal) {
            (Some(mov), _) => {
                *rest = &rest[1..];
                mov
            }
            (None, [only]) => *only,
            (None, legal) => return Err(missing(board, role, legal, rest.first(), step)),
        };
        joint.push(mov);
    }
    Ok(joint)
}

fn missing(
    board: &dyn Board,
    role: Role,
    legal: &[Move],
    term: Option<&&str>,
    step: usize,
) -> Failure {
    let role_name = &board.about().roles[role.index()];
    let Some(term) = term else {
        return unfit(format!("{} has no move in step {step}", printable(role_name)));
    };
    let names: Vec<String> = legal.iter().map(|&mov| board.move_name(role, mov)).collect();
    let message =
        format!("{} is no legal move of {} in step {step}", printable(term), printable(role_name));
    match did_you_mean(&nearest(term, names.iter().map(String::as_str))) {
        Some(suggestion) => Failure::usage(message, suggestion),
        None => unfit(message),
    }
}

fn unfit(message: String) -> Failure {
    Failure::usage(message, "`grove play GAME` lists the legal moves of each step")
}

/// Whether two terms are the same, whatever their case and spaces.
fn same(one: &str, other: &str) -> bool {
    let words = |text: &str| {
        let spaced = text.replace('(', " ( ").replace(')', " ) ").to_lowercase();
        spaced.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    words(one) == words(other)
}

/// The terms of a text: words, and lists in parentheses.
fn terms(text: &str) -> Result<Vec<&str>> {
    let mut terms = Vec::new();
    let (mut depth, mut start) = (0usize, None);
    for (at, symbol) in text.char_indices() {
        let ends = match symbol {
            '(' => {
                if depth == 0
                    && let Some(start) = start.take()
                {
                    terms.push(&text[start..at]);
                }
                start = start.or(Some(at));
                depth += 1;
                false
            }
            ')' if depth == 0 => {
                return Err(Failure::usage("a `)` without its `(` in --moves", ""));
            }
            ')' => {
                depth -= 1;
                if depth == 0
                    && let Some(start) = start.take()
                {
                    terms.push(&text[start..=at]);
                }
                false
            }
            symbol => depth == 0 && (symbol.is_whitespace() || symbol == ','),
        };
        if ends {
            terms.extend(start.take().map(|start| &text[start..at]));
        } else if symbol != ')' {
            start = start.or(Some(at));
        }
    }
    if depth > 0 {
        return Err(Failure::usage("a `(` without its `)` in --moves", ""));
    }
    terms.extend(start.map(|start| &text[start..]));
    Ok(terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_words_and_lists() {
        let read = |text| terms(text).expect("balanced");
        assert_eq!(
            read("(mark 1 1) noop,(move (a b) c)x"),
            ["(mark 1 1)", "noop", "(move (a b) c)", "x"]
        );
        assert_eq!(read("  "), [""; 0]);
        assert!(terms("(a").is_err() && terms("a)").is_err());
        assert!(same("( mark 1  1 )", "(MARK 1 1)"));
    }
}
