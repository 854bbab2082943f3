//! Moves that are alike [Fernandes 2013, 4.1.3], against the rule written out plainly.

use crate::support;

use gamegrove_game::{Game, Move, Player, Rng, TypedMoves};
use gamegrove_octagon::symmetry::map_point;
use gamegrove_octagon::{MoveType, Octagon, State};

/// A place in a square: the class of its position, if it is one, and whose piece is there.
type Cell = (Option<(u8, u8)>, Option<bool>);

/// The square of three by three around a point, turned by a symmetry.
fn square(game: &Octagon, state: &State, (x, y): (i32, i32), symmetry: usize) -> Vec<Cell> {
    let holds = |role, at| game.board().members(state.pieces(role)).any(|other| other == at);
    let mut cells = Vec::new();
    for (dy, dx) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dy, dx))) {
        let (dx, dy) = map_point(symmetry, (dx, dy));
        let at = game.board().at((x + dx, y + dy));
        let owner = at.and_then(|at| {
            let other = gamegrove_game::Role(1 - state.mover().0);
            if holds(state.mover(), at) { Some(true) } else { holds(other, at).then_some(false) }
        });
        cells.push((at.map(|at| game.board().class(at)), owner));
    }
    cells
}

/// The three points of a single shove.
fn points(game: &Octagon, state: &State, mov: Move) -> Option<[(i32, i32); 3]> {
    let outcome = game.outcome(state, mov)?;
    let [shift] = outcome.shifts[..] else { return None };
    let (x, y) = game.board().point(shift.last);
    let (dx, dy) = gamegrove_octagon::board::DIRECTIONS[shift.direction];
    let beyond = (x + dx, y + dy);
    Some([game.board().point(outcome.placed), game.board().point(shift.leaves), beyond])
}

/// Whether two moves are alike; `each` lets every square be turned by itself.
fn alike(game: &Octagon, state: &State, [one, other]: [Move; 2], each: bool) -> bool {
    if one == other {
        return true;
    }
    let kinds = [one, other].map(|mov| game.move_type(state, mov));
    if kinds == [Some(MoveType::Free); 2] {
        let class = |mov| game.placement(mov).map(|(at, _)| game.board().class(at));
        return class(one) == class(other);
    }
    let (Some(first), Some(second)) = (points(game, state, one), points(game, state, other)) else {
        return false;
    };
    let same = |at: usize, symmetry: usize| {
        square(game, state, first[at], 0) == square(game, state, second[at], symmetry)
    };
    if each {
        (0..3).all(|at| (0..8).any(|symmetry| same(at, symmetry)))
    } else {
        (0..8).any(|symmetry| (0..3).all(|at| same(at, symmetry)))
    }
}

#[test]
fn groups_are_what_the_rule_says() {
    let mut rng = Rng::new(17);
    let mut shared = [0; 2];
    for (description, each) in [
        ("small", false),
        ("medium", false),
        ("large", false),
        ("small, cannon=line_shift", false),
        ("small, images=each", true),
    ] {
        let mut player = Player::new(support::game(description));
        let start = player.game.initial_state();
        let mut groups = Vec::new();
        for plies in [2, 3, 4, 6, 9, 14, 22] {
            player.random_game(&start, plies, &mut rng);
            let (game, state) = (&mut player.game, player.state);
            let mut moves = Vec::new();
            game.legal_moves(&state, state.mover(), &mut moves);
            game.groups(&state, state.mover(), &moves, &mut groups);
            assert_eq!(groups.len(), moves.len());
            for (at, &one) in moves.iter().enumerate() {
                for (other_at, &other) in moves.iter().enumerate().skip(at + 1) {
                    let expected = alike(game, &state, [one, other], each);
                    assert_eq!(
                        groups[at] == groups[other_at],
                        expected,
                        "{description}: {one:?} {other:?}\n{}",
                        game.draw(&state)
                    );
                    let free = game.move_type(&state, one) == Some(MoveType::Free);
                    shared[usize::from(free)] += u32::from(expected);
                }
            }
        }
    }
    assert!(shared.iter().all(|&count| count > 20), "{shared:?}");
}

#[test]
fn at_most_one_free_move_for_each_class() {
    let mut game = support::game("large");
    let state = game.initial_state();
    let (mut moves, mut groups) = (Vec::new(), Vec::new());
    game.legal_moves(&state, state.mover(), &mut moves);
    game.groups(&state, state.mover(), &moves, &mut groups);
    groups.sort_unstable();
    groups.dedup();
    assert_eq!(groups.len(), 16);
}

#[test]
fn the_waiting_player_has_one_move_of_its_own() {
    let mut game = support::game("small");
    let state = game.initial_state();
    let mut groups = Vec::new();
    let noop = game.noop();
    game.groups(&state, gamegrove_game::Role(1), &[noop], &mut groups);
    assert_eq!(groups.len(), 1);
}
