//! Which reasoner is chosen where speed is measured.

use std::time::Duration;

use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_propnet::{Auto, Best, Status, WhyNot};

const LONG: Duration = Duration::from_secs(60);

fn settled(rules: &str, measured: bool) -> Auto {
    let program = Rulesheet::load(rules.as_bytes()).expect("a sound rulesheet").program;
    let begin = if measured { Auto::measured } else { Auto::new };
    let mut auto = begin(&program, &Limits::none()).expect("a playable game");
    auto.best_within(LONG);
    auto
}

/// A dial that adds numbers by a table: the prover looks a sum up, the network asks every entry.
fn dial(size: usize) -> String {
    let mut rules = String::from(
        "(role r) (init (at 0)) (init (speed 0)) (init (left 0)) (<= (legal r (push ?x)) (some ?x))
         (some 1) (some 2) (some 3)
         (<= (next (speed ?z)) (true (speed ?x)) (does r (push ?y)) (sum ?x ?y ?z))
         (<= (next (at ?z)) (true (at ?x)) (true (speed ?y)) (sum ?x ?y ?z))
         (<= (next (left ?y)) (true (left ?x)) (sum ?x 1 ?y))
         (<= terminal (true (left 60))) (<= (goal r 100) (true (at 7))) (<= (goal r 0) (not (true (at 7))))",
    );
    for a in 0..size {
        (0..size).for_each(|b| rules += &format!("(sum {a} {b} {})", (a + b) % size));
    }
    rules
}

#[test]
fn the_prover_stays_where_it_is_faster() {
    // 810,000 entries of which each step asks for three.
    let rules = dial(900);
    let mut auto = settled(&rules, true);
    let Status::Prover(WhyNot::Slower(rates)) = auto.status().clone() else {
        panic!("{}", auto.status());
    };
    assert!(rates.prover_is_fastest() && rates.prover > rates.network, "{rates}");
    assert!(matches!(auto.best(), Best::Prover(..)));
    let told = auto.status().to_string();
    assert!(told.starts_with("the prover: it is faster than the network; states per"), "{told}");
    // Where equal seeds must give equal play, nothing is measured.
    let auto = settled(&rules, false);
    assert!(matches!(auto.status(), Status::Network { rates: None, .. }), "{}", auto.status());
}

#[test]
fn the_network_takes_over_where_it_is_faster() {
    let rules = include_str!("../../../../games/gdl/connect_four.kif");
    let auto = settled(rules, true);
    let Status::Network { rates: Some(rates), .. } = auto.status() else {
        panic!("{}", auto.status());
    };
    assert!(rates.network > rates.prover, "{rates}");
    assert!(auto.status().to_string().contains("; states per processor second: prover "));
}
