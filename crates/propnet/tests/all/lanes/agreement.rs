//! Whole play-outs from the initial state: every rulesheet, and random networks.

use std::collections::BTreeMap;
use std::sync::Arc;

use gamegrove_game::{BoxedLanes, Driver, Game, Lanes, Rng, Sample, Sums, Tally};
use gamegrove_propnet::{Bits, Network, Propnet, PropnetLanes, Sequence, Statistics, Width};

use super::{Record, Recorder, network, play, shipped, uniform};
use crate::support::{check_rulesheets, sketch};

/// Compares `wanted` play-outs of all widths with the one-state reasoner.
fn compare(network: &Arc<Network>, wanted: u64, limit: u32) -> Result<(), String> {
    let mut game: Propnet = Propnet::new(network).map_err(|flaw| flaw.to_string())?;
    let start = game.initial_state();
    let mut expected: BTreeMap<u64, Record> = BTreeMap::new();
    for number in 0..wanted {
        let mut rng = Rng::stream(9, number);
        expected.insert(number, play(&mut game, &start, limit, &mut rng, uniform));
    }
    let lanes = PropnetLanes::new(network).map_err(|flaw| flaw.to_string())?;
    for width in Width::all() {
        let mut lanes = lanes.with_width(width);
        let mut recorder =
            Recorder { wanted, limit, started: 0, running: BTreeMap::new(), seen: BTreeMap::new() };
        let tally = lanes.run(9, &mut recorder);
        if tally.playouts != wanted || recorder.seen.len() != wanted as usize {
            return Err(format!("{width}: {tally:?}"));
        }
        for (number, expected) in &expected {
            let seen = &recorder.seen[number];
            if seen != expected {
                let step =
                    seen.joints.iter().zip(&expected.joints).position(|(seen, said)| seen != said);
                return Err(format!(
                    "{width}: play-out {number} has {} steps, {:?}, {:?} for {}, {:?}, {:?}; \
                     moves differ at {step:?}",
                    seen.steps,
                    seen.ending,
                    seen.goals,
                    expected.steps,
                    expected.ending,
                    expected.goals
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn playouts_of_public_rulesheets_are_the_one_state_reasoners() {
    check_rulesheets(250, |text| {
        let Some(network) = network(text).filter(|network| network.len() < 40_000) else {
            return Ok(false);
        };
        // More than fit in the narrowest width, so that lanes are used again; fewer steps where
        // one state at a time is slow.
        let limit = (1_000_000 / network.len()).clamp(2, 60) as u32;
        compare(&network, 70, limit)?;
        Ok(true)
    });
}

/// Lanes that play samples as those do that have no faster way.
struct ByDriver(PropnetLanes);

impl Lanes for ByDriver {
    type State = Bits;

    fn duplicate(&self) -> BoxedLanes<Bits> {
        Box::new(ByDriver(self.0.clone()))
    }

    fn width(&self) -> usize {
        self.0.width()
    }

    fn run(&mut self, seed: u64, driver: &mut dyn Driver<Bits>) -> Tally {
        self.0.run(seed, driver)
    }
}

/// Sums over play-outs of the driver's way against those of a sample.
fn compare_sums(network: &Arc<Network>, count: u64, limit: u32) -> Result<(), String> {
    let lanes = PropnetLanes::new(network).map_err(|flaw| flaw.to_string())?;
    for width in Width::all() {
        let mut lanes = lanes.with_width(width);
        let sample = Sample { state: lanes.initial(), limit, count };
        let sums = lanes.sample(3, &sample, &mut || false);
        let mut expected = ByDriver(lanes).sample(3, &sample, &mut || false);
        expected.tally.sweeps = sums.tally.sweeps;
        let close = |(a, b): (&f64, &f64)| (a - b).abs() < 0.01;
        let equal = sums.goals.iter().zip(&expected.goals).all(close);
        if !equal || (Sums { goals: expected.goals.clone(), ..sums.clone() }) != expected {
            return Err(format!("{width}: {sums:?} for {expected:?}"));
        }
    }
    Ok(())
}

#[test]
fn sums_of_samples_are_those_of_their_playouts() {
    let games = [("breakthrough", 40), ("chess", 20), ("connect_four", 500), ("eight_puzzle", 100)];
    for (name, limit) in games.into_iter().chain([("tic_tac_toe", 0), ("tron", 500)]) {
        compare_sums(&shipped(name), 700, limit).unwrap_or_else(|what| panic!("{name}: {what}"));
    }
    // Several goals at once, none, and roles without a move.
    for seed in 0..200 {
        let network = sketch::network(&["a", "b", "c"], seed % 2 == 0, &mut Rng::new(seed));
        compare_sums(&Arc::new(network), 70, 12).unwrap_or_else(|what| panic!("{seed}: {what}"));
    }
}

#[test]
fn a_sample_that_is_given_up_counts_what_was_over() {
    let mut lanes = PropnetLanes::new(&shipped("tic_tac_toe")).expect("a sound network");
    let sample = Sample { state: lanes.initial(), limit: 100, count: u64::MAX };
    let mut left = 9;
    let sums = lanes.sample(1, &sample, &mut || {
        left -= 1;
        left == 0
    });
    let mean = sums.tally.states as f64 / sums.tally.playouts as f64;
    assert!(sums.tally.playouts > 1000 && sums.terminal == sums.tally.playouts, "{sums:?}");
    assert!((5.0..=9.0).contains(&mean) && sums.goals.iter().sum::<f64>() > 0.0, "{sums:?}");
}

#[test]
fn playouts_of_shipped_games_are_the_one_state_reasoners() {
    for name in ["breakthrough", "connect_four", "eight_puzzle", "tic_tac_toe", "tron"] {
        compare(&shipped(name), 600, 200).unwrap_or_else(|what| panic!("{name}: {what}"));
    }
}

#[test]
fn playouts_of_random_networks_are_the_one_state_reasoners() {
    let (mut cycles, all) = (0, ["a", "b", "c", "d", "e", "f"]);
    for seed in 0..600 {
        let roles = 1 + seed as usize % all.len();
        let basic = sketch::network(&all[..roles], seed % 2 == 0, &mut Rng::new(seed));
        cycles += Statistics::of(&basic).cycles;
        for network in [Sequence::default().run(&basic), basic] {
            compare(&Arc::new(network), 70, 12).unwrap_or_else(|what| panic!("{seed}: {what}"));
        }
    }
    assert!(cycles > 200, "only {cycles} cycles were drawn");
}
