//! Cells and where they are.

use std::collections::{BTreeMap, BTreeSet};

use crate::choice::Choice;
use crate::fact::natural;
use crate::hints::{BoardHints, Columns, Coordinate, Rows, Shape};
use crate::scene::{Board, Cell, Label};
use crate::table::{Table, project};

/// Boards whose cells have the same kind of names.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// The relation that it was found in.
    pub relation: String,
    /// The boards without anything on them.
    pub boards: Vec<Board>,
    /// The board and cell of each name.
    pub index: BTreeMap<Vec<String>, (usize, usize)>,
    /// The values of the coordinates, in the order of the names' parts; one list a part.
    pub parts: Vec<BTreeSet<String>>,
    /// How people write the coordinates of a cell, if it has two.
    pub coordinates: Option<Coordinates>,
}

/// Columns and rows as people write them.
#[derive(Clone, Debug)]
pub(crate) struct Coordinates {
    /// The part of a cell's name that is the column, and the part that is the row.
    x: usize,
    y: usize,
    /// The columns from left to right.
    across: Vec<String>,
    /// The text that people write for each column.
    columns: BTreeMap<String, String>,
}

impl Coordinates {
    /// Columns called by letters, as on a chessboard, if they are numbers.
    fn letter(&mut self) {
        let is_letter = |name: &String| name.chars().all(char::is_alphabetic);
        if self.across.len() > 26 || self.across.iter().any(is_letter) {
            return;
        }
        let letters = ('a'..='z').map(|letter| letter.to_string());
        self.columns = self.across.iter().cloned().zip(letters).collect();
    }
}

impl Grid {
    /// The boards that `choice` reads from `table`; `known` cells are on them, others are void.
    pub fn squares(
        table: &Table,
        choice: &Choice,
        hints: &BoardHints,
        chains: &[Vec<String>],
        known: Option<&BTreeSet<Vec<String>>>,
    ) -> Grid {
        let values = |column: usize| {
            table.axis(column, chains).unwrap_or_else(|| {
                let mut values: Vec<String> =
                    table.values(column).into_iter().map(str::to_owned).collect();
                values.sort_by(|a, b| natural(a, b));
                values
            })
        };
        let (across, up) = (values(choice.x), values(choice.y));
        let down = hints.rows.map_or_else(|| reads_down(&across, &up), |rows| rows == Rows::Down);
        let left = hints.columns == Some(Columns::Left);
        let row = |at: usize| if down { at } else { up.len() - 1 - at };
        let key = choice.key();
        let splits: Vec<Vec<String>> = choice.boards.iter().map(|&c| values(c)).collect();
        let places = known.filter(|_| splits.is_empty()).map(|known| {
            let at = |values: &[String], name: &String| values.iter().position(|v| v == name);
            let (first, second) = if choice.x < choice.y { (0, 1) } else { (1, 0) };
            let place =
                |key: &Vec<String>| Some((at(&across, &key[first])?, row(at(&up, &key[second])?)));
            known.iter().filter_map(place).collect::<BTreeSet<(usize, usize)>>()
        });
        let band = places.as_ref().filter(|_| hints.shape.is_none()).and_then(hexagonal);
        let shape =
            hints.shape.unwrap_or(if band.is_some() { Shape::Hexagons } else { Shape::Squares });
        // Coordinates that count half hexagons across need no slant.
        let halves = shape == Shape::Hexagons
            && hints.slant.is_none()
            && places.as_ref().is_some_and(has_one_colour);
        let usual = if shape == Shape::Hexagons && !halves { 0.5 } else { 0.0 };
        let slant = hints.slant.or(band).unwrap_or(usual);
        let step = if shape == Shape::Triangles || halves { 0.5 } else { 1.0 };
        let column = |at: usize| if left { across.len() - 1 - at } else { at } as f64 * step;
        let mut boards = Vec::new();
        let mut index = BTreeMap::new();
        let count: usize = splits.iter().map(Vec::len).product();
        for number in 0..count {
            let (names, at) = place(number, &splits, count, down);
            let mut cells = Vec::new();
            for (j, y_name) in up.iter().enumerate() {
                for (i, x_name) in across.iter().enumerate() {
                    let mut named: Vec<(usize, &String)> =
                        vec![(choice.x, x_name), (choice.y, y_name)];
                    named.extend(choice.boards.iter().copied().zip(names.iter().copied()));
                    named.sort_unstable();
                    let key: Vec<String> =
                        named.into_iter().map(|(_, name)| name.clone()).collect();
                    let void = known.is_some_and(|known| !known.contains(&key));
                    let y = row(j) as f64;
                    let shift = slant * (up.len() - 1 - row(j)) as f64;
                    index.insert(key.clone(), (boards.len(), cells.len()));
                    cells.push(cell(key, column(i) + shift, y, void));
                }
            }
            if !halves {
                undo_checkered_voids(&mut cells, across.len());
            }
            let slanted = slant != 0.0;
            let label = |at: f64, text: &String| Label { at, text: text.clone() };
            boards.push(Board {
                name: names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(" "),
                at,
                shape,
                columns: if slanted {
                    Vec::new()
                } else {
                    across.iter().enumerate().map(|(i, x)| label(column(i), x)).collect()
                },
                rows: up.iter().enumerate().map(|(j, y)| label(row(j) as f64, y)).collect(),
                wraps: [Coordinate::X, Coordinate::Y].map(|side| hints.wraps.contains(&side)),
                named: slanted,
                cells,
                lines: Vec::new(),
                walls: hints
                    .blocks
                    .map_or_else(Vec::new, |blocks| walls_between(blocks, across.len(), up.len())),
                edges: Vec::new(),
            });
        }
        let parts = key.iter().map(|&c| values(c).into_iter().collect()).collect();
        let part = |column: usize| key.iter().position(|&c| c == column).unwrap_or(0);
        let (x, y) = (part(choice.x), part(choice.y));
        let coordinates = Some(Coordinates { x, y, across, columns: BTreeMap::new() });
        Grid { relation: table.name().to_owned(), boards, index, parts, coordinates }
    }

