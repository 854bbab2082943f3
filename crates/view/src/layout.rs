//! How the states of one game are drawn: found once, then applied to any state.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::choice::{self, Choice};
use crate::evidence::Evidence;
use crate::fact::{Fact, name_of, natural};
use crate::fields;
use crate::grid::Grid;
use crate::hints::{BoardHints, RegionHints};
use crate::look::{Figure, Looks};
use crate::moves::MoveShapes;
use crate::names::Writing;
use crate::panels::{Panel, Panels};
use crate::scene::{Edge, Item, Scene};
use crate::sides::Sides;
use crate::table::{Table, project, tables};

/// How the states of a game are drawn.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(crate) grids: Vec<Grid>,
    readers: BTreeMap<String, Reader>,
    looks: Looks,
    pub(crate) sides: Option<Sides>,
    /// Columns and rows of blocks of squares, and how moves name them.
    pub(crate) blocks: Option<[usize; 2]>,
    pub(crate) regions: BTreeMap<String, RegionHints>,
    pub(crate) moves: MoveShapes,
    pub(crate) writing: Writing,
    panels: Panels,
    /// The relation whose pieces differ in size, the column that says so, and its values.
    sizes: Option<(String, usize, Vec<String>)>,
}

/// How the facts of one shape come onto a board.
#[derive(Clone, Debug)]
struct Reader {
    grid: usize,
    /// The columns that name the cell.
    key: Vec<usize>,
    /// The columns that name the piece; the relation does if there are none.
    contents: Vec<usize>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The contents of the cell.
    Piece,
    /// Says that the cell is empty.
    Blank,
    /// Something about the cell; the fact is also listed.
    Mark,
    /// A wall between the cell and another, whose name follows.
    Wall,
    /// A wall on the side of the cell that the relation names: columns right, rows down.
    WallBeside(i8, i8),
}

/// Hints that do not fit the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HintError {
    /// No such relation.
    #[error("board.relation: no fact of this game is called {0}")]
    Relation(String),
    /// An argument that the relation does not have.
    #[error("board: {relation} has {arguments} arguments, so there is no argument {wrong}")]
    Argument {
        /// The relation.
        relation: String,
        /// How many arguments it has.
        arguments: usize,
        /// The number given.
        wrong: usize,
    },
    /// Only one coordinate, or arguments without a relation, or one argument for two things.
    #[error("board: {0}")]
    Incomplete(&'static str),
    /// Too many cells.
    #[error("board: {0} cells are too many to draw")]
    TooLarge(usize),
}

impl Layout {
    /// The layout that the evidence shows; nothing if the game has no board that can be seen.
    pub fn find(evidence: &Evidence) -> Option<Layout> {
        Layout::with_hints(evidence, &BoardHints::default()).ok().flatten()
    }

    /// As [`find`](Layout::find), with what is known about the board.
    pub fn with_hints(
        evidence: &Evidence,
        hints: &BoardHints,
    ) -> Result<Option<Layout>, HintError> {
        let tables = tables(evidence);
        let mut finder =
            Finder { evidence, hints, tables: &tables, found: Vec::new(), grids: Vec::new() };
        if let Some((number, choice)) = hinted(&tables, hints)? {
            finder.add_grid(number, &choice);
        } else if hints.fields.is_empty() {
            finder.add_best_grid();
        }
        if finder.grids.is_empty() {
            finder.add_fields();
        }
        if finder.grids.is_empty() {
            return Ok(None);
        }
        finder.add_layers();
        let board = finder.grids[0].boards.first();
        let sides = match (&hints.sides, board) {
            (Some(sides), Some(board)) => Some(Sides::new(sides, &tables, board)?),
            _ => None,
        };
        Ok(Some(Layout { sides, ..finder.finish() }))
    }

