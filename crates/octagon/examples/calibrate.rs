//! The size of the game tree, estimated as published, beside the published powers of ten.
//!
//! `calibrate [GAMES] [SEED]`: games per board and row (100,000 unless told), the seed
//! (1 unless told). Games are played in blocks on all cores; a block's games depend on the seed and
//! the block alone.
//!
//! For each game the logarithms of the numbers of unique moves are added up over all plies. Printed
//! are the mean over the games with its standard error, the mean number of moves in the last three
//! plies of full-length games, how many games ended early, and the winners. Rows are the readings of
//! [Fernandes 2013, 2.3].
#![allow(clippy::print_stdout, reason = "a tool for people")]

use std::sync::atomic::{AtomicU64, Ordering};

use gamegrove_game::{Game, Move, Rng, TypedMoves};
use gamegrove_octagon::{Config, Octagon, Preferences};

const BOARDS: [(&str, u32); 3] = [("small", 69), ("medium", 121), ("large", 293)];

/// Readings of the rules, with estimates for the three boards.
const ROWS: [(&str, &str, bool, [f64; 3]); 5] = [
    ("last piece, unlimited", "cannon=last_piece,stock=unlimited", true, [68.1, 117.7, 281.3]),
    ("last piece, 12/8/4", "cannon=last_piece,stock=large", true, [68.0, 117.4, 276.7]),
    ("line shift, unlimited", "cannon=line_shift,stock=unlimited", true, [68.2, 118.4, 294.6]),
    ("line shift, 12/8/4", "cannon=line_shift,stock=large", true, [68.2, 118.1, 289.6]),
    ("last piece, uniform", "cannon=last_piece,stock=unlimited", false, [66.0, 116.6, 234.0]),
];

const BLOCK: u64 = 500;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let games: u64 = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(100_000);
    let seed: u64 = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(1);
    let config = Config::shipped();
    println!("{games} games each, seed {seed}");
    println!(
        "{:22} {:7} {:>9} {:>6} {:>15} {:>9} {:>9} {:>7} {:>7} {:>7} {:>7}",
        "reading",
        "board",
        "published",
        "spec",
        "log10 of tree",
        "branching",
        "last 3",
        "early %",
        "X %",
        "O %",
        "tie %"
    );
    for (name, options, typed, expected) in ROWS {
        for ((board, published), expected) in BOARDS.into_iter().zip(expected) {
            let rules = config.rules(&format!("{board},{options}")).expect("the readings exist");
            let game = Octagon::new(rules).expect("configured shapes are valid");
            let preferences = typed.then_some(config.random_player);
            let sums = play_all(&game, preferences, games, seed);
            println!("{name:22} {board:7} {published:9} {expected:6.1} {}", sums.line());
        }
    }
}

/// Sums over games.
#[derive(Clone, Copy, Default)]
struct Sums {
    games: f64,
    plies: f64,
    log: f64,
    log_squared: f64,
    last_moves: f64,
    full_length: f64,
    wins: [f64; 2],
}

impl Sums {
    fn add(&mut self, other: &Sums) {
        self.games += other.games;
        self.plies += other.plies;
        self.log += other.log;
        self.log_squared += other.log_squared;
        self.last_moves += other.last_moves;
        self.full_length += other.full_length;
        self.wins[0] += other.wins[0];
        self.wins[1] += other.wins[1];
    }

    fn line(&self) -> String {
        let mean = self.log / self.games;
        let variance = (self.log_squared / self.games - mean * mean).max(0.0);
        let error = (variance / (self.games - 1.0).max(1.0)).sqrt();
        let percent = |count: f64| 100.0 * count / self.games;
        format!(
            "{mean:8.2} ± {error:4.2} {:9.1} {:9.1} {:7.2} {:7.2} {:7.2} {:7.2}",
            10f64.powf(self.log / self.plies),
            self.last_moves / (3.0 * self.full_length),
            percent(self.games - self.full_length),
            percent(self.wins[0]),
            percent(self.wins[1]),
            percent(self.games - self.wins[0] - self.wins[1])
        )
    }
}

fn play_all(game: &Octagon, preferences: Option<Preferences>, games: u64, seed: u64) -> Sums {
    let blocks = games.div_ceil(BLOCK);
    let next = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= blocks {
                return done;
            }
            let mut rng = Rng::stream(seed, block);
            let count = BLOCK.min(games - block * BLOCK);
            let mut table = Table::new(game.clone(), preferences);
            let mut sums = Sums::default();
            (0..count).for_each(|_| sums.add(&table.play(&mut rng)));
            done.push((block, sums));
        }
    };
    let mut done: Vec<(u64, Sums)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        handles.into_iter().flat_map(|handle| handle.join().unwrap_or_default()).collect()
    });
    // Sums of floats depend on their order.
    done.sort_unstable_by_key(|(block, _)| *block);
    done.iter().fold(Sums::default(), |mut all, (_, sums)| {
        all.add(sums);
        all
    })
}

/// A place to play games at.
struct Table {
    game: Octagon,
    preferences: Option<Preferences>,
    moves: Vec<Move>,
    types: Vec<u8>,
}

impl Table {
    fn new(game: Octagon, preferences: Option<Preferences>) -> Self {
        Table { game, preferences, moves: Vec::new(), types: Vec::new() }
    }

    fn play(&mut self, rng: &mut Rng) -> Sums {
        let mut state = self.game.initial_state();
        let plies = self.game.rules().plies();
        let mut sums = Sums { games: 1.0, ..Sums::default() };
        while !self.game.is_terminal(&state) {
            let mover = state.mover();
            let mov = match self.preferences {
                Some(preferences) => {
                    self.game.typed_moves(&state, mover, &mut self.moves, &mut self.types);
                    preferences.pick(&self.moves, &self.types, rng)
                }
                None => {
                    self.game.legal_moves(&state, mover, &mut self.moves);
                    rng.pick(&self.moves)
                }
            };
            let Some(mov) = mov else { break };
            let count = self.moves.len() as f64;
            sums.log += count.log10();
            if state.ply() + 3 >= plies {
                sums.last_moves += count;
            }
            let mut joint = [self.game.noop(); 2];
            joint[mover.index()] = mov;
            let before = state;
            self.game.apply(&before, &joint, &mut state);
        }
        sums.plies = f64::from(state.ply());
        if state.ply() == plies {
            sums.full_length = 1.0;
        } else {
            sums.last_moves = 0.0;
        }
        sums.log_squared = sums.log * sums.log;
        let [first, second] = state.score();
        sums.wins = [f64::from(u8::from(first > second)), f64::from(u8::from(second > first))];
        sums
    }
}
