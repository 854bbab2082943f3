//! A state as text that people can read, and the way back.
//!
//! ```text
//!       a b c d e f g
//!   7       . . .         7
//! ```
//! `X` is a piece of the first player, `O` of the second, `.` an empty position, `#` the hole.

use std::fmt::Write as _;

use gamegrove_game::Role;
use thiserror::Error;

use crate::board::Bits;
use crate::octagon::Octagon;
use crate::state::State;

/// A picture that shows no state of the board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PictureError {
    /// A sign without a meaning.
    #[error("line {line}: '{sign}' is not a sign of a board; use X, O, . and # (the hole)")]
    Sign {
        /// The line, from 1.
        line: usize,
        /// The sign.
        sign: char,
    },
    /// A row that is too short or too long.
    #[error("line {line}: the row has {found} signs, but this row of the board has {wanted}")]
    Row {
        /// The line, from 1.
        line: usize,
        /// Signs found.
        found: usize,
        /// Signs wanted.
        wanted: usize,
    },
    /// The hole in the wrong place, or a piece in the hole.
    #[error("line {line}: the hole (#) is the middle of the middle row, and only that")]
    Hole {
        /// The line, from 1.
        line: usize,
    },
    /// Too few or too many rows.
    #[error("the picture has {found} rows, but the board has {wanted}")]
    Rows {
        /// Rows found.
        found: usize,
        /// Rows wanted.
        wanted: usize,
    },
}

impl Octagon {
    /// Draws `state`: the board with names of columns and rows, whose turn it is, what is on the
    /// board and what is in stock.
    pub fn draw(&self, state: &State) -> String {
        let r = i32::from(self.board().shape().half_width);
        let mut text = String::new();
        let columns: String =
            (-r..=r).map(|x| format!(" {}", self.board().column_name(x))).collect();
        let _ = writeln!(text, "   {columns}");
        for y in -r..=r {
            let _ = write!(text, "{:>3}", self.board().row_name(y));
            for x in -r..=r {
                let _ = write!(text, " {}", self.sign(state, (x, y)));
            }
            let _ = writeln!(text, "  {}", self.board().row_name(y));
        }
        let _ = writeln!(text, "   {columns}");
        let plies = self.rules().plies();
        let turn = match (self.over(state), state.mover()) {
            (true, _) => "the game is over",
            (false, Role(0)) => "X to place",
            (false, _) => "O to place",
        };
        let _ = writeln!(text, "ply {} of {plies}, {turn}", state.ply());
        for (role, sign) in Role::all(2).zip(['X', 'O']) {
            let (score, stock) = (state.score()[role.index()], state.stock(role));
            let _ = writeln!(text, "{sign}: {score} on the board, in stock {stock}");
        }
        text
    }

    fn sign(&self, state: &State, point: (i32, i32)) -> char {
        let Some(position) = self.board().at(point) else {
            return if point == (0, 0) { '#' } else { ' ' };
        };
        let bit = self.board().bit(position);
        match (state.pieces[0] >> bit & 1, state.pieces[1] >> bit & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '.',
        }
    }

    /// The state that `picture` shows, with full stocks, at ply `ply` (so an even number means
    /// that X is to place). A picture has one line for each row, with one sign for each position;
    /// blanks and empty lines do not count.
    pub fn read_picture(&self, picture: &str, ply: u8) -> Result<State, PictureError> {
        let r = i32::from(self.board().shape().half_width);
        let mut pieces: [Bits; 2] = [0; 2];
        let mut y = -r;
        for (number, line) in picture.lines().enumerate() {
            let signs: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
            let line = number + 1;
            if signs.is_empty() {
                continue;
            }
            let on_board = |x: &i32| self.board().shape().contains(*x, y) || (*x, y) == (0, 0);
            let points: Vec<i32> = (-r..=r).filter(on_board).collect();
            if y <= r && signs.len() != points.len() {
                let (found, wanted) = (signs.len(), points.len());
                return Err(PictureError::Row { line, found, wanted });
            }
            for (x, sign) in points.into_iter().zip(signs) {
                let bit = self.board().at((x, y)).map(|position| 1 << self.board().bit(position));
                match (sign, bit) {
                    ('X', Some(bit)) => pieces[0] |= bit,
                    ('O', Some(bit)) => pieces[1] |= bit,
                    ('.', Some(_)) | ('#', None) => {}
                    ('X' | 'O' | '.' | '#', _) => return Err(PictureError::Hole { line }),
                    _ => return Err(PictureError::Sign { line, sign }),
                }
            }
            y += 1;
        }
        if y != r + 1 {
            let (found, wanted) = ((y + r) as usize, (2 * r + 1) as usize);
            return Err(PictureError::Rows { found, wanted });
        }
        Ok(State { pieces, stock: [self.rules().stock; 2], ply })
    }
}
