//! Names of moves for people: of the moves that were made, of a search's candidates, of nodes of a tree.

use gamegrove_game::{Describe, Move, Role};

use crate::drawing::Artist;
use crate::think::Insight;

/// The most legal moves that are named together, so that equal names are told apart.
const MOST_TOGETHER: usize = 300;
/// The candidates of a search whose lines are written; others have none, because their terms mean little to people.
const LINES: usize = 12;

/// The name of a move of a role in a state.
pub fn of_move<G: Describe, A: Artist<G>>(
    artist: &A,
    game: &mut G,
    state: &G::State,
    (role, mov): (Role, Move),
) -> String {
    let term = game.move_name(role, mov);
    let mut terms = vec![term.clone()];
    if artist.names_moves() {
        let mut legal = Vec::new();
        game.legal_moves(state, role, &mut legal);
        if legal.len() <= MOST_TOGETHER && legal.contains(&mov) {
            terms = legal.iter().map(|&mov| game.move_name(role, mov)).collect();
        }
    }
    artist.names(game, state, &terms).of(&term).map(str::to_owned).unwrap_or(term)
}

/// The names of the moves of a step.
pub fn of_joint<G: Describe, A: Artist<G>>(
    artist: &A,
    game: &mut G,
    state: &G::State,
    joint: &[Move],
) -> Vec<String> {
    let moves = Role::all(joint.len()).zip(joint.iter().copied());
    moves.map(|each| of_move(artist, game, state, each)).collect()
}

/// Names the candidates of a search at `state` and what is expected to follow.
pub fn of_insight<G: Describe, A: Artist<G>>(
    artist: &A,
    game: &mut G,
    state: &G::State,
    insight: &mut Insight,
) {
    let Some(role) = Role::all(game.role_count()).nth(insight.role) else { return };
    for (number, candidate) in insight.moves.iter_mut().enumerate() {
        let Some(mov) = find(game, state, role, &candidate.name) else { continue };
        candidate.short = of_move(artist, game, state, (role, mov));
        if !artist.names_moves() {
            continue;
        }
        if number >= LINES {
            candidate.line.clear();
            continue;
        }
        let mut state = state.clone();
        let mut chosen = vec![(role, mov)];
        for step in &mut candidate.line {
            let Some(next) = after(game, &state, &chosen) else { break };
            state = next;
            let Some(found) = read(game, &state, step) else { break };
            chosen = found;
            let names = chosen.iter().map(|&each| of_move(artist, game, &state, each));
            *step = names.collect::<Vec<String>>().join(" and ");
        }
    }
}

/// The legal move of a role with this term.
fn find<G: Describe>(game: &mut G, state: &G::State, role: Role, term: &str) -> Option<Move> {
    let mut legal = Vec::new();
    game.legal_moves(state, role, &mut legal);
    legal.iter().copied().find(|&mov| game.move_name(role, mov) == term)
}

/// The state after moves of some roles, where each other role has only one.
fn after<G: Describe>(game: &mut G, state: &G::State, chosen: &[(Role, Move)]) -> Option<G::State> {
    if game.is_terminal(state) {
        return None;
    }
    let mut legal = Vec::new();
    let mut joint = Vec::new();
    for role in Role::all(game.role_count()) {
        let known = chosen.iter().find(|(who, _)| *who == role).map(|&(_, mov)| mov);
        game.legal_moves(state, role, &mut legal);
        joint.push(known.or_else(|| legal.first().copied().filter(|_| legal.len() == 1))?);
    }
    let mut next = state.clone();
    game.apply(state, &joint, &mut next);
    game.take_fault().is_none().then_some(next)
}

/// The moves whose terms stand one after another in `text`, each of another role that has a choice.
fn read<G: Describe>(game: &mut G, state: &G::State, text: &str) -> Option<Vec<(Role, Move)>> {
    let mut rest = text;
    let mut found = Vec::new();
    let mut legal = Vec::new();
    for role in Role::all(game.role_count()) {
        game.legal_moves(state, role, &mut legal);
        if legal.len() < 2 {
            continue;
        }
        let begins = |mov: &Move| {
            let term = game.move_name(role, *mov);
            let after = rest.strip_prefix(&*term)?;
            (after.is_empty() || after.starts_with(' ')).then_some((*mov, after.trim_start().len()))
        };
        if let Some((mov, left)) = legal.iter().filter_map(begins).min_by_key(|(_, left)| *left) {
            rest = &rest[rest.len() - left..];
            found.push((role, mov));
        }
    }
    (rest.is_empty() && !found.is_empty()).then_some(found)
}
