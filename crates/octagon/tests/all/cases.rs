//! Single rules, as pictures [Fernandes 2013, 2.2]. X is to place.

use crate::support;

use gamegrove_game::{Describe, Game, Goal, Role};
use gamegrove_octagon::{MoveType, Octagon, PictureError, State};

/// Plays the placement called `name` in `picture` and compares board and type. The placement need
/// not be listed under that name.
fn check(options: &str, picture: &str, name: &str, kind: MoveType, expected: &str) {
    let mut game = support::game(&format!("small, moves=every_placement, {options}"));
    let state = game.read_picture(picture, 0).unwrap();
    let next = play(&mut game, &state, name, kind);
    let wanted = game.read_picture(expected, 1).unwrap();
    for role in Role::all(2) {
        let (found, wanted) = (next.pieces(role), wanted.pieces(role));
        assert_eq!(found, wanted, "{options} {name}\n{}", game.draw(&next));
    }
    // The unique move that does the same leads to the same board.
    let unique = support::game(&format!("small, {options}"));
    let mov = game.find_move(Role(0), name).unwrap();
    let (position, placement) = game.placement(mov).unwrap();
    let same = unique.equivalent(&state, position, placement).unwrap();
    let mut unique = unique;
    assert!(unique.is_legal(&state, Role(0), same));
    let mut other = state;
    unique.apply(&state, &[same, unique.noop()], &mut other);
    assert_eq!(other.score(), next.score());
    assert_eq!(other.pieces(Role(1)), next.pieces(Role(1)));
}

fn play(game: &mut Octagon, state: &State, name: &str, kind: MoveType) -> State {
    let mov = game.find_move(Role(0), name).unwrap();
    assert!(game.is_legal(state, Role(0), mov), "{name}");
    assert_eq!(game.move_type(state, mov), Some(kind), "{name}");
    let mut next = *state;
    game.apply(state, &[mov, game.noop()], &mut next);
    next
}

/// Both cannon rules agree where lines have one piece.
fn check_both(picture: &str, name: &str, kind: MoveType, expected: &str) {
    check("cannon=last_piece", picture, name, kind, expected);
    check("cannon=line_shift", picture, name, kind, expected);
}

#[test]
fn single_push() {
    check_both(
        "  ...   \n .....  \n ..O.... \n ...#... \n ....... \n .....  \n ...",
        "b5-1e",
        MoveType::Push,
        "  ...   \n .....  \n .X.O... \n ...#... \n ....... \n .....  \n ...",
    );
}

#[test]
fn kill_at_a_straight_edge() {
    check_both(
        "... \n ..... \n ......O \n ...#... \n ....... \n ..... \n ...",
        "f5-1e",
        MoveType::Kill,
        "... \n ..... \n .....X. \n ...#... \n ....... \n ..... \n ...",
    );
}

#[test]
fn kill_at_a_diagonal_edge() {
    // f6 is on the cut corner: north-east of it is no position.
    check_both(
        "... \n ....O \n ....... \n ...#... \n ....... \n ..... \n ...",
        "e5-1ne",
        MoveType::Kill,
        "... \n ..... \n ....X.. \n ...#... \n ....... \n ..... \n ...",
    );
}

#[test]
fn kill_into_the_hole() {
    check_both(
        "... \n ..... \n ....... \n ..O#... \n ....... \n ..... \n ...",
        "b4-1e",
        MoveType::Kill,
        "... \n ..... \n ....... \n .X.#... \n ....... \n ..... \n ...",
    );
}

#[test]
fn nothing_is_pushed_across_the_hole() {
    // The line ends in the hole; what is on its far side stays.
    let before = "... \n ..... \n ....... \n .OO#O.. \n ....... \n ..... \n ...";
    let last = "... \n ..... \n ....... \n XO.#O.. \n ....... \n ..... \n ...";
    let line = "... \n ..... \n ....... \n X.O#O.. \n ....... \n ..... \n ...";
    check("cannon=last_piece", before, "a4-1e", MoveType::Kill, last);
    check("cannon=line_shift", before, "a4-1e", MoveType::Kill, line);
}

