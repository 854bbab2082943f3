//! Distances on the board: as the crow flies, or along shortest ways around walls (
//! [van Eeden 2015, 4.2.2.1, 5.1]).
//!
//! Walls hardly ever change, so the ways from a field to all others are found once, breadth first,
//! and kept; the distance to a thing is then one look into a table. That gives the numbers A* gives.
//! A crate for searching graphs would find one way at a time and keep nothing.

use std::collections::VecDeque;

use super::model::NOWHERE;

/// How distances are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// As the crow flies.
    Straight,
    /// Around walls; with `skip` as the crow flies where a level has no walls inside.
    Around {
        /// Whether levels without walls inside need no ways.
        skip: bool,
    },
}

/// Further than anything on a board.
const UNREACHED: u16 = u16::MAX;

pub(crate) struct Near {
    cols: i32,
    rows: i32,
    way: Way,
    /// Which kinds of things are worth a distance.
    pub(crate) kinds: Vec<bool>,
    /// How many walls there were when the ways were found.
    pub(crate) walls: Option<usize>,
    blocked: Vec<bool>,
    /// Whether there are walls inside, besides those along the edge.
    inside: bool,
    fields: Vec<Option<Box<[u16]>>>,
    queue: VecDeque<u32>,
}

impl Near {
    pub(crate) fn new((cols, rows): (usize, usize), way: Way) -> Near {
        Near {
            cols: cols.max(1) as i32,
            rows: rows.max(1) as i32,
            way,
            kinds: Vec::new(),
            walls: None,
            blocked: vec![false; cols.max(1) * rows.max(1)],
            inside: false,
            fields: Vec::new(),
            queue: VecDeque::new(),
        }
    }

    /// The field a place belongs to; [`NOWHERE`] off the board.
    pub(crate) fn cell(&self, (x, y): (f64, f64)) -> u32 {
        let (x, y) = (x.round() as i32, y.round() as i32);
        let on_board = (0..self.cols).contains(&x) && (0..self.rows).contains(&y);
        if on_board { (y * self.cols + x) as u32 } else { NOWHERE }
    }

    /// The field next to another in a direction, itself if a wall or the edge is there.
    pub(crate) fn beside(&self, cell: u32, (dx, dy): (f64, f64)) -> u32 {
        if cell == NOWHERE {
            return cell;
        }
        let (x, y) = (cell as i32 % self.cols, cell as i32 / self.cols);
        let next = self.cell((f64::from(x) + dx, f64::from(y) + dy));
        if next == NOWHERE || self.blocked[next as usize] { cell } else { next }
    }

    /// Says where walls are.
    pub(crate) fn set_walls(&mut self, places: &[(f64, f64)], count: usize) {
        self.blocked.fill(false);
        self.inside = false;
        for &place in places {
            let cell = self.cell(place);
            if cell != NOWHERE {
                self.blocked[cell as usize] = true;
                let (x, y) = (cell as i32 % self.cols, cell as i32 / self.cols);
                let inner = (1..self.cols - 1).contains(&x) && (1..self.rows - 1).contains(&y);
                self.inside |= inner;
            }
        }
        self.walls = Some(count);
        self.fields.clear();
        self.fields.resize(self.blocked.len(), None);
    }

    /// The distance from a field to the nearest of some places; infinite if there is none.
    pub(crate) fn nearest(&mut self, cell: u32, places: &[(f64, f64)]) -> f64 {
        if cell == NOWHERE || self.fields.is_empty() {
            return f64::INFINITY;
        }
        let around = match self.way {
            Way::Straight => false,
            Way::Around { skip } => self.inside || !skip,
        };
        if !around {
            let (x, y) = (f64::from(cell as i32 % self.cols), f64::from(cell as i32 / self.cols));
            let squares = places.iter().map(|&(px, py)| (px - x).powi(2) + (py - y).powi(2));
            return squares.fold(f64::INFINITY, f64::min).sqrt();
        }
        if self.fields[cell as usize].is_none() {
            let field = self.field(cell);
            self.fields[cell as usize] = Some(field);
        }
        let Some(field) = &self.fields[cell as usize] else { return f64::INFINITY };
        let mut least = UNREACHED;
        for &place in places {
            let to = self.cell(place);
            if to != NOWHERE {
                least = least.min(field[to as usize]);
            }
        }
        if least == UNREACHED { f64::INFINITY } else { f64::from(least) }
    }

    /// Steps from a field to all others. What stands in a wall is reached from beside it.
    fn field(&mut self, from: u32) -> Box<[u16]> {
        let mut field = vec![UNREACHED; self.blocked.len()].into_boxed_slice();
        field[from as usize] = 0;
        self.queue.clear();
        self.queue.push_back(from);
        while let Some(cell) = self.queue.pop_front() {
            let (x, y) = (cell as i32 % self.cols, cell as i32 / self.cols);
            let next = field[cell as usize].saturating_add(1);
            for (dx, dy) in [(0, -1), (-1, 0), (0, 1), (1, 0)] {
                let (nx, ny) = (x + dx, y + dy);
                if !(0..self.cols).contains(&nx) || !(0..self.rows).contains(&ny) {
                    continue;
                }
                let to = (ny * self.cols + nx) as usize;
                if field[to] == UNREACHED {
                    field[to] = next;
                    if !self.blocked[to] {
                        self.queue.push_back(to as u32);
                    }
                }
            }
        }
        field
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ```text
    /// . # .
    /// . # .
    /// . . .
    /// ```
    fn near(way: Way) -> Near {
        let mut near = Near::new((3, 3), way);
        near.set_walls(&[(1.0, 0.0), (1.0, 1.0)], 2);
        near
    }

    #[test]
    fn ways_go_around_walls() {
        let goal = [(2.0, 0.0)];
        assert_eq!(near(Way::Straight).nearest(0, &goal), 2.0);
        assert_eq!(near(Way::Around { skip: false }).nearest(0, &goal), 6.0);
        assert_eq!(near(Way::Around { skip: true }).nearest(0, &goal), 6.0);
        assert_eq!(near(Way::Straight).nearest(0, &[]), f64::INFINITY);
        assert_eq!(near(Way::Straight).nearest(NOWHERE, &goal), f64::INFINITY);
    }

    #[test]
    fn without_walls_inside_ways_can_be_skipped() {
        let mut near = Near::new((3, 3), Way::Around { skip: true });
        near.set_walls(&[(0.0, 0.0)], 1);
        assert_eq!(near.nearest(4, &[(2.0, 2.0)]), 2f64.sqrt());
    }

    #[test]
    fn what_cannot_be_reached_is_infinitely_far() {
        let mut near = Near::new((4, 1), Way::Around { skip: false });
        near.set_walls(&[(1.0, 0.0)], 1);
        assert_eq!(near.nearest(0, &[(2.0, 0.0)]), f64::INFINITY);
        assert_eq!(near.nearest(0, &[(1.0, 0.0)]), 1.0, "a wall itself can be touched");
        assert_eq!(near.beside(0, (1.0, 0.0)), 0);
        assert_eq!(near.beside(2, (1.0, 0.0)), 3);
    }
}