    /// A board of fields that have names and no coordinates.
    pub fn fields(names: &BTreeSet<Vec<String>>, hints: &BoardHints) -> Grid {
        let text = |name: &[String]| name.join(" ");
        let placed = names.iter().filter(|name| hints.fields.contains_key(&text(name))).count();
        let (positions, found) = if placed > 0 {
            let position = |name: &Vec<String>| {
                let at = hints.fields.get(&text(name)).copied();
                (name.clone(), at.filter(|at| at.iter().all(|side| side.is_finite())))
            };
            let all = names.iter().map(position);
            let known = all.filter_map(|(name, at)| Some((name, (at?[0], at?[1])))).collect();
            (known, Shape::Points)
        } else {
            positions(names)
        };
        let mut cells = Vec::new();
        let mut index = BTreeMap::new();
        for (name, (x, y)) in positions {
            index.insert(name.clone(), (0, cells.len()));
            cells.push(cell(name, x, y, false));
        }
        let find = |name: &str| {
            let key: Vec<String> = name.split(' ').map(str::to_owned).collect();
            index.get(&key).map(|&(_, cell)| cell)
        };
        let lines = hints.lines.iter().flat_map(|(from, to)| {
            to.iter().filter_map(|to| Some([find(from)?, find(to)?])).collect::<Vec<_>>()
        });
        let lines = lines.collect();
        let length = names.first().map_or(0, Vec::len);
        let parts: Vec<BTreeSet<String>> = (0..length)
            .map(|part| names.iter().filter_map(|name| name.get(part).cloned()).collect())
            .collect();
        let board = Board {
            name: String::new(),
            at: (0, 0),
            shape: hints.shape.unwrap_or(found),
            columns: Vec::new(),
            rows: Vec::new(),
            wraps: [false; 2],
            named: true,
            cells,
            lines,
            walls: Vec::new(),
            edges: Vec::new(),
        };
        let number = |name: &String| name.parse::<u32>().is_ok();
        let numbered = length == 2 && parts.iter().flatten().all(number);
        let coordinates = numbered.then(|| {
            let mut across: Vec<String> = parts[0].iter().cloned().collect();
            across.sort_by(|a, b| natural(a, b));
            Coordinates { x: 0, y: 1, across, columns: BTreeMap::new() }
        });
        Grid { relation: String::new(), boards: vec![board], index, parts, coordinates }
    }

    /// Gives cells and columns the names that people write; `lettered` columns are called by letters
    /// where they are numbers.
    pub fn name_cells(&mut self, lettered: bool) {
        if let Some(coordinates) = self.coordinates.as_mut().filter(|_| lettered) {
            coordinates.letter();
        }
        if let Some(coordinates) = &self.coordinates {
            for label in self.boards.iter_mut().flat_map(|board| &mut board.columns) {
                label.text = coordinates.columns.get(&label.text).unwrap_or(&label.text).clone();
            }
        }
        for (key, &(board, cell)) in &self.index {
            self.boards[board].cells[cell].label = self.written(key);
        }
    }

