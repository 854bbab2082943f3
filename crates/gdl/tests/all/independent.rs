//! Counts of move sequences by programs written from the rules in words, without GDL: the source of
//! the numbers in `counts.rs` that are not published elsewhere.

/// Breakthrough 8x8. `own` and `other` hold bit `8 * rank + file`, seen from the player to move,
/// whose pawns walk towards higher ranks.
fn breakthrough(own: u64, other: u64, depth: u32) -> u64 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    const LAST_RANK: u64 = 0xff << 56;
    if depth == 0 {
        return 1;
    }
    // The other player's last move may have reached the first rank.
    if other & 0xff != 0 {
        return 0;
    }
    let straight = (own << 8) & !own & !other;
    let left = ((own & !FILE_A) << 7) & !own;
    let right = ((own & !(FILE_A << 7)) << 9) & !own;
    if depth == 1 {
        return u64::from(straight.count_ones() + left.count_ones() + right.count_ones());
    }
    let mut total = 0;
    for (targets, shift) in [(straight, 8), (left, 7), (right, 9)] {
        for square in (0..64).filter(|square| targets >> square & 1 == 1) {
            let to = 1u64 << square;
            let moved = (own ^ to >> shift) | to;
            // Turn the board round: the other player walks towards higher ranks then.
            let (mine, theirs) = (turned(other & !to), turned(moved));
            debug_assert!(moved & LAST_RANK == 0 || theirs & 0xff != 0);
            total += breakthrough(mine, theirs, depth - 1);
        }
    }
    total
}

fn turned(board: u64) -> u64 {
    board.reverse_bits()
}

#[test]
fn breakthrough_from_the_start() {
    let (white, black) = (0xffff, 0xffff << 48);
    let counts: Vec<u64> = (1..=4).map(|depth| breakthrough(white, black, depth)).collect();
    assert_eq!(counts, [22, 484, 11_132, 256_036]);
}

/// Connect four with columns of seven bits, the top one always empty.
fn connect_four(own: u64, other: u64, depth: u32) -> u64 {
    const COLUMN: u64 = 0b11_1111;
    if depth == 0 {
        return 1;
    }
    let wins = [1, 6, 7, 8].iter().any(|&step| {
        let pairs = other & (other >> step);
        pairs & (pairs >> (2 * step)) != 0
    });
    if wins {
        return 0;
    }
    (0..7)
        .filter_map(|column| {
            let taken = (own | other) >> (7 * column) & COLUMN;
            let free = !taken & COLUMN;
            (free != 0).then(|| 1u64 << (free.trailing_zeros() + 7 * column))
        })
        .map(|disc| connect_four(other, own | disc, depth - 1))
        .sum()
}

#[test]
fn connect_four_from_the_start() {
    let counts: Vec<u64> = (1..=8).map(|depth| connect_four(0, 0, depth)).collect();
    assert_eq!(counts, [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]);
}

/// Sliding puzzle of three by three: how many ways the gap can wander. Nothing is solved within
/// the depths asked for, so the tiles do not matter.
fn wanderings(gap: (i32, i32), depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    [(0, 1), (1, 0), (0, -1), (-1, 0)]
        .iter()
        .map(|step| (gap.0 + step.0, gap.1 + step.1))
        .filter(|to| (0..3).contains(&to.0) && (0..3).contains(&to.1))
        .map(|to| wanderings(to, depth - 1))
        .sum()
}

#[test]
fn eight_puzzle_from_a_corner() {
    let counts: Vec<u64> = (1..=10).map(|depth| wanderings((2, 2), depth)).collect();
    assert_eq!(counts, [2, 6, 16, 48, 128, 384, 1_024, 3_072, 8_192, 24_576]);
}

/// A light cycle: where it is and where it drives.
#[derive(Clone, Copy)]
struct Cycle {
    at: (i32, i32),
    heading: (i32, i32),
}

/// Tron on ten by ten squares: how many pairs of turns there are before the first crash.
fn tron(trail: &mut Vec<(i32, i32)>, cycles: [Cycle; 2], depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let turns = |cycle: Cycle| {
        let (x, y) = cycle.heading;
        [(x, y), (y, -x), (-y, x)]
            .map(|heading| Cycle { at: (cycle.at.0 + heading.0, cycle.at.1 + heading.1), heading })
    };
    let mut total = 0;
    for red in turns(cycles[0]) {
        for blue in turns(cycles[1]) {
            let inside = |c: Cycle| (1..=10).contains(&c.at.0) && (1..=10).contains(&c.at.1);
            let crashed = [red, blue].iter().any(|c| !inside(*c) || trail.contains(&c.at))
                || red.at == blue.at;
            if crashed {
                total += u64::from(depth == 1);
                continue;
            }
            trail.extend([red.at, blue.at]);
            total += tron(trail, [red, blue], depth - 1);
            trail.truncate(trail.len() - 2);
        }
    }
    total
}

#[test]
fn tron_from_the_start() {
    let red = Cycle { at: (2, 5), heading: (1, 0) };
    let blue = Cycle { at: (9, 6), heading: (-1, 0) };
    let counts: Vec<u64> =
        (1..=5).map(|depth| tron(&mut vec![red.at, blue.at], [red, blue], depth)).collect();
    assert_eq!(counts, [9, 81, 729, 5_625, 35_649]);
}

/// The contents of the ten by ten squares of amazons.
#[derive(Clone, Copy, PartialEq)]
enum Square {
    Empty,
    Amazon(bool),
    Burnt,
}

type Board = [[Square; 10]; 10];

/// Squares that a queen on `from` reaches.
fn queen(board: &Board, from: (usize, usize)) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (x, y) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
        let mut at = from;
        while let (Some(column), Some(row)) =
            (at.0.checked_add_signed(x), at.1.checked_add_signed(y))
        {
            if column > 9 || row > 9 || board[column][row] != Square::Empty {
                break;
            }
            at = (column, row);
            found.push(at);
        }
    }
    found
}

/// Positions after one move of `player`. From the start one move cannot shut in a player.
fn amazons(board: &Board, player: bool) -> Vec<Board> {
    let mut found = Vec::new();
    let squares = (0..10).flat_map(|column| (0..10).map(move |row| (column, row)));
    for from in squares.filter(|&(c, r)| board[c][r] == Square::Amazon(player)) {
        for to in queen(board, from) {
            let mut moved = *board;
            moved[from.0][from.1] = Square::Empty;
            moved[to.0][to.1] = Square::Amazon(player);
            found.extend(queen(&moved, to).into_iter().map(|target| {
                let mut shot = moved;
                shot[target.0][target.1] = Square::Burnt;
                shot
            }));
        }
    }
    found
}

#[test]
fn amazons_from_the_start() {
    let mut board = [[Square::Empty; 10]; 10];
    for (column, row) in [(3, 0), (6, 0), (0, 3), (9, 3)] {
        board[column][row] = Square::Amazon(true);
        board[column][9 - row] = Square::Amazon(false);
    }
    let first = amazons(&board, true);
    let second: usize = first.iter().map(|board| amazons(board, false).len()).sum();
    assert_eq!((first.len(), second), (2_176, 4_307_152));
}