    /// A state with these facts, ready to be drawn.
    pub fn scene(&self, facts: &[String]) -> Scene {
        let mut scene = Scene {
            boards: self.grids.iter().flat_map(|grid| grid.boards.iter().cloned()).collect(),
            rest: Vec::new(),
        };
        if let (Some(sides), Some(board)) = (&self.sides, scene.boards.first_mut()) {
            board.edges = sides
                .all()
                .map(|(key, ends)| Edge { key: key.clone(), ends, drawn: false, touched: None })
                .collect();
        }
        // The first board of each grid among all.
        let starts: Vec<usize> = self
            .grids
            .iter()
            .scan(0, |next, grid| {
                let start = *next;
                *next += grid.boards.len();
                Some(start)
            })
            .collect();
        for text in facts {
            if self.place(text, &starts, &mut scene).is_none() {
                scene.rest.push(text.clone());
            }
        }
        scene.rest.sort_by(|a, b| natural(a, b));
        scene
    }

    /// The facts beside the boards, as labelled lines.
    pub fn panels(&self, scene: &Scene) -> Vec<Panel> {
        let side = self.sides.as_ref().map(|sides| name_of(&sides.shape));
        let beside = |fact: &&String| {
            side.is_none_or(|side| Fact::read(fact).name() != side)
                && !scene.boards.iter().flat_map(|b| &b.cells).any(|cell| cell.facts.contains(fact))
        };
        self.panels.of(&scene.rest.iter().filter(beside).cloned().collect::<Vec<String>>())
    }

    /// Puts a fact on its board; nothing if it must be listed too.
    fn place(&self, text: &str, starts: &[usize], scene: &mut Scene) -> Option<()> {
        let fact = Fact::read(text);
        if let Some(sides) = self.sides.as_ref().filter(|sides| sides.shape == fact.shape) {
            let number = sides.number(&fact.leaves)?;
            scene.boards.first_mut()?.edges.get_mut(number)?.drawn = true;
            // Text does not show them.
            return None;
        }
        let reader = self.readers.get(&fact.shape)?;
        let grid = &self.grids[reader.grid];
        let (board, cell) = grid.find(&fact.leaves, &reader.key)?;
        let board = scene.boards.get_mut(starts[reader.grid] + board)?;
        board.cells[cell].facts.push(text.to_owned());
        let words = project(&fact.leaves, &reader.contents);
        let name = if words.is_empty() { fact.name().to_owned() } else { words.join(" ") };
        match reader.kind {
            Kind::Blank => {}
            Kind::Piece if self.looks.is_blank(&name) => {}
            Kind::Piece => {
                let mut look = self.looks.of(&name);
                if let Some((shape, column, values)) = &self.sizes
                    && *shape == fact.shape
                    && let Some(at) = values.iter().position(|value| *value == fact.leaves[*column])
                {
                    let eighths = 8 * (at + 1) / values.len();
                    look.figure = Figure::Slab(u8::try_from(eighths).unwrap_or(8));
                    look.label.clear();
                }
                let cell = &mut board.cells[cell];
                cell.void = false;
                cell.items.push(Item { name, look });
            }
            Kind::Mark => {
                board.cells[cell].marks.push(name);
                return None;
            }
            Kind::Wall => {
                let ends: Vec<usize> = (reader.key.len()..2 * reader.key.len()).collect();
                let (_, end) = grid.find(&fact.leaves, &ends)?;
                board.walls.push([cell, end]);
                // Text does not show walls.
                return None;
            }
            Kind::WallBeside(right, down) => {
                let (x, y) = (board.cells[cell].x, board.cells[cell].y);
                let beside = board.cells.iter().position(|other| {
                    other.x == x + f64::from(right) && other.y == y + f64::from(down)
                })?;
                board.walls.push([cell, beside]);
                return None;
            }
        }
        Some(())
    }
}

