//! The game itself.
//!
//! [Fernandes 2013, 2.2] Player 1 is role 0 and places first. The other player has one move
//! without effect. A move is `position * placements + placement`, the same in every state.

use std::sync::Arc;

use gamegrove_game::{Describe, Evaluation, Game, Goal, Move, Role, TypedMoves};

use crate::board::{Bits, Board, DIRECTIONS, Position, ShapeError, for_each_member};
use crate::groups::Squares;
use crate::menu::Menu;
use crate::piece::{MAX_PLACEMENTS, Piece, Placements, QUIET};
use crate::rules::Rules;
use crate::shove::{Fronts, Shove, Sides, shove};
use crate::state::State;
use crate::symmetry::Symmetries;

/// The Octagon Theory under one set of rules.
#[derive(Clone, Debug)]
pub struct Octagon {
    tables: Arc<Tables>,
    lists: Lists,
}

/// Where moves and their types are written before their number is known; long enough for all moves
/// and one row more.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    pub moves: Vec<Move>,
    pub types: Vec<u8>,
}

/// The part that never changes, shared between workers.
#[derive(Debug)]
pub(crate) struct Tables {
    pub rules: Rules,
    /// The state in which play starts.
    pub start: State,
    pub board: Board,
    pub symmetries: Symmetries,
    pub placements: Placements,
    pub menus: Vec<Menu>,
    pub squares: Squares,
    /// Steps in bits, by direction.
    pub steps: [i32; 8],
    /// The first move of each bit's position.
    pub first_move: [u32; 128],
    /// Position and placement of each move.
    pub decoded: Vec<(Position, u8)>,
}

impl Octagon {
    /// The game that `rules` define.
    pub fn new(rules: Rules) -> Result<Self, ShapeError> {
        let board = Board::new(rules.shape)?;
        let symmetries = Symmetries::new(&board);
        let placements = Placements::new(rules.two_piece);
        let menus = Menu::all(&placements, rules.moves);
        let squares = Squares::new(&board, rules.likeness.radius);
        let steps = std::array::from_fn(|direction| board.step(direction));
        let mut first_move = [0; 128];
        for position in board.positions() {
            first_move[board.bit(position) as usize] =
                u32::from(position.0) * placements.count() as u32;
        }
        let count = placements.count() as u8;
        let decoded = board.positions().flat_map(|at| (0..count).map(move |p| (at, p))).collect();
        let start = State { pieces: [0; 2], stock: [rules.stock; 2], ply: 0 };
        let tables = Tables {
            rules,
            start,
            board,
            symmetries,
            placements,
            menus,
            squares,
            steps,
            first_move,
            decoded,
        };
        let length = tables.decoded.len() + MAX_PLACEMENTS;
        let lists = Lists { moves: vec![Move(0); length], types: vec![0; length] };
        let game = Octagon { tables: Arc::new(tables), lists };
        let start = game.clone().play_start()?;
        let Octagon { tables, lists } = game;
        let tables = Arc::into_inner(tables).map(|tables| Arc::new(Tables { start, ..tables }));
        Ok(Octagon { tables: tables.expect("the game has not been given away"), lists })
    }

    /// The state after the moves that the rules put before the start.
    fn play_start(mut self) -> Result<State, ShapeError> {
        let mut state = self.tables.start;
        let moves = self.rules().start.clone();
        for (number, text) in (1..).zip(&moves) {
            let mov = self.interpret(&state, state.mover(), text);
            let placed = mov.and_then(|mov| self.placement(mov));
            let (position, placement) =
                placed.ok_or_else(|| ShapeError::Start { number, text: text.clone() })?;
            state = self.after(&state, position, placement);
        }
        Ok(state)
    }

    /// The tables and the buffers, to be used together.
    pub(crate) fn parts(&mut self) -> (&Tables, &mut Lists) {
        (&self.tables, &mut self.lists)
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.tables.rules
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.tables.board
    }

    /// The ways to place a piece on a position.
    pub fn placements(&self) -> &Placements {
        &self.tables.placements
    }

