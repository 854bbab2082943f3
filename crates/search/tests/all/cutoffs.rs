//! What Early Cutoffs do in real games.

use crate::support::mcts;
use gamegrove_game::{Game, Role};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_search::{Budget, Part, Search};

const SAMPLED: u64 = 100;
const MORE: u64 = 60;

/// Steps of the simulations while goals are sampled and afterwards, and the root's statistics.
type Seen = (u64, u64, Vec<(u32, f64)>);

fn search(name: &str, settings: &Part) -> Option<Seen> {
    let path = gamegrove_testdata::shared(&format!("corpus/gdl/public/{name}/{name}.kif"))?;
    let sheet =
        Rulesheet::load(&std::fs::read(path).expect("it can be read")).expect("it is sound");
    let mut game = Prover::new(&sheet.program).expect("it can be played");
    let mut search = Search::new(game.clone(), settings, 4).expect("good settings");
    search.set_root(&game.initial_state());
    search.run(&Budget::simulations(SAMPLED));
    let sampled = search.report(Role(0)).steps;
    search.run(&Budget::simulations(MORE));
    let more = search.report(Role(0)).steps - sampled;
    let tree = search.tree();
    let root = tree.ids().next().expect("a root");
    let statistics = tree.statistics(root, Role(0)).iter().map(|s| (s.visits, s.sum)).collect();
    Some((sampled, more, statistics))
}

fn both(name: &str) -> Option<[Seen; 2]> {
    let plain = mcts("uct", "random");
    Some([search(name, &plain)?, search(name, &plain.with("cutoff", "early"))?])
}

#[test]
fn othello_is_played_to_its_end() {
    // [Finnsson 2012, 4]: goals are not stable and all games last about as long
    let Some([plain, early]) = both("reversi") else { return };
    assert_eq!(plain, early);
}

#[test]
fn checkers_is_cut_off_by_its_goals() {
    // [Finnsson 2012, 4]: goals are stable there. Nothing is cut while they are
    // watched; then play-outs end a round after the first capture could count.
    let Some([plain, early]) = both("checkers") else { return };
    assert_eq!(plain.0, early.0);
    assert!(early.1 * 2 < plain.1, "{} {}", early.1, plain.1);
    // A draw for all roles would show as a mean of exactly 50 wherever no game ended by itself.
    assert!(early.2.iter().any(|&(visits, sum)| sum != 50.0 * f64::from(visits)));
}
