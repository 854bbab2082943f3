//! Which cells a move means.
//!
//! A move names cells by the same words as the facts do: `(move b 2 b 4)` on a board whose cells are
//! `(cell b 2 ...)`. Where in a move the names of cells stand is learned from the moves of the game,
//! because a number may be a row, or a piece.

use std::collections::BTreeMap;

use crate::fact::Fact;
use crate::grid::Grid;
use crate::layout::Layout;
use crate::scene::{Part, Scene, Touch};

/// Where the names of cells stand, by the shape of moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoveShapes {
    shapes: BTreeMap<String, Vec<Spot>>,
}

/// A cell's name in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    /// The name of a cell of a grid starts at this leaf.
    Cell { grid: usize, leaf: usize },
    /// The leaf is one coordinate of cells: this part of their names.
    Part { grid: usize, leaf: usize, part: usize },
}

impl MoveShapes {
    /// Learns from moves of the game.
    pub fn learn(moves: &[String], grids: &[Grid]) -> MoveShapes {
        let mut rows: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
        for mov in moves {
            let Fact { shape, leaves } = Fact::read(mov);
            rows.entry(shape).or_default().push(leaves);
        }
        let spots = |(shape, rows): (String, Vec<Vec<String>>)| {
            let found = find_spots(&shape, &rows, grids);
            (shape, found)
        };
        MoveShapes { shapes: rows.into_iter().map(spots).collect() }
    }

    /// Whether moves name cells of a grid by all their coordinates.
    pub fn names_cells(&self, grid: usize) -> bool {
        let mut spots = self.shapes.values().flatten();
        spots.any(|spot| matches!(spot, Spot::Cell { grid: on, .. } if *on == grid))
    }

    /// Where the names of cells stand in a move.
    pub fn spots(&self, mov: &Fact, grids: &[Grid]) -> Vec<Spot> {
        match self.shapes.get(&mov.shape) {
            Some(spots) => spots.clone(),
            None => find_spots(&mov.shape, std::slice::from_ref(&mov.leaves), grids),
        }
    }
}

/// The spots that make sense for all moves of a shape.
fn find_spots(shape: &str, rows: &[Vec<String>], grids: &[Grid]) -> Vec<Spot> {
    let leaves = rows.first().map_or(0, Vec::len);
    let tries = grid_order(shape, grids).into_iter().map(|grid| {
        let length = grids[grid].parts.len().max(1);
        let cell = |leaf: usize| {
            leaf + length <= leaves
                && rows.iter().all(|row| grids[grid].index.contains_key(&row[leaf..leaf + length]))
        };
        let mut spots = Vec::new();
        let mut leaf = 0;
        while leaf < leaves {
            if cell(leaf) {
                spots.push(Spot::Cell { grid, leaf });
                leaf += length;
            } else {
                leaf += 1;
            }
        }
        spots
    });
    let found = tries.into_iter().find(|spots| !spots.is_empty()).unwrap_or_default();
    if !found.is_empty() {
        return found;
    }
    // Some coordinates alone: the column of connect four, or a board and a column of it.
    let lines =
        grid_order(shape, grids).into_iter().map(|grid| some_parts(rows, grid, &grids[grid]));
    lines.flatten().find(|spots| !spots.is_empty()).unwrap_or_default()
}

/// The coordinates that the leaves of moves are, from left to right, if they are some and not all.
fn some_parts(rows: &[Vec<String>], grid: usize, known: &Grid) -> Option<Vec<Spot>> {
    let leaves = rows.first().map_or(0, Vec::len);
    if leaves == 0 || leaves >= known.parts.len() {
        return None;
    }
    let mut parts = known.parts.iter().enumerate();
    (0..leaves)
        .map(|leaf| {
            let fits = |values: &std::collections::BTreeSet<String>| {
                rows.iter().all(|row| values.contains(&row[leaf]))
            };
            let (part, _) = parts.find(|(_, values)| fits(values))?;
            Some(Spot::Part { grid, leaf, part })
        })
        .collect()
}

