//! The cells that moves mean: those that they name, or those that they change.

use gamegrove_game::{Describe, Move, Role};
use gamegrove_view::{Layout, Touch};

/// The most moves without cells whose effects are looked at.
const MOST_EFFECTS: usize = 24;

/// The cells of each of the legal `moves` of a role, whose terms are beside them.
pub fn of_moves<G: Describe>(
    layout: &Layout,
    game: &mut G,
    state: &G::State,
    role: Role,
    (moves, terms): (&[Move], &[String]),
) -> Vec<Vec<Touch>> {
    let mut found: Vec<Vec<Touch>> = terms.iter().map(|term| layout.touches(term)).collect();
    let bare: Vec<usize> = (0..moves.len()).filter(|&at| found[at].is_empty()).collect();
    if moves.len() < 2 || bare.is_empty() || bare.len() > MOST_EFFECTS {
        return found;
    }
    let after: Vec<Vec<Vec<String>>> =
        bare.iter().map(|&at| outcomes(game, state, role, moves[at])).collect();
    let mut effects = layout.effects(&game.facts(state), &after);
    let first = effects.first().and_then(|touches| touches.first()).copied();
    let same = |touches: &Vec<Touch>| touches.len() == 2 && touches.first().copied() == first;
    if bare.len() == moves.len() && effects.iter().filter(|touches| !touches.is_empty()).all(same) {
        // Only one piece can move: where it goes says enough.
        effects.iter_mut().filter(|touches| !touches.is_empty()).for_each(|touches| {
            touches.remove(0);
        });
    }
    for (at, touches) in bare.into_iter().zip(effects) {
        found[at] = touches;
    }
    found
}

/// The facts of the states that a move may lead to, for two choices of all other roles.
fn outcomes<G: Describe>(
    game: &mut G,
    state: &G::State,
    role: Role,
    mov: Move,
) -> Vec<Vec<String>> {
    let mut legal = Vec::new();
    let mut joints: [Vec<Move>; 2] = Default::default();
    for each in Role::all(game.role_count()) {
        game.legal_moves(state, each, &mut legal);
        let (Some(&first), Some(&last)) = (legal.first(), legal.last()) else { return Vec::new() };
        joints[0].push(if each == role { mov } else { first });
        joints[1].push(if each == role { mov } else { last });
    }
    let count = if joints[0] == joints[1] { 1 } else { 2 };
    let mut next = state.clone();
    let outcome = |joint: &Vec<Move>| {
        game.apply(state, joint, &mut next);
        match game.take_fault() {
            Some(_) => None,
            None => Some(game.facts(&next)),
        }
    };
    joints[..count].iter().filter_map(outcome).collect()
}
