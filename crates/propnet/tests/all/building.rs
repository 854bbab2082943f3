//! The builder: the same network for the same seed, another order for another seed, limits kept.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gamegrove_game::{Cached, Game, perft};
use gamegrove_gdl::{Grounding, LimitHit, Limits, Meter, Prover, Rulesheet};
use gamegrove_propnet::{
    BuildError, Forward, Kind, Network, Pass, Propnet, Sequence, Statistics, build,
    build_from_rules,
};

const CONNECT_FOUR: &[u8] = include_bytes!("../../../../games/gdl/connect_four.kif");

fn network(text: &[u8], seed: u64) -> Network {
    let sheet = Rulesheet::load(text).expect("a sound rulesheet");
    build_from_rules(&sheet.program, seed, &Limits::default()).expect("a small game")
}

#[test]
fn a_seed_gives_one_network_and_another_seed_another_order() {
    let first = network(CONNECT_FOUR, 0);
    assert_eq!(first, network(CONNECT_FOUR, 0));
    let other = network(CONNECT_FOUR, 7);
    assert_eq!(other, network(CONNECT_FOUR, 7));
    assert_ne!(first, other);
    // The order of rules changes neither sizes nor what states and moves mean.
    assert_eq!(Statistics::of(&first).kinds, Statistics::of(&other).kinds);
    let names = |network: &Network| -> Vec<String> {
        network.bases().iter().map(|&base| network.label(base)).collect()
    };
    assert_eq!(names(&first), names(&other));
    let count = |network: Network| {
        let network = Arc::new(Sequence::default().run(&network));
        let mut game: Propnet<Forward> = Propnet::new(&network).expect("a sound network");
        let start = game.initial_state();
        perft(&mut game, &start, 4).nodes
    };
    // Seven columns, four drops.
    assert_eq!((count(first), count(other)), (2401, 2401));
}

#[test]
fn limits_stop_the_builder() {
    // A million rules to wire.
    let mut text = String::from(
        "(role r) (<= (legal r (m ?a ?b ?c)) (d ?a) (d ?b) (d ?c)) (goal r 0) (init f)
         (<= terminal (does_any)) (<= (does_any) (true g))
         (<= (next (cell ?a ?b ?c)) (does r (m ?a ?b ?c)) (true f))
         (<= (next (cell ?a ?b ?c)) (true (cell ?a ?b ?c)) (true f))",
    );
    (0..40).for_each(|digit| text += &format!("(d {digit})"));
    let sheet = Rulesheet::load(text.as_bytes()).expect("a sound rulesheet");
    let grounding = Grounding::new(&sheet.program, &Limits::default()).expect("it fits");
    assert!(grounding.rule_count() > 150_000);
    let stop = |limits: Limits| match build(&grounding, 0, &limits) {
        Err(BuildError::Limit(hit)) => hit,
        other => panic!("no limit was hit: {:?}", other.map(|network| network.len())),
    };
    let limits = Limits::default;
    assert_eq!(stop(Limits { memory: 1 << 20, ..limits() }), LimitHit::Memory(1 << 20));
    assert_eq!(stop(Limits { steps: Some(10_000), ..limits() }), LimitHit::Steps(10_000));
    let instant = Duration::from_nanos(1);
    assert_eq!(stop(Limits { time: Some(instant), ..limits() }), LimitHit::Time(instant));
    let cancel = Some(Arc::new(AtomicBool::new(true)));
    assert_eq!(stop(Limits { cancel, ..limits() }), LimitHit::Cancelled);
}

#[test]
fn nobody_plays_is_no_network() {
    let sheet = Rulesheet::load(
        b"(<= (role ?x) (never ?x)) (<= (never ?x) (nobody ?x) (distinct ?x ?x)) (nobody a)
          (<= terminal (true f)) (init f) (<= (legal ?r a) (role ?r)) (<= (goal ?r 0) (role ?r))",
    )
    .expect("that there is no role shows only when the rules are worked out");
    let built = build_from_rules(&sheet.program, 0, &Limits::default());
    assert_eq!(built.err(), Some(BuildError::NoRoles));
}

#[test]
fn moves_and_goals_of_things_that_are_no_roles_are_plain_propositions() {
    let network = network(
        b"(role r) (legal r a) (legal table a) (goal r 50) (goal table 100)
          (init f) (<= (next f) (does r a)) (<= terminal (not (true f)))",
        0,
    );
    assert_eq!(network.check(), Ok(()));
    let statistics = Statistics::of(&network);
    assert_eq!(statistics.count(Kind::Legal), 1);
    assert_eq!(statistics.count(Kind::Input), 1);
    assert_eq!(statistics.count(Kind::Goal), 1);
}

#[test]
fn a_long_chain_of_rules_needs_no_deep_stack() {
    let mut text = String::from("(role r) (legal r a) (goal r 0) (init (p 0)) ");
    let links = 100_000;
    text += "(<= (q 0) (true (p 0))) (<= (q ?y) (q ?x) (succ ?x ?y))";
    for link in 1..links {
        text += &format!("(succ {} {link})", link - 1);
    }
    text += &format!("(<= terminal (q {}))", links - 1);
    let network = network(text.as_bytes(), 0);
    let mut sequences = ["", "0", "1", "2", "3"].into_iter();
    let over = sequences.all(|name| {
        let sequence: Sequence = name.parse().expect("digits");
        let network = Arc::new(sequence.run(&network));
        let mut game: Propnet = Propnet::new(&network).expect("a sound network");
        let state = game.initial_state();
        game.is_terminal(&state)
    });
    assert!(over);
}

#[test]
fn limits_stop_the_passes() {
    let mut text = String::from("(role r) (legal r a) (goal r 0) (init (p 0)) ");
    text += "(<= (next (p ?y)) (true (p ?x)) (succ ?x ?y)) (<= terminal (true (p 9999)))";
    (1..10_000).for_each(|link| text += &format!("(succ {} {link})", link - 1));
    let network = network(text.as_bytes(), 0);
    for pass in Pass::ALL {
        let stopped = |limits: Limits| pass.run_within(&network, &mut Meter::new(&limits)).err();
        assert_eq!(stopped(Limits::none()), None);
        let steps = Limits { steps: Some(5000), ..Limits::none() };
        assert_eq!(stopped(steps), Some(LimitHit::Steps(5000)), "{pass}");
        let memory = Limits { memory: 1000, ..Limits::none() };
        assert_eq!(stopped(memory), Some(LimitHit::Memory(1000)), "{pass}");
        let cancel = Limits { cancel: Some(Arc::new(true.into())), ..Limits::none() };
        assert_eq!(stopped(cancel), Some(LimitHit::Cancelled), "{pass}");
    }
}

#[test]
fn a_cache_changes_no_answer() {
    let text = include_bytes!("../../../../games/gdl/tic_tac_toe.kif");
    let sheet = Rulesheet::load(text).expect("a sound rulesheet");
    let mut prover = Cached::new(Prover::new(&sheet.program).expect("a playable game"), 20_000);
    let network = Arc::new(Sequence::default().run(&network(text, 0)));
    let mut game: Propnet = Propnet::new(&network).expect("a sound network");
    let (first, start) = (prover.initial_state(), game.initial_state());
    let expected = perft(&mut game, &start, 6);
    assert_eq!(perft(&mut Cached::new(game, 20_000), &start, 6), expected);
    assert_eq!(perft(&mut prover, &first, 6), expected);
    assert!(prover.len() < 20_001);
}
