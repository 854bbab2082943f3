//! A selection rule of your own: Thompson sampling, which draws a mean for each move from what is known of it and takes
//! the largest.
//!
//! ```sh
//! cargo run --release -p gamegrove-examples --example own_selection
//! ```

#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;

use gamegrove_game::{Describe as _, Game as _, Rng, Role};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_search::{Budget, Decision, OwnStrategies, Part, Pick, Search, Selection};

struct Thompson;

impl Selection for Thompson {
    fn select(&mut self, at: &Decision<'_>, rng: &mut Rng) -> Pick {
        // The mean of twelve uniform numbers is close to normal. A win and a loss are counted beforehand.
        let draw = |rng: &mut Rng| (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
        let value = |(place, statistic): (usize, &gamegrove_search::Statistic)| {
            let visits = statistic.count() + 2.0;
            let mean = (statistic.sum / 100.0 + 1.0) / visits;
            (place, mean + draw(rng) * (mean * (1.0 - mean) / visits).sqrt())
        };
        let drawn = at.statistics.iter().enumerate().map(value);
        let best = drawn.max_by(|(_, a), (_, b)| a.total_cmp(b));
        Pick::Action(best.expect("a node has moves").0)
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let rules = Rulesheet::load(include_bytes!("../games/gdl/tic_tac_toe.kif"))
        .map_err(|_| "the rules have errors")?;
    let mut game = Prover::new(&rules.program)?;
    let start = game.initial_state();
    let own = OwnStrategies { selection: Some(Box::new(Thompson)), policy: None };
    let mut search = Search::with_strategies(game.clone(), &Part::named("mcts"), own, 1)?;
    search.set_root(&start);
    search.run(&Budget::simulations(2000));
    for found in search.report(Role(0)).moves.iter().take(3) {
        println!("{} {} visits", game.move_name(Role(0), found.mov), found.visits);
    }
    Ok(())
}
