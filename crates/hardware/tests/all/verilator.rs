//! The exported Verilog, compiled by Verilator, against the emulation.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gamegrove_game::Rng;
use gamegrove_hardware::{Board, Driver, Simulation, run_testbench, verilator_installed};
use gamegrove_propnet::Network;

use super::{hardware, shipped, sketch};

const LIMIT: Duration = Duration::from_secs(500);

/// States of a random game that are compared with all their successors.
const STATES: usize = 12;

/// Whether Verilator is there. Without it the test is skipped.
fn installed() -> bool {
    gamegrove_testdata::has_tool(verilator_installed(), "verilator", "verilator")
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hardware").join(name)
}

fn check(name: &str, network: &Network) {
    let mut hardware = hardware(network);
    let folder = folder(name);
    hardware.write(&folder).expect("a folder that can be written");
    let simulation = Simulation::build(&folder, LIMIT).expect("Verilog that compiles");
    let mut board = Board::new(&hardware.meta, simulation).expect("a simulation that answers");
    let mut state = board.initial_state().expect("a simulation that answers");
    let mut rng = Rng::new(8);
    for step in 0..STATES {
        let found = board.next_states(&state).expect("a simulation that answers");
        let expected = hardware.emulation.next_states(&state).expect("no way to fail");
        assert_eq!(found, expected, "{name}: step {step}");
        if found.next.is_empty() {
            break;
        }
        state = found.next[rng.below(found.next.len())].1.clone();
    }
    let start = board.initial_state().expect("a simulation that answers");
    for (seed, playouts) in [(1, 200), (2, 1)] {
        board.seed(seed).expect("a simulation that answers");
        hardware.emulation.seed(seed).expect("no way to fail");
        let found = board.scores(&start, playouts).expect("a simulation that answers");
        let expected = hardware.emulation.scores(&start, playouts).expect("no way to fail");
        assert_eq!(found, expected, "{name}: random games");
    }
}

#[test]
fn simulated_games_run_as_emulated() {
    if !installed() {
        return;
    }
    let games = [
        "tic_tac_toe",
        "horseshoe",
        "connect_four_3p",
        "bidding_tic_tac_toe",
        "lights_out",
        "goofspiel",
    ];
    for name in games {
        check(name, &shipped(name));
    }
}

#[test]
fn an_unrolled_loop_runs_as_emulated() {
    if !installed() {
        return;
    }
    // Loops, a role that may be stuck, and three roles.
    let mut networks = (0..200).map(|number| {
        let mut rng = Rng::stream(6, number);
        Arc::new(sketch::network(&["a", "b", "c"], true, &mut rng))
    });
    let network = networks.rfind(|n| hardware(n).meta.size.unrolled.len() > 2);
    let network = network.expect("networks with loops");
    let mut hardware = hardware(&network);
    // Such games need not end.
    let meta = Arc::make_mut(&mut hardware.meta);
    meta.step_limit = 50;
    hardware.emulation.step_limit = 50;
    let folder = folder("loops");
    hardware.write(&folder).expect("a folder that can be written");
    let simulation = Simulation::build(&folder, LIMIT).expect("Verilog that compiles");
    let mut board = Board::new(&hardware.meta, simulation).expect("a simulation that answers");
    let start = board.initial_state().expect("a simulation that answers");
    let found = board.next_states(&start).expect("a simulation that answers");
    assert_eq!(found, hardware.emulation.next_states(&start).expect("no way to fail"));
    board.seed(3).expect("a simulation that answers");
    hardware.emulation.seed(3).expect("no way to fail");
    let found = board.scores(&start, 300).expect("a simulation that answers");
    assert_eq!(found, hardware.emulation.scores(&start, 300).expect("no way to fail"));
}

#[test]
fn the_test_bench_passes_and_can_fail() {
    if !installed() {
        return;
    }
    let folder = folder("bench");
    hardware(&shipped("tic_tac_toe")).write(&folder).expect("a folder that can be written");
    let verdict = run_testbench(&folder, LIMIT).expect("a bench that passes");
    assert!(verdict.starts_with("PASS"), "{verdict}");
    let path = folder.join("vectors.hex");
    let vectors = std::fs::read_to_string(&path).expect("a file that was written");
    let spoilt: Vec<String> = vectors
        .lines()
        .map(|line| if line.starts_with("02") { line.to_owned() + "0" } else { line.to_owned() })
        .map(|line| if line.len() == 17 { line[..8].to_owned() + "deadbeef" } else { line })
        .collect();
    std::fs::write(&path, spoilt.join("\n") + "\n").expect("a file that can be written");
    let failure = run_testbench(&folder, LIMIT).expect_err("wrong answers are noticed");
    assert!(failure.to_string().contains("exchange"), "{failure}");
}
