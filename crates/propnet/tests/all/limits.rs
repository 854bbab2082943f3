//! Every step from ground rules to a running program keeps to limits of time, memory and steps, and
//! stops when it is told to.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gamegrove_game::{Game, Goal};
use gamegrove_gdl::{LimitHit, Limits, Meter, Prover, Rulesheet, Way, ground};
use gamegrove_propnet::{
    BuildError, Circuit, Codec, Network, Propnet, PropnetLanes, Sequence, Statistics, build,
    build_from_rules, initialise_within, text,
};
use gamegrove_testdata::shared;

const BATTLE: &[u8] = include_bytes!("../../../../games/gdl/battle.kif");

/// A network of some ten thousand components, not optimised.
fn network() -> Network {
    let sheet = Rulesheet::load(BATTLE).expect("a sound rulesheet");
    let network = build_from_rules(&sheet.program, 0, &Limits::none()).expect("no limits");
    assert!(network.len() > 5000, "the clock is read every few thousand steps");
    network
}

/// Each limit by itself stops the work and is named; without limits it is done.
fn check<T>(work: impl Fn(&Limits) -> Result<T, BuildError>) {
    let all = || Limits { time: None, ..Limits::none() };
    assert!(work(&all()).is_ok());
    let cases = [
        (Limits { time: Some(Duration::ZERO), ..all() }, LimitHit::Time(Duration::ZERO)),
        (Limits { memory: 1000, ..all() }, LimitHit::Memory(1000)),
        (Limits { steps: Some(10), ..all() }, LimitHit::Steps(10)),
        (Limits { cancel: Some(Arc::new(AtomicBool::new(true))), ..all() }, LimitHit::Cancelled),
    ];
    for (limits, expected) in cases {
        assert_eq!(work(&limits).err(), Some(BuildError::Limit(expected)));
    }
}

#[test]
fn initialising_keeps_to_limits() {
    let written = text::print(&network());
    check(|limits| {
        let draft = text::parse(&written).expect("a network that was printed");
        initialise_within(draft, &mut Meter::new(limits))
    });
}

#[test]
fn drawing_a_circuit_keeps_to_limits() {
    let network = network();
    check(|limits| Circuit::new_within(&network, &mut Meter::new(limits)));
}

#[test]
fn making_a_program_for_lanes_keeps_to_limits() {
    let network = Arc::new(network());
    check(|limits| PropnetLanes::new_within(&network, limits));
    // The circuit alone takes fewer steps than circuit and program.
    let meter = &mut Meter::new(&Limits::none());
    Circuit::new_within(&network, meter).expect("no limits");
    let steps = Some(meter.used() + 4096);
    let limits = Limits { steps, ..Limits::none() };
    assert!(Circuit::new_within(&network, &mut Meter::new(&limits)).is_ok());
    let hit = PropnetLanes::new_within(&network, &limits).err();
    assert!(matches!(hit, Some(BuildError::Limit(LimitHit::Steps(_)))), "{hit:?}");
}

/// Rulesheets with relations so wide that only what is asked for is grounded: after optimisation it
/// is the network of the whole.
#[test]
fn on_demand_the_network_is_the_same() {
    let Some(corpus) = shared("corpus/gdl") else { return };
    for name in ["public/crisscross/crisscross.kif", "stanford/chinesecheckers.kif"] {
        let text = std::fs::read(corpus.join(name)).expect("a readable rulesheet");
        let program = Rulesheet::load(&text).expect("a sound rulesheet").program;
        let (few, way) = ground(&program, &Limits::none()).expect("no limits");
        assert_eq!(way, Way::OnDemand, "{name}");
        let condensed = Arc::new(program.condensed());
        let all = gamegrove_gdl::Grounding::new(&condensed, &Limits::none()).expect("no limits");
        assert!(few.rule_count() * 10 < all.rule_count(), "{name}");
        let kinds = |grounding| {
            let basic = build(grounding, 0, &Limits::none()).expect("no limits");
            Statistics::of(&Sequence::default().run(&basic)).kinds
        };
        assert_eq!(kinds(&few), kinds(&all), "{name}");
    }
}

