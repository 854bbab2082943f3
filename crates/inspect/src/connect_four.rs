//! Exact values of connect-four positions, by a full search on bitboards.
//!
//! It shares no code with reasoners and searches, so that both can be held against it. Positions are those
//! of the shipped game, seven columns of six. The search is alpha-beta over win, draw and loss with a table
//! of bounds; a move that lets the opponent win at once is left out, and moves that make most threats come
//! first. From ten stones on most positions take milliseconds.

use gamegrove_game::Rng;

const WIDTH: usize = 7;
const HEIGHT: usize = 6;
/// Bits from one column to the next: the top one of each is always free.
const STRIDE: usize = HEIGHT + 1;
const BOTTOM: u64 = {
    let (mut bits, mut column) = (0, 0);
    while column < WIDTH {
        bits |= 1 << (column * STRIDE);
        column += 1;
    }
    bits
};
const BOARD: u64 = BOTTOM * ((1 << HEIGHT) - 1);

/// Columns from the middle outwards: most lines go through the middle.
const ORDER: [usize; WIDTH] = [3, 2, 4, 1, 5, 0, 6];

/// A position: the stones of the side to move, and those of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    own: u64,
    all: u64,
}

impl Position {
    /// The position after drops into columns from 1 to 7; `None` if a column is full or does not exist, or if
    /// play was over before the last drop.
    pub fn after(drops: &[usize]) -> Option<Position> {
        let mut position = Position::default();
        for &column in drops {
            let stone = position.stone_in(column.checked_sub(1).filter(|&at| at < WIDTH)?)?;
            if position.is_lost() {
                return None;
            }
            position = position.with(stone);
        }
        Some(position)
    }

    /// The columns, from 1 to 7, that have room.
    pub fn legal(self) -> impl Iterator<Item = usize> {
        (0..WIDTH).filter(move |&column| self.stone_in(column).is_some()).map(|column| column + 1)
    }

    /// Whether the side that has just moved has four in a row.
    fn is_lost(self) -> bool {
        let stones = self.own ^ self.all;
        [1, HEIGHT, STRIDE, STRIDE + 1].iter().any(|&by| {
            let pairs = stones & stones >> by;
            pairs & pairs >> (2 * by) != 0
        })
    }

    /// The stones that can be dropped.
    fn drops(self) -> u64 {
        (self.all + BOTTOM) & BOARD
    }

    fn stone_in(self, column: usize) -> Option<u64> {
        let stone = self.drops() & ((1 << HEIGHT) - 1) << (column * STRIDE);
        (stone != 0).then_some(stone)
    }

    /// The position after a stone of the side to move.
    fn with(self, stone: u64) -> Position {
        Position { own: self.own ^ self.all, all: self.all | stone }
    }

    /// The drops with which the side to move wins at once.
    fn wins(self) -> u64 {
        completions(self.own, self.all) & self.drops()
    }

    /// The drops with which the other side would win at once if it were its turn.
    fn threats(self) -> u64 {
        completions(self.own ^ self.all, self.all) & self.drops()
    }

    /// One number for each position.
    fn key(self) -> u64 {
        self.own + self.all + BOTTOM
    }
}

/// The free cells that complete four in a row of `stones`.
fn completions(stones: u64, all: u64) -> u64 {
    let mut cells = stones << 1 & stones << 2 & stones << 3;
    for by in [HEIGHT, STRIDE, STRIDE + 1] {
        let two = stones << by & stones << (2 * by);
        cells |= two & stones << (3 * by) | two & stones >> by;
        let two = stones >> by & stones >> (2 * by);
        cells |= two & stones >> (3 * by) | two & stones << by;
    }
    cells & BOARD & !all
}

/// What is known of a position: its key, and that its worth is at least or at most a number.
#[derive(Clone, Copy, Default)]
struct Known {
    key: u64,
    low: i8,
    high: i8,
}

/// Finds the values of positions and keeps what it has found.
pub struct Solver {
    known: Vec<Known>,
}

/// Positions that are kept; a prime, so that keys spread.
const KEPT: usize = 8_388_593;

impl Default for Solver {
    fn default() -> Solver {
        Solver { known: vec![Known::default(); KEPT] }
    }
}

impl Solver {
    /// What the position is worth for the side to move: 1 a win, 0 a draw, -1 a loss.
    pub fn value(&mut self, position: Position) -> i8 {
        if position.is_lost() { -1 } else { self.search(position, -1, 1) }
    }

    /// The columns, from 1 to 7, after which the position is worth as much as before.
    pub fn keeping(&mut self, position: Position) -> Vec<usize> {
        let value = self.value(position);
        let after = |column: usize| {
            let stone = position.stone_in(column - 1).expect("the column has room");
            position.with(stone)
        };
        position.legal().filter(|&column| -self.value(after(column)) == value).collect()
    }

