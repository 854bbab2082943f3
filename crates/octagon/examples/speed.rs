//! Moves per second of processor time in uniformly random games, on one core.
//!
//! `speed [SECONDS] [DESCRIPTION...]`: time per measurement (1 second unless told) and which games,
//! as `Config::rules` reads them (the three boards unless told).
//!
//! Columns: whole games through the trait (terminal test, list of both roles, choice, apply); the
//! same with the types of all moves; and what the parts cost on states of such games: listing
//! moves, listing with types, applying a move, and finding successful shoves line by line instead
//! of by sets, the other design.
#![allow(clippy::print_stdout, reason = "a tool for people")]

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ProcessTime;
use gamegrove_game::{Game, Move, Player, Rng, TypedMoves};
use gamegrove_octagon::{Config, Octagon, State};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(1.0);
    let mut games: Vec<String> = arguments.collect();
    if games.is_empty() {
        games = ["small", "medium", "large", "large,cannon=line_shift"].map(str::to_owned).to_vec();
    }
    let limit = Duration::from_secs_f64(seconds.clamp(0.01, 3600.0));
    println!(
        "{:26} {:>10} {:>12} {:>12} {:>9} {:>9} {:>9} {:>9}",
        "game", "plies/game", "moves/s", "typed m/s", "list ns", "typed ns", "apply ns", "walks ns"
    );
    for description in &games {
        let rules = match Config::shipped().rules(description) {
            Ok(rules) => rules,
            Err(problem) => {
                println!("{description}: {problem}");
                continue;
            }
        };
        let game = Octagon::new(rules).expect("configured shapes are valid");
        let (moves, plies) = whole_games(&game, limit);
        let typed = typed_games(&game, limit);
        let parts = Parts::sample(&game);
        println!(
            "{description:26} {plies:10.1} {moves:12.0} {typed:12.0} {:9.1} {:9.1} {:9.1} {:9.1}",
            parts.list(&game, limit),
            parts.typed(&game, limit),
            parts.apply(&game, limit),
            parts.walks(&game, limit)
        );
    }
}

/// Moves per second and plies per game of the game crate's random player.
fn whole_games(game: &Octagon, limit: Duration) -> (f64, f64) {
    let mut player = Player::new(game.clone());
    let start = player.game.initial_state();
    let mut rng = Rng::new(1);
    let (mut moves, mut games) = (0u64, 0u64);
    let clock = ProcessTime::now();
    while clock.elapsed() < limit {
        for _ in 0..20 {
            moves += u64::from(player.random_game(&start, u32::MAX, &mut rng).steps);
            games += 1;
        }
    }
    (moves as f64 / clock.elapsed().as_secs_f64(), moves as f64 / games as f64)
}

/// Moves per second when every list comes with types.
fn typed_games(game: &Octagon, limit: Duration) -> f64 {
    let mut game = game.clone();
    let (mut moves, mut types) = (Vec::new(), Vec::new());
    let mut rng = Rng::new(1);
    let mut played = 0u64;
    let clock = ProcessTime::now();
    while clock.elapsed() < limit {
        let mut state = game.initial_state();
        let mut next = state;
        while !game.is_terminal(&state) {
            game.typed_moves(&state, state.mover(), &mut moves, &mut types);
            let Some(mov) = rng.pick(&moves) else { break };
            game.apply(&state, &joint(&game, &state, mov), &mut next);
            state = next;
            played += 1;
        }
    }
    played as f64 / clock.elapsed().as_secs_f64()
}

fn joint(game: &Octagon, state: &State, mov: Move) -> [Move; 2] {
    let mut joint = [game.noop(); 2];
    joint[state.mover().index()] = mov;
    joint
}

/// States of random games, each with a move played there.
struct Parts(Vec<(State, [Move; 2])>);

impl Parts {
    fn sample(game: &Octagon) -> Self {
        let mut player = Player::new(game.clone());
        let start = player.game.initial_state();
        let mut rng = Rng::new(2);
        let mut states = Vec::new();
        for _ in 0..100 {
            player.random_game_with(&start, u32::MAX, &mut rng, |_, state, joint| {
                states.push((*state, [joint[0], joint[1]]));
            });
        }
        Parts(states)
    }

    /// Nanoseconds per state of `work`.
    fn time(&self, limit: Duration, mut work: impl FnMut(&State, &[Move; 2])) -> f64 {
        let mut rounds = 0u32;
        let clock = ProcessTime::now();
        while clock.elapsed() < limit {
            for (state, joint) in &self.0 {
                work(state, joint);
            }
            rounds += 1;
        }
        clock.elapsed().as_secs_f64() * 1e9 / (f64::from(rounds) * self.0.len() as f64)
    }

    fn list(&self, game: &Octagon, limit: Duration) -> f64 {
        let (mut game, mut moves) = (game.clone(), Vec::new());
        self.time(limit, |state, _| {
            game.legal_moves(state, state.mover(), &mut moves);
            black_box(&moves);
        })
    }

    fn typed(&self, game: &Octagon, limit: Duration) -> f64 {
        let (mut game, mut moves, mut types) = (game.clone(), Vec::new(), Vec::new());
        self.time(limit, |state, _| {
            game.typed_moves(state, state.mover(), &mut moves, &mut types);
            black_box((&moves, &types));
        })
    }

    fn apply(&self, game: &Octagon, limit: Duration) -> f64 {
        let mut game = game.clone();
        let mut next = game.initial_state();
        self.time(limit, |state, joint| {
            game.apply(state, joint, &mut next);
            black_box(&next);
        })
    }

    /// The other design: successful shoves of every empty position by walking its eight lines.
    fn walks(&self, game: &Octagon, limit: Duration) -> f64 {
        self.time(limit, |state, _| {
            for position in game.board().members(game.empty(state)) {
                black_box(game.successful(state, position));
            }
        })
    }
}
