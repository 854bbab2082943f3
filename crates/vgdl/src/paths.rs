//! Shortest ways around the obstacles of a level, for the characters that chase by path.
//!
//! Ways are computed once per level, over the blocks that hold no obstacle when the level starts.
//! Which of several shortest ways is taken depends on the order in which blocks of equal distance
//! leave the framework's priority queue, a binary heap; the same heap is used here.

use crate::value::{DOWN, LEFT, RIGHT, UP, Vector};

/// Levels with more blocks than this have no ways.
const MAX_BLOCKS: usize = 4096;

/// First steps from every block to every other.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    cols: i32,
    rows: i32,
    /// 0 for no way, else the number of the first step plus 1.
    steps: Vec<u8>,
}

const STEPS: [Vector; 4] = [UP, DOWN, LEFT, RIGHT];

/// A binary heap of (distance, block); equal distances keep the order a heap gives them.
#[derive(Default)]
struct Heap(Vec<(u32, usize)>);

impl Heap {
    fn push(&mut self, item: (u32, usize)) {
        let mut at = self.0.len();
        self.0.push(item);
        while at > 0 {
            let parent = (at - 1) / 2;
            if item.0 >= self.0[parent].0 {
                break;
            }
            self.0[at] = self.0[parent];
            at = parent;
        }
        self.0[at] = item;
    }

    fn pop(&mut self) -> Option<(u32, usize)> {
        let last = self.0.pop()?;
        let Some(&top) = self.0.first() else { return Some(last) };
        let len = self.0.len();
        let mut at = 0;
        while at < len / 2 {
            let mut child = 2 * at + 1;
            if child + 1 < len && self.0[child].0 > self.0[child + 1].0 {
                child += 1;
            }
            if last.0 <= self.0[child].0 {
                break;
            }
            self.0[at] = self.0[child];
            at = child;
        }
        self.0[at] = last;
        Some(top)
    }
}

impl Paths {
    /// Ways on a board on which `blocked` tells the obstacles; `sideways` allows only left and
    /// right, as the framework does for avatars with three actions.
    pub fn new(cols: i32, rows: i32, blocked: &[bool], sideways: bool) -> Option<Paths> {
        let blocks = blocked.len();
        if blocks > MAX_BLOCKS {
            return None;
        }
        let mut steps = vec![0; blocks * blocks];
        let mut heap = Heap::default();
        for start in (0..blocks).filter(|&b| !blocked[b]) {
            let from = &mut steps[start * blocks..(start + 1) * blocks];
            let mut visited = vec![false; blocks];
            visited[start] = true;
            heap.push((0, start));
            while let Some((distance, block)) = heap.pop() {
                let (x, y) = (block as i32 % cols, block as i32 / cols);
                for (number, (dx, dy)) in STEPS.iter().enumerate() {
                    if sideways && number < 2 {
                        continue;
                    }
                    let (nx, ny) = (x + *dx as i32, y + *dy as i32);
                    if !(0..cols).contains(&nx) || !(0..rows).contains(&ny) {
                        continue;
                    }
                    let next = (ny * cols + nx) as usize;
                    if blocked[next] || visited[next] {
                        continue;
                    }
                    visited[next] = true;
                    from[next] = if block == start { number as u8 + 1 } else { from[block] };
                    heap.push((distance + 1, next));
                }
            }
        }
        Some(Paths { cols, rows, steps })
    }

    /// The first step from one place to another, both in pixels.
    pub fn step(&self, block: i32, from: (i32, i32), to: (i32, i32)) -> Option<Vector> {
        let scale = 1.0 / f64::from(block);
        let cell = |(x, y): (i32, i32)| {
            let (x, y) = ((f64::from(x) * scale) as i32, (f64::from(y) * scale) as i32);
            let inside = (0..self.cols).contains(&x) && (0..self.rows).contains(&y);
            inside.then(|| (y * self.cols + x) as usize)
        };
        let blocks = (self.cols * self.rows) as usize;
        let number = self.steps[cell(from)? * blocks + cell(to)?];
        (number > 0).then(|| STEPS[usize::from(number) - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_lead_around_obstacles() {
        // . # .
        // . . .
        let paths = Paths::new(3, 2, &[false, true, false, false, false, false], false);
        let paths = paths.expect("a small board");
        assert_eq!(paths.step(10, (0, 0), (20, 0)), Some(DOWN));
        assert_eq!(paths.step(10, (0, 10), (20, 0)), Some(RIGHT));
        assert_eq!(paths.step(10, (0, 0), (10, 0)), None);
        assert_eq!(paths.step(10, (0, 0), (0, 0)), None);
        assert_eq!(paths.step(10, (-50, 0), (0, 0)), None);
    }
}