    /// The symmetries of the board.
    pub fn symmetries(&self) -> &Symmetries {
        &self.tables.symmetries
    }

    /// The board around places, by which similar moves are found.
    pub(crate) fn squares(&self) -> &Squares {
        &self.tables.squares
    }

    /// The move without effect, of the player that waits.
    pub fn noop(&self) -> Move {
        Move((self.board().position_count() * self.placements().count()) as u32)
    }

    /// The move that puts `placement` on `position`.
    pub fn place(&self, position: Position, placement: u8) -> Move {
        Move(u32::from(position.0) * self.placements().count() as u32 + u32::from(placement))
    }

    /// The placement of `mov`; `None` for the move without effect and for numbers of no move.
    pub fn placement(&self, mov: Move) -> Option<(Position, u8)> {
        self.tables.decoded.get(mov.index()).copied()
    }

    /// The positions without a piece.
    pub fn empty(&self, state: &State) -> Bits {
        self.board().all() & !(state.pieces[0] | state.pieces[1])
    }

    /// Whether `mov` is among the legal moves of `role`.
    pub fn is_legal(&mut self, state: &State, role: Role, mov: Move) -> bool {
        let mut moves = Vec::new();
        self.legal_moves(state, role, &mut moves);
        moves.contains(&mov)
    }

    /// The directions in which a piece placed on `position` would move something, one bit each.
    pub fn successful(&self, state: &State, position: Position) -> u8 {
        let (sides, from) = (self.sides(state), self.board().bit(position));
        (0..8).fold(0, |found, d| found | u8::from(self.shove(sides, from, d).is_some()) << d)
    }

    /// The move that leaves the same board as putting `placement` on `position`, among the legal
    /// ones: a person may choose any piece and orientation, the list of moves names one of each
    /// effect. `None` if the position is taken, the piece out of stock or the game over.
    pub fn equivalent(&self, state: &State, position: Position, placement: u8) -> Option<Move> {
        let over = self.over(state);
        let taken = self.empty(state) >> self.board().bit(position) & 1 == 0;
        if over || taken || usize::from(placement) >= self.placements().count() {
            return None;
        }
        let all = self.placements();
        let menu = &self.tables.menus[state.stock(state.mover()).kinds()];
        let successful = self.successful(state, position);
        let listed = menu.placements(successful);
        let piece = match placement {
            QUIET => menu.quiet(successful)?,
            _ => all.piece(placement),
        };
        if !state.stock(state.mover()).amount(piece).any() {
            return None;
        }
        let effect = all.mask(placement) & successful;
        let by_piece = |p: u8| p != QUIET && all.piece(p) == piece;
        // The very placement, else the same piece, else any that does the same.
        let same = |&&p: &&u8| all.mask(p) & successful == effect;
        listed
            .iter()
            .find(|&&p| p == placement)
            .or_else(|| listed.iter().filter(same).find(|&&p| by_piece(p)))
            .or_else(|| listed.iter().find(same))
            .map(|&p| self.place(position, p))
    }

    /// Whether play has ended: all plies played, no empty position, or nothing in stock.
    pub(crate) fn over(&self, state: &State) -> bool {
        state.ply >= self.tables.rules.plies()
            || self.empty(state) == 0
            || state.stock(state.mover()).kinds() == 0
    }

    pub(crate) fn sides(&self, state: &State) -> Sides {
        let (mine, theirs) = state.sides();
        Sides { mine, theirs, empty: self.empty(state) }
    }

    #[inline]
    pub(crate) fn shove(&self, sides: Sides, from: u32, direction: usize) -> Option<Shove> {
        shove(sides, from, self.tables.steps[direction], self.tables.rules.cannon)
    }

    /// The point of the position that a shove empties, and the point beyond the line; `None` if
    /// nothing moves.
    pub(crate) fn ends(
        &self,
        sides: Sides,
        from: u32,
        direction: usize,
    ) -> Option<((i32, i32), (i32, i32))> {
        let shove = self.shove(sides, from, direction)?;
        let point = |bit| self.board().at_bit(bit).map(|at| self.board().point(at));
        let ((x, y), (dx, dy)) = (point(shove.last)?, DIRECTIONS[direction]);
        Some((point(shove.leaves)?, (x + dx, y + dy)))
    }

