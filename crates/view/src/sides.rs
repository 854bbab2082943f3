//! Facts about the sides of squares, as in dots and boxes: where the lines are that they mean.

use std::collections::BTreeMap;

use crate::fact::natural;
use crate::hints::{Side, SideHints};
use crate::layout::HintError;
use crate::scene::{Board, Label};
use crate::table::Table;

/// The two ends of a line, in cells from the upper left; whole numbers are the middles of cells.
pub(crate) type Segment = [(f64, f64); 2];

/// The lines that the facts of one shape mean.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    /// The shape of the facts.
    pub shape: String,
    /// The line of each fact, by its arguments.
    segments: BTreeMap<Vec<String>, Segment>,
}

impl Sides {
    /// The sides of `board` by `hints`.
    pub fn new(hints: &SideHints, tables: &[Table], board: &Board) -> Result<Sides, HintError> {
        let table = tables
            .iter()
            .find(|table| table.name() == hints.relation)
            .ok_or_else(|| HintError::Relation(hints.relation.clone()))?;
        let arguments = table.columns();
        let column = |wrong: usize| match (1..=arguments).contains(&wrong) {
            true => Ok(wrong - 1),
            false => {
                let relation = hints.relation.clone();
                Err(HintError::Argument { relation, arguments, wrong })
            }
        };
        let [x, y, side] = [column(hints.x)?, column(hints.y)?, column(hints.side)?];
        let across = places(&board.columns, 1.0, table, x);
        let down = places(&board.rows, -1.0, table, y);
        let segment = |row: &Vec<String>| {
            let (x, y) = (*across.get(&row[x])?, *down.get(&row[y])?);
            let corner = |right: f64, down: f64| (x + right, y + down);
            Some(match hints.names.get(&row[side])? {
                Side::Left => [corner(-0.5, -0.5), corner(-0.5, 0.5)],
                Side::Right => [corner(0.5, -0.5), corner(0.5, 0.5)],
                Side::Above => [corner(-0.5, -0.5), corner(0.5, -0.5)],
                Side::Below => [corner(-0.5, 0.5), corner(0.5, 0.5)],
            })
        };
        let segments =
            table.all.iter().filter_map(|row| Some((row.clone(), segment(row)?))).collect();
        Ok(Sides { shape: table.shape.clone(), segments })
    }

    /// All lines with the arguments of their facts, in the order of their numbers.
    pub fn all(&self) -> impl Iterator<Item = (&Vec<String>, Segment)> {
        self.segments.iter().map(|(leaves, segment)| (leaves, *segment))
    }

    /// The number of the line with these arguments.
    pub fn number(&self, leaves: &[String]) -> Option<usize> {
        self.segments.keys().position(|known| known == leaves)
    }
}

/// Where the values of a column are beside the names at the edge of a board. A value behind the last
/// name is one step further: it means the far side of the last square. `usual` is the step where there
/// is only one name.
fn places(labels: &[Label], usual: f64, table: &Table, column: usize) -> BTreeMap<String, f64> {
    let mut values = table.values(column);
    values.extend(labels.iter().map(|label| label.text.as_str()));
    let mut values: Vec<&str> = values.into_iter().collect();
    values.sort_by(|a, b| natural(a, b));
    let step = match labels {
        [first, second, ..] => (second.at - first.at).signum(),
        _ => usual,
    };
    let mut found = BTreeMap::new();
    let mut last = None;
    for value in values {
        let label = labels.iter().find(|label| label.text == value).map(|label| label.at);
        let at = label.or(last.map(|last: f64| last + step));
        found.extend(at.map(|at| (value.to_owned(), at)));
        last = at.or(last);
    }
    found
}
