//! Values of pieces or cells, learned from simulations: the table of FAST.
//!
//! The first simulations are watched to find the board ([`board`]). If a role has pieces of several
//! kinds, the kinds are the features: how many of each there are, colours apart. Otherwise the cells
//! are: which of them each role holds. TD(lambda) gives every feature a value for every role
//! ([`values`]); the reward is the own goal minus the mean of the others'
//! [Finnsson 2012, 4.1.4].

mod board;
mod text;
mod values;

use gamegrove_game::{FeatureNames, Move, Role};

pub use self::board::Family;
use self::board::Survey;
pub(crate) use self::board::{Board, Placed, Route};
pub use self::values::Scale;
use self::values::Values;
use super::Learner;
use crate::trace::{Needs, Trace};

/// How values are learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FastSettings {
    /// Simulations that are watched to find the board.
    pub samples: u64,
    /// The step size.
    pub alpha: f64,
    /// How far returns reach back.
    pub lambda: f64,
    /// By what steps are divided.
    pub scale: Scale,
}

/// Values of pieces or cells for every role.
pub struct FastTable {
    settings: FastSettings,
    reader: Option<Reader>,
    seen: u64,
    survey: Survey,
    board: Option<Board>,
    values: Vec<Values>,
    /// The features of all states of an episode, and where each state's end.
    active: Vec<(u32, f64)>,
    ends: Vec<usize>,
}

impl PartialEq for FastTable {
    fn eq(&self, other: &Self) -> bool {
        self.settings == other.settings
    }
}

