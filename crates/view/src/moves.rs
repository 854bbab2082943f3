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
    if !found.is_empty() || leaves != 1 {
        return found;
    }
    // One coordinate alone: the column of connect four.
    for grid in grid_order(shape, grids) {
        for (part, values) in grids[grid].parts.iter().enumerate() {
            if grids[grid].parts.len() > 1 && rows.iter().all(|row| values.contains(&row[0])) {
                return vec![Spot::Part { grid, leaf: 0, part }];
            }
        }
    }
    Vec::new()
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
        let spots = self.moves.spots(&fact, &self.grids);
        let count = spots.len();
        let mut touches = Vec::new();
        for (number, spot) in spots.into_iter().enumerate() {
            match spot {
                Spot::Cell { grid, leaf } => {
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
                Spot::Part { grid, leaf, part } => {
                    let Some(value) = fact.leaves.get(leaf) else { continue };
                    let cells = self.grids[grid].index.iter();
                    let line = cells.filter(|(key, _)| key.get(part) == Some(value));
                    touches.extend(line.map(|(_, &(board, cell))| Touch {
                        board: self.first_board(grid) + board,
                        cell,
                        part: Part::Line,
                    }));
                }
            }
        }
        // A cell that is named twice has the later part.
        touches.reverse();
        touches.sort_by_key(|touch| (touch.board, touch.cell));
        touches.dedup_by_key(|touch| (touch.board, touch.cell));
        touches
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
