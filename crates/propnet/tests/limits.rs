//! Every step from ground rules to a running program keeps to limits of time, memory and steps, and
//! stops when it is told to.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gamegrove_gdl::{LimitHit, Limits, Meter, Rulesheet, Way, ground};
use gamegrove_propnet::{
    BuildError, Circuit, Network, PropnetLanes, Sequence, Statistics, build, build_from_rules,
    initialise_within, text,
};
use gamegrove_testdata::shared;

const BATTLE: &[u8] = include_bytes!("../../../games/gdl/battle.kif");

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
