//! Which relation is a board, and what its arguments mean.
//!
//! Every pair of ordered columns of every relation is a candidate. Which other columns tell boards
//! apart is found from the states: a square holds one thing, so columns are added until no state has
//! two facts about one square. What is left is the piece.

use std::collections::BTreeSet;

use crate::table::Table;

/// How the facts of one relation are read as a board.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    /// Columns that tell boards apart.
    pub boards: Vec<usize>,
    /// The columns of the coordinates.
    pub x: usize,
    pub y: usize,
    /// The columns of the piece.
    pub contents: Vec<usize>,
    /// Whether a square holds one thing at most.
    pub unique: bool,
    /// How much it looks like a board.
    pub score: f64,
}

impl Choice {
    /// The columns that name a square, from left to right.
    pub fn key(&self) -> Vec<usize> {
        let mut key = [&self.boards[..], &[self.x, self.y]].concat();
        key.sort_unstable();
        key
    }
}

/// The most squares of a board.
const MOST_SQUARES: usize = 64 * 64;
/// The most boards.
const MOST_BOARDS: usize = 100;

/// The best reading of a table as a board with two coordinates.
pub(crate) fn choose(table: &Table, roles: &[String], chains: &[Vec<String>]) -> Option<Choice> {
    let columns = table.columns();
    if columns < 2 || table.most() == 0 {
        return None;
    }
    let roles: BTreeSet<&str> = roles.iter().map(String::as_str).collect();
    let axes: Vec<Option<Vec<String>>> = (0..columns)
        .map(|column| {
            let players = table.values(column).iter().all(|value| roles.contains(value));
            table.axis(column, chains).filter(|_| !players)
        })
        .collect();
    let mut best: Option<Choice> = None;
    for x in 0..columns {
        for y in x + 1..columns {
            let (Some(across), Some(up)) = (&axes[x], &axes[y]) else { continue };
            let squares = across.len() * up.len();
            if !(4..=MOST_SQUARES).contains(&squares) {
                continue;
            }
            let choice = read(table, &axes, x, y, squares);
            let better = |best: &Choice| choice.as_ref().is_some_and(|new| new.score > best.score);
            if best.as_ref().is_none_or(better) {
                best = choice.or(best);
            }
        }
    }
    best
}

fn read(
    table: &Table,
    axes: &[Option<Vec<String>>],
    x: usize,
    y: usize,
    squares: usize,
) -> Option<Choice> {
    let columns = table.columns();
    let others: Vec<usize> = (0..columns).filter(|column| ![x, y].contains(column)).collect();
    if others.is_empty() && !is_set_of_squares(table) {
        return None;
    }
    let (mut boards, unique) = split(table, &others, &[x, y])?;
    // A number before the coordinates is that of a board, even if no two boards were ever seen to
    // differ.
    let first = others.iter().copied().find(|&column| column < x && axes[column].is_some());
    if boards.is_empty() && others.len() > 1 {
        boards.extend(first);
    }
    let contents: Vec<usize> =
        others.into_iter().filter(|column| !boards.contains(column)).collect();
    let count: usize = boards.iter().map(|&column| table.values(column).len()).product();
    // A single fact with many arguments is a list.
    if count > MOST_BOARDS || table.most() == 1 && contents.len() > 1 {
        return None;
    }
    // Both coordinates of a square mostly have the same values.
    let alike = axes[x] == axes[y];
    let filled = table.most() as f64 / (squares * count) as f64;
    // A piece is hardly named like a coordinate.
    let named = contents.iter().any(|&column| axes[column].is_none());
    let last_axes = boards.iter().filter(|&&column| axes[column].is_some()).count();
    let yes = |holds: bool, worth: f64| if holds { worth } else { 0.0 };
    let score = 4.0 * filled.min(1.0)
        + yes(unique, 3.0)
        + yes(named, 2.0)
        + yes(y == x + 1, 1.0)
        + yes(alike, 2.0)
        // Two coordinates of boards come first, the only one of a stack of boards last.
        + yes(x == 0 && last_axes < 2 || x > 0 && last_axes == 2, 0.5)
        + yes(is_called_cell(table.name()), 1.0)
        + (squares as f64).ln().min(5.0) * 0.5
        - yes(!boards.is_empty() && !named, 3.0)
        - yes(table.never_changes(), 2.0);
    Some(Choice { boards, x, y, contents, unique, score })
}