/// Rulesheets whose rules as they stand have millions of instances: steps within which each has a
/// network, and at most how many components that has.
const HARD: [(&str, u64, usize); 9] = [
    ("public/alexChess/alexChess.kif", 16_000_000, 1_000_000),
    ("public/amazons/amazons.kif", 16_000_000, 700_000),
    ("public/kalaha_2009/kalaha_2009.kif", 2_000_000, 130_000),
    ("public/othello-comp2007/othello-comp2007.kif", 2_000_000, 220_000),
    ("public/pancakes88/pancakes88.kif", 2_000_000, 450_000),
    ("public/quarto/quarto.kif", 2_000_000, 5_000),
    ("public/quartoSuicide/quartoSuicide.kif", 2_000_000, 5_000),
    ("public/sudoku/sudoku.kif", 16_000_000, 120_000),
    ("stanford/vectorracer4.kif", 16_000_000, 700_000),
];

#[test]
fn hard_rulesheets_have_a_network_within_counted_steps() {
    let Some(corpus) = shared("corpus/gdl") else { return };
    for (name, steps, components) in HARD {
        let text = std::fs::read(corpus.join(name)).expect("a readable rulesheet");
        let program = Rulesheet::load(&text).expect("a sound rulesheet").program;
        let limits = Limits { time: None, steps: Some(steps), ..Limits::default() };
        let basic =
            build_from_rules(&program, 0, &limits).unwrap_or_else(|e| panic!("{name}: {e}"));
        let found = Sequence::default().run(&basic).len();
        assert!(found <= components, "{name}: {found} components");
    }
}

/// A full grid is won if it is a solution: what nine rows, columns and squares ask of 81 marks is read mark
/// by mark.
#[test]
fn the_network_of_sudoku_knows_a_solution() {
    let Some(corpus) = shared("corpus/gdl/public") else { return };
    let text = std::fs::read(corpus.join("sudoku/sudoku.kif")).expect("a readable rulesheet");
    let program = Rulesheet::load(&text).expect("a sound rulesheet").program;
    let basic = build_from_rules(&program, 0, &Limits::default()).expect("a network");
    let network = Arc::new(Sequence::default().run(&basic));
    let mut game: Propnet = Propnet::new(&network).expect("a sound network");
    let mut prover = Prover::new(&program).expect("a playable game");
    let solution = |row: usize, column: usize| (row * 3 + row / 3 + column) % 9 + 1;
    let goals = |marks: &dyn Fn(usize, usize) -> usize, game: &mut Propnet, prover: &mut Prover| {
        let place = |n: usize| (n / 9, n % 9);
        let facts = (0..81).map(place).map(|(row, column)| {
            format!("(mark {} {} {})", row + 1, column + 1, marks(row, column))
        });
        let facts: Vec<String> = facts.collect();
        let bits = Codec::new(&network).bits(&facts).expect("facts of the network");
        let state = prover.state_of(&facts).expect("facts of the rules");
        let mut found = [[Goal::default()], [Goal::default()]];
        game.goals(&bits, &mut found[0]);
        prover.goals(&state, &mut found[1]);
        assert!(game.is_terminal(&bits) && prover.is_terminal(&state));
        assert_eq!(found[0], found[1]);
        found[0][0].0
    };
    assert_eq!(goals(&solution, &mut game, &mut prover), 100.0);
    // Two marks of a row, of a column or of a square are exchanged.
    for ((a, b), (c, d)) in [((0, 0), (0, 8)), ((0, 0), (8, 0)), ((4, 4), (3, 3))] {
        let wrong = |row: usize, column: usize| match (row, column) {
            place if place == (a, b) => solution(c, d),
            place if place == (c, d) => solution(a, b),
            _ => solution(row, column),
        };
        assert_eq!(goals(&wrong, &mut game, &mut prover), 0.0);
    }
}
