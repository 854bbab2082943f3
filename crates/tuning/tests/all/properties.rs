//! What holds for every strategy, space, seed and order of rewards.

use std::sync::Arc;

use gamegrove_game::Rng;
use gamegrove_settings::Part;
use gamegrove_tuning::{
    Combination, Domain, Parameter, PerRole, Rewards, Rule, Space, Strategy, Value, published,
    registry,
};
use proptest::prelude::{ProptestConfig, Strategy as _, any};
use proptest::{prop_assert, prop_assert_eq, proptest};

/// Spaces of one to five parameters with one to six values, the first of which may switch some of
/// the others off.
fn spaces() -> impl proptest::strategy::Strategy<Value = Arc<Space>> {
    let sizes = proptest::collection::vec(1usize..=6, 1..=5);
    (sizes, any::<u8>(), 1u8..64).prop_map(|(sizes, switched, off)| {
        let names = ["a", "b", "c", "d", "e"];
        let values = |size: usize| (0..size).map(|v| v as f64).collect::<Vec<_>>();
        let parameter = |(i, &size): (usize, &usize)| {
            let domain = Domain::reals(&values(size)).with_range(0.0, 5.0);
            Parameter::new(names[i], Value::Real(0.0), domain)
        };
        let off: Vec<Value> =
            (0..6).filter(|v| off >> v & 1 == 1).map(|v| Value::Real(f64::from(v))).collect();
        let rules: Vec<Rule> = (1..sizes.len())
            .filter(|i| switched >> i & 1 == 1)
            .map(|i| Rule { switch: "a".into(), off: off.clone(), idle: names[i].into() })
            .collect();
        let parameters = sizes.iter().enumerate().map(parameter).collect();
        Arc::new(Space::new(parameters, &rules).unwrap())
    })
}

fn check_legal(space: &Space, combination: &Combination) {
    match (combination.indices(), combination.reals()) {
        (Some(indices), _) => assert!(space.is_legal(indices), "{indices:?}"),
        (_, Some(reals)) => {
            assert_eq!(reals.len(), space.dimension());
            assert!(reals.iter().all(|value| (0.0..=5.0).contains(value)), "{reals:?}");
        }
        _ => unreachable!("combinations are listed or real"),
    }
}

/// Runs a strategy with up to `lanes` proposals in flight, rewards in random order, some proposals
/// taken back and some rewards that are no numbers. Returns everything proposed.
fn play(name: &str, space: &Arc<Space>, lanes: usize, steps: usize, seed: u64) -> Vec<Combination> {
    let mut rng = Rng::new(seed);
    let mut world = Rng::stream(seed, 1);
    let mut strategy = registry::build(&Part::named(name), space, Rewards::GOALS, &rng).unwrap();
    let (mut flight, mut proposals, mut updates) = (Vec::new(), Vec::new(), 0);
    for step in 0..steps {
        if step == steps / 8 {
            strategy.set_budget(steps as u64 / 2);
        }
        let combination = strategy.next(&mut rng);
        check_legal(space, &combination);
        proposals.push(combination.clone());
        flight.push(combination);
        while flight.len() >= lanes {
            let combination = flight.swap_remove(world.below(flight.len()));
            match world.below(50) {
                0 => strategy.cancel(&combination),
                kind => {
                    let reward = match kind {
                        1 => f64::NAN,
                        2 => f64::INFINITY,
                        3 => -1e300,
                        4 => 1e6,
                        _ => world.below(3) as f64 * 50.0,
                    };
                    strategy.update(&combination, reward);
                    updates += 1;
                    check_legal(space, &strategy.best().unwrap_or_else(|| proposals[0].clone()));
                }
            }
        }
    }
    assert_eq!(strategy.samples(), updates, "{name}");
    proposals
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    #[test]
    fn proposals_are_legal_and_repeatable(space in spaces(), lanes in 1usize..80, seed: u64) {
        for spec in registry::STRATEGIES {
            let first = play(spec.name, &space, lanes, 300, seed);
            prop_assert_eq!(first, play(spec.name, &space, lanes, 300, seed));
        }
    }

    #[test]
    fn changes_stay_legal(space in spaces(), seed: u64) {
        let mut rng = Rng::new(seed);
        let mut mother = space.draw(&mut rng);
        for _ in 0..50 {
            prop_assert!(space.is_legal(&mother));
            let father = space.draw(&mut rng);
            let mut child = father.clone();
            space.cross(&mother, &father, &mut child, &mut rng);
            prop_assert!(space.is_legal(&child));
            let before = child.clone();
            space.mutate(&mut child, &mut rng);
            prop_assert!(space.is_legal(&child));
            prop_assert!(before != child || space.count() == Some(1) || only_frozen(&space));
            let text = space.describe(&Combination::from_indices(&child));
            prop_assert_eq!(space.parse(&text).unwrap(), Combination::from_indices(&child));
            mother = child;
        }
    }

    #[test]
    fn combinations_of_other_spaces_do_no_harm(space in spaces(), seed: u64) {
        let mut rng = Rng::new(seed);
        let foreign = [
            Combination::from_indices(&[]),
            Combination::from_indices(&[60_000; 5]),
            Combination::from_indices(&[0; 9]),
            Combination::from_reals(&[f64::NAN; 3]),
        ];
        for spec in registry::STRATEGIES {
            let mut strategy = registry::build(&Part::named(spec.name), &space, Rewards::UNIT, &rng).unwrap();
            for _ in 0..30 {
                for combination in &foreign {
                    strategy.update(combination, 1.0);
                    strategy.cancel(combination);
                }
                let combination = strategy.next(&mut rng);
                check_legal(&space, &combination);
                // The same proposal twice, and one that came from nowhere.
                strategy.update(&combination, 0.5);
                strategy.update(&combination, 0.5);
                strategy.cancel(&combination);
                strategy.update(&Combination::from_indices(&space.draw(&mut rng)), 0.3);
            }
        }
    }
}