/// Whether facts with nothing but two coordinates are squares of a board, and not a table of numbers:
/// some squares share a column and some a row.
fn is_set_of_squares(table: &Table) -> bool {
    let place = ["pos", "position", "at", "location", "loc"].contains(&table.name());
    place || !table.is_unique(&[0]) && !table.is_unique(&[1])
}

/// The fewest of `others` that tell apart the facts about one square, and whether they do.
fn split(table: &Table, others: &[usize], square: &[usize]) -> Option<(Vec<usize>, bool)> {
    let unique = |boards: &[usize]| table.is_unique(&[square, boards].concat());
    if unique(&[]) {
        return Some((Vec::new(), true));
    }
    // Something must be left to stand on the squares.
    let single = others.iter().map(|&column| vec![column]).filter(|_| others.len() > 1);
    let pairs = others
        .iter()
        .enumerate()
        .flat_map(|(at, &a)| others[at + 1..].iter().map(move |&b| vec![a, b]))
        .filter(|_| others.len() > 2);
    if let Some(boards) = single.chain(pairs).find(|boards| unique(boards)) {
        return Some((boards, true));
    }
    // Several things on one square: pieces that may meet.
    Some((Vec::new(), false))
}

/// Whether a relation is called as squares are in most rulesheets.
pub(crate) fn is_called_cell(name: &str) -> bool {
    ["cell", "square", "board", "location", "field", "hole", "mark", "tile"]
        .iter()
        .any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Evidence;
    use crate::table::tables;

    fn chosen(facts: &str) -> Option<(Vec<usize>, usize, usize, Vec<usize>)> {
        let facts: Vec<String> =
            facts.split(',').map(|fact| format!("({})", fact.trim())).collect();
        let evidence = Evidence { states: vec![facts], ..Evidence::default() };
        let table = tables(&evidence).remove(0);
        let choice = choose(&table, &["red".to_owned(), "blue".to_owned()], &[])?;
        Some((choice.boards, choice.x, choice.y, choice.contents))
    }

    #[test]
    fn the_piece_may_come_first_or_last() {
        assert_eq!(chosen("c 1 a x, c 2 a x, c 1 b o, c 2 b x"), Some((vec![], 0, 1, vec![2])));
        assert_eq!(chosen("at me 1 1, at you 1 1, at exit 3 2"), Some((vec![], 1, 2, vec![0])));
    }

    #[test]
    fn columns_that_tell_boards_apart_are_found() {
        let stack = "c 1 1 1 x, c 1 1 2 x, c 1 2 1 o, c 2 2 2 o, c 2 1 1 x";
        assert_eq!(chosen(stack), Some((vec![2], 0, 1, vec![3])));
        let quadrants =
            "q 4 1 1 x, q 3 1 1 x, q 1 2 2 o, q 2 2 3 x, q 1 3 1 o, q 1 1 1 x, q 1 3 3 o";
        assert_eq!(chosen(quadrants), Some((vec![0], 1, 2, vec![3])));
    }

    #[test]
    fn tables_of_numbers_are_no_boards() {
        for facts in
            ["heap 1 7, heap 2 5, heap 3 3", "score red 5, score blue 7", "step 1", "on a b"]
        {
            assert_eq!(chosen(facts), None, "{facts}");
        }
        assert!(chosen("lit 1 1, lit 1 2, lit 2 2, lit 3 2").is_some());
    }
}
