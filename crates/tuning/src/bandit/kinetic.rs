//! The highest of many lines at a slowly growing abscissa.
//!
//! UCB1 of an arm is a line in `sqrt(ln n)`: it starts at the mean and rises with `c / sqrt(n(a))`.
//! One sample changes one line and moves the abscissa a little. A tournament tree keeps the winner
//! of every pair of subtrees together with the abscissa *until* which nothing below changes; asking
//! for the highest line looks again only where that has passed. So a sample costs the logarithm of
//! the number of arms where a scan costs the number, and the answer is the same.

/// A line and what decides between equal ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub start: f64,
    pub slope: f64,
    /// Drawn anew whenever the line changes, so that ties are random.
    pub priority: u32,
}

impl Line {
    pub fn at(&self, x: f64) -> f64 {
        self.start + self.slope * x
    }
}

/// The tournament.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tournament {
    lines: Vec<Line>,
    /// Node `i` has the children `2 i` and `2 i + 1`; line `j` is the leaf `nodes.len() / 2 + j`.
    nodes: Vec<Node>,
    x: f64,
    /// A line that has changed since the matches above it were played. Mostly the same line changes
    /// several times before the next question: when it is proposed, and when its reward comes.
    changed: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    winner: u32,
    until: f64,
}

/// No line.
const NOBODY: u32 = u32::MAX;
const EMPTY: Node = Node { winner: NOBODY, until: f64::INFINITY };

impl Tournament {
    /// Adds a line and returns its number: 0, 1, ...
    pub fn push(&mut self, line: Line) -> u32 {
        self.settle();
        let number = self.lines.len();
        self.lines.push(line);
        if self.lines.len() > self.nodes.len() / 2 {
            self.nodes = vec![EMPTY; (4 * self.lines.len()).next_power_of_two()];
            self.rebuild();
        } else {
            let leaf = self.nodes.len() / 2 + number;
            self.nodes[leaf].winner = number as u32;
            self.lift(number as u32);
        }
        number as u32
    }

    /// Replaces a line.
    pub fn set(&mut self, number: u32, line: Line) {
        if self.changed != Some(number) {
            self.settle();
            self.changed = Some(number);
        }
        self.lines[number as usize] = line;
    }

    /// Plays the matches above the line that has changed.
    fn settle(&mut self) {
        if let Some(number) = self.changed.take() {
            self.lift(number);
        }
    }

    pub fn line(&self, number: u32) -> Line {
        self.lines[number as usize]
    }

    /// The number of the highest line at `x`; `None` if there are no lines.
    pub fn highest(&mut self, x: f64) -> Option<u32> {
        if self.nodes.is_empty() {
            return None;
        }
        self.settle();
        let backwards = x < self.x;
        self.x = x;
        if backwards {
            // Promises only hold forwards.
            self.rebuild();
        } else {
            self.refresh(1);
        }
        Some(self.nodes[1].winner).filter(|&winner| winner != NOBODY)
    }

    fn rebuild(&mut self) {
        let leaves = self.nodes.len() / 2;
        for number in 0..self.lines.len() {
            self.nodes[leaves + number].winner = number as u32;
        }
        for node in (1..leaves).rev() {
            self.nodes[node] = self.play(node);
        }
    }

    /// Plays the matches above a line that has changed.
    fn lift(&mut self, number: u32) {
        let mut node = (self.nodes.len() / 2 + number as usize) / 2;
        while node > 0 {
            let result = self.play(node);
            if result == self.nodes[node] && result.winner != number {
                return;
            }
            self.nodes[node] = result;
            node /= 2;
        }
    }

    /// Plays the matches at and below `node` whose promise has passed. Depth is the logarithm of
    /// the number of lines.
    fn refresh(&mut self, node: usize) {
        if self.nodes[node].until <= self.x {
            self.refresh(2 * node);
            self.refresh(2 * node + 1);
            self.nodes[node] = self.play(node);
        }
    }

    /// The winner of the two children and until when it wins.
    fn play(&self, node: usize) -> Node {
        let (left, right) = (self.nodes[2 * node], self.nodes[2 * node + 1]);
        if right.winner == NOBODY {
            return left;
        }
        let (a, b) = (self.lines[left.winner as usize], self.lines[right.winner as usize]);
        let key = |line: &Line| (line.at(self.x), line.slope);
        let (ka, kb) = (key(&a), key(&b));
        let a_wins = ka > kb || (ka == kb && a.priority >= b.priority);
        let (winner, high, low) = if a_wins { (left.winner, a, b) } else { (right.winner, b, a) };
        let mut until = left.until.min(right.until);
        if low.slope > high.slope {
            until = until.min((high.start - low.start) / (low.slope - high.slope));
        }
        Node { winner, until }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamegrove_game::Rng;

    #[test]
    fn the_same_as_looking_at_all_lines() {
        for seed in 0..50 {
            let mut rng = Rng::new(seed);
            let mut tournament = Tournament::default();
            let mut lines: Vec<Line> = Vec::new();
            let mut x = 0.0;
            assert_eq!(tournament.highest(x), None);
            for _ in 0..1000 {
                // Few different numbers, so that parallel and equal lines occur.
                let line = Line {
                    start: rng.below(11) as f64 / 10.0,
                    slope: rng.below(7) as f64 / 7.0,
                    priority: rng.next_u64() as u32,
                };
                if lines.is_empty() || rng.below(4) == 0 {
                    assert_eq!(tournament.push(line), lines.len() as u32);
                    lines.push(line);
                } else {
                    let number = rng.below(lines.len());
                    tournament.set(number as u32, line);
                    lines[number] = line;
                }
                x += match rng.below(40) {
                    0 => -x * rng.unit(),
                    1 => 1.0,
                    _ => 0.01 * rng.unit(),
                };
                let number = tournament.highest(x).unwrap() as usize;
                let best = lines.iter().map(|line| line.at(x)).fold(f64::NEG_INFINITY, f64::max);
                assert!(lines[number].at(x) >= best - 1e-12, "seed {seed}");
                let found = lines[number];
                let twin = |line: &&Line| line.start == found.start && line.slope == found.slope;
                let first = lines.iter().filter(twin).map(|line| line.priority).max().unwrap();
                assert_eq!(found.priority, first, "seed {seed}");
            }
        }
    }
}