/// The grids, those first whose name is more like the move's: `mark2` is a move on `cell2`.
fn grid_order(shape: &str, grids: &[Grid]) -> Vec<usize> {
    let mov = crate::fact::name_of(shape);
    let mut order: Vec<usize> = (0..grids.len()).collect();
    let likeness = |grid: &usize| {
        let name = &grids[*grid].relation;
        let ends = mov.chars().rev().zip(name.chars().rev()).take_while(|(a, b)| a == b).count();
        let starts = mov.chars().zip(name.chars()).take_while(|(a, b)| a == b).count();
        std::cmp::Reverse(ends.max(starts))
    };
    order.sort_by_key(likeness);
    order
}

impl Layout {
    /// The cells that the move called `mov` touches: where a piece leaves and where it arrives, the
    /// cell where something is put, or the column that is named. Nothing for moves without cells.
    pub fn touches(&self, mov: &str) -> Vec<Touch> {
        let fact = Fact::read(mov);
        if let Some(touches) = self.side_touched(&fact).or_else(|| self.block_touched(&fact)) {
            return touches;
        }
        let spots = self.moves.spots(&fact, &self.grids);
        let count = spots.len();
        let mut touches = Vec::new();
        for (number, spot) in spots.iter().enumerate() {
            let &Spot::Cell { grid, leaf } = spot else { continue };
            let length = self.grids[grid].parts.len();
            let key = fact.leaves.get(leaf..leaf + length);
            let found = key.and_then(|key| self.grids[grid].index.get(key));
            let part = match number {
                _ if count == 1 => Part::Drop,
                0 => Part::Source,
                last if last + 1 == count => Part::Target,
                _ => Part::Via,
            };
            touches.extend(found.map(|&(board, cell)| Touch {
                board: self.first_board(grid) + board,
                cell,
                part,
            }));
        }
        let named = |key: &[String]| {
            spots.iter().all(|spot| match *spot {
                Spot::Part { leaf, part, .. } => key.get(part) == fact.leaves.get(leaf),
                Spot::Cell { .. } => false,
            })
        };
        if let Some(&Spot::Part { grid, .. }) = spots.first() {
            let line = self.grids[grid].index.iter().filter(|(key, _)| named(key));
            touches.extend(line.map(|(_, &(board, cell))| Touch {
                board: self.first_board(grid) + board,
                cell,
                part: Part::Line,
            }));
        }
        // A cell that is named twice has the later part.
        touches.reverse();
        touches.sort_by_key(|touch| (touch.board, touch.cell));
        touches.dedup_by_key(|touch| (touch.board, touch.cell));
        touches
    }

    /// The side of a square that a move names by the words of the fact that it makes.
    fn side_touched(&self, fact: &Fact) -> Option<Vec<Touch>> {
        let number = self.sides.as_ref()?.number(&fact.leaves)?;
        let cell = self.grids.first()?.boards.first()?.cells.len() + number;
        Some(vec![Touch { board: 0, cell, part: Part::Drop }])
    }

    /// The squares of the block that a move names.
    fn block_touched(&self, fact: &Fact) -> Option<Vec<Touch>> {
        let region = self.regions.get(fact.name())?;
        let [wide, high] = self.blocks?;
        let place = |argument: usize| {
            let value = fact.leaves.get(argument.checked_sub(1)?)?;
            region.values.iter().position(|known| known == value)
        };
        let (across, up) = (place(region.x)?, place(region.y)?);
        let board = self.grids.first()?.boards.first()?;
        let columns = board.columns.len().max(1);
        let inside = |cell: &usize| {
            cell % columns / wide.max(1) == across && cell / columns / high.max(1) == up
        };
        let touch = |cell| Touch { board: 0, cell, part: Part::Line };
        Some((0..board.cells.len()).filter(inside).map(touch).collect())
    }

