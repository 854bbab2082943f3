//! What the metadata of a game may say about its board: the table `[board]`.
//!
//! Everything can be left out; what is left out is found in the facts. Unknown keys are errors.
//!
//! ```toml
//! [board]
//! relation = "cell"        # the relation that lists the squares
//! x = 1                    # its arguments, counted from 1
//! y = 2
//! boards = [3]             # arguments that tell boards apart
//! shape = "hexagons"       # squares, hexagons, triangles or points
//!                          # (hexagons whose x counts halves, as on a star, are seen to be so)
//! slant = 0.5              # how far each row is moved to the right of the row below it
//! rows = "down"            # where y grows: up or down
//! columns = "left"         # where x grows: right or left
//! wraps = ["x"]            # a cylinder; ["x", "y"] is a torus
//! blocks = [3, 3]          # thick lines between blocks of so many columns and rows
//! sizes = 1                # the argument of `relation` that says how large a piece is
//! binary = ["points"]      # facts beside the board whose values are digits of binary numbers
//! blank = ["e"]            # pieces that mean an empty square
//!
//! [board.pieces]           # pieces in words
//! wf = "white ferz"
//!
//! [board.sides]            # a relation whose facts are sides of squares
//! relation = "drawn"
//! x = 2
//! y = 3
//! side = 1                 # the argument that says which side
//! names = { across = "below", upward = "left" }
//!
//! [board.regions]          # moves that name one of the `blocks`, with the values from left and from below
//! turn = { x = 1, y = 2, values = ["low", "high"] }
//!
//! [board.fields]           # where fields are, across and down, if the game has no coordinates
//! "outer n" = [3, 0]
//!
//! [board.lines]            # lines between fields
//! "outer n" = ["middle n", "outer ne"]
//!
//! [board.panels]           # what facts beside the board are called; those without a name are not shown
//! hand = "In hand"
//! visited = ""
//!
//! [board.moves]            # how moves are written, by their first word or words
//! jump = "{1 2}x{3 4}"     # {3 4} is the cell that arguments 3 and 4 name, {1} is argument 1
//! "castle short" = "O-O"
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Hints about a board.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct BoardHints {
    /// The relation that lists the squares.
    pub relation: Option<String>,
    /// The argument that goes to the right, from 1.
    pub x: Option<usize>,
    /// The argument that goes up, from 1.
    pub y: Option<usize>,
    /// Arguments that tell boards apart, from 1.
    pub boards: Vec<usize>,
    /// The shape of the squares.
    pub shape: Option<Shape>,
    /// How far each row is moved to the right of the row below it, in squares.
    pub slant: Option<f64>,
    /// Where y grows.
    pub rows: Option<Rows>,
    /// Where x grows.
    pub columns: Option<Columns>,
    /// The coordinates whose last value is beside the first.
    pub wraps: Vec<Coordinate>,
    /// Relations beside the board whose values are the digits of binary numbers.
    pub binary: Vec<String>,
    /// The argument whose values are sizes of pieces, from 1; the smallest comes first.
    pub sizes: Option<usize>,
    /// Columns and rows of the blocks that the board consists of.
    pub blocks: Option<[usize; 2]>,
    /// Pieces that mean an empty square.
    pub blank: Vec<String>,
    /// Pieces in words that say colour and kind.
    pub pieces: BTreeMap<String, String>,
    /// The relation whose facts are sides of squares.
    pub sides: Option<SideHints>,
    /// Moves that name one of the blocks.
    pub regions: BTreeMap<String, RegionHints>,
    /// Where each field is: across and down.
    pub fields: BTreeMap<String, [f64; 2]>,
    /// The fields that lines lead to from a field.
    pub lines: BTreeMap<String, Vec<String>>,
    /// Labels of the facts beside the board, by relation.
    pub panels: BTreeMap<String, String>,
    /// How moves are written, by their first words.
    pub moves: BTreeMap<String, String>,
}

/// Facts that are sides of squares. A coordinate may be one more than those of the squares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SideHints {
    /// The relation.
    pub relation: String,
    /// The argument that is the square's x, from 1.
    pub x: usize,
    /// The argument that is the square's y, from 1.
    pub y: usize,
    /// The argument that says which side, from 1.
    pub side: usize,
    /// The meaning of its values.
    pub names: BTreeMap<String, Side>,
}

/// How a move names one of the blocks that a board consists of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionHints {
    /// The argument that says which block across, from 1.
    pub x: usize,
    /// The argument that says which block up, from 1.
    pub y: usize,
    /// The values of both, the leftmost or lowest first.
    pub values: Vec<String>,
}

/// A side of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "sides need no explanation")]
pub enum Side {
    Left,
    Right,
    Above,
    Below,
}

/// The shape of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Squares side by side.
    #[default]
    Squares,
    /// Hexagons with a corner on top.
    Hexagons,
    /// Triangles that point up and down in turn.
    Triangles,
    /// Points with room between them.
    Points,
}

/// Where y grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rows {
    /// The first row is at the bottom.
    Up,
    /// The first row is on top.
    Down,
}

/// Where x grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Columns {
    /// The first column is on the left.
    Right,
    /// The first column is on the right.
    Left,
}

/// A coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Coordinate {
    /// Across.
    X,
    /// Up or down.
    Y,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_read_and_unknown_keys_refused() {
        let text =
            "relation = 'cell'\nx = 1\nshape = 'hexagons'\nwraps = ['x']\n[fields]\na = [0, 1.5]";
        let hints: BoardHints = toml::from_str(text).expect("hints");
        assert_eq!(hints.shape, Some(Shape::Hexagons));
        assert_eq!(hints.wraps, [Coordinate::X]);
        assert_eq!(hints.fields["a"], [0.0, 1.5]);
        let wrong = toml::from_str::<BoardHints>("colour = 'red'").expect_err("unknown");
        assert!(wrong.to_string().contains("colour"), "{wrong}");
        assert!(toml::from_str::<BoardHints>("shape = 'blob'").is_err());
    }
}