#[test]
fn cannon_of_two_and_three() {
    let two = "... \n ..... \n ....... \n ...#... \n .OO.... \n ..... \n ...";
    let last = "... \n ..... \n ....... \n ...#... \n XO.O... \n ..... \n ...";
    let line = "... \n ..... \n ....... \n ...#... \n X.OO... \n ..... \n ...";
    check("cannon=last_piece", two, "a3-1e", MoveType::Push, last);
    check("cannon=line_shift", two, "a3-1e", MoveType::Push, line);
    let three = "... \n ..... \n ....... \n ...#... \n ....OOO \n ..... \n ...";
    let last = "... \n ..... \n ....... \n ...#... \n ...XOO. \n ..... \n ...";
    let line = "... \n ..... \n ....... \n ...#... \n ...X.OO \n ..... \n ...";
    check("cannon=last_piece", three, "d3-1e", MoveType::Kill, last);
    check("cannon=line_shift", three, "d3-1e", MoveType::Kill, line);
}

#[test]
fn a_line_that_meets_a_piece_of_the_mover_is_blocked() {
    check_both(
        "... \n ..... \n ....... \n ...#... \n .OOX... \n ..... \n ...",
        "a3-1e",
        MoveType::Press,
        "... \n ..... \n ....... \n ...#... \n XOOX... \n ..... \n ...",
    );
}

#[test]
fn pieces_of_the_mover_are_not_moved() {
    check_both(
        "... \n ..... \n ....... \n ...#... \n .X..... \n ..... \n ...",
        "a3-8",
        MoveType::Press,
        "... \n ..... \n ....... \n ...#... \n XX..... \n ..... \n ...",
    );
}

#[test]
fn eight_effects_at_once() {
    // Three fall over the edge, one into the hole, four move a step.
    check_both(
        "... \n ..... \n ....OOO \n ...#O.O \n ....OOO \n ..... \n ...",
        "f4-8",
        MoveType::Kill,
        "... \n ..O.O \n ....... \n ...#.X. \n ....... \n ..O.O \n ...",
    );
}

#[test]
fn free_and_press() {
    let empty = "... \n ..... \n ....... \n ...#... \n ....... \n ..... \n ...";
    let placed = "... \n ..... \n ....... \n ...#... \n ....... \n .X... \n ...";
    check_both(empty, "c2-4se", MoveType::Free, placed);
    let enemy = "... \n ..... \n ....... \n ...#... \n ....... \n ..O.. \n ...";
    let beside = "... \n ..... \n ....... \n ...#... \n ....... \n .XO.. \n ...";
    check_both(enemy, "c2-1w", MoveType::Press, beside);
}

#[test]
fn two_pieces() {
    let cross = "... \n ..... \n ....... \n ...#O.. \n ...O.O. \n ....O \n ...";
    // East and west of e3.
    let opposite = "... \n ..... \n ....... \n ...#O.. \n ..O.X.O \n ....O \n ...";
    check("two_piece=opposite", cross, "e3-2e", MoveType::Push, opposite);
    // East and south of e3.
    let angle = "... \n ..... \n ....... \n ...#O.. \n ...OX.O \n ....O \n ...";
    check("two_piece=right_angle", cross, "e3-2e", MoveType::Push, angle);
}

#[test]
fn a_quiet_placement_takes_the_weakest_piece() {
    let mut game = support::game("small");
    let start = game.initial_state();
    let mov = game.find_move(Role(0), "c2").unwrap();
    assert_eq!(game.outcome(&start, mov).unwrap().piece.to_string(), "1");
    let mut next = start;
    game.apply(&start, &[mov, game.noop()], &mut next);
    assert_eq!(next.stock(Role(0)), start.stock(Role(0)));
}

#[test]
fn the_majority_wins() {
    let mut game = support::game("small");
    let goals_of = |game: &mut Octagon, picture: &str| {
        let state = game.read_picture(picture, 40).unwrap();
        assert!(game.is_terminal(&state));
        let mut goals = [Goal::default(); 2];
        game.goals(&state, &mut goals);
        goals.map(|goal| goal.0)
    };
    let rest = "\n ..... \n ....... \n ...#... \n ....... \n ..... \n ...";
    assert_eq!(goals_of(&mut game, &format!("XXO{rest}")), [100.0, 0.0]);
    assert_eq!(goals_of(&mut game, &format!("X.O{rest}")), [50.0, 50.0]);
    assert_eq!(goals_of(&mut game, &format!("X OO{rest}")), [0.0, 100.0]);
}

