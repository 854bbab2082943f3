//! A position ready to be drawn: boards with cells, what stands on them, and the facts beside them.

use crate::hints::Shape;
use crate::look::Look;

/// A position. Text and SVG are drawn from it; a page may draw it in its own way.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The boards.
    pub boards: Vec<Board>,
    /// The facts that are on no board, as they stand.
    pub rest: Vec<String>,
}

/// A board.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// The label that tells it from the other boards; empty if there is only one.
    pub name: String,
    /// Its column and row among the boards.
    pub at: (usize, usize),
    /// The shape of its cells.
    pub shape: Shape,
    /// The names of its columns.
    pub columns: Vec<Label>,
    /// The names of its rows.
    pub rows: Vec<Label>,
    /// Whether its left and right edges meet, and its upper and lower ones.
    pub wraps: [bool; 2],
    /// Whether each cell has a name of its own, and columns and rows have none.
    pub named: bool,
    /// Its cells.
    pub cells: Vec<Cell>,
    /// Lines between cells, by their places in `cells`.
    pub lines: Vec<[usize; 2]>,
    /// Walls between cells, by their places in `cells`.
    pub walls: Vec<[usize; 2]>,
    /// Sides of cells that may have a line on them.
    pub edges: Vec<Edge>,
}

/// A side of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Its name: the arguments of facts and moves that mean it.
    pub key: Vec<String>,
    /// Its two ends, where whole numbers are middles of cells.
    pub ends: [(f64, f64); 2],
    /// Whether a line is on it.
    pub drawn: bool,
    /// The effect of the last move on it.
    pub touched: Option<Part>,
}

/// A name at the edge of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Where, in cells.
    pub at: f64,
    /// The name.
    pub text: String,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its name: the arguments of facts and moves that mean it.
    pub key: Vec<String>,
    /// Its name as people write it.
    pub label: String,
    /// Where it is, in cells from the left.
    pub x: f64,
    /// Where it is, in cells from the top.
    pub y: f64,
    /// Whether nothing can ever be here, so that it is no part of the board.
    pub void: bool,
    /// The piece on it.
    pub items: Vec<Item>,
    /// Other facts about it.
    pub marks: Vec<String>,
    /// The facts about it.
    pub facts: Vec<String>,
    /// The effect of the last move on it.
    pub touched: Option<Part>,
}

/// Something on a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its name in the facts.
    pub name: String,
    /// How it looks.
    pub look: Look,
}

/// The part a cell has in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A piece leaves it.
    Source,
    /// The move passes it.
    Via,
    /// A piece arrives.
    Target,
    /// The only cell that the move names.
    Drop,
    /// It lies in the column or row that the move names.
    Line,
}

impl Part {
    /// Its name in pages and style sheets.
    pub fn name(self) -> &'static str {
        match self {
            Part::Source => "source",
            Part::Via => "via",
            Part::Target => "target",
            Part::Drop => "drop",
            Part::Line => "line",
        }
    }
}

impl Scene {
    /// Marks the cells that a move touched.
    pub fn mark(&mut self, touches: &[Touch]) {
        for touch in touches {
            let Some(board) = self.boards.get_mut(touch.board) else { continue };
            let cells = board.cells.len();
            if let Some(cell) = board.cells.get_mut(touch.cell) {
                cell.touched = Some(touch.part);
            } else if let Some(edge) = board.edges.get_mut(touch.cell - cells) {
                edge.touched = Some(touch.part);
            }
        }
    }

    /// All looks that occur, each once, by the names that facts give them.
    pub(crate) fn looks(&self) -> Vec<&Item> {
        let mut found: Vec<&Item> = Vec::new();
        for item in self.boards.iter().flat_map(|b| &b.cells).flat_map(|cell| &cell.items) {
            if !found.iter().any(|known| known.name == item.name) {
                found.push(item);
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found
    }
}

/// A cell that a move touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Touch {
    /// The board's place in [`Scene::boards`].
    pub board: usize,
    /// The cell's place in [`Board::cells`]; edges follow the cells.
    pub cell: usize,
    /// The part of the cell in the move.
    pub part: Part,
}