/// Explicit hints.
fn hinted(tables: &[Table], hints: &BoardHints) -> Result<Option<(usize, Choice)>, HintError> {
    let Some(relation) = &hints.relation else {
        let numbered = hints.x.is_some() || hints.y.is_some() || !hints.boards.is_empty();
        return match numbered {
            true => Err(HintError::Incomplete("x, y and boards need the relation they belong to")),
            false => Ok(None),
        };
    };
    let named = |table: &Table| table.name() == relation;
    let Some(number) = tables
        .iter()
        .enumerate()
        .filter(|(_, table)| named(table))
        .max_by_key(|(_, table)| table.columns())
        .map(|(number, _)| number)
    else {
        return Err(HintError::Relation(relation.clone()));
    };
    let (x, y) = match (hints.x, hints.y) {
        (Some(x), Some(y)) => (x, y),
        (None, None) if hints.boards.is_empty() => return Ok(None),
        _ => return Err(HintError::Incomplete("give both x and y")),
    };
    let arguments = tables[number].columns();
    let mut used = BTreeSet::new();
    for &wrong in [x, y].iter().chain(&hints.boards) {
        if !(1..=arguments).contains(&wrong) {
            return Err(HintError::Argument { relation: relation.clone(), arguments, wrong });
        }
        if !used.insert(wrong) {
            return Err(HintError::Incomplete("x, y and boards must be different arguments"));
        }
    }
    let cells: usize = used.iter().map(|&column| tables[number].values(column - 1).len()).product();
    if cells > 10_000 {
        return Err(HintError::TooLarge(cells));
    }
    let boards = hints.boards.iter().map(|column| column - 1).collect();
    let contents = (0..arguments).filter(|column| !used.contains(&(column + 1))).collect();
    Ok(Some((number, Choice { boards, x: x - 1, y: y - 1, contents, unique: true, score: 0.0 })))
}

/// A layout in the making.
struct Finder<'a> {
    evidence: &'a Evidence,
    hints: &'a BoardHints,
    tables: &'a [Table],
    grids: Vec<Grid>,
    /// The tables that are read, and how.
    found: Vec<(usize, Reader)>,
}

/// The least that a reading must look like a board.
const LEAST_SCORE: f64 = 5.0;

