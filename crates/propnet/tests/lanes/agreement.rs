//! Whole play-outs from the initial state: every rulesheet, and networks nobody would draw.

use std::collections::BTreeMap;
use std::sync::Arc;

use gamegrove_game::{Game, Lanes, Rng};
use gamegrove_propnet::{Network, Propnet, PropnetLanes, Sequence, Statistics, Width};

use crate::support::check_rulesheets;
use crate::{Record, Recorder, network, play, shipped, sketch, uniform};

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
