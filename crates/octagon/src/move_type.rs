//! Types of moves: what a move does to the enemy.
//!
//! [Fernandes 2013, 4.2.1] Statistics, pruning and the opponent model look at moves this way, by
//! way of [`TypedMoves`], which any game with typed moves can offer.

use gamegrove_game::{Game, Move, Role, TypedMoves};
use serde::Serialize;

use crate::board::{Bits, for_each_member, members};
use crate::octagon::Octagon;
use crate::shove::{Fronts, Sides};
use crate::state::State;

/// The effect of a move, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveType {
    /// At least one piece leaves the board.
    Kill,
    /// No piece leaves the board, at least one moves.
    Push,
    /// Nothing moves and a neighbour is occupied.
    Press,
    /// Nothing moves and no neighbour is occupied.
    Free,
}

impl MoveType {
    /// All types, strongest first.
    pub const ALL: [MoveType; 4] =
        [MoveType::Kill, MoveType::Push, MoveType::Press, MoveType::Free];

    /// The type's place in arrays that hold one entry per type.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The type's name.
    pub fn name(self) -> &'static str {
        TYPE_NAMES[self.index()]
    }
}

const TYPE_NAMES: [&str; 4] = ["kill", "push", "press", "free"];

/// Kills are thought of first, then pushes, then free moves; a press is what is left (section 9.1).
const THOUGHT_ORDER: [u8; 4] =
    [MoveType::Kill as u8, MoveType::Push as u8, MoveType::Free as u8, MoveType::Press as u8];

impl Octagon {
    /// The type of putting a piece where `effect` are the directions in which something moves and
    /// `kills` those in which something falls.
    #[inline]
    fn classify(effect: u8, kills: u8, crowded: bool) -> MoveType {
        // Plain selections without jumps: eight of these are done side by side.
        let quiet = if crowded { MoveType::Press } else { MoveType::Free };
        let moving = if effect != 0 { MoveType::Push } else { quiet };
        if effect & kills != 0 { MoveType::Kill } else { moving }
    }

    /// The type of `mov` when the player to move plays it on an empty position.
    pub fn move_type(&self, state: &State, mov: Move) -> Option<MoveType> {
        let (position, placement) = self.placement(mov)?;
        let (sides, from) = (self.sides(state), self.board().bit(position));
        let (mut effect, mut kills) = (0, 0);
        for direction in members(Bits::from(self.placements().mask(placement))) {
            if let Some(shove) = self.shove(sides, from, direction as usize) {
                effect |= 1 << direction;
                kills |= u8::from(shove.enters.is_none()) << direction;
            }
        }
        let crowded = self.crowded(sides) >> from & 1 == 1;
        Some(Octagon::classify(effect, kills, crowded))
    }

    /// The empty positions with an occupied neighbour.
    pub(crate) fn crowded(&self, sides: Sides) -> Bits {
        let occupied = sides.mine | sides.theirs;
        let row = self.board().row_step() as u32;
        // Each neighbour by one shift: by way of a bit off the board, the first and the last
        // position would lose theirs.
        let near = |bits: u32| occupied << bits | occupied >> bits;
        sides.empty & (near(1) | near(row - 1) | near(row) | near(row + 1))
    }
}

impl TypedMoves<State> for Octagon {
    fn type_names(&self) -> &'static [&'static str] {
        &TYPE_NAMES
    }

    fn thought_order(&self) -> &'static [u8] {
        &THOUGHT_ORDER
    }

    fn typed_moves(
        &mut self,
        state: &State,
        role: Role,
        moves: &mut Vec<Move>,
        types: &mut Vec<u8>,
    ) {
        types.clear();
        if role != state.mover() || self.over(state) {
            self.legal_moves(state, role, moves);
            return;
        }
        moves.clear();
        let sides = self.sides(state);
        let crowded = self.crowded(sides);
        let (tables, lists) = self.parts();
        let moving = Fronts::moving(&tables.board, sides);
        let killing = Fronts::killing(&tables.board, sides, &moving).by_position();
        let moving = moving.by_position();
        let menu = &tables.menus[state.stock(role).kinds()];
        let mut end = 0;
        for_each_member(sides.empty, |bit| {
            let first = tables.first_move[bit as usize];
            let row = menu.row(moving.at(bit));
            let (kills, crowded) = (killing.at(bit), crowded >> bit & 1 == 1);
            row.write(&mut lists.moves[end..], |i| Move(first + row.placements[i]));
            row.write(&mut lists.types[end..], |i| {
                Octagon::classify(row.effects[i], kills, crowded) as u8
            });
            end += row.count;
        });
        moves.extend_from_slice(&lists.moves[..end]);
        types.extend_from_slice(&lists.types[..end]);
    }

    fn type_of(&mut self, state: &State, role: Role, mov: Move) -> Option<u8> {
        if role != state.mover() {
            return None;
        }
        self.move_type(state, mov).map(|kind| kind as u8)
    }

    fn groups(&mut self, state: &State, role: Role, moves: &[Move], groups: &mut Vec<u64>) {
        self.like_moves(state, role, moves, groups);
    }
}
