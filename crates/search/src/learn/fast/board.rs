//! Finding the board in a game: which facts put pieces on cells, which moves go where, and whose
//! the pieces are [Finnsson 2012, 4.1.4].
//!
//! A fact `(pred c r piece)` puts a piece on a cell. The arguments of a move are searched for pairs
//! that are cells: the last is where the move goes, the first of several is where it comes from;
//! other arguments are allowed anywhere. Names mean nothing, only shapes do.
//!
//! Whose a piece is shows in play: it belongs to the role whose moves start from it or create it. A
//! piece that is left behind where a move came from is no piece but an empty cell. What happens
//! most of the time decides, since with simultaneous moves others may interfere.

use gamegrove_game::{FeatureNames, Move, Role};
use rustc_hash::FxHashMap;

use super::text::{arguments, head};
use crate::trace::Trace;

/// What a game offers to learn about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Family {
    /// How many pieces of each kind there are.
    Pieces,
    /// On which cells each role has a piece.
    Cells,
    /// Nothing that is understood.
    #[default]
    Nothing,
}

/// Where a move comes from and goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Route {
    pub(crate) from: Option<u32>,
    pub(crate) to: Option<u32>,
}

/// A piece on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) cell: u32,
    pub(crate) piece: u32,
}

/// The board of a game: the facts of one relation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board {
    relation: String,
    cells: FxHashMap<(String, String), u32>,
    pieces: FxHashMap<String, u32>,
    /// The role each piece belongs to; none for those that are no pieces.
    pub(crate) owners: Vec<Option<Role>>,
    /// What the game offers to learn about.
    pub(crate) family: Family,
}

impl Board {
    /// The number of cells.
    pub(crate) fn cell_count(&self) -> usize {
        self.cells.len()
    }

    /// The cells by the two names of each, in no order.
    pub(super) fn cells(&self) -> impl Iterator<Item = ([String; 2], u32)> + '_ {
        self.cells.iter().map(|((c, r), &cell)| ([c.clone(), r.clone()], cell))
    }

    /// What a fact puts where.
    pub(crate) fn placed(&self, fact: &str) -> Option<Placed> {
        let args = arguments(fact);
        let [c, r, piece] = args.as_slice() else { return None };
        if head(fact) != self.relation {
            return None;
        }
        let cell = *self.cells.get(&((*c).to_owned(), (*r).to_owned()))?;
        Some(Placed { cell, piece: *self.pieces.get(*piece)? })
    }

    /// Where a move goes.
    pub(crate) fn route(&self, mov: &str) -> Route {
        let args = arguments(mov);
        let (mut first, mut last, mut count) = (None, None, 0);
        let mut end = args.len();
        while end >= 2 {
            match self.cell(args[end - 2], args[end - 1]) {
                Some(cell) => {
                    first = Some(cell);
                    last = last.or(first);
                    count += 1;
                    end -= 2;
                }
                None => end -= 1,
            }
        }
        Route { from: first.filter(|_| count > 1), to: last }
    }

    fn cell(&self, c: &str, r: &str) -> Option<u32> {
        let get = |a: &str, b: &str| self.cells.get(&(a.to_owned(), b.to_owned())).copied();
        get(c, r).or_else(|| get(r, c))
    }

    /// The text of a piece.
    pub(crate) fn piece_name(&self, piece: u32) -> &str {
        let found = self.pieces.iter().find(|&(_, &number)| number == piece);
        found.map_or("?", |(name, _)| name)
    }
}

/// Watches simulations to find the board.
#[derive(Clone, Debug, Default)]
pub(super) struct Survey {
    /// One for every relation of facts with three arguments.
    candidates: Vec<Candidate>,
    /// The candidate and the place of every fact met so far.
    facts: FxHashMap<u32, Option<(usize, Placed)>>,
    moves: FxHashMap<(Role, Move), String>,
}

#[derive(Clone, Debug, Default)]
struct Candidate {
    board: Board,
    /// Moves that go to a cell.
    routed: u64,
    /// For every piece: how often each role moved or made it, and how often it was left behind.
    votes: Vec<(Vec<u64>, u64)>,
    routes: FxHashMap<(Role, Move), Route>,
    /// The cells of the state before a step and after it.
    before: FxHashMap<u32, u32>,
    after: FxHashMap<u32, u32>,
}