    /// The cells that moves without cells mean, by what they do. `after` has, for each of these moves, the
    /// facts of the states that it may lead to. A move that carries the only piece of its kind means where
    /// this leaves and arrives; another one means the cells that only this move changes.
    pub fn effects(&self, before: &[String], after: &[Vec<Vec<String>>]) -> Vec<Vec<Touch>> {
        let old = self.scene(before);
        let changed: Vec<BTreeMap<(usize, usize), Vec<String>>> =
            after.iter().map(|states| changed_always(self, &old, states)).collect();
        let common: Vec<(usize, usize)> = match changed.split_first() {
            Some((first, rest)) if !rest.is_empty() => {
                let everywhere = |place: &&(usize, usize)| {
                    rest.iter().all(|other| other.get(place) == first.get(place))
                };
                first.keys().filter(everywhere).copied().collect()
            }
            _ => Vec::new(),
        };
        let touches = |changes: &BTreeMap<(usize, usize), Vec<String>>| {
            if let Some([from, to]) = carried(&old, changes) {
                let touch = |(board, cell), part| Touch { board, cell, part };
                return vec![touch(from, Part::Source), touch(to, Part::Target)];
            }
            let own: Vec<(usize, usize)> =
                changes.keys().filter(|place| !common.contains(place)).copied().collect();
            let part = if own.len() == 1 { Part::Drop } else { Part::Line };
            own.into_iter().map(|(board, cell)| Touch { board, cell, part }).collect()
        };
        changed.iter().map(touches).collect()
    }

    /// The cells that differ between two states: a cell that something left, and a cell where
    /// something is new. Works for every game, whatever its moves are called.
    pub fn changes(&self, before: &[String], after: &[String]) -> Vec<Touch> {
        changes(&self.scene(before), &self.scene(after))
    }

    pub(crate) fn first_board(&self, grid: usize) -> usize {
        self.grids[..grid].iter().map(|grid| grid.boards.len()).sum()
    }
}

/// The names of the pieces on a cell.
fn items_on(scene: &Scene, (board, cell): (usize, usize)) -> Vec<String> {
    let cell = scene.boards.get(board).and_then(|board| board.cells.get(cell));
    cell.map_or_else(Vec::new, |cell| cell.items.iter().map(|item| item.name.clone()).collect())
}

/// The cells that are changed in all of the states, and what then stands there.
fn changed_always(
    layout: &Layout,
    old: &Scene,
    states: &[Vec<String>],
) -> BTreeMap<(usize, usize), Vec<String>> {
    let mut found: Option<BTreeMap<(usize, usize), Vec<String>>> = None;
    for facts in states {
        let new = layout.scene(facts);
        let touched = changes(old, &new).into_iter().map(|touch| (touch.board, touch.cell));
        let here: BTreeMap<_, _> = touched.map(|place| (place, items_on(&new, place))).collect();
        found = Some(match found {
            None => here,
            Some(found) => {
                found.into_iter().filter(|(place, items)| here.get(place) == Some(items)).collect()
            }
        });
    }
    found.unwrap_or_default()
}

/// Where the only piece of its kind leaves and arrives.
fn carried(
    old: &Scene,
    changes: &BTreeMap<(usize, usize), Vec<String>>,
) -> Option<[(usize, usize); 2]> {
    let everywhere = || old.boards.iter().flat_map(|board| &board.cells);
    changes.keys().find_map(|&from| {
        let left = items_on(old, from);
        let [piece] = &left[..] else { return None };
        let count =
            everywhere().flat_map(|cell| &cell.items).filter(|item| item.name == *piece).count();
        let mut to =
            changes.iter().filter(|(place, items)| **place != from && items.contains(piece));
        let (to, gone) = (to.next()?.0, !changes[&from].contains(piece));
        (count == 1 && gone).then_some([from, *to])
    })
}

fn changes(before: &Scene, after: &Scene) -> Vec<Touch> {
    let mut touches = Vec::new();
    for (board, (old, new)) in before.boards.iter().zip(&after.boards).enumerate() {
        for (cell, (old, new)) in old.cells.iter().zip(&new.cells).enumerate() {
            let part = match (old.items.is_empty(), new.items.is_empty()) {
                _ if old.items == new.items => continue,
                (false, true) => Part::Source,
                (true, false) => Part::Drop,
                _ => Part::Target,
            };
            touches.push(Touch { board, cell, part });
        }
    }
    touches
}
