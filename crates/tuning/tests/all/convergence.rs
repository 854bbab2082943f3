//! Every strategy finds the optimum of noisy problems with a known one, at the published settings
//! and better than uniform sampling with the same number of samples.
//!
//! A sample is 100 with the combination's probability and 0 otherwise, the noisiest reward there is.
//! All claims are about means over many seeds and hold with a 99.9 % interval.

use std::collections::HashMap;
use std::sync::Arc;

use gamegrove_game::Rng;
use gamegrove_settings::Part;
use gamegrove_tuning::{
    Combination, Domain, Indices, Parameter, Rewards, Space, Value, published, registry,
};

/// The value of a point whose coordinates are on the unit interval.
type Landscape = fn(&[f64]) -> f64;

/// The coordinates of a combination: the place in the list of values, or in the range.
fn coordinates(space: &Space, combination: &Combination) -> Vec<f64> {
    match (combination.indices(), combination.reals()) {
        (Some(indices), _) => (0..space.dimension())
            .map(|i| f64::from(indices[i]) / (space.choices(i).len() - 1).max(1) as f64)
            .collect(),
        (_, Some(reals)) => space
            .ranges()
            .expect("continuous strategies need ranges")
            .iter()
            .zip(reals)
            .map(|((least, most), value)| (value - least) / (most - least))
            .collect(),
        _ => unreachable!("combinations are listed or real"),
    }
}

/// Each parameter by itself: the best values are at 0.75.
fn separable(x: &[f64]) -> f64 {
    let near = |v: &f64| 1.0 - (v - 0.75).abs() / 0.75;
    0.1 + 0.8 * x.iter().map(near).sum::<f64>() / x.len() as f64
}

/// Parameters that must agree: the best points are where neighbours are equal and high.
fn coupled(x: &[f64]) -> f64 {
    let gap: f64 = x.windows(2).map(|w| (w[0] - w[1]).abs()).sum::<f64>() / (x.len() - 1) as f64;
    0.1 + 0.5 * (1.0 - gap) + 0.3 * x.iter().sum::<f64>() / x.len() as f64
}

/// Exclusive or: good exactly if an even number of values have an odd place. Any value is as good
/// as any other as long as the rest is not known.
fn parity(x: &[f64]) -> f64 {
    let odd = x.iter().filter(|v| (*v * 3.0).round() as u32 % 2 == 1).count();
    if odd % 2 == 0 { 0.8 } else { 0.2 }
}

/// One combination is the best, but each half of it is bad with everything else; over all
/// combinations every value is worth the same.
fn trap(x: &[f64]) -> f64 {
    match (x[0] == 0.0, x[1] == 0.0) {
        (true, true) => 0.95,
        (false, false) => 0.5,
        _ => 0.35,
    }
}

struct Outcome {
    /// The mean true value of the proposals in the last quarter.
    late: f64,
    /// The true value of the recommendation.
    recommended: f64,
}

fn run(name: &str, space: &Arc<Space>, landscape: Landscape, samples: usize, seed: u64) -> Outcome {
    let mut rng = Rng::stream(seed, 1);
    let shared = Rng::stream(seed, 0);
    let mut strategy = registry::build(&Part::named(name), space, Rewards::GOALS, &shared).unwrap();
    strategy.set_budget(samples as u64 * 3 / 4);
    let mut late = 0.0;
    let from = samples - samples / 4;
    for sample in 0..samples {
        let combination = strategy.next(&mut rng);
        let value = landscape(&coordinates(space, &combination));
        if sample >= from {
            late += value / (samples - from) as f64;
        }
        strategy.update(&combination, if rng.unit() < value { 100.0 } else { 0.0 });
    }
    assert_eq!(strategy.samples(), samples as u64);
    let best = strategy.best().expect("after samples there is a recommendation");
    Outcome { late, recommended: landscape(&coordinates(space, &best)) }
}

/// Uniform sampling that recommends the best mean, less its standard error.
fn uniform(space: &Arc<Space>, landscape: Landscape, samples: usize, seed: u64) -> Outcome {
    let mut rng = Rng::stream(seed, 2);
    let mut seen: HashMap<Indices, (f64, f64)> = HashMap::new();
    let mut late = 0.0;
    for _ in 0..samples {
        let indices = space.draw(&mut rng);
        let value = landscape(&coordinates(space, &Combination::from_indices(&indices)));
        late += value / samples as f64;
        let entry = seen.entry(indices).or_default();
        *entry = (entry.0 + f64::from(u8::from(rng.unit() < value)), entry.1 + 1.0);
    }
    let worth = |(sum, n): &(f64, f64)| sum / n - 0.5 / n.sqrt();
    // Ties go to the smaller indices, so that the result depends on the seed only.
    let best = seen.iter().max_by(|a, b| worth(a.1).total_cmp(&worth(b.1)).then(b.0.cmp(a.0)));
    let best = Combination::from_indices(best.expect("there were samples").0);
    Outcome { late, recommended: landscape(&coordinates(space, &best)) }
}