    /// A cell's name as people write it.
    fn written(&self, key: &[String]) -> String {
        let Some(at) = &self.coordinates else { return key.join(" ") };
        let rest: Vec<&str> =
            (0..key.len()).filter(|part| ![at.x, at.y].contains(part)).map(|p| &*key[p]).collect();
        let (column, row) = (self.part(at.x, &key[at.x]), &key[at.y]);
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || c == '-');
        let comma = digit(column.chars().last()) && digit(row.chars().next());
        let place = format!("{column}{}{row}", if comma { "," } else { "" });
        if rest.is_empty() { place } else { format!("{}:{place}", rest.join(" ")) }
    }

    /// A value of one part of the names of cells as people write it.
    pub fn part<'a>(&'a self, part: usize, value: &'a str) -> &'a str {
        let column = self.coordinates.as_ref().filter(|at| at.x == part);
        column.and_then(|at| at.columns.get(value)).map_or(value, String::as_str)
    }

    /// The column and the row of a cell as people write them.
    pub fn column_and_row<'a>(&'a self, key: &'a [String]) -> Option<(&'a str, &'a str)> {
        let at = self.coordinates.as_ref()?;
        Some((self.part(at.x, key.get(at.x)?), key.get(at.y)?))
    }

    /// The cell with the name that `row` has in `columns`.
    pub fn find(&self, row: &[String], columns: &[usize]) -> Option<(usize, usize)> {
        self.index.get(&project(row, columns)).copied()
    }
}

fn cell(key: Vec<String>, x: f64, y: f64, void: bool) -> Cell {
    let (items, marks, facts) = (Vec::new(), Vec::new(), Vec::new());
    Cell { label: String::new(), key, x, y, void, items, marks, facts, touched: None }
}

/// The names of board `number` of `count`, and its column and row among them.
fn place(
    number: usize,
    splits: &[Vec<String>],
    count: usize,
    down: bool,
) -> (Vec<&String>, (usize, usize)) {
    let mut names = Vec::new();
    let mut digits = Vec::new();
    let mut rest = number;
    for values in splits.iter().rev() {
        digits.push(rest % values.len());
        names.push(&values[rest % values.len()]);
        rest /= values.len();
    }
    names.reverse();
    let at = match digits[..] {
        [across, ref more @ ..] if more.len() == 1 => {
            // Two coordinates of boards: the first goes across, the second as rows go.
            let (x, y) = (more[0], across);
            let rows = splits[1].len();
            (x, if down { y } else { rows - 1 - y })
        }
        _ => {
            let side = (1..=count).find(|side| side * side >= count).unwrap_or(1);
            (number % side, number / side)
        }
    };
    (names, at)
}

/// The walls between blocks of so many columns and rows, on a board whose cells are listed row by row.
fn walls_between([wide, high]: [usize; 2], columns: usize, rows: usize) -> Vec<[usize; 2]> {
    let ends = |at: usize, block: usize| block > 0 && (at + 1).is_multiple_of(block);
    let mut walls = Vec::new();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let cell = row * columns + column;
        if ends(column, wide) && column + 1 < columns {
            walls.push([cell, cell + 1]);
        }
        if ends(row, high) && row + 1 < rows {
            walls.push([cell, cell + columns]);
        }
    }
    walls
}

/// Whether all cells are of one colour on a chequered board. Few cells can be so by chance.
fn has_one_colour(cells: &BTreeSet<(usize, usize)>) -> bool {
    const ENOUGH: usize = 7;
    cells.len() >= ENOUGH
        && cells.iter().map(|(x, y)| (x + y) % 2).collect::<BTreeSet<usize>>().len() == 1
}

/// Whether rows are named from the top: letters beside numbers, as in shogi.
fn reads_down(across: &[String], up: &[String]) -> bool {
    let letter = |name: &String| name.len() == 1 && name.as_bytes()[0].is_ascii_alphabetic();
    let row = |name: &String| name.starts_with('r') && name.len() > 1;
    up.iter().all(letter) && !across.iter().all(letter) || up.iter().all(row)
}

/// Squares between those that pieces can stand on belong to a chequered board.
fn undo_checkered_voids(cells: &mut [Cell], width: usize) {
    let parity = |at: usize| (at % width + at / width) % 2;
    let voids: BTreeSet<usize> =
        (0..cells.len()).filter(|&at| cells[at].void).map(parity).collect();
    let kept: BTreeSet<usize> =
        (0..cells.len()).filter(|&at| !cells[at].void).map(parity).collect();
    if voids.len() == 1 && kept.len() == 1 && voids != kept {
        cells.iter_mut().for_each(|cell| cell.void = false);
    }
}

