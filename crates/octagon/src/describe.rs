//! Names of roles, moves and facts.
//!
//! A move is called after its position and placement: `f3` is a quiet placement, `f3-1ne` a
//! 1-piece that pushes to the north-east, `f3-2e` a 2-piece, `f3-4se` a 4-piece that pushes
//! diagonally, `f3-8` an 8-piece. Rows count from the bottom.

use gamegrove_game::{Describe, Move, Role};

use crate::octagon::Octagon;
use crate::piece::Piece;
use crate::state::State;

const NOTATION: &str = "  d4             a piece on d4 that pushes nothing
  d4-1ne         a 1-piece on d4 that pushes to the north-east: up and to the right
  d4-2n          a 2-piece that pushes to the north and the other way its second line points
  d4-4n d4-4ne   a 4-piece that pushes straight or diagonally
  d4-8           an 8-piece, which pushes in all directions
  Letters are columns from the left, numbers are rows from the bottom; n is up, e is right.
";

const NOOP: &str = "noop";
const ROLES: [&str; 2] = ["first", "second"];

impl Describe for Octagon {
    fn role_name(&self, role: Role) -> String {
        ROLES.get(role.index()).copied().unwrap_or("nobody").to_owned()
    }

    fn move_name(&self, _role: Role, mov: Move) -> String {
        let Some((position, placement)) = self.placement(mov) else { return NOOP.to_owned() };
        let mut name = self.board().name(position);
        let placement = self.placements().name(placement);
        if !placement.is_empty() {
            name.push('-');
            name.push_str(&placement);
        }
        name
    }

    fn find_move(&mut self, _role: Role, name: &str) -> Option<Move> {
        if name == NOOP {
            return Some(self.noop());
        }
        let (position, placement) = match name.split_once('-') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (name, ""),
        };
        let placement = self.placements().find_name(placement)?;
        Some(self.place(self.board().find(position)?, placement))
    }

    fn facts(&self, state: &State) -> Vec<String> {
        let mut facts = vec![format!("ply {}", state.ply())];
        if !self.over(state) {
            facts.push(format!("turn {}", self.role_name(state.mover())));
        }
        for role in Role::all(2) {
            let name = self.role_name(role);
            for piece in Piece::ALL {
                let amount = state.stock(role).amount(piece);
                facts.push(format!("stock {name} {piece} {amount}"));
            }
            for position in self.board().members(state.pieces(role)) {
                facts.push(format!("at {} {name}", self.board().name(position)));
            }
        }
        facts.sort();
        facts
    }

    fn picture(&self, state: &State) -> Option<String> {
        Some(self.draw(state))
    }

    fn outcome_in_words(&self, state: &State, role: Role, mov: Move) -> Option<String> {
        if role != state.mover() {
            return None;
        }
        let outcome = self.outcome(state, mov)?;
        let mut words =
            format!("a {}-piece on {}", outcome.piece, self.board().name(outcome.placed));
        for shift in &outcome.shifts {
            let (leaves, last) = (self.board().name(shift.leaves), self.board().name(shift.last));
            words += &match shift.enters {
                Some(enters) if shift.leaves == shift.last => {
                    format!(", pushes {leaves} to {}", self.board().name(enters))
                }
                Some(enters) => {
                    format!(", pushes {leaves} to {last} on to {}", self.board().name(enters))
                }
                None if shift.leaves == shift.last => format!(", takes {last} off the board"),
                None => format!(", pushes {leaves} to {last} on and one off the board"),
            };
        }
        if outcome.shifts.is_empty() {
            words += ", pushes nothing";
        }
        Some(words)
    }

    /// Any piece in any orientation may be named; the legal move is the one with the same effect.
    fn interpret(&mut self, state: &State, role: Role, text: &str) -> Option<Move> {
        let text: String = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-");
        let mov = self.find_move(role, &text)?;
        if role != state.mover() {
            return None;
        }
        let (position, placement) = self.placement(mov)?;
        self.equivalent(state, position, placement)
    }

    fn notation(&self) -> Option<&'static str> {
        Some(NOTATION)
    }
}
