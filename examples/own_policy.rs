//! A play-out policy of your own: the last legal move with a certain probability, else any. The search uses it in place
//! of random play-outs.
//!
//! ```sh
//! cargo run --release -p gamegrove-examples --example own_policy
//! ```

#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;

use gamegrove_game::{Describe as _, Game as _, Move, Rng, Role};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_search::{Budget, OwnStrategies, Part, Policy, Search, Turn};

/// Plays the last legal move with this probability.
struct LastMove(f64);

impl Policy for LastMove {
    fn choose(&mut self, _turn: &Turn<'_>, legal: &[Move], rng: &mut Rng) -> usize {
        if rng.unit() < self.0 { legal.len() - 1 } else { rng.below(legal.len()) }
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let rules = Rulesheet::load(include_bytes!("../games/gdl/breakthrough.kif"))
        .map_err(|_| "the rules have errors")?;
    let mut game = Prover::new(&rules.program)?;
    let start = game.initial_state();
    let own = OwnStrategies { policy: Some(Box::new(LastMove(0.3))), selection: None };
    let settings = Part::named("mcts").with("select", "uct");
    let mut search = Search::with_strategies(game.clone(), &settings, own, 1)?;
    search.set_root(&start);
    search.run(&Budget::simulations(200));
    for found in search.report(Role(0)).moves.iter().take(3) {
        println!("{} {} visits", game.move_name(Role(0), found.mov), found.visits);
    }
    Ok(())
}