/// Whether cells make up a hexagon in coordinates that cut off two opposite corners; if so, how far each
/// row must be moved to the right of the row below it. Places count from the upper left.
fn hexagonal(cells: &BTreeSet<(usize, usize)>) -> Option<f64> {
    let (columns, rows) =
        (cells.iter().map(|c| c.0).max()? + 1, cells.iter().map(|c| c.1).max()? + 1);
    if columns < 3 || rows < 3 {
        return None;
    }
    let fits = |place: &dyn Fn(usize, usize) -> usize| {
        let low = cells.iter().map(|&(x, y)| place(x, y)).min()?;
        let high = cells.iter().map(|&(x, y)| place(x, y)).max()?;
        let last = columns + rows - 2;
        let inside = (0..columns)
            .flat_map(|x| (0..rows).map(move |y| (x, y)))
            .filter(|&(x, y)| (low..=high).contains(&place(x, y)))
            .count();
        // The same is cut off at both corners, and there are few holes.
        let cut = low >= 1 && low == last - high;
        (cut && 10 * cells.len() >= 8 * inside).then_some(())
    };
    // Boards without any of their corners are no hexagons.
    let corners = |a: (usize, usize), b: (usize, usize)| cells.contains(&a) && cells.contains(&b);
    let (right, bottom) = (columns - 1, rows - 1);
    if corners((0, 0), (right, bottom)) && fits(&|x, y| x + rows - 1 - y).is_some() {
        return Some(0.5);
    }
    corners((right, 0), (0, bottom)).then(|| fits(&|x, y| x + y)).flatten().map(|()| -0.5)
}

type Positions = Vec<(Vec<String>, (f64, f64))>;

/// Where fields are by their names: `c4` is the fourth of row c, and rows that all start with 1 and
/// differ in length are hexagons side by side; other names stand in rows in their natural order.
fn positions(names: &BTreeSet<Vec<String>>) -> (Positions, Shape) {
    if let Some(found) = by_letter_and_number(names) {
        return found;
    }
    if let Some(found) = by_two_names(names) {
        return (found, Shape::Squares);
    }
    let mut sorted: Vec<&Vec<String>> = names.iter().collect();
    sorted.sort_by(|a, b| natural(&a.join(" "), &b.join(" ")));
    let count = sorted.len();
    let side = (1..=count).find(|side| side * side >= count).unwrap_or(1);
    let width = match count {
        0..=8 => 8,
        _ if side * side == count => side,
        _ => 10,
    };
    let at = |number: usize| ((number % width) as f64, (number / width) as f64);
    (
        sorted.into_iter().cloned().enumerate().map(|(n, name)| (name, at(n))).collect(),
        Shape::Squares,
    )
}

fn by_letter_and_number(names: &BTreeSet<Vec<String>>) -> Option<(Positions, Shape)> {
    let mut rows: BTreeMap<char, BTreeSet<u32>> = BTreeMap::new();
    for name in names {
        let [name] = &name[..] else { return None };
        let letter = name.chars().next().filter(char::is_ascii_alphabetic)?;
        let number: u32 = name[1..].parse().ok().filter(|number| *number <= 64)?;
        rows.entry(letter).or_default().insert(number);
    }
    if rows.len() < 2 || names.len() < 4 {
        return None;
    }
    let whole =
        |row: &BTreeSet<u32>| row.first() == Some(&1) && row.last() == Some(&(row.len() as u32));
    let longest = rows.values().map(BTreeSet::len).max()?;
    let ragged = rows.values().all(whole) && rows.values().any(|row| row.len() != longest);
    let low = rows.values().filter_map(BTreeSet::first).min().copied().unwrap_or(0);
    let places = rows.values().enumerate();
    let places = places.flat_map(|(y, row)| row.iter().map(move |x| ((x - low) as usize, y)));
    let slant = hexagonal(&places.collect()).filter(|_| !ragged);
    let mut found = Vec::new();
    for (y, (letter, row)) in rows.iter().enumerate() {
        let shift = match slant {
            _ if ragged => (longest - row.len()) as f64 / 2.0,
            Some(slant) => slant * (rows.len() - 1 - y) as f64,
            None => 0.0,
        };
        for number in row {
            let x = f64::from(*number) - 1.0 + shift;
            found.push((vec![format!("{letter}{number}")], (x, y as f64)));
        }
    }
    let hexagons = ragged || slant.is_some();
    Some((found, if hexagons { Shape::Hexagons } else { Shape::Squares }))
}

/// Names of two parts, one row for each first part.
fn by_two_names(names: &BTreeSet<Vec<String>>) -> Option<Positions> {
    let sorted = |part: usize| {
        let values: BTreeSet<&String> = names.iter().filter_map(|name| name.get(part)).collect();
        let mut values: Vec<&String> = values.into_iter().collect();
        values.sort_by(|a, b| natural(a, b));
        values
    };
    if names.iter().any(|name| name.len() != 2) {
        return None;
    }
    let (rows, columns) = (sorted(0), sorted(1));
    let at = |values: &[&String], name: &String| values.iter().position(|v| *v == name);
    names
        .iter()
        .map(|name| {
            let place = (at(&columns, &name[1])? as f64, at(&rows, &name[0])? as f64);
            Some((name.clone(), place))
        })
        .collect()
}