    /// The worth within a window, otherwise a bound of it.
    fn search(&mut self, position: Position, mut low: i8, mut high: i8) -> i8 {
        if position.wins() != 0 {
            return 1;
        }
        let drops = position.drops();
        if drops == 0 {
            return 0;
        }
        let threats = position.threats();
        if threats & threats.wrapping_sub(1) != 0 {
            return -1;
        }
        // One threat must be met; and no stone may be put below a cell that completes a line of the other.
        let lines = completions(position.own ^ position.all, position.all);
        let open = if threats == 0 { drops } else { threats } & !(lines >> 1);
        if open == 0 {
            return -1;
        }
        let place = (position.key() % KEPT as u64) as usize;
        let found = self.known[place];
        let (mut least, mut most) = (-1, 1);
        if found.key == position.key() {
            (least, most) = (found.low, found.high);
            (low, high) = (low.max(least), high.min(most));
            if low >= high {
                return if least >= high { least } else { most.min(low) };
            }
        }
        let mut moves = [(0, 0); WIDTH];
        let mut count = 0;
        for column in ORDER {
            let stone = open & ((1 << HEIGHT) - 1) << (column * STRIDE);
            if stone != 0 {
                let lines = completions(position.own | stone, position.all | stone).count_ones();
                moves[count] = (lines, stone);
                count += 1;
            }
        }
        moves[..count].sort_by_key(|&(lines, _)| std::cmp::Reverse(lines));
        let mut best = -1;
        for &(_, stone) in &moves[..count] {
            best = best.max(-self.search(position.with(stone), -high, -low.max(best)));
            if best >= high {
                break;
            }
        }
        // Below the window it is a bound from above, beyond it one from below.
        if best > low {
            least = least.max(best);
        }
        if best < high {
            most = most.min(best);
        }
        self.known[place] = Known { key: position.key(), low: least, high: most };
        best
    }
}

/// A position in which a mistake is likely, by the drops that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The drops from the start, columns from 1 to 7.
    pub drops: Vec<usize>,
    /// The columns that keep the value.
    pub keeping: Vec<usize>,
}

/// The next position of random play with so many stones that is not lost, in which neither side can win at
/// once and at most half of the moves keep the value.
pub fn problem(solver: &mut Solver, rng: &mut Rng, stones: usize) -> Problem {
    loop {
        let (mut drops, mut position) = (Vec::new(), Position::default());
        while drops.len() < stones && position.wins() == 0 {
            let legal: Vec<usize> = position.legal().collect();
            let Some(column) = rng.pick(&legal) else { break };
            position = position.with(position.stone_in(column - 1).expect("it is legal"));
            drops.push(column);
        }
        if drops.len() < stones || position.wins() | position.threats() != 0 {
            continue;
        }
        let keeping = solver.keeping(position);
        if 2 * keeping.len() <= position.legal().count() && solver.value(position) >= 0 {
            return Problem { drops, keeping };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worth by the definition: all lines to the end.
    fn by_definition(position: Position) -> i8 {
        if position.is_lost() {
            return -1;
        }
        let stones = (0..WIDTH).filter_map(|column| position.stone_in(column));
        stones.map(|stone| -by_definition(position.with(stone))).max().unwrap_or(0)
    }

    #[test]
    fn values_are_those_of_all_lines() {
        let mut solver = Solver::default();
        let mut rng = Rng::new(7);
        let mut seen = [0; 3];
        for _ in 0..2_000 {
            let mut position = Position::default();
            for _ in 0..33 {
                let legal: Vec<usize> = position.legal().collect();
                if position.is_lost() || legal.is_empty() {
                    break;
                }
                let column = rng.pick(&legal).expect("there is one");
                position = position.with(position.stone_in(column - 1).expect("it is legal"));
            }
            if position.all.count_ones() >= 32 {
                let value = by_definition(position);
                assert_eq!(solver.value(position), value, "{position:?}");
                seen[(value + 1) as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count >= 3), "{seen:?}");
    }

    #[test]
    fn problems_are_what_they_say() {
        let (mut solver, mut rng) = (Solver::default(), Rng::new(1));
        for stones in [16, 18, 20] {
            let found = problem(&mut solver, &mut rng, stones);
            let position = Position::after(&found.drops).expect("the drops are legal");
            assert_eq!(found.drops.len(), stones);
            assert!(!found.keeping.is_empty() && found.keeping.len() <= 3);
            assert_eq!(found.keeping, solver.keeping(position));
        }
    }

    #[test]
    fn drops_that_cannot_be_are_refused() {
        assert!(Position::after(&[1, 1, 1, 1, 1, 1]).is_some());
        assert!(Position::after(&[1, 1, 1, 1, 1, 1, 1]).is_none());
        assert!(Position::after(&[8]).is_none() && Position::after(&[0]).is_none());
        assert!(Position::after(&[1, 2, 1, 2, 1, 2, 1]).is_some());
        assert!(Position::after(&[1, 2, 1, 2, 1, 2, 1, 3]).is_none());
    }
}