    /// The piece that `placement` takes from the mover's stock.
    pub(crate) fn piece_used(&self, state: &State, position: Position, placement: u8) -> Piece {
        if placement != QUIET {
            return self.placements().piece(placement);
        }
        let stock = state.stock(state.mover());
        // Only where all eight shoves succeed has a 1-piece no quiet orientation, and there no
        // quiet placement is legal.
        if stock.amount(Piece::One).any() {
            return Piece::One;
        }
        let menu = &self.tables.menus[stock.kinds()];
        menu.quiet(self.successful(state, position)).unwrap_or(Piece::One)
    }

    /// The state after the mover puts `placement` on `position`.
    pub(crate) fn after(&self, state: &State, position: Position, placement: u8) -> State {
        let mut next = *state;
        let mover = usize::from(state.ply & 1);
        let from = self.board().bit(position);
        let sides = self.sides(state);
        let mut theirs = sides.theirs;
        let mut directions = self.placements().mask(placement);
        while directions != 0 {
            let direction = directions.trailing_zeros() as usize;
            directions &= directions - 1;
            if let Some(shove) = self.shove(sides, from, direction) {
                theirs &= !(1 << shove.leaves);
                if let Some(enters) = shove.enters {
                    theirs |= 1 << enters;
                }
            }
        }
        next.pieces[mover] |= 1 << from;
        next.pieces[mover ^ 1] = theirs;
        next.stock[mover].take(self.piece_used(state, position, placement));
        next.ply = state.ply.saturating_add(1);
        next
    }
}

impl Game for Octagon {
    type State = State;

    fn role_count(&self) -> usize {
        2
    }

    fn move_bound(&self, _role: Role) -> usize {
        self.noop().index() + 1
    }

    fn initial_state(&mut self) -> State {
        self.tables.start
    }

    fn is_terminal(&mut self, state: &State) -> bool {
        self.over(state)
    }

    fn legal_moves(&mut self, state: &State, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        if self.over(state) {
            return;
        }
        if role != state.mover() {
            moves.push(self.noop());
            return;
        }
        let sides = self.sides(state);
        let Octagon { tables, lists } = self;
        let successful = Fronts::moving(&tables.board, sides).by_position();
        let menu = &tables.menus[state.stock(role).kinds()];
        let mut end = 0;
        for_each_member(sides.empty, |bit| {
            let first = tables.first_move[bit as usize];
            let row = menu.row(successful.at(bit));
            row.write(&mut lists.moves[end..], |i| Move(first + row.placements[i]));
            end += row.count;
        });
        moves.extend_from_slice(&lists.moves[..end]);
    }

    /// Applies a joint move. Numbers that are not placements on empty positions leave the board as it is.
    fn apply(&mut self, state: &State, joint: &[Move], next: &mut State) {
        let mov = joint.get(state.mover().index()).copied();
        let free = |position| self.empty(state) >> self.board().bit(position) & 1 == 1;
        *next = match mov.and_then(|mov| self.placement(mov)) {
            Some((position, placement)) if free(position) => self.after(state, position, placement),
            _ => State { ply: state.ply.saturating_add(1), ..*state },
        };
    }

    fn move_types(&self) -> Option<Box<dyn TypedMoves<State>>> {
        Some(Box::new(self.clone()))
    }

    fn evaluation(&self) -> Option<Box<dyn Evaluation<State>>> {
        Some(self.by_class())
    }

    /// A state before the end is scored as if play stopped there.
    fn goals(&mut self, state: &State, goals: &mut [Goal]) {
        let [first, second] = state.score();
        let values = match first.cmp(&second) {
            std::cmp::Ordering::Less => [Goal::WORST, Goal::BEST],
            std::cmp::Ordering::Equal => [Goal(50.0); 2],
            std::cmp::Ordering::Greater => [Goal::BEST, Goal::WORST],
        };
        for (goal, value) in goals.iter_mut().zip(values) {
            *goal = value;
        }
    }
}
