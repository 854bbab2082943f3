//! Tunes the weights of the greedy player of The Octagon Theory [Fernandes 2013, 2.4] by hill
//! climbing in self-play on the large board.
//!
//! `octagon_weights [ROUNDS] [GAMES] [SEED]`: so many changes are tried (300), each in so many games
//! (400) against the best weights so far, colours in turn. A change multiplies one weight by a random
//! factor. It is kept if it scores more than half by more than one standard deviation. At the end the
//! result plays the two presets.
#![allow(clippy::print_stdout, reason = "a tool for people")]

use gamegrove_game::{Evaluation, Game, Move, Rng};
use gamegrove_octagon::{Config, Octagon, State};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number =
        |otherwise: u64| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let (rounds, games, seed) = (number(300), number(400), number(1));
    let rules = Config::shipped().rules("large").expect("the shipped file has it");
    let mut table = Table::new(Octagon::new(rules).expect("shipped shapes are valid"));
    let names = table.evaluation.weight_names();
    let used: Vec<usize> =
        (0..names.len()).filter(|&at| names_a_position(&table.game, &names[at])).collect();
    let uniform = vec![1.0; names.len()];
    let defensive: Vec<f64> = names.iter().map(|name| fall(name)).collect();
    let mut rng = Rng::new(seed);
    let mut best = uniform.clone();
    for round in 0..rounds {
        let mut other = best.clone();
        let at = used[rng.below(used.len())];
        other[at] = (other[at] * (1.0 + (rng.unit() - 0.5) * 0.8)).clamp(0.05, 20.0);
        let score = table.compare([&other, &best], games, &mut rng);
        // Half is the greatest deviation of a game worth 0, 1/2 or 1.
        if score > 0.5 + 0.5 / (games as f64).sqrt() {
            best = other;
            println!("round {round}: {} = {:.3}, score {score:.3}", names[at], best[at]);
        }
    }
    let mean = used.iter().map(|&at| best[at]).sum::<f64>() / used.len() as f64;
    for &at in &used {
        print!("{} = {:.2}, ", names[at], best[at] / mean);
    }
    println!();
    for (name, other) in [("uniform", &uniform), ("defensive", &defensive)] {
        let score = table.compare([&best, other], 1000, &mut rng);
        println!("against {name}: {:.1} % of 1000 games", 100.0 * score);
    }
    let score = table.compare([&uniform, &defensive], 1000, &mut rng);
    println!("uniform against defensive: {:.1} % of 1000 games", 100.0 * score);
}

/// Weights of the defensive preset: they fall towards the edge (5, ..) and the hole (1, ..).
fn fall(name: &str) -> f64 {
    match &name[1..2] {
        "1" => 0.8,
        "2" => 1.0,
        "3" => 0.9,
        "4" => 0.7,
        _ => 0.5,
    }
}

fn names_a_position(game: &Octagon, name: &str) -> bool {
    let class_name = |(greater, lesser)| format!("c{greater}_{lesser}");
    game.board().positions().any(|at| class_name(game.board().class(at)) == name)
}

/// Where two sets of weights play each other.
struct Table {
    game: Octagon,
    evaluation: Box<dyn Evaluation<State>>,
    moves: Vec<Move>,
}

impl Table {
    fn new(game: Octagon) -> Self {
        let evaluation = game.evaluation().expect("it has weights");
        Table { game, evaluation, moves: Vec::new() }
    }

    /// The share of points that the first of two sets of weights wins.
    fn compare(&mut self, weights: [&[f64]; 2], games: u64, rng: &mut Rng) -> f64 {
        let mut points = 0.0;
        for number in 0..games {
            let first = number % 2 == 0;
            let seats = if first { weights } else { [weights[1], weights[0]] };
            let result = self.play(seats, rng);
            points += if first { result } else { 1.0 - result };
        }
        points / games as f64
    }

    /// The worth of a game to the side that moves first.
    fn play(&mut self, seats: [&[f64]; 2], rng: &mut Rng) -> f64 {
        let mut state = self.game.initial_state();
        let mut next = state;
        while !self.game.is_terminal(&state) {
            let mover = state.mover();
            self.game.legal_moves(&state, mover, &mut self.moves);
            let (mut best, mut equals, mut top) = (state, 0, f64::NEG_INFINITY);
            for &mov in &self.moves {
                let mut joint = [self.game.noop(); 2];
                joint[mover.index()] = mov;
                self.game.apply(&state, &joint, &mut next);
                let value = self.evaluation.value(&next, mover, seats[mover.index()]);
                if value > top {
                    (best, equals, top) = (next, 1, value);
                } else if value == top {
                    equals += 1;
                    if rng.below(equals) == 0 {
                        best = next;
                    }
                }
            }
            state = best;
        }
        let [first, second] = state.score();
        match first.cmp(&second) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        }
    }
}