#[test]
fn a_full_board_ends_the_game() {
    let mut game = support::game("small");
    let full = "OOO \n OOOOO \n XXXXXXX \n XXX#XXX \n OOOOOOO \n OOOOO \n XXX";
    let state = game.read_picture(full, 36).unwrap();
    assert!(game.is_terminal(&state));
    let one_left = full.replacen('O', ".", 1);
    let state = game.read_picture(&one_left, 36).unwrap();
    assert!(!game.is_terminal(&state));
}

#[test]
fn faulty_pictures_are_refused() {
    let game = support::game("small");
    let good = "... \n ..... \n ....... \n ...#... \n ....... \n ..... \n ...";
    assert!(game.read_picture(good, 0).is_ok());
    let refuse = |picture: &str| game.read_picture(picture, 0).unwrap_err();
    assert_eq!(refuse(""), PictureError::Rows { found: 0, wanted: 7 });
    assert_eq!(refuse(&format!("{good}\n...")), PictureError::Rows { found: 8, wanted: 7 });
    assert_eq!(refuse(&good.replace('#', "X")), PictureError::Hole { line: 4 });
    assert_eq!(refuse(&good.replacen('.', "#", 1)), PictureError::Hole { line: 1 });
    assert_eq!(refuse(&good.replacen('.', "é", 1)), PictureError::Sign { line: 1, sign: 'é' });
    assert_eq!(
        refuse(&good.replacen('.', "", 1)),
        PictureError::Row { line: 1, found: 2, wanted: 3 }
    );
}

#[test]
fn a_drawing_people_can_read() {
    let game = support::game("small");
    let picture = "... \n .X... \n ..OO... \n ...#... \n ....... \n ..... \n ..X";
    let state = game.read_picture(picture, 4).unwrap();
    let drawing = "    a b c d e f g
  7     . . .      7
  6   . X . . .    6
  5 . . O O . . .  5
  4 . . . # . . .  4
  3 . . . . . . .  3
  2   . . . . .    2
  1     . . X      1
    a b c d e f g
ply 4 of 40, X to place
X: 2 on the board, in stock 1:unlimited 2:6 4:3 8:2
O: 2 on the board, in stock 1:unlimited 2:6 4:3 8:2
";
    assert_eq!(game.draw(&state), drawing);
}

#[test]
fn a_game_can_start_from_any_turn_of_another() {
    let moves = ["c3", "d3-1w", "c5", "d5-1w", "f2", "f3-1s"];
    let mut whole = support::game("small");
    let mut state = whole.initial_state();
    let mut states = vec![state];
    for text in moves {
        let mover = state.mover();
        let mov = whole.interpret(&state, mover, text).unwrap_or_else(|| panic!("{text}"));
        let mut joint = [whole.noop(); 2];
        joint[mover.index()] = mov;
        let mut next = state;
        whole.apply(&state, &joint, &mut next);
        states.push(next);
        state = next;
    }
    let line = moves.join(" ");
    for turn in 0..=3 {
        let mut game = support::game(&format!("small, start={line}, turn={turn}"));
        let start = game.initial_state();
        assert_eq!(start, states[2 * turn], "turn {turn}");
        // Play ends when it would have ended: nothing was given back.
        assert_eq!(usize::from(game.rules().plies() - start.ply()), 40 - 2 * turn);
    }
    let mut half = support::game(&format!("small, start={}", moves[..3].join(" ")));
    assert_eq!(half.initial_state(), states[3]);
    assert_eq!(half.initial_state().mover(), Role(1));
    let problem = |settings: &str| match gamegrove_octagon::Config::shipped().rules(settings) {
        Err(problem) => problem.to_string(),
        Ok(rules) => Octagon::new(rules).unwrap_err().to_string(),
    };
    let late = problem(&format!("small, start={line}, turn=4"));
    assert!(late.contains("at most half of the 6 moves that `start` has, not `4`"), "{late}");
    assert_eq!(problem("small, start=c3 c3"), "move 2 of the start, `c3`, cannot be played there");
    assert!(problem("small, start=c3, turn=x").contains("must be a whole number"));
}
