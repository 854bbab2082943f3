//! The rules in words, done the slow way: a map from points to owners, every piece turned to every
//! orientation, every result built and compared. It shares nothing with the library but the
//! [`Rules`] it is given and the names of moves.

use std::collections::{BTreeMap, BTreeSet};

use gamegrove_octagon::{Amount, Cannon, Listing, Rules, TwoPiece};

pub type Point = (i32, i32);

/// Owners by point; an entry per occupied position.
pub type Owners = BTreeMap<Point, u8>;

const STEPS: [Point; 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
const STEP_NAMES: [&str; 8] = ["e", "se", "s", "sw", "w", "nw", "n", "ne"];

#[derive(Clone, Debug)]
pub struct Plain {
    pub rules: Rules,
    pub owners: Owners,
    /// Left of each piece for each player, `None` is unlimited.
    pub stock: [[Option<u8>; 4]; 2],
    pub ply: u32,
}

/// A way to place a piece, and what comes of it.
#[derive(Clone, Debug)]
pub struct Way {
    pub name: String,
    pub point: Point,
    /// 0 to 3, weakest first.
    pub piece: usize,
    pub result: Owners,
    pub moved: usize,
    pub killed: usize,
}

impl Plain {
    pub fn new(rules: Rules) -> Self {
        let stock = rules.stock.0.map(Amount::count);
        Plain { rules, owners: Owners::new(), stock: [stock; 2], ply: 0 }
    }

    fn on_board(&self, (x, y): Point) -> bool {
        let size = i32::from(self.rules.shape.half_width);
        let inside = -size <= x && x <= size && -size <= y && y <= size;
        let cut = x.abs() + y.abs() > i32::from(self.rules.shape.reach);
        let hole = x == 0 && y == 0;
        inside && !cut && !hole
    }

    fn points(&self) -> Vec<Point> {
        let size = i32::from(self.rules.shape.half_width);
        let mut points = Vec::new();
        for y in -size..=size {
            for x in -size..=size {
                if self.on_board((x, y)) {
                    points.push((x, y));
                }
            }
        }
        points
    }

    pub fn mover(&self) -> u8 {
        (self.ply % 2) as u8
    }

    pub fn is_over(&self) -> bool {
        let full = self.owners.len() == self.points().len();
        let out_of_pieces = self.stock[usize::from(self.mover())].iter().all(|&n| n == Some(0));
        self.ply == 2 * u32::from(self.rules.turns) || full || out_of_pieces
    }

    fn lines_of(&self, piece: usize, orientation: usize) -> Vec<usize> {
        let turns: &[usize] = match (piece, self.rules.two_piece) {
            (0, _) => &[0],
            (1, TwoPiece::Opposite) => &[0, 4],
            (1, TwoPiece::RightAngle) => &[0, 2],
            (2, _) => &[0, 2, 4, 6],
            _ => &[0, 1, 2, 3, 4, 5, 6, 7],
        };
        turns.iter().map(|turn| (orientation + turn) % 8).collect()
    }

    /// Places a piece: its lines shove one after the other.
    fn place(&self, point: Point, piece: usize, orientation: usize) -> Way {
        let me = self.mover();
        let mut way = Way {
            name: String::new(),
            point,
            piece,
            result: self.owners.clone(),
            moved: 0,
            killed: 0,
        };
        way.result.insert(point, me);
        for line in self.lines_of(piece, orientation) {
            let (dx, dy) = STEPS[line];
            let ahead = |n: i32| (point.0 + n * dx, point.1 + n * dy);
            let mut length = 0;
            while way.result.get(&ahead(length + 1)) == Some(&(1 - me)) {
                length += 1;
            }
            if length == 0 || way.result.get(&ahead(length + 1)) == Some(&me) {
                continue;
            }
            // Take the pieces that move off the board, then put them down one step further.
            let movers = match self.rules.cannon {
                Cannon::LastPiece => length..=length,
                Cannon::LineShift => 1..=length,
            };
            for n in movers.clone() {
                way.result.remove(&ahead(n));
            }
            for n in movers {
                if self.on_board(ahead(n + 1)) {
                    way.result.insert(ahead(n + 1), 1 - me);
                } else {
                    way.killed += 1;
                }
            }
            way.moved += 1;
        }
        let letter = char::from(b'a' + (point.0 + i32::from(self.rules.shape.half_width)) as u8);
        let row = i32::from(self.rules.shape.half_width) - point.1 + 1;
        way.name = match piece {
            3 => format!("{letter}{row}-8"),
            _ => format!("{letter}{row}-{}{}", 1 << piece, STEP_NAMES[orientation]),
        };
        way
    }

    /// Every way to place a piece, orientations with the same lines once.
    fn ways(&self, points: &[Point]) -> Vec<Way> {
        let mut ways = Vec::new();
        for &point in points {
            if self.owners.contains_key(&point) {
                continue;
            }
            for piece in 0..4 {
                if self.stock[usize::from(self.mover())][piece] == Some(0) {
                    continue;
                }
                let mut seen = BTreeSet::new();
                for orientation in 0..8 {
                    let mut lines = self.lines_of(piece, orientation);
                    lines.sort_unstable();
                    if seen.insert(lines) {
                        ways.push(self.place(point, piece, orientation));
                    }
                }
            }
        }
        ways
    }

    /// The moves: what the listing keeps of all ways. The first way that moves nothing bears the
    /// name of its position, unless every placement is a move.
    pub fn moves(&self) -> Vec<Way> {
        self.moves_at(&self.points())
    }

    /// The moves that place a piece on one of `points`.
    pub fn moves_at(&self, points: &[Point]) -> Vec<Way> {
        if self.is_over() {
            return Vec::new();
        }
        let ways = self.ways(points);
        if self.rules.moves == Listing::EveryPlacement {
            return ways;
        }
        let mut kept: Vec<Way> = Vec::new();
        let mut seen: BTreeSet<(Option<usize>, Owners)> = BTreeSet::new();
        let mut quiet: BTreeSet<Point> = BTreeSet::new();
        for mut way in ways {
            let piece = (self.rules.moves == Listing::EachPiece).then_some(way.piece);
            if seen.insert((piece, way.result.clone())) {
                if way.moved == 0 && quiet.insert(way.point) {
                    way.name = way.name.split('-').next().unwrap().to_owned();
                }
                kept.push(way);
            }
        }
        kept
    }

    /// The type of a way, in words.
    pub fn type_of(&self, way: &Way) -> &'static str {
        let (x, y) = way.point;
        let crowded = STEPS.iter().any(|(dx, dy)| self.owners.contains_key(&(x + dx, y + dy)));
        match way {
            Way { killed: 1.., .. } => "kill",
            Way { moved: 1.., .. } => "push",
            _ if crowded => "press",
            _ => "free",
        }
    }

    pub fn play(&mut self, way: &Way) {
        let left = &mut self.stock[usize::from(self.mover())][way.piece];
        *left = left.map(|n| n - 1);
        self.owners = way.result.clone();
        self.ply += 1;
    }
}