impl Finder<'_> {
    fn add_best_grid(&mut self) {
        let wanted = |table: &Table| {
            self.hints.relation.as_deref().is_none_or(|relation| table.name() == relation)
        };
        let read = |(number, table): (usize, &Table)| {
            let choice = choice::choose(table, &self.evidence.roles, &self.evidence.chains)?;
            Some((number, choice))
        };
        let best = self
            .tables
            .iter()
            .enumerate()
            .filter(|(_, table)| wanted(table) && wall_side(table.name()).is_none())
            .filter_map(read)
            .filter(|(_, choice)| choice.score >= LEAST_SCORE)
            .max_by(|a, b| a.1.score.total_cmp(&b.1.score).then(b.0.cmp(&a.0)));
        // Relations that share the cells between them are better read together.
        let shared = best.as_ref().is_some_and(|(number, choice)| {
            choice.contents.is_empty()
                && fields::partition_of(self.tables, &self.evidence.roles, *number).is_some()
        });
        if let Some((number, choice)) = best.filter(|_| !shared) {
            let choice = self.rows_and_columns(number, choice);
            self.add_grid(number, &choice);
        }
    }

    /// Turns a board whose first coordinate is called a row.
    fn rows_and_columns(&self, number: usize, choice: Choice) -> Choice {
        let starts = |column: usize, letter: char| {
            let values = self.tables[number].values(column);
            values.iter().all(|value| value.starts_with(letter) && value.len() > 1)
        };
        if starts(choice.x, 'r') && starts(choice.y, 'c') {
            return Choice { x: choice.y, y: choice.x, ..choice };
        }
        choice
    }

    /// Adds the boards that a choice reads, with the tables that have the other squares of the same
    /// boards.
    fn add_grid(&mut self, number: usize, choice: &Choice) {
        let table = &self.tables[number];
        let key = choice.key();
        let cells = |table: &Table| -> BTreeSet<Vec<String>> {
            table.all.iter().map(|row| project(row, &key)).collect()
        };
        let mut known = cells(table);
        let mut numbers = vec![number];
        let taken = |number: usize| self.found.iter().any(|(other, _)| *other == number);
        let mut merged = table.clone();
        for (other, candidate) in self.tables.iter().enumerate() {
            let fits = other != number
                && !taken(other)
                && candidate.columns() == table.columns()
                && is_alike(table.name(), candidate.name())
                && cells(candidate).is_disjoint(&known)
                && candidate.most() > 1;
            if fits {
                known.extend(cells(candidate));
                merged.all.extend(candidate.all.iter().cloned());
                numbers.push(other);
            }
        }
        let complete = !self.evidence.possible.is_empty() || table.is_total(&key);
        let known = complete.then_some(&known);
        let grid = Grid::squares(&merged, choice, self.hints, &self.evidence.chains, known);
        for number in numbers {
            let contents = choice.contents.clone();
            let kind = if contents.is_empty() && is_blank_word(self.tables[number].name()) {
                Kind::Blank
            } else {
                Kind::Piece
            };
            let reader = Reader { grid: self.grids.len(), key: key.clone(), contents, kind };
            self.found.push((number, reader));
        }
        self.grids.push(grid);
    }

    fn add_fields(&mut self) {
        let choice = match self.hints.fields.is_empty() {
            true => fields::choose(self.tables, &self.evidence.roles),
            false => self.hinted_fields(),
        };
        let Some(choice) = choice else { return };
        let grid = Grid::fields(&choice.names, self.hints);
        if grid.index.is_empty() {
            return;
        }
        for (number, key) in choice.readers {
            let table = &self.tables[number];
            let contents: Vec<usize> =
                (0..table.columns()).filter(|column| !key.contains(column)).collect();
            let blank = contents.is_empty() && is_blank_word(table.name());
            let kind = if blank { Kind::Blank } else { Kind::Piece };
            self.found.push((number, Reader { grid: 0, key, contents, kind }));
        }
        self.grids.push(grid);
    }

    /// The relations that name fields whose places are given.
    fn hinted_fields(&self) -> Option<fields::FieldChoice> {
        let names: BTreeSet<Vec<String>> = self
            .hints
            .fields
            .keys()
            .map(|name| name.split(' ').map(str::to_owned).collect())
            .collect();
        let length = names.first()?.len();
        let read = |(number, table): (usize, &Table)| {
            let wanted = self.hints.relation.as_deref();
            if wanted.is_some_and(|relation| table.name() != relation) {
                return None;
            }
            let first = (0..(table.columns() + 1).checked_sub(length)?).find(|&first| {
                let key: Vec<usize> = (first..first + length).collect();
                let known = table.all.iter().filter(|row| names.contains(&project(row, &key)));
                2 * known.count() > table.all.len()
            })?;
            Some((number, (first..first + length).collect()))
        };
        let readers = self.tables.iter().enumerate().filter_map(read).collect();
        Some(fields::FieldChoice { names, readers })
    }

    /// Adds the relations that say more about the cells that were found, and further boards.
    fn add_layers(&mut self) {
        for (number, table) in self.tables.iter().enumerate() {
            if self.found.iter().any(|(other, _)| *other == number) {
                continue;
            }
            if self.is_another_board(table)
                && let Some(choice) =
                    choice::choose(table, &self.evidence.roles, &self.evidence.chains)
            {
                self.add_grid(number, &choice);
            } else if let Some(reader) = self.layer(table) {
                self.found.push((number, reader));
            }
        }
    }

    /// Whether a table is a board of its own: it has the same cells as one that was found and a name
    /// like it, or a board of another size.
    fn is_another_board(&self, table: &Table) -> bool {
        let Some(choice) = choice::choose(table, &self.evidence.roles, &self.evidence.chains)
        else {
            return false;
        };
        let Some((first, reader)) = self.found.first() else { return false };
        let main = &self.tables[*first];
        let numbers = |column: &usize| table.axis(*column, &self.evidence.chains).is_none();
        let piece = choice.contents.iter().any(numbers);
        let alike = is_alike(main.name(), table.name())
            && choice.unique
            && table.columns() == main.columns()
            && reader.key == choice.key();
        let parts = &self.grids[reader.grid].parts;
        let longer = choice.key().len() > parts.len();
        let own = choice.unique
            && piece
            && choice.score >= LEAST_SCORE + 1.0
            && (longer
                || choice.key().len() == parts.len()
                    && choice.key().iter().zip(parts).any(|(&column, part)| {
                        table.values(column).iter().any(|value| !part.contains(*value))
                    }));
        piece && (alike || own)
    }

    /// How a table says something about cells that were found.
    fn layer(&self, table: &Table) -> Option<Reader> {
        let columns = table.columns();
        for (grid, found) in self.grids.iter().enumerate() {
            let length = found.parts.len();
            let inside = |first: usize| {
                (first..first + length).zip(&found.parts).all(|(column, part)| {
                    table.values(column).iter().all(|value| part.contains(*value))
                })
            };
            let Some(first) = (0..(columns + 1).saturating_sub(length)).find(|&at| inside(at))
            else {
                continue;
            };
            let key: Vec<usize> = (first..first + length).collect();
            let contents: Vec<usize> = (0..columns).filter(|c| !key.contains(c)).collect();
            let wall = columns == 2 * length && first == 0 && inside(length);
            // What has more coordinates is about something between cells.
            let coordinates = contents.iter().filter(|&&column| {
                let values = table.values(column);
                found.parts.iter().any(|part| values.iter().all(|v| part.contains(*v)))
            });
            if !wall && length > 1 && contents.len() > 1 && coordinates.count() > 0 {
                continue;
            }
            let kind = match wall_side(table.name()) {
                _ if wall => Kind::Wall,
                Some((right, down)) if contents.is_empty() => Kind::WallBeside(right, down),
                _ => self.layer_kind(table, &contents)?,
            };
            return Some(Reader { grid, key, contents, kind });
        }
        None
    }

    fn layer_kind(&self, table: &Table, contents: &[usize]) -> Option<Kind> {
        let name = table.name();
        let about_the_past = [
            "moved", "last", "prev", "just", "check", "captur", "can", "was", "first", "visited",
            "blast", "threat", "legal", "init", "start", "old",
        ];
        if contents.is_empty() {
            if is_blank_word(name) {
                return Some(Kind::Blank);
            }
            let blocked = ["offlimits", "hole", "wall", "block"];
            let stands = blocked.iter().any(|word| name.contains(word));
            return Some(if stands { Kind::Piece } else { Kind::Mark });
        }
        let words = |table: &Table, columns: &[usize]| -> BTreeSet<Vec<String>> {
            table.all.iter().map(|row| project(row, columns)).collect()
        };
        let said = words(table, contents);
        // Numbers of groups and the like would only hide the pieces.
        let numbers = said.iter().all(|word| word.iter().all(|part| part.parse::<i64>().is_ok()));
        if numbers && said.len() > 12 {
            return None;
        }
        let repeats = self.found.iter().any(|(number, reader)| {
            let pieces = words(&self.tables[*number], &reader.contents);
            !reader.contents.is_empty() && said.is_subset(&pieces)
        });
        let past = about_the_past.iter().any(|word| name.contains(word));
        Some(if repeats || past { Kind::Mark } else { Kind::Piece })
    }

    /// Hints about the sizes of pieces.
    fn sizes(&self) -> Option<(String, usize, Vec<String>)> {
        let (relation, column) = (self.hints.relation.as_ref()?, self.hints.sizes?.checked_sub(1)?);
        let table = self.tables.iter().find(|table| table.name() == relation)?;
        let values =
            table.axis(column, &self.evidence.chains).filter(|_| column < table.columns())?;
        Some((table.shape.clone(), column, values))
    }

    fn finish(mut self) -> Layout {
        let mut names = BTreeSet::new();
        for (number, reader) in &self.found {
            let table = &self.tables[*number];
            if reader.kind == Kind::Piece && reader.contents.is_empty() {
                names.insert(table.name().to_owned());
            } else if reader.kind == Kind::Piece {
                names.extend(table.all.iter().map(|row| project(row, &reader.contents).join(" ")));
            }
        }
        let full = self.found.first().map(|(number, reader)| {
            let table = &self.tables[*number];
            let first = table.states.first().cloned().unwrap_or_default();
            let pieces = first.iter().map(|row| project(row, &reader.contents).join(" "));
            (table.is_total(&reader.key), pieces.collect::<Vec<String>>())
        });
        let (listed, first) = full.unwrap_or_default();
        let looks = Looks::new(&names, &self.evidence.roles, self.hints, listed.then_some(&first));
        let moves = MoveShapes::learn(&self.evidence.moves, &self.grids);
        let mut grids = std::mem::take(&mut self.grids);
        for (number, grid) in grids.iter_mut().enumerate() {
            grid.name_cells(moves.names_cells(number));
        }
        name_boards(&mut grids, &self.found, self.tables);
        let writing = Writing::new(&self.evidence.moves, &moves, &grids, &looks, self.hints);
        let (blocks, regions) = (self.hints.blocks, self.hints.regions.clone());
        let panels = Panels::new(self.evidence, self.hints);
        let sizes = self.sizes();
        let readers = self
            .found
            .into_iter()
            .map(|(number, reader)| (self.tables[number].shape.clone(), reader))
            .collect();
        Layout {
            grids,
            readers,
            looks,
            sides: None,
            blocks,
            regions,
            moves,
            writing,
            panels,
            sizes,
        }
    }
}

