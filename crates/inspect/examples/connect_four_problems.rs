//! Connect-four positions in which a mistake is likely, with the moves that keep their value.
//!
//! ```sh
//! cargo run --release -p gamegrove-inspect --example connect_four_problems -- COUNT SEED
//! ```
//! It prints so many positions for each number of stones from 10 to 20: the drops that lead there, a bar, the
//! columns that keep the value.

#![allow(clippy::print_stdout, reason = "a program")]

use gamegrove_game::Rng;
use gamegrove_inspect::connect_four::{Solver, problem};

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|number| number.parse().ok());
    let (count, seed) = (numbers.next().unwrap_or(10), numbers.next().unwrap_or(1));
    let mut solver = Solver::default();
    let mut rng = Rng::new(seed);
    let text = |columns: &[usize]| columns.iter().map(usize::to_string).collect::<String>();
    for stones in 10..=20 {
        for _ in 0..count {
            let found = problem(&mut solver, &mut rng, stones);
            println!("{} | {}", text(&found.drops), text(&found.keeping));
        }
    }
}
