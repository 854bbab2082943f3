//! What one proposal and its reward cost, in the steady state with four parameters (AP 4) at the
//! published settings: `cargo bench -p gamegrove-tuning`.
//!
//! Rewards are those of a noisy game (0 or 100), so that strategies are where they would be in play.

use std::sync::Arc;

use divan::Bencher;
use gamegrove_game::Rng;
use gamegrove_settings::Part;
use gamegrove_tuning::{Draw, Moment, Randomiser, Redraw, Rewards, Strategy, published, registry};

fn main() {
    divan::main();
}

/// Samples before measuring: what a game of 30 turns of 1000 simulations sees.
const WARM_UP: usize = 30_000;

fn sample(strategy: &mut dyn Strategy, rng: &mut Rng) {
    let combination = strategy.next(rng);
    let likely = match (combination.indices(), combination.reals()) {
        (Some(indices), _) => indices.iter().map(|&i| f64::from(i)).sum::<f64>() / 40.0,
        (_, Some(reals)) => reals[0],
        _ => 0.5,
    };
    strategy.update(&combination, if rng.unit() < likely { 100.0 } else { 0.0 });
}

fn steady(
    bencher: Bencher<'_, '_>,
    set: published::TunedSet,
    name: &str,
    options: &[(&str, &str)],
) {
    let space = Arc::new(set.space());
    let mut rng = Rng::new(1);
    let shared = Rng::new(2);
    let part = Part::from_texts(name, options).expect("no option is given twice");
    let build = || registry::build(&part, &space, Rewards::GOALS, &shared);
    let mut strategy = build().expect("the strategy exists");
    let mut step = || {
        // One that has decided costs nothing; what is measured is the search.
        if strategy.is_settled() {
            strategy = build().expect("the strategy exists");
        }
        sample(strategy.as_mut(), &mut rng);
    };
    (0..WARM_UP).for_each(|_| step());
    bencher.bench_local(step);
}

#[divan::bench(sample_size = 1000, args = ["mab", "he", "nmc", "local", "lsi", "ea", "ntbea", "cma-es", "halving", "de", "either"])]
fn four_parameters(bencher: Bencher<'_, '_>, name: &str) {
    steady(bencher, published::AP_4, name, &[]);
}

#[divan::bench(sample_size = 1000, args = ["mab", "he", "nmc", "local", "lsi", "ea", "ntbea", "cma-es", "halving", "de", "either"])]
fn six_parameters(bencher: Bencher<'_, '_>, name: &str) {
    steady(bencher, published::AP_6, name, &[]);
}

/// A new choice for every sample, which is what video games use.
#[divan::bench(sample_size = 1000)]
fn mab_batch_1(bencher: Bencher<'_, '_>) {
    steady(bencher, published::AP_4, "mab", &[("batch", "1")]);
}

/// What the choice alone costs by looking at all 7227 arms, as published: the mean and the visits of each
/// are stored, and one logarithm serves all.
#[divan::bench(sample_size = 10)]
fn scan_of_all_arms(bencher: Bencher<'_, '_>) {
    let mut rng = Rng::new(1);
    let arms: Vec<(f64, f64)> =
        (0..7227).map(|_| (rng.unit(), 1.0 + rng.below(30) as f64)).collect();
    bencher.bench_local(|| {
        let spread = divan::black_box(100_000f64).ln();
        let value = |&(mean, visits): &(f64, f64)| mean + 0.7 * (spread / visits).sqrt();
        arms.iter()
            .map(value)
            .enumerate()
            .fold((0, 0.0), |best, (arm, value)| if value > best.1 { (arm, value) } else { best })
    });
}

/// LSI while it rates single values; later it proposes what it has.
#[divan::bench(sample_size = 1000)]
fn lsi_generation(bencher: Bencher<'_, '_>) {
    steady(bencher, published::AP_4, "lsi", &[]);
}

#[divan::bench(sample_size = 1000)]
fn sim_rnd(bencher: Bencher<'_, '_>) {
    let space = Arc::new(published::AP_4.space());
    let mut rng = Rng::new(1);
    let mut randomiser = Randomiser::new(Redraw::Simulation, Draw::Legal, &space, &mut rng);
    bencher.bench_local(|| {
        let drawn = randomiser.on(Moment::Simulation, &mut rng);
        divan::black_box(drawn);
    });
}

/// The cost of the loop around a strategy: the reward drawn, the combination looked at.
#[divan::bench(sample_size = 1000)]
fn nothing(bencher: Bencher<'_, '_>) {
    let space = published::AP_4.space();
    let mut rng = Rng::new(1);
    let combination = gamegrove_tuning::Combination::from_indices(&space.draw(&mut rng));
    bencher.bench_local(|| {
        let combination = divan::black_box(&combination).clone();
        let indices = combination.indices().unwrap_or_default();
        let likely = indices.iter().map(|&i| f64::from(i)).sum::<f64>() / 40.0;
        divan::black_box(if rng.unit() < likely { 100.0 } else { 0.0 })
    });
}