/// Whether every parameter has a single choice.
fn only_frozen(space: &Space) -> bool {
    (0..space.dimension()).all(|parameter| space.choices(parameter).len() == 1)
}

#[test]
fn one_combination_is_all_that_is_proposed() {
    // [Sironi 2019, 6]: restricted to one value per parameter a tuner changes nothing.
    let one = |name| Parameter::new(name, Value::Integer(7), Domain::integers(&[7]));
    let space = Arc::new(Space::new(vec![one("x"), one("y")], &[]).unwrap());
    for spec in registry::STRATEGIES.iter().filter(|spec| !spec.continuous) {
        let mut rng = Rng::new(1);
        let mut strategy =
            registry::build(&Part::named(spec.name), &space, Rewards::GOALS, &rng).unwrap();
        strategy.set_budget(200);
        for _ in 0..500 {
            let combination = strategy.next(&mut rng);
            assert_eq!(space.describe(&combination), "x=7 y=7");
            strategy.update(&combination, 50.0);
        }
    }
}

#[test]
fn switched_off_parameters_are_reached_by_evolution() {
    // [Sironi 2019, 6]: K = 0 is reachable by EA and NTBEA through mutation.
    let space = Arc::new(published::AP_4.space());
    for name in ["ea", "ntbea"] {
        let mut rng = Rng::new(3);
        let mut strategy =
            registry::build(&Part::named(name), &space, Rewards::GOALS, &rng).unwrap();
        let mut late = 0;
        for sample in 0..20_000 {
            let combination = strategy.next(&mut rng);
            let off = space.value(&combination, 2) == Value::Real(0.0);
            late += u32::from(off && sample >= 10_000);
            let likely = if off { 0.9 } else { 0.3 };
            strategy.update(&combination, if rng.unit() < likely { 100.0 } else { 0.0 });
        }
        // K = 0 is one of 73 pairs: uniform sampling would propose it 137 times.
        assert!(late > 5_000, "{name} proposed K = 0 {late} times in the last 10000 samples");
    }
}

#[test]
fn roles_are_independent_but_for_what_a_game_shares() {
    let space = Arc::new(published::AP_4.space());
    for spec in registry::STRATEGIES {
        let mut tuners =
            PerRole::new(&Part::named(spec.name), &space, Rewards::GOALS, 3, 5).unwrap();
        let mut alone: Box<dyn Strategy> =
            registry::build(&Part::named(spec.name), &space, Rewards::GOALS, &Rng::stream(5, 0))
                .unwrap();
        let mut rng = Rng::stream(5, 2);
        let mut combinations = Vec::new();
        let mut differ = 0;
        for step in 0..400 {
            tuners.next(&mut combinations);
            assert_eq!(combinations.len(), 3);
            differ += u32::from(combinations[0] != combinations[1]);
            // The second role of three does what it would do by itself.
            assert_eq!(alone.next(&mut rng), combinations[1], "{}", spec.name);
            let reward = f64::from(step % 3) * 50.0;
            tuners.update(&combinations, &[100.0 - reward, reward, 0.0]);
            alone.update(&combinations[1], reward);
        }
        assert!(differ > 100, "{}", spec.name);
        assert!((0..3).all(|role| tuners.role(role).is_some_and(|role| role.samples() == 400)));
    }
}
