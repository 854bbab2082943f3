//! Names of roles, moves and facts.
//!
//! A move is called after its position and placement: `f3` is a quiet placement, `f3-1ne` a
//! 1-piece that pushes to the north-east, `f3-2e` a 2-piece, `f3-4se` a 4-piece that pushes
//! diagonally, `f3-8` an 8-piece. Rows count from the bottom.

use gamegrove_game::{Describe, Move, Role};

use crate::octagon::Octagon;
use crate::piece::Piece;
use crate::state::State;

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
}