impl FastTable {
    /// A table that knows nothing yet.
    pub fn new(settings: FastSettings) -> FastTable {
        FastTable {
            settings,
            reader: None,
            seen: 0,
            survey: Survey::default(),
            board: None,
            values: Vec::new(),
            active: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// What the game offers to learn about; `None` as long as it is not known.
    pub fn family(&self) -> Option<Family> {
        self.board.as_ref().map(|board| board.family)
    }

    /// The pieces that belong to some role, with their values for `role`; empty unless pieces are
    /// what is learned about.
    pub fn piece_values(&self, role: Role) -> Vec<(String, f64)> {
        let Some(board) = self.board.as_ref().filter(|b| b.family == Family::Pieces) else {
            return Vec::new();
        };
        let owned = (0..board.owners.len()).filter(|&at| board.owners[at].is_some());
        let value = |at: usize| self.values.get(role.index()).map_or(0.0, |v| v.theta[at]);
        owned.map(|at| (board.piece_name(at as u32).to_owned(), value(at))).collect()
    }

    /// The cells with their values for `role`; empty unless cells are what is learned about.
    pub fn cell_values(&self, role: Role) -> Vec<([String; 2], f64)> {
        let Some(board) = self.board.as_ref().filter(|b| b.family == Family::Cells) else {
            return Vec::new();
        };
        board.cells().map(|(name, cell)| (name, self.cell(role, cell))).collect()
    }

    /// The board, once it was found.
    pub(crate) fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// The value of a piece for a role.
    #[inline]
    pub(crate) fn piece(&self, role: Role, piece: u32) -> f64 {
        self.values.get(role.index()).map_or(0.0, |values| values.theta[piece as usize])
    }

    /// The value for a role of holding a cell.
    #[inline]
    pub(crate) fn cell(&self, role: Role, cell: u32) -> f64 {
        let cells = self.board.as_ref().map_or(0, Board::cell_count);
        let at = role.index() * cells + cell as usize;
        self.values.get(role.index()).map_or(0.0, |values| values.theta[at])
    }

    fn find_board(&mut self, roles: usize) {
        let board = std::mem::take(&mut self.survey).finish();
        let count = match board.family {
            Family::Pieces => board.owners.len(),
            Family::Cells => roles * board.cell_count(),
            Family::Nothing => 0,
        };
        self.values = vec![Values::new(count); roles];
        self.board = Some(board);
    }

    fn read_states(&mut self, trace: &Trace) {
        let (Some(board), Some(reader)) = (&self.board, &mut self.reader) else { return };
        let family = board.family;
        let cells = board.cell_count();
        self.active.clear();
        self.ends.clear();
        for step in 0..trace.feature_states() {
            let from = self.active.len();
            for &fact in trace.features(step) {
                let Some(Placed { cell, piece }) = reader.placed(board, fact) else { continue };
                let Some(owner) = board.owners[piece as usize] else { continue };
                match family {
                    Family::Pieces => {
                        match self.active[from..].iter_mut().find(|(at, _)| *at == piece) {
                            Some((_, count)) => *count += 1.0,
                            None => self.active.push((piece, 1.0)),
                        }
                    }
                    Family::Cells => {
                        self.active.push(((owner.index() * cells) as u32 + cell, 1.0));
                    }
                    Family::Nothing => {}
                }
            }
            self.ends.push(self.active.len());
        }
    }
}

impl Learner for FastTable {
    fn needs(&self) -> Needs {
        Needs { features: true, ..Needs::default() }
    }

    fn introduce(&mut self, names: &mut dyn FnMut() -> Box<dyn FeatureNames>) {
        self.reader = Some(Reader::new(names()));
    }

    fn learn(&mut self, trace: &Trace) {
        let Some(reader) = &mut self.reader else { return };
        if self.board.is_none() {
            self.survey.watch(trace, reader.names.as_mut());
            self.seen += 1;
            if self.seen >= self.settings.samples {
                self.find_board(trace.roles());
            }
            return;
        }
        if self.family() == Some(Family::Nothing) {
            return;
        }
        self.read_states(trace);
        let FastSettings { alpha, lambda, scale, .. } = self.settings;
        let all: f64 = trace.goals().iter().sum();
        for (values, &own) in self.values.iter_mut().zip(trace.goals()) {
            let others = (trace.roles() - 1).max(1) as f64;
            let reward = own - (all - own) / others;
            let (active, ends) = (&self.active, &self.ends);
            let state = |at: usize| &active[if at == 0 { 0 } else { ends[at - 1] }..ends[at]];
            // Where play was seen to its end, the last state is that end.
            let before = ends.len().min(trace.steps());
            let end = if before < ends.len() { state(before) } else { &[] };
            values.learn((0..before).map(state), end, reward, (alpha, lambda), scale);
        }
    }

    fn bytes(&self) -> usize {
        self.values.iter().map(|values| values.theta.capacity() * 2 * size_of::<f64>()).sum()
    }
}

/// Reads facts and moves as places on a board, and remembers.
pub(crate) struct Reader {
    names: Box<dyn FeatureNames>,
    facts: Vec<Option<Option<Placed>>>,
    moves: Vec<Vec<Option<Route>>>,
}

impl Reader {
    pub(crate) fn new(names: Box<dyn FeatureNames>) -> Reader {
        Reader { names, facts: Vec::new(), moves: Vec::new() }
    }

    /// What a fact puts where.
    #[inline]
    pub(crate) fn placed(&mut self, board: &Board, fact: u32) -> Option<Placed> {
        let at = fact as usize;
        if self.facts.len() <= at {
            self.facts.resize(at + 1, None);
        }
        *self.facts[at].get_or_insert_with(|| board.placed(&self.names.feature_name(fact)))
    }

    /// Where a move goes.
    #[inline]
    pub(crate) fn route(&mut self, board: &Board, role: Role, mov: Move) -> Route {
        let (role_at, at) = (role.index(), mov.index());
        if self.moves.len() <= role_at {
            self.moves.resize(role_at + 1, Vec::new());
        }
        if self.moves[role_at].len() <= at {
            self.moves[role_at].resize(at + 1, None);
        }
        *self.moves[role_at][at]
            .get_or_insert_with(|| board.route(&self.names.move_name(role, mov)))
    }
}