/// Mean and half-width of the 99.9 % interval.
fn interval(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, 3.3 * (variance / n).sqrt())
}

/// Shown with `--nocapture`, so that expectations can be judged by the figures.
#[allow(clippy::print_stdout)]
fn report(line: &str) {
    println!("{line}");
}

const SEEDS: u64 = 80;

/// What is expected of a strategy: the least mean value of its recommendations, and whether they
/// are better than those of uniform sampling.
type Expected = (&'static str, f64, bool);

/// Checks that the strategies play better than uniform sampling, and what is expected of each.
fn check(
    problem: &str,
    space: &Arc<Space>,
    landscape: Landscape,
    samples: usize,
    strategies: &[Expected],
) {
    let base: Vec<Outcome> = (0..SEEDS).map(|s| uniform(space, landscape, samples, s)).collect();
    let mut failures = Vec::new();
    for &(name, floor, recommends_better) in strategies {
        let ours: Vec<Outcome> =
            (0..SEEDS).map(|s| run(name, space, landscape, samples, s)).collect();
        let pairs = || ours.iter().zip(&base);
        let late: Vec<f64> = pairs().map(|(a, b)| a.late - b.late).collect();
        let better: Vec<f64> = pairs().map(|(a, b)| a.recommended - b.recommended).collect();
        let recommended: Vec<f64> = ours.iter().map(|outcome| outcome.recommended).collect();
        let (late, late_width) = interval(&late);
        let (better, better_width) = interval(&better);
        let (recommended, width) = interval(&recommended);
        let line = format!(
            "{problem}: {name} plays {late:+.3} ±{late_width:.3} and recommends {better:+.3} \
             ±{better_width:.3} against uniform, {recommended:.3} ±{width:.3}"
        );
        report(&line);
        let worse = recommends_better && better <= better_width;
        if late <= late_width || worse || recommended - width <= floor {
            failures.push(line);
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn two_independent_parameters() {
    // 99 combinations with 60 samples each, so uniform sampling recommends well too. The best is
    // worth 0.873 and uniform sampling plays 0.53. Rewards this noisy and generations this
    // small are hard for CMA-ES, as published.
    let space = Arc::new(published::SP_2.space());
    let strategies = [
        ("mab", 0.85, false),
        ("he", 0.85, false),
        ("nmc", 0.85, false),
        ("local", 0.85, false),
        ("lsi", 0.78, false),
        ("ea", 0.74, false),
        ("ntbea", 0.85, false),
        ("cma-es", 0.65, false),
        ("halving", 0.84, false),
        ("de", 0.65, false),
        ("either", 0.8, false),
    ];
    check("independent", &space, separable, 6_000, &strategies);
}

#[test]
fn four_coupled_parameters_with_a_switch() {
    // 7227 combinations, not two samples each; the best is worth 0.9.
    let space = Arc::new(published::AP_4.space());
    let strategies = [
        ("mab", 0.75, true),
        ("he", 0.82, true),
        ("nmc", 0.76, true),
        ("local", 0.79, true),
        ("lsi", 0.75, true),
        ("ea", 0.67, true),
        ("ntbea", 0.73, true),
        ("cma-es", 0.6, false),
        ("halving", 0.77, true),
        ("de", 0.6, false),
        ("either", 0.68, true),
    ];
    check("coupled", &space, coupled, 12_000, &strategies);
}

#[test]
fn cma_es_finds_the_optimum_where_there_is_no_noise() {
    let space = Arc::new(published::SP_2.space());
    for seed in 0..SEEDS {
        let mut rng = Rng::new(seed);
        let mut strategy =
            registry::build(&Part::named("cma-es"), &space, Rewards::GOALS, &Rng::new(0)).unwrap();
        let mut samples = 0;
        while !strategy.is_settled() {
            let combination = strategy.next(&mut rng);
            let value = separable(&coordinates(&space, &combination));
            strategy.update(&combination, 100.0 * value);
            samples += 1;
            assert!(samples < 10_000, "seed {seed} does not stop");
        }
        let settled = coordinates(&space, &strategy.next(&mut rng));
        assert!(separable(&settled) > 0.9 - 1e-6, "seed {seed}: {settled:?}");
    }
}

/// Parameters with `values` values each.
fn cube(dimension: usize, values: usize) -> Arc<Space> {
    let names = ["a", "b", "c"];
    let parameter = |&name| Parameter::new(name, Value::Real(0.0), Domain::grid(0.0, 1.0, values));
    Arc::new(Space::new(names[..dimension].iter().map(parameter).collect(), &[]).unwrap())
}

#[test]
fn dependent_values_are_found_by_those_that_look_at_combinations() {
    // [Sironi 2019, 6]: non-separable payoff. 64 combinations, half of them good.
    let strategies = ["mab", "he", "nmc", "ntbea", "ea"].map(|name| (name, 0.75, false));
    check("parity", &cube(3, 4), parity, 6_000, &strategies);
}

#[test]
fn one_good_combination_among_misleading_values() {
    // 25 combinations. MAB and HE find the good one from every seed. NMC and NTBEA from most: a mean
    // above 0.5, what the others are worth at most, says so. LOCAL misses it from some seeds, no
    // more often than NMC; and on exclusive or it is as good as any. [Sironi 2019, 6]
    // expects LOCAL to fail there, but bandits that learn beside each other follow each other as soon
    // as one leans to a side, so that is not what these tests claim.
    let space = cube(2, 5);
    let strategies =
        [("mab", 0.9, false), ("he", 0.9, false), ("nmc", 0.6, false), ("ntbea", 0.52, false)];
    check("trap", &space, trap, 8_000, &strategies);
    let local: Vec<f64> =
        (0..3 * SEEDS).map(|seed| run("local", &space, trap, 8_000, seed).recommended).collect();
    let (mean, width) = interval(&local);
    report(&format!("trap: local recommends {mean:.3} ±{width:.3}"));
    assert!(mean + width < 0.95, "local recommends {mean:.3} ±{width:.3}");
}

/// The mean value of the last quarter of the samples when the optimum moves after `change`.
fn drifting(name: &str, noise: bool, change: usize, samples: usize, seed: u64) -> f64 {
    let space = cube(2, 4);
    let mut rng = Rng::stream(seed, 1);
    let mut strategy =
        registry::build(&Part::named(name), &space, Rewards::GOALS, &Rng::stream(seed, 0)).unwrap();
    strategy.set_budget(change as u64 / 2);
    let mut late = 0.0;
    let from = samples - samples / 4;
    for sample in 0..samples {
        let combination = strategy.next(&mut rng);
        let target = if sample < change { 0.0 } else { 1.0 };
        let x = coordinates(&space, &combination);
        let value = 0.9 - 0.8 * x.iter().map(|v| (v - target).abs()).sum::<f64>() / 2.0;
        if sample >= from {
            late += value / (samples - from) as f64;
        }
        let reward = if noise { f64::from(u8::from(rng.unit() < value)) } else { value };
        strategy.update(&combination, 100.0 * reward);
    }
    late
}

#[test]
fn bandits_follow_a_moving_optimum_and_planners_stay() {
    // [Sironi 2019, 6]: drifting optimum. The optimum (0.9) moves from one corner to the
    // opposite one, where the old optimum is worth 0.1.
    for (name, noise) in
        [("mab", true), ("he", true), ("nmc", true), ("local", true), ("ntbea", true)]
    {
        let late: Vec<f64> =
            (0..SEEDS).map(|seed| drifting(name, noise, 1_000, 12_000, seed)).collect();
        let (mean, width) = interval(&late);
        report(&format!("drift: {name} {mean:.3} ±{width:.3}"));
        assert!(mean - width > 0.55, "{name} {mean:.3} ±{width:.3}");
    }
    for (name, noise) in [("lsi", true), ("cma-es", false)] {
        let late: Vec<f64> =
            (0..SEEDS).map(|seed| drifting(name, noise, 3_000, 12_000, seed)).collect();
        let (mean, width) = interval(&late);
        report(&format!("drift: {name} {mean:.3} ±{width:.3}"));
        assert!(mean + width < 0.35, "{name} {mean:.3} ±{width:.3}");
    }
}

#[test]
fn many_simulations_in_flight_still_find_the_optimum() {
    let space = Arc::new(published::SP_2.space());
    for spec in registry::STRATEGIES {
        let name = spec.name;
        let values: Vec<f64> = (0..SEEDS)
            .map(|seed| {
                let mut rng = Rng::stream(seed, 3);
                let mut strategy =
                    registry::build(&Part::named(name), &space, Rewards::GOALS, &Rng::new(seed))
                        .unwrap();
                strategy.set_budget(6_000);
                let mut flight: Vec<Combination> = Vec::new();
                for _ in 0..8_000 {
                    flight.push(strategy.next(&mut rng));
                    if flight.len() == 64 {
                        let combination = flight.swap_remove(rng.below(64));
                        let value = separable(&coordinates(&space, &combination));
                        strategy.update(&combination, if rng.unit() < value { 100.0 } else { 0.0 });
                    }
                }
                separable(&coordinates(&space, &strategy.best().unwrap()))
            })
            .collect();
        let (mean, width) = interval(&values);
        report(&format!("in flight: {name} recommends {mean:.3} ±{width:.3}"));
        let floor = if spec.continuous { 0.6 } else { 0.75 };
        assert!(mean - width > floor, "{name} {mean:.3} ±{width:.3}");
    }
}
