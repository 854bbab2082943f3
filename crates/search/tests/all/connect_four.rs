//! Connect four against a solver of its own: a full search on bitboards that shares no code with ours.

use std::collections::HashMap;

use crate::support::{game, mcts};
use gamegrove_game::{Describe, Game, Move, Rng, Role};
use gamegrove_propnet::Propnet;
use gamegrove_search::{Budget, Search};

const WIDTH: usize = 7;
const HEIGHT: usize = 6;

/// Stones of both sides, column by column with one spare bit on top; and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Position {
    own: u64,
    other: u64,
}

impl Position {
    fn drop_in(self, column: usize) -> Option<Position> {
        let all = self.own | self.other;
        let bottom = 1u64 << (column * (HEIGHT + 1));
        // The carry stops at the lowest free cell of the column.
        let stone = (all + bottom) & full_column(column);
        (stone != 0).then_some(Position { own: self.other, other: self.own | stone })
    }

    /// Whether the side that has just moved has four in a row.
    fn is_won(self) -> bool {
        [1, HEIGHT, HEIGHT + 1, HEIGHT + 2].iter().any(|&by| {
            let pairs = self.other & self.other >> by;
            pairs & pairs >> (2 * by) != 0
        })
    }

    /// The worth for the side to move: -1, 0 or 1.
    fn solve(self, known: &mut HashMap<Position, i8>) -> i8 {
        if self.is_won() {
            return -1;
        }
        if let Some(&worth) = known.get(&self) {
            return worth;
        }
        let mut best: Option<i8> = None;
        for column in 0..WIDTH {
            let Some(next) = self.drop_in(column) else { continue };
            best = best.max(Some(-next.solve(known)));
            if best == Some(1) {
                break;
            }
        }
        let worth = best.unwrap_or(0);
        known.insert(self, worth);
        worth
    }
}

fn full_column(column: usize) -> u64 {
    ((1 << HEIGHT) - 1) << (column * (HEIGHT + 1))
}

/// A random position with `stones` stones that is not over, on both boards.
fn position(
    game: &mut Propnet,
    rng: &mut Rng,
    stones: usize,
) -> (<Propnet as Game>::State, Position) {
    loop {
        let mut state = game.initial_state();
        let mut board = Position { own: 0, other: 0 };
        for _ in 0..stones {
            let (joint, column) = random_drop(game, &state, rng);
            let mut next = state.clone();
            game.apply(&state, &joint, &mut next);
            state = next;
            board = board.drop_in(column).expect("a legal drop is one on the bitboard");
            assert_eq!(
                game.is_terminal(&state),
                board.is_won(),
                "fewer stones than fill the board"
            );
            if board.is_won() {
                break;
            }
        }
        if !board.is_won() {
            return (state, board);
        }
    }
}

fn random_drop(
    game: &mut Propnet,
    state: &<Propnet as Game>::State,
    rng: &mut Rng,
) -> (Vec<Move>, usize) {
    let mut column = 0;
    let joint = Role::all(2)
        .map(|role| {
            let mut legal = Vec::new();
            game.legal_moves(state, role, &mut legal);
            let mov = rng.pick(&legal).expect("play goes on");
            column = column_of(game, role, mov).unwrap_or(column);
            mov
        })
        .collect();
    (joint, column)
}

/// The column of a drop; nothing for the move of the role that waits.
fn column_of(game: &Propnet, role: Role, mov: Move) -> Option<usize> {
    let name = game.move_name(role, mov);
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    digits.parse::<usize>().ok().map(|column| column - 1)
}

#[test]
fn proofs_and_moves_are_those_of_a_full_search() {
    let mut game = game("connect_four");
    let mut rng = Rng::new(21);
    let mut known = HashMap::new();
    let mut proved = 0;
    for number in 0..24 {
        let (state, board) = position(&mut game, &mut rng, 28 + number % 8);
        let worth = board.solve(&mut known);
        let to_move = Role(((28 + number % 8) % 2) as u8);
        let settings = mcts("uct", "random").with("solver", "select");
        let mut search = Search::new(game.clone(), &settings, 3).expect("good settings");
        search.set_root(&state);
        search.run(&Budget::simulations(60_000));
        let bounds = search.proved(Role(0)).expect("there is a solver");
        if bounds.is_exact() {
            proved += 1;
            let first = f64::from(if to_move == Role(0) { worth } else { -worth });
            assert_eq!(bounds.low, 50.0 + 50.0 * first, "position {number}");
        }
        let best = search.best_move(to_move).expect("play goes on");
        let column = column_of(&game, to_move, best).expect("the side to move drops");
        let after = board.drop_in(column).expect("a legal move").solve(&mut known);
        assert_eq!(-after, worth, "position {number}: the move gives something away");
    }
    assert!(proved >= 18, "{proved} of 24 positions were proved");
}