/// Gives boards of several relations the names of these, and a row each.
fn name_boards(grids: &mut [Grid], found: &[(usize, Reader)], tables: &[Table]) {
    if grids.len() < 2 {
        return;
    }
    let mut down = 0;
    for (number, grid) in grids.iter_mut().enumerate() {
        let first = found.iter().find(|(_, reader)| reader.grid == number);
        let relation = first.map_or("", |(table, _)| name_of(&tables[*table].shape));
        for board in &mut grid.boards {
            board.name = format!("{relation} {}", board.name).trim_end().to_owned();
            board.at.1 += down;
        }
        // Two boards fit side by side.
        if grid.boards.len() == 1 && number % 2 == 0 && number == 0 {
            continue;
        }
        if grid.boards.len() == 1 && number == 1 && down == 0 {
            grid.boards[0].at.0 = 1;
        }
        down = grid.boards.iter().map(|board| board.at.1 + 1).max().unwrap_or(0).max(down);
    }
}

/// Whether two relations are called alike: `cell1` and `cell2`, `evencell` and `oddcell`.
fn is_alike(a: &str, b: &str) -> bool {
    let same = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| {
        a.zip(b).take_while(|(x, y)| x == y).count()
    };
    let start = same(&mut a.chars(), &mut b.chars());
    let end = same(&mut a.chars().rev(), &mut b.chars().rev());
    let shorter = a.chars().count().min(b.chars().count());
    let word = a.chars().take(start).last() == Some('_');
    start.max(end) >= 3 && (word || 2 * start.max(end) >= shorter)
}

/// The side that relations such as `blockedeast` name.
fn wall_side(name: &str) -> Option<(i8, i8)> {
    let rest = name.strip_prefix("blocked").or_else(|| name.strip_prefix("wall"))?;
    Some(match rest.trim_start_matches(['_', '-']) {
        "east" | "right" => (1, 0),
        "west" | "left" => (-1, 0),
        "north" | "up" | "above" => (0, -1),
        "south" | "down" | "below" => (0, 1),
        _ => return None,
    })
}

/// Whether a word means that nothing is there.
pub(crate) fn is_blank_word(word: &str) -> bool {
    matches!(
        word,
        "blank"
            | "empty"
            | "none"
            | "nothing"
            | "nil"
            | "free"
            | "clear"
            | "available"
            | "unmarked"
            | "nolight"
            | "vacant"
            | "unoccupied"
            | "zerocoins"
    )
}