impl Survey {
    /// Watches one simulation.
    pub(super) fn watch(&mut self, trace: &Trace, names: &mut dyn FeatureNames) {
        for step in 0..trace.steps() {
            self.set_up(trace, step, names);
            for role in Role::all(trace.roles()) {
                let mov = trace.joint(step)[role.index()];
                let name =
                    self.moves.entry((role, mov)).or_insert_with(|| names.move_name(role, mov));
                for candidate in &mut self.candidates {
                    candidate.watch(role, mov, name, trace.roles());
                }
            }
        }
    }

    fn set_up(&mut self, trace: &Trace, step: usize, names: &mut dyn FeatureNames) {
        for candidate in &mut self.candidates {
            candidate.before.clear();
            candidate.after.clear();
        }
        for (later, step) in [(false, step), (true, step + 1)] {
            if step >= trace.feature_states() {
                continue;
            }
            for &fact in trace.features(step) {
                let found = match self.facts.get(&fact) {
                    Some(&found) => found,
                    None => {
                        let found = self.read(&names.feature_name(fact));
                        self.facts.insert(fact, found);
                        found
                    }
                };
                if let Some((at, placed)) = found {
                    let candidate = &mut self.candidates[at];
                    let cells = if later { &mut candidate.after } else { &mut candidate.before };
                    cells.insert(placed.cell, placed.piece);
                }
            }
        }
    }

    fn read(&mut self, fact: &str) -> Option<(usize, Placed)> {
        let args = arguments(fact);
        let [c, r, piece] = args.as_slice() else { return None };
        let relation = head(fact);
        let known = self.candidates.iter().position(|known| known.board.relation == relation);
        let at = known.unwrap_or_else(|| {
            let board = Board { relation: relation.to_owned(), ..Board::default() };
            self.candidates.push(Candidate { board, ..Candidate::default() });
            self.candidates.len() - 1
        });
        let candidate = &mut self.candidates[at];
        let Board { cells, pieces, .. } = &mut candidate.board;
        let (cell_count, piece_count) = (cells.len() as u32, pieces.len() as u32);
        let cell = *cells.entry(((*c).to_owned(), (*r).to_owned())).or_insert(cell_count);
        if cell == cell_count {
            // A new cell: moves read before may go there.
            candidate.routes.clear();
        }
        Some((
            at,
            Placed { cell, piece: *pieces.entry((*piece).to_owned()).or_insert(piece_count) },
        ))
    }

    /// The board that explains most moves.
    pub(super) fn finish(self) -> Board {
        let best = self
            .candidates
            .into_iter()
            .filter(|candidate| candidate.routed > 0)
            .max_by_key(|candidate| (candidate.routed, candidate.board.cells.len()));
        let Some(mut best) = best else { return Board::default() };
        best.votes.resize(best.board.pieces.len(), (Vec::new(), 0));
        best.board.owners = best.votes.iter().map(owner).collect();
        let kinds = |role| best.board.owners.iter().filter(|&&owner| owner == Some(role)).count();
        let owned = best.board.owners.iter().flatten();
        best.board.family = match owned.map(|&role| kinds(role)).max() {
            None => Family::Nothing,
            Some(1) => Family::Cells,
            Some(_) => Family::Pieces,
        };
        best.board
    }
}

/// Whose a piece is: the role that most of what was seen speaks for.
fn owner((roles, left): &(Vec<u64>, u64)) -> Option<Role> {
    let all = roles.iter().sum::<u64>() + left;
    let at = roles.iter().position(|&votes| votes * 2 > all)?;
    Some(Role(at as u8))
}

impl Candidate {
    fn watch(&mut self, role: Role, mov: Move, name: &str, roles: usize) {
        let board = &self.board;
        let Route { from, to } =
            *self.routes.entry((role, mov)).or_insert_with(|| board.route(name));
        let Some(to) = to else { return };
        self.routed += 1;
        self.votes.resize(self.board.pieces.len(), (Vec::new(), 0));
        let mut vote = |piece: Option<&u32>| {
            if let Some(&piece) = piece {
                let votes = &mut self.votes[piece as usize].0;
                votes.resize(roles, 0);
                votes[role.index()] += 1;
            }
        };
        if let Some(from) = from {
            vote(self.before.get(&from));
        }
        if self.after.get(&to) != self.before.get(&to) {
            vote(self.after.get(&to));
        }
        if let Some(from) = from
            && from != to
            && self.after.get(&from) != self.before.get(&from)
            && let Some(&left) = self.after.get(&from)
        {
            self.votes[left as usize].1 += 1;
        }
    }
}
