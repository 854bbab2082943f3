//! The cells that moves mean: those that they name, or those that they change.

use gamegrove_game::{Describe, Move, Role};
use gamegrove_view::{Layout, Touch};

use crate::view::View;

/// The most moves without cells whose effects are looked at.
const MOST_EFFECTS: usize = 24;

/// The cells of each of the legal `moves` of a role in a state.
pub(crate) fn of_moves<G: Describe>(
    layout: &Layout,
    game: &mut G,
    state: &G::State,
    role: Role,
    moves: &[Move],
) -> Vec<Vec<Touch>> {
    let touches = |&mov: &Move| layout.touches(&game.move_name(role, mov));
    let mut found: Vec<Vec<Touch>> = moves.iter().map(touches).collect();
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
    let view = View::of(game, state);
    let joint = |pick: fn(&[Move]) -> Option<&Move>| -> Option<Vec<Move>> {
        let moves = Role::all(view.roles()).map(|each| match each == role {
            true => Some(mov),
            false => pick(view.legal(each)).copied(),
        });
        moves.collect()
    };
    let mut joints: Vec<Vec<Move>> =
        [joint(<[Move]>::first), joint(<[Move]>::last)].into_iter().flatten().collect();
    joints.dedup();
    let mut next = state.clone();
    let outcome = |joint: &Vec<Move>| {
        game.apply(state, joint, &mut next);
        game.take_fault().is_none().then(|| game.facts(&next))
    };
    joints.iter().filter_map(outcome).collect()
}
